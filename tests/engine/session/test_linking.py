"""Which links may come into a plan: with its dates at hand the answer comes sooner, and is the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.model import Dependency, DependencyKind, Plan
from engine.schedule import cpm
from engine.schedule.schedule import Schedule
from engine.session.edits import AddLink, ChangeLink, Edit
from tests.engine.schedule.strategies import plans


def outcome(edit: Edit, plan: Plan, dates: Schedule | None) -> object:
    try:
        return edit.apply(plan, dates)
    except EngineError as error:
        return error.sentence, error.ids


@given(plans(), st.data())
@settings(deadline=None, max_examples=100)
def test_that_with_dates_the_same_links_are_refused(plan: Plan, data: st.DataObject) -> None:
    ids, kinds = st.sampled_from([task.id for task in plan.tasks]), st.sampled_from(DependencyKind)
    new = data.draw(st.builds(Dependency, ids, ids, kinds))
    edits: list[Edit] = [AddLink(new)]
    if plan.dependencies:
        edits.append(ChangeLink(data.draw(st.sampled_from(plan.dependencies)), new))
    for edit in edits:
        assert outcome(edit, plan, cpm.schedule(plan)) == outcome(edit, plan, None)
