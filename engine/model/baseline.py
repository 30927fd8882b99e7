"""Baseline: dates that were once promised. It never changes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.ticks import TaskId, Ticks


@dataclass(frozen=True, slots=True)
class BaselineTask:
    """A task's promised dates in ticks, and its duration in working ticks."""

    task: TaskId
    start: Ticks
    finish: Ticks
    duration: Ticks


@dataclass(frozen=True, slots=True)
class Baseline:
    """All promises of one day. `number` is 0 to 10, as other tools count them."""

    number: int
    name: str
    tasks: tuple[BaselineTask, ...]
