"""Lanes: where the bars of a row stand beside each other when they overlap in time. They never move a bar again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.trace.columns import Columns, Int64

MOST_LANES = 4
"""A row has no more lanes than this: what finds none free shares the last."""


@dataclass(slots=True)
class _Lane:
    """When the latest span of a lane that has ended did, and how many have not."""

    end: int = -(1 << 63)
    growing: int = 0

    def is_free(self, start: int) -> bool:
        return not self.growing and self.end <= start

    def ended(self, end: int) -> None:
        self.growing -= 1
        self.end = max(self.end, end)


class Lanes:
    """The lane of every span of a timeline that shows a row a stream, or a row an engine.

    A lane is free for a span when all spans it has ended by the span's start. In the order of their arrival spans take
    the free lane that ended last, of several the one that is wished for them or else the first, and the last lane where
    none is free. That order is of ends (of first parts) while a run goes on, and of starts in a prediction: in both it
    does not matter when update() is called, and a row of whole spans has as many lanes as go on at once (the greedy
    choice by ends of Faigle and Nawijn, 1995).
    """

    def __init__(self) -> None:
        self._lane = Columns("lane")
        self._rows: dict[int, list[_Lane]] = {}
        self._growing: list[int] = []
        self._shared: set[int] = set()

    @property
    def lane(self) -> Int64:
        """The lane of each span, from 0."""
        return self._lane.read("lane")

    def count(self, row: int) -> int:
        """How many lanes a row has needed so far; one when nothing is on it."""
        return len(self._rows.get(row, "1"))

    def is_shared(self, row: int) -> bool:
        """Whether more of a row's spans overlap than it has lanes: then they do in the last one."""
        return row in self._shared

    def update(
        self,
        columns: tuple[Int64, Int64, Int64],
        are_done: Callable[[Int64], NDArray[np.bool_]],
        like: Lanes | None,
        twin: Callable[[int], int | None],
    ) -> None:
        """Give lanes to the spans that are new. `columns` are row, start and end of all spans, `are_done` says of which
        an end is known. The lane that is wished for a span is that of `twin(span)` in `like`."""
        row, start, end = columns
        self._settle(row, end, are_done)
        first = self._lane.count
        if first == len(row):
            return
        self._lane.append(np.zeros((1, len(row) - first), np.int64))
        is_done = are_done(np.arange(first, len(row)))
        for index in np.unique(row[first:]).tolist():
            spans = first + np.flatnonzero(row[first:] == index)
            is_wished = like is not None and like.count(index) > 1
            if not is_wished and is_done[spans - first].all() and self._are_in_one(index, start[spans], end[spans]):
                continue
            for span in spans.tolist():
                same = twin(span) if is_wished else None
                wished = 0 if like is None or same is None else int(like.lane[same])
                self._place(index, span, int(start[span]), wished)
                if is_done[span - first]:
                    self._rows[index][self._lane["lane"][span]].ended(int(end[span]))
                else:
                    self._growing.append(span)

    def _settle(self, row: Int64, end: Int64, are_done: Callable[[Int64], NDArray[np.bool_]]) -> None:
        """Lanes are free again when what grew in them has ended."""
        growing = np.array(self._growing, np.int64)
        is_done = are_done(growing)
        for span in growing[is_done].tolist():
            self._rows[int(row[span])][self._lane["lane"][span]].ended(int(end[span]))
        self._growing = growing[~is_done].tolist()

    def _are_in_one(self, row: int, start: Int64, end: Int64) -> bool:
        """Whether the only lane there is takes all of these, as it nearly always does; then it has them."""
        lanes = self._rows.setdefault(row, [_Lane()])
        if len(lanes) > 1:
            return False
        lane = lanes[0]
        reach = np.maximum.accumulate(end)
        if not lane.is_free(int(start[0])) or (start[1:] < reach[:-1]).any():
            return False
        lane.end = int(reach[-1])
        return True

    def _place(self, row: int, span: int, start: int, wished: int) -> None:
        """Into the free lane that ended last, by a wish where there are several; else a new one, or the last."""
        lanes = self._rows.setdefault(row, [_Lane()])
        while len(lanes) <= wished:
            lanes.append(_Lane())
        free = [number for number, lane in enumerate(lanes) if lane.is_free(start)]
        if not free and len(lanes) < MOST_LANES:
            free = [len(lanes)]
            lanes.append(_Lane())
        if not free:
            free = [MOST_LANES - 1]
            self._shared.add(row)
        latest = max(lanes[number].end for number in free)
        free = [number for number in free if lanes[number].end == latest]
        lane = wished if wished in free else free[0]
        lanes[lane].growing += 1
        self._lane["lane"][span] = lane
