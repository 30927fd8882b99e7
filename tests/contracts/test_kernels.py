"""One suite over every kernel: its CPU half against its plain reference, its cost, its CUDA source."""

import math
import re

import numpy as np
import pytest

from engine.kernels import KERNELS
from engine.kernels.kernel import PART_NS, Kernel, part_span
from engine.program.reference import is_equal, poison

FRAME = (37, 53)
# For each kernel: shapes of its buffers (reads, then writes), smallest work first, and parameters.
CASES = {
    "convolve": [
        ([(1, 1), (3, 3), (1, 1)], {}),
        ([(2, 1), (7, 7), (2, 1)], {}),
        ([(5, 4), (1, 1), (5, 4)], {}),
        ([FRAME, (3, 3), FRAME], {}),
        ([FRAME, (9, 9), FRAME], {}),
    ],
    "fft": [
        ([(1, 1), (1, 1)], {}),
        ([(3, 127), (3, 127)], {}),
        ([(8, 360), (8, 360)], {}),
        ([(48, 1024), (48, 1024)], {}),
        ([(90, 64), (90, 64)], {"dimensions": 2}),
    ],
    "matmul": [
        ([(1, 1), (1, 1), (1, 1)], {}),
        ([(3, 200), (200, 5), (3, 5)], {}),
        ([(64, 48), (48, 70), (64, 70)], {}),
        ([(48, 64), (48, 70), (64, 70)], {"transpose_a": 1}),
        ([(64, 48), (70, 48), (64, 70)], {"transpose_b": 1}),
        ([(48, 64), (70, 48), (64, 70)], {"transpose_a": 1, "transpose_b": 1}),
    ],
    "memset": [([(1,)], {}), ([(7, 5)], {"value": 0.1}), ([(1000,)], {"value": -3.0})],
    "particles": [
        ([(1,)] * 4, {}),
        ([(100, 2)] * 4, {"dt": 0.1, "stiffness": 10, "drag": 10}),
        ([(999, 3)] * 4, {"dt": 0.01}),
    ],
    "reduce": [([(1,), (1,)], {}), ([(33, 7), (1,)], {}), ([(100_003,), (1,)], {})],
    "saxpy": [([(1,)] * 3, {}), ([(31, 5)] * 3, {"alpha": -0.25}), ([(1000,)] * 3, {"alpha": 0.5, "beta": 0.5})],
    "spin": [
        ([(1,)] * 2, {"microseconds": 1}),
        ([(64,)] * 2, {"microseconds": 7}),
        ([(13, 17)] * 2, {"microseconds": 999}),
    ],
    "tanh": [([(1,)] * 2, {}), ([(40, 25)] * 2, {})],
    "tanh_gradient": [([(1,)] * 3, {}), ([(40, 25)] * 3, {})],
}
PAIRS = [
    pytest.param(kernel, shapes, kernel.complete(given), id=f"{kernel.name}-{number}")
    for kernel in KERNELS
    for number, (shapes, given) in enumerate(CASES.get(kernel.name, []))
]
IN_PLACE = [pair for pair in PAIRS if pair.values[0].is_in_place]
DIVISIBLE = [pair for pair in PAIRS if pair.values[0].units(*pair.values[1:]) > 1 and math.prod(pair.values[1][0]) > 1]
EACH = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)


def dtypes(kernel: Kernel) -> list[str]:
    written = "complex64" if kernel.name == "fft" else "float32"
    return ["float32"] * kernel.read_count + [written] * kernel.write_count


def inputs(kernel: Kernel, shapes: list, seed: int = 5) -> list:
    random = np.random.Generator(np.random.PCG64(seed))
    return [random.uniform(-1, 1, shape).astype(np.float32) for shape in shapes[: kernel.read_count]]


def outputs(kernel: Kernel, shapes: list) -> list:
    kinds = dtypes(kernel)[kernel.read_count :]
    arrays = [np.empty(shape, kind) for shape, kind in zip(shapes[kernel.read_count :], kinds, strict=True)]
    for array in arrays:
        poison(array)
    return arrays


def run(kernel: Kernel, parameters: dict, reads: list, writes: list, parts: int) -> None:
    for part in range(parts):
        kernel.cpu(parameters, reads, writes, part, parts)


def expected(kernel: Kernel, shapes: list, parameters: dict, reads: list) -> tuple[list, float]:
    results = kernel.reference(parameters, reads)
    error = kernel.error(parameters, reads, results, [0.0] * len(reads))
    written = zip(results, shapes[kernel.read_count :], strict=True)
    return [np.broadcast_to(result, shape) for result, shape in written], error


def are_equal(writes: list, wanted: list, error: float) -> bool:
    return all(is_equal(actual, result, error) for actual, result in zip(writes, wanted, strict=True))


@EACH
def test_that_every_kernel_has_cases_that_it_accepts(kernel: Kernel) -> None:
    assert len(CASES[kernel.name]) >= 2
    for shapes, parameters in CASES[kernel.name]:
        assert kernel.check(shapes, dtypes(kernel), parameters) == ""


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), PAIRS)
def test_that_the_cpu_half_equals_the_reference_in_any_number_of_parts(kernel, shapes, parameters) -> None:
    reads = inputs(kernel, shapes)
    wanted, error = expected(kernel, shapes, parameters, reads)
    units = kernel.units(shapes, parameters)
    for parts in sorted({1, min(2, units), min(7, units), min(64, units)}):
        writes = outputs(kernel, shapes)
        run(kernel, parameters, reads, writes, parts)
        assert are_equal(writes, wanted, error), f"{parts} parts"


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), PAIRS)
def test_that_the_cpu_half_leaves_what_it_reads_alone(kernel, shapes, parameters) -> None:
    reads = inputs(kernel, shapes)
    before = [array.copy() for array in reads]
    run(kernel, parameters, reads, outputs(kernel, shapes), min(3, kernel.units(shapes, parameters)))
    assert all(np.array_equal(array, copy) for array, copy in zip(reads, before, strict=True))


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), PAIRS)
def test_that_the_reference_takes_what_it_must_not_write_and_gives_float64(kernel, shapes, parameters) -> None:
    reads = [array.astype(np.float64) for array in inputs(kernel, shapes)]
    for array in reads:
        array.flags.writeable = False
    for result in kernel.reference(parameters, reads):
        assert result.dtype in (np.float64, np.complex128)


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), IN_PLACE)
def test_that_a_kernel_in_place_yields_what_it_yields_elsewhere(kernel, shapes, parameters) -> None:
    elsewhere = outputs(kernel, shapes)
    run(kernel, parameters, inputs(kernel, shapes), elsewhere, 1)
    for first in range(kernel.read_count - kernel.write_count + 1):
        reads = inputs(kernel, shapes)
        writes = reads[first : first + kernel.write_count]
        run(kernel, parameters, reads, writes, min(3, kernel.units(shapes, parameters)))
        assert all(np.array_equal(array, other) for array, other in zip(writes, elsewhere, strict=True))


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), PAIRS)
def test_that_a_result_with_one_wrong_element_is_noticed(kernel, shapes, parameters) -> None:
    reads = inputs(kernel, shapes)
    wanted, error = expected(kernel, shapes, parameters, reads)
    for wrong in (lambda value: np.nan, lambda value: value + 1.0, lambda value: np.inf):
        writes = outputs(kernel, shapes)
        run(kernel, parameters, reads, writes, 1)
        writes[-1].flat[-1] = wrong(writes[-1].flat[-1])
        assert not are_equal(writes, wanted, error)


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), DIVISIBLE)
def test_that_a_part_left_out_is_noticed(kernel, shapes, parameters) -> None:
    parts = min(4, kernel.units(shapes, parameters))
    reads = inputs(kernel, shapes)
    wanted, error = expected(kernel, shapes, parameters, reads)
    writes = outputs(kernel, shapes)
    for part in range(parts - 1):
        kernel.cpu(parameters, reads, writes, part, parts)
    assert not are_equal(writes, wanted, error)


@pytest.mark.parametrize(("kernel", "shapes", "parameters"), PAIRS)
def test_that_errors_of_inputs_loosen_the_tolerance_but_never_far(kernel, shapes, parameters) -> None:
    reads = inputs(kernel, shapes)
    results = kernel.reference(parameters, reads)
    alone = kernel.error(parameters, reads, results, [0.0] * len(reads))
    later = kernel.error(parameters, reads, results, [1e-4] * len(reads))
    assert 0 <= alone < 0.02 * max(1.0, kernel.scale(reads, results))
    assert later >= alone


@EACH
def test_that_costs_are_positive_and_grow_with_the_work(kernel: Kernel) -> None:
    shapes, given = CASES[kernel.name][-1]
    parameters = kernel.complete(given)
    larger = [(shape[0] * 2, *shape[1:]) for shape in shapes]
    cost, more = kernel.cost(shapes, parameters), kernel.cost(larger, parameters)
    assert cost.flops + cost.nbytes + cost.steps > 0
    assert more.flops >= cost.flops
    assert more.nbytes > cost.nbytes
    assert more.steps >= cost.steps


@EACH
def test_that_parts_are_at_least_one_and_never_more_than_the_units(kernel: Kernel) -> None:
    shapes, given = CASES[kernel.name][-1]
    parameters = kernel.complete(given)
    units = kernel.units(shapes, parameters)
    assert kernel.parts(1, shapes, parameters) == 1
    assert kernel.parts(PART_NS, shapes, parameters) == 1
    assert kernel.parts(PART_NS + 1, shapes, parameters) == min(2, units)
    assert kernel.parts(10**18, shapes, parameters) == units
    spans = [part_span(units, part, 3) for part in range(3)]
    assert [index for span in spans for index in range(units)[span]] == list(range(units))


@EACH
def test_that_unknown_or_impossible_parameters_are_refused_in_one_sentence(kernel: Kernel) -> None:
    shapes, given = CASES[kernel.name][0]
    faults = [kernel.check(shapes, dtypes(kernel), {**given, "speed": 1.0})]
    faults += [
        kernel.check(shapes, dtypes(kernel), {**given, parameter.name: value})
        for parameter in kernel.parameters
        for value in (parameter.maximum + 1e30, math.nan, parameter.minimum - 1e30, math.inf)
    ]
    assert all(fault.endswith(".") and "parameter" in fault for fault in faults)


@EACH
def test_that_wrong_buffers_are_refused_in_one_sentence(kernel: Kernel) -> None:
    shapes, given = CASES[kernel.name][-1]
    kinds = dtypes(kernel)
    faults = [
        kernel.check(shapes[1:], kinds[1:], given),
        kernel.check(shapes, ["float64", *kinds[1:]], given),
        kernel.check(shapes, [*kinds[:-1], "int32"], given),
    ]
    if len(shapes) > 1:
        faults.append(kernel.check([*shapes[:-1], (*shapes[-1], 2)], kinds, given))
    assert all(fault.endswith(".") for fault in faults), faults


@EACH
def test_that_the_cuda_source_names_the_entry_or_is_a_library_call(kernel: Kernel) -> None:
    if kernel.is_library:
        shapes, given = CASES[kernel.name][-1]
        reads, writes = inputs(kernel, shapes), outputs(kernel, shapes)
        parameters = kernel.complete(given)
        kernel.library(np, parameters, reads, writes, slice(0, kernel.units(shapes, parameters)))
        assert are_equal(writes, *expected(kernel, shapes, parameters, reads))
        return
    entries = re.findall(r'extern "C" __global__ void (\w+)\(', kernel.cuda_source())
    assert entries == [kernel.entry]


def test_that_kernels_have_names_of_their_own_and_stand_in_order() -> None:
    names = [kernel.name for kernel in KERNELS]
    assert names == sorted(set(names))
