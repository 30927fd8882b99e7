// out = g (1 - y y): one thread an element, elements first to last.
extern "C" __global__ void tanh_gradient_kernel(const float* gradient, const float* y, float* out, long long first,
                                         long long last)
{
    long long at = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < last)
        out[at] = gradient[at] * (1.0f - y[at] * y[at]);
}
