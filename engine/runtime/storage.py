"""Storage: both sides of every buffer as NumPy arrays, and what each part of an operation does to them.

It never decides when; it may be called from several threads for parts that do not conflict.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError, EngineError
from engine.kernels.kernel import flat, part_span
from engine.model import OperationKind, Side
from engine.program.operation import Operation, Program
from engine.program.reference import fill, poison
from engine.runtime.backend import Launch
from engine.runtime.kit import kernels_of
from engine.runtime.polite import politely

Array = NDArray[Any]

SIDES = {
    OperationKind.COPY_IN: (Side.HOST, Side.DEVICE),
    OperationKind.COPY_OUT: (Side.DEVICE, Side.HOST),
    OperationKind.HOST: (Side.HOST, Side.HOST),
}
# What a kernel may raise because of its data or the machine; anything else is a mistake in it, and surfaces as one.
FAILURES = (ArithmeticError, EngineError, MemoryError, OSError, RuntimeError, ValueError)


# How often what finds no memory is halved before it is given up.
MOST_HALVINGS = 3


class Storage:
    """Buffers of one program, filled or poisoned, and its kernels, compiled. DeviceError when memory is short."""

    def __init__(self, program: Program, seed: int) -> None:
        self._sides: dict[tuple[str, Side], Array] = {}
        for buffer in program.buffers:
            try:
                host = fill(buffer, seed, program.folder)
                device = np.empty_like(host)
            except MemoryError as error:
                raise DeviceError(f"There is no memory for the buffer “{buffer.id}”.") from error
            poison(device)
            self._sides |= {(buffer.id, Side.HOST): host, (buffer.id, Side.DEVICE): device}
        self._kernels = kernels_of(program)
        politely(self._warm)

    def _warm(self) -> None:
        for kernel in self._kernels.values():
            kernel.warm()

    def read(self, buffer: str) -> Array:
        """A copy of the host side of a buffer."""
        return self._sides[buffer, Side.HOST].copy()

    def written(self, operation: Operation) -> list[Array]:
        """The arrays an operation writes."""
        return self._arrays(operation)[1]

    def perform(self, launch: Launch, short: int = 0) -> str:
        """Do one part; a sentence that names the operation when that failed, else nothing.

        What finds no memory is tried again in halves, MOST_HALVINGS times; `short` times it shall find none.
        """
        operation, shortage = launch.operation, iter(range(short))
        try:
            # As on a GPU: infinities and NaN are results, never warnings.
            with np.errstate(all="ignore"):
                self._perform(operation, launch.part, operation.parts, shortage)
        except MemoryError:
            return (
                f"“{operation.name}” found no memory, not even for an {2**MOST_HALVINGS}th of its part; "
                "close other programs, or make its buffers smaller."
            )
        except FAILURES as problem:
            return f"“{operation.name}” failed: {str(problem).rstrip('.') or type(problem).__name__}."
        return ""

    def _perform(self, operation: Operation, part: int, parts: int, shortage: Iterator[int]) -> None:
        try:
            if next(shortage, None) is not None:
                raise MemoryError
            reads, writes = self._arrays(operation)
            if operation.kernel:
                self._kernels[operation.kernel].cpu(dict(operation.parameters), reads, writes, part, parts)
            else:
                span = part_span(reads[0].size, part, parts)
                np.copyto(flat(writes[0])[span], flat(reads[0])[span])
        except MemoryError:
            if parts >= operation.parts << MOST_HALVINGS:
                raise
            gc.collect()
            for half in (2 * part, 2 * part + 1):
                self._perform(operation, half, 2 * parts, shortage)

    def _arrays(self, operation: Operation) -> tuple[list[Array], list[Array]]:
        source, target = SIDES.get(operation.kind, (Side.DEVICE, Side.DEVICE))
        reads = [self._sides[name, source] for name in operation.reads]
        return reads, [self._sides[name, target] for name in operation.writes]


def not_run(operation: Operation) -> str:
    """What is said of a part that was launched when another had already failed."""
    return f"“{operation.name}” was not run, because the device had failed before."


def check_memory(program: Program, sides: int, available: int, owner: str) -> None:
    """A DeviceError when that many sides of all buffers do not fit into the bytes `available` in what `owner` names."""
    needed = sides * sum(buffer.items * np.dtype(buffer.dtype).itemsize for buffer in program.buffers)
    if needed > available:
        sentence = f"The buffers of “{program.name}” need {_mebibytes(needed)}, but {owner} has"
        raise DeviceError(f"{sentence} {_mebibytes(available)}.")


def _mebibytes(count: int) -> str:
    return f"{count / 2**20:,.0f} MiB"
