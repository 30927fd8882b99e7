"""What a program must yield: first contents, poison, and the outputs of a plain float64 run.

It shares no code with a device: the kernels' own references do the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import CompileError, FormatError
from engine.kernels import Kernel, find_kernel
from engine.kernels.kernel import shape_text
from engine.model import Buffer, FillKind, OperationKind, Side
from engine.program.operation import Operation, Program

Array = NDArray[Any]
# The byte that poisons integers: no small number, and none that a kernel is likely to make.
POISON_BYTE = 0xA5


def fill(buffer: Buffer, seed: int, folder: str) -> Array:
    """The first content of a buffer's host side; poison where nothing is promised.

    A seed gives floats in [-1, 1) (complex: both halves) and integers from 0 to 99, by PCG64 of the fill's seed plus
    the run's. A file is a .npy of the buffer's shape and dtype in `folder`; a FormatError says what is wrong with it.
    """
    kind = buffer.fill.kind
    if kind is FillKind.ZEROS:
        return np.zeros(buffer.shape, buffer.dtype)
    if kind is FillKind.SEED:
        return _random(buffer, (buffer.fill.seed + seed) % 2**64)
    if kind is FillKind.FILE:
        return _load(buffer, folder)
    array = np.empty(buffer.shape, buffer.dtype)
    poison(array)
    return array


def poison(array: Array) -> None:
    """Overwrite an array with what no correct result holds: NaN, or 0xA5 bytes in integers."""
    if array.dtype.kind in "fc":
        array.fill(np.nan)
    else:
        array.reshape(-1).view(np.uint8).fill(POISON_BYTE)


def expected_outputs(
    program: Program, seed: int, kernels: Mapping[str, Kernel] | None = None
) -> dict[str, tuple[Array, float]]:
    """The host side of every output after one run of the operations in order, in float64 (complex128, or exact
    integers), and how far off a correct float32 run may be, absolutely. `kernels` by name: needed where the program has
    some that are not built in."""
    sides: dict[tuple[str, Side], Array] = {}
    errors: dict[tuple[str, Side], float] = {}
    for buffer in program.buffers:
        sides[buffer.id, Side.HOST] = _widened(fill(buffer, seed, program.folder))
        # One element stands for all: the work replaces arrays and never writes into one.
        nothing = np.empty(1, buffer.dtype)
        poison(nothing)
        sides[buffer.id, Side.DEVICE] = np.broadcast_to(_widened(nothing), buffer.shape)
        errors |= {(buffer.id, Side.HOST): 0.0, (buffer.id, Side.DEVICE): 0.0}
    for op in program.operations:
        _perform(op, sides, errors, kernels or {})
    return {name: (sides[name, Side.HOST], errors[name, Side.HOST]) for name in program.outputs}


def is_equal(actual: Array, expected: Array, tolerance: float) -> bool:
    """Whether each element is at most `tolerance` off. NaN or infinity where none is expected is never equal."""
    if actual.shape != expected.shape:
        return False
    actual = _widened(actual)
    with np.errstate(invalid="ignore", over="ignore"):
        is_near = np.abs(actual - expected) <= tolerance
    is_same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    return bool(np.all(is_near | is_same))


def _perform(
    op: Operation,
    sides: dict[tuple[str, Side], Array],
    errors: dict[tuple[str, Side], float],
    kernels: Mapping[str, Kernel],
) -> None:
    source, target = {
        OperationKind.COPY_IN: (Side.HOST, Side.DEVICE),
        OperationKind.COPY_OUT: (Side.DEVICE, Side.HOST),
        OperationKind.HOST: (Side.HOST, Side.HOST),
    }.get(op.kind, (Side.DEVICE, Side.DEVICE))
    if not op.kernel:
        sides[op.writes[0], target] = sides[op.reads[0], source]
        errors[op.writes[0], target] = errors[op.reads[0], source]
        return
    kernel = kernels.get(op.kernel) or find_kernel(op.kernel)
    parameters = kernel.complete(op.parameters)
    reads = [sides[name, source] for name in op.reads]
    results = kernel.reference(parameters, reads)
    error = kernel.error(parameters, reads, results, [errors[name, source] for name in op.reads])
    for name, result in zip(op.writes, results, strict=True):
        wanted = sides[name, target].shape
        try:
            sides[name, target] = np.broadcast_to(result, wanted)
        except ValueError as problem:
            given = shape_text(result.shape)
            sentence = f"The reference of “{kernel.name}” gives {given} items for the buffer “{name}”, which has "
            raise CompileError(f"{sentence}{shape_text(wanted)}.", ids=(op.task,)) from problem
        errors[name, target] = error


def _widened(array: Array) -> Array:
    return array.astype({"f": np.float64, "c": np.complex128, "b": np.uint8}.get(array.dtype.kind, array.dtype))


def _random(buffer: Buffer, seed: int) -> Array:
    random = np.random.Generator(np.random.PCG64(seed))
    dtype = np.dtype(buffer.dtype)
    if dtype.kind in "iub":
        return random.integers(0, 100, buffer.shape).astype(dtype)
    values = random.uniform(-1.0, 1.0, (*buffer.shape, 2 if dtype.kind == "c" else 1))
    return (values[..., 0] + 1j * values[..., 1] if dtype.kind == "c" else values[..., 0]).astype(dtype)


def _load(buffer: Buffer, folder: str) -> Array:
    path = Path(folder) / buffer.fill.file
    try:
        # Mapped, so that no more is read than the file holds, whatever its header claims.
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as error:
        sentence = f"The buffer “{buffer.id}” is filled from “{path}”, which does not exist."
        raise FormatError(sentence, path=str(path)) from error
    except (OSError, ValueError, EOFError, OverflowError) as error:
        sentence = f"The buffer “{buffer.id}” is filled from “{path}”, which is not a readable .npy file."
        raise FormatError(sentence, path=str(path)) from error
    if not isinstance(array, np.ndarray) or array.shape != buffer.shape or array.dtype != np.dtype(buffer.dtype):
        sentence = f"“{path}” does not hold an array of {buffer.shape} {buffer.dtype} for the buffer “{buffer.id}”."
        raise FormatError(sentence, path=str(path))
    return np.array(array, order="C")
