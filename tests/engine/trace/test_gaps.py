"""Gaps and their causes against cases done by hand, and against a count of single nanoseconds."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.trace.gaps import CAUSES, Gap, find_gaps
from engine.trace.timeline import ENGINES, NOT_KNOWN, Timeline
from engine.trace.waits import Waits
from tests.engine.trace.test_overlap import COMPUTE, HOST, IN, OUT, timeline_of

Span = tuple[int, int, int, int, int, int]  # task, stream, engine, start, end, launch
AFTER_1 = Waits([(1, 2, 0)])


def launched(*spans: Span, iteration: int = 0) -> Timeline:
    """A timeline of one part a span, each launched at an instant."""
    timeline = Timeline(("Stream 1", "Stream 2", "Stream 3"), {})
    rows = [(task, iteration, 0, 1, *place, start, end, launch) for task, *place, start, end, launch in spans]
    timeline.extend(np.array(rows, np.int64).reshape(-1, 9))
    return timeline


def gaps_of(timeline: Timeline, row: str, waits: Waits | None = None, launch: int = 5) -> list[Gap]:
    return [gap for gap in find_gaps(timeline, waits or Waits(), launch).longest() if gap.row == row]


def said(timeline: Timeline, row: str, waits: Waits | None = None) -> list[tuple[str, int, int, int | None]]:
    return [(gap.cause, gap.start_ns, gap.end_ns, gap.task) for gap in gaps_of(timeline, row, waits)]


def test_that_a_gap_until_a_predecessor_ends_names_it_and_goes_on_with_the_launch() -> None:
    timeline = timeline_of((1, 0, IN, 0, 100), (2, 1, COMPUTE, 102, 200))
    assert gaps_of(timeline, "compute", AFTER_1) == [
        Gap("compute", 0, 100, "dependency", 1, 0, True),
        Gap("compute", 100, 102, "launch", 2, 0, True),
    ]
    assert said(timeline, "Stream 2", AFTER_1) == [("dependency", 0, 100, 1), ("launch", 100, 102, 2)]


def test_that_the_predecessor_of_the_same_iteration_is_named() -> None:
    timeline = timeline_of((1, 0, IN, 0, 50), (2, 1, COMPUTE, 50, 60))
    timeline.extend(np.array([[1, 1, 0, 1, 0, IN, 50, 100], [2, 1, 0, 1, 1, COMPUTE, 100, 110]]))
    assert gaps_of(timeline, "compute", AFTER_1) == [
        Gap("compute", 0, 50, "dependency", 1, 0, True),
        Gap("compute", 60, 100, "dependency", 1, 1, True),
    ]


def test_that_what_the_iteration_before_still_uses_is_waited_for() -> None:
    timeline = timeline_of((1, 0, IN, 0, 10), (2, 1, COMPUTE, 10, 90))
    timeline.extend(np.array([[1, 1, 0, 1, 0, IN, 90, 99]]))
    assert gaps_of(timeline, "copy_in", Waits([(1, 2, 0), (2, 1, 1)])) == [
        Gap("copy_in", 10, 90, "dependency", 2, 0, True)
    ]


def test_that_an_engine_waits_for_what_runs_before_on_the_stream_though_no_link_says_so() -> None:
    timeline = timeline_of((1, 0, IN, 0, 100), (2, 0, COMPUTE, 100, 200))
    assert gaps_of(timeline, "compute") == [Gap("compute", 0, 100, "dependency", 1, 0, True)]


def test_that_a_stream_behind_a_busy_engine_names_the_operation_that_held_it() -> None:
    timeline = timeline_of((1, 0, IN, 0, 40), (2, 1, IN, 40, 100), (3, 2, IN, 101, 150))
    assert said(timeline, "Stream 3") == [("engine_busy", 0, 100, 2), ("launch", 100, 101, 3)]


def test_that_a_gap_is_cut_where_its_cause_changes() -> None:
    # Waits for task 1 until 30, stands behind task 2 until 100, is handed over at 120, starts at 124.
    timeline = launched((1, 0, IN, 0, 30, 0), (2, 0, COMPUTE, 30, 100, 1), (3, 1, COMPUTE, 124, 130, 120))
    assert said(timeline, "Stream 2", Waits([(1, 3, 0)])) == [
        ("dependency", 0, 30, 1), ("engine_busy", 30, 100, 2), ("host_late", 100, 120, 3), ("launch", 120, 124, 3),
    ]  # fmt: skip


def test_that_an_engine_with_a_lane_to_spare_is_not_what_an_operation_waits_for() -> None:
    spans = launched((1, 0, COMPUTE, 0, 100, 0), (2, 1, COMPUTE, 50, 100, 48))
    assert said(spans, "Stream 2", Waits(engines=[("compute", 2)])) == [("host_late", 0, 48, 2), ("launch", 48, 50, 2)]
    wide = Waits(lanes=[(2, 2)], engines=[("compute", 2)])
    held = launched((1, 0, COMPUTE, 0, 100, 0), (2, 1, COMPUTE, 100, 190, 48))
    assert said(held, "Stream 2", wide) == [("engine_busy", 0, 100, 1)]


def test_that_a_short_rest_is_the_launch_and_its_threshold_can_be_set() -> None:
    timeline = launched((1, 0, COMPUTE, 0, 10, 0), (2, 0, COMPUTE, 15, 20, 3))
    assert gaps_of(timeline, "compute", launch=5) == [Gap("compute", 10, 15, "launch", 2, 0, True)]
    assert gaps_of(timeline, "compute", launch=4) == [Gap("compute", 10, 15, "stall", 2, 0, True)]


def test_that_where_no_launch_is_known_the_host_was_late_only_when_the_whole_device_was_idle() -> None:
    idle = timeline_of((1, 0, COMPUTE, 0, 10), (2, 0, COMPUTE, 50, 60), (9, 1, HOST, 10, 50))
    assert gaps_of(idle, "compute") == [Gap("compute", 10, 50, "host_late", 2, 0, True)]
    beside = timeline_of((1, 0, COMPUTE, 0, 10), (2, 0, COMPUTE, 50, 60), (3, 1, OUT, 20, 30))
    assert gaps_of(beside, "compute") == [Gap("compute", 10, 50, "stall", 2, 0, True)]


def test_that_a_row_that_is_through_has_no_work() -> None:
    timeline = timeline_of((1, 0, IN, 0, 10), (2, 1, COMPUTE, 10, 40))
    assert gaps_of(timeline, "copy_in") == [Gap("copy_in", 10, 40, "no_work", None, 0, True)]
    assert gaps_of(timeline, "Stream 3") == []


def test_that_nobody_says_a_row_is_through_while_the_run_goes_on() -> None:
    timeline = timeline_of((1, 0, IN, 0, 10), (2, 1, COMPUTE, 12, 40))
    found = find_gaps(timeline, Waits(), is_over=False)
    assert {(gap.row, gap.start_ns) for gap in found.longest()} == {("Stream 2", 0), ("compute", 0)}


def test_that_a_pause_is_no_gap() -> None:
    timeline = launched((1, 0, IN, 0, 10, 0), (2, 0, IN, 110, 120, 105), (3, 1, OUT, 0, 5, 0))
    found = find_gaps(timeline, Waits(), 2, pauses=[(20, 104)]).longest()
    assert [(gap.row, gap.cause, gap.start_ns, gap.end_ns) for gap in found if gap.is_engine] == [
        ("copy_out", "no_work", 5, 20), ("copy_in", "host_late", 10, 20), ("copy_in", "host_late", 104, 105),
        ("copy_out", "no_work", 104, 120), ("copy_in", "stall", 105, 110),
    ]  # fmt: skip


def test_that_only_the_longest_gaps_are_kept_when_asked_and_in_the_order_of_time() -> None:
    timeline = timeline_of((1, 0, IN, 0, 10), (2, 0, IN, 20, 30), (3, 0, IN, 33, 40), (4, 0, IN, 90, 99))
    kept = find_gaps(timeline, Waits()).longest(4)
    assert [(gap.row, gap.start_ns, gap.end_ns) for gap in kept] == [
        ("Stream 1", 10, 20), ("copy_in", 10, 20), ("Stream 1", 40, 90), ("copy_in", 40, 90),
    ]  # fmt: skip


def test_that_the_gap_of_a_row_is_found_at_an_instant() -> None:
    found = find_gaps(timeline_of((1, 0, IN, 0, 10), (2, 0, IN, 20, 30)), Waits())
    gap = found.at(0, 19)
    assert gap is not None
    assert (gap.row, gap.start_ns, gap.end_ns) == ("Stream 1", 10, 20)
    assert found.at(0, 20) is None
    assert found.at(1, 19) is None


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[Span], Waits, tuple[tuple[int, int], ...]]:
    """Spans, what they waited for, and pauses; streams may be untrue, as in the traces of others."""
    spans = []
    for task in range(draw(st.integers(0, 10))):
        start, length = draw(st.integers(0, 50)), draw(st.integers(0, 20))
        launch = draw(st.integers(NOT_KNOWN, start))
        spans.append((task, draw(st.integers(0, 2)), draw(st.integers(0, 3)), start, start + length, launch))
    number = st.integers(0, 9)
    links = draw(st.lists(st.tuples(number, number, st.just(0)), max_size=8))
    lanes = draw(st.lists(st.tuples(number, st.integers(1, 3)), max_size=6, unique_by=lambda pair: pair[0]))
    at = draw(st.integers(0, 60))
    pauses = draw(st.sampled_from([(), ((at, at + 7),)]))
    return spans, Waits(links, lanes, [("compute", 3)]), pauses


def oracle(
    spans: list[Span], waits: Waits, pauses: tuple[tuple[int, int], ...], short: int
) -> Counter[tuple[str, str, int]]:
    """By (row, cause, task, or -1): idle nanoseconds, each looked at alone."""
    found: Counter[tuple[str, str, int]] = Counter()
    if not spans:
        return found
    lanes, engines = dict(waits.lanes), dict(waits.engines)
    clock = range(min(span[3] for span in spans), max(span[4] for span in spans))
    for place in range(7):
        mine = [s for s in spans if (s[1] if place < 3 else s[2] + 3) == place and s[4] > s[3]]
        name = f"Stream {place + 1}" if place < 3 else ENGINES[place - 3]
        for t in clock if mine else ():
            if any(s[3] <= t < s[4] for s in mine) or any(a <= t < b for a, b in pauses):
                continue
            found[name, *cause_at(t, mine, spans, (waits, lanes, engines), (pauses, short))] += 1
    return found


def cause_at(t, mine, spans, rules, limits):  # type: ignore[no-untyped-def]  # noqa: C901  one instant, all causes
    waits, lanes, engines = rules
    pauses, short = limits
    later = [s for s in mine if s[3] > t]
    if not later:
        return "no_work", -1
    n = min(later, key=lambda s: (s[3], s[0]))
    b = n[3]

    def is_idle(u: int) -> bool:
        return not any(s[3] <= u < s[4] for s in mine)

    before = [s for s in spans if any(link[:2] == (s[0], n[0]) for link in waits.links)]
    own = [s for s in spans if s[1] == n[1] and (s[3], s[0]) < (n[3], n[0])]
    before += [max(own, key=lambda s: (s[3], s[0]))] if own else []
    last = max(before, key=lambda s: (s[4], s[0]), default=None)
    if last is not None and t < min(b, last[4]):
        return "dependency", last[0]

    has = engines.get(ENGINES[n[2]], 1)

    def kind(u: int) -> str:
        if any(a <= u < z for a, z in pauses):
            return "pause"
        if last is not None and u < last[4]:
            return "dependency"
        taken = sum(lanes.get(s[0], 1) for s in spans if s[2] == n[2] and s[3] <= u < s[4])
        if taken + min(lanes.get(n[0], 1), has) > has:
            return "engine_busy"
        return "host_late" if n[5] != NOT_KNOWN and u < n[5] else "rest"

    what = kind(t)
    if what == "engine_busy":
        return what, -2  # who held the engine last is said by hand, above
    if what == "host_late":
        return what, n[0]
    first, end = t, t + 1
    while first > 0 and is_idle(first - 1) and kind(first - 1) == what and first > min(s[3] for s in spans):
        first -= 1
    while end < b and kind(end) == what:
        end += 1
    if end - first <= short:
        return "launch", n[0]
    is_still = not any(s[2] != HOST and s[3] < end and first < s[4] and s[4] > s[3] for s in spans)
    return ("host_late" if n[5] == NOT_KNOWN and is_still else "stall"), n[0]


@settings(deadline=None)
@given(runs())
def test_that_every_cause_equals_a_count_of_single_nanoseconds(
    found: tuple[list[Span], Waits, tuple[tuple[int, int], ...]],
) -> None:
    spans, waits, pauses = found
    gaps = find_gaps(launched(*spans), waits, 3, pauses).longest()
    sums: Counter[tuple[str, str, int]] = Counter()
    for gap in gaps:
        task = -1 if gap.task is None else gap.task
        sums[gap.row, gap.cause, -2 if gap.cause == "engine_busy" else task] += gap.duration_ns
    assert sums == oracle(spans, waits, pauses, 3)
    assert all(gap.start_ns < gap.end_ns for gap in gaps)
    totals = find_gaps(launched(*spans), waits, 3, pauses).totals()
    engines = Counter[str]()
    for gap in gaps:
        engines[gap.cause] += gap.duration_ns if gap.is_engine else 0
    assert totals == {cause: engines[cause] for cause in CAUSES if engines[cause]}
