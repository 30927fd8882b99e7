// A window of weights slid over a frame: one thread a pixel. Threads cover rows first to last; edge pixels reach outward.
extern "C" __global__ void convolve_kernel(const float* frame, const float* weights, float* out, long long height,
                                    long long width, long long window, long long first, long long last)
{
    long long at = first * width + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= last * width)
        return;
    long long y = at / width, x = at % width, radius = window / 2;
    float sum = 0.0f;
    for (long long i = 0; i < window; ++i) {
        long long row = y + i - radius;
        row = row < 0 ? 0 : row >= height ? height - 1 : row;
        for (long long j = 0; j < window; ++j) {
            long long column = x + j - radius;
            column = column < 0 ? 0 : column >= width ? width - 1 : column;
            sum += weights[i * window + j] * frame[row * width + column];
        }
    }
    out[at] = sum;
}
