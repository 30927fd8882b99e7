"""CudaLauncher: batches of a search on the GPU, on a stream of their own beside those of a run.

It never decides what is launched, and is for one thread at a time: its calls block, so that is never the loop's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from engine.errors import DeviceError
from engine.program.launcher import Array, Grid, Placed, Source
from engine.runtime.backend import LostDeviceError
from engine.runtime.cuda.driver import load_cupy
from engine.runtime.cuda.faults import is_sticky, words
from engine.runtime.cuda.work import OPTIONS

R = TypeVar("R")

# Shared memory that a launch gets without asking for more.
_EASY_BYTES = 48 << 10


class CudaLauncher:
    """The first GPU that the driver shows this process. Raises DeviceError when there is none.

    `cupy` is the module, which a test replaces.
    """

    def __init__(self, cupy: Any = None) -> None:
        self._cupy = cupy or load_cupy()
        self._runtime = self._cupy.cuda.runtime
        self._lost: DeviceError | None = None
        self._functions: dict[Source, Any] = {}
        self._properties = self._tried(lambda: self._runtime.getDeviceProperties(0))
        self._stream = self._tried(lambda: self._cupy.cuda.Stream(non_blocking=True))

    @property
    def processors(self) -> int:
        """The streaming multiprocessors."""
        return int(self._properties["multiProcessorCount"])

    @property
    def most_shared_bytes(self) -> int:
        """What a block may ask for."""
        return int(self._properties["sharedMemPerBlockOptin"])

    def put(self, array: Array) -> Placed:
        """A copy of a C-contiguous array on the GPU."""
        placed = self.room(array.shape, array.dtype)
        self.refill(placed, array)
        return placed

    def room(self, shape: tuple[int, ...], dtype: np.typing.DTypeLike) -> Placed:
        """An array on the GPU, holding anything. Raises DeviceError where its memory is short."""
        return self._tried(lambda: self._cupy.empty(shape, dtype))

    def refill(self, placed: Placed, array: Array) -> None:
        """Overwrite an array on the GPU with one of its shape and type."""
        if placed.nbytes:
            kind = self._runtime.memcpyHostToDevice
            self._copy(placed.data.ptr, array.ctypes.data, placed.nbytes, kind)
            self._tried(self._stream.synchronize)  # CUDA may still read memory that is not page-locked

    def launch(self, source: Source, grid: Grid, arrays: Sequence[Placed], scalars: Sequence[int]) -> None:
        """Have a source work on arrays and integers; compiles it the first time. Returns at once."""
        function = self._function(source)

        def launch() -> None:
            if grid.shared_bytes > _EASY_BYTES:
                function.max_dynamic_shared_size_bytes = grid.shared_bytes
            values = (*arrays, *(np.int64(scalar) for scalar in scalars))
            with self._stream:
                function((grid.blocks,), (grid.threads,), values, shared_mem=grid.shared_bytes)

        self._tried(launch)

    def get(self, placed: Placed) -> Array:
        """A copy of an array, once all that was launched has ended."""
        array = np.empty(placed.shape, placed.dtype)
        if array.nbytes:
            self._copy(array.ctypes.data, placed.data.ptr, array.nbytes, self._runtime.memcpyDeviceToHost)
        self._tried(self._stream.synchronize)
        return array

    def _copy(self, target: int, source: int, nbytes: int, kind: int) -> None:
        self._tried(lambda: self._runtime.memcpyAsync(target, source, nbytes, kind, self._stream.ptr))

    def _function(self, source: Source) -> Any:
        if source not in self._functions:
            try:
                module = self._cupy.RawModule(code=source.text(), options=OPTIONS)
                self._functions[source] = module.get_function(source.entry)
            except (OSError, RuntimeError, self._cupy.cuda.compiler.CompileException) as problem:
                raise DeviceError(f"The CUDA source {source.name}.cu does not compile: {problem}.") from problem
        return self._functions[source]

    def _tried(self, ask: Callable[[], R]) -> R:
        """What a call gives. A GPU that was lost stays so."""
        if self._lost is not None:
            raise self._lost
        try:
            self._cupy.cuda.Device(0).use()
            return ask()
        except (MemoryError, RuntimeError) as problem:
            kind = LostDeviceError if is_sticky(problem) else DeviceError
            error = kind(f"The GPU failed in a search: {words(problem)}.")
            self._lost = error if kind is LostDeviceError else None
            raise error from problem
