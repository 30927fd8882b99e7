"""Simulation: how the simulated device shall behave in one run: its pace, and the faults that it shall show.

It never runs one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import DeviceError
from engine.model import OperationKind, TaskId
from engine.program.operation import Operation, Program

SLOWNESS = 8.0


@dataclass(frozen=True, slots=True)
class FailPart:
    """One part fails with `sentence`. `is_sticky`: the device is lost, with all that runs on it."""

    task: TaskId
    part: int = 0
    iteration: int = 0
    sentence: str = "the data make no sense"
    is_sticky: bool = False


@dataclass(frozen=True, slots=True)
class ShortMemory:
    """The first part of an operation finds no memory, `times` times."""

    task: TaskId
    iteration: int = 0
    times: int = 1


@dataclass(frozen=True, slots=True)
class LoseDevice:
    """The device's process dies as an operation ends its first part."""

    task: TaskId
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class Hang:
    """The first part of an operation never ends."""

    task: TaskId
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class SlowCopies:
    """Copies in and out take `factor` times as long."""

    factor: float


@dataclass(frozen=True, slots=True)
class WrongResult:
    """The first element that a task writes is wrong in every iteration, as if its kernel were."""

    task: TaskId


Fault = FailPart | ShortMemory | LoseDevice | Hang | SlowCopies | WrongResult

FAULTS = ("fail", "sticky", "memory", "no-memory", "lost", "hang", "slow-copies", "wrong")
"""The kinds that a person may ask for."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """`pace`: seconds of the virtual clock in a second, 0: as fast as can be. `faults`: what goes wrong."""

    pace: float = 0.0
    faults: tuple[Fault, ...] = ()


AS_IT_IS = Simulation()
"""As fast as can be, and without a fault."""


def parse_faults(words: Sequence[str], program: Program) -> tuple[Fault, ...]:
    """The faults that words such as "sticky@denoise" name, in the first iteration. Raises DeviceError, one sentence.

    Without an operation the one in the middle of the program is meant (for a wrong result the last kernel).
    """
    return tuple(_fault(word, program) for word in words)


def _fault(word: str, program: Program) -> Fault:
    kind, _, name = word.partition("@")
    if kind not in FAULTS:
        raise DeviceError(f"There is no fault “{kind}”; choose one of {', '.join(FAULTS)}.")
    if kind == "slow-copies":
        return SlowCopies(SLOWNESS)
    operation = _operation(kind, name, program)
    task = operation.task
    faults: dict[str, Fault] = {
        "fail": FailPart(task, part=operation.parts // 2),
        "sticky": FailPart(task, sentence="an illegal memory access", is_sticky=True),
        "memory": ShortMemory(task),
        "no-memory": ShortMemory(task, times=1 << 30),
        "lost": LoseDevice(task),
        "hang": Hang(task),
        "wrong": WrongResult(task),
    }
    return faults[kind]


def _operation(kind: str, name: str, program: Program) -> Operation:
    operations = program.operations
    if kind in ("wrong", "memory", "no-memory"):
        operations = tuple(op for op in operations if op.kind is OperationKind.KERNEL) or operations
    if not name:
        return operations[-1 if kind == "wrong" else len(operations) // 2]
    found = next((op for op in program.operations if name in (op.name, str(op.task))), None)
    if found is None:
        raise DeviceError(f"“{program.name}” has no operation “{name}” for the fault “{kind}”.")
    return found
