"""Links drawn from bar to bar, and links whose ends go elsewhere, in numbers."""

import pytest

from engine.model import Dependency, DependencyKind, Lag
from engine.session.edits import AddLink, ChangeLink
from gui.gantt.bars import Layout
from gui.gantt.hit import Hit, Part
from gui.gantt.interactions import LinkGesture, ReconnectGesture, link_kind
from tests.gui.gantt.plans import frames, layout_of


@pytest.mark.parametrize(
    ("part", "share", "kind"),
    [
        (Part.FINISH_DOT, 0.1, DependencyKind.FS),
        (Part.FINISH_DOT, 0.9, DependencyKind.FF),
        (Part.START_DOT, 0.1, DependencyKind.SS),
        (Part.START_DOT, 0.9, DependencyKind.SF),
    ],
)
def test_that_the_ends_decide_the_kind_of_a_link(part: Part, share: float, kind: DependencyKind) -> None:
    layout = layout_of(frames())
    target = layout.bar(3)
    gesture = LinkGesture(layout, Hit(5, part))
    place = (target.left + share * (target.right - target.left), target.y + 12)
    assert gesture.move(layout, place) == AddLink(Dependency(5, 4, kind))
    assert gesture.target == 4
    assert gesture.rubber(layout, place)[1] == place


def test_that_a_link_let_go_on_empty_ground_or_on_its_own_bar_is_none() -> None:
    layout = layout_of(frames())
    gesture = LinkGesture(layout, Hit(5, Part.FINISH_DOT))
    own, other = layout.bar(4), layout.bar(3)
    gesture.move(layout, (other.left + 2, other.y + 12))
    for place in ((other.right + 200, other.y + 12), (own.left + 9, own.y + 12), (10.0, 900.0)):
        assert gesture.move(layout, place) is None
        assert gesture.target is None
        assert gesture.release() is None


def test_that_the_four_kinds_are_the_four_pairs_of_ends() -> None:
    assert {link_kind(a, b) for a in (True, False) for b in (True, False)} == set(DependencyKind)


def near_start(layout: Layout, row: int) -> tuple[float, float]:
    bar = layout.bar(row)
    return bar.left + 2, bar.y + 12


def near_finish(layout: Layout, row: int) -> tuple[float, float]:
    bar = layout.bar(row)
    return bar.right - 2, bar.y + 12


def test_that_either_end_of_a_link_is_carried_to_another_bar_and_its_lag_stays() -> None:
    layout = layout_of(frames())
    link = Dependency(2, 3, lag=Lag(7))
    head, tail = ReconnectGesture(link, is_successor=True), ReconnectGesture(link, is_successor=False)
    assert head.move(layout, near_start(layout, 4)) == ChangeLink(link, Dependency(2, 5, lag=Lag(7)))
    assert head.target == 5
    assert head.rubber(layout, (0.0, 0.0))[0] == (layout.bar(1).right, layout.bar(1).y + 11)
    assert tail.move(layout, near_finish(layout, 4)) == ChangeLink(link, Dependency(5, 3, lag=Lag(7)))
    assert tail.rubber(layout, (0.0, 0.0))[0] == (layout.bar(2).left, layout.bar(2).y + 11)


def test_that_an_end_carried_to_the_other_end_of_its_own_bar_changes_the_kind() -> None:
    layout = layout_of(frames())
    link = Dependency(2, 3)
    head, tail = ReconnectGesture(link, is_successor=True), ReconnectGesture(link, is_successor=False)
    assert head.move(layout, near_finish(layout, 2)) == ChangeLink(link, Dependency(2, 3, DependencyKind.FF))
    assert tail.move(layout, near_start(layout, 1)) == ChangeLink(link, Dependency(2, 3, DependencyKind.SS))


def test_that_an_end_let_go_where_it_was_or_on_the_ground_leaves_the_link() -> None:
    layout = layout_of(frames())
    head = ReconnectGesture(Dependency(2, 3), is_successor=True)
    for place in (near_start(layout, 2), near_start(layout, 1), (900.0, 900.0)):
        assert head.move(layout, place) is None
        assert head.release() is None
