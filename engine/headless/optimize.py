"""The verb `optimize`: a better plan of a file as a document. It never changes the file."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import threading
from collections.abc import Iterator

from engine.errors import SolverError
from engine.formats.counted import counted
from engine.formats.instances import START, unit_of
from engine.headless.interrupts import heed_interrupts
from engine.headless.schedule import instant, load_state
from engine.model import Plan, Task, TaskId, Ticks
from engine.optimize.draft import Draft, ModeDraft, OperationDraft
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import Objective
from engine.optimize.rules import best_modes, current_plan
from engine.optimize.to_plan import Decision
from engine.process.solve_messages import Ending
from engine.process.solver_client import SolverClient
from engine.session.aims import aim_of, unit_of_aim
from engine.session.solving import SolveJob, SolveOptions

DONE, FAILED, INTERRUPTED = 0, 1, 130
_MINUTE = 60
# An instance's unit of time is a minute here too.
_UNITS = {_MINUTE: " min"}


def answer(arguments: argparse.Namespace) -> tuple[int, object, str]:
    """Exit code, document and text of a search; of one that was interrupted what was found till then, and 130.

    Raises EngineError for a plan or an objective that cannot be, KeyboardInterrupt when it is interrupted twice.
    """
    aim = aim_of(arguments.objective)
    state = load_state(arguments.file)
    cores = arguments.cores or os.cpu_count() or 1
    options = SolveOptions(aim, arguments.seconds, arguments.seed, cores, arguments.slices, device=arguments.device)
    threading.Thread(target=_load_judge, name="judge", daemon=True).start()
    try:
        job = asyncio.run(_solve(SolveJob(state, SolverClient(), options)))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if job.ending is Ending.FAILED:
        raise SolverError(job.sentence, ids=job.ids)
    is_interrupted = job.ending is Ending.CANCELED
    for remark in (job.sentence, job.hindrance, "Interrupted." if is_interrupted else ""):
        if remark:
            sys.stderr.write(remark + "\n")
    if job.best is None:
        return INTERRUPTED, None, ""
    document = solve_document(job)
    code = INTERRUPTED if is_interrupted else DONE if document["checked"] else FAILED
    return code, document, _text(job, document)


async def _solve(job: SolveJob) -> SolveJob:
    try:
        with heed_interrupts(job.cancel):
            await job.run()
        return job
    finally:
        await job.close()


def _load_judge() -> None:
    """Loads what looks at the plan once more, while the search goes on: who interrupts it does not wait for that."""
    problem = Draft(operations=[OperationDraft(modes=(ModeDraft(1),))]).build()
    Evaluator(problem).evaluate(current_plan(problem, best_modes(problem, problem.duration)))


def solve_document(job: SolveJob) -> dict[str, object]:
    """The document: what was reached when and by whom, what cannot be beaten, and the plan, looked at once more."""
    plan = job.state.plan
    unit = unit_of_aim(job.options.aim, unit_of(plan) or _MINUTE)
    value = job.steps[-1].value
    return {
        "objective": _in(unit, value),
        "bound": _in(unit, job.bound),
        "optimal": job.ending is Ending.OPTIMAL,
        "ending": str(job.ending),
        "violations": job.steps[-1].objectives[Objective.VIOLATIONS],
        "objectives": {each.name.lower(): job.steps[-1].objectives[each] for each in Objective},
        "incumbents": [
            {"seconds": round(step.seconds, 4), "objective": _in(unit, step.value), "engine": step.engine}
            for step in job.steps
        ],
        "evaluations": job.schedules,
        "engines": [
            {"engine": s.engine, "slices": s.slices, "iterations": s.iterations, "found": s.found} for s in job.shares
        ],
        "schedule": list(_rows(plan, job.decisions())),
        "notes": list(job.case.notes) if job.case else [],
        "checked": _is_right(job),
    }


def _is_right(job: SolveJob) -> bool:
    """Whether the dates, measured here once more, are worth what the search said, and break no rule."""
    if job.case is None or job.best is None:
        return False
    again = Evaluator(job.case.problem).measure(job.best.solution, job.best.starts)
    is_same = again.objectives.tolist() == job.best.objectives.tolist()
    return bool(is_same and again.is_feasible and (again.finishes == job.best.finishes).all())


def _rows(plan: Plan, decisions: tuple[Decision, ...]) -> Iterator[dict[str, object]]:
    names = {resource.id: resource.name for resource in plan.resources}
    assigned: dict[TaskId, int] = {}
    for assignment in reversed(plan.assignments):
        assigned[assignment.task] = assignment.resource
    unit = unit_of(plan)
    for each in decisions:
        task = plan.task(each.task)
        resource = assigned.get(task.id) if each.way.resource is None else each.way.resource
        yield {
            "uid": task.id,
            "job": _field(task, "job") or (plan.task(task.parent).name if task.parent is not None else None),
            "operation": _field(task, "operation") or task.name,
            "resource": None if resource is None else names[resource],
            "start": _instant(plan, each.start, unit),
            "finish": _instant(plan, each.finish, unit),
        }


def _field(task: Task, name: str) -> int | str | None:
    text = dict(task.fields).get(name)
    return int(text) if text is not None and text.isdecimal() else text


def _instant(plan: Plan, ticks: Ticks, unit: Ticks | None) -> int | str:
    """Naive local time; of an instance the units from its start."""
    return instant(plan, ticks) if unit is None else (ticks - START) // unit


def _in(unit: int, value: int | None) -> int | float | None:
    if value is None:
        return None
    return value // unit if value % unit == 0 else value / unit


def _text(job: SolveJob, document: dict[str, object]) -> str:
    moved = sum(each.is_moved for each in job.decisions())
    words = "proved best" if document["optimal"] else "the best found"
    unit = _UNITS.get(unit_of_aim(job.options.aim, _MINUTE), "")
    bound = "n/a" if document["bound"] is None else f"{document['bound']:,}{unit}"
    if document["objective"] is None:
        return f"No plan was found that breaks no rule; the best one breaks them for {document['violations']:,} s."
    tasks = counted(moved, "1 task", "{count} tasks")
    return f"{document['objective']:,}{unit}, {words}, bound {bound}; {tasks} would be moved."
