// Serial schedule generation: a warp an activity list, which it places in slots of a profile of up to four resources, 16
// bits each with a guard on top; the 32 lanes look at 32 slots at once. Equal to place_list of plain.py.
#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

#define SGS_WARP 0xFFFFFFFFu
#define SGS_GUARD 0x8000800080008000ull

// The first slot from `start` on from which a word fits `duration` slots long; the same in all lanes.
static __device__ __forceinline__ int sgs_first_fit(const unsigned long long* profile, int slots, unsigned long long word, int start,
                                                    int duration)
{
    const int lane = threadIdx.x % 32;
    int from = start;
    for (int base = start;; base += 32) {
        const int slot = base + lane;
        const bool fits = slot >= slots || ((profile[slot] - word) & SGS_GUARD) == SGS_GUARD;
        const unsigned int free = __ballot_sync(SGS_WARP, fits);
        for (int at = 0;;) {
            const int blocked = __ffs(~free >> at);
            at = blocked ? at + blocked - 1 : 32;
            if (base + at - from >= duration)
                return from;
            if (at == 32)
                break;
            const int next = __ffs(free >> at);
            if (next == 0) {
                from = base + 32;
                break;
            }
            at += next - 1;
            from = base + at;
        }
    }
}

// What a schedule is worth: its end, lateness and distance to where operations are now, in ticks by weight.
// goals: for each operation the due date, the weight of a late tick, the start now, the weight of a tick away from it.
static __device__ __forceinline__ long long sgs_worth(const long long* goals, const int* finish, const int* duration, int count,
                                                      long long unit)
{
    long long worth = 0;
    for (int i = threadIdx.x % 32; i < count; i += 32) {
        const long long until = finish[i] * unit, since = until - duration[i] * unit;
        const long long late = until - goals[4 * i], away = since - goals[4 * i + 2];
        worth += late > 0 ? late * goals[4 * i + 1] : 0;
        worth += (away > 0 ? away : -away) * goals[4 * i + 3];
    }
    for (int bits = 16; bits > 0; bits /= 2)
        worth += __shfl_xor_sync(SGS_WARP, worth, bits);
    return worth;
}

// words [count + 1]: units by operation, then all that is free. Links into operation i: first[i] .. first[i + 1] - 1.
// lists [candidates][count]. spilled: a profile for each warp where shared memory is too short (is_spilled).
// weights: of a slot of the end, and the ticks of a slot; has_goals: whether anything else counts.
extern "C" __global__ void sgs_kernel(const int* duration, const unsigned long long* words, const int* floor_slot,
                                      const int* first, const int* node, const int* lag, const unsigned short* lists,
                                      const long long* goals, unsigned long long* spilled, int* starts,
                                      long long* worth, long long count, long long candidates, long long slots,
                                      long long is_spilled, long long end_weight, long long unit, long long has_goals)
{
    DYNAMIC_SHARED(unsigned long long, room);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const int length = (int)slots, operations = (int)count;
    const int finish_words = (operations + 1) / 2;
    unsigned long long* own = room + warp * (finish_words + (is_spilled ? 0 : length));
    int* finish = (int*)own;
    unsigned long long* profile =
        is_spilled ? spilled + ((long long)blockIdx.x * warps + warp) * length : own + finish_words;
    int end = length;
    for (long long candidate = (long long)blockIdx.x * warps + warp; candidate < candidates;
         candidate += (long long)gridDim.x * warps) {
        for (int slot = lane; slot < end; slot += 32)
            profile[slot] = words[operations];
        __syncwarp();
        end = 0;
        const unsigned short* list = lists + candidate * operations;
        for (int place = 0; place < operations; ++place) {
            const int operation = list[place], slots_long = duration[operation];
            const unsigned long long word = words[operation];
            int start = floor_slot[operation];
            for (int entry = first[operation]; entry < first[operation + 1]; ++entry) {
                const int ready = finish[node[entry]] + lag[entry];
                start = ready > start ? ready : start;
            }
            if (word != 0 && slots_long > 0) {
                start = sgs_first_fit(profile, length, word, start, slots_long);
                for (int slot = start + lane; slot < start + slots_long; slot += 32)
                    profile[slot] -= word;
            }
            if (lane == 0)
                finish[operation] = start + slots_long;
            end = start + slots_long > end ? start + slots_long : end;
            __syncwarp();
        }
        for (int i = lane; i < operations; i += 32)
            starts[candidate * operations + i] = finish[i] - duration[i];
        const long long rest = has_goals ? sgs_worth(goals, finish, duration, operations, unit) : 0;
        if (lane == 0)
            worth[candidate] = end * end_weight + rest;
        __syncwarp();
    }
}
