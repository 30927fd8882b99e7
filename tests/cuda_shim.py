"""The CUDA sources as C++ on this machine: one thread of a block after another, as fibers, or as real threads.

It shows what a source computes and which memory it touches, never how fast it is or how a GPU would order its threads.
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

COMPILER = shutil.which("g++")
NO_COMPILER = "there is no g++"
BLOCK, ONE_BLOCK = 64, 16

# LOOP runs the threads of a block one by one and refuses a barrier. FIBER switches at each barrier, always in the same
# order: without one that is needed, the result is wrong every time. THREAD is what a race detector can watch.
LOOP, FIBER, THREAD = "LOOP", "FIBER", "THREAD"

SHIM = r"""
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
#define __shared__ static __attribute__((section("block_shared")))
struct Index { unsigned int x, y, z; };
static thread_local Index blockIdx, threadIdx;
static Index blockDim, gridDim;
extern "C" char __attribute__((weak, visibility("hidden"))) __start_block_shared[], __stop_block_shared[];
// What a block leaves in shared memory the next one must not find: all bits set are NaN.
static void poison_shared()
{
    if (__start_block_shared)
        std::memset(__start_block_shared, 0xFF, __stop_block_shared - __start_block_shared);
}
"""
BLOCKS = {
    LOOP: r"""
static void __syncthreads() { std::fputs("a barrier where threads run one by one\n", stderr); std::abort(); }
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
static std::vector<bool> ended;
static unsigned int current;
static const std::function<void()>* fiber_body;
static void __syncthreads() { swapcontext(&fibers[current], &scheduler); }
static void run_fiber() { (*fiber_body)(); ended[current] = true; }
static void run_block(const std::function<void()>& body)
{
    const size_t stack = 64 * 1024;
    static std::vector<char> stacks;
    stacks.resize(stack * blockDim.x);
    fibers.assign(blockDim.x, ucontext_t());
    ended.assign(blockDim.x, false);
    fiber_body = &body;
    for (unsigned int thread = 0; thread < blockDim.x; ++thread) {
        getcontext(&fibers[thread]);
        fibers[thread].uc_stack.ss_sp = &stacks[stack * thread];
        fibers[thread].uc_stack.ss_size = stack;
        fibers[thread].uc_link = &scheduler;
        makecontext(&fibers[thread], run_fiber, 0);
    }
    for (unsigned int left = blockDim.x; left > 0;) {
        left = 0;
        for (current = 0; current < blockDim.x; ++current) {
            if (ended[current])
                continue;
            threadIdx.x = current;
            swapcontext(&scheduler, &fibers[current]);
            left += !ended[current];
        }
    }
}
""",
    THREAD: r"""
static pthread_barrier_t meeting;
static void __syncthreads() { pthread_barrier_wait(&meeting); }
static void run_block(const std::function<void()>& body)
{
    const Index block = blockIdx;
    pthread_barrier_init(&meeting, nullptr, blockDim.x);
    std::vector<std::thread> threads;
    for (unsigned int thread = 0; thread < blockDim.x; ++thread)
        threads.emplace_back([&, thread] { blockIdx = block; threadIdx.x = thread; body(); });
    for (auto& thread : threads)
        thread.join();
    pthread_barrier_destroy(&meeting);
}
""",
}
LAUNCH = """
extern "C" void launch_{entry}(unsigned int grid, unsigned int block, {declared})
{{
    gridDim.x = grid;
    blockDim.x = block;
    for (unsigned int at = 0; at < grid; ++at) {{
        blockIdx.x = at;
        poison_shared();
        run_block([&] {{ {entry}({names}); }});
    }}
}}
"""


def arguments(source: str) -> list[str]:
    """What the __global__ function of a source declares, an entry an argument."""
    (found,) = re.findall(r"__global__ void \w+\(([^)]*)\)", source)
    return [" ".join(argument.split()) for argument in found.split(",")]


def build(
    folder: Path, blocks: str = FIBER, options: Sequence[str] = ("-O1",), changed: Mapping[str, str] = {}
) -> Path:
    """Compile the sources of all kernels into `folder`; `changed` replaces some of them by kernel name."""
    text = [SHIM, BLOCKS[blocks]]
    for kernel in (kernel for kernel in KERNELS if not kernel.is_library):
        source = changed.get(kernel.name) or kernel.cuda_source()
        # Errors and reports name the line of the source itself.
        (folder / f"{kernel.name}.cu").write_text(source, encoding="utf-8")
        declared = arguments(source)
        names = ", ".join(re.split(r"[ *]", argument)[-1] for argument in declared)
        text.append(f'#include "{kernel.name}.cu"')
        text.append(LAUNCH.format(entry=kernel.entry, declared=", ".join(declared), names=names))
    (folder / "all.cpp").write_text("\n".join(text), encoding="utf-8")
    command = [COMPILER or "g++", "-std=c++20", "-g", *options, "-shared", "-fPIC", "-fno-gnu-unique", "-pthread"]
    subprocess.run([*command, "-o", "all.so", "all.cpp"], cwd=folder, check=True)
    return folder / "all.so"


class Shim:
    """What build() made, ready to be called."""

    def __init__(self, library: Path) -> None:
        self._lock = threading.Lock()
        self._library = ctypes.CDLL(str(library))

    def call(self, entry: str, grid: int, block: int, values: Sequence[object]) -> None:
        """Launch an entry with C values, without the interpreter's lock; one launch at a time."""
        function = getattr(self._library, f"launch_{entry}")
        function.restype = None
        with self._lock:  # indices and shared memory are static
            function(ctypes.c_uint(grid), ctypes.c_uint(block), *values)

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
