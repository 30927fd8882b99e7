"""Shapes: what a scene is made of, in logical pixels. They never know what they stand for, nor how they are drawn.

A color is a token of the theme, optionally with an opacity in percent ("accent:25"); an empty one draws nothing. A
frame makes hundreds of shapes: most are tuples, which are made in a third of the time that a frozen class takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gui.theme import METRICS

Point: TypeAlias = tuple[float, float]


class Dash(Enum):
    """How a line or an outline runs."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"

    __hash__ = object.__hash__


class Align(Enum):
    """Where a label stands between its left and its right edge."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"

    __hash__ = object.__hash__


class Box(NamedTuple):
    """A rectangle; the outline, `width` wide, runs inside it. Edges are drawn on whole device pixels."""

    x: float
    y: float
    w: float
    h: float
    fill: str = ""
    outline: str = ""
    radius: float = 0.0
    dash: Dash = Dash.SOLID
    width: float = 1.0


class Boxes(NamedTuple):
    """Many plain rectangles of one height and color, each from a left to a right edge: drawn far faster than a Box."""

    spans: tuple[tuple[float, float], ...]
    y: float
    h: float
    fill: str


class Line(NamedTuple):
    """A run of straight segments. Level and upright ones are drawn on whole device pixels."""

    points: tuple[Point, ...]
    color: str
    width: float = 1.0
    dash: Dash = Dash.SOLID


@dataclass(frozen=True, slots=True, eq=False)
class Elbows:
    """Many runs of as many level and upright segments each, of one color and width: drawn far faster than as Lines.

    `points` are (run, point, x or y); points of a run may be one. A run never turns back on itself.
    """

    points: NDArray[np.float64]
    color: str
    width: float = 1.0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Elbows):
            return NotImplemented
        looks = (self.color, self.width) == (other.color, other.width)
        return looks and np.array_equal(self.points, other.points)

    def __hash__(self) -> int:
        return hash((self.color, self.width, self.points.tobytes()))

    def lines(self) -> list[Line]:
        """The same, one by one."""
        runs = ([(x, y) for x, y in run] for run in self.points.tolist())
        return [Line(tuple(point for point, _ in groupby(run)), self.color, self.width) for run in runs]


class Polygon(NamedTuple):
    """A closed shape."""

    points: tuple[Point, ...]
    fill: str = ""
    outline: str = ""
    width: float = 1.0


class Label(NamedTuple):
    """One line of text, `y` to `y + h` its band, centered in it upright. Nothing is clipped: a scene measures first."""

    x: float
    y: float
    w: float
    text: str
    color: str = "text"
    align: Align = Align.LEFT
    is_bold: bool = False
    is_italic: bool = False
    px: int = METRICS.text_px
    h: float = METRICS.row_px


@dataclass(frozen=True, slots=True, eq=False)
class RoundBoxes:
    """Many boxes of one height with the corners of `bar_radius`, from back to front: drawn far faster than as Boxes.

    `edges` are (box, left, right or upper edge), and each has the look, fill and outline, of its place in `looks`;
    outlines are `dash`.
    """

    edges: NDArray[np.float64]
    look_of: NDArray[np.int64]
    looks: tuple[tuple[str, str], ...]
    h: float
    dash: Dash = Dash.SOLID

    def boxes(self) -> list[Box]:
        """The same, one by one."""
        looks = (self.looks[number] for number in self.look_of.tolist())
        return [
            Box(left, top, right - left, self.h, fill, outline, bar_radius(right - left), self.dash)
            for (left, right, top), (fill, outline) in zip(self.edges.tolist(), looks, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Labels:
    """Many lines of text of one look, each from a left and an upper edge on: drawn faster than each as a Label."""

    texts: tuple[tuple[float, float, str], ...]
    color: str
    px: int
    h: float

    def labels(self) -> list[Label]:
        """The same, one by one."""
        return [Label(x, y, 0.0, text, self.color, px=self.px, h=self.h) for x, y, text in self.texts]


Shape: TypeAlias = Box | Boxes | RoundBoxes | Line | Elbows | Polygon | Label | Labels


def bar_radius(width_px: float) -> float:
    """The corner radius of a bar: less where the bar is narrow, or it would look like a drop."""
    return float(min(METRICS.radius_px, max(width_px, 0.0) // 4))
