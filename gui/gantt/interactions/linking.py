"""Linking: links drawn from bar to bar, and links whose ends go elsewhere. It never says whether a link may be."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from engine.model import Dependency, DependencyKind, TaskId
from engine.session.edits import AddLink, ChangeLink, Edit
from gui.canvas.shapes import Point
from gui.gantt.bars import MIDDLE_PX, Bar, Layout
from gui.gantt.hit import Hit, Part, hit_at, is_finish_end
from gui.gantt.interactions.gesture import Gesture
from gui.theme import METRICS

_FROM_FINISH = {DependencyKind.FS, DependencyKind.FF}
_TO_FINISH = {DependencyKind.FF, DependencyKind.SF}


class _ToBar(Gesture[Layout]):
    """A line whose loose end is carried to a bar. `fixed` is the task at its other end."""

    height_counts = True

    def __init__(self, task: TaskId, fixed: TaskId, is_at_finish: bool) -> None:
        super().__init__(task)
        self._fixed, self._is_at_finish = fixed, is_at_finish

    def move(self, layout: Layout, at: Point, is_free: bool = False) -> Edit | None:
        hit = hit_at(layout, at, METRICS.row_px)
        self.target = None if hit is None or hit.task == self._fixed else hit.task
        bar = None if self.target is None else layout.bar_of(self.target)
        self._edit = None if bar is None else self._ending(bar, is_finish_end(bar, at[0]))
        return self._edit

    def rubber(self, layout: Layout, at: Point) -> tuple[Point, Point]:
        bar = layout.bar_of(self._fixed)
        if bar is None:
            return at, at
        return (bar.right if self._is_at_finish else bar.left, bar.y + MIDDLE_PX), at

    @abstractmethod
    def _ending(self, bar: Bar, is_finish: bool) -> Edit | None:
        """What comes of the loose end at an end of a bar."""


class LinkGesture(_ToBar):
    """A line drawn from a dot at the end of one bar to another bar; the two ends decide the kind of the link."""

    def __init__(self, layout: Layout, hit: Hit) -> None:
        super().__init__(hit.task, hit.task, hit.part is Part.FINISH_DOT)

    def _ending(self, bar: Bar, is_finish: bool) -> Edit | None:
        return AddLink(Dependency(self._fixed, bar.task.id, link_kind(self._is_at_finish, is_finish)))


class ReconnectGesture(_ToBar):
    """An end of a link carried to another bar, or to the other end of its own; the lag stays."""

    def __init__(self, link: Dependency, is_successor: bool) -> None:
        held, fixed = (link.successor, link.predecessor) if is_successor else (link.predecessor, link.successor)
        super().__init__(held, fixed, link.kind in (_FROM_FINISH if is_successor else _TO_FINISH))
        self._link, self._is_successor = link, is_successor

    def _ending(self, bar: Bar, is_finish: bool) -> Edit | None:
        if self._is_successor:
            after = replace(self._link, successor=bar.task.id, kind=link_kind(self._is_at_finish, is_finish))
        else:
            after = replace(self._link, predecessor=bar.task.id, kind=link_kind(is_finish, self._is_at_finish))
        return None if after == self._link else ChangeLink(self._link, after)


def link_kind(is_from_finish: bool, is_to_finish: bool) -> DependencyKind:
    """The kind of a link by the ends it was drawn from and to."""
    if is_from_finish:
        return DependencyKind.FF if is_to_finish else DependencyKind.FS
    return DependencyKind.SF if is_to_finish else DependencyKind.SS
