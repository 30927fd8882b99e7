"""The timeline's sentences, made of what a run says of itself. They never round a figure the views compare."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QCoreApplication

from engine.trace.timeline import Span
from gui.canvas.device_ticks import duration_text, instant_text
from gui.timeline.run_view import RunView
from gui.timeline.scene import Hit


def tr(text: str) -> str:
    """A text of the timeline in the window's language."""
    return QCoreApplication.translate("Timeline", text)


def engine_names(has_host: bool) -> dict[str, str]:
    """What the engine rows are called; the host has a row when it has work."""
    names = {"copy_in": tr("Copy engine in"), "compute": tr("Compute"), "copy_out": tr("Copy engine out")}
    return names | {"host": tr("Host")} if has_host else names


def status_text(run: RunView) -> str:
    """How the run goes, on what, and where its instants come from: "live · cpu · wall clock"."""
    states = {
        None: tr("live"),
        "finished": tr("finished"),
        "failed": tr("failed"),
        "canceled": tr("canceled"),
    }
    stamps = {
        "measured": tr("measured"),
        "inferred": tr("inferred"),
        "wall": tr("wall clock"),
        "simulated": tr("simulated"),
    }
    words = [states[run.outcome], run.device_name, stamps.get(run.stamps, run.stamps)]
    if run.outcome is None and run.is_paused:
        words[0] = tr("paused")
    return " · ".join(dict.fromkeys(word for word in words if word))


def tooltip(hit: Hit, run: RunView, title: str) -> str:
    """What a bar is, in rich text: operation, stream, instants, and what was expected."""
    span = hit.span
    if hit.count > 1:
        words = tr("{count} operations, too close to tell apart here. Zoom in to see them.")
        return _card(words.format(count=hit.count), [tr("The longest: {name}").format(name=title)])
    heading = f"{title} · {_iteration(span)}" if _is_repeated(run) else title
    lines = [f"{run.timeline.streams[span.stream]} · {engine_names(True)[span.engine]}"]
    if hit.is_predicted:
        lines.append(tr("expected {start} to {end}").format(start=_at(span.start_ns), end=_at(span.end_ns)))
        lines.append(tr("{duration} long").format(duration=duration_text(span.duration_ns)))
        return _card(heading, lines)
    lines.append(tr("{start} to {end}").format(start=_at(span.start_ns), end=_at(span.end_ns)))
    lines.append(tr("{duration} long").format(duration=duration_text(span.duration_ns)))
    if not span.is_done:
        lines.append(tr("not all of its parts have ended"))
    expected = run.predicted.span(span.task, span.iteration) if run.predicted is not None else None
    if expected is not None:
        words = tr("expected {start} to {end}, {duration} long")
        duration = duration_text(expected.duration_ns)
        lines.append(words.format(start=_at(expected.start_ns), end=_at(expected.end_ns), duration=duration))
    return _card(heading, lines)


def _at(instant_ns: int) -> str:
    return instant_text(instant_ns)


def _iteration(span: Span) -> str:
    return tr("iteration {number}").format(number=span.iteration)


def _is_repeated(run: RunView) -> bool:
    return bool(run.timeline.iteration.max(initial=0))


def _card(heading: str, lines: list[str]) -> str:
    return "<b>{}</b><br>{}".format(escape(heading), "<br>".join(escape(line) for line in lines))
