// out = frame + amount (frame - soft): a thread a pixel, pixels first to last.
extern "C" __global__ void sharpen(const float* frame, const float* soft, float* out, float amount, long long first,
                                   long long last)
{
    long long at = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < last)
        out[at] = frame[at] + amount * (frame[at] - soft[at]);
}
