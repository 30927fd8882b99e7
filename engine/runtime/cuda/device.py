"""CudaDevice: runs programs on one GPU, its streams non-blocking, each part between two events.

It never blocks the loop: threads wait for events and make the calls that block. One process has one GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.program.operation import Program
from engine.runtime.backend import Completion, DeviceInfo, Launch, LostDeviceError, Stamped
from engine.runtime.cuda.driver import load_cupy
from engine.runtime.cuda.faults import is_sticky, words
from engine.runtime.cuda.graphs import Rehearsal
from engine.runtime.cuda.recorder import open_recorder
from engine.runtime.cuda.run import CudaRun
from engine.runtime.cuda.storage import free_pools

# Kernels that a GPU since Turing holds at once.
RESIDENT_KERNELS = 128


class CudaDevice:
    """The first GPU that the driver shows this process. Raises DeviceError when there is none.

    `cupy` is the module, which a test replaces. Stamps are measured by CUPTI where that is installed and can be used,
    else inferred from events.
    """

    def __init__(self, cupy: Any = None) -> None:
        self._cupy = cupy or load_cupy()
        self._recorder, self._remark = open_recorder()
        self._cupy.cuda.Device(0).use()
        self._properties = self._cupy.cuda.runtime.getDeviceProperties(0)
        self._run: CudaRun | None = None
        self._lost: DeviceError | None = None

    def describe(self) -> DeviceInfo:
        """The GPU's name and memory; a lane a direction of copying, and as many kernels at once as it holds."""
        name = self._properties["name"]
        engines = (("copy_in", 1), ("compute", RESIDENT_KERNELS), ("copy_out", 1), ("host", 1))
        text = name.decode() if isinstance(name, bytes) else str(name)
        if self._remark:
            text = f"{text} (stamps are not measured: {self._remark})"
        return DeviceInfo(
            "cuda", text, "measured" if self._recorder else "inferred", engines, int(self._properties["totalGlobalMem"])
        )

    def prepare(self, program: Program, seed: int) -> None:
        """Allocate and fill buffers, compile kernels, call each library once. Blocks; raises DeviceError."""
        self.close()
        if self._lost is not None:
            raise self._lost
        self._cupy.cuda.Device(0).use()
        try:
            self._run = CudaRun(self._cupy, program, seed, self._serial_engines(), self._recorder)
        except RuntimeError as problem:
            raise self._failed(problem) from problem

    def rehearse(self, repeat: int) -> int:
        """How many iterations go to CUDA at once, as replays of a graph; 0 where that is not measurably quicker."""
        self._cupy.cuda.Device(0).use()
        try:
            return self._prepared().rehearse(repeat)
        except RuntimeError as problem:
            raise self._failed(problem) from problem

    @property
    def rehearsal(self) -> Rehearsal | None:
        """What both ways took when they were tried; None where no graph is possible or CUPTI records."""
        return self._prepared().rehearsal

    def begin(self) -> None:
        """Set the run's time zero. Called on the loop that will wait for completions."""
        self._cupy.cuda.Device(0).use()
        try:
            self._prepared().begin()
        except RuntimeError as problem:
            raise self._failed(problem) from problem

    def launch(self, launch: Launch) -> None:
        """Hand a part to CUDA as soon as it may go there."""
        self._prepared().launch(launch)

    async def completions(self) -> Sequence[Completion | Stamped]:
        """Wait until a launched part has ended; returns all that have. Raises LostDeviceError when the GPU is lost."""
        return await self._prepared().completions()

    def read(self, buffer: str) -> NDArray[Any]:
        """A copy of the host side of a buffer."""
        return self._prepared().storage.read(buffer)

    def close(self) -> None:
        """Let what CUDA has end, drop the rest, join the threads and free the buffers."""
        if self._run is not None:
            self._lost = self._run.close() or self._lost
            self._run = None
            if self._lost is None:
                free_pools(self._cupy)

    def _serial_engines(self) -> dict[str, str]:
        """Engines that do one thing at a time, by the row they share."""
        is_one = int(self._properties.get("asyncEngineCount", 2)) < 2
        return {"copy_in": "copy", "copy_out": "copy"} if is_one else {"copy_in": "copy_in", "copy_out": "copy_out"}

    def _failed(self, problem: RuntimeError) -> DeviceError:
        """What CUDA said outside of a part, and whether the GPU is lost by it."""
        self._lost = LostDeviceError(f"The GPU failed: {words(problem)}.") if is_sticky(problem) else None
        return self._lost or DeviceError(f"The GPU failed: {words(problem)}.")

    def _prepared(self) -> CudaRun:
        if self._run is None:
            raise DeviceError("The GPU has no program to run.")
        return self._run
