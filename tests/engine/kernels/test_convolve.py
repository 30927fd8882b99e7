"""The plain reference of the filter, pixel by pixel as its formula says."""

from __future__ import annotations

import numpy as np
import pytest

from engine.kernels import find_kernel


def by_the_formula(frame: np.ndarray, weights: np.ndarray) -> np.ndarray:
    radius = len(weights) // 2
    result = np.zeros(frame.shape)
    for y, x in np.ndindex(frame.shape):
        for i, j in np.ndindex(weights.shape):
            row, column = np.clip((y + i - radius, x + j - radius), 0, (frame.shape[0] - 1, frame.shape[1] - 1))
            result[y, x] += weights[i, j] * frame[row, column]
    return result


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 3), (6, 7)])
@pytest.mark.parametrize("window", [1, 3, 5, 11])
def test_that_edges_reach_outward_and_rows_never_run_into_each_other(shape: tuple[int, int], window: int) -> None:
    random = np.random.Generator(np.random.PCG64(window))
    frame, weights = random.uniform(-1, 1, shape), random.uniform(-1, 1, (window, window))
    (result,) = find_kernel("convolve").reference({}, (frame, weights))
    assert result.shape == shape
    np.testing.assert_allclose(result, by_the_formula(frame, weights), rtol=0, atol=1e-12)


def test_that_what_is_not_a_number_stays_within_reach_of_the_window() -> None:
    frame = np.zeros((5, 8))
    frame[2, 7] = np.nan
    (result,) = find_kernel("convolve").reference({}, (frame, np.ones((3, 3))))
    wrong = np.isnan(result)
    assert wrong[1:4, 6:].all()
    assert wrong.sum() == 6
