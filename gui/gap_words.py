"""What is said of gaps, of the critical path and of advice, wherever it is said. It never looks at a run itself."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10

from PySide6.QtCore import QCoreApplication

from engine.model import TaskId
from engine.session.advising import Advice
from engine.trace.overlap import Gap
from engine.trace.timeline import Timeline

translate = QCoreApplication.translate

_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))


def duration_figure(ns: int) -> str:
    """A duration to four figures at most, two of them after the point: "13.21 ms", "410 µs"."""
    size, unit = next((u for u in _UNITS if ns >= u[0]), _UNITS[-1])
    if ns % size == 0:
        return f"{ns // size} {unit}"
    value = float(f"{ns / size:.4g}")
    return f"{value:.{max(0, min(2, 3 - floor(log10(value))))}f} {unit}"


def cause_names() -> dict[str, str]:
    """Each cause of a gap in a word or two, in the order of CAUSES."""
    return {
        "dependency": translate("Gaps", "waiting"),
        "engine_busy": translate("Gaps", "engine busy"),
        "host_late": translate("Gaps", "host late"),
        "launch": translate("Gaps", "launch"),
        "stall": translate("Gaps", "stall"),
        "no_work": translate("Gaps", "no work"),
    }


def gap_sentence(gap: Gap, timeline: Timeline, titles: Mapping[TaskId, str]) -> str:
    """Why a row stood idle, as a colleague would say it: "compute waits for copy in, Frame 0"."""
    words = {
        "dependency": translate("Gaps", "{row} waits for {operation}"),
        "engine_busy": translate("Gaps", "{row} stands behind {operation}"),
        "launch": translate("Gaps", "{row} waits for the launch of {operation}"),
        "host_late": translate("Gaps", "{row} waits for the host to launch {operation}"),
        "stall": translate("Gaps", "{row} stalls before {operation}"),
        "no_work": translate("Gaps", "{row} has no work left"),
    }
    engines = {
        "copy_in": translate("Gaps", "copy in"),
        "compute": translate("Gaps", "compute"),
        "copy_out": translate("Gaps", "copy out"),
        "host": translate("Gaps", "host"),
    }
    task = gap.task or 0
    operation = titles.get(task, timeline.names.get(task, str(task)))
    if timeline.last_iteration:
        operation = translate("Gaps", "{operation}, iteration {number}").format(
            operation=operation, number=gap.iteration
        )
    return words[gap.cause].format(row=engines[gap.row] if gap.is_engine else gap.row, operation=operation)


def idle_sentence(gap: Gap, timeline: Timeline, titles: Mapping[TaskId, str], *, is_cut_off: bool = False) -> str:
    """The same with its length: "Idle 1.20 ms: compute waits for copy in, Frame 0". `is_cut_off`: the run failed or was
    canceled, and nobody knows what work was left."""
    words = translate("Gaps", "Idle {duration}: {why}")
    why = gap_sentence(gap, timeline, titles)
    if is_cut_off and gap.cause == "no_work":
        why = translate("Gaps", "the run was cut off before anything more ended here")
    return words.format(duration=duration_figure(gap.duration_ns), why=why)


def advice_sentence(advice: Advice, titles: Mapping[TaskId, str]) -> str:
    """What would save how much, in a sentence."""
    words = {
        "memory": translate(
            "Gaps", "Copies from pageable memory are slow; pinning {buffer} would save {gain} of {span}."
        ),
        "buffer": translate(
            "Gaps", "{operation} waits for the buffer {buffer}; a second one would hide {gain} of {span}."
        ),
        "barrier": translate(
            "Gaps", "{operation} holds up others though no buffer asks for it; without its links {gain} of {span} go."
        ),
        "copies": translate(
            "Gaps", "{operation} stands in line with other copies; side by side they would save {gain} of {span}."
        ),
        "order": translate(
            "Gaps", "{operation} should come earlier on its stream; another order would save {gain} of {span}."
        ),
        "streams": translate(
            "Gaps", "{operation} could run beside what is before it; more streams would save {gain} of {span}."
        ),
    }
    task = advice.tasks[0] if advice.tasks else 0
    names = advice.buffers
    buffer = f"“{names[0]}”" if names else ""
    if len(names) > 1:
        buffer = translate("Gaps", "“{first}” and {count} more").format(first=names[0], count=len(names) - 1)
    return words[advice.kind].format(
        operation=f"“{titles.get(task, str(task))}”",
        buffer=buffer,
        gain=duration_figure(advice.gain_ns),
        span=duration_figure(advice.before_ns),
    )
