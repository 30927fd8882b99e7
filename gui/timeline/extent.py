"""Extent: how much of a run, and of what was planned of it, is worth showing. It never knows a view."""

from __future__ import annotations

from engine.trace.timeline import ENGINES, Timeline
from gui.timeline.following import LAPS, lap_ns
from gui.timeline.rows import Lanes, RowKind
from gui.timeline.run_view import RunView


def extent(run: RunView) -> tuple[int, int]:
    """The run's start and the last instant: of all that happened, and of a plan that can still be compared with it.

    That is all of it once a run has finished. While it is live one iteration is; of one that ended early no more than
    where the operation that failed was expected, and one iteration where nothing happened.
    """
    happened = run.timeline
    end = happened.end_ns_max
    if run.outcome == "finished" and run.predicted is not None:
        end = max(end, run.predicted.end_ns_max)
    elif run.outcome is None or not happened.count:
        end = max(end, lap_ns(run))
    else:
        end = max(end, _expected_end(run))
    return 0, max(end, 1)


def last_iteration(run: RunView) -> int | None:
    """The last iteration of which the plan is shown; None where that is all of them: only while more may come."""
    is_cut = run.outcome in {"failed", "canceled"}
    return run.timeline.last_iteration if is_cut else None


def is_apart(run: RunView) -> bool:
    """Whether a run is so much longer than its plan that the two cannot be read on one axis."""
    return run.repeat > LAPS


def has_host(run: RunView) -> bool:
    """Whether an operation of the host happened or is planned."""
    return any(ENGINES.index("host") in timeline.engines_seen for timeline in _timelines(run))


def lanes_of(run: RunView) -> Lanes:
    """How many lanes a row needs for what happened and for what was planned."""
    found = {kind: [each.lanes(kind.value) for each in _timelines(run)] for kind in (RowKind.STREAM, RowKind.ENGINE)}
    return lambda kind, index: max(lanes.count(index) for lanes in found[kind])


def _timelines(run: RunView) -> list[Timeline]:
    return [timeline for timeline in (run.timeline, run.predicted) if timeline is not None]


def _expected_end(run: RunView) -> int:
    """When the operation that failed was expected to end; 0 when none failed."""
    last = last_iteration(run)
    if run.predicted is None or not run.failed_task or last is None:
        return 0
    spans = (run.predicted.span(run.failed_task, iteration) for iteration in (last, last + 1))
    return next((span.end_ns for span in spans if span is not None), 0)
