"""CudaStorage: both sides of every buffer of a program, allocated once and owned until it closes.

It never decides when; host sides that a plan calls pinned lie in page-locked memory, the others do not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.model import Buffer, Memory, Side
from engine.program.operation import Operation, Program
from engine.program.reference import POISON_BYTE, fill
from engine.runtime.cuda.faults import is_sticky, retried
from engine.runtime.storage import SIDES, check_memory

Array = NDArray[Any]
# A cupy.ndarray, which comes without types.
DeviceArray = Any
# All bits set are NaN in every type of floating point.
NAN_BYTE = 0xFF


class CudaStorage:
    """Buffers of one program, filled or poisoned. DeviceError when memory is short. Blocks: allocation synchronizes.

    Addresses never change, and no block goes back to a pool while an operation may still use it.
    """

    def __init__(self, cupy: Any, program: Program, seed: int) -> None:
        self._cupy = cupy
        free_pools(cupy)
        check_memory(program, 1, cupy.cuda.runtime.memGetInfo()[0], "the memory of the GPU")
        self._host: dict[str, Array] = {}
        self._device: dict[str, DeviceArray] = {}
        self._fills = {buffer.id: partial(fill, buffer, seed, program.folder) for buffer in program.buffers}
        for buffer in program.buffers:
            self._host[buffer.id] = self._host_side(buffer)
            self._device[buffer.id] = self._device_side(buffer)
        self.refill()

    def refill(self) -> None:
        """Both sides as before a run."""
        for name, host in self._host.items():
            np.copyto(host, self._fills[name]())
        self.poison()

    def poison(self) -> None:
        """Overwrite the device sides with what no correct result holds."""
        for device in self._device.values():
            value = NAN_BYTE if device.dtype.kind in "fc" else POISON_BYTE
            self._cupy.cuda.runtime.memset(device.data.ptr, value, device.nbytes)
        self._cupy.cuda.runtime.deviceSynchronize()

    def read(self, buffer: str) -> Array:
        """A copy of the host side of a buffer."""
        return self._host[buffer].copy()

    def arrays(self, operation: Operation) -> tuple[list[Any], list[Any]]:
        """What an operation reads and what it writes: NumPy arrays of host sides, CuPy arrays of device sides."""
        source, target = SIDES.get(operation.kind, (Side.DEVICE, Side.DEVICE))
        return [self._side(name, source) for name in operation.reads], [
            self._side(name, target) for name in operation.writes
        ]

    def close(self) -> None:
        """Give all memory back to the pools."""
        self._host.clear()
        self._device.clear()

    def _side(self, name: str, side: Side) -> Any:
        return self._host[name] if side is Side.HOST else self._device[name]

    def _device_side(self, buffer: Buffer) -> Any:
        return self._allocated(buffer, lambda: self._cupy.empty(buffer.shape, buffer.dtype))

    def _host_side(self, buffer: Buffer) -> Array:
        if buffer.memory is Memory.PAGEABLE:
            return np.empty(buffer.shape, buffer.dtype)
        nbytes = buffer.items * np.dtype(buffer.dtype).itemsize
        memory = self._allocated(buffer, lambda: self._cupy.cuda.alloc_pinned_memory(nbytes))
        return np.frombuffer(memory, buffer.dtype, buffer.items).reshape(buffer.shape)

    def _allocated(self, buffer: Buffer, allocate: Callable[[], Any]) -> Any:
        try:
            return retried(lambda _: allocate(), lambda: free_pools(self._cupy))
        except (MemoryError, RuntimeError) as error:
            if is_sticky(error):
                raise
            raise DeviceError(f"There is no memory for the buffer “{buffer.id}”: {error}.") from error


def free_pools(cupy: Any) -> None:
    """Give back to the driver what no buffer uses. Synchronizes the device."""
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.get_default_pinned_memory_pool().free_all_blocks()
