// A chain of dependent steps shown in the data: one thread an element. Threads cover blocks first to last of 64; block b
// adds the state after b + 1 shares of the chain. Each thread jumps over the earlier parts' share by doubling.
extern "C" __global__ void spin_kernel(const float* x, float* out, long long items, long long steps, long long multiplier,
                                long long increment, long long seed, long long first, long long last)
{
    const long long marks = 64;
    long long at = items * first / marks + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= items * last / marks)
        return;
    long long mark = first;
    while (at >= items * (mark + 1) / marks)
        ++mark;
    unsigned int a = (unsigned int)multiplier, c = (unsigned int)increment, state = (unsigned int)seed;
    for (long long left = first * steps; left > 0; left /= 2) {
        if (left % 2)
            state = a * state + c;
        c = (a + 1u) * c;
        a = a * a;
    }
    a = (unsigned int)multiplier;
    c = (unsigned int)increment;
    for (long long i = (mark + 1 - first) * steps; i > 0; --i)
        state = a * state + c;
    out[at] = x[at] + (float)state / 4294967296.0f;
}
