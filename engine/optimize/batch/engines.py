"""The engines that work on a device, where trying says that it pays. It never opens a device, and has no clock.

A device that fails ends its engine with a sentence; the search goes on without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.errors import DeviceError
from engine.optimize.aim import Aim
from engine.optimize.batch.choosing import fastest
from engine.optimize.batch.list_search import ListSearch
from engine.optimize.batch.listing import CpuLists
from engine.optimize.batch.lists import DeviceLists
from engine.optimize.batch.sequences import jobs_of
from engine.optimize.batch.shop_search import DeviceGround, ShopSearch, rules_for
from engine.optimize.batch.walking import CpuWalks
from engine.optimize.batch.walks import are_walkable, sequence_by
from engine.optimize.batch.worth import worth_of
from engine.optimize.plain import is_plain
from engine.optimize.pool import Engine
from engine.optimize.problem import Objective, Problem, Solution
from engine.program.launcher import Launcher

WALKS, LISTS = "tabu search on the GPU", "activity lists on the GPU"

_WALKS_EACH = 14  # for each processor of a device: as many as its shared memory holds of shops of some size
_MOST_ITERATIONS = 1 << 16
_MOST_LISTS = 1 << 14
_COUNTED = (Objective.MAKESPAN, Objective.TARDINESS, Objective.STABILITY)

Clock = Callable[[], int] | None


class OnDevice:
    """An engine whose device may fail: `failure` says how, and then it is done."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.failure = ""

    @property
    def solution(self) -> Solution | None:
        """The best one so far, also of a device that failed since."""
        return self._engine.solution

    @property
    def is_done(self) -> bool:
        """Whether it cannot find anything better, or nothing any more."""
        return bool(self.failure) or self._engine.is_done

    def adopt(self, solution: Solution) -> None:
        """Take in what another engine found."""
        self._engine.adopt(solution)

    def stop(self) -> None:
        """End the slice that goes on, after the batch that the device has."""
        self._engine.stop()

    def advance(self, iterations: int) -> int:
        """Go on for about so many iterations, unless the device fails."""
        try:
            return self._engine.advance(iterations)
        except DeviceError as error:
            self.failure = error.sentence
            return 0


def device_engine(
    problem: Problem, aim: Aim, seed: int, starts: Sequence[Solution], launcher: Launcher, clock: Clock
) -> tuple[str, OnDevice] | None:
    """The engine for a problem on a device and its name; None where the processor is faster or none suits.

    `clock` gives nanoseconds; without one nothing is tried, and the device is taken. Raises DeviceError where it fails
    at once.
    """
    if not problem.operation_count or not starts:
        return None
    if are_walkable(problem, aim):
        engine = _walks(problem, aim, seed, starts, launcher, clock)
        return None if engine is None else (WALKS, OnDevice(engine))
    if is_plain(problem) and counts_all_of(aim):
        lists = _lists(problem, aim, seed, starts, launcher, clock)
        return None if lists is None else (LISTS, OnDevice(lists))
    return None


def counts_all_of(aim: Aim) -> bool:
    """Whether batches count everything that the first level of an aim after broken rules weighs."""
    return bool(aim.levels[1].any() and set(np.flatnonzero(aim.levels[1]).tolist()) <= set(_COUNTED))


def _walks(
    problem: Problem, aim: Aim, seed: int, starts: Sequence[Solution], launcher: Launcher, clock: Clock
) -> Engine | None:
    jobs, rules = jobs_of(problem, worth_of(problem, aim)), rules_for(problem, seed)
    walks = _WALKS_EACH * launcher.processors
    ground, twin = DeviceGround(jobs, launcher, walks, rules), CpuWalks(jobs, 1, rules)
    sequence = sequence_by(jobs, starts[0].order)[np.newaxis]
    ground.begin(np.repeat(sequence, walks, axis=0))
    twin.begin(sequence)
    ways = {"cpu": twin.go_on, "device": lambda size: ground.go_on(-(-size // walks))}
    if clock is not None and fastest(ways, _MOST_ITERATIONS, clock)[0] == "cpu":
        return None
    return ShopSearch(problem, rules, starts, ground)


def _lists(
    problem: Problem, aim: Aim, seed: int, starts: Sequence[Solution], launcher: Launcher, clock: Clock
) -> Engine | None:
    decoder, twin = DeviceLists(problem, aim, launcher, _MOST_LISTS), CpuLists(problem, aim)
    lists = np.resize(np.array([each.order for each in starts], np.uint16), (_MOST_LISTS, problem.operation_count))
    ways = {"cpu": lambda size: twin.decode(lists[:size]), "device": lambda size: decoder.decode(lists[:size])}
    name, most = "device", _MOST_LISTS
    if clock is not None:
        name, rate = fastest(ways, _MOST_LISTS, clock)
        most = rate.size
    return None if name == "cpu" else ListSearch(problem, seed, starts, decoder, most)
