"""How far a run was from its prediction: hand-made spans with errors that can be read off."""

import numpy as np
import pytest

from engine.trace.planned import KindError, errors_by_kind
from engine.trace.timeline import PARTS, Timeline

KINDS = {1: ("copy_in", ""), 2: ("kernel", "tanh"), 3: ("kernel", "tanh")}


def timeline(*spans: tuple[int, int, int, int], parts: int = 1) -> Timeline:
    """(task, iteration, start, end); only the first part of `parts`."""
    made = Timeline(("s",), {})
    rows = [dict(zip(PARTS, (t, k, 0, parts, 0, 1, a, b, 0), strict=True)) for t, k, a, b in spans]
    if rows:
        made.extend(np.array([[row[name] for name in PARTS] for row in rows], np.int64))
    return made


def test_that_errors_are_told_by_kind_and_kernel_with_median_p90_and_bias() -> None:
    predicted = timeline((1, 0, 0, 100), (2, 0, 100, 200), (3, 0, 200, 300), (2, 1, 300, 400))
    actual = timeline((1, 0, 0, 50), (2, 0, 100, 210), (3, 0, 300, 420), (2, 1, 500, 630))
    copies, kernels = errors_by_kind(actual, predicted, KINDS)
    assert copies == KindError("copy_in", "", 1, 50.0, 50.0, -50.0)
    assert (kernels.kind, kernels.kernel, kernels.count) == ("kernel", "tanh", 3)
    assert kernels.median_pct == kernels.bias_pct == pytest.approx(20)
    assert kernels.p90_pct == pytest.approx(28)


def test_that_what_was_not_predicted_or_has_not_ended_is_not_compared() -> None:
    predicted = timeline((1, 0, 0, 100), (2, 0, 5, 5))
    assert errors_by_kind(timeline((1, 1, 0, 50), (2, 0, 0, 5), (9, 0, 0, 5)), predicted, KINDS) == ()
    assert errors_by_kind(timeline((1, 0, 0, 50), parts=2), predicted, KINDS) == ()
    assert errors_by_kind(timeline((1, 0, 0, 50)), timeline(), KINDS) == ()
    assert errors_by_kind(timeline(), predicted, KINDS) == ()
