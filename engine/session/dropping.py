"""Dropping: what letting go of a task in each place of the board would do to the plan, as shares that can be drawn.

It never tries a place: the process that searches does, for all places at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model import Plan, TaskId, Ticks
from engine.optimize.problem import Flags, Longs, Objective
from engine.process.questions import Places, TryPlaces
from engine.session.aims import aim_of

__all__ = ["Drops", "Objective", "Places", "TryPlaces", "drops_of", "places_question"]

_USUAL = 90  # percent of the places that are worse; the few that are much worse are drawn as these


@dataclass(frozen=True, eq=False, slots=True)
class Drops:
    """Of a task, for each resource and each slot from a start to the next, how the plan changes with it there.

    `shares`: -1 (the most that is gained) to 1 (much worse); None where more rules are broken than now. They are of the
    first `objective` that any place changes, None where none does, and 0 of a slot in which the task cannot start: it
    would wait for a later one. `best` is (row, slot) of the place that gains most, by all that counts and of equal ones
    the nearest to where the task is, with its `gain`, below zero; None where none gains.
    """

    task: TaskId
    resources: tuple[int, ...]
    starts: tuple[Ticks, ...]
    shares: tuple[tuple[float | None, ...], ...]
    objective: Objective | None
    best: tuple[int, int] | None
    gain: int


def places_question(plan: Plan, task: TaskId, starts: tuple[Ticks, ...]) -> TryPlaces:
    """What is asked of whoever tries places."""
    return TryPlaces(plan, task, starts)


def drops_of(places: Places, aim: str) -> Drops:
    """The answer, by an aim as `aim_of` reads it."""
    levels = [(places.values - places.now) @ level for level in aim_of(aim).levels]
    is_kept = places.broken() <= 0
    can_start = is_kept & (places.begins < _ends(places.starts))
    for level, changes in zip(aim_of(aim).levels[1:], levels[1:], strict=True):
        if np.any(changes[can_start]):
            return _drawn(places, levels, changes, (is_kept, can_start), Objective(int(np.argmax(level))))
    return _drawn(places, levels, np.zeros(is_kept.shape, np.int64), (is_kept, can_start), None)


def _ends(starts: tuple[Ticks, ...]) -> Longs:
    """Where the slots end: the last one is as long as the one before it."""
    return np.array([*starts[1:], 2 * starts[-1] - starts[-2] if len(starts) > 1 else starts[-1] + 1], np.int64)


def _drawn(
    places: Places, levels: list[Longs], changes: Longs, usable: tuple[Flags, Flags], objective: Objective | None
) -> Drops:
    is_kept, can_start = usable
    better, worse = -changes[can_start & (changes < 0)], changes[can_start & (changes > 0)]
    most = int(better.max(initial=1)), max(1.0, float(np.percentile(worse, _USUAL)) if len(worse) else 1.0)
    shares = np.where(changes < 0, changes / most[0], np.minimum(changes / most[1], 1.0)) * can_start
    drawn = tuple(
        tuple(float(share) if kept else None for share, kept in zip(row, keeps, strict=True))
        for row, keeps in zip(shares, is_kept, strict=True)
    )
    best, gain = None, 0
    if len(better):
        away = np.abs(places.begins - places.start)
        place = int(np.lexsort([each.ravel() for each in (away, *reversed(levels), changes, ~can_start)])[0])
        row, slot = divmod(place, changes.shape[1])
        best, gain = (row, slot), int(changes[row, slot])
    return Drops(places.task, places.resources, places.starts, drawn, objective, best, gain)
