"""SpreadPicture: a small picture of how long something may take: its density, mean, what is sure. It never asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.session.spread_facts import SpreadFacts
from gui.canvas.axis import TextWidth
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Align, Dash, Label, Line, Polygon, Shape
from gui.theme import DARK, LIGHT, METRICS

_SIZE = (300, 168)
_PAD_PX = 12.0
_LABEL_PX = 16.0
SURE = 0.8
_MIDDLE = 128  # between a dark ground and a light one


@dataclass(frozen=True, slots=True)
class Pictured:
    """What is shown: the facts, the planned length in ticks, and how a length is said."""

    facts: SpreadFacts
    planned: float
    words: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class _Mark:
    at: float
    text: str
    color: str
    dash: Dash


def density_shapes(
    shown: Pictured, size: tuple[float, float], words: tuple[str, str, str], width_of: TextWidth
) -> list[Shape]:
    """The density, its likelier part filled, with marks of what is planned, of the mean, and of what is sure.

    `words` are the names of the three marks.
    """
    facts = shown.facts
    first, last = min(facts.least, shown.planned), max(facts.greatest, shown.planned)
    reach = max(last - first, 1.0)
    first, last = first - 0.06 * reach, last + 0.06 * reach
    left, right, zero = _PAD_PX, size[0] - _PAD_PX, size[1] - _PAD_PX - _LABEL_PX
    top = _PAD_PX + 3 * _LABEL_PX

    def x(tick: float) -> float:
        return left + (tick - first) / (last - first) * (right - left)

    sure = facts.sure_by(SURE)
    shapes: list[Shape] = [Line(((left, zero), (right, zero)), "line")]
    if len(facts.density) > 1:
        curve = tuple((x(tick), zero - height * (zero - top)) for tick, height in facts.density)
        shapes.append(Polygon(((curve[0][0], zero), *curve, (curve[-1][0], zero)), "accent:15"))
        till = _till(curve, x(sure))
        shapes.append(Polygon(((curve[0][0], zero), *till, (till[-1][0], zero)), "accent:25"))
        shapes.append(Line(curve, "accent", 1.5))
    else:
        shapes.append(Line(((x(facts.least), zero), (x(facts.least), top)), "accent", 2.0))
    marks = (
        _Mark(x(shown.planned), words[0], "muted", Dash.DOTTED),
        _Mark(x(facts.mean), words[1], "text", Dash.DASHED),
        _Mark(x(sure), words[2], "accent", Dash.SOLID),
    )
    shapes += _marks(sorted(marks, key=lambda each: each.at), zero, (left, right), width_of)
    shapes.append(_below(left, zero, shown.words(facts.least), Align.LEFT))
    shapes.append(_below(right - 120, zero, shown.words(facts.greatest), Align.RIGHT))
    return shapes


def _till(curve: tuple[tuple[float, float], ...], end: float) -> list[tuple[float, float]]:
    """The part of a curve that lies left of a place."""
    found = [curve[0]]
    for before, after in pairwise(curve):
        if after[0] >= end:
            share = (end - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
            return [*found, (max(end, before[0]), before[1] + share * (after[1] - before[1]))]
        found.append(after)
    return found


def _marks(marks: list[_Mark], zero: float, room: tuple[float, float], width_of: TextWidth) -> Iterator[Shape]:
    """Uprights with words at their upper ends, a row each, to that side where they have room, never struck through."""
    labels = []
    for row, mark in enumerate(marks):
        wide = width_of(mark.text, METRICS.label_px, False) + 4
        left = mark.at + 4 if mark.at + 4 + wide <= room[1] else max(mark.at - 4 - wide, room[0])
        top = _PAD_PX + row * _LABEL_PX
        labels.append(Label(left, top, wide, mark.text, mark.color, px=METRICS.label_px, h=_LABEL_PX))
    yield from labels
    for row, mark in enumerate(marks):
        top = labels[row].y + 2
        for label in labels[row:]:
            if label.x <= mark.at <= label.x + label.w:
                if label.y > top:
                    yield Line(((mark.at, top), (mark.at, label.y)), mark.color, 1.0, mark.dash)
                top = label.y + label.h
        yield Line(((mark.at, top), (mark.at, zero)), mark.color, 1.0, mark.dash)


def _below(left: float, zero: float, words: str, align: Align) -> Label:
    return Label(left, zero + 2, 120, words, "muted", align, px=METRICS.label_px, h=_LABEL_PX)


class SpreadPicture(QWidget):
    """Draws what a spread says; nothing while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: Pictured | None = None
        self.setAccessibleName(self.tr("How likely each length is"))

    def show_spread(self, shown: Pictured | None) -> None:
        """Another spread, or none."""
        self.shown = shown
        self.setAccessibleDescription(" ".join(self._names(shown)) if shown is not None else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(*_SIZE)

    def minimumSizeHint(self) -> QSize:
        return QSize(_SIZE[0] * 2 // 3, _SIZE[1])

    def _names(self, shown: Pictured) -> tuple[str, str, str]:
        planned = self.tr("planned {length}").format(length=shown.words(shown.planned))
        mean = self.tr("mean {length}").format(length=shown.words(shown.facts.mean))
        sure = self.tr("80 % within {length}").format(length=shown.words(shown.facts.sure_by(SURE)))
        return planned, mean, sure

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.shown is not None:
            painter = QPainter(self)
            size = float(self.width()), float(self.height())
            theme = DARK if self.palette().window().color().lightness() < _MIDDLE else LIGHT
            draw(painter, density_shapes(self.shown, size, self._names(self.shown), text_width), theme)
            painter.end()
