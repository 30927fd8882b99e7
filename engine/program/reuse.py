"""How long ago a run used what a copy carries, in bytes that it touched since. It knows no cache and no device."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.model import Buffer, OperationKind, OperationSpec, Side

_COPIES = (OperationKind.COPY_IN, OperationKind.COPY_OUT, OperationKind.COPY_WITHIN)


def bytes_of(buffers: Iterable[Buffer]) -> int:
    """Bytes of both sides of all of them: what one iteration touches that uses each."""
    return sum(2 * _side_bytes(buffer) for buffer in buffers)


def bytes_apart(specs: Sequence[OperationSpec], buffers: Mapping[str, Buffer]) -> list[int]:
    """Of operations in their order: from the earliest last use of a side that a copy touches until the copy has ended.

    What was not used before in this iteration was filled, or used in the one before: with all there is between.
    """
    used = {name for spec in specs for name in (*spec.reads, *spec.writes)}
    most = bytes_of(buffers[name] for name in used)
    touched, last, found = 0, dict[tuple[str, Side], int](), []
    for spec in specs:
        sides = frozenset[tuple[str, Side]]().union(*spec.accesses())
        touched += sum(_side_bytes(buffers[name]) for name, _ in sides)
        ages = [touched - last[side] if side in last else most for side in sides]
        found.append(min(most, max(ages, default=most)) if spec.kind in _COPIES else most)
        last |= dict.fromkeys(sides, touched)
    return found


def _side_bytes(buffer: Buffer) -> int:
    return buffer.items * np.dtype(buffer.dtype).itemsize
