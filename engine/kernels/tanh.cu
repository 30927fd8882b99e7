// out = tanh(x): one thread an element, elements first to last.
extern "C" __global__ void tanh_kernel(const float* x, float* out, long long first, long long last)
{
    long long at = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < last)
        out[at] = tanhf(x[at]);
}
