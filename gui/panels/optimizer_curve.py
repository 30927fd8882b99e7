"""The best plan over time as a curve that falls, and below it what no plan can beat. It never searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.canvas.axis import TextWidth
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Align, Box, Dash, Label, Line, Shape
from gui.theme import LIGHT, METRICS

_PAD_PX = 8.0
_LABEL_PX = 16.0
_LEAST_SECONDS = 1.0
_SIZE = (280, 120)


@dataclass(frozen=True, slots=True)
class Course:
    """(seconds, value) of each plan that was the best of its time, what no plan can beat, and how long it took so far.

    `words` says a value.
    """

    steps: tuple[tuple[float, int], ...]
    bound: int | None
    seconds: float
    words: Callable[[int], str]


def curve_shapes(course: Course, width: float, height: float, width_of: TextWidth) -> list[Shape]:
    """The curve, its last value at its end, the bound dashed, and the seconds below."""
    values = [value for _, value in course.steps]
    levels = values if course.bound is None else [*values, course.bound]
    if not values:
        return []
    top, zero = _PAD_PX + _LABEL_PX, height - _LABEL_PX - _PAD_PX
    least, most = min(levels), max(levels)
    named = [course.words(level) for level in (values[-1], *([] if course.bound is None else [course.bound]))]
    right = width - 2 * _PAD_PX - max(width_of(words, METRICS.label_px, False) for words in named)
    span, seconds = max(most - least, 1), max(course.seconds, course.steps[-1][0], _LEAST_SECONDS)

    def x(at: float) -> float:
        return _PAD_PX + at / seconds * (right - _PAD_PX)

    def y(value: int) -> float:
        return zero - (value - least) / span * (zero - top) if most > least else (zero + top) / 2

    shapes: list[Shape] = [Line(((_PAD_PX, zero + 4), (right, zero + 4)), "line")]
    if course.bound is not None:
        shapes.append(Line(((_PAD_PX, y(course.bound)), (right, y(course.bound))), "muted", 1.0, Dash.DASHED))
    points: list[tuple[float, float]] = []
    for at, value in course.steps:
        points += [(x(at), points[-1][1])] if points else []
        points.append((x(at), y(value)))
    points.append((right, points[-1][1]))
    shapes.append(Line(tuple(points), "accent", 2.0))
    shapes += [Box(x(at) - 2, y(value) - 2, 4, 4, "accent", radius=2) for at, value in course.steps]
    shapes += _labels(course, (right + _PAD_PX, y, zero), named)
    shapes.append(_below(_PAD_PX, zero, "0 s", Align.LEFT))
    shapes.append(_below(right - 80, zero, f"{seconds:.0f} s", Align.RIGHT))
    return shapes


def _labels(course: Course, place: tuple[float, Callable[[int], float], float], named: Sequence[str]) -> list[Shape]:
    """Value and bound at the right; where they are one, or too near each other, the value alone or pushed apart."""
    left, y, zero = place
    best = y(course.steps[-1][1])
    shapes = [_beside(left, best, named[0], "accent", is_bold=True)]
    if course.bound is not None and course.bound != course.steps[-1][1]:
        low = max(y(course.bound), best + _LABEL_PX)
        shapes.append(_beside(left, min(low, zero + _LABEL_PX), named[1], "muted"))
    return shapes


def _beside(left: float, y: float, words: str, color: str, *, is_bold: bool = False) -> Shape:
    top = y - _LABEL_PX / 2
    return Label(left, top, 120, words, color, is_bold=is_bold, px=METRICS.label_px, h=_LABEL_PX)


def _below(left: float, zero: float, words: str, align: Align) -> Shape:
    return Label(left, zero + 6, 80, words, "muted", align, px=METRICS.label_px, h=_LABEL_PX)


class CurveView(QWidget):
    """Draws a course; nothing while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.course: Course | None = None
        self.setAccessibleName(self.tr("What the best plan is worth over time"))
        self.setToolTip(
            self.tr(
                "The best plan so far over the seconds of the search; dashed: no plan can be below.\n"
                "eh and ed are hours and days by the clock; the lateness of urgent tasks counts more."
            )
        )

    def show_course(self, course: Course | None) -> None:
        """Another course."""
        self.course = course
        bound = "" if course is None or course.bound is None else course.words(course.bound)
        best = course.words(course.steps[-1][1]) if course is not None and course.steps else ""
        said = self.tr("Best so far {best}; no plan is below {bound}") if bound else self.tr("Best so far {best}")
        self.setAccessibleDescription(said.format(best=best, bound=bound) if best else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(*_SIZE)

    def minimumSizeHint(self) -> QSize:
        return QSize(_SIZE[0] // 2, _SIZE[1] // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.course is not None:
            painter = QPainter(self)
            draw(painter, curve_shapes(self.course, self.width(), self.height(), text_width), self.theme)
            painter.end()
