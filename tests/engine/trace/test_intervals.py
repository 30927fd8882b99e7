"""Unions, intersections and concurrency against a counter of single nanoseconds, and against a real trace."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.columns import Int64
from engine.trace.intervals import Intervals, concurrency, intersect, measure, union

interval = st.tuples(st.integers(-20, 60), st.integers(0, 25)).map(lambda pair: (pair[0], pair[0] + pair[1]))
intervals = st.lists(interval, max_size=12)


def arrays(pairs: list[tuple[int, int]]) -> Intervals:
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def nanoseconds(pairs: list[tuple[int, int]]) -> set[int]:
    return {t for start, end in pairs for t in range(start, end)}


def pairs_of(found: tuple[Int64, Int64]) -> list[tuple[int, int]]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


def test_that_touching_intervals_are_one_and_empty_ones_are_none() -> None:
    assert pairs_of(union(*arrays([(5, 9), (0, 5), (20, 20), (30, 31)]))) == [(0, 9), (30, 31)]
    assert measure(*arrays([(5, 9), (0, 5), (20, 20), (30, 31)])) == 10
    assert measure(*arrays([])) == 0


def test_that_concurrency_counts_what_runs_between_two_edges() -> None:
    edges, counts = concurrency(*arrays([(0, 10), (5, 20), (5, 10), (20, 25)]))
    assert edges.tolist() == [0, 5, 10, 20, 25]
    assert counts.tolist() == [1, 3, 1, 1, 0]


@given(intervals)
def test_that_a_union_covers_the_same_nanoseconds_in_the_fewest_intervals(pairs: list[tuple[int, int]]) -> None:
    found = pairs_of(union(*arrays(pairs)))
    assert nanoseconds(found) == nanoseconds(pairs)
    assert all(end < start for (_, end), (start, _) in pairwise(found))
    assert measure(*arrays(pairs)) == len(nanoseconds(pairs))


@given(intervals, intervals)
def test_that_an_intersection_covers_the_nanoseconds_in_both(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    found = pairs_of(intersect(arrays(first), arrays(second)))
    assert nanoseconds(found) == nanoseconds(first) & nanoseconds(second)
    assert sum(end - start for start, end in found) == len(nanoseconds(found))


@given(intervals)
def test_that_concurrency_equals_a_count_of_every_nanosecond(pairs: list[tuple[int, int]]) -> None:
    edges, counts = concurrency(*arrays(pairs))
    for index in range(len(edges) - 1):
        for t in range(int(edges[index]), int(edges[index + 1])):
            assert counts[index] == sum(start <= t < end for start, end in pairs)
    assert measure(*arrays(pairs)) == sum(int(edges[i + 1] - edges[i]) for i in range(len(edges) - 1) if counts[i])


@pytest.mark.corpus
def test_that_a_real_trace_gives_the_figures_two_other_programs_agree_on(corpus: Path) -> None:
    name = "hta_trace_diff_control.json.gz"
    lines = (corpus / "traces/oracle.jsonl").read_text().splitlines()
    oracle = next(found for line in lines if (found := json.loads(line))["file"] == name)["device 3"]
    with gzip.open(corpus / "traces/pytorch" / name) as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    found: dict[str, list[tuple[int, int]]] = {"kernel": [], "gpu_memcpy": [], "gpu_memset": []}
    for event in events:
        kind = str(event.get("cat")).lower()
        kind = {"memcpy": "gpu_memcpy", "memset": "gpu_memset"}.get(kind, kind)
        if event.get("ph") == "X" and kind in found:
            start, end = int(event["ts"] * 1000), int((event["ts"] + event["dur"]) * 1000)
            found[kind].append((start, end))
    everything = arrays([pair for pairs in found.values() for pair in pairs])
    copies, kernels = arrays(found["gpu_memcpy"]), arrays(found["kernel"])
    assert int(everything[1].max() - everything[0].min()) == oracle["span_ns"]
    assert measure(*everything) == oracle["busy_union_ns"]
    assert measure(*copies) == oracle["memcpy_union_ns"]
    assert measure(*intersect(copies, kernels)) == oracle["copy_under_kernel_ns"]
    edges, counts = concurrency(*everything)
    by_count = {str(k): int(np.diff(edges)[counts[:-1] == k].sum()) for k in set(counts.tolist()) - {0}}
    assert by_count == oracle["concurrency_ns"]
