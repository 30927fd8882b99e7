"""Following: which stretch of time is shown while a live run goes on. Plain Python; it never knows a view."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, log2

from gui.canvas.time_scale import TimeScale
from gui.timeline.run_view import RunView

# Where the end of a live run stands while it is followed, as a share of the width.
FOLLOW_AT = 0.85
# For so many times what is planned of one iteration a run is seen from its start; beyond that time scrolls.
LAPS = 12


def followed(scale: TimeScale, now_ns: int, lap_ns: int) -> TimeScale:
    """What is shown when now has come to `now_ns` of a run of which one iteration is planned to take `lap_ns`.

    A run that outlasts its plan is zoomed out of by halves while its start is in sight, so that it stays beside the
    plan; then it scrolls at the pace of time, by whole pixels.
    """
    edge_px, start_px, now_px = FOLLOW_AT * scale.width_px, scale.x(0), scale.x(now_ns)
    if 0 <= now_px <= edge_px:
        return scale
    if 0 <= start_px < edge_px and now_ns <= LAPS * lap_ns:
        halvings = ceil(log2((now_px - start_px) / (edge_px - start_px)))
        return scale.zoomed(0.5**halvings, start_px)
    return replace(scale, origin_ticks=scale.origin_ticks + round(ceil(now_px - edge_px) * scale.ticks_per_px))


def lap_ns(run: RunView) -> int:
    """What is planned of one iteration; 0 when nothing is known."""
    planned = run.predicted
    return 0 if planned is None or not planned.count else planned.end_ns_max // (int(planned.iteration[-1]) + 1)


def has_moved(drawn_ns: int | None, now_ns: int | None, scale: TimeScale) -> bool:
    """Whether now stands half a pixel from where it was drawn: less cannot be seen."""
    if now_ns is None or drawn_ns is None:
        return now_ns != drawn_ns
    return 2 * abs(now_ns - drawn_ns) >= scale.ticks_per_px
