"""What is typed as the kind and lag of a link: read back as it is said, and refused where it means nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.model import DAY, Calendar, Clock, Dependency, DependencyKind, Lag, LagKind, Plan, Task
from engine.session.typed_links import link_text, of_kind, typed_link

WORKDAY = 8 * 3600
TASKS = (Task(2, "Frame", WORKDAY), Task(3, "Roof", WORKDAY))
PLAN = Plan("week", Clock.CALENDAR, 0, TASKS, (Dependency(2, 3),), Calendar.standard(), next_task_id=4)
LINK = Dependency(2, 3)


@pytest.mark.parametrize(
    ("text", "kind", "lag"),
    [
        ("FS", DependencyKind.FS, Lag()),
        ("ss-1d", DependencyKind.SS, Lag(-WORKDAY)),
        (" FF + 2ed ", DependencyKind.FF, Lag(2 * DAY, LagKind.ELAPSED)),
        ("SF+50%", DependencyKind.SF, Lag(50, LagKind.PERCENT)),
    ],
)
def test_that_kind_and_lag_are_read(text: str, kind: DependencyKind, lag: Lag) -> None:
    edit = typed_link(PLAN, LINK, text)
    assert edit.before == LINK
    assert edit.after == Dependency(2, 3, kind, lag)


@given(st.sampled_from(DependencyKind), st.integers(-400, 400), st.sampled_from(LagKind))
def test_that_what_is_said_of_a_link_is_read_back_as_the_same(kind: DependencyKind, amount: int, lag: LagKind) -> None:
    link = Dependency(2, 3, kind, Lag(amount if lag.is_percent else amount * 60, lag if amount else LagKind.WORKING))
    assert typed_link(PLAN, LINK, link_text(PLAN, link)).after == link


@pytest.mark.parametrize("text", ["soon", "FS+", "7FS", "FS,SS", "FS+2 moons"])
def test_that_what_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(PlanError, match="cannot be read: write FS\\+3d"):
        typed_link(PLAN, LINK, text)


def test_that_another_kind_keeps_the_lag() -> None:
    assert of_kind(Dependency(2, 3, lag=Lag(60)), DependencyKind.SS).after == Dependency(
        2, 3, DependencyKind.SS, Lag(60)
    )
