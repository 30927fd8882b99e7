"""Random problems of a few operations in which every feature may meet every other one."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.problem import NEVER, NONE, LinkKind, Problem, Solution

FAMILIES = 3
SPAN = 60


@st.composite
def calendars(draw: st.DrawFn) -> list[tuple[int, int]]:
    lengths = draw(st.lists(st.tuples(st.integers(1, 5), st.integers(6, 12)), min_size=1, max_size=4))
    found, now = [], draw(st.integers(0, 4)) - 1
    for gap, length in lengths:
        found.append((now + gap, now + gap + length))
        now = found[-1][1]
    return found


@st.composite
def resources(draw: st.DrawFn, matrices: int, clocks: int) -> ResourceDraft:
    capacity = draw(st.sampled_from([1, 1, 1, 2, 3]))
    steps = []
    if draw(st.integers(0, 2)) == 0:
        edges = sorted(draw(st.sets(st.integers(0, SPAN), min_size=4, max_size=4)))
        steps = [
            (a, b, draw(st.integers(0, 4))) for a, b in (edges[:2], edges[1:3] if draw(st.booleans()) else edges[2:])
        ]
    is_machine = capacity == 1 and matrices > 0 and draw(st.integers(0, 3)) > 0
    return ResourceDraft(
        capacity=capacity,
        steps=tuple(steps),
        matrix=draw(st.integers(0, matrices - 1)) if is_machine else NONE,
        family=draw(st.integers(-1, FAMILIES - 1)),
        calendar=draw(st.integers(-1, clocks - 1)),
    )


@st.composite
def modes(draw: st.DrawFn, owned: list[ResourceDraft], clocks: int) -> ModeDraft:
    chosen = draw(st.sets(st.integers(0, len(owned) - 1), min_size=1, max_size=2)) if owned else set()
    return ModeDraft(
        duration=draw(st.integers(0, 6)),
        uses=tuple((each, draw(st.integers(1, owned[each].capacity))) for each in sorted(chosen)),
        calendar=draw(st.integers(-1, clocks - 1)),
        cost=draw(st.integers(0, 9)),
    )


@st.composite
def operations(draw: st.DrawFn, owned: list[ResourceDraft], clocks: int, has_pins: bool) -> OperationDraft:
    choices = draw(st.lists(modes(owned, clocks), min_size=1, max_size=3))
    is_pinned = has_pins and draw(st.integers(0, 3)) == 0
    return OperationDraft(
        modes=tuple(choices),
        release=draw(st.integers(0, 12)),
        due=draw(st.sampled_from([NEVER, 5, 15, 30])),
        weight=draw(st.integers(0, 5)),
        family=draw(st.integers(-1, FAMILIES - 1)),
        is_breakable=draw(st.booleans()),
        pinned_start=draw(st.integers(0, 30)) if is_pinned else NONE,
        pinned_mode=draw(st.sampled_from([NONE, len(choices) - 1])),
        current_start=draw(st.integers(-1, 30)),
        current_mode=draw(st.integers(-1, len(choices) - 1)),
        priority=draw(st.integers(0, 3)),
    )


@st.composite
def links(draw: st.DrawFn, count: int, clocks: int, has_most: bool) -> LinkDraft:
    before = draw(st.integers(0, count - 2))
    is_most = has_most and draw(st.booleans())
    return LinkDraft(
        before=before,
        after=draw(st.integers(before + 1, count - 1)),
        kind=draw(st.sampled_from(list(LinkKind))),
        lag=draw(st.integers(-3, 6)),
        calendar=draw(st.integers(-1, clocks - 1)),
        is_most=is_most,
        is_transported=not is_most and draw(st.booleans()),
    )


@st.composite
def problems(draw: st.DrawFn, has_most: bool = True, has_pins: bool = True, least: int = 0) -> Problem:
    """Alternatives, cumulative and unary resources, calendars, breaks, all links, changeovers, transport, pins."""
    draft = Draft(start=draw(st.integers(0, 5)), horizon=draw(st.sampled_from([NEVER, 40])))
    draft.calendars = draw(st.lists(calendars(), max_size=2))
    clocks, matrices = len(draft.calendars), draw(st.sampled_from([0, 1, 1, 2]))
    ticks = st.integers(0, 4)
    draft.changeover = [[[draw(ticks) for _ in range(FAMILIES)] for _ in range(FAMILIES)] for _ in range(matrices)]
    draft.resources = draw(
        st.lists(resources(matrices, clocks), min_size=draw(st.sampled_from([0, 1, 1, 1])), max_size=3)
    )
    count = len(draft.resources)
    draft.transport = [[draw(ticks) for _ in range(count)] for _ in range(count)]
    draft.operations = draw(st.lists(operations(draft.resources, clocks, has_pins), min_size=least, max_size=8))
    if len(draft.operations) > 1:
        draft.links = draw(st.lists(links(len(draft.operations), clocks, has_most), max_size=8))
    if not count:
        draft.links = [LinkDraft(**{**fields(each), "is_transported": False}) for each in draft.links]
    return draft.build()


def fields(link: LinkDraft) -> dict[str, object]:
    return {name: getattr(link, name) for name in LinkDraft.__dataclass_fields__}


@st.composite
def solutions(draw: st.DrawFn, problem: Problem) -> Solution:
    """Any usable mode of each operation, and any list that its links allow."""
    count = problem.operation_count
    chosen = []
    for each in range(count):
        choices = [m for m in range(problem.first_mode[each], problem.first_mode[each + 1]) if problem.is_usable[m]]
        pinned = int(problem.pinned_mode[each])
        chosen.append(pinned if pinned != NONE else draw(st.sampled_from(choices)))
    key = draw(st.lists(st.integers(0, 50), min_size=count, max_size=count))
    return Solution(np.array(chosen, np.int32), problem.list_by(np.array(key, np.int64)))
