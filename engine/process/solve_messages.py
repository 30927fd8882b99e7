"""What crosses between the window's process, the one that searches, and the one that proves: small frozen messages.

Unlike the spans of a run, arrays of a plan's solution cross in them: they are small, and few a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.model import Plan, TaskId
from engine.optimize.aim import Aim
from engine.optimize.problem import Evaluation, Problem, Solution
from engine.process.questions import Question


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """Look for a better plan than this one, until a cancel, an end that is known, or `seconds` (0: no limit).

    The seconds begin when the engines are ready. `cores` is how many may work, the exact solver's among them.
    `slices` above 0: so many slices one after the other and no exact solver, so that the same seed gives the same.
    Tasks in `kept` stay where the schedule has them. `device`: where batches go, "cpu", "cuda", or "auto": to a GPU if
    there is one and trying says that it pays, which never happens where `slices` are counted.
    """

    solve: int
    plan: Plan
    aim: Aim
    seconds: float = 0.0
    seed: int = 0
    cores: int = 1
    slices: int = 0
    kept: tuple[TaskId, ...] = ()
    device: str = "cpu"


@dataclass(frozen=True, slots=True)
class Cancel:
    """End the search that goes on; the process stays."""


@dataclass(frozen=True, slots=True)
class Found:
    """A plan that is better than all before: who found it, when, and how many schedules had been made by then.

    `aim` is what is asked without the levels that cannot count in this plan.
    """

    solve: int
    seconds: float
    engine: str
    evaluation: Evaluation
    schedules: int
    aim: Aim


@dataclass(frozen=True, slots=True)
class Bounded:
    """No plan that breaks no rule is worth less, by the first level after broken rules that can count."""

    solve: int
    seconds: float
    bound: int


@dataclass(frozen=True, slots=True)
class Hindered:
    """These stand in the way of any plan that breaks no rule; without any, links, resources and calendars do alone.

    `pinned` are operations, `longest` pairs (before, after) of operations whose links have a maximum lag.
    """

    solve: int
    pinned: tuple[int, ...]
    longest: tuple[tuple[int, int], ...]


class Ending(StrEnum):
    """Why a search ended. DONE: no engine had anything left to try; FAILED: a sentence says why."""

    OPTIMAL = "optimal"
    DONE = "done"
    TIME = "time"
    CANCELED = "canceled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Share:
    """What one engine did: slices, iterations as it counts them, and plans that were the best of their time."""

    engine: str
    slices: int
    iterations: int
    found: int


class Slice(NamedTuple):
    """What an engine worked in one go, by the system's monotonic clock."""

    engine: str
    start_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class Working:
    """How many schedules have been made so far, what each engine did, and when it worked since the last of these."""

    solve: int
    schedules: int
    shares: tuple[Share, ...]
    slices: tuple[Slice, ...] = ()


@dataclass(frozen=True, slots=True)
class SolveEnded:
    """How a search ended, and what its engines did; `ids` are the tasks that a sentence concerns."""

    solve: int
    ending: Ending
    sentence: str = ""
    ids: tuple[TaskId, ...] = ()
    shares: tuple[Share, ...] = ()


@dataclass(frozen=True, slots=True)
class ProveRequest:
    """Prove what can be proved of a problem and better its best plan, until the end of the pipe."""

    problem: Problem
    aim: Aim
    best: Evaluation
    workers: int
    seed: int


@dataclass(frozen=True, slots=True)
class Bettered:
    """Another engine found a better plan."""

    best: Evaluation


@dataclass(frozen=True, slots=True)
class Offered:
    """A solution of the exact solver, to be measured."""

    solution: Solution


@dataclass(frozen=True, slots=True)
class Proved:
    """A bound of the exact solver, of the first level of the aim after broken rules."""

    bound: int


@dataclass(frozen=True, slots=True)
class Explained:
    """Why no plan breaks no rule: operations by index, links by index."""

    pinned: tuple[int, ...]
    longest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProverDone:
    """The exact solver has nothing left to do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question beside the search, which goes on."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Answered:
    """Its answer, or why there is none."""

    number: int
    answer: object
    sentence: str = ""
    ids: tuple[TaskId, ...] = ()


SolveReply = Found | Bounded | Working | Hindered | SolveEnded
ProveReply = Offered | Proved | Explained | ProverDone
