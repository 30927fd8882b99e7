"""Filming: what of a live run's picture may have changed since it was last drawn. It never draws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.trace.timeline import Timeline
from gui.canvas.film import Take
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.timeline.scene import Picture, TextWidth, moving_scene, now_line

# How far around a bar its outline and its corners reach.
_MARGIN_PX = 16.0
# A stretch that is off the whole pixel by more than this begins a picture of its own.
_OFF_PX = 0.02


class Filming:
    """The picture of one run after the other. A bar changes until its last part has ended and now has passed it."""

    def __init__(self, text_width: TextWidth) -> None:
        self._text_width = text_width
        self._timeline: Timeline | None = None
        self._count = 0
        # The rows of the bars that are not settled, and the start of the earliest.
        self._unsettled = np.empty(0, np.int64)
        self._unsettled_ns = 0
        self._base = TimeScale(0, 1.0)
        self._sampled: dict[str, int] = {}

    def take(self, picture: Picture | None, scale: TimeScale, height_px: int) -> Take | None:
        """The next picture; none without a now, for then nothing moves."""
        if picture is None or picture.now_ns is None:
            return None
        changed_px = scale.x(min(self._changed_ns(picture), self._counted_ns(picture))) - _MARGIN_PX
        predicted = picture.predicted
        subject = (
            picture.timeline,
            predicted,
            0 if predicted is None else predicted.count,
            picture.rows,
            picture.scroll_px,
            picture.selected,
            picture.failed,
        )
        offset_px = self._offset_px(scale)
        base = (self._base.origin_ticks, self._base.ticks_per_px)
        shapes = self._shapes(picture, scale, height_px)
        return Take((*subject, *base), offset_px, changed_px, shapes, tuple(now_line(picture, scale, height_px)))

    def _shapes(self, picture: Picture, scale: TimeScale, height_px: int) -> Callable[[int], list[Shape]]:
        def shapes(first_px: int) -> list[Shape]:
            rest = scale.panned(-first_px).resized(scale.width_px - first_px)
            return moving_scene(picture, rest, height_px, self._text_width)

        return shapes

    def _offset_px(self, scale: TimeScale) -> int:
        """Whole pixels from the base, which is moved where they are not whole."""
        away = (scale.origin_ticks - self._base.origin_ticks) / scale.ticks_per_px
        if scale.ticks_per_px != self._base.ticks_per_px or abs(away - round(away)) > _OFF_PX:
            self._base, away = scale, 0.0
        return round(away)

    def _counted_ns(self, picture: Picture) -> int:
        """The start of the earliest sample of a counter that was not drawn, the first where its scale is another."""
        changed_ns = picture.now_ns or 0
        for track in picture.counters:
            key, seen = f"{track.name} {track.top}", self._sampled.get(f"{track.name} {track.top}", 0)
            fresh = track.samples[seen:] if len(track.samples) >= seen else track.samples
            changed_ns = min([changed_ns, *(sample.start_ns for sample in fresh)])
            self._sampled[key] = len(track.samples)
        return changed_ns

    def _changed_ns(self, picture: Picture) -> int:
        """The start of the earliest bar that is another than when it was last drawn."""
        timeline, now_ns = picture.timeline, picture.now_ns or 0
        if timeline is not self._timeline:
            self._timeline, self._count, self._unsettled_ns = timeline, 0, 0
            self._unsettled = np.empty(0, np.int64)
        start_ns, end_ns = timeline.start_ns, timeline.end_ns
        changed_ns = min(self._unsettled_ns, int(start_ns[self._count :].min(initial=self._unsettled_ns)))
        maybe = np.concatenate((self._unsettled, np.arange(self._count, timeline.count)))
        self._count = timeline.count
        self._unsettled = maybe[~timeline.are_done(maybe) | (end_ns[maybe] > now_ns)]
        self._unsettled_ns = int(start_ns[self._unsettled].min(initial=now_ns))
        return changed_ns
