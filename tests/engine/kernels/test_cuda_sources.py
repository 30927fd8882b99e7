"""The CUDA sources, compiled as C++ and run thread by thread, against the plain references. It needs g++, not a GPU."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.kernels import KERNELS
from engine.kernels.kernel import Kernel, part_span
from tests.contracts.test_kernels import PAIRS, are_equal, expected, inputs, outputs

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")

# A block has 8 threads, all of them real, where a kernel is launched as one block; otherwise threads come one by one.
SHIM = """
#include <barrier>
#include <cmath>
#include <thread>
#include <vector>
#define __global__
#define __shared__ static
struct Index { unsigned int x; };
static thread_local Index blockIdx, threadIdx;
static Index blockDim;
static std::barrier<> meeting(8);
static void __syncthreads() { meeting.arrive_and_wait(); }
"""
LAUNCH = """
extern "C" void launch_{entry}(long long threads, {declared})
{{
    blockDim.x = 1;
    for (long long thread = 0; thread < threads; ++thread) {{
        blockIdx.x = (unsigned int)thread;
        {entry}({names});
    }}
}}
extern "C" void block_{entry}({declared})
{{
    blockDim.x = 8;
    std::vector<std::thread> threads;
    for (unsigned int thread = 0; thread < 8; ++thread)
        threads.emplace_back([=] {{ threadIdx.x = thread; {entry}({names}); }});
    for (auto& thread : threads)
        thread.join();
}}
"""


def arguments(source: str) -> list[str]:
    (found,) = re.findall(r"__global__ void \w+\(([^)]*)\)", source)
    return [" ".join(argument.split()) for argument in found.split(",")]


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> ctypes.CDLL:
    folder: Path = tmp_path_factory.mktemp("cuda")
    text = [SHIM]
    for kernel in (kernel for kernel in KERNELS if not kernel.is_library):
        declared = arguments(kernel.cuda_source())
        names = ", ".join(re.split(r"[ *]", argument)[-1] for argument in declared)
        text += [kernel.cuda_source(), LAUNCH.format(entry=kernel.entry, declared=", ".join(declared), names=names)]
    (folder / "all.cpp").write_text("\n".join(text), encoding="utf-8")
    command = ["g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-pthread", "-o", "all.so", "all.cpp"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "all.so"))


def launch(library: ctypes.CDLL, kernel: Kernel, arrays: list, scalars: tuple, span: slice, threads: int) -> None:
    values = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    values += [ctypes.c_float(value) if isinstance(value, float) else ctypes.c_longlong(value) for value in scalars]
    values += [ctypes.c_longlong(span.start), ctypes.c_longlong(span.stop)]
    if kernel.is_one_block:
        getattr(library, f"block_{kernel.entry}")(*values)
    else:
        getattr(library, f"launch_{kernel.entry}")(ctypes.c_longlong(threads), *values)


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), [pair for pair in PAIRS if not pair.values[0].is_library])
def test_that_the_cuda_source_equals_the_reference_in_any_number_of_parts(sources, kernel, shapes, parameters) -> None:
    reads = inputs(kernel, shapes)
    wanted, error = expected(kernel, shapes, parameters, reads)
    units, scalars = kernel.units(shapes, parameters), kernel.scalars(shapes, parameters)
    for parts in sorted({1, min(3, units)}):
        writes = outputs(kernel, shapes)
        for part in range(parts):
            span = part_span(units, part, parts)
            threads = (span.stop - span.start) * kernel.width(shapes) + 5
            launch(sources, kernel, [*reads, *writes], scalars, span, threads)
        assert are_equal(writes, wanted, error), f"{parts} parts"


@pytest.mark.parametrize("kernel", [kernel for kernel in KERNELS if not kernel.is_library], ids=lambda k: k.name)
def test_that_scalars_have_the_types_that_the_cuda_source_declares(kernel: Kernel) -> None:
    shapes = next(pair.values[1] for pair in PAIRS if pair.values[0] is kernel)
    declared = arguments(kernel.cuda_source())
    pointers = kernel.read_count + kernel.write_count
    assert ["*" in argument for argument in declared] == [True] * pointers + [False] * (len(declared) - pointers)
    wanted = [float if argument.startswith("float") else int for argument in declared[pointers:-2]]
    assert [type(value) for value in kernel.scalars(shapes, kernel.complete({}))] == wanted
    assert declared[-2:] == ["long long first", "long long last"]
