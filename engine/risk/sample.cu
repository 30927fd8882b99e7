// Samples of a plan, a thread each: every node in order, dated by its instants. The readable twin is plain.py, whose
// rules these are; the numbers drawn are those of sampling.py, bit by bit, so nothing here may be fused or reordered.
typedef long long whole;

#ifdef __CUDACC_RTC__
#define SAMPLE_MUL(a, b) __fmul_rn(a, b)
#define SAMPLE_ADD(a, b) __fadd_rn(a, b)
#define SAMPLE_ROOT(a) __fsqrt_rn(a)
#define SAMPLE_SCALED(work, part, all) \
    __dadd_rn(__dmul_rn((double)(work), __ddiv_rn((double)(part), (double)(all))), 0.5)
#else
#define SAMPLE_MUL(a, b) ((a) * (b))
#define SAMPLE_ADD(a, b) ((a) + (b))
#define SAMPLE_ROOT(a) std::sqrt(a)
#define SAMPLE_SCALED(work, part, all) ((double)(work) * ((double)(part) / (double)(all)) + 0.5)
#endif
#define SAMPLE_NONE (-(1ll << 62))

// Tables in `plan`, whose first numbers say where each begins; the last four lie in `real`.
enum { ORDER, TABLE, NODES, PARTS_AT, FIRST, LINKS, BASE, PAUSES, DRAW, IMPACT_FIRST, IMPACTS, CHANCE_FIRST, CHANCE,
       VANISH, SLOT, LAG_DRAW, LAG_PERCENT, DRAWS, LOAD_FACTOR, FACTORS, CHANCES, ITEM_FIRST, ITEM_NODES, RULES,
       REAL, LOAD_WEIGHT, KNOTS, PHI };
#define OF(name) (plan + plan[name])
// Columns of nodes, links, rules; flags; roles; hard constraints; kinds of links.
enum { ROLE = 0, CALENDAR = 1, LENGTH = 5, REMAINING = 6, START_AT = 7, FINISH_AT = 8, PIN = 9, ENDS_AFTER = 10,
       HARD = 11, HARD_AT = 12, DELAY = 14, FLAGS = 15, NODE_WIDTH = 16 };
enum { BEFORE, KIND, LAG, CLOCK, THROUGH, SOURCE, PLAIN, LINK_WIDTH };
enum { PROJECT_START, STATUS, HONORS, RETAINED, MOVES };
enum { STARTED = 1, FINISHED = 2, MANUAL = 4, PINNED = 32 };
enum { SNLT = 1, FNLT, MSO, MFO };
enum { FS, SS, FF, SF };
enum { LEAF = 0, STAND_IN_START = 3 };

// What a node asks for in this sample: a clock and working ticks, of all and of the rest; parts, where several share.
struct SampleJob { whole clock, length, rest, parts, base, duration, pauses; bool begun, off, varies; };
struct SampleDates { whole start, finish; };

static __device__ unsigned int sample_bits(unsigned int sample, unsigned int one, unsigned int two)
{
    unsigned int x = sample ^ one;
    x = (x ^ x >> 17) * 0xED5AD4BBu;
    x = (x ^ x >> 11) + two;
    x *= 0xAC4C1B51u;
    x = (x ^ x >> 15) * 0x31848BABu;
    return x ^ x >> 14;
}

static __device__ float sample_uniform(unsigned int bits)
{
    return SAMPLE_ADD(SAMPLE_MUL((float)(int)(bits >> 9), 1.0f / 8388608), 1.0f / 16777216);
}

static __device__ float sample_table(const float* knots, float u)
{
    float place = SAMPLE_MUL(u, 256.0f);
    int base = 0;
    if (u < 1.0f / 256) {
        place = SAMPLE_MUL(u, 65536.0f);
        base = 257;
    } else if (u >= 1 - 1.0f / 256) {
        place = SAMPLE_MUL(SAMPLE_ADD(1.0f, -u), 65536.0f);
        base = 514;
    }
    const int at = (int)place < 255 ? (int)place : 255;
    const float left = knots[base + at], right = knots[base + at + 1];
    return SAMPLE_ADD(left, SAMPLE_MUL(SAMPLE_ADD(right, -left), SAMPLE_ADD(place, -(float)at)));
}

static __device__ float sample_driven(const whole* plan, const float* real, whole row, float u, unsigned int sample)
{
    const whole* draw = OF(DRAWS) + 8 * row;
    const float* knots = real + plan[KNOTS];
    float z = SAMPLE_MUL(real[plan[REAL] + 3 * row + 2], sample_table(knots, u));
    for (whole load = draw[6]; load < draw[7]; ++load) {
        const whole* key = OF(FACTORS) + 2 * OF(LOAD_FACTOR)[load];
        const float factor = sample_table(knots, sample_uniform(sample_bits(sample, key[0], key[1])));
        z = SAMPLE_ADD(z, SAMPLE_MUL(real[plan[LOAD_WEIGHT] + load], factor));
    }
    float place = SAMPLE_MUL(SAMPLE_ADD(z, 8.0f), 64.0f);
    place = place > 0 ? place : 0;
    const int at = (int)place < 1023 ? (int)place : 1023;
    const float* phi = real + plan[PHI] + at;
    float part = SAMPLE_ADD(place, -(float)at);
    part = part < 1 ? part : 1;
    u = SAMPLE_ADD(phi[0], SAMPLE_MUL(SAMPLE_ADD(phi[1], -phi[0]), part));
    u = u > 1.0f / 16777216 ? u : 1.0f / 16777216;
    return u < 1 - 1.0f / 16777216 ? u : 1 - 1.0f / 16777216;
}

// One draw in ticks: least + (round(x * span) << shift).
static __device__ __noinline__ whole sample_draw(const whole* plan, const float* real, whole row, unsigned int sample)
{
    const whole* draw = OF(DRAWS) + 8 * row;
    const float *numbers = real + plan[REAL] + 3 * row, mode = numbers[1];
    float x = sample_uniform(sample_bits(sample, draw[4], draw[5]));
    if (draw[6] < draw[7])
        x = sample_driven(plan, real, row, x, sample);
    if (draw[0] == 2) {
        const bool low = x < mode;
        const float rest = SAMPLE_MUL(SAMPLE_ADD(1.0f, -x), SAMPLE_ADD(1.0f, -mode));
        const float root = SAMPLE_ROOT(low ? SAMPLE_MUL(x, mode) : rest);
        x = low ? root : SAMPLE_ADD(1.0f, -root);
    } else if (draw[0] == 3) {
        x = sample_table(real + plan[KNOTS] + 771 * draw[3], x);
    } else if (draw[0] == 0) {
        x = 0;
    }
    return draw[1] + ((whole)(int)SAMPLE_ADD(SAMPLE_MUL(x, numbers[0]), 0.5f) << draw[2]);
}

static __device__ bool sample_happens(const whole* plan, whole chance, unsigned int sample)
{
    const whole* row = OF(CHANCES) + 3 * chance;
    return (whole)sample_bits(sample, row[0], row[1]) < row[2];
}

static __device__ bool sample_is_off(const whole* plan, whole node, unsigned int sample)
{
    for (whole at = OF(CHANCE_FIRST)[node]; at < OF(CHANCE_FIRST)[node + 1]; ++at)
        if (!sample_happens(plan, OF(CHANCE)[at], sample))
            return true;
    return false;
}

static __device__ __noinline__ whole sample_duration(const whole* plan, const float* real, whole node,
                                                      unsigned int sample)
{
    whole found = OF(DRAW)[node] < 0 ? OF(BASE)[node] : sample_draw(plan, real, OF(DRAW)[node], sample);
    for (whole at = OF(IMPACT_FIRST)[node]; at < OF(IMPACT_FIRST)[node + 1]; ++at) {
        const whole* impact = OF(IMPACTS) + 2 * at;
        if (sample_happens(plan, impact[0], sample))
            found += sample_draw(plan, real, impact[1], sample);
    }
    return found < 0 || sample_is_off(plan, node, sample) ? 0 : found;
}

static __device__ whole sample_before(const whole* table, whole clock, whole instant)
{
    const whole* row = table + 9 * clock;
    if (instant <= row[2])
        return 0;
    const whole place = row[4] + ((instant - row[2]) >> row[3]);
    whole at = table[place < row[5] ? place : row[5]];
    while (at < row[1] && table[at + 3] <= instant)
        at += 3;
    return table[at + 2] + (instant < table[at + 1] ? instant : table[at + 1]) - table[at];
}

// The instant before which so much was done: the later name of it, or the earlier.
static __device__ whole sample_at(const whole* table, whole clock, whole done, bool later)
{
    const whole* row = table + 9 * clock;
    if (done <= 0 && !later)
        return table[row[0]];
    done = done > 0 ? done : 0;
    const whole look = later ? done : done - 1, place = row[7] + (look >> row[6]);
    whole at = table[place < row[8] ? place : row[8]];
    while (at < row[1] && table[at + 5] <= look)
        at += 3;
    const whole found = table[at] + done - table[at + 2];
    return found < table[at + 1] ? found : table[at + 1];
}

static __device__ whole sample_shift(const whole* table, whole clock, whole instant, whole work)
{
    return work == 0 ? instant : sample_at(table, clock, sample_before(table, clock, instant) + work, work < 0);
}

static __device__ void sample_vary(SampleJob& job, whole& length, whole& rest)
{
    const whole work = (job.begun ? rest : length) - job.pauses;
    whole more = job.duration - job.base;
    if (work != job.base)
        more = job.base ? (whole)SAMPLE_SCALED(work, job.duration, job.base) - work : 0;
    length = job.off ? 0 : length + more;
    rest = job.off ? 0 : rest + more;
}

static __device__ whole sample_next(const whole* table, const SampleJob& job, whole instant)
{
    if (!job.parts)
        return sample_at(table, job.clock, sample_before(table, job.clock, instant), true);
    whole best = -SAMPLE_NONE;
    for (whole part = 0; part < table[job.parts]; ++part) {
        const whole clock = table[job.parts + 1 + 3 * part];
        const whole found = sample_at(table, clock, sample_before(table, clock, instant), true);
        best = found < best ? found : best;
    }
    return best;
}

// From a start to the finish (way 1) or from a finish back to the start (way -1), of all or of what remains.
static __device__ __noinline__ whole sample_end(const whole* table, SampleJob& job, whole instant, bool of_rest,
                                                 int way)
{
    if (!job.parts)
        return sample_shift(table, job.clock, instant, way * (of_rest ? job.rest : job.length));
    whole best = way * SAMPLE_NONE;
    for (whole part = 0; part < table[job.parts]; ++part) {
        const whole* row = table + job.parts + 1 + 3 * part;
        whole length = row[1], rest = row[2];
        if (job.varies)
            sample_vary(job, length, rest);
        const whole found = sample_shift(table, row[0], instant, way * (of_rest ? rest : length));
        best = way * found > way * best ? found : best;
    }
    return best;
}

static __device__ __noinline__ SampleDates sample_place(const whole* table, SampleJob& job, whole starts, whole ends)
{
    if (job.length == 0) {
        whole at = starts > ends ? starts : ends;
        const whole done = sample_before(table, job.clock, at), later = sample_at(table, job.clock, done, true);
        at = at == sample_at(table, job.clock, done, false) ? at : later;
        return {at, at};
    }
    whole start = sample_next(table, job, starts);
    if (ends != SAMPLE_NONE) {
        const whole latest = sample_end(table, job, ends, false, -1);
        start = latest > start ? latest : start;
    }
    return {start, sample_end(table, job, start, false, 1)};
}

static __device__ SampleDates sample_hard(const whole* table, SampleJob& job, whole hard, whole at, SampleDates dates)
{
    const whole done = sample_before(table, job.clock, at);
    if (hard == MSO)
        return {at, sample_end(table, job, at, false, 1)};
    if (hard == MFO)
        return {sample_end(table, job, at, false, -1), at};
    if (hard == SNLT) {
        const SampleDates latest = sample_place(table, job, at, SAMPLE_NONE);
        const bool late = sample_before(table, job.clock, dates.start) > sample_before(table, job.clock, latest.start);
        return late ? latest : dates;
    }
    if (sample_before(table, job.clock, dates.finish) > done) {
        dates.start = sample_end(table, job, at, false, -1);
        dates.finish = sample_end(table, job, dates.start, false, 1);
    }
    return dates;
}

// starts, finishes, drivers [nodes][threads]: a column a thread. found [items][pitch] from `first` on.
extern "C" __global__ void sample_kernel(const long long* plan, const float* real, long long* starts,
                                         long long* finishes, long long* drivers, long long* found,
                                         unsigned long long* counts, long long first, long long samples,
                                         long long pitch, long long orders, long long items, long long paths)
{
    const whole threads = (whole)gridDim.x * blockDim.x, lane = (whole)blockIdx.x * blockDim.x + threadIdx.x;
    const whole *table = OF(TABLE), *rules = OF(RULES);
    for (whole number = lane; number < samples; number += threads) {
        const unsigned int sample = (unsigned int)(first + number);
        for (whole place = 0; place < orders; ++place) {
            const whole node = OF(ORDER)[place], *row = OF(NODES) + NODE_WIDTH * node;
            const whole into = OF(FIRST)[node], last = OF(FIRST)[node + 1];
            const bool leaf = row[ROLE] == LEAF, begun = leaf && row[FLAGS] & STARTED;
            SampleJob job = {row[CALENDAR], row[LENGTH], row[REMAINING], OF(PARTS_AT)[node], OF(BASE)[node], 0,
                             OF(PAUSES)[node], begun, false, OF(SLOT)[node] >= 0};
            if (job.varies) {
                job.duration = sample_duration(plan, real, node, sample);
                job.off = sample_is_off(plan, node, sample);
                sample_vary(job, job.length, job.rest);
                if (job.parts) {
                    job.length = table[job.parts + 2], job.rest = table[job.parts + 3];
                    sample_vary(job, job.length, job.rest);
                }
            }
            whole by_start = SAMPLE_NONE, by_end = SAMPLE_NONE, held = row[PIN], kinds = 0;
            whole edge = row[ROLE] == STAND_IN_START ? -SAMPLE_NONE : SAMPLE_NONE;
            for (int round = 0; round < 2; ++round) {  // dates, then who drives them
                SampleDates dates = {starts[node * threads + lane], finishes[node * threads + lane]};
                whole driver = -1;
                for (whole at = into; at < last; ++at) {
                    const whole *link = OF(LINKS) + LINK_WIDTH * at, before = link[BEFORE], source = link[SOURCE];
                    const whole* other = OF(NODES) + NODE_WIDTH * before;
                    const bool fixed = other[ROLE] == LEAF && other[FLAGS] & (FINISHED | MANUAL);
                    const bool from_end = link[KIND] == FS || link[KIND] == FF;
                    const bool to_start = link[KIND] == FS || link[KIND] == SS;
                    whole bound = fixed ? other[from_end ? FINISH_AT : START_AT]
                                        : (from_end ? finishes : starts)[before * threads + lane];
                    whole lag = link[LAG];
                    if (source >= 0 && OF(LAG_DRAW)[source] >= 0) {
                        lag = sample_draw(plan, real, OF(LAG_DRAW)[source], sample);
                    } else if (source >= 0 && OF(LAG_PERCENT)[source]) {
                        lag = sample_duration(plan, real, before, sample) * OF(LAG_PERCENT)[source];
                        lag = lag < 0 ? -((99 - lag) / 100) : lag / 100;
                    }
                    bound = sample_shift(table, link[CLOCK], bound, lag);
                    if (round) {
                        const whole done = to_start || source < 0 ? dates.start : dates.finish;
                        const whole wanted = leaf ? sample_before(table, job.clock, done) : 0;
                        const bool drives = leaf ? sample_before(table, job.clock, bound) >= wanted
                                                 : bound == dates.start;
                        driver = driver < 0 && drives ? before : driver;
                    } else if (!leaf) {
                        if (link[KIND] == SS && bound < rules[PROJECT_START] && row[ROLE] != STAND_IN_START)
                            bound = rules[PROJECT_START];
                        edge = (row[ROLE] == STAND_IN_START ? bound < edge : bound > edge) ? bound : edge;
                    } else if (source < 0) {
                        held = bound > held ? bound : held;
                    } else {
                        kinds |= 1 << link[KIND];
                        by_start = to_start && bound > by_start ? bound : by_start;
                        by_end = !to_start && bound > by_end ? bound : by_end;
                    }
                }
                if (round) {
                    drivers[node * threads + lane] = begun ? -1 : driver;
                    continue;
                }
                if (!leaf) {
                    dates = {edge, edge};
                } else {
                    const bool is_free = kinds == 1 << FS || (kinds == 0 && row[FLAGS] & PINNED);
                    if (!is_free && by_start < rules[PROJECT_START])
                        by_start = rules[PROJECT_START];
                    by_start = by_start > rules[STATUS] ? by_start : rules[STATUS];
                    if (begun) {
                        dates = {row[START_AT], sample_end(table, job, row[START_AT], false, 1)};
                        if (rules[MOVES]) {
                            whole resume = sample_end(table, job, dates.finish, true, -1);
                            if (rules[STATUS] != SAMPLE_NONE)
                                resume = rules[STATUS] > row[START_AT] ? rules[STATUS] : row[START_AT];
                            if (rules[RETAINED] && by_start > resume)
                                resume = by_start;
                            if (job.rest == 0 && rules[STATUS] != SAMPLE_NONE)
                                resume = sample_next(table, job, resume);
                            dates.finish = sample_end(table, job, resume, true, 1);
                            if (rules[RETAINED] && by_end != SAMPLE_NONE) {
                                const whole latest = sample_end(table, job, by_end, true, -1);
                                const whole until = sample_end(table, job, latest, true, 1);
                                dates.finish = until > dates.finish ? until : dates.finish;
                            }
                        }
                    } else {
                        by_start = held > by_start ? held : by_start;
                        by_end = row[ENDS_AFTER] > by_end ? row[ENDS_AFTER] : by_end;
                        if (!rules[HONORS] && row[HARD] == MSO && row[HARD_AT] > by_start)
                            by_start = row[HARD_AT];
                        if (!rules[HONORS] && row[HARD] == MFO && row[HARD_AT] > by_end)
                            by_end = row[HARD_AT];
                        dates = sample_place(table, job, by_start, by_end);
                        if (row[DELAY] > 0)
                            dates = sample_place(table, job, dates.start + row[DELAY], SAMPLE_NONE);
                        if (rules[HONORS] && row[HARD])
                            dates = sample_hard(table, job, row[HARD], row[HARD_AT], dates);
                    }
                }
                starts[node * threads + lane] = dates.start;
                finishes[node * threads + lane] = dates.finish;
                if (!paths)
                    break;
            }
        }
        whole end = -1;
        for (whole item = 0; item < items; ++item) {
            whole best = SAMPLE_NONE;
            for (whole place = OF(ITEM_FIRST)[item]; place < OF(ITEM_FIRST)[item + 1]; ++place) {
                const whole node = OF(ITEM_NODES)[place], *row = OF(NODES) + NODE_WIDTH * node;
                const bool fixed = row[FLAGS] & (FINISHED | MANUAL);
                const whole finish = fixed ? row[FINISH_AT] : finishes[node * threads + lane];
                end = item == 0 && finish > best ? node : end;
                best = finish > best ? finish : best;
            }
            found[item * pitch + number] = best;
        }
        while (paths && end >= 0) {
            atomicAdd(counts + end, 1ull);
            const whole* row = OF(NODES) + NODE_WIDTH * end;
            end = row[ROLE] == LEAF && row[FLAGS] & (FINISHED | MANUAL) ? -1 : drivers[end * threads + lane];
        }
    }
}
