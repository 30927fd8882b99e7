"""What the errors of CUDA mean: which pass, which leave the device unusable. It never handles one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from engine.model import OperationKind
from engine.program.operation import Operation
from engine.runtime.backend import LostDeviceError

T = TypeVar("T")

OUT_OF_MEMORY = 2
# The launch did not fit (invalid configuration, too many resources): a smaller one may.
TOO_LARGE = frozenset({OUT_OF_MEMORY, 9, 701})
# Illegal address, illegal instruction and their like, a failed assertion, a launch that timed out, an uncorrectable
# memory error, a device that has gone: no call in this process succeeds any more.
STICKY = frozenset({46, 100, 214, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999})
MOST_RETRIES = 3
# Operations that a sentence names.
MOST_NAMES = 8


def status_of(problem: BaseException) -> int:
    """The number CUDA gave the error; 0 for an error of another kind."""
    if isinstance(problem, MemoryError):
        return OUT_OF_MEMORY
    status = getattr(problem, "status", 0)
    return status if isinstance(status, int) else 0


def is_sticky(problem: BaseException) -> bool:
    """Whether the device is lost together with this process."""
    return status_of(problem) in STICKY


def retried(work: Callable[[int], T], free: Callable[[], Any]) -> T:
    """What `work(halvings)` gives, tried with 0 to 3 halvings while it does not fit; `free` makes room before."""
    for halvings in range(MOST_RETRIES):
        try:
            return work(halvings)
        except (RuntimeError, MemoryError) as problem:
            if status_of(problem) not in TOO_LARGE:
                raise
        free()
    return work(MOST_RETRIES)


def lost(operations: Iterable[Operation], problem: BaseException) -> LostDeviceError:
    """What is said of a lost GPU. CUDA does not say which of the operations it had at the time was to blame."""
    # A kernel rather than a copy: stable, so that otherwise the order of the streams remains.
    suspects = {
        op.task: f"“{op.name}”" for op in sorted(operations, key=lambda op: op.kind is not OperationKind.KERNEL)
    }
    names = list(suspects.values())
    if len(names) > MOST_NAMES:
        names = [*names[:MOST_NAMES], f"one of {len(names) - MOST_NAMES} others"]
    sentence = f"The GPU failed during {' or '.join(names)}, and its process has to end: "
    return LostDeviceError(f"{sentence}{words(problem)}.", ids=tuple(suspects))


def problem_of(wait: Callable[[], object]) -> BaseException | None:
    """What CUDA says in the place of waiting; None where all is well."""
    try:
        wait()
    except RuntimeError as problem:
        return problem
    return None


def words(problem: BaseException) -> str:
    """The error's own words, without a stop at their end."""
    return str(problem).rstrip(".") or type(problem).__name__
