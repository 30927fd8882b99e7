"""Compiled and readable simulation give the same dates and paths, sample by sample; with all fixed, the schedule's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import EngineError
from engine.formats import find_format
from engine.model import DAY, Plan, SpreadKind, Task, TaskRisk
from engine.risk.plain import PlainSimulation
from engine.risk.program import (
    FAST,
    FIXED,
    GENERAL,
    GIVES_LENGTH,
    GIVES_START,
    IS_SIMPLE,
    WAY,
    RiskProgram,
    compile_risk,
)
from engine.risk.simulate import Simulation
from engine.schedule.columns import INACTIVE, LEAF
from engine.schedule.cpm import schedule
from tests.engine.model.strategies import office, pipeline
from tests.engine.risk.plans import certain, drawn, spread, with_spread


def compare(program: RiskProgram, samples: int) -> None:
    simulation = Simulation(program)
    simulation.advance(64)
    found, plain = simulation.samples(samples), PlainSimulation(program)
    nodes = program.network.nodes
    rows = np.array(
        [
            row
            for row, task in enumerate(program.plan.tasks)
            if nodes.role[row] == LEAF and not nodes.flags[row] & INACTIVE
        ],
        dtype=np.int64,
    )
    finishes = found.row_finishes()
    for number in range(samples):
        one = plain.sample(number)
        assert [one.durations[n] for n in sorted(one.durations)] == found.durations[:, number].tolist()
        assert [one.finish[row] for row in rows] == finishes[rows, number].tolist()
        assert one.last == found.finishes[0, number]
    counts = np.zeros(len(program.plan.tasks), dtype=np.int64)
    for number in range(64):
        counts[list(plain.sample(number).path)] += 1
    assert found.on_path.tolist() == counts.tolist()


@pytest.mark.parametrize("seed", range(40))
def test_that_compiled_and_readable_samples_are_equal(seed: int) -> None:
    plan = drawn(seed)
    compare(compile_risk(plan, schedule(plan), seed), 16)


def test_that_dates_are_the_same_where_no_paths_are_asked_for() -> None:
    programs = [compile_risk(plan, schedule(plan), 4) for plan in map(drawn, range(40))]
    for program in programs:
        with_paths, without = Simulation(program), Simulation(program, wants_paths=False)
        with_paths.advance(128)
        without.advance(128)
        assert with_paths.samples().finishes.tolist() == without.samples().finishes.tolist()
    nodes = np.concatenate([program.steps.nodes for program in programs])
    assert (nodes[nodes[:, IS_SIMPLE] == 1, GIVES_LENGTH] == 1).any()


def test_that_every_way_of_dating_a_node_is_among_the_plans_compared() -> None:
    nodes = np.concatenate([compile_risk(plan, schedule(plan)).steps.nodes for plan in map(drawn, range(40))])
    assert {FIXED, FAST, GENERAL} <= set(nodes[:, WAY].tolist())
    simple = nodes[nodes[:, IS_SIMPLE] == 1]
    assert set(simple[:, GIVES_START].tolist()) == {0, 1}
    assert (nodes[nodes[:, WAY] == FAST, IS_SIMPLE] == 0).any()


def test_that_a_device_plan_is_sampled_as_well() -> None:
    plan = with_spread(pipeline(), 2, spread(SpreadKind.NORMAL, 90, 100, 140, deviation=5))
    compare(compile_risk(plan, schedule(plan)), 16)


def test_that_a_plan_of_decades_is_sampled_in_wider_numbers() -> None:
    plan = drawn(3)
    long = Task(90, "Decades", 30 * 365 * DAY, is_elapsed=True, risk=plan.tasks[1].risk or TaskRisk())
    plan = replace(plan, tasks=(*plan.tasks, long)).check()
    program = compile_risk(plan, schedule(plan))
    assert [Simulation(each).is_short for each in (program, compile_risk(drawn(3), schedule(drawn(3))))] == [
        False,
        True,
    ]
    compare(program, 8)


def equals_schedule(plan: Plan) -> None:
    dates = schedule(plan)
    program = compile_risk(plan, dates)
    simulation = Simulation(program)
    simulation.advance(1)
    found = simulation.samples()
    nodes = program.network.nodes
    rows = [row for row in range(len(plan.tasks)) if nodes.role[row] == LEAF and not nodes.flags[row] & INACTIVE]
    finishes = found.row_finishes()[:, 0]
    wrong = [row for row in rows if finishes[row] != dates.finish[row]]
    assert [plan.tasks[row].name for row in wrong] == []
    assert not rows or found.finishes[0, 0] == dates.project_finish


@pytest.mark.parametrize("seed", range(40))
def test_that_with_everything_fixed_the_simulation_is_the_schedule(seed: int) -> None:
    equals_schedule(certain(drawn(seed)))


def test_that_a_plan_without_anything_open_is_its_schedule() -> None:
    equals_schedule(office())
    equals_schedule(pipeline())


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("kind", "least"), [("mspdi", 12), ("gan", 6), ("xer", 4), ("csv", 1), ("ics", 1), ("synthetic", 4)]
)
def test_that_the_plans_of_other_programs_are_their_schedules(kind: str, least: int, corpus: Path) -> None:
    seen = 0
    for path in sorted(each for each in (corpus / "plans" / kind).rglob("*") if each.is_file()):
        try:
            plan = find_format(path).load(path)
            dates = schedule(plan)
        except EngineError:
            continue
        if not dates.cycle:
            equals_schedule(certain(plan))
            seen += 1
    assert seen >= least
