// C = A B: one thread an element of C. Threads cover rows first to last.
extern "C" __global__ void matmul_kernel(const float* a, const float* b, float* c, long long m, long long k, long long n,
                                  long long transpose_a, long long transpose_b, long long first, long long last)
{
    long long at = first * n + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= last * n)
        return;
    long long row = at / n, column = at % n;
    long long a_step = transpose_a ? m : 1, b_step = transpose_b ? 1 : n;
    const float* x = a + (transpose_a ? row : row * k);
    const float* y = b + (transpose_b ? column * k : column);
    float sum = 0.0f;
    for (long long i = 0; i < k; ++i)
        sum += x[i * a_step] * y[i * b_step];
    c[at] = sum;
}
