"""Plans that cross to another process: whatever was edited arrives as it is, and what was not is not sent again."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.model import Assignment, Plan, Resource, Task
from engine.optimize.aim import Aim
from engine.optimize.problem import Objective
from engine.process.plan_wire import PlanReceiver, PlanSender
from engine.process.questions import TryPlans
from engine.process.solve_messages import Cancel, SolveRequest
from tests.engine.model.strategies import HOUR, office
from tests.engine.schedule.strategies import plans
from tests.engine.schedule.test_passes import edits

MAKESPAN = Aim.lexicographic(Objective.MAKESPAN)


class Wire:
    """Both ends in one place, without a pipe between them."""

    def __init__(self) -> None:
        self.sender, self.receiver = PlanSender(), PlanReceiver()
        self.sizes: list[int] = []

    def carried(self, message: object) -> object:
        packed = self.sender.pack(message)
        self.sender.sent(packed)
        self.sizes.append(len(packed.body))
        return self.receiver.load(packed.body)


def long_plan(count: int) -> Plan:
    tasks = tuple(Task(number, f"Task {number}", HOUR) for number in range(1, count + 1))
    return replace(office(), tasks=tasks, dependencies=(), next_task_id=count + 1)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_that_every_plan_arrives_as_it_was_sent_whatever_was_edited(data: st.DataObject) -> None:
    wire, plan = Wire(), data.draw(plans())
    for _ in range(4):
        assert wire.carried(plan) == plan
        plan = data.draw(edits(plan))


def test_that_a_plan_after_an_edit_is_a_few_bytes_and_shares_what_it_was_not_about() -> None:
    wire, plan = Wire(), long_plan(500)
    first = wire.carried(plan)
    edited = plan.with_task(replace(plan.tasks[7], duration=3 * HOUR))
    second = wire.carried(edited)
    assert isinstance(first, Plan)
    assert isinstance(second, Plan)
    assert second == edited
    assert wire.sizes[1] < wire.sizes[0] / 20
    assert second.rows is first.rows
    assert all(one is two for one, two in zip(first.tasks[8:], second.tasks[8:], strict=True))


def test_that_rows_put_in_and_taken_out_and_other_fields_arrive() -> None:
    wire, plan = Wire(), long_plan(50)
    wire.carried(plan)
    new = Task(51, "New", HOUR)
    inserted = replace(plan, tasks=(*plan.tasks[:20], new, *plan.tasks[20:]), next_task_id=52)
    removed = replace(inserted, tasks=(*inserted.tasks[:3], *inserted.tasks[9:]))
    staffed = replace(removed, resources=(Resource(9, "Lathe"),), assignments=(Assignment(1, 9),))
    moved = replace(staffed, tasks=staffed.tasks[::-1])
    for each in (inserted, removed, staffed, moved, plan):
        assert wire.carried(each) == each


def test_that_a_request_that_was_packed_and_never_sent_is_no_base_for_the_next() -> None:
    wire, plan = Wire(), long_plan(20)
    wire.carried(plan)
    wire.sender.pack(replace(plan, name="Never sent"))
    other = plan.with_task(replace(plan.tasks[0], name="Sent"))
    assert wire.carried(other) == other


def test_that_requests_packed_at_once_arrive_in_whatever_order_they_are_sent() -> None:
    wire, plan = Wire(), long_plan(20)
    wire.carried(plan)
    edited = [plan.with_task(replace(plan.tasks[row], duration=row * HOUR)) for row in (1, 2)]
    packed = [wire.sender.pack(each) for each in edited]
    for at in (1, 0):
        wire.sender.sent(packed[at])
        assert wire.receiver.load(packed[at].body) == edited[at]


def test_that_all_plans_of_one_message_arrive_and_messages_without_a_plan_do_too() -> None:
    wire, plan = Wire(), long_plan(200)
    others = tuple(plan.with_task(replace(task, duration=0)) for task in plan.tasks[:9])
    question = wire.carried(TryPlans((plan, *others), MAKESPAN, 1))
    assert isinstance(question, TryPlans)
    assert question.plans == (plan, *others)
    assert wire.sizes[0] < 2 * len(PlanSender().pack(plan).body)
    assert wire.carried(Cancel()) == Cancel()
    request = wire.carried(SolveRequest(3, others[0], MAKESPAN, kept=(2,)))
    assert isinstance(request, SolveRequest)
    assert (request.plan, request.kept) == (others[0], (2,))


def test_that_a_plan_is_near_the_one_before_as_long_as_little_of_it_is_new() -> None:
    wire, plan = Wire(), long_plan(500)
    assert not wire.sender.is_near(plan)
    wire.carried(plan)
    assert wire.sender.is_near(plan)
    assert wire.sender.is_near(plan.with_task(replace(plan.tasks[7], duration=3 * HOUR)))
    assert wire.sender.is_near(replace(plan, name="another"))
    assert not wire.sender.is_near(long_plan(500))
    assert not wire.sender.is_near(long_plan(5_001))
