// out[0] = sum of x[first..last), added to what earlier parts left. One block of a power of two of at most 1024 threads,
// so that the order of additions, and with it the result, is always the same.
extern "C" __global__ void reduce_kernel(const float* x, float* out, long long first, long long last)
{
    __shared__ float sums[1024];
    float sum = 0.0f;
    for (long long i = first + threadIdx.x; i < last; i += blockDim.x)
        sum += x[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] = (first == 0 ? 0.0f : out[0]) + sums[0];
}
