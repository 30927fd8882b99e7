"""Search: looks for room in the profiles of resources. It never knows of links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.model import DAY, Ticks
from engine.schedule.leveling_demand import Piece
from engine.schedule.leveling_profile import TOLERANCE, Profile
from engine.schedule.working_time import WorkingTime

# Where nothing fits in ten years after all that is known, nothing ever will.
_PATIENCE = 3_653 * DAY


class Search:
    """The profiles of all resources, by number."""

    def __init__(self, profiles: Mapping[int, Profile]) -> None:
        self._profiles = profiles

    def could_fit(self, piece: Piece) -> bool:
        """Whether there ever is enough of the resource."""
        return piece.units <= self._profiles[piece.resource].most + TOLERANCE

    def patience(self, pieces: Sequence[Piece], instant: Ticks) -> Ticks:
        """The instant after which nothing will ever change for what did not fit until then."""
        return max([instant, *(self._profiles[piece.resource].at[-1] for piece in pieces)]) + _PATIENCE

    def after_conflict(self, pieces: Sequence[Piece], start: Ticks) -> Ticks | None:
        """The first start past something that is in the way of one that starts at `start`; None where nothing is.

        No start between the two fits either.
        """
        for piece in pieces:
            later = self._after(piece, start)
            if later is not None:
                return later
        return None

    def before_conflict(self, pieces: Sequence[Piece], start: Ticks) -> Ticks | None:
        """The last start before something that is in the way of one that starts at `start`; None where nothing is.

        No start between the two fits either.
        """
        for piece in pieces:
            time, (first, last) = piece.time, _span(piece, start)
            stretches = self._profiles[piece.resource].blocked(first, last, piece.units)
            busy = [max(b, first) for b, f in stretches if time.between(max(b, first), min(f, last)) > 0]
            if busy:
                block = self._profiles[piece.resource].begin_of_block(busy[-1], piece.units)
                return time.start_at(time.work_before(block) - piece.last)
            if piece.hours is not None and _back_from_break(time, piece.hours, first, last) is not None:
                there = _last_there(time, piece.hours, first, last)
                return time.start_at(time.work_before(there) - piece.last)
        return None

    def first_instant(self, pieces: Sequence[Piece], start: Ticks) -> Ticks:
        """A start that none of the pieces, however short, can come before; the given one where nothing ever fits."""
        short = tuple(replace(piece, last=piece.first + 1) for piece in pieces if self.could_fit(piece))
        at, patience = start, self.patience(short, start)
        while (later := self.after_conflict(short, at)) is not None:
            if later > patience:
                return start
            at = later
        return at

    def _after(self, piece: Piece, start: Ticks) -> Ticks | None:
        time = piece.time
        first, last = _span(piece, start)
        profile = self._profiles[piece.resource]
        for busy, free in profile.blocked(first, last, piece.units):
            if time.between(max(busy, first), min(free, last)) > 0:
                room = profile.room(free, piece.units, piece.last - piece.first, time)
                return time.start_at(time.work_before(room) - piece.first)
        if piece.hours is None:
            return None
        back = _back_from_break(time, piece.hours, first, last)
        return None if back is None else time.start_at(time.work_before(back) - piece.first)

    def book(self, piece: Piece, start: Ticks) -> None:
        """Use the resource from a start on."""
        self.book_stretch(piece, *_span(piece, start))

    def book_stretch(self, piece: Piece, first: Ticks, last: Ticks) -> None:
        """Use the resource in the working time of a stretch."""
        profile = self._profiles[piece.resource]
        if profile.is_shared:
            starts, ends = piece.time.intervals(first, last)
            for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
                profile.book(begin, end, piece.units)
        else:
            profile.book(first, last, piece.units)

    def parts(self, pieces: Sequence[Piece], bound: Ticks, length: Ticks, shortest: Ticks) -> list[tuple[Ticks, Ticks]]:
        """The stretches from the bound on in which `length` ticks are done wherever all pieces are free.

        Each is at least `shortest` working ticks long, or as long as what is left; none at all where that takes
        forever.
        """
        time, found, at, left = pieces[0].time, [], bound, length
        patience = self.patience(pieces, bound)
        while left and at < patience:
            last = time.add(at, left)
            busy, free = min(self._first_busy(piece, at, last) for piece in pieces)
            room = min(max(time.between(at, busy), 0), left)
            if room and room >= min(shortest, left):
                found.append((at, time.add(at, room)))
                left -= room
            part = min(shortest, left)
            at = max(self._profiles[p.resource].room(max(free, busy), p.units, part, time) for p in pieces)
            at = time.next_start(at)
        return [] if left else found

    def _first_busy(self, piece: Piece, first: Ticks, last: Ticks) -> tuple[Ticks, Ticks]:
        """From when and until when the resource is busy first, within [first, last) or not at all."""
        for busy, free in self._profiles[piece.resource].blocked(first, last, piece.units):
            if piece.time.between(max(busy, first), min(free, last)) > 0:
                return max(busy, first), free
        return last, last


def _span(piece: Piece, start: Ticks) -> tuple[Ticks, Ticks]:
    begun = piece.time.work_before(start)
    return piece.time.start_at(begun + piece.first), piece.time.finish_at(begun + piece.last)


def _last_there(time: WorkingTime, hours: WorkingTime, first: Ticks, last: Ticks) -> Ticks:
    """When the last break of a resource's hours begins in which the task would be worked on."""
    starts, ends = hours.intervals(first, last)
    edges = [first, *(edge for pair in zip(starts.tolist(), ends.tolist(), strict=True) for edge in pair), last]
    breaks = zip(edges[0::2], edges[1::2], strict=True)
    gone = max(gone for gone, back in breaks if gone < back and time.between(gone, back) > 0)
    return hours.previous_finish(gone)


def _back_from_break(time: WorkingTime, hours: WorkingTime, first: Ticks, last: Ticks) -> Ticks | None:
    """When a resource is back from the first break of its hours in which the task would be worked on."""
    at = first
    while at < last:
        back = hours.next_start(at)
        if time.between(at, min(back, last)) > 0:
            return back
        ahead = hours.ends[np.searchsorted(hours.ends, back, side="right") :]
        if not len(ahead):
            return None
        at = int(ahead[0])
    return None
