"""What is typed as the kind and lag of a link: read back as it is said, and refused where it means nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.model import DAY, Calendar, Clock, Dependency, DependencyKind, Lag, LagKind, Plan, Spread, SpreadKind, Task
from engine.session.typed_links import link_text, longest_text, of_kind, typed_link

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


@pytest.mark.parametrize(
    ("text", "lag", "longest", "said"),
    [
        ("FS+1d max 3d", Lag(WORKDAY), 3 * WORKDAY, "FS+1d max 3d"),
        ("max 2ed", Lag(0, LagKind.ELAPSED), 2 * DAY, "FS max 2ed"),
        ("fs-1d at most 0", Lag(-WORKDAY), 0, "FS-1d max 0"),
        ("FS<=50%", Lag(0, LagKind.PERCENT), 50, "FS max 50%"),
    ],
)
def test_that_a_longest_lag_is_typed_behind_the_lag_and_found_there_again(
    text: str, lag: Lag, longest: int, said: str
) -> None:
    after = typed_link(PLAN, LINK, text).after
    assert (after.kind, after.lag, after.longest) == (DependencyKind.FS, lag, longest)
    assert link_text(PLAN, after) == said
    assert typed_link(PLAN, LINK, said).after.longest == longest
    assert typed_link(PLAN, after, "FS").after == LINK


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("FS+3d max 1d", "cannot be “1d” at most"),
        ("FS+3d max 4ed", "counted otherwise"),
        ("FS max soon", "“soon” cannot be read"),
    ],
)
def test_that_a_longest_lag_that_cannot_be_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        typed_link(PLAN, LINK, text)


@pytest.mark.parametrize(
    ("text", "spread", "said"),
    [
        ("FS+2d ±1d", (1, 2, 3), "FS+2d range 1d..2d..3d"),
        ("ss-1d max 5d range -2d..-1d..4d", (-2, -1, 4), "SS-1d max 5d range -2d..-1d..4d"),
        ("FS~pert 0d 1d 4d", (0, 1, 4), "FS range pert 0d 1d 4d"),
    ],
)
def test_that_a_lag_that_is_not_certain_is_typed_and_found_there_again(
    text: str, spread: tuple[int, int, int], said: str
) -> None:
    after = typed_link(PLAN, LINK, text).after
    assert after.spread is not None
    assert (after.spread.low, after.spread.likely, after.spread.high) == tuple(day * WORKDAY for day in spread)
    assert link_text(PLAN, after) == said
    assert typed_link(PLAN, LINK, said).after == after
    assert typed_link(PLAN, after, "FS").after == LINK
    assert longest_text(PLAN, after) == ("5d" if "max" in said else "")


def test_that_percent_of_a_lag_is_a_range_and_a_wrong_one_is_refused() -> None:
    assert typed_link(PLAN, LINK, "FS+2ed range 50%..200%").after.spread == Spread(SpreadKind.UNIFORM, 50, 125, 200)
    with pytest.raises(PlanError, match="“soon” is no range"):
        typed_link(PLAN, LINK, "FS+2d range soon")
    with pytest.raises(PlanError, match="counted in elapsed time"):
        typed_link(PLAN, LINK, "FS+2ed range 1d..2d")
