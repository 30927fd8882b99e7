"""A live run as a film: it looks as if all of it were drawn anew, and little of it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from engine.trace.timeline import Timeline
from gui.canvas.film import Film, Take
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import DARK, LIGHT
from gui.timeline.filming import Filming
from gui.timeline.rows import rows_of
from gui.timeline.scene import Picture, moving_scene, now_line
from tests.gui.timeline.made_up import PLANNED, STREAMS, US, timeline_of

ROWS = rows_of(STREAMS, {"copy_in": "In", "compute": "Compute", "copy_out": "Out"}, "Concurrency")
WIDTH, HEIGHT, STEP_US = 400, 200, 7


def parts(lap: int) -> list[tuple[int, ...]]:
    """An iteration of PLANNED, each operation in two parts."""
    found = []
    for task, stream, engine, start, end in PLANNED:
        start, end = (start + 760 * lap) * US, (end + 760 * lap) * US
        middle = (start + end) // 2
        found += [
            (task, lap, part, 2, stream, engine, *edges) for part, edges in enumerate(((start, middle), (middle, end)))
        ]
    return found


def frames(laps: int) -> Iterator[tuple[Picture, TimeScale]]:
    """A run that is drawn every few microseconds; parts arrive a little late, and the picture follows their end."""
    waiting = sorted((row for lap in range(laps) for row in parts(lap)), key=lambda row: row[7])
    timeline, predicted = Timeline(STREAMS, timeline_of(()).names), timeline_of(PLANNED)
    scale = TimeScale(-20 * US, 1.0 * US, float(WIDTH))
    for now_us in range(10, 760 * laps, STEP_US):
        arrived = [row for row in waiting if row[7] <= (now_us - 15) * US]
        waiting = waiting[len(arrived) :]
        timeline.extend(np.array(arrived, np.int64).reshape(-1, 8))
        over = now_us * US - scale.tick(0.85 * WIDTH)
        if over > 0:
            scale = replace(scale, origin_ticks=scale.origin_ticks + -(-over // US) * US)
        yield Picture(timeline, predicted, ROWS, now_us * US), scale


def drawn(shapes: list[Shape], ratio: float) -> QImage:
    image = blank(ratio)
    painter = QPainter(image)
    painter.fillRect(0, 0, WIDTH, HEIGHT, QColor(LIGHT.ground))
    draw(painter, shapes, LIGHT)
    painter.end()
    return image


def filmed(film: Film, take: Take, ratio: float) -> QImage:
    image = blank(ratio)
    painter = QPainter(image)
    film.paint(painter, take, QSize(WIDTH, HEIGHT), LIGHT)
    painter.end()
    return image


def blank(ratio: float) -> QImage:
    image = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    return image


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_that_a_film_looks_as_if_all_of_it_were_drawn_anew(qtbot: QtBot, ratio: float) -> None:
    film, filming = Film(), Filming(text_width)
    for picture, scale in frames(2):
        take = filming.take(picture, scale, HEIGHT)
        assert take is not None
        whole = [*moving_scene(picture, scale, HEIGHT, text_width), *now_line(picture, scale, HEIGHT)]
        assert filmed(film, take, ratio) == drawn(whole, ratio), picture.now_ns


def test_that_little_is_drawn_once_the_film_runs(qtbot: QtBot) -> None:
    film, filming = Film(), Filming(text_width)
    from_px: list[int] = []
    for picture, scale in frames(2):
        take = filming.take(picture, scale, HEIGHT)
        assert take is not None
        shapes = take.shapes
        filmed(film, replace(take, shapes=lambda first, shapes=shapes: (from_px.append(first), shapes(first))[1]), 1.0)
    assert from_px.count(0) < 60
    assert np.median(from_px[60:]) > WIDTH / 3


def test_that_what_is_chosen_and_another_theme_begin_a_new_picture(qtbot: QtBot) -> None:
    film, filming = Film(), Filming(text_width)
    picture, scale = list(frames(1))[-1]

    def first_px(shown: Picture, theme: object = LIGHT) -> list[int]:
        asked: list[int] = []
        take = filming.take(shown, scale, HEIGHT)
        assert take is not None
        image = blank(1.0)
        painter = QPainter(image)
        film.paint(painter, replace(take, shapes=lambda first: asked.append(first) or []), QSize(WIDTH, HEIGHT), theme)
        painter.end()
        return asked

    assert first_px(picture) == [0]
    assert first_px(picture) != [0]
    assert first_px(replace(picture, selected=22)) == [0]
    assert first_px(replace(picture, selected=22), DARK) == [0]


def test_that_nothing_is_filmed_without_a_now() -> None:
    picture = Picture(timeline_of(PLANNED), None, ROWS)
    assert Filming(text_width).take(picture, TimeScale(0, 1.0 * US), HEIGHT) is None
    assert Filming(text_width).take(None, TimeScale(0, 1.0 * US), HEIGHT) is None
