// Schedules between two others: a warp a child. It begins with the order of one elite and exchanges neighbors that stand
// the other way round in the other elite, some of them by chance, in rounds of even and odd places, until so many pairs
// of a machine are turned. Both orders are topological, so every order between them is.
#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

#define RELINK_WARP 0xFFFFFFFFu

static __device__ __forceinline__ bool relink_lucky(unsigned long long seed, unsigned long long counter)
{
    unsigned long long mixed = seed + counter * 0x9E3779B97F4A7C15ull;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
    return (mixed ^ mixed >> 31) >> 63;
}

// steps [table]: the machine in the upper 8 bits. first_place [machines + 1]: where each machine's part of a sequence
// begins. elites [..][count]: steps in a topological order. pairs [children][3]: from which elite, toward which, and how
// many pairs of a machine to turn. sequences [children][count]: what walk.cu begins with.
// shared: for each warp the order, and by step the place in the other elite, 2 bytes each, in `words` of 4.
extern "C" __global__ void relink_kernel(const unsigned int* steps, const int* first_place,
                                         const unsigned short* elites, const int* pairs, unsigned short* sequences,
                                         long long count, long long machines, long long children, long long words,
                                         long long seed, long long first)
{
    DYNAMIC_SHARED(unsigned int, room);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, length = (int)count;
    const long long child = (long long)blockIdx.x * (blockDim.x / 32) + warp;
    if (child >= children)
        return;
    unsigned short* order = (unsigned short*)(room + warp * words);
    unsigned short* goal = order + length;
    const unsigned short* start = elites + pairs[3 * child] * count;
    const unsigned short* other = elites + pairs[3 * child + 1] * count;
    for (int i = lane; i < length; i += 32) {
        order[i] = start[i];
        goal[other[i]] = (unsigned short)i;
    }
    __syncwarp();
    const unsigned long long own = (unsigned long long)seed + (unsigned long long)(first + child) * 0x632BE59BD9B4E019ull;
    int left = pairs[3 * child + 2], quiet = 0;
    for (unsigned int round = 0; left > 0 && quiet < 2; ++round) {
        bool is_any = false;
        for (int base = (int)(round & 1); base + 1 < length && left > 0; base += 64) {
            const int at = base + 2 * lane;
            const bool is_own = at + 1 < length;
            const unsigned int one = is_own ? order[at] : 0, next = is_own ? order[at + 1] : 0;
            const bool is_turned = is_own && goal[one] > goal[next];
            const bool is_chosen = is_turned && relink_lucky(own, (unsigned long long)round << 16 | at);
            const unsigned int counted =
                __ballot_sync(RELINK_WARP, is_chosen && steps[one] >> 24 == steps[next] >> 24);
            is_any |= __ballot_sync(RELINK_WARP, is_turned) != 0;
            if (is_chosen && __popc(counted & ((1u << lane) - 1)) < left) {
                order[at] = (unsigned short)next;
                order[at + 1] = (unsigned short)one;
            }
            left -= __popc(counted);
        }
        quiet = is_any ? 0 : quiet + 1;
        __syncwarp();
    }
    for (int machine = lane; machine < (int)machines; machine += 32) {
        unsigned short* place = sequences + child * count + first_place[machine];
        for (int i = 0; i < length; ++i)
            if (steps[order[i]] >> 24 == (unsigned int)machine)
                *place++ = order[i];
    }
}
