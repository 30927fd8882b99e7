"""Programs built by hand for tests of devices, and a strategy of random ones. Never the compiler's work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from hypothesis import strategies as st

from engine.model import Buffer, Fill, FillKind, Memory, OperationKind, OperationSpec
from engine.program.operation import Operation, Program


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
    return _operation(OperationKind.MEMSET, task, stream, writes=(buffer,), parameters=parameters, **more)


def kernel(task: int, stream: int, name: str, **more: object) -> Operation:
    return _operation(OperationKind.KERNEL, task, stream, kernel=name, **more)


def host(task: int, stream: int, name: str, **more: object) -> Operation:
    return _operation(OperationKind.HOST, task, stream, kernel=name, **more)


def _operation(kind: OperationKind, task: int, stream: int, **more: object) -> Operation:
    return Operation(task, f"{kind.value} {task}", kind, stream, **more)  # type: ignore[arg-type]


def program(operations: Sequence[Operation], buffers: Sequence[Buffer]) -> Program:
    """A program on as many streams as its operations name; copies and memsets get their bytes."""
    sizes = {buffer.id: buffer.items * _item_bytes(buffer.dtype) for buffer in buffers}
    sized = tuple(op if op.kernel else replace(op, nbytes=sizes[op.writes[0]]) for op in operations)
    streams = tuple(f"stream {index}" for index in range(1 + max((op.stream for op in operations), default=0)))
    written = {name for op in operations if op.kind is OperationKind.COPY_OUT for name in op.writes}
    written |= {name for op in operations if op.kind is OperationKind.HOST for name in op.writes}
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
    rounds = [
        replace(op, task=op.task + turn * step, waits=tuple(wait + turn * step for wait in op.waits))
        for turn, op in product(range(repeat), one.operations)
    ]
    return replace(one, operations=tuple(rounds))


@st.composite
def programs(draw: st.DrawFn, kernel_name: str = "mix", max_operations: int = 9) -> Program:
    """Race-free programs of up to three streams over three int64 buffers, every kind of operation among them.

    `kernel_name` names a kernel that takes one buffer to read and one to read and write.
    """
    buffers = [seeded(name, 8, "int64") for name in ("a", "bb", "ccc")]
    names = st.sampled_from([buffer.id for buffer in buffers])
    operations = []
    for task in range(1, draw(st.integers(1, max_operations)) + 1):
        place = (task, draw(st.integers(0, 2)))
        parts = draw(st.integers(1, 3))
        source, target = draw(st.permutations([buffer.id for buffer in buffers]))[:2]
        both = {"kernel": kernel_name, "reads": (source, target), "writes": (target,), "parts": 1}
        operations.append(
            draw(
                st.sampled_from(
                    [
                        copy_in(*place, source, parts=parts),
                        copy_out(*place, source, parts=parts),
                        copy_within(*place, source, target, parts=parts),
                        memset(*place, draw(names), 7, parts=parts),
                        _operation(OperationKind.KERNEL, *place, **both),
                        _operation(OperationKind.HOST, *place, **both),
                    ]
                )
            )
        )
    return program(race_free(operations), buffers)
