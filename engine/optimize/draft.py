"""Draft: a Problem written one operation, resource and link at a time. It never checks what Problem checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.optimize.arrays import firsts, ints, longs
from engine.optimize.problem import NEVER, NONE, LinkKind, Problem


@dataclass(frozen=True, slots=True)
class ModeDraft:
    """One way to do an operation: ticks of work, and pairs (resource, units) that it holds meanwhile."""

    duration: int
    uses: tuple[tuple[int, int], ...] = ()
    calendar: int = NONE
    cost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDraft:
    """An operation; `pinned_mode` and `current_mode` count from its own first mode."""

    modes: tuple[ModeDraft, ...]
    release: int = 0
    due: int = NEVER
    weight: int = 1
    family: int = NONE
    is_breakable: bool = False
    pinned_start: int = NONE
    pinned_mode: int = NONE
    current_start: int = NONE
    current_mode: int = NONE
    priority: int = 0
    job: int = NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceDraft:
    """A resource; `steps` are (from, until, units) where its capacity is another one."""

    capacity: int = 1
    steps: tuple[tuple[int, int, int], ...] = ()
    matrix: int = NONE
    family: int = NONE
    calendar: int = NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDraft:
    """A link between two operations, by index."""

    before: int
    after: int
    kind: LinkKind = LinkKind.FS
    lag: int = 0
    calendar: int = NONE
    is_most: bool = False
    is_transported: bool = False


@dataclass(slots=True)
class Draft:
    """Lists that grow; indices are places in them.

    A calendar is a list of (start, finish) of work, sorted and disjoint.
    `transport` is r rows of r ticks or empty, `changeover` as many matrices of f rows of f ticks as resources name.
    """

    operations: list[OperationDraft] = field(default_factory=list)
    resources: list[ResourceDraft] = field(default_factory=list)
    links: list[LinkDraft] = field(default_factory=list)
    calendars: list[Sequence[tuple[int, int]]] = field(default_factory=list)
    transport: Sequence[Sequence[int]] = ()
    changeover: Sequence[Sequence[Sequence[int]]] = ()
    start: int = 0
    horizon: int = NEVER

    def build(self) -> Problem:
        """The Problem; raises SolverError as it does."""
        modes = [mode for operation in self.operations for mode in operation.modes]
        steps = [step for resource in self.resources for step in resource.steps]
        segments = [segment for calendar in self.calendars for segment in calendar]
        first_mode = firsts([len(operation.modes) for operation in self.operations])
        return Problem(
            first_mode=first_mode,
            duration=longs([mode.duration for mode in modes]),
            mode_calendar=ints([mode.calendar for mode in modes]),
            mode_cost=longs([mode.cost for mode in modes]),
            first_use=firsts([len(mode.uses) for mode in modes]),
            use_resource=ints([resource for mode in modes for resource, _ in mode.uses]),
            use_units=ints([units for mode in modes for _, units in mode.uses]),
            release=longs([each.release for each in self.operations]),
            due=longs([each.due for each in self.operations]),
            weight=longs([each.weight for each in self.operations]),
            family=ints([each.family for each in self.operations]),
            is_breakable=np.array([each.is_breakable for each in self.operations], np.bool_),
            pinned_start=longs([each.pinned_start for each in self.operations]),
            pinned_mode=_absolute([each.pinned_mode for each in self.operations], first_mode),
            current_start=longs([each.current_start for each in self.operations]),
            current_mode=_absolute([each.current_mode for each in self.operations], first_mode),
            priority=ints([each.priority for each in self.operations]),
            job=ints([each.job for each in self.operations]),
            capacity=ints([each.capacity for each in self.resources]),
            first_step=firsts([len(each.steps) for each in self.resources]),
            step_from=longs([since for since, _, _ in steps]),
            step_until=longs([until for _, until, _ in steps]),
            step_units=ints([units for _, _, units in steps]),
            resource_matrix=ints([each.matrix for each in self.resources]),
            resource_family=ints([each.family for each in self.resources]),
            resource_calendar=ints([each.calendar for each in self.resources]),
            first_segment=firsts([len(calendar) for calendar in self.calendars]),
            segment_start=longs([since for since, _ in segments]),
            segment_finish=longs([until for _, until in segments]),
            segment_work=longs([work for calendar in self.calendars for work in _work_before(calendar)]),
            link_from=ints([link.before for link in self.links]),
            link_to=ints([link.after for link in self.links]),
            link_kind=np.array([link.kind for link in self.links], np.int8),
            link_lag=longs([link.lag for link in self.links]),
            link_calendar=ints([link.calendar for link in self.links]),
            link_is_most=np.array([link.is_most for link in self.links], np.bool_),
            link_is_transported=np.array([link.is_transported for link in self.links], np.bool_),
            transport=np.array(self.transport, np.int64).reshape(len(self.transport), -1)
            if len(self.transport)
            else np.zeros((0, 0), np.int64),
            changeover=np.array(self.changeover, np.int64) if len(self.changeover) else np.zeros((0, 0, 0), np.int64),
            start=self.start,
            horizon=self.horizon,
        )


def _absolute(modes: Sequence[int], first_mode: NDArray[np.int32]) -> NDArray[np.int32]:
    relative = np.array(modes, np.int32)
    return np.where(relative == NONE, NONE, relative + first_mode[:-1]).astype(np.int32)


def _work_before(calendar: Sequence[tuple[int, int]]) -> list[int]:
    lengths = (until - since for since, until in calendar)
    return [0, *accumulate(lengths)][: len(calendar)]
