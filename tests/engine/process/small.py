"""A small program, a device that does as a test says, and the command that starts a real device process."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import find_kernel
from engine.model import Buffer, Fill, FillKind, OperationKind
from engine.process.connection import Connection, spawn
from engine.process.messages import RunRequest
from engine.program.operation import Operation, Program
from engine.runtime.backend import Completion, DeviceInfo, Launch

ITEMS = 4096


def program(kernel: str = "saxpy") -> Program:
    """Two streams: a copy in and a kernel on one, a copy out on the other. Spin is compiled, saxpy is not."""
    shape = (ITEMS,)
    return Program(
        name="small",
        streams=("work", "out"),
        operations=(
            Operation(1, "load", OperationKind.COPY_IN, 0, reads=("x",), writes=("x",), nbytes=4 * ITEMS),
            Operation(
                2,
                kernel,
                OperationKind.KERNEL,
                0,
                kernel=kernel,
                parameters=tuple(find_kernel(kernel).complete({}).items()),
                reads=("x",) if kernel == "spin" else ("x", "x"),
                writes=("y",),
                parts=4,
                cost_ns=200_000,
            ),
            Operation(3, "store", OperationKind.COPY_OUT, 1, reads=("y",), writes=("y",), waits=(2,), nbytes=4 * ITEMS),
        ),
        buffers=(Buffer("x", shape, fill=Fill(FillKind.SEED, 7)), Buffer("y", shape)),
        outputs=("y",),
    )


def request(run: int = 1, repeat: int = 1, kernel: str = "saxpy") -> RunRequest:
    """A run of the small program."""
    return RunRequest(run, program(kernel), "", repeat)


def real(kind: str, before: str = "") -> Callable[[str], Awaitable[Connection]]:
    """How a client starts a real device process; `before` is Python that the process runs first."""
    code = f"{before}\nfrom engine.process.host import main; main({kind!r})"
    return partial(_spawn, (sys.executable, "-c", code))


async def _spawn(command: Sequence[str], kind: str) -> Connection:
    return await spawn(kind, command)


class FakeDevice:
    """Ends every part at once with the stamps 0 and 1, unless it is `held`; `fault` is what a part ends with."""

    def __init__(self, fault: str | Exception = "") -> None:
        self.fault = fault
        self.is_closed = False
        self.launches: list[Launch] = []
        self.is_launched = asyncio.Event()
        self.free = asyncio.Event()
        self.free.set()
        self._waiting: list[Launch] = []

    def describe(self) -> DeviceInfo:
        return DeviceInfo("fake", "a device of the tests", "simulated", (("compute", 1),), 0)

    def prepare(self, program: Program, seed: int) -> None:
        self.outputs = {buffer.id: np.zeros(buffer.shape, buffer.dtype) for buffer in program.buffers}

    def begin(self) -> None:
        if isinstance(self.fault, Exception):
            raise self.fault

    def launch(self, launch: Launch) -> None:
        self.launches.append(launch)
        self.is_launched.set()
        self._waiting.append(launch)

    async def completions(self) -> Sequence[Completion]:
        await asyncio.sleep(0)
        await self.free.wait()
        ended, self._waiting = self._waiting, []
        return [Completion(x.operation.task, x.iteration, x.part, 0, 1, str(self.fault)) for x in ended]

    def read(self, buffer: str) -> NDArray[Any]:
        return self.outputs[buffer]

    def close(self) -> None:
        self.is_closed = True
