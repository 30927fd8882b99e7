"""The CUDA sources, compiled as C++ and run on this machine, against the plain references and the CPU halves."""

import re

import numpy as np
import pytest

from engine.kernels import KERNELS, find_kernel
from engine.kernels.kernel import Kernel
from tests.contracts.test_kernels import PAIRS, are_equal, expected, inputs, outputs
from tests.contracts.test_kernels import run as run_cpu
from tests.cuda_shim import COMPILER, FIBER, LOOP, NO_COMPILER, Shim, arguments, build

needs_compiler = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
SOURCES = [kernel for kernel in KERNELS if not kernel.is_library]
EACH = pytest.mark.parametrize(("kernel", "shapes", "parameters"), [p for p in PAIRS if not p.values[0].is_library])


@pytest.fixture(scope="module")
def shim(tmp_path_factory) -> Shim:
    return Shim(build(tmp_path_factory.mktemp("fibers"), FIBER))


@needs_compiler
@EACH
def test_that_the_cuda_source_equals_the_reference_in_any_number_of_parts(shim, kernel, shapes, parameters) -> None:
    for seed in (5, 6):
        reads = inputs(kernel, shapes, seed)
        wanted, error = expected(kernel, shapes, parameters, reads)
        for parts in sorted({1, min(3, kernel.units(shapes, parameters))}):
            writes = outputs(kernel, shapes)
            shim.run(kernel, parameters, reads, writes, parts)
            assert are_equal(writes, wanted, error), f"{parts} parts"


@needs_compiler
@EACH
def test_that_the_cuda_source_and_the_cpu_half_agree_within_both_tolerances(shim, kernel, shapes, parameters) -> None:
    reads = inputs(kernel, shapes, seed=11)
    _, error = expected(kernel, shapes, parameters, reads)
    ours, twin = outputs(kernel, shapes), outputs(kernel, shapes)
    shim.run(kernel, parameters, reads, ours, 1)
    run_cpu(kernel, parameters, reads, twin, 1)
    assert are_equal(ours, twin, 2 * error)


@needs_compiler
def test_that_only_the_kernels_of_one_block_wait_at_barriers(tmp_path) -> None:
    """Compiled so that a barrier aborts the process, all others still run."""
    loop = Shim(build(tmp_path, LOOP))
    for kernel, shapes, parameters in (pair.values for pair in PAIRS if not pair.values[0].is_library):
        if not kernel.is_one_block:
            reads, writes = inputs(kernel, shapes), outputs(kernel, shapes)
            loop.run(kernel, parameters, reads, writes, 1)
            assert are_equal(writes, *expected(kernel, shapes, parameters, reads))


@needs_compiler
def test_that_a_missing_barrier_makes_the_result_wrong_every_time(tmp_path) -> None:
    kernel = find_kernel("reduce")
    barrier = "    __syncthreads();\n    for"
    assert barrier in kernel.cuda_source()
    planted = Shim(build(tmp_path, FIBER, changed={"reduce": kernel.cuda_source().replace(barrier, "    for")}))
    reads = [np.linspace(0.5, 1.0, 1000, dtype=np.float32)]
    wanted, error = expected(kernel, [(1000,), (1,)], {}, reads)
    for _ in range(3):
        writes = outputs(kernel, [(1000,), (1,)])
        planted.run(kernel, {}, reads, writes, 1)
        assert not are_equal(writes, wanted, error)


@pytest.mark.parametrize("kernel", SOURCES, ids=lambda kernel: kernel.name)
def test_that_scalars_have_the_types_that_the_cuda_source_declares(kernel: Kernel) -> None:
    shapes = next(pair.values[1] for pair in PAIRS if pair.values[0] is kernel)
    declared = arguments(kernel.cuda_source())
    pointers = kernel.read_count + kernel.write_count
    assert ["*" in argument for argument in declared] == [True] * pointers + [False] * (len(declared) - pointers)
    wanted = [float if argument.startswith("float") else int for argument in declared[pointers:-2]]
    assert [type(value) for value in kernel.scalars(shapes, kernel.complete({}))] == wanted
    assert declared[-2:] == ["long long first", "long long last"]


@pytest.mark.parametrize("kernel", SOURCES, ids=lambda kernel: kernel.name)
def test_that_barriers_stand_only_in_sources_of_one_block(kernel: Kernel) -> None:
    assert bool(re.search(r"\b__sync|\b__shfl|\b__shared__", kernel.cuda_source())) == kernel.is_one_block
