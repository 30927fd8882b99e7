// Tabu search on a job shop: a warp a walk. Each iteration computes heads and tails in rounds by level, traces a critical
// path, and lets each lane estimate moves of it: N7 (Zhang et al. 2007), estimates of Balas and Vazacopoulos (1998).
// What is chosen depends on the seed, the walk and the iteration alone, never on the order of lanes.
#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

#define WALK_WARP 0xFFFFFFFFu
#define WALK_NONE 0xFFFFu
#define WALK_SLOTS 0x3FFFFFu
#define WALK_LAST 0x400000u
#define WALK_FIRST 0x800000u
#define WALK_TABU (1ull << 63)

// An operation is a step of the padded table: machine in the upper 8 bits, first and last of its job, slots in 22 bits.
// A place is one in `sequence`, in which the operations of a machine stand together.
struct WalkState {
    const unsigned int* steps;
    const unsigned int* release;
    unsigned int* head;
    unsigned int* tail;
    unsigned int* memory;
    unsigned short* sequence;
    unsigned short* place;
    unsigned short* level;
    unsigned short* order;
    unsigned short* path;
    int count;
    unsigned int memory_mask;
};

static __device__ __forceinline__ unsigned int walk_mix(unsigned long long seed, unsigned long long counter)
{
    unsigned long long mixed = seed + counter * 0x9E3779B97F4A7C15ull;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
    return (unsigned int)((mixed ^ mixed >> 31) >> 33);
}

static __device__ __forceinline__ unsigned int walk_before(const WalkState& s, unsigned int operation)
{
    const int place = s.place[operation];
    const unsigned int before = place > 0 ? s.sequence[place - 1] : WALK_NONE;
    return before != WALK_NONE && s.steps[before] >> 24 == s.steps[operation] >> 24 ? before : WALK_NONE;
}

static __device__ __forceinline__ unsigned int walk_after(const WalkState& s, unsigned int operation)
{
    const int place = s.place[operation];
    const unsigned int after = place + 1 < s.count ? s.sequence[place + 1] : WALK_NONE;
    return after != WALK_NONE && s.steps[after] >> 24 == s.steps[operation] >> 24 ? after : WALK_NONE;
}

// When an operation's job lets it start, and how long the job goes on after it.
static __device__ __forceinline__ unsigned int walk_ready(const WalkState& s, unsigned int operation)
{
    return s.steps[operation] & WALK_FIRST ? s.release[operation]
                                           : s.head[operation - 1] + (s.steps[operation - 1] & WALK_SLOTS);
}

static __device__ __forceinline__ unsigned int walk_rest(const WalkState& s, unsigned int operation)
{
    return s.steps[operation] & WALK_LAST ? 0 : s.tail[operation + 1] + (s.steps[operation + 1] & WALK_SLOTS);
}

static __device__ __forceinline__ unsigned int walk_slot(const WalkState& s, unsigned int before, unsigned int after)
{
    return (before * 2654435761u + after) * 2654435761u >> 15 & s.memory_mask;
}

// Heads in rounds: of the two that an operation waits for, the later one makes it follow. Returns the makespan.
static __device__ unsigned int walk_heads(const WalkState& s, int& rounds)
{
    const int lane = threadIdx.x % 32;
    int filled = 0;
    unsigned int end = 0;
    for (int i = lane; i < s.count; i += 32)
        s.level[s.sequence[i]] = WALK_NONE;
    __syncwarp();
    for (int base = 0; base < s.count; base += 32) {
        const int i = base + lane;
        const unsigned int operation = i < s.count ? s.sequence[i] : 0;
        const bool is_first = i < s.count && s.steps[operation] & WALK_FIRST && walk_before(s, operation) == WALK_NONE;
        const unsigned int all = __ballot_sync(WALK_WARP, is_first);
        if (is_first)
            s.order[filled + __popc(all & ((1u << lane) - 1))] = (unsigned short)operation;
        filled += __popc(all);
    }
    __syncwarp();
    int since = 0;
    for (rounds = 0; since < filled; ++rounds) {
        const int until = filled;
        for (int i = since + lane; i < until; i += 32) {
            const unsigned int operation = s.order[i], before = walk_before(s, operation);
            unsigned int head = walk_ready(s, operation);
            if (before != WALK_NONE) {
                const unsigned int free = s.head[before] + (s.steps[before] & WALK_SLOTS);
                head = free > head ? free : head;
            }
            s.head[operation] = head;
            s.level[operation] = (unsigned short)rounds;
            const unsigned int finish = head + (s.steps[operation] & WALK_SLOTS);
            end = finish > end ? finish : end;
        }
        __syncwarp();
        for (int base = since; base < until; base += 32) {
            const int i = base + lane;
            const unsigned int operation = i < until ? s.order[i] : 0;
            unsigned int next = WALK_NONE, after = WALK_NONE;
            if (i < until) {
                if (!(s.steps[operation] & WALK_LAST)) {
                    const unsigned int other = walk_before(s, operation + 1);
                    if (other == WALK_NONE || s.level[other] != WALK_NONE)
                        next = operation + 1;
                }
                after = walk_after(s, operation);
                if (after != WALK_NONE && !(s.steps[after] & WALK_FIRST) && s.level[after - 1] >= rounds)
                    after = WALK_NONE;
            }
            const unsigned int by_job = __ballot_sync(WALK_WARP, next != WALK_NONE);
            const unsigned int by_machine = __ballot_sync(WALK_WARP, after != WALK_NONE);
            const unsigned int earlier = (1u << lane) - 1;
            if (next != WALK_NONE)
                s.order[filled + __popc(by_job & earlier)] = (unsigned short)next;
            filled += __popc(by_job);
            if (after != WALK_NONE)
                s.order[filled + __popc(by_machine & earlier)] = (unsigned short)after;
            filled += __popc(by_machine);
        }
        __syncwarp();
        since = until;
    }
    for (int bits = 16; bits > 0; bits /= 2) {
        const unsigned int other = __shfl_xor_sync(WALK_WARP, end, bits);
        end = other > end ? other : end;
    }
    return end;
}

// Tails: the same rounds from the last to the first.
static __device__ void walk_tails(const WalkState& s, int rounds)
{
    const int lane = threadIdx.x % 32;
    int until = s.count;
    for (int round = rounds - 1; round >= 0; --round) {
        int since = until;
        for (bool goes_on = true; goes_on;) {
            const int i = since - 1 - lane;
            const bool is_own = i >= 0 && s.level[s.order[i]] == round;
            if (is_own) {
                const unsigned int operation = s.order[i], after = walk_after(s, operation);
                unsigned int tail = walk_rest(s, operation);
                if (after != WALK_NONE) {
                    const unsigned int other = s.tail[after] + (s.steps[after] & WALK_SLOTS);
                    tail = other > tail ? other : tail;
                }
                s.tail[operation] = tail;
            }
            const unsigned int all = __ballot_sync(WALK_WARP, is_own);
            since -= __popc(all);
            goes_on = all == WALK_WARP;
        }
        __syncwarp();
        until = since;
    }
}

// A critical path, latest first; all lanes follow it together. Returns its length.
static __device__ int walk_trace(const WalkState& s, unsigned int end, unsigned long long seed,
                                 unsigned long long counter)
{
    const int lane = threadIdx.x % 32;
    unsigned long long best = ~0ull;
    for (int i = lane; i < s.count; i += 32) {
        const unsigned int operation = s.sequence[i];
        if (s.head[operation] + (s.steps[operation] & WALK_SLOTS) == end) {
            const unsigned long long key = (unsigned long long)walk_mix(seed, counter + operation) << 16 | operation;
            best = key < best ? key : best;
        }
    }
    for (int bits = 16; bits > 0; bits /= 2) {
        const unsigned long long other = __shfl_xor_sync(WALK_WARP, best, bits);
        best = other < best ? other : best;
    }
    int length = 0;
    for (unsigned int operation = (unsigned int)best & WALK_NONE; operation != WALK_NONE;) {
        if (lane == 0)
            s.path[length] = (unsigned short)operation;
        ++length;
        const unsigned int before = walk_before(s, operation), head = s.head[operation];
        const bool by_machine = before != WALK_NONE && s.head[before] + (s.steps[before] & WALK_SLOTS) == head;
        const bool by_job = !(s.steps[operation] & WALK_FIRST) && walk_ready(s, operation) == head;
        if (by_machine && (!by_job || walk_mix(seed, counter + 0x10000 + operation) & 1))
            operation = before;
        else
            operation = by_job ? operation - 1 : WALK_NONE;
    }
    __syncwarp();
    return length;
}

// What a move makes of the longest path through the stretch, or ~0 where it may close a circle. `node` goes past all up
// to `past` on its machine, to later or to earlier. is_tabu: whether the memory forbids each pair that is turned round.
static __device__ unsigned int walk_estimate(const WalkState& s, unsigned int node, unsigned int past, unsigned int now,
                                             bool& is_tabu)
{
    const bool is_later = s.place[node] < s.place[past];
    const unsigned int slots = s.steps[node] & WALK_SLOTS;
    const unsigned int before = walk_before(s, is_later ? node : past), after = walk_after(s, is_later ? past : node);
    // A job may come back to a machine.
    if (is_later ? past == node + 1 && !(s.steps[node] & WALK_LAST) : past + 1 == node && !(s.steps[node] & WALK_FIRST))
        return ~0u;
    const unsigned int leave = after == WALK_NONE ? 0 : s.tail[after] + (s.steps[after] & WALK_SLOTS);
    unsigned int level = before == WALK_NONE ? 0 : s.head[before] + (s.steps[before] & WALK_SLOTS), total = 0;
    if (is_later ? s.tail[past] + (s.steps[past] & WALK_SLOTS) < walk_rest(s, node)
                 : s.head[past] + (s.steps[past] & WALK_SLOTS) < walk_ready(s, node) && !(s.steps[node] & WALK_FIRST))
        return ~0u;
    const unsigned int ready = walk_ready(s, node), rest = walk_rest(s, node);
    if (!is_later) {
        level = (ready > level ? ready : level) + slots;
        total = level + rest;
    }
    is_tabu = true;
    const int first = is_later ? s.place[node] + 1 : s.place[past], last = is_later ? s.place[past] : s.place[node] - 1;
    for (int place = first; place <= last; ++place) {
        const unsigned int other = s.sequence[place], other_ready = walk_ready(s, other);
        level = (other_ready > level ? other_ready : level) + (s.steps[other] & WALK_SLOTS);
        const unsigned int way = level + walk_rest(s, other);
        total = way > total ? way : total;
        is_tabu = is_tabu && s.memory[is_later ? walk_slot(s, other, node) : walk_slot(s, node, other)] > now;
    }
    if (is_later) {
        level = (ready > level ? ready : level) + slots;
        total = level + rest > total ? level + rest : total;
    }
    return level + leave > total ? level + leave : total;
}

// Which move is the slot-th of the path: (node, past), or false where there is none. Of each operation of a block there
// are four: to the block's end, to its start, the block's first one past it, the block's last one past it.
static __device__ bool walk_move(const WalkState& s, int length, int slot, unsigned int& node, unsigned int& past)
{
    const int at = slot >> 2, kind = slot & 3;
    const unsigned int machine = s.steps[s.path[at]] >> 24;
    int since = at, until = at;  // the path is latest first: `since` is the block's last operation
    while (since > 0 && s.steps[s.path[since - 1]] >> 24 == machine)
        --since;
    while (until + 1 < length && s.steps[s.path[until + 1]] >> 24 == machine)
        ++until;
    const bool is_to_end = kind == 0 || kind == 3, is_inside = at > since && at < until;
    node = s.path[kind < 2 ? at : kind == 2 ? until : since];
    past = s.path[kind == 0 ? since : kind == 1 ? until : at];
    if (kind < 2)
        return kind == 0 ? at > since && since > 0 : at < until && until < length - 1;
    return is_inside && (is_to_end ? since > 0 : until < length - 1);
}

// Turns the stretch round, and remembers the pairs that it turned.
static __device__ void walk_apply(const WalkState& s, unsigned int node, unsigned int past, unsigned int until)
{
    const int lane = threadIdx.x % 32, from = s.place[node], to = s.place[past], step = from < to ? 1 : -1;
    for (int base = 0; base < (to - from) * step; base += 32) {
        const int i = base + lane + 1;
        const bool is_own = i <= (to - from) * step;
        const unsigned int other = is_own ? s.sequence[from + i * step] : 0;
        __syncwarp();
        if (is_own) {
            s.sequence[from + (i - 1) * step] = (unsigned short)other;
            s.place[other] = (unsigned short)(from + (i - 1) * step);
            atomicExch(&s.memory[step > 0 ? walk_slot(s, node, other) : walk_slot(s, other, node)], until);
        }
        __syncwarp();
    }
    if (lane == 0) {
        s.sequence[to] = (unsigned short)node;
        s.place[node] = (unsigned short)to;
    }
    __syncwarp();
}

// steps, release [table]. sequences, best [walks][count]; memory [walks][memory_size], until which iteration a pair is
// forbidden; tally [walks][4]: iterations made, value, best value, the iteration that found it. `seed` and the walk's
// number decide; a walk ends early at `goal`, or where no move is left. shared: 4 bytes by `words` for each walk.
extern "C" __global__ void walk_kernel(const unsigned int* steps, const unsigned int* release,
                                       unsigned short* sequences, unsigned short* best, unsigned int* memory,
                                       long long* tally, long long count, long long table, long long walks,
                                       long long memory_size, long long words, long long iterations, long long goal,
                                       long long tenure, long long seed, long long first)
{
    DYNAMIC_SHARED(unsigned int, room);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long walk = (long long)blockIdx.x * (blockDim.x / 32) + warp;
    if (walk >= walks)
        return;
    WalkState s;
    s.steps = steps, s.release = release, s.count = (int)count, s.memory_mask = (unsigned int)memory_size - 1;
    s.head = room + warp * words, s.tail = s.head + table, s.memory = s.tail + table;
    s.place = (unsigned short*)(s.memory + memory_size), s.level = s.place + table;
    s.sequence = s.level + table, s.order = s.sequence + count, s.path = s.order + count;
    for (int i = lane; i < s.count; i += 32) {
        s.sequence[i] = sequences[walk * count + i];
        s.place[s.sequence[i]] = (unsigned short)i;
    }
    for (int i = lane; i < (int)memory_size; i += 32)
        s.memory[i] = memory[walk * memory_size + i];
    __syncwarp();
    const unsigned long long own = (unsigned long long)seed + (unsigned long long)(first + walk) * 0x632BE59BD9B4E019ull;
    long long iteration = tally[4 * walk], value = tally[4 * walk + 1], least = tally[4 * walk + 2];
    long long found_at = tally[4 * walk + 3];
    for (long long last = iteration + iterations;;) {
        int rounds;
        value = walk_heads(s, rounds);
        if (value < least) {
            least = value, found_at = iteration;
            for (int i = lane; i < s.count; i += 32)
                best[walk * count + i] = s.sequence[i];
        }
        if (iteration >= last || least <= goal)
            break;
        walk_tails(s, rounds);
        const unsigned long long counter = (unsigned long long)++iteration << 18;
        const int length = walk_trace(s, (unsigned int)value, own, counter);
        unsigned long long chosen = ~0ull;
        for (int slot = lane; slot < 4 * length; slot += 32) {
            unsigned int node, past;
            bool is_tabu = false;
            if (walk_move(s, length, slot, node, past)) {
                const unsigned int worth = walk_estimate(s, node, past, (unsigned int)iteration, is_tabu);
                const unsigned long long luck = walk_mix(own, counter + 0x20000 + slot) & 0x7FFF;
                unsigned long long key = (unsigned long long)worth << 32 | luck << 16 | slot;
                if (is_tabu && worth >= least)
                    key = WALK_TABU | luck << 16 | slot;
                chosen = worth != ~0u && key < chosen ? key : chosen;
            }
        }
        for (int bits = 16; bits > 0; bits /= 2) {
            const unsigned long long other = __shfl_xor_sync(WALK_WARP, chosen, bits);
            chosen = other < chosen ? other : chosen;
        }
        if (chosen == ~0ull)
            break;
        unsigned int node, past;
        walk_move(s, length, (int)(chosen & 0xFFFF), node, past);
        const unsigned long long spread = walk_mix(own, counter + 0x30000) * (unsigned long long)(tenure + 1) >> 31;
        __syncwarp();
        walk_apply(s, node, past, (unsigned int)(iteration + tenure + (long long)spread));
    }
    for (int i = lane; i < s.count; i += 32)
        sequences[walk * count + i] = s.sequence[i];
    for (int i = lane; i < (int)memory_size; i += 32)
        memory[walk * memory_size + i] = s.memory[i];
    if (lane == 0) {
        tally[4 * walk] = iteration, tally[4 * walk + 1] = value;
        tally[4 * walk + 2] = least, tally[4 * walk + 3] = found_at;
    }
}
