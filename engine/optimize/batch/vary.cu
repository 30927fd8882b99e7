// Children of sequences: a thread a child. It copies a parent, then exchanges a few pairs of places that lie near each
// other. Random numbers are those of chance.py: a hash of seed and counter, of which each child has 64 of its own.

static __device__ __forceinline__ int vary_below(unsigned long long seed, unsigned long long counter, int limit)
{
    unsigned long long mixed = seed + counter * 0x9E3779B97F4A7C15ull;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
    mixed = mixed ^ mixed >> 31;
    return (int)((mixed >> 33) * limit >> 31);
}

// parents [parents_count][count]; sequences [count][pitch]: a column a child. Children of one parent stand together.
// first: the number of the first child among all that the seed ever had. 1 to most exchanges, up to `span` places apart.
extern "C" __global__ void vary_kernel(const unsigned short* parents, unsigned short* sequences, long long count,
                                       long long parent_count, long long children, long long pitch, long long seed,
                                       long long first, long long most, long long span)
{
    const int length = (int)count;
    for (long long child = (long long)blockIdx.x * blockDim.x + threadIdx.x; child < children;
         child += (long long)gridDim.x * blockDim.x) {
        const unsigned short* parent = parents + child * parent_count / children * length;
        unsigned short* own = sequences + child;
        for (int place = 0; place < length; ++place)
            own[place * pitch] = parent[place];
        unsigned long long counter = (unsigned long long)(first + child) * 64;
        const int exchanges = length < 2 ? 0 : 1 + vary_below(seed, ++counter, (int)most);
        for (int i = 0; i < exchanges; ++i) {
            const int one = vary_below(seed, ++counter, length);
            int other = one + 1 + vary_below(seed, ++counter, (int)span);
            if (other >= length)
                other = one > 0 ? one - 1 : 1;
            const unsigned short job = own[one * pitch];
            own[one * pitch] = own[other * pitch];
            own[other * pitch] = job;
        }
    }
}
