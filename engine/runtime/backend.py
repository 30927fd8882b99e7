"""The protocols of a device, and what a device says of itself. No device is opened here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.model import TaskId
from engine.program.operation import Nanoseconds, Operation, Program
from engine.trace.timeline import NOT_KNOWN


class LostDeviceError(DeviceError):
    """A sticky error that is no single part's: the device is lost, and only a new process can open it again."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """What a device says of itself.

    `stamps`: measured, inferred, wall or simulated. `engines`: (engine row, lanes) pairs. `memory_bytes`: 0 if unknown.
    """

    kind: str
    name: str
    stamps: str
    engines: tuple[tuple[str, int], ...]
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Launch:
    """One part of one operation in one iteration: what the executor hands to a stream.

    `at_ns` is when the device took it; it is not known before. `is_in_round`: it goes to the device together with all
    parts of some whole iterations.
    """

    operation: Operation
    iteration: int
    part: int
    at_ns: Nanoseconds = NOT_KNOWN
    is_in_round: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """A part that ended. Stamps are nanoseconds from the run's start; `error` is a sentence, empty when all is well.

    `launch_ns` is when the host had handed the part to the device, or NOT_KNOWN. `is_sticky`: the device is lost with
    all that was on it, and only a new process can open it again; any other error costs the run alone. Where not
    `is_stamped`, a Stamped follows in another batch.
    """

    task: TaskId
    iteration: int
    part: int
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    error: str = ""
    launch_ns: Nanoseconds = NOT_KNOWN
    is_sticky: bool = False
    is_stamped: bool = True


@dataclass(frozen=True, slots=True)
class Stamped:
    """The stamps of a part that ended a while ago: a device may learn them later than the end itself."""

    completion: Completion


class Device(Protocol):
    """A device that runs programs. Calls are made from one thread; completions come in batches."""

    def describe(self) -> DeviceInfo:
        """What this device is."""

    def prepare(self, program: Program, seed: int) -> None:
        """Allocate and fill buffers, poison what is not filled, load kernels. May block; raises DeviceError."""

    def begin(self) -> None:
        """Set the run's time zero."""

    def launch(self, launch: Launch) -> None:
        """Enqueue a part on its operation's stream; never blocks.

        The first part of an operation starts after every task in `operation.waits` of the same iteration; the
        executor launches it only once those were launched, so an event exists to wait for.
        """

    async def completions(self) -> Sequence[Completion | Stamped]:
        """Wait until at least one launched part has ended; returns all that have, in the order they ended.

        Asked only while a launched part, or the stamps of one, have not been returned yet. After an error every part
        that has not started ends with an error too, so that whoever drains the streams never waits for good.
        """

    def read(self, buffer: str) -> NDArray[Any]:
        """A copy of the host side of a buffer."""

    def close(self) -> None:
        """Stop threads, free memory. Safe to call twice."""


@runtime_checkable
class Rehearsing(Protocol):
    """A device to which whole iterations may go at once, where it has found that quicker."""

    def rehearse(self, repeat: int) -> int:
        """How many iterations of the prepared program make a round in a run of `repeat`; 0: parts go one by one.

        Blocks; asked after prepare() and before begin(), and leaves both sides of every buffer as prepare() did. The
        parts of a round are launched in the order of the program, iteration after iteration; the device hands them
        over with the last one. They end one by one. No part that is in no round is launched while a round goes on.
        """
