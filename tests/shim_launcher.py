"""A Launcher whose device is this machine: CUDA sources compiled as C++, NumPy's arrays. It is no GPU."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.program.launcher import Grid, Source
from tests.cuda_shim import Shim, c_values, pointer


class ShimLauncher:
    """Does at once what it is told; what it makes room for holds rubbish first."""

    def __init__(self, shim: Shim, processors: int = 1, most_shared_bytes: int = 48 << 10) -> None:
        self._shim = shim
        self.processors = processors
        self.most_shared_bytes = most_shared_bytes
        self.grids: list[Grid] = []

    def put(self, array: np.ndarray) -> np.ndarray:
        assert array.flags.c_contiguous
        assert array.size
        return array.copy()

    def room(self, shape: tuple[int, ...], dtype: np.typing.DTypeLike) -> np.ndarray:
        return np.frombuffer(b"\x4d" * (int(np.prod(shape)) * np.dtype(dtype).itemsize), dtype).reshape(shape).copy()

    def refill(self, placed: np.ndarray, array: np.ndarray) -> None:
        assert (placed.shape, placed.dtype) == (array.shape, array.dtype)
        np.copyto(placed, array)

    def launch(self, source: Source, grid: Grid, arrays: Sequence[np.ndarray], scalars: Sequence[int]) -> None:
        assert grid.shared_bytes <= self.most_shared_bytes
        self.grids.append(grid)
        values = [pointer(each) for each in arrays] + c_values(scalars)
        self._shim.call(source.entry, grid.blocks, grid.threads, values, grid.shared_bytes)

    def get(self, placed: np.ndarray) -> np.ndarray:
        return placed.copy()
