"""Why rows stood idle, and the critical path, of long runs: beside the time that sorting their spans takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import resources

import numpy as np

from engine.formats import loom
from engine.program.compiler import compile_plan
from engine.program.hazards import waits_of
from engine.program.predict import predict
from engine.program.profile import estimate_durations, load_profile
from engine.schedule.cpm import schedule
from engine.session.measuring import MOST_GAPS, Measuring
from engine.trace.gaps import find_gaps
from engine.trace.overlap import measure_timeline

SPANS = (100, 1_000, 10_000, 100_000)


def main() -> None:
    """Prints a line a number of spans; a ratio says how often as long as one sort of starts and ends by row."""
    profile = load_profile("h200-like")
    with resources.as_file(resources.files("resources") / "samples" / "video-pipeline.loom") as path:
        plan = loom.load(path)
    one = compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile)
    waits = waits_of(one)
    print(f"{'spans':>9} {'gaps':>20} {'all figures':>20} {'on the window thread':>20}")
    for count in SPANS:
        timeline = predict(one, profile, max(1, count // len(one.operations)))
        sort = best(lambda timeline=timeline: np.lexsort((timeline.end_ns, timeline.start_ns, timeline.stream)))
        gaps = best(lambda timeline=timeline: find_gaps(timeline, waits))
        figures = best(lambda timeline=timeline: measure_timeline(timeline, waits, None, 64))
        live = best(lambda timeline=timeline: Measuring(timeline, waits, None, ()).metrics(MOST_GAPS))
        shown = (f"{took * 1e3:9.2f} ms {took / sort:6.1f} x" for took in (gaps, figures, live))
        print(f"{timeline.count:9,} " + " ".join(f"{text:>20}" for text in shown))


def best(work: Callable[[], object], times: int = 7) -> float:
    """Seconds of the fastest of several."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)
