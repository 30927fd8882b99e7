// What sequences of a job shop are worth: a thread a candidate. A sequence names jobs; each time the next operation of
// the job starts as soon as its job and its machine allow.
#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

// What one operation adds: lateness and distance to where it is now, in ticks by weight.
// goals: the due date, the weight of a late tick, the start now, the weight of a tick away from it.
static __device__ __forceinline__ long long decode_worth(const long long* goals, long long since, long long until)
{
    const long long late = until - goals[0], away = since - goals[2];
    return (late > 0 ? late * goals[1] : 0) + (away > 0 ? away : -away) * goals[3];
}

// steps [jobs][width]: the machine in the upper 8 bits, slots in the lower 24. release [jobs] in slots.
// sequences [count][pitch]: a column a candidate. goals [jobs][width][4]. A slot has `unit` ticks.
// Shared: steps, then by row for all threads the jobs (operations done in 8 bits, slot ready in 24) and the machines.
extern "C" __global__ void decode_kernel(const unsigned int* steps, const unsigned int* release,
                                         const unsigned short* sequences, const long long* goals, long long* worth,
                                         long long count, long long candidates, long long pitch, long long jobs,
                                         long long machines, long long width, long long end_weight, long long unit,
                                         long long has_goals)
{
    DYNAMIC_SHARED(unsigned int, room);
    const unsigned int table = (unsigned int)(jobs * width), threads = blockDim.x;
    unsigned int* job_rows = room + table + threadIdx.x;
    unsigned int* machine_rows = job_rows + (unsigned int)jobs * threads;
    for (unsigned int i = threadIdx.x; i < table; i += threads)
        room[i] = steps[i];
    __syncthreads();
    for (long long candidate = (long long)blockIdx.x * threads + threadIdx.x; candidate < candidates;
         candidate += (long long)gridDim.x * threads) {
        for (unsigned int job = 0; job < (unsigned int)jobs; ++job)
            job_rows[job * threads] = release[job];
        for (unsigned int machine = 0; machine < (unsigned int)machines; ++machine)
            machine_rows[machine * threads] = 0;
        unsigned int end = 0;
        long long total = 0;
        const unsigned short* next = sequences + candidate;
        for (int place = 0; place < (int)count; ++place, next += pitch) {
            const unsigned int job = *next, state = job_rows[job * threads];
            const unsigned int at = job * (unsigned int)width + (state >> 24), step = room[at];
            const unsigned int ready = state & 0xFFFFFFu, row = (step >> 24) * threads, free = machine_rows[row];
            const unsigned int since = ready > free ? ready : free, until = since + (step & 0xFFFFFFu);
            machine_rows[row] = until;
            job_rows[job * threads] = ((state >> 24) + 1) << 24 | until;
            end = until > end ? until : end;
            if (has_goals)
                total += decode_worth(goals + 4 * at, since * unit, until * unit);
        }
        worth[candidate] = total + end * end_weight;
    }
}
