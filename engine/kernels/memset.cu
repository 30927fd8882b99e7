// out = value: one thread an element, elements first to last.
extern "C" __global__ void memset_kernel(float* out, float value, long long first, long long last)
{
    long long at = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < last)
        out[at] = value;
}
