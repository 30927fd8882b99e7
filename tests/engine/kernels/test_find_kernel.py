"""The list of kernels, and single properties that the contract suite cannot know."""

import numpy as np
import pytest

from engine.errors import CompileError
from engine.kernels import KERNELS, find_kernel
from engine.kernels.spin import INCREMENT, MARKS, MULTIPLIER, SEED, STEPS_PER_MICROSECOND


def test_that_every_kernel_is_found_by_its_name() -> None:
    assert [find_kernel(kernel.name) for kernel in KERNELS] == list(KERNELS)


def test_that_a_name_without_a_kernel_is_refused_in_one_sentence() -> None:
    with pytest.raises(CompileError, match=r"^There is no kernel named “matmull”\.$"):
        find_kernel("matmull")


def test_that_a_long_prime_is_refused_by_the_transform_and_named() -> None:
    fault = find_kernel("fft").check([(2, 131), (2, 131)], ["float32", "complex64"], {})
    assert fault == "Its length 131 has the prime factor 131; the largest it takes is 127."


def test_that_matrices_that_do_not_meet_are_refused_with_their_sizes() -> None:
    kernel = find_kernel("matmul")
    fault = kernel.check([(2, 3), (4, 5), (2, 5)], ["float32"] * 3, {})
    assert fault == "A row of its first matrix has 3 elements, a column of its second 4."
    assert kernel.check([(2, 3), (3, 5), (5, 2)], ["float32"] * 3, {}).startswith("Its result is 2")


def test_that_edge_pixels_reach_outward_and_weights_are_not_flipped() -> None:
    frame = np.arange(12, dtype=np.float32).reshape(3, 4)
    weights = np.zeros((3, 3), np.float32)
    weights[0, 1] = 1.0
    out = np.empty_like(frame)
    find_kernel("convolve").cpu({}, [frame, weights], [out], 0, 1)
    assert out.tolist() == [frame[0].tolist(), frame[0].tolist(), frame[1].tolist()]


def test_that_a_sum_does_not_lose_small_values_beside_large_ones() -> None:
    values = np.ones(1 << 16, np.float32)
    values[0] = 1e7
    out = np.empty(1, np.float32)
    for part in range(3):
        find_kernel("reduce").cpu({}, [values], [out], part, 3)
    assert abs(out[0] - (1e7 + 65535)) <= 2.0


def test_that_spin_runs_the_chain_it_says_step_by_step() -> None:
    kernel = find_kernel("spin")
    state, shown = SEED, []
    steps = -(-2 * STEPS_PER_MICROSECOND // MARKS)
    for _ in range(MARKS):
        for _ in range(steps):
            state = (MULTIPLIER * state + INCREMENT) % 2**32
        shown.append(state / 2**32)
    (result,) = kernel.reference({"microseconds": 2}, [np.zeros(MARKS, np.float32)])
    assert result.tolist() == shown


def test_that_spin_costs_steps_by_its_parameter_alone() -> None:
    kernel = find_kernel("spin")
    costs = [kernel.cost([(64,), (64,)], {"microseconds": length}).steps for length in (1000, 2000)]
    assert costs[1] == 2 * costs[0]
    assert kernel.cost([(9, 9), (9, 9)], {"microseconds": 1000}).steps == costs[0]


def test_that_the_reference_of_the_transform_is_the_sum_of_the_definition() -> None:
    signal = np.random.Generator(np.random.PCG64(1)).uniform(-1, 1, (1, 30))
    k = np.arange(30)
    wanted = (signal * np.exp(-2j * np.pi * np.outer(k, k) / 30)).sum(axis=1)
    (result,) = find_kernel("fft").reference({"dimensions": 1}, [signal])
    assert np.allclose(result[0], wanted, atol=1e-12)
