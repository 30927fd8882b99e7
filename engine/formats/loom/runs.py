"""Runs out of the tables of a .loom file. It never touches the disk."""

from __future__ import annotations

import sqlite3

import numpy as np

from engine.errors import FormatError
from engine.formats.loom.tables import rows, truth
from engine.trace.recorded_run import Parts, RecordedRun
from engine.trace.timeline import ENGINES, NOT_KNOWN, PARTS
from engine.trace.waits import Waits

_OUTCOMES = ("finished", "failed", "canceled")
_RUN = (
    "position:int is_verified:int? number:int device:str outcome:str device_name:str stamps:str error:str "
    "failed_task:int repeat:int bound_ns:int?"
)
_SPAN = (
    "run:int is_predicted:int task:int iteration:int part:int parts:int stream:int engine:str start_ns:int end_ns:int "
    "launch_ns:int?=NULL@3"
)


def read_runs(db: sqlite3.Connection) -> tuple[RecordedRun, ...]:
    """The runs in their order. Raises sqlite3.Error, or FormatError with a sentence's end."""
    streams = list(rows(db, "run_stream", "run:int name:str"))
    names = list(rows(db, "run_task", "run:int task:int name:str lanes:int=1@3"))
    links = list(rows(db, "run_link", "run:int predecessor:int successor:int iterations:int=0@3"))
    engines = list(rows(db, "run_engine", "run:int engine:str lanes:int"))
    pauses = list(rows(db, "run_pause", "run:int start_ns:int end_ns:int"))
    spans = _spans(db)
    found = []
    for row in rows(db, "run", _RUN):
        position, verified, number, device, outcome, device_name, stamps, error, failed_task, repeat, bound_ns = row
        is_here = spans[:, 0] == position
        run = RecordedRun(
            number,
            device,
            outcome,
            device_name=device_name,
            stamps=stamps,
            error=error,
            failed_task=failed_task,
            repeat=repeat,
            bound_ns=bound_ns,
            is_verified=None if verified is None else truth(verified),
            streams=tuple(name for at, name in streams if at == position),
            names=tuple((task, name) for at, task, name, _ in names if at == position),
            waits=Waits(
                ((before, after, back) for at, before, after, back in links if at == position),
                ((task, lanes) for at, task, _, lanes in names if at == position),
                ((engine, lanes) for at, engine, lanes in engines if at == position),
            ),
            parts=spans[is_here & (spans[:, 1] == 0), 2:],
            predicted=spans[is_here & (spans[:, 1] == 1), 2:],
            pauses=tuple((start, end) for at, start, end in pauses if at == position),
        )
        _check(run)
        found.append(run)
    return tuple(found)


def _spans(db: sqlite3.Connection) -> Parts:
    """All spans, columns run, is_predicted, then those of a part."""
    engines = {name: index for index, name in enumerate(ENGINES)}
    found = [(*row[:7], engines.get(row[7], -1), *row[8:10], _known(row[10])) for row in rows(db, "span", _SPAN)]
    return np.array(found, np.int64).reshape(-1, 2 + len(PARTS))


def _known(launch_ns: int | None) -> int:
    return NOT_KNOWN if launch_ns is None else launch_ns


def _check(run: RecordedRun) -> None:
    if run.outcome not in _OUTCOMES:
        raise FormatError(f"is damaged: a run ended as “{run.outcome:.60}”")
    for parts in (run.parts, run.predicted):
        _, iteration, part, of, stream, engine, start, end, launch = parts.T
        is_whole = (iteration >= 0) & (part >= 0) & (part < of) & (start >= 0) & (start <= end) & (engine >= 0)
        if not np.all(is_whole & (stream >= 0) & (stream < len(run.streams)) & (launch >= NOT_KNOWN)):
            raise FormatError("is damaged: a run holds a span that cannot be")
    if any(start >= end for start, end in run.pauses):
        raise FormatError("is damaged: a pause of a run ends before it begins")
