"""Why a task is late: the chain back to what began it, and plans that give way."""

from importlib import resources

from engine.model import ConstraintKind
from engine.process.questions import Tried
from engine.session.date_edits import SetConstraint
from engine.session.document import Document
from engine.session.lateness import Cause, Relaxing, explain, find_late, gains_of, longer_hours, one_more
from engine.session.state import State

SHIPPED = 13  # of the second order
HOUR = 3600


def line() -> State:
    with resources.as_file(resources.files("resources.samples") / "assembly-line.loom") as path:
        return Document.load(path).state


def test_that_the_late_task_is_found_by_itself_by_its_summary_or_without_being_asked() -> None:
    state = line()
    assert find_late(state, None) == SHIPPED
    assert find_late(state, 8) == SHIPPED
    assert find_late(state, 7) is None


def test_that_the_chain_goes_back_by_links_and_machines_to_where_nothing_waits() -> None:
    state = line()
    found = explain(state, SHIPPED)
    assert found.late == 3.5 * HOUR
    assert [each.cause for each in found.chain[:3]] == [Cause.LINK, Cause.LINK, Cause.MACHINE]
    assert found.chain[2].sentence == (
        "“Mill” is busy with “mill” of Order 1 · Pump housing until then, and is set up for “shaft”"
    )
    assert found.chain[-1].cause is Cause.DATE
    starts = [state.schedule.start_of(each.task) for each in found.chain]
    assert starts == sorted(starts, reverse=True)


def test_that_a_date_asked_of_a_task_in_the_chain_ends_it_and_may_give_way() -> None:
    state = line()
    at = state.schedule.start_of(11)
    plan = SetConstraint(11, ConstraintKind.MUST_START_ON, at).apply(state.plan)
    pinned = Document(plan).state
    found = explain(pinned, SHIPPED)
    assert (found.chain[-1].task, found.chain[-1].cause) == (11, Cause.DATE)
    assert [each.about for each in found.relaxed if each.kind is Relaxing.PIN] == [11]


def test_that_plans_give_way_in_order_due_dates_machines_and_hours() -> None:
    found = explain(line(), SHIPPED)
    assert [each.kind for each in found.relaxed] == [
        Relaxing.ORDER,
        *[Relaxing.DUE] * 4,
        Relaxing.RESOURCE,
        Relaxing.HOURS,
    ]
    assert found.relaxed[0].plan is found.state.plan


def test_that_one_more_machine_may_do_all_that_the_first_does() -> None:
    plan = line().plan
    more = one_more(plan, 3)
    added = next(each for each in more.resources if each.id not in {one.id for one in plan.resources})
    milled = {use.task for use in plan.assignments if use.resource == 3}
    assert added.name == "Mill"
    assert milled <= {each.task for each in more.alternatives if each.resource == added.id}


def test_that_a_machine_works_two_hours_longer_on_the_days_that_it_works() -> None:
    plan = line().plan
    longer = longer_hours(plan, 3)
    number = next(each.calendar for each in longer.resources if each.id == 3)
    before, after = plan.calendar.week, longer.calendar_of[number].week
    for old, new in zip(before, after, strict=True):
        worked = [sum(shift.end - shift.start for shift in day) for day in (old, new)]
        assert worked[1] - worked[0] == (2 * HOUR if old else 0)


def test_that_what_gains_most_comes_first_and_what_breaks_a_rule_last() -> None:
    found = explain(line(), SHIPPED)
    tried = tuple(
        None if place == 1 else Tried((int(place == 2), 0, 0, 0, 0, 0), found.due + place * HOUR)
        for place in range(len(found.relaxed))
    )
    gains = gains_of(found, tried)
    assert gains[0].relaxed is found.relaxed[0]
    assert {gain.relaxed for gain in gains[-2:]} == {found.relaxed[1], found.relaxed[2]}
