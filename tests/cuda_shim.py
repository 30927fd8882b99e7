"""The CUDA sources as C++ on this machine: one thread of a block after another, as fibers, or as real threads.

It shows what a source computes and which memory it touches, never how fast it is or how a GPU would order its threads.
What the lanes of a warp tell each other goes through a barrier of theirs: a lane that does not come is noticed.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.kernels import KERNELS
from engine.kernels.kernel import Kernel, part_span
from engine.optimize.batch import SOURCES
from engine.risk.batch import SAMPLE

COMPILER = shutil.which("g++")
NO_COMPILER = "there is no g++"
BLOCK, ONE_BLOCK = 64, 16

# LOOP runs the threads of a block one by one and refuses a barrier. FIBER switches at each barrier, always in the same
# order: without one that is needed, the result is wrong every time; one that not all reach ends the process. THREAD is
# what a race detector can watch.
LOOP, FIBER, THREAD = "LOOP", "FIBER", "THREAD"

SHIM = r"""
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>
#include <pthread.h>
#include <ucontext.h>
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static __attribute__((section("block_shared")))
#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(dynamic_shared.data())
static unsigned long long atomicAdd(unsigned long long* at, unsigned long long more)
{
    return __atomic_fetch_add(at, more, __ATOMIC_RELAXED);
}
struct Index { unsigned int x, y, z; };
static thread_local Index blockIdx, threadIdx;
static Index blockDim, gridDim;
extern "C" char __attribute__((weak, visibility("hidden"))) __start_block_shared[], __stop_block_shared[];
// As long as the launch says, to the byte: what lies beyond is not ours.
static std::vector<unsigned long long> dynamic_shared;
// What a block leaves in shared memory the next one must not find: all bits set are NaN.
static void poison_shared()
{
    std::fill(dynamic_shared.begin(), dynamic_shared.end(), ~0ull);
    if (__start_block_shared)
        std::memset(__start_block_shared, 0xFF, __stop_block_shared - __start_block_shared);
}
"""
BLOCKS = {
    LOOP: r"""
static void __syncthreads() { std::fputs("a barrier where threads run one by one\n", stderr); std::abort(); }
static void __syncwarp() { __syncthreads(); }
static void meet() { __syncthreads(); }
static void run_block(const std::function<void()>& body)
{
    for (unsigned int thread = 0; thread < blockDim.x; ++thread) {
        threadIdx.x = thread;
        body();
    }
}
""",
    FIBER: r"""
static ucontext_t scheduler;
static std::vector<ucontext_t> fibers;
enum State : char { READY, IN_WARP, IN_EXCHANGE, IN_BLOCK, ENDED };
static std::vector<State> states;
static unsigned int current;
static const std::function<void()>* fiber_body;
static void wait_for(State others)
{
    states[current] = others;
    swapcontext(&fibers[current], &scheduler);
}
static void __syncthreads() { wait_for(IN_BLOCK); }
static void __syncwarp() { wait_for(IN_WARP); }
static void meet() { wait_for(IN_EXCHANGE); }
static void run_fiber() { (*fiber_body)(); states[current] = ENDED; }
// Lets those go on who all wait for one another; nobody does when all have ended.
static bool release(unsigned int first, unsigned int last, State waiting)
{
    unsigned int found = 0, ended = 0;
    for (unsigned int thread = first; thread < last; ++thread) {
        found += states[thread] == waiting;
        ended += states[thread] == ENDED;
    }
    if (found == 0 || found + ended < last - first)
        return false;
    std::replace(states.begin() + first, states.begin() + last, waiting, READY);
    return true;
}
static bool release_any()
{
    bool is_any = release(0, blockDim.x, IN_BLOCK);
    for (unsigned int first = 0; first < blockDim.x; first += 32)
        for (State waiting : {IN_WARP, IN_EXCHANGE})
            is_any |= release(first, std::min(first + 32, blockDim.x), waiting);
    return is_any;
}
static void run_block(const std::function<void()>& body)
{
    const size_t stack = 64 * 1024;
    static std::vector<char> stacks;
    stacks.resize(stack * blockDim.x);
    fibers.assign(blockDim.x, ucontext_t());
    states.assign(blockDim.x, READY);
    fiber_body = &body;
    for (unsigned int thread = 0; thread < blockDim.x; ++thread) {
        getcontext(&fibers[thread]);
        fibers[thread].uc_stack.ss_sp = &stacks[stack * thread];
        fibers[thread].uc_stack.ss_size = stack;
        fibers[thread].uc_link = &scheduler;
        makecontext(&fibers[thread], run_fiber, 0);
    }
    do {
        for (current = 0; current < blockDim.x; ++current) {
            if (states[current] != READY)
                continue;
            threadIdx.x = current;
            swapcontext(&scheduler, &fibers[current]);
        }
    } while (release_any());
    if (std::count(states.begin(), states.end(), ENDED) != blockDim.x) {
        std::fputs("a barrier that not all threads reach\n", stderr);
        std::abort();
    }
}
""",
    THREAD: r"""
// Two in turn: a thread that is slow to leave one must not seem to have waited for what others did before the next.
static pthread_barrier_t meetings[2], warp_meetings[32][2];
static thread_local unsigned int turn, warp_turn;
static void __syncthreads() { pthread_barrier_wait(&meetings[turn++ % 2]); }
static void __syncwarp() { pthread_barrier_wait(&warp_meetings[threadIdx.x / 32][warp_turn++ % 2]); }
static void meet() { __syncwarp(); }
static void run_block(const std::function<void()>& body)
{
    const Index block = blockIdx;
    for (int each = 0; each < 2; ++each) {
        pthread_barrier_init(&meetings[each], nullptr, blockDim.x);
        for (unsigned int first = 0; first < blockDim.x; first += 32)
            pthread_barrier_init(&warp_meetings[first / 32][each], nullptr, std::min(32u, blockDim.x - first));
    }
    std::vector<std::thread> threads;
    for (unsigned int thread = 0; thread < blockDim.x; ++thread)
        threads.emplace_back([&, thread] { blockIdx = block; threadIdx.x = thread; body(); });
    for (auto& thread : threads)
        thread.join();
    for (int each = 0; each < 2; ++each) {
        pthread_barrier_destroy(&meetings[each]);
        for (unsigned int first = 0; first < blockDim.x; first += 32)
            pthread_barrier_destroy(&warp_meetings[first / 32][each]);
    }
}
""",
}
# Two places in turn: who comes to the next exchange has seen all that this one was told.
WARP = r"""
struct Exchange { unsigned long long told[2][32]; unsigned int turns[32]; };
static Exchange exchanges[32];
static const unsigned long long* exchange(unsigned int mask, unsigned long long value)
{
    if (mask != 0xFFFFFFFFu || blockDim.x % 32 != 0) {
        std::fputs("a warp of which not all lanes take part\n", stderr);
        std::abort();
    }
    Exchange& own = exchanges[threadIdx.x / 32];
    const unsigned int lane = threadIdx.x % 32, turn = own.turns[lane]++ % 2;
    own.told[turn][lane] = value;
    meet();
    return own.told[turn];
}
static unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    const unsigned long long* told = exchange(mask, predicate != 0);
    unsigned int votes = 0;
    for (unsigned int lane = 0; lane < 32; ++lane)
        votes |= (unsigned int)told[lane] << lane;
    return votes;
}
template <class T> static T __shfl_sync(unsigned int mask, T value, unsigned int lane)
{
    return (T)exchange(mask, (unsigned long long)value)[lane % 32];
}
template <class T> static T __shfl_xor_sync(unsigned int mask, T value, unsigned int bits)
{
    return (T)exchange(mask, (unsigned long long)value)[threadIdx.x % 32 ^ bits];
}
static unsigned int atomicExch(unsigned int* at, unsigned int value)
{
    return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}
static int __ffs(unsigned int bits) { return __builtin_ffs((int)bits); }
static int __popc(unsigned int bits) { return __builtin_popcount(bits); }
"""
LAUNCH = """
extern "C" void launch_{entry}(unsigned int grid, unsigned int block, unsigned int shared_bytes, {declared})
{{
    gridDim.x = grid;
    blockDim.x = block;
    dynamic_shared = std::vector<unsigned long long>((shared_bytes + 7) / 8);
    for (unsigned int at = 0; at < grid; ++at) {{
        blockIdx.x = at;
        poison_shared();
        run_block([&] {{ {entry}({names}); }});
    }}
}}
"""


def sources() -> dict[str, str]:
    """All that there are, by name: of the kernels of plans, and of those that a search launches."""
    found = {kernel.name: kernel.cuda_source() for kernel in KERNELS if not kernel.is_library}
    return found | {source.name: source.text() for source in (*SOURCES, SAMPLE)}


def arguments(source: str) -> list[str]:
    """What the __global__ function of a source declares, an entry an argument."""
    (found,) = re.findall(r"__global__ void \w+\(([^)]*)\)", source)
    return [" ".join(argument.split()) for argument in found.split(",")]


def build(
    folder: Path, blocks: str = FIBER, options: Sequence[str] = ("-O1",), changed: Mapping[str, str] = {}
) -> Path:
    """Compile the sources of all kernels into `folder`; `changed` replaces some of them by kernel name."""
    text = [SHIM, BLOCKS[blocks], WARP]
    for name, source in {**sources(), **changed}.items():
        # Errors and reports name the line of the source itself.
        (folder / f"{name}.cu").write_text(source, encoding="utf-8")
        declared = arguments(source)
        names = ", ".join(re.split(r"[ *]", argument)[-1] for argument in declared)
        text.append(f'#include "{name}.cu"')
        text.append(LAUNCH.format(entry=f"{name}_kernel", declared=", ".join(declared), names=names))
    (folder / "all.cpp").write_text("\n".join(text), encoding="utf-8")
    command = [COMPILER or "g++", "-std=c++20", "-g", *options, "-shared", "-fPIC", "-fno-gnu-unique", "-pthread"]
    subprocess.run([*command, "-o", "all.so", "all.cpp"], cwd=folder, check=True)
    return folder / "all.so"


class Shim:
    """What build() made, ready to be called."""

    def __init__(self, library: Path) -> None:
        self._lock = threading.Lock()
        self._library = ctypes.CDLL(str(library))

    def call(self, entry: str, grid: int, block: int, values: Sequence[object], shared_bytes: int = 0) -> None:
        """Launch an entry with C values, without the interpreter's lock; one launch at a time."""
        function = getattr(self._library, f"launch_{entry}")
        function.restype = None
        with self._lock:  # indices and shared memory are static
            function(ctypes.c_uint(grid), ctypes.c_uint(block), ctypes.c_uint(shared_bytes), *values)

    def run(
        self, kernel: Kernel, parameters: dict[str, float], reads: list, writes: list, parts: int, spare: int = 5
    ) -> None:
        """All parts in order; `spare` threads more than there is work, as a GPU's whole blocks bring."""
        shapes = [array.shape for array in (*reads, *writes)]
        units = kernel.units(shapes, parameters)
        for part in range(parts):
            span = part_span(units, part, parts)
            threads = (span.stop - span.start) * kernel.width(shapes) + spare
            block = ONE_BLOCK if kernel.is_one_block else min(BLOCK, threads)
            grid = 1 if kernel.is_one_block else -(-threads // block)
            scalars = [*kernel.scalars(shapes, parameters), span.start, span.stop]
            self.call(kernel.entry, grid, block, [pointer(array) for array in (*reads, *writes)] + c_values(scalars))


def pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
    """Where an array lies."""
    return ctypes.c_void_p(array.ctypes.data)


def c_values(scalars: Sequence[float]) -> list[object]:
    """Floats as float, integers as long long: what every source takes."""
    return [
        ctypes.c_float(value) if isinstance(value, (float, np.floating)) else ctypes.c_longlong(int(value))
        for value in scalars
    ]
