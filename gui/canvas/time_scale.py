"""TimeScale: maps instants to pixels and back, and says where the ticks of the time axis stand.

It never holds an instant as a float: the origin is an integer, and pixels are offsets from it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from gui.canvas import calendar_ticks, device_ticks

# (tick, label) in order; an empty label is a mark without words.
Tier: TypeAlias = tuple[tuple[int, str], ...]

# One pixel is at least one tick: a nanosecond, or a second of a calendar plan. At most it is two weeks.
MIN_TICKS_PER_PX = 1.0
_TWO_WEEKS_S = 14 * 86_400
_ZOOM_ROOM = 0.94


@dataclass(frozen=True, slots=True)
class TimeScale:
    """`origin_ticks` stands at x = 0, the left edge; `width_px` is how much can be seen.

    x(t) = (t - origin) / ticks_per_px. For every tick t near the view, tick(x(t)) == t; for every whole pixel p,
    round(x(tick(p))) == p, since a pixel is never less than a tick.
    """

    origin_ticks: int
    ticks_per_px: float
    width_px: float = 1000.0

    @staticmethod
    def fitted(start: int, end: int, width_px: float, is_calendar: bool = False) -> TimeScale:
        """The scale that shows start to end with a little room on both sides."""
        room_px = max(width_px, 1.0) * _ZOOM_ROOM
        ticks_per_px = _clamped(max(end - start, 1) / room_px, is_calendar)
        margin_px = (width_px - (end - start) / ticks_per_px) / 2
        left_px = min(margin_px, width_px * (1 - _ZOOM_ROOM) / 2)
        return TimeScale(start - round(left_px * ticks_per_px), ticks_per_px, width_px)

    @property
    def end_ticks(self) -> int:
        """The instant at the right edge."""
        return self.tick(self.width_px)

    def x(self, tick: int) -> float:
        """Pixels from the left edge."""
        return (tick - self.origin_ticks) / self.ticks_per_px

    def tick(self, x_px: float) -> int:
        """The nearest instant."""
        return self.origin_ticks + round(x_px * self.ticks_per_px)

    def zoomed(self, factor: float, at_px: float, is_calendar: bool = False) -> TimeScale:
        """Closer by `factor` (below 1: farther), within the limits; the instant at `at_px` stays where it is."""
        ticks_per_px = _clamped(self.ticks_per_px / factor, is_calendar)
        origin = self.tick(at_px) - round(at_px * ticks_per_px)
        return replace(self, origin_ticks=origin, ticks_per_px=ticks_per_px)

    def panned(self, dx_px: float) -> TimeScale:
        """What is seen moves right by `dx_px`: the origin moves left."""
        return replace(self, origin_ticks=self.origin_ticks - round(dx_px * self.ticks_per_px))

    def within(self, start: int, end: int) -> TimeScale:
        """The nearest stretch whose middle lies from start to end: at most half of it shows nothing."""
        half = round(self.width_px / 2 * self.ticks_per_px)
        return replace(self, origin_ticks=min(max(self.origin_ticks, start - half), end - half))

    def resized(self, width_px: float) -> TimeScale:
        """The same scale over another width."""
        return replace(self, width_px=width_px)

    def tiers(self, is_calendar: bool) -> tuple[Tier, Tier, Tier]:
        """The upper, the middle and the lower tier of the axis over what can be seen, from one mark before its edge."""
        return _ticks(is_calendar).tiers(self.origin_ticks, self.end_ticks, self.ticks_per_px)

    def marks(self, is_calendar: bool) -> tuple[int, ...]:
        """The smallest visible ticks, those that a drag snaps to, over what can be seen."""
        return _ticks(is_calendar).marks(self.origin_ticks, self.end_ticks, self.ticks_per_px)

    def snapped(self, tick: int, is_calendar: bool) -> int:
        """The visible mark nearest to an instant."""
        return _ticks(is_calendar).snapped(tick, self.ticks_per_px)

    def stepped(self, tick: int, steps: int, is_calendar: bool) -> int:
        """The mark `steps` marks after (before, when negative) an instant."""
        return _ticks(is_calendar).stepped(tick, steps, self.ticks_per_px)


class _Ticks(Protocol):
    """What a kind of axis says."""

    def tiers(self, start: int, end: int, ticks_per_px: float) -> tuple[Tier, Tier, Tier]: ...

    def marks(self, start: int, end: int, ticks_per_px: float) -> tuple[int, ...]: ...

    def snapped(self, tick: int, ticks_per_px: float) -> int: ...

    def stepped(self, tick: int, steps: int, ticks_per_px: float) -> int: ...


def _ticks(is_calendar: bool) -> _Ticks:
    return calendar_ticks if is_calendar else device_ticks


def _clamped(ticks_per_px: float, is_calendar: bool) -> float:
    most = float(_TWO_WEEKS_S if is_calendar else _TWO_WEEKS_S * 10**9)
    return min(max(ticks_per_px, MIN_TICKS_PER_PX), most)
