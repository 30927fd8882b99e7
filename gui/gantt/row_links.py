"""Row links: which links of a plan touch which rows, as arrays. It never knows which rows are in sight, nor a pixel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.model import Dependency, DependencyKind, TaskId
from engine.session.state import State

Places = NDArray[np.int64]
Flags = NDArray[np.bool_]

_FROM_FINISH = frozenset({DependencyKind.FS, DependencyKind.FF})
_TO_FINISH = frozenset({DependencyKind.FF, DependencyKind.SF})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RowLink:
    """A link between two rows. `dependency` is None where the order on a stream adds it."""

    first: int
    second: int
    kind: DependencyKind
    dependency: Dependency | None


@dataclass(frozen=True, eq=False)
class LinkIndex:
    """Every link of a plan with these rows, an entry each: the rows at both ends, and which ends of the bars they join.

    `sources` holds None for a link that streams add. `touching[begins[row] : begins[row + 1]]` are the links of a row.
    """

    rows: Mapping[TaskId, int]
    first: Places
    second: Places
    from_finish: Flags
    to_finish: Flags
    sources: Sequence[Dependency | None]
    stored_count: int
    touching: Places
    begins: Places

    @staticmethod
    def of(state: State) -> LinkIndex:
        """Those of a state: made once for all edits that leave rows and links alone."""
        plan = state.plan
        return _index(Same(plan.rows), Same(plan.dependencies), state.schedule.stream_links, len(plan.tasks))

    def at(self, plan_rows: Places) -> Places:
        """The links with an end in one of these rows, in their own order, each once."""
        spans = zip(self.begins[plan_rows].tolist(), self.begins[plan_rows + 1].tolist(), strict=True)
        found = [self.touching[begin:end] for begin, end in spans]
        numbers = np.sort(np.concatenate(found)) if found else np.arange(0)
        return numbers[np.append(True, numbers[1:] != numbers[:-1])] if len(numbers) else numbers


@dataclass(frozen=True, eq=False)
class NearLinks:
    """Some links, an entry each; `first` and `second` are rows that are shown."""

    index: LinkIndex
    number: Places
    first: Places
    second: Places

    def only(self, chosen: Flags | Places) -> NearLinks:
        """Some of them."""
        return NearLinks(self.index, self.number[chosen], self.first[chosen], self.second[chosen])

    def link(self, place: int) -> RowLink:
        """One of them."""
        source = self.index.sources[int(self.number[place])]
        kind = DependencyKind.FS if source is None else source.kind
        return RowLink(int(self.first[place]), int(self.second[place]), kind, source)

    @property
    def from_finish(self) -> Flags:
        """Which leave the finish of their first task."""
        return self.index.from_finish[self.number]

    @property
    def to_finish(self) -> Flags:
        """Which enter the finish of their second task."""
        return self.index.to_finish[self.number]

    @property
    def is_stored(self) -> Flags:
        """Which are the plan's own."""
        return self.number < self.index.stored_count

    def __len__(self) -> int:
        return len(self.number)


class Same(Generic[T]):
    """A value that is taken for another only where it is that very one: for large ones that edits hand on."""

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=2)
def _index(
    same_rows: Same[dict[TaskId, int]],
    same_links: Same[tuple[Dependency, ...]],
    added: tuple[tuple[TaskId, TaskId], ...],
    row_count: int,
) -> LinkIndex:
    rows, links = same_rows.value, same_links.value
    stored = {(link.predecessor, link.successor) for link in links} if added else set()
    more = [pair for pair in added if pair not in stored]
    first = _rows(rows, (*map(attrgetter("predecessor"), links), *(before for before, _ in more)))
    second = _rows(rows, (*map(attrgetter("successor"), links), *(after for _, after in more)))
    kinds = [*map(attrgetter("kind"), links)]
    ends, count = np.concatenate((first, second)), len(links) + len(more)
    ranked = np.argsort(ends, kind="stable")
    return LinkIndex(
        rows,
        first,
        second,
        np.array([*map(_FROM_FINISH.__contains__, kinds), *[True] * len(more)], dtype=np.bool_),
        np.array([*map(_TO_FINISH.__contains__, kinds), *[False] * len(more)], dtype=np.bool_),
        (*links, *[None] * len(more)) if more else links,
        len(links),
        ranked % max(count, 1),
        np.searchsorted(ends[ranked], np.arange(row_count + 1)),
    )


def _rows(rows: dict[TaskId, int], tasks: Iterable[TaskId]) -> Places:
    return np.array([*map(rows.__getitem__, tasks)], dtype=np.int64)
