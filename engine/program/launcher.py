"""Launcher: what a search needs of a device to have batches of work done there. It never says what the work is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# An array of a device, which comes without types.
Placed = Any


@dataclass(frozen=True, slots=True)
class Source:
    """A CUDA source in a package of ours: <name>.cu, whose entry is <name>_kernel."""

    package: str
    name: str

    @property
    def entry(self) -> str:
        """The name of the __global__ function."""
        return f"{self.name}_kernel"

    def text(self) -> str:
        """The source."""
        return (resources.files(self.package) / f"{self.name}.cu").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Grid:
    """How a source is launched: blocks, threads a block, and bytes of dynamic shared memory a block."""

    blocks: int
    threads: int
    shared_bytes: int = 0


class Launcher(Protocol):
    """A device as a search sees it: memory, and launches that follow one another. For one thread at a time.

    Every call raises DeviceError with what the device said; one that lost its device raises it at each later call.
    """

    @property
    def processors(self) -> int:
        """How many blocks go on at once at the least."""

    @property
    def most_shared_bytes(self) -> int:
        """The most dynamic shared memory that a block may have."""

    def put(self, array: Array) -> Placed:
        """A copy of a C-contiguous array on the device."""

    def room(self, shape: tuple[int, ...], dtype: np.typing.DTypeLike) -> Placed:
        """An array on the device, holding anything."""

    def refill(self, placed: Placed, array: Array) -> None:
        """Overwrite an array on the device with one of its shape and type."""

    def launch(self, source: Source, grid: Grid, arrays: Sequence[Placed], scalars: Sequence[int]) -> None:
        """Have a source work on arrays (pointers, in its order) and integers (`long long`). Returns at once."""

    def get(self, placed: Placed) -> Array:
        """A copy of an array, once all that was launched has ended. Blocks without the interpreter lock."""
