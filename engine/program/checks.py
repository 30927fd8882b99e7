"""What one operation needs of its buffers and its kernel. It never looks at a second operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from engine.errors import CompileError
from engine.kernels import find_kernel
from engine.kernels.kernel import Shape
from engine.model import Buffer, KernelSpec, OperationKind, OperationSpec

_COPIES = (OperationKind.COPY_IN, OperationKind.COPY_OUT, OperationKind.COPY_WITHIN)


def fault_of(spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec] = ()) -> str:
    """One sentence when the operation could not run, else nothing. `buffers` by id, `kits` the plan's own kernels."""
    for name in (*spec.reads, *spec.writes):
        if name not in buffers:
            return f"It uses the buffer “{name}”, which is not in the plan."
    return _copy_fault(spec, buffers) if spec.kind in _COPIES else _kernel_fault(spec, buffers, kits)


def kernel_of(spec: OperationSpec) -> str:
    """The kernel that serves an operation: memset for a memset, none for a copy."""
    if spec.kind is OperationKind.MEMSET:
        return "memset"
    return "" if spec.kind in _COPIES else spec.kernel


def shapes_of(spec: OperationSpec, buffers: Mapping[str, Buffer]) -> list[Shape]:
    """Shapes of the reads, then of the writes."""
    return [buffers[name].shape for name in (*spec.reads, *spec.writes)]


def nbytes_of(spec: OperationSpec, buffers: Mapping[str, Buffer]) -> int:
    """What a copy or a memset moves; 0 for kernels and host work."""
    if spec.kind in (OperationKind.KERNEL, OperationKind.HOST):
        return 0
    buffer = buffers[spec.writes[0]]
    return buffer.items * np.dtype(buffer.dtype).itemsize


def _copy_fault(spec: OperationSpec, buffers: Mapping[str, Buffer]) -> str:
    if len(spec.reads) != 1 or len(spec.writes) != 1:
        return "A copy reads one buffer and writes one."
    source, target = buffers[spec.reads[0]], buffers[spec.writes[0]]
    if spec.kind is not OperationKind.COPY_WITHIN:
        if source.id == target.id:
            return ""
        return f"A copy in or out has two sides of one buffer, not “{source.id}” and “{target.id}”."
    if source.id == target.id:
        return f"It copies the buffer “{source.id}” onto itself."
    if (source.shape, source.dtype) != (target.shape, target.dtype):
        return f"It copies “{source.id}” to “{target.id}”, which differs in shape or dtype."
    return ""


def _kernel_fault(spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec]) -> str:
    try:
        kernel = find_kernel(kernel_of(spec), kits)
    except CompileError as error:
        return error.sentence
    counts = (len(spec.reads), len(spec.writes))
    if counts != (kernel.read_count, kernel.write_count):
        needs = f"{kernel.read_count} to read and {kernel.write_count} to write"
        return f"The kernel {kernel.name} takes buffers {needs}, not {counts[0]} and {counts[1]}."
    if len(set(spec.writes)) < len(spec.writes):
        return f"The kernel {kernel.name} cannot write one buffer twice."
    if not kernel.is_in_place and (both := sorted(set(spec.reads) & set(spec.writes))):
        return f"The kernel {kernel.name} cannot write the buffer “{both[0]}” while it reads it."
    dtypes = [buffers[name].dtype for name in (*spec.reads, *spec.writes)]
    return kernel.check(shapes_of(spec, buffers), dtypes, dict(spec.parameters))
