"""What it would take for a date: the cheapest few changes that bring a confidence there. It never applies one.

Greedy: of the tasks that most often decide the end, and of the events, the change that gains most for what it costs is
made, until the date is reached; then any that is no longer needed is taken back. Each trial is simulated with the same
random numbers, so that two are compared without noise. Few samples choose; whether a date is reached is told of many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.model import Plan, Task, TaskId, Ticks
from engine.risk.answers import rank_of
from engine.risk.changes import Take, TakeKind, Taken, changed
from engine.risk.distributions import shape_of
from engine.risk.program import compile_risk
from engine.risk.samples import Samples
from engine.risk.simulate import Simulation
from engine.schedule.cpm import schedule, working_time

SAMPLES = 512  # of each trial
SURE_SAMPLES = (
    10_000  # of what is told: as many as a plan is simulated with, so that it holds once the changes are made
)
_NO_DURATIONS: Mapping[TaskId, Ticks] = {}
_SHARES = (10, 20, 30)
_CANDIDATES = 8


def what_it_takes(
    plan: Plan,
    wanted: Ticks,
    confidence: float = 0.8,
    *,
    seed: int = 0,
    most: int = 6,
    durations: Mapping[TaskId, Ticks] = _NO_DURATIONS,
) -> Iterator[Taken]:
    """The changes one after the other, at first none; the last says whether they are enough. A step takes seconds."""
    trial = _Trials(plan, confidence, seed, durations)
    time, chosen = working_time(plan), list[Take]()
    finish, critical = trial.run(())
    while True:
        told = trial.sure(chosen)
        yield Taken(tuple(chosen), told, told <= wanted)
        if told <= wanted or len(chosen) >= most:
            break
        enough = wanted if wanted < finish else 0  # no cap where only the few samples have reached it
        best: tuple[float, Take, Ticks] | None = None
        for each in trial.candidates(critical, chosen):
            reached, _ = trial.run((*_without(chosen, each), each))
            gained = time.between(max(reached, enough), finish)
            worth = gained / max(1, each.price - sum(old.price for old in chosen if _is_same(old, each)))
            if gained > 0 and (best is None or worth > best[0]):
                best = (worth, each, reached)
        if best is None:
            return
        chosen = [*_without(chosen, best[1]), best[1]]
        finish, critical = trial.run(tuple(chosen))
    needed = trial.pruned(chosen, wanted) if told <= wanted else chosen
    if len(needed) < len(chosen):
        yield Taken(tuple(needed), trial.sure(needed), is_enough=True)


class _Trials:
    """Simulations of one plan with changes, all of them with the same random numbers."""

    def __init__(self, plan: Plan, confidence: float, seed: int, durations: Mapping[TaskId, Ticks]) -> None:
        self._plan, self._confidence, self._seed, self._durations = plan, confidence, seed, durations

    def run(self, changes: tuple[Take, ...]) -> tuple[Ticks, dict[TaskId, int]]:
        """Where the confidence is, and in how many samples each task decides the end."""
        found = self._simulated(changes, SAMPLES)
        on_path = zip(self._plan.tasks, found.on_path, strict=True)
        return self._finish(found), {task.id: int(on) for task, on in on_path if on}

    def sure(self, changes: Sequence[Take]) -> Ticks:
        """Where the confidence is, by so many samples that it may be told."""
        return self._finish(self._simulated(tuple(changes), SURE_SAMPLES))

    def _simulated(self, changes: tuple[Take, ...], count: int) -> Samples:
        plan = changed(self._plan, changes)
        simulation = Simulation(compile_risk(plan, schedule(plan, self._durations), self._seed))
        simulation.advance(count)
        return simulation.samples(count)

    def _finish(self, found: Samples) -> Ticks:
        return int(np.sort(found.finishes[0])[rank_of(found.count, self._confidence)])

    def candidates(self, critical: dict[TaskId, int], chosen: list[Take]) -> Iterator[Take]:
        """Tasks that most often decide the end, each by more than it is shortened already, and events still there."""
        by = {each.id: each.by for each in chosen if each.kind is TakeKind.SHORTEN}
        averted = {each.id for each in chosen if each.kind is TakeKind.AVERT}
        open_ = [task for task in map(self._plan.task, critical) if self._is_open(task)]
        for task in sorted(open_, key=lambda task: (-critical[task.id] * task.duration, task.id))[:_CANDIDATES]:
            for share in _SHARES:
                if share > by.get(task.id, 0):
                    yield Take(TakeKind.SHORTEN, task.id, task.name, share, task.duration * share // 100)
        for event in self._plan.risks.events:
            if event.id not in averted and event.chance > 0:
                shapes = [shape_of(each.spread, self._plan.task(each.task).duration) for each in event.impacts]
                loss = sum((shape.least + shape.greatest) / 2 for shape in shapes)
                yield Take(TakeKind.AVERT, event.id, event.name, 100, max(0, round(event.chance * loss)))

    def pruned(self, chosen: list[Take], wanted: Ticks) -> list[Take]:
        """Without those that the date is reached without, dearest first."""
        kept = list(chosen)
        for each in sorted(chosen, key=lambda take: -take.price):
            rest = [other for other in kept if other is not each]
            if self.run(tuple(rest))[0] <= wanted and self.sure(rest) <= wanted:
                kept = rest
        return kept

    def _is_open(self, task: Task) -> bool:
        is_done = task.progress is not None and task.progress.actual_finish is not None
        return task.duration > 0 and not is_done and not task.is_manual and task.id not in self._plan.children


def _is_same(one: Take, other: Take) -> bool:
    return (one.kind, one.id) == (other.kind, other.id)


def _without(chosen: list[Take], change: Take) -> list[Take]:
    return [each for each in chosen if not _is_same(each, change)]
