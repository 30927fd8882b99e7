"""Experience: what finished tasks and recorded runs took, as spreads, and the edit that takes them. It never draws.

Of a finished task the working time between its actual dates, without the pauses that were planned, over its planned
length: the baseline's of the least number that has it, for other programs overwrite a duration with what it took; else
its own. A family of which few are finished says nothing; all finished tasks together speak for those of no family.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import PlanError
from engine.formats.csv_sample import ColumnSample, column_names, load_sample
from engine.model import Clock, Plan, Progress, Spread, SpreadPreset, Task, TaskId, TaskRisk, Ticks
from engine.schedule.schedule import Schedule
from engine.session.cell_words import units_of
from engine.session.document import Document
from engine.session.edits import with_tasks
from engine.session.matching import match
from engine.trace.recorded_run import RecordedRun

FEWEST = 5
_NO_PROGRESS, _CERTAIN = Progress(), TaskRisk()


@dataclass(frozen=True, slots=True)
class Experience:
    """Spreads that were found out: by family, "" for all others, or by task. `counts` are of the families' tasks."""

    families: tuple[SpreadPreset, ...] = ()
    counts: tuple[int, ...] = ()
    tasks: tuple[tuple[TaskId, Spread], ...] = ()


@dataclass(frozen=True, slots=True)
class TakeExperience:
    """Families and tasks take as long as others did; `source` is what those were, in words."""

    experience: Experience
    source: str

    def label(self, plan: Plan) -> str:
        """Take ranges from “Last year”."""
        return f"Take ranges from “{self.source}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets them; families of which nothing is known keep what they have."""
        found = {preset.family: preset for preset in plan.risks.presets}
        found |= {preset.family: preset for preset in self.experience.families}
        risks = replace(plan.risks, presets=tuple(found.values()))
        changed = with_tasks(plan, [_with(plan.task(task), spread) for task, spread in self.experience.tasks])
        if changed is plan and risks == plan.risks:
            return plan
        return replace(changed, risks=risks).check()


def read_experience(path: str, plan: Plan) -> TakeExperience:
    """What the file of an earlier plan teaches this one: its finished tasks, or the runs of operations that both have.

    It blocks: it belongs to a worker. Raises EngineError.
    """
    document = Document.load(path)
    earlier = document.state
    if earlier.plan.clock is Clock.CALENDAR:
        return TakeExperience(experience_of(earlier.plan, earlier.schedule), earlier.plan.name)
    pairs = match(earlier.plan, plan) if plan.clock is Clock.DEVICE else {}
    found = experience_of_runs(earlier.plan, document.runs)
    known = tuple((pairs[task], spread) for task, spread in found.tasks if task in pairs)
    if not known:
        raise PlanError(f"“{plan.name}” has none of the operations that ran in “{earlier.plan.name}”.")
    return TakeExperience(replace(found, tasks=known), earlier.plan.name)


def sample_columns(path: str) -> tuple[str, ...]:
    """The columns of a table, as read_sample knows them. It blocks; raises EngineError."""
    return column_names(path)


def read_sample(path: str, plan: Plan, column: str = "") -> ColumnSample:
    """A column of a table as a spread, lengths in the plan's own days. It blocks; raises EngineError."""
    found = load_sample(path, column, units_of(plan))
    if plan.clock is Clock.DEVICE and not found.spread.is_percent:
        raise PlanError(f"{path}: “{found.column}” holds working time; for a plan on a device it must be percent.")
    return found


def experience_of(plan: Plan, schedule: Schedule) -> Experience:
    """What the finished tasks of a plan took, in percent of what was planned.

    Raises PlanError where fewer than FEWEST are finished between known dates.
    """
    taken: dict[str, list[float]] = defaultdict(list)
    promised = _promised(plan)
    for task in plan.tasks:
        percent = _percent(plan, schedule, task, promised.get(task.id, task.duration))
        if percent is not None:
            for family in {"", task.family}:
                taken[family].append(percent)
    known = {family: values for family, values in taken.items() if len(values) >= FEWEST}
    if not known:
        count = len(taken[""])
        was = f"{count} task is" if count == 1 else f"{count or 'no'} tasks are"
        raise PlanError(f"In “{plan.name}” {was} finished with actual dates; ranges need at least {FEWEST}.")
    presets = tuple(SpreadPreset(family, Spread.of_values(values)) for family, values in sorted(known.items()))
    return Experience(presets, tuple(len(known[preset.family]) for preset in presets))


def experience_of_runs(plan: Plan, runs: Iterable[RecordedRun]) -> Experience:
    """What each operation took in recorded runs of its plan, in ticks. Raises PlanError where none is recorded."""
    taken: dict[TaskId, list[float]] = defaultdict(list)
    for run in runs:
        timeline = run.timeline()
        length = timeline.end_ns - timeline.start_ns
        for span in np.flatnonzero(timeline.is_done & (length > 0)).tolist():
            taken[int(timeline.task[span])].append(float(length[span]))
    known = [(task.id, Spread.of_values(taken[task.id], is_percent=False)) for task in plan.tasks if task.id in taken]
    if not known:
        raise PlanError(f"“{plan.name}” has no recorded run to take ranges from: run it first.")
    return Experience(tasks=tuple(known))


def _percent(plan: Plan, schedule: Schedule, task: Task, planned: Ticks) -> float | None:
    """What a task took, in percent of what was planned; None where that is not known."""
    done = task.progress or _NO_PROGRESS
    is_counted = task.is_active and task.id not in plan.children and planned > 0
    if not is_counted or done.actual_start is None or done.actual_finish is None:
        return None
    network = schedule.basis.network
    time = network.times[int(network.nodes.calendar[schedule.rows[task.id]])]
    took = time.between(done.actual_start, done.actual_finish) - sum(split.gap for split in task.splits)
    return 100 * took / planned if took > 0 else None


def _promised(plan: Plan) -> Mapping[TaskId, Ticks]:
    """The length of each task in the baseline of the least number that has it."""
    last_first = sorted(plan.baselines, key=lambda baseline: -baseline.number)
    return {each.task: each.duration for baseline in last_first for each in baseline.tasks}


def _with(task: Task, spread: Spread) -> Task:
    return replace(task, risk=replace(task.risk or _CERTAIN, spread=spread))
