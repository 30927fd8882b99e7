"""What crosses between the window's process and the one that simulates: small frozen messages.

Unlike the spans of a run, arrays of a few thousand numbers cross in them, a few times a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.model import Plan, TaskId, Ticks
from engine.process.solve_messages import Slice
from engine.risk.answers import Answers
from engine.risk.changes import Taken


@dataclass(frozen=True, slots=True)
class RiskRequest:
    """How sure is this plan? The first answer rests on few samples, each next one on four times as many, up to all.

    `wanted`: what it takes to be done by then with `confidence`, told after that. `durations` are those that no person
    typed, by task. `device`: cpu, cuda, or auto, which is a GPU where there is one.
    """

    risk: int
    plan: Plan
    samples: int = 10_000
    seed: int = 0
    wanted: Ticks | None = None
    confidence: float = 0.8
    durations: Mapping[TaskId, Ticks] = field(default_factory=dict)
    device: str = "cpu"


@dataclass(frozen=True, slots=True)
class RiskFound:
    """Answers from so many samples as they say, so long after the request came, and when those were drawn."""

    risk: int
    seconds: float
    answers: Answers
    slices: tuple[Slice, ...] = ()


@dataclass(frozen=True, slots=True)
class RiskTaken:
    """What is known by now of what a date takes."""

    risk: int
    taken: Taken


@dataclass(frozen=True, slots=True)
class RiskEnded:
    """All is told; or it was canceled, by a newer request; or a sentence says why there are no answers.

    `setback`: what a device said that failed; the processor has drawn the same samples then.
    """

    risk: int
    is_canceled: bool = False
    sentence: str = ""
    ids: tuple[TaskId, ...] = ()
    setback: str = ""


RiskReply = RiskFound | RiskTaken | RiskEnded
