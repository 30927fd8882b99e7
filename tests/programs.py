"""Programs built by hand for tests of devices, and random ones. Never the compiler's work."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import permutations, product
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from engine.kernels import KERNELS
from engine.kernels.kernel import Array, Cost, Kernel, Parameter, Parameters, Shape, part_span
from engine.model import Buffer, Fill, FillKind, Memory, OperationKind, OperationSpec
from engine.program.operation import Operation, Program

# Small enough that the reference, which holds what a memset wrote in float64, stays exact.
PRIME = 1_000_003


class Mix(Kernel):
    """target = 31 target + 7 source + bias (mod a prime): exact, and telling of every order but the right one.

    `during(0)` is called by the first part before it works, `during(1)` by each other one.
    """

    name = "mix"
    summary = "Tells orders apart"
    read_count = 2
    write_count = 1
    tolerance = 0.0
    parameters = (Parameter("bias", 0, 0, 1000),)
    is_library = True

    def __init__(self, during: Callable[[int], object] = lambda part: None, name: str = "mix") -> None:
        self.during = during
        self.name = name  # type: ignore[misc]

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        return ""

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        return Cost(1_000, 0)

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        return math.prod(shapes[0])

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        self.library(np, parameters, reads, writes, part_span(writes[0].size, part, parts))

    def library(
        self, module: ModuleType, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], span: slice
    ) -> None:
        self.during(int(span.start > 0))
        writes[0][span] = self._formula(parameters, reads[0][span], reads[1][span])

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        return (self._formula(parameters, *reads),)

    def _formula(self, parameters: Parameters, source: Array, target: Array) -> Array:
        return (31 * (target % PRIME) + 7 * (source % PRIME) + int(parameters.get("bias", 0))) % PRIME


@contextmanager
def kernels(*more: Kernel) -> Iterator[None]:
    """While it lasts, these kernels are found beside the product's own."""
    with patch("engine.kernels.KERNELS", (*more, *KERNELS)):
        yield


def seeded(name: str, items: int = 64, dtype: str = "float32", memory: Memory = Memory.PINNED) -> Buffer:
    return Buffer(name, (items,), dtype, memory, Fill(FillKind.SEED, seed=len(name)))


def copy_in(task: int, stream: int, buffer: str, **more: object) -> Operation:
    return _operation(OperationKind.COPY_IN, task, stream, reads=(buffer,), writes=(buffer,), **more)


def copy_out(task: int, stream: int, buffer: str, **more: object) -> Operation:
    return _operation(OperationKind.COPY_OUT, task, stream, reads=(buffer,), writes=(buffer,), **more)


def copy_within(task: int, stream: int, source: str, target: str, **more: object) -> Operation:
    return _operation(OperationKind.COPY_WITHIN, task, stream, reads=(source,), writes=(target,), **more)


def memset(task: int, stream: int, buffer: str, value: float, **more: object) -> Operation:
    parameters = (("value", value),)
    return _operation(
        OperationKind.MEMSET, task, stream, kernel="memset", writes=(buffer,), parameters=parameters, **more
    )


def kernel(task: int, stream: int, name: str, **more: object) -> Operation:
    return _operation(OperationKind.KERNEL, task, stream, kernel=name, **more)


def host(task: int, stream: int, name: str, **more: object) -> Operation:
    return _operation(OperationKind.HOST, task, stream, kernel=name, **more)


def _operation(kind: OperationKind, task: int, stream: int, **more: object) -> Operation:
    return Operation(task, f"{kind.value} {task}", kind, stream, **more)  # type: ignore[arg-type]


def program(operations: Sequence[Operation], buffers: Sequence[Buffer]) -> Program:
    """A program on as many streams as its operations name; copies and memsets get their bytes."""
    sizes = {buffer.id: buffer.items * _item_bytes(buffer.dtype) for buffer in buffers}
    computes = (OperationKind.KERNEL, OperationKind.HOST)
    sized = tuple(op if op.kind in computes else replace(op, nbytes=sizes[op.writes[0]]) for op in operations)
    streams = tuple(f"stream {index}" for index in range(1 + max((op.stream for op in operations), default=0)))
    to_host = (OperationKind.COPY_OUT, OperationKind.HOST)
    written = {name for op in operations if op.kind in to_host for name in op.writes}
    return Program("test", streams, sized, tuple(buffers), tuple(b.id for b in buffers if b.id in written))


def _item_bytes(dtype: str) -> int:
    return {"float32": 4, "int32": 4, "float64": 8, "int64": 8, "complex64": 8}[dtype]


def race_free(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """The operations, each waiting for all earlier ones of other streams that conflict with it."""
    return tuple(
        replace(op, waits=tuple(e.task for e in operations[:row] if e.stream != op.stream and is_conflict(e, op)))
        for row, op in enumerate(operations)
    )


def is_conflict(first: Operation, second: Operation) -> bool:
    """Whether one writes a side of a buffer that the other touches."""
    (reads, writes), (other_reads, other_writes) = _accesses(first), _accesses(second)
    return bool(writes & (other_reads | other_writes) or reads & other_writes)


def _accesses(op: Operation) -> tuple[frozenset[object], frozenset[object]]:
    return OperationSpec(op.kind, reads=op.reads, writes=op.writes).accesses()  # type: ignore[return-value]


def unrolled(one: Program, repeat: int) -> Program:
    """One iteration that does what `repeat` iterations of `one` do: what a repeated run must equal."""
    step = 1 + max(op.task for op in one.operations)
    once = {op.task for op in one.operations if op.is_once}
    rounds = [
        replace(
            op,
            task=op.task + turn * step,
            waits=tuple(wait + turn * step for wait in op.waits if not (turn and wait in once)),
            is_once=False,
        )
        for turn, op in product(range(repeat), one.operations)
        if not (turn and op.is_once)
    ]
    return replace(one, operations=tuple(rounds))


def random_program(pick: Callable[[Sequence[Any]], Any], most: int = 9) -> Program:
    """A race-free program of up to three streams over three int64 buffers; `pick` takes one of some choices.

    Some of it runs once, but never all.
    """
    buffers = [seeded(name, 8, "int64") for name in ("a", "bb", "ccc")]
    names = [buffer.id for buffer in buffers]
    operations = []
    for task in range(1, pick(range(1, most + 1)) + 1):
        place = (task, pick(range(3)))
        parts = pick((1, 2, 3))
        source, target = pick(list(permutations(names, 2)))
        bias = (("bias", task),)
        mix = {"kernel": "mix", "reads": (source, target), "writes": (target,), "parts": parts, "parameters": bias}
        makers = [
            lambda: copy_in(*place, source, parts=parts),  # noqa: B023  called at once
            lambda: copy_out(*place, source, parts=parts),  # noqa: B023
            lambda: copy_within(*place, source, target, parts=parts),  # noqa: B023
            lambda: memset(*place, source, 7, parts=parts),  # noqa: B023
            lambda: _operation(OperationKind.KERNEL, *place, **mix),  # noqa: B023
            lambda: _operation(OperationKind.HOST, *place, **mix),  # noqa: B023
        ]
        operations.append(replace(pick(makers)(), is_once=task > 1 and pick((False, False, True))))
    return program(race_free(operations), buffers)


def short_program(pick: Callable[[Sequence[Any]], Any], most: int = 9) -> Program:
    """A race-free program of what can be captured as a CUDA graph, on up to three streams over three float32 buffers.

    Its kernels tell one order from another: target = source / 2 + target / 4. Some of it runs once, but never all.
    """
    buffers = [seeded(name, 8) for name in ("a", "bb", "ccc")]
    names = [buffer.id for buffer in buffers]
    halves = (("alpha", 0.5), ("beta", 0.25))
    operations = []
    for task in range(1, pick(range(1, most + 1)) + 1):
        place = (task, pick(range(3)))
        source, target = pick(list(permutations(names, 2)))
        more = {"reads": (source, target), "writes": (target,), "parameters": halves, "cost_ns": 100 * task}
        makers = [
            lambda: copy_in(*place, source),  # noqa: B023  called at once
            lambda: copy_out(*place, source),  # noqa: B023
            lambda: copy_within(*place, source, target),  # noqa: B023
            lambda: memset(*place, source, 7),  # noqa: B023
            lambda: kernel(*place, "saxpy", **more),  # noqa: B023
        ]
        operations.append(replace(pick(makers)(), is_once=task > 1 and pick((False, False, True))))
    return program(race_free(operations), buffers)
