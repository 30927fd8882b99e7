// out = alpha x + beta y: one thread an element, elements first to last.
extern "C" __global__ void saxpy_kernel(const float* x, const float* y, float* out, float alpha, float beta, long long first,
                                 long long last)
{
    long long at = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < last)
        out[at] = alpha * x[at] + beta * y[at];
}
