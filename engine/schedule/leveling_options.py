"""LevelOptions: how a plan is to be leveled. It never moves a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from engine.model import TaskId, Ticks

# Told now and then which share of the tasks is placed; what it raises ends the leveling.
Watch = Callable[[float], object]


class Scheme(Enum):
    """How the next task is chosen.

    SERIAL: the most urgent task whose predecessors are placed, at the first instant at which it fits.
    PARALLEL: of those tasks the one that fits first; among equals the most urgent.
    """

    SERIAL = "serial"
    PARALLEL = "parallel"


class Rule(Enum):
    """What makes a task more urgent than another; equal ones go by row.

    PRIORITY_STANDARD: higher priority, then as STANDARD. STANDARD: less total float, earlier start, higher priority,
    a constraint before none. LATEST_FINISH: earlier late finish. MIN_SLACK: less total float. POSITIONAL_WEIGHT
    (GRPW): the larger sum of its duration and those of its direct successors. ID: the row alone.
    """

    PRIORITY_STANDARD = "priority"
    STANDARD = "standard"
    LATEST_FINISH = "lft"
    MIN_SLACK = "slack"
    POSITIONAL_WEIGHT = "grpw"
    ID = "id"


@dataclass(frozen=True, slots=True)
class LevelOptions:
    """How to level. `is_within_slack`: no task starts after its late start, so the finish of the plan holds.

    `splits_tasks`: a task may pause while a resource is busy; no part but the last is shorter than `shortest_part`
    working ticks. `frozen` are ids of tasks that stay where they are, those of a summary's leaves by the summary's.

    Tasks of a plan that is scheduled from its finish never pause, and the most urgent of them is placed first.
    """

    scheme: Scheme = Scheme.SERIAL
    rule: Rule = Rule.PRIORITY_STANDARD
    is_within_slack: bool = False
    splits_tasks: bool = False
    shortest_part: Ticks = 3600
    frozen: frozenset[TaskId] = frozenset()
