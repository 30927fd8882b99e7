"""Work: what each part of an operation hands to a stream. It never waits for it, and never decides when."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import DeviceError
from engine.kernels import Kernel
from engine.kernels.kernel import flat, part_span
from engine.model import Memory, OperationKind
from engine.program.operation import Operation, Program
from engine.runtime.backend import Launch
from engine.runtime.cuda.faults import retried, words
from engine.runtime.cuda.storage import CudaStorage, free_pools
from engine.runtime.kit import kernels_of
from engine.runtime.polite import politely
from engine.runtime.storage import FAILURES

# Threads of a block where a kernel takes as many as there are elements, and where all belong to one block.
BLOCK, ONE_BLOCK = 256, 1024
# A cupy.RawKernel, which comes without types.
Function = Any
OPTIONS = ("--std=c++17",)


@dataclass(frozen=True, slots=True)
class _Task:
    """An operation made ready: its arrays, and what its kernel takes besides. `function` is None for a library call."""

    reads: Sequence[Any]
    writes: Sequence[Any]
    kernel: Kernel | None = None
    function: Any = None
    parameters: dict[str, float] | None = None
    units: int = 0
    width: int = 1
    scalars: tuple[Any, ...] = ()


class Work:
    """The operations of one program on the buffers of `storage`. Compiles kernels; raises DeviceError if one does not.

    Compilation is NVRTC's, in this process, kept in the folder CUPY_CACHE_DIR names.
    """

    def __init__(self, cupy: Any, program: Program, storage: CudaStorage) -> None:
        self._cupy = cupy
        self._functions: dict[str, Function] = {}
        self._kernels = kernels_of(program)
        self._pageable = {buffer.id for buffer in program.buffers if buffer.memory is Memory.PAGEABLE}
        self._tasks = {op.task: self._ready(op, storage) for op in program.operations}

    def is_blocking(self, operation: Operation) -> bool:
        """Whether handing it over takes as long as doing it: CUDA stages a copy of memory that is not page-locked."""
        is_copy = operation.kind in (OperationKind.COPY_IN, OperationKind.COPY_OUT)
        return is_copy and operation.reads[0] in self._pageable

    def is_library(self, operation: Operation) -> bool:
        """Whether it is a call of the array module, of which nobody knows how many kernels it launches."""
        return bool(operation.kernel) and self._tasks[operation.task].function is None

    def warm(self, operations: Sequence[Operation], streams: Sequence[Any]) -> bool:
        """Once through every library call, on its stream: plans and work areas are made before anything is timed.

        Returns whether there was any, and with it something written. Parts differ by a unit at most: the first and the
        last show both shapes. Libraries keep plans by thread, so the one that will launch has to come here too.
        """
        calls = [op for op in operations if op.kind is not OperationKind.HOST and self.is_library(op)]
        for op in calls:
            with suppress(*FAILURES):  # what fails here will fail in the run, which can say where
                for part in {0, op.parts - 1}:
                    self.submit(Launch(op, 0, part), streams[op.stream])
        for stream in streams if calls else ():
            stream.synchronize()
        return bool(calls)

    def submit(self, launch: Launch, stream: Any) -> None:
        """Enqueue a part; one that does not fit is tried again in smaller pieces. Raises what CUDA raises."""
        if not launch.operation.kernel:
            self._copy(launch, stream)
            return
        task = self._tasks[launch.operation.task]
        span = part_span(task.units, launch.part, launch.operation.parts)
        enqueue = self._call if task.function is None else self._launch
        with stream:
            retried(lambda halvings: enqueue(task, span, halvings), lambda: free_pools(self._cupy))

    def perform(self, launch: Launch) -> str:
        """Do a part of host work; a sentence that names the operation when that failed, else nothing."""
        operation, task = launch.operation, self._tasks[launch.operation.task]
        assert task.kernel is not None
        try:
            with np.errstate(all="ignore"):
                task.kernel.cpu(task.parameters or {}, task.reads, task.writes, launch.part, operation.parts)
        except FAILURES as problem:
            return failed(operation, problem)
        return ""

    def _copy(self, launch: Launch, stream: Any) -> None:
        operation, task = launch.operation, self._tasks[launch.operation.task]
        source, target = task.reads[0], task.writes[0]
        span = part_span(source.size, launch.part, operation.parts)
        offset, nbytes = span.start * source.itemsize, (span.stop - span.start) * source.itemsize
        runtime = self._cupy.cuda.runtime
        kind = {
            OperationKind.COPY_IN: runtime.memcpyHostToDevice,
            OperationKind.COPY_OUT: runtime.memcpyDeviceToHost,
        }.get(operation.kind, runtime.memcpyDeviceToDevice)
        runtime.memcpyAsync(_address(target) + offset, _address(source) + offset, nbytes, kind, stream.ptr)

    def _launch(self, task: _Task, span: slice, halvings: int) -> None:
        assert task.kernel is not None
        threads = (span.stop - span.start) * task.width
        block = (ONE_BLOCK if task.kernel.is_one_block else BLOCK) >> halvings
        grid = 1 if task.kernel.is_one_block else -(-threads // block)
        ends = np.int64(span.start), np.int64(span.stop)
        task.function((grid,), (block,), (*task.reads, *task.writes, *task.scalars, *ends))

    def _call(self, task: _Task, span: slice, halvings: int) -> None:
        """A library call, in 1, 2, 4 or 8 pieces: each needs less room beside the buffers."""
        assert task.kernel is not None
        pieces = min(1 << halvings, span.stop - span.start)
        for piece in range(pieces):
            inner = part_span(span.stop - span.start, piece, pieces)
            units = slice(span.start + inner.start, span.start + inner.stop)
            if task.kernel.is_library:
                task.kernel.library(self._cupy, task.parameters or {}, task.reads, task.writes, units)
            else:
                flat(task.writes[0])[units].fill((task.parameters or {})["value"])

    def _ready(self, operation: Operation, storage: CudaStorage) -> _Task:
        reads, writes = storage.arrays(operation)
        if not operation.kernel:
            return _Task(reads, writes)
        kernel = self._kernels[operation.kernel]
        parameters = kernel.complete(operation.parameters)
        shapes = [array.shape for array in (*reads, *writes)]
        units = kernel.units(shapes, parameters)
        if operation.kind is OperationKind.HOST:
            politely(kernel.warm)
            return _Task(reads, writes, kernel, None, parameters, units)
        # The source of memset knows float32 alone; the array module fills whatever else there is.
        is_other_memset = operation.kind is OperationKind.MEMSET and writes[0].dtype != np.float32
        if kernel.is_library or is_other_memset:
            return _Task(reads, writes, kernel, None, parameters, units)
        scalars = tuple(
            np.float32(value) if isinstance(value, float) else np.int64(value)
            for value in kernel.scalars(shapes, parameters)
        )
        return _Task(reads, writes, kernel, self._function(kernel), parameters, units, kernel.width(shapes), scalars)

    def _function(self, kernel: Kernel) -> Any:
        if kernel.name not in self._functions:
            try:
                module = self._cupy.RawModule(code=kernel.cuda_source(), options=OPTIONS)
                self._functions[kernel.name] = module.get_function(kernel.entry)
            except (OSError, RuntimeError, self._cupy.cuda.compiler.CompileException) as problem:
                raise DeviceError(
                    f"The CUDA source of the kernel {kernel.name} does not compile: {problem}."
                ) from problem
        return self._functions[kernel.name]


def failed(operation: Operation, problem: BaseException) -> str:
    """What is said of a part that failed."""
    return f"“{operation.name}” failed: {words(problem)}."


def _address(array: Any) -> int:
    """Where an array begins: NumPy's on the host, CuPy's on the device."""
    return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)
