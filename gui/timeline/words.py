"""The timeline's sentences, made of what a run says of itself. They never round a figure the views compare."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from PySide6.QtCore import QCoreApplication

from engine.model import TaskId
from engine.trace.counters import Track
from engine.trace.lanes import MOST_LANES
from engine.trace.timeline import Span
from gui.canvas.device_ticks import duration_text, instant_text
from gui.timeline.run_view import RunView
from gui.timeline.scene import Hit

translate = QCoreApplication.translate


def engine_names(has_host: bool) -> dict[str, str]:
    """What the engine rows are called; the host has a row when it has work."""
    names = {
        "copy_in": translate("Timeline", "Copy engine in"),
        "compute": translate("Timeline", "Compute"),
        "copy_out": translate("Timeline", "Copy engine out"),
    }
    return names | {"host": translate("Timeline", "Host")} if has_host else names


def counter_text(track: Track) -> str:
    """The latest value with its unit, n/a where there is none."""
    if track.last is None:
        return translate("Timeline", "n/a")
    figure = f"{track.last:.0f}" if track.last >= 100 or track.unit == "%" else f"{track.last:.1f}"
    return f"{figure} {track.unit}".rstrip()


def status_text(run: RunView) -> str:
    """How the run goes, on what, and where its instants come from: "live · cpu · wall clock"."""
    states = {
        None: translate("Timeline", "live"),
        "finished": translate("Timeline", "finished"),
        "failed": translate("Timeline", "failed"),
        "canceled": translate("Timeline", "canceled"),
    }
    stamps = {
        "measured": translate("Timeline", "measured"),
        "inferred": translate("Timeline", "inferred"),
        "wall": translate("Timeline", "wall clock"),
        "simulated": translate("Timeline", "virtual clock"),
    }
    words = [states[run.outcome]]
    if run.device is not None:
        words += [run.device.name, stamps.get(run.device.stamps, run.device.stamps)]
    if run.outcome is None and run.progress >= 1:
        words[0] = translate("Timeline", "checking the results")
    elif run.outcome is None and run.is_paused:
        words[0] = translate("Timeline", "paused") if run.stands_still else translate("Timeline", "pausing…")
    elif run.outcome is None and run.stands_still:
        words[0] = translate("Timeline", "going on…")
    elif run.outcome is None and not run.timeline.count:
        words[0] = translate("Timeline", "getting ready")
    return " · ".join(dict.fromkeys(word for word in words if word))


def tooltip(hit: Hit, run: RunView, titles: Mapping[TaskId, str]) -> str:
    """What a bar is, in rich text: operation, stream, instants, and what was expected; `titles` by task."""
    span = hit.span
    title = titles.get(span.task, span.name)
    if hit.count > 1:
        words = translate("Timeline", "{count} operations, too close to tell apart here. Zoom in to see them.")
        longest = translate("Timeline", "The longest: {name}").format(name=title)
        return _card(words.format(count=hit.count), [longest])
    heading = f"{title} · {_iteration(span)}" if run.timeline.last_iteration else title
    lines = [f"{run.timeline.streams[span.stream]} · {engine_names(True)[span.engine]}"]
    if hit.is_crowded:
        crowded = translate("Timeline", "More than {count} at once: those without a lane of their own share this one.")
        lines.append(crowded.format(count=MOST_LANES))
    if hit.is_predicted:
        return _card(heading, [*lines, *_expected(span)])
    lines.append(_times(translate("Timeline", "{start} to {end}, {duration} long"), span))
    if not span.is_done:
        lines.append(translate("Timeline", "not all of its parts have ended"))
    return _card(heading, lines + _expected(_predicted(run, span)))


def _predicted(run: RunView, span: Span) -> Span | None:
    return run.predicted.span(span.task, span.iteration) if run.predicted is not None else None


def _expected(span: Span | None) -> list[str]:
    words = translate("Timeline", "expected {start} to {end}, {duration} long")
    return [] if span is None else [_times(words, span)]


def _times(words: str, span: Span) -> str:
    start, end = instant_text(span.start_ns), instant_text(span.end_ns)
    return words.format(start=start, end=end, duration=duration_text(span.duration_ns))


def _iteration(span: Span) -> str:
    return translate("Timeline", "iteration {number}").format(number=span.iteration)


def _card(heading: str, lines: list[str]) -> str:
    return "<b>{}</b><br>{}".format(escape(heading), "<br>".join(escape(line) for line in lines))
