"""Advice: each planted inefficiency is found, its gain is that of a run, and the changed plan computes the same."""

from __future__ import annotations

import asyncio
from importlib import resources

import numpy as np
import pytest

from engine.errors import CompileError, PlanError
from engine.formats import loom
from engine.model import Plan
from engine.program.advice import advise
from engine.program.changes import Reorder, SecondBuffer, Unlink, linked
from engine.program.compiler import compile_plan
from engine.program.operation import Program
from engine.program.predict import predict
from engine.program.profile import estimate_durations, load_profile
from engine.runtime.executor import RunControl, RunOutcome, run_program
from engine.runtime.simulated import SimulatedDevice
from engine.schedule.cpm import schedule
from engine.session.advising import find_advice_here
from engine.session.device_edits import TakeAdvice
from engine.session.document import Document
from tests.engine.model.strategies import office
from tests.engine.program.planted import PLANTED, good, one_buffer, pageable
from tests.engine.program.test_idle_time import SAMPLES

H200 = load_profile("h200-like")


def compiled(plan: Plan) -> Program:
    return compile_plan(plan, schedule(plan, estimate_durations(plan, H200)), H200)


def order_of(plan: Plan) -> tuple[int, ...]:
    return tuple(op.task for op in compiled(plan).operations)


def run(plan: Plan, seed: int = 0) -> tuple[int, dict[str, bytes]]:
    """The span on the simulated device, with its jitter, and the outputs."""
    one, device, rows = compiled(plan), SimulatedDevice(H200), []
    device.prepare(one, seed)
    assert asyncio.run(run_program(device, one, 1, RunControl(), rows.append)) == RunOutcome("finished")
    found = np.concatenate(rows)
    return int(found[:, 7].max() - found[:, 6].min()), {name: device.read(name).tobytes() for name in one.outputs}


@pytest.mark.parametrize("kind", PLANTED)
def test_that_a_planted_inefficiency_is_found_and_its_gain_is_that_of_a_run(kind: str) -> None:
    plan = PLANTED[kind]()
    found = {advice.kind: advice for advice in advise(plan, H200)}
    assert kind in found
    advice = found[kind]
    changed = TakeAdvice(advice).apply(plan)
    assert predict(compiled(changed), H200).end_ns_max == advice.after_ns
    for seed in range(4):  # of the data, and of the jitter
        (before_ns, outputs), (after_ns, new_outputs) = run(plan, seed), run(changed, seed)
        assert new_outputs == outputs
        assert advice.gain_ns == pytest.approx(before_ns - after_ns, rel=0.05)


def test_that_advice_comes_by_gain_and_nothing_is_said_of_a_good_plan() -> None:
    gains = [advice.gain_ns for advice in advise(pageable(), H200)]
    assert gains == sorted(gains, reverse=True)
    assert advise(good(), H200) == ()


@pytest.mark.parametrize("name", SAMPLES)
def test_that_advice_on_a_sample_can_be_taken(name: str) -> None:
    with resources.as_file(resources.files("resources") / "samples" / f"{name}.loom") as path:
        plan = loom.load(path)
    for advice in advise(plan, H200):
        changed = TakeAdvice(advice).apply(plan)
        assert predict(compiled(changed), H200).end_ns_max == advice.after_ns < advice.before_ns


def test_that_advice_after_advice_is_as_short_in_the_chart_as_it_was_predicted() -> None:
    with resources.as_file(resources.files("resources") / "samples" / "game-frame.loom") as path:
        document = Document.load(path)
    taken = []
    while advised := find_advice_here(document, document.profile):
        state = document.execute(TakeAdvice(advised[0]))
        assert state.schedule.project_finish - state.plan.start == advised[0].after_ns
        taken.append(advised[0].kind)
    assert taken == ["order", "barrier"]


def test_that_it_ends_when_it_is_no_longer_wanted_and_refuses_what_cannot_run() -> None:
    assert advise(pageable(), H200, is_wanted=lambda: False) == ()
    with pytest.raises(CompileError, match="calendar plan"):
        advise(office(), H200)


def test_that_advice_for_a_plan_that_has_changed_since_is_refused() -> None:
    (advice,) = advise(pageable(), H200)
    with pytest.raises(PlanError, match="has changed since"):
        TakeAdvice(advice).apply(one_buffer())
    assert TakeAdvice(advice).label(pageable()) == "Pin the memory of buffers"


def test_that_a_second_buffer_takes_turns_and_leaves_the_order_of_each() -> None:
    plan = one_buffer()
    changed = SecondBuffer(("raw",)).apply(plan, order_of(plan)).check()
    used = [
        task.operation.reads[0]
        for task in changed.tasks
        if task.operation is not None and task.operation.kind.value == "copy_in"
    ]
    assert used == ["raw", "raw 2"] * 3
    links = {(link.predecessor, link.successor) for link in changed.dependencies}
    assert (2, 4) not in links  # the first kernel no longer holds up the second copy in
    assert (2, 7) in links  # but it does the third, which fills the same buffer again


def test_that_what_a_link_ordered_is_ordered_still_when_the_link_goes() -> None:
    plan = one_buffer()
    order = order_of(plan)
    links = tuple((link.predecessor, link.successor) for link in plan.dependencies)
    changed = Unlink(links).apply(plan, order)
    assert run(changed)[1] == run(plan)[1]
    assert linked(changed, order) is changed


def test_that_a_pin_decides_the_order_on_a_stream() -> None:
    plan = good()
    order = order_of(plan)
    first, second = (task for task in order if plan.stream_of[task] == 1 and "copy in" in plan.task(task).name)
    changed = Reorder(((first, 900_000), (second, 1))).apply(plan, order)
    assert next(op.task for op in compiled(changed).by_stream()[0]) == second
