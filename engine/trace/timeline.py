"""Span and Timeline: what happened in one run, as columns that only grow. They never measure; overlap.py does.

A timeline holds one span an operation and iteration, from the start of its first part to the end of its last, and the
parts under it. Instants are int64 nanoseconds from the run's start; intervals are half-open.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.trace.columns import Columns, Int64
from engine.trace.lanes import MOST_LANES, Lanes
from engine.trace.pyramid import Level, Window, bars_of
from engine.trace.span_index import SpanIndex

ENGINES = ("copy_in", "compute", "copy_out", "host")
"""The engine rows; the engine column indexes this."""

PARTS = ("task", "iteration", "part", "parts", "stream", "engine", "start_ns", "end_ns", "launch_ns")
"""The columns of a part, in the order in which extend() takes them."""

NOT_KNOWN = -1
"""In the place of an instant that nobody has noted, such as the launch of a part that was predicted."""

_SPANS = ("task", "iteration", "parts", "seen", "stream", "engine", "start_ns", "end_ns", "launch_ns")
_LEVELS_KEPT = 12


@dataclass(frozen=True, slots=True)
class Span:
    """One operation in one iteration. `stream` indexes the timeline's streams; `engine` is one of ENGINES.

    `is_done` says that every part has ended; until then `end_ns` is the end of the last part that has. `launch_ns` is
    when the host handed its first part to the device, or NOT_KNOWN.
    """

    task: TaskId
    iteration: int
    name: str
    stream: int
    engine: str
    start_ns: int
    end_ns: int
    is_done: bool
    launch_ns: int = NOT_KNOWN

    @property
    def duration_ns(self) -> int:
        """From start to end, pauses between parts included."""
        return self.end_ns - self.start_ns


class Timeline:
    """Spans of one run. `streams` names the stream rows; `names` the tasks. Columns are int64, one entry a span.

    `like` is a timeline in which the same operations are expected: they stand in the same lanes where these are free.
    """

    def __init__(self, streams: tuple[str, ...], names: Mapping[TaskId, str]) -> None:
        self.streams = streams
        self.names = dict(names)
        self.end_ns_max = 0
        self.last_iteration = 0
        self.engines_seen: frozenset[int] = frozenset()
        self.like: Timeline | None = None
        self._spans = Columns(*_SPANS)
        self._parts = Columns(*PARTS, "span")
        self._first = 0
        self._index = SpanIndex()
        self._levels: OrderedDict[tuple[str, int], Level] = OrderedDict()
        self._lanes = {"stream": Lanes(), "engine": Lanes()}

    @classmethod
    def from_columns(
        cls, streams: tuple[str, ...], names: Mapping[TaskId, str], columns: Mapping[str, Int64]
    ) -> Timeline:
        """The timeline whose parts were written by to_columns()."""
        timeline = cls(streams, names)
        timeline.extend(np.stack([np.asarray(columns[name], np.int64) for name in PARTS], axis=1))
        return timeline

    def rows(self) -> Int64:
        """Every part in the order of arrival, shape (n, 9), columns PARTS: read-only, in place, however many."""
        return self._parts.rows(len(PARTS))

    def to_columns(self) -> dict[str, Int64]:
        """Every part in the order of arrival: one int64 array a column of PARTS."""
        return {name: self._parts[name].copy() for name in PARTS}

    @property
    def count(self) -> int:
        """Number of spans."""
        return self._spans.count

    @property
    def task(self) -> Int64:
        """Task id of each span."""
        return self._spans.read("task")

    @property
    def iteration(self) -> Int64:
        """Iteration of each span, from 0."""
        return self._spans.read("iteration")

    @property
    def stream(self) -> Int64:
        """Stream of each span, an index of `streams`."""
        return self._spans.read("stream")

    @property
    def engine(self) -> Int64:
        """Engine of each span, an index of ENGINES."""
        return self._spans.read("engine")

    @property
    def start_ns(self) -> Int64:
        """Start of the first part of each span."""
        return self._spans.read("start_ns")

    @property
    def end_ns(self) -> Int64:
        """End of the last part of each span that has arrived."""
        return self._spans.read("end_ns")

    @property
    def launch_ns(self) -> Int64:
        """When the host handed the first part of each span to the device, or NOT_KNOWN."""
        return self._spans.read("launch_ns")

    @property
    def is_done(self) -> NDArray[np.bool_]:
        """Whether every part of each span has arrived."""
        return self._spans["seen"] >= self._spans["parts"]

    def are_done(self, spans: Int64) -> NDArray[np.bool_]:
        """Whether every part of some spans has arrived, given by their rows."""
        return self._spans["seen"][spans] >= self._spans["parts"][spans]

    def frozen(self, most: int | None = None) -> Timeline:
        """The timeline as it is now (its latest spans, if `most` are wanted), to be measured while this one grows.

        It shares the columns with this one.
        """
        still = copy.copy(self)
        still._first = 0 if most is None else max(0, self.count - most)  # noqa: SLF001
        still._spans, still._parts = self._spans.frozen(still._first), self._parts.frozen()  # noqa: SLF001
        return still

    @property
    def first(self) -> int:
        """Which row of the timeline that it was frozen from is its first; 0 of one that was not, or whole."""
        return self._first

    def rest(self) -> None:
        """Nobody looks at it for now: of a long run the disk keeps all."""
        for columns in (self._spans, self._parts):
            columns.rest()

    def extend(self, rows: Int64) -> None:
        """Append parts that ended, shape (n, 9) in the order of PARTS; each part once, in any order. Copies them.

        Parts of shape (n, 8) are some whose launch is not known. Raises ValueError for another shape.
        """
        rows = np.asarray(rows, np.int64)
        if rows.ndim == 2 and rows.shape[1] == len(PARTS) - 1:
            rows = np.column_stack((rows, np.full(len(rows), NOT_KNOWN, np.int64)))
        if rows.ndim != 2 or rows.shape[1] != len(PARTS):
            raise ValueError(f"parts have {len(PARTS)} columns, shape {rows.shape} does not")
        if not len(rows):
            return
        place = self._places(rows)
        spans = self._spans
        np.add.at(spans["seen"], place, 1)
        np.minimum.at(spans["start_ns"], place, rows[:, 6])
        np.maximum.at(spans["end_ns"], place, rows[:, 7])
        np.minimum.at(spans["launch_ns"], place, rows[:, 8])
        self._parts.append(np.concatenate((rows.T, place[np.newaxis])))
        self.end_ns_max = max(self.end_ns_max, int(rows[:, 7].max()))
        self.last_iteration = max(self.last_iteration, int(rows[:, 1].max()))
        if not self.engines_seen.issuperset(rows[:, 5].tolist()):
            self.engines_seen |= frozenset(rows[:, 5].tolist())
        self._index.close(self.are_done)

    def _places(self, rows: Int64) -> Int64:
        """The span of each part; spans that are new are added without a part seen."""
        place, new = self._index.place(rows, self.count)
        task, iteration, _, parts, *rest = rows[new].T
        self._spans.append(np.stack((task, iteration, parts, np.zeros_like(task), *rest)))
        return place

    def span(self, task: TaskId, iteration: int | None = None) -> Span | None:
        """The span of a task in an iteration, or in its latest one; None when it has not begun to end."""
        if iteration is None:
            iteration = self._index.latest(task)
        row = self.row_of(task, iteration)
        return None if row is None else self.span_at(row)

    def row_of(self, task: TaskId, iteration: int) -> int | None:
        """Where in the columns the span of a task in an iteration stands."""
        return self._index.row_of(task, iteration, self._spans["iteration"], self._first)

    def rows_of(self, tasks: Int64, iterations: Int64) -> Int64:
        """Where in the columns these spans stand, -1 where there is none; shape (n,) like both arguments."""
        # An iteration before the first, -1, stands in no row: a task's keys have room for it.
        room = max(self.last_iteration, int(iterations.max(initial=0))) + 2
        keys, wanted = self.task * room + self.iteration, tasks * room + iterations
        order = np.argsort(keys, kind="stable")
        place = np.searchsorted(keys[order], wanted)
        rows = np.append(order, -1)[place]
        return np.where(np.append(keys, -1)[rows] == wanted, rows, -1)

    def span_at(self, row: int) -> Span:
        """The span in one row of the columns."""
        columns = self._spans
        task = int(columns["task"][row])
        return Span(
            task=task,
            iteration=int(columns["iteration"][row]),
            name=self.names.get(task, str(task)),
            stream=int(columns["stream"][row]),
            engine=ENGINES[columns["engine"][row]],
            start_ns=int(columns["start_ns"][row]),
            end_ns=int(columns["end_ns"][row]),
            is_done=bool(columns["seen"][row] >= columns["parts"][row]),
            launch_ns=int(columns["launch_ns"][row]),
        )

    def spans(self) -> list[Span]:
        """Every span, ordered by start, then task, then iteration."""
        order = np.lexsort((self.iteration, self.task, self.start_ns))
        return [self.span_at(row) for row in order.tolist()]

    def parts(self, task: TaskId, iteration: int) -> tuple[tuple[int, int, int], ...]:
        """(part, start_ns, end_ns) of each part that has arrived, ordered by part; empty when there is none."""
        row = self.row_of(task, iteration)
        found = np.flatnonzero(self._parts["span"] == (-1 if row is None else row))
        columns = (self._parts[name][found].tolist() for name in ("part", "start_ns", "end_ns"))
        return tuple(sorted(zip(*columns, strict=True)))

    def lanes(self, by: str) -> Lanes:
        """Where the spans of a row stand beside each other, a row a stream or (by="engine") a row an engine."""
        lanes, like = self._lanes[by], self.like
        columns = (self._spans.read(by), self.start_ns, self.end_ns)
        lanes.update(columns, self.are_done, None if like is None else like.lanes(by), self._twin)
        return lanes

    def window(self, t0: int, t1: int, resolution_ns: int, by: str = "stream") -> Window:
        """The bars that touch [t0, t1), a row a stream or (by="engine") a row an engine.

        Bars of one lane that are shorter than `resolution_ns`, rounded down to a power of two, are merged as pyramid.py
        says. Each level is kept, so asking again costs what is seen and what is new.
        """
        self.lanes(by)
        level = self._level(by, max(0, int(resolution_ns).bit_length() - 1))
        bars = level.between(t0, t1, self._bars(by, level.open))
        place, start, end, span, _, count = bars
        row, lane = np.divmod(place, MOST_LANES)
        return Window(row, lane, start, end, span, self.task[span], self.engine[span], count)

    def _level(self, by: str, k: int) -> Level:
        level = self._levels.get((by, k))
        if level is None:
            finer = [found for (rows, _), found in self._levels.items() if rows == by and found.k < k]
            level = max(finer, key=lambda found: found.k).coarser(k) if finer else Level(k)
            self._levels[by, k] = level
            if len(self._levels) > _LEVELS_KEPT:
                self._levels.popitem(last=False)
        self._levels.move_to_end((by, k))
        waiting = np.concatenate((level.open, np.arange(level.seen, self.count)))
        is_done = self.are_done(waiting)
        level.add(self._bars(by, waiting[is_done]))
        level.open, level.seen = waiting[~is_done], self.count
        return level

    def _bars(self, by: str, spans: Int64) -> Int64:
        place = self._spans[by][spans] * MOST_LANES + self._lanes[by].lane[spans]
        return bars_of(place, self.start_ns[spans], self.end_ns[spans], spans)

    def _twin(self, span: int) -> int | None:
        """The same operation in the timeline that this one is like."""
        task, iteration = int(self._spans["task"][span]), int(self._spans["iteration"][span])
        return None if self.like is None else self.like.row_of(task, iteration)
