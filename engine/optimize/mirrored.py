"""The same problem with time running backward, for schedules made from the end. It never solves anything."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from engine.optimize.problem import NEVER, NONE, Ints, LinkKind, Longs, Problem

MIRROR = 1 << 58  # instant t of the one is MIRROR - t of the other
_KINDS = np.array([LinkKind.FS, LinkKind.FF, LinkKind.SS, LinkKind.SF], np.int8)


def mirrored(problem: Problem) -> Problem:
    """Links, calendars, steps and changeovers the other way round; releases and dates are left out.

    A pin holds what would be the finish if there were no breaks.

    `start` is the mirror of a finish of all, which whoever schedules with it sets anew.
    """
    count = problem.operation_count
    length = problem.duration[np.where(problem.pinned_mode == NONE, problem.first_mode[:-1], problem.pinned_mode)]
    step_first, steps = _turned(problem.first_step)
    segment_first, segments = _turned(problem.first_segment)
    lengths = (problem.segment_finish - problem.segment_start)[segments]
    return replace(
        problem,
        release=np.zeros(count, np.int64),
        due=np.full(count, NEVER, np.int64),
        pinned_start=np.where(problem.pinned_start == NONE, NONE, MIRROR - problem.pinned_start - length),
        step_from=MIRROR - problem.step_until[steps],
        step_until=MIRROR - problem.step_from[steps],
        step_units=problem.step_units[steps],
        first_step=step_first,
        resource_family=np.full(problem.resource_count, NONE, np.int32),
        first_segment=segment_first,
        segment_start=MIRROR - problem.segment_finish[segments],
        segment_finish=MIRROR - problem.segment_start[segments],
        segment_work=_work_before(segment_first, lengths),
        link_from=problem.link_to,
        link_to=problem.link_from,
        link_kind=_KINDS[problem.link_kind],
        transport=problem.transport.T,
        changeover=problem.changeover.transpose(0, 2, 1),
        start=0,
        horizon=NEVER,
    )


def _turned(first: Ints) -> tuple[Ints, Ints]:
    """The same ranges, with the entries of each in reverse."""
    entries = [np.arange(high - 1, low - 1, -1, dtype=np.int32) for low, high in pairwise(first.tolist())]
    return first, np.concatenate((np.zeros(0, np.int32), *entries))


def _work_before(first: Ints, lengths: Longs) -> Longs:
    total = np.concatenate(([0], np.cumsum(lengths)))
    before: Longs = total[:-1] - np.repeat(total[first[:-1]], np.diff(first))
    return before
