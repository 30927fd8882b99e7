"""Verification: the outputs of a run beside what the plain reference makes of the same program.

It never touches a device.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.model import OperationSpec, Side
from engine.process.messages import OutputDigest, RunRequest
from engine.program.operation import Program
from engine.program.reference import expected_outputs, is_equal
from engine.runtime.kit import kernels_of

# A reference is plain and slow: it is not asked for more than this.
REFERENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Verification:
    """The outputs, and whether all equal the reference: None when that was not computed, and `remark` says why."""

    outputs: tuple[OutputDigest, ...] = ()
    is_equal: bool | None = None
    remark: str = ""


def verify(request: RunRequest, actual: Mapping[str, NDArray[Any]]) -> Verification:
    """Compares the outputs of a finished run with the reference. Takes about as long as the plain reference does.

    The reference executes the program once if a second iteration would find all it reads as the first one did;
    otherwise as often as the run did, unless that would take over REFERENCE_SECONDS.
    """
    if not request.program.outputs:
        return Verification()
    kernels = kernels_of(request.program)
    if plain := [kernel.name for kernel in kernels.values() if not kernel.has_reference]:
        outputs = tuple(_digest(buffer, array, is_equal=False) for buffer, array in actual.items())
        remark = f"The results were not compared: the kernel “{plain[0]}” has no reference."
        return Verification(outputs, None, remark)
    began = time.monotonic()
    expected = expected_outputs(request.program, request.seed, kernels)
    seconds = (time.monotonic() - began) * request.repeat
    if request.repeat > 1 and not is_repeatable(request.program):
        if seconds > REFERENCE_SECONDS:
            outputs = tuple(_digest(buffer, array, is_equal=False) for buffer, array in actual.items())
            remark = f"The results were not compared: the reference would take {seconds:.0f} s."
            return Verification(outputs, None, remark)
        later = request.program.again().operations * (request.repeat - 1)
        whole = replace(request.program, operations=request.program.operations + later)
        expected = expected_outputs(whole, request.seed, kernels)
    outputs = tuple(
        _digest(buffer, array, is_equal=is_equal(array, *expected[buffer])) for buffer, array in actual.items()
    )
    return Verification(outputs, all(output.is_equal for output in outputs) if outputs else None)


def is_repeatable(program: Program) -> bool:
    """Whether all iterations compute the same: what is read before it is written is never written, but by what runs
    once, before anything else uses it."""
    found: set[tuple[str, Side]] = set()
    written: set[tuple[str, Side]] = set()
    for operation in program.operations:
        reads, writes = OperationSpec(operation.kind, reads=operation.reads, writes=operation.writes).accesses()
        if not operation.is_once:
            found |= reads - written
            written |= writes
        elif writes & (found | written):
            return False
    return not found & written


def _digest(buffer: str, array: NDArray[Any], *, is_equal: bool) -> OutputDigest:
    data = np.ascontiguousarray(array)
    return OutputDigest(buffer, data.nbytes, hashlib.sha256(data.data).hexdigest(), is_equal)
