"""The verb `risk`: how sure the dates of a file are, as a document. It never changes the file."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from engine.errors import SolverError
from engine.headless.interrupts import heed_interrupts
from engine.headless.schedule import instant, instant_words, load_state
from engine.model import Plan, Ticks
from engine.process.risk_client import RiskClient
from engine.risk.answers import PERCENTS, Answers, FinishAnswer, Spot
from engine.risk.costs import CostAnswers
from engine.risk.sensitivity import Swing
from engine.session.experience import read_experience, read_sample
from engine.session.risk_edits import SetFamilySpread
from engine.session.risking import RiskJob, RiskOptions, is_uncertain
from engine.session.state import State

DONE = 0
_AT_80 = PERCENTS.index(80)
_CERTAIN = (
    "Nothing in this plan may come otherwise than planned, so all samples are alike: give tasks ranges in the window,"
    " or here by --experience or --empirical.\n"
)


def answer(arguments: argparse.Namespace) -> tuple[int, object, str]:
    """Exit code, document and text of a simulation.

    Raises EngineError for a plan that cannot be simulated, KeyboardInterrupt when it is interrupted.
    """
    state = _with_ranges(load_state(arguments.file), arguments.empirical, arguments.experience)
    if not is_uncertain(state.plan):
        sys.stderr.write(_CERTAIN)
    job = asyncio.run(_simulate(state, RiskOptions(arguments.samples, arguments.seed, device=arguments.device)))
    if job.ended is not None and job.ended.sentence:
        raise SolverError(job.ended.sentence, ids=job.ended.ids)
    if job.answers is None or job.answers.count < arguments.samples:
        raise KeyboardInterrupt
    if job.ended is not None and job.ended.setback:
        sys.stderr.write(f"{job.ended.setback} The processor has drawn the same samples.\n")
    return DONE, risk_document(state.plan, job.answers), _text(state.plan, job.answers)


def _with_ranges(state: State, empirical: str | None, experience: str | None) -> State:
    """The plan with ranges for all tasks that have none: of finished tasks first, then those of a table's column."""
    plan = state.plan
    if experience is not None:
        plan = read_experience(experience, plan).apply(plan)
    if empirical is not None:
        path, _, column = empirical.rpartition(":")
        found = read_sample(path, plan, column) if path else read_sample(column, plan)
        plan = SetFamilySpread("", found.spread).apply(plan)
    return replace(state, plan=plan)


async def _simulate(state: State, options: RiskOptions) -> RiskJob:
    client = RiskClient()
    job = RiskJob(state, client, options)
    running = asyncio.ensure_future(job.run())
    try:
        with heed_interrupts(running.cancel), suppress(asyncio.CancelledError):
            await running
        return job
    finally:
        await client.close()


def risk_document(plan: Plan, answers: Answers) -> dict[str, object]:
    """The document: when it is done, deadlines, and each task; each figure with its interval of 95 %."""
    return {
        "clock": plan.clock.value,
        "samples": answers.count,
        "seed": answers.seed,
        "planned_finish": _at(plan, answers.planned),
        "finish": _finish(plan, answers.project),
        "items": [{"uid": item.task, **_finish(plan, item)} for item in answers.items],
        "deadlines": [
            {"uid": each.task, "deadline": _at(plan, each.deadline), "chance": each.chance.value}
            | {"chance_low": each.chance.low, "chance_high": each.chance.high}
            for each in answers.deadlines
        ],
        "tasks": list(_tasks(plan, answers)),
        "task_samples": answers.row_count,
        "swings": [_swing(each) for each in answers.swings],
        "drivers": [_swing(each) for each in answers.drivers],
        "convergence": [{"samples": count, **_spot(plan, "p80", spot)} for count, spot in answers.convergence],
        "cost": None if answers.costs is None else _cost(answers.costs),
    }


def _finish(plan: Plan, found: FinishAnswer) -> dict[str, object]:
    spots = zip(PERCENTS, (found.p10, found.p50, found.p80, found.p90), strict=True)
    named = [_spot(plan, f"p{percent}", spot) for percent, spot in spots]
    return {key: value for each in named for key, value in each.items()} | {"mean": _at(plan, found.mean)}


def _spot(plan: Plan, name: str, spot: Spot) -> dict[str, object]:
    return {name: _at(plan, spot.value), f"{name}_low": _at(plan, spot.low), f"{name}_high": _at(plan, spot.high)}


def _tasks(plan: Plan, answers: Answers) -> Iterator[dict[str, object]]:
    for row, task in enumerate(plan.tasks):
        yield {
            "uid": task.id,
            "name": task.name,
            "criticality": float(answers.criticality[row]),
            "cruciality": round(float(answers.cruciality[row]), 6),
            "p80_finish": _at(plan, int(answers.row_finish[row, _AT_80])),
        }


def _swing(swing: Swing) -> dict[str, object]:
    numbers = {
        "correlation": round(swing.correlation, 6),
        "low_ticks": round(swing.low),
        "high_ticks": round(swing.high),
    }
    before = {} if swing.before is None else {"before": swing.before}
    return {"kind": swing.kind.value, "id": swing.id, **before, "name": swing.name, **numbers}


def _cost(costs: CostAnswers) -> dict[str, float]:
    return {f"p{percent}": costs.at(percent / 100) for percent in PERCENTS} | {"mean": float(costs.costs.mean())}


def _at(plan: Plan, ticks: Ticks) -> int | str:
    return instant(plan, ticks)


def _text(plan: Plan, answers: Answers) -> str:
    found = answers.project
    planned = instant_words(plan, answers.planned)
    lines = [f"planned finish {planned}; of {answers.count:,} samples, seed {answers.seed}:"]
    for percent, spot in zip(PERCENTS, (found.p10, found.p50, found.p80, found.p90), strict=True):
        between = f"{instant_words(plan, spot.low)} to {instant_words(plan, spot.high)}"
        lines.append(f"P{percent}  {instant_words(plan, spot.value)}  (95 %: {between})")
    chance = answers.chance_by(answers.planned)
    lines.append(f"done as planned with a chance of {chance.value:.0%}")
    return "\n".join(lines)
