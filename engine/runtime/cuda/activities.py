"""Activities: what CUPTI measured, put together by part. It knows no CUPTI, no clock and no threads.

Each call that hands a part over is recorded under the part's number; what the GPU did because of it carries the
correlation id of that call. The records come in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Call:
    """A call with this correlation id was made, at an instant of CUPTI's clock."""

    correlation: int
    start_ns: int


@dataclass(frozen=True, slots=True)
class Belongs:
    """A call with this correlation id was made while a part was handed over."""

    correlation: int
    part: int


@dataclass(frozen=True, slots=True)
class Work:
    """A kernel, copy or memset that a call caused, on the GPU from start to end."""

    correlation: int
    start_ns: int
    end_ns: int


Record = Call | Belongs | Work


@dataclass(frozen=True, slots=True)
class Measured:
    """What the GPU did of a part, from its first work to the end of its last; `launch_ns` is when the host called."""

    part: int
    launch_ns: int
    start_ns: int
    end_ns: int


@dataclass(slots=True)
class _Gathered:
    correlations: set[int] = field(default_factory=set)
    work: list[Work] = field(default_factory=list)


class Activities:
    """Records, until their part is asked for. `rejected` counts those that cannot be true (no start, or a negative
    length), which CUPTI is known to give."""

    def __init__(self) -> None:
        self._part_of: dict[int, int] = {}
        self._calls: dict[int, int] = {}
        self._parts: dict[int, _Gathered] = {}
        # Work whose call was not told of yet.
        self._early: dict[int, list[Work]] = {}
        self.rejected = 0

    def take(self, records: Iterable[Record]) -> None:
        """Put records to their parts."""
        for record in records:
            match record:
                case Call(correlation, start_ns):
                    self._calls.setdefault(correlation, start_ns)
                case Belongs(correlation, part):
                    self._part_of[correlation] = part
                    gathered = self._parts.setdefault(part, _Gathered())
                    gathered.correlations.add(correlation)
                    gathered.work += self._early.pop(correlation, [])
                case Work(_, start_ns, end_ns) if not 0 < start_ns <= end_ns:
                    self.rejected += 1
                case Work(correlation) if correlation in self._part_of:
                    self._parts[self._part_of[correlation]].work.append(record)
                case Work(correlation):
                    self._early.setdefault(correlation, []).append(record)

    def peek(self, part: int) -> Measured | None:
        """What is known of a part so far; None where no work was recorded."""
        gathered = self._parts.get(part)
        if gathered is None or not gathered.work:
            return None
        start_ns = min(work.start_ns for work in gathered.work)
        end_ns = max(work.end_ns for work in gathered.work)
        causes = {work.correlation for work in gathered.work}
        launches = [self._calls[each] for each in causes if each in self._calls]
        return Measured(part, min((start_ns, *launches)), start_ns, end_ns)

    def forget(self, part: int) -> None:
        """Drop what is known of a part."""
        gathered = self._parts.pop(part, None)
        for correlation in gathered.correlations if gathered is not None else ():
            self._part_of.pop(correlation, None)
            self._calls.pop(correlation, None)
