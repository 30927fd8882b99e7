"""Giving a task its operation: what one edit adds, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import Buffer, Clock, Fill, FillKind, Plan, Resource, ResourceKind, Task
from engine.program.compiler import compile_plan
from engine.program.profile import estimate_durations
from engine.schedule.cpm import schedule
from engine.session.document import Document
from engine.session.edits import AddTask, SetOperation
from tests.engine.model.strategies import office
from tests.engine.program.plans import CPU, copy_in, copy_out, empty, kernel, seeded

STREAM = Resource(1, "Stream 1", ResourceKind.STREAM)
SHAPE = (64,)


def bare(*names: str) -> Plan:
    plan = Plan("bare", Clock.DEVICE, resources=(STREAM,))
    for name in names:
        plan = AddTask(name).apply(plan)
    return plan


def refused(edit: SetOperation, plan: Plan) -> str:
    with pytest.raises(PlanError) as caught:
        edit.apply(plan)
    return caught.value.sentence


def built() -> Plan:
    """Copy in, double, copy out, from nothing."""
    plan = bare("in", "double", "out")
    for edit in (
        SetOperation(1, copy_in("x"), "Stream 1", (seeded("x", SHAPE),)),
        SetOperation(2, kernel("saxpy", ("x", "x"), ("y",)), "Stream 1", (empty("y", SHAPE),)),
        SetOperation(3, copy_out("y"), "Stream 1"),
    ):
        plan = edit.apply(plan)
    return plan


def test_that_a_plan_built_from_nothing_compiles_with_durations_from_its_costs() -> None:
    plan = built().check()
    costs = estimate_durations(plan, CPU)
    program = compile_plan(plan, schedule(plan, costs), CPU)
    assert [op.name for op in program.operations] == ["in", "double", "out"]
    assert program.outputs == ("y",)
    assert [op.cost_ns for op in program.operations] == [costs[task.id] for task in plan.tasks]


def test_that_buffers_stream_and_assignment_are_one_step_to_undo() -> None:
    document = Document(bare("in"))
    before = document.state.plan
    document.execute(SetOperation(1, copy_in("x"), " Copies ", (seeded("x", SHAPE),), duration=5_000))
    plan = document.state.plan.check()
    assert [stream.name for stream in plan.streams] == ["Stream 1", "Copies"]
    assert plan.stream_of == {1: 2}
    assert (plan.task(1).duration, plan.task(1).is_duration_typed) == (5_000, True)
    assert document.state.undo_label == "Set the operation of “in”"
    assert document.undo().plan == before


def test_that_what_only_the_earlier_operation_used_goes() -> None:
    plan = built()
    other = SetOperation(2, kernel("tanh", ("x",), ("z",)), "Stream 1", (empty("z", SHAPE),)).apply(plan)
    assert {buffer.id for buffer in other.buffers} == {"x", "y", "z"}
    last = SetOperation(3, copy_out("z"), "Stream 1").apply(other)
    assert {buffer.id for buffer in last.buffers} == {"x", "z"}
    assert last.check() is last


def test_that_the_same_operation_again_changes_nothing() -> None:
    plan = built()
    assert SetOperation(3, copy_out("y"), "Stream 1").apply(plan) is plan


def test_that_what_a_kernel_cannot_do_is_refused_in_its_words() -> None:
    plan = built()
    assert refused(SetOperation(2, kernel("saxpy", ("x",), ("y",)), "Stream 1"), plan) == (
        "“double” cannot run so. The kernel saxpy takes buffers 2 to read and 1 to write, not 1 and 1."
    )
    assert "no parameter" in refused(SetOperation(2, kernel("tanh", ("x",), ("y",), gain=2.0), "Stream 1"), plan)
    assert "no kernel" in refused(SetOperation(2, kernel("frob", ("x",), ("y",)), "Stream 1"), plan)
    other = (Buffer("z", (3, 3)),)
    assert "one shape" in refused(SetOperation(2, kernel("tanh", ("x",), ("z",)), "Stream 1", other), plan)
    assert "not in the plan" in refused(SetOperation(3, copy_out("nowhere"), "Stream 1"), plan)


def test_that_other_impossible_wishes_are_refused() -> None:
    plan = built()
    out = copy_out("y")
    assert "needs a stream" in refused(SetOperation(3, out, "  "), plan)
    assert "less than no time" in refused(SetOperation(3, out, "Stream 1", duration=-1), plan)
    assert "already" in refused(SetOperation(3, out, "Stream 1", (empty("x", SHAPE),)), plan)
    assert "needs a name" in refused(SetOperation(3, out, "Stream 1", (empty(" ", SHAPE),)), plan)
    assert "shape" in refused(SetOperation(3, out, "Stream 1", (empty("z", (0,)),)), plan)
    seed = Buffer("z", SHAPE, fill=Fill(FillKind.SEED, -1))
    assert "seed" in refused(SetOperation(3, out, "Stream 1", (seed,)), plan)
    held = replace(plan, tasks=(*plan.tasks, Task(4, "part", parent=1)), next_task_id=5)
    assert "holds other tasks" in refused(SetOperation(1, out, "Stream 1"), held)
    assert "device plan" in refused(SetOperation(2, out, "Stream 1"), office())
