"""What in a plan's dates needs a person, as one list."""

from __future__ import annotations

from dataclasses import replace

from engine.model import ConstraintKind, Dependency, Plan
from engine.session.document import Document
from engine.session.problems import CYCLE, cycle_sentence, problems
from tests.engine.model.strategies import HOUR, MONDAY, office


def broken(plan: Plan) -> Plan:
    """The plan with a task that must be done before its predecessor is."""
    last = replace(plan.task(3), constraint=ConstraintKind.MUST_FINISH_ON, constraint_at=MONDAY + HOUR)
    return plan.with_tasks([last])


def test_that_a_sound_plan_has_no_problems() -> None:
    state = Document(office()).state
    assert problems(state) == ()
    assert cycle_sentence(state) == ""


def test_that_a_broken_constraint_is_a_problem_of_its_task() -> None:
    (found,) = problems(Document(broken(office())).state)
    assert (found.task, found.kind) == (3, "mfo")
    assert "“Build” must finish on" in found.sentence


def test_that_a_cycle_stands_first_and_names_its_tasks() -> None:
    plan = replace(office(), dependencies=(Dependency(2, 3), Dependency(3, 2)))
    state = Document(plan).state
    first = problems(state)[0]
    assert (first.task, first.kind, first.chain) == (2, CYCLE, (2, 3))
    assert first.sentence == cycle_sentence(state)
    assert "“Design” → “Build” → “Design”" in first.sentence
