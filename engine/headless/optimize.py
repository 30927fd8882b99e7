"""The verb `optimize`: a better plan of a file as a document. It never changes the file."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import threading
from collections.abc import Iterator

from engine.errors import SolverError
from engine.formats import find_format_to_save
from engine.formats.counted import counted
from engine.formats.instances import START, unit_of
from engine.headless.convert import is_replacing, say_written, write
from engine.headless.interrupts import heed_interrupts
from engine.headless.schedule import instant, load_state
from engine.model import DAY, Plan, Task, TaskId, Ticks
from engine.optimize.draft import Draft, ModeDraft, OperationDraft
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import Objective
from engine.optimize.rules import best_modes, current_plan
from engine.optimize.to_plan import Decision
from engine.process.solve_messages import Ending
from engine.process.solver_client import SolverClient
from engine.schedule.cpm import working_time
from engine.session.aims import aim_of, first_of, lateness_of, unit_of_aim
from engine.session.cell_words import units_of
from engine.session.solution_edits import take
from engine.session.solving import SolveJob, SolveOptions

DONE, FAILED, INTERRUPTED = 0, 1, 130
_MINUTE, _CENTS = 60, 100
# An instance's unit of time is a minute here too.
_UNITS = {_MINUTE: " min"}


def answer(arguments: argparse.Namespace) -> tuple[int, object, str]:
    """Exit code, document and text of a search; of one that was interrupted what was found till then, and 130.

    A plan that keeps every rule is written to `output`, where one is given. Raises EngineError for a plan or an
    objective that cannot be, KeyboardInterrupt when it is interrupted twice.
    """
    aim, output = aim_of(arguments.objective), arguments.output
    is_replaced = bool(output) and _will_replace(arguments.file, output)
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
    if job.best is None or job.case is None:
        _say(job.sentence, "Interrupted.")
        return INTERRUPTED, None, ""
    document = solve_document(job)
    _say(job.sentence, *_hindrances(job, document), *job.case.notes)
    if output and document["checked"]:
        taking = take(job.case, job.decisions())
        _say(taking.sentence)
        say_written(output, write(taking.plan, output), is_replaced=is_replaced)
    if job.ending is Ending.CANCELED:
        _say("Interrupted.")
        return INTERRUPTED, document, _text(job, document)
    return DONE if document["checked"] else FAILED, document, _text(job, document)


def _will_replace(file: str, output: str) -> bool:
    find_format_to_save(output)
    return is_replacing(file, output)


def _say(*remarks: str) -> None:
    sys.stderr.writelines(f"{remark}\n" for remark in remarks if remark)


def _hindrances(job: SolveJob, document: dict[str, object]) -> Iterator[str]:
    """Why there is no plan to show, as far as it is known."""
    if document["checked"]:
        return
    if job.is_broken:
        unit, ticks = unit_of(job.state.plan), job.steps[-1].objectives[Objective.VIOLATIONS]
        amount = _by_clock(ticks) if unit is None else counted(ticks // unit, "1 unit of time", "{count} units of time")
        yield f"No plan was found that breaks no rule; the best one breaks them for {amount}."
    else:
        yield "The plan that was found is refused: looked at once more, it is not worth what the search said."
    yield job.hindrance


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
    unit = unit_of_aim(job.aim, unit_of(plan) or _MINUTE)
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
    if not document["checked"]:
        return ""
    moved = sum(each.is_moved for each in job.decisions())
    words = "proved best" if document["optimal"] else "the best found"
    tasks = counted(moved, "1 task", "{count} tasks")
    bound = "n/a" if job.bound is None else _worth(job, job.bound)
    return f"{_worth(job, job.steps[-1].value or 0)}, {words}, bound {bound}; {tasks} would be moved{_gain(job)}."


def _worth(job: SolveJob, value: int) -> str:
    """What a plan is worth by what counts first: of an instance in its units, else when it is done, for how long, or
    how much money.
    """
    plan, first = job.state.plan, first_of(job.aim)
    if unit_of(plan) is not None or job.case is None:
        unit = unit_of_aim(job.aim, _MINUTE)
        return f"{_in(unit, value):,}{_UNITS.get(unit, '')}"
    if first == "makespan":
        return f"finish {instant(plan, job.case.problem.start + value)}"
    if first is None:
        return f"{value:,}"
    if first == "cost":
        return f"cost {value / _CENTS:,.2f}"
    return f"{first} {_by_clock(lateness_of(value) if first == 'tardiness' else value)}"


def _gain(job: SolveJob) -> str:
    """How much sooner or later it is done than the plan as it is, in working time."""
    plan, case = job.state.plan, job.case
    if unit_of(plan) is not None or case is None or job.best is None:
        return ""
    now, then = job.state.schedule.project_finish, int(job.best.finishes[: len(case.tasks)].max())
    work = working_time(plan).between(min(now, then), max(now, then))
    if not work:
        return ""
    return f", done {_length(work, units_of(plan).day)} {'sooner' if then < now else 'later'} than now"


def _by_clock(ticks: Ticks) -> str:
    return f"{_length(ticks, DAY)} by the clock" if ticks else "0"


def _length(ticks: Ticks, day: Ticks) -> str:
    """In the largest unit that it fills, to one decimal: "2.5 d", "4 h"."""
    sizes = ((day, "d"), (60 * _MINUTE, "h"), (_MINUTE, "min"), (1, "s"))
    size, unit = next((pair for pair in sizes if ticks >= pair[0]), sizes[-1])
    return f"{ticks / size:,.1f}".removesuffix(".0") + f" {unit}"
