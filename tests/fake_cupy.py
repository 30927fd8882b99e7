"""A stand-in for CuPy: what engine.runtime.cuda uses of it, on NumPy and threads. It proves our logic, never a GPU.

Streams are threads that do one thing after another, later than they are told. Copies share an engine a direction; one
of memory that is not page-locked keeps its caller until it is done. Kernels run from their CUDA source, compiled as
C++. The device's clock is not the host's. Errors are planted; a sticky one fails every later call. A graph that was
captured does what it holds in any order that its edges allow, so that a missing edge shows.
"""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from queue import SimpleQueue
from random import Random
from types import SimpleNamespace
from typing import Any
from weakref import WeakValueDictionary, finalize

import numpy as np

from tests.cuda_shim import Shim, c_values, pointer

STICKY = {46, 100, 214, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999}
NAMES = {2: "cudaErrorMemoryAllocation", 9: "cudaErrorInvalidConfiguration", 700: "cudaErrorIllegalAddress"}
# What would wait for the device, or move memory that a graph goes on using.
REFUSED_IN_CAPTURE = {"synchronize", "deviceSynchronize", "malloc", "hostAlloc"}
MOST_THREADS = 1024
ENTRY_THREADS = 16
EASY_SHARED_BYTES = 48 << 10
"""A block of 1024 threads would be slow here; the sources give the same result with any power of two."""
DRIFT = 1 + 40e-6


class CUDARuntimeError(RuntimeError):
    def __init__(self, status: int) -> None:
        super().__init__(f"{NAMES.get(status, 'cudaError')}: planted {status}")
        self.status = status


class OutOfMemoryError(MemoryError):
    pass


class CompileException(Exception):  # noqa: N818  its name in CuPy
    pass


class Gpu:
    """What all objects of one stand-in share: memory, errors, engines, the current stream of each thread."""

    def __init__(self, memory_bytes: int, async_engines: int) -> None:
        self.memory_bytes = memory_bytes
        self.status = 0
        self.current = threading.local()
        self.page_locked: list[tuple[int, int]] = []
        self.events: WeakValueDictionary[int, Event] = WeakValueDictionary()
        self.streams: WeakValueDictionary[int, Stream] = WeakValueDictionary()
        self.planted: list[tuple[str, int, int]] = []
        self.counts: dict[str, int] = {}
        self.pageable_callers: list[str] = []
        # A stand-in for CUPTI that watches calls and work.
        self.watcher: Any = None
        self.copy_lock = {"in": threading.Lock(), "out": threading.Lock()}
        if async_engines < 2:
            self.copy_lock["out"] = self.copy_lock["in"]
        self.origin = time.perf_counter_ns() - 3_000_000_000
        self.capture: Capture | None = None
        self.random = Random(1)

    def clock_ms(self) -> float:
        return (time.perf_counter_ns() - self.origin) * DRIFT / 1e6

    def call(self, what: str) -> int:
        """Counts a call and raises what was planted for it, or what made the device unusable; 0 otherwise."""
        if self.status:
            raise CUDARuntimeError(self.status)
        if self.capture is not None and what in REFUSED_IN_CAPTURE:
            self.capture.is_valid = False
            raise CUDARuntimeError(900)
        number = self.counts[what] = self.counts.get(what, 0) + 1
        for where, at, status in self.planted:
            if where == what and at == number:
                if status == 2:
                    raise OutOfMemoryError("planted: out of memory")
                raise CUDARuntimeError(status)
        return self.watcher.called() if self.watcher is not None else 0

    def execute(self, what: str, work: Callable[[], object], correlation: int = 0) -> None:
        """On a stream's thread: an error here is asynchronous, and sticky."""
        if self.status:
            return
        number = self.counts[what] = self.counts.get(what, 0) + 1
        for where, at, status in self.planted:
            if where == what and at == number:
                self.status = status
                return
        start = time.perf_counter_ns()
        work()
        if self.watcher is not None:
            self.watcher.worked(what, correlation, start, time.perf_counter_ns())

    def stream(self) -> Stream:
        stream = getattr(self.current, "stream", None)
        assert stream is not None, "work on the legacy default stream would order all others"
        return stream


class Stream:
    def __init__(self, gpu: Gpu, non_blocking: bool = False) -> None:
        assert non_blocking, "a blocking stream orders itself with the legacy default stream"
        gpu.call("stream")
        self.gpu = gpu
        self.work: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self.ptr = id(self)
        # What was captured last, while a capture goes on that this stream belongs to.
        self.tail: frozenset[int] | None = None
        gpu.streams[self.ptr] = self
        threading.Thread(target=_serve, args=(self.work,), daemon=True, name="stand-in stream").start()

    def __del__(self) -> None:
        self.work.put(None)

    def put(self, work: Callable[[], object]) -> None:
        if self.tail is None:
            self.work.put(work)
        else:
            assert self.gpu.capture is not None
            self.tail = self.gpu.capture.add(work, self.tail)

    def begin_capture(self) -> None:
        self.gpu.call("begin_capture")
        assert self.gpu.capture is None, "one capture at a time"
        self.gpu.capture = Capture(self)
        self.tail = frozenset()

    def end_capture(self) -> Graph:
        capture = self.gpu.capture
        if capture is None or capture.origin is not self:
            raise CUDARuntimeError(903)
        self.gpu.capture, tail = None, self.tail
        for stream in self.gpu.streams.values():
            stream.tail = None
        if not capture.is_valid:
            raise CUDARuntimeError(901)
        if tail is None or capture.before(tail) != set(range(len(capture.nodes))):
            raise CUDARuntimeError(904)
        self.gpu.call("end_capture")
        return Graph(self.gpu, capture)

    def synchronize(self) -> None:
        self.gpu.call("synchronize")
        done = threading.Event()
        self.put(done.set)
        done.wait()
        if self.gpu.status:
            raise CUDARuntimeError(self.gpu.status)

    def wait_event(self, event: Event) -> None:
        self.gpu.call("wait_event")
        if event.captured is not None:
            capture, tail = event.captured
            if capture is not self.gpu.capture:
                raise CUDARuntimeError(905)
            self.tail = tail | (self.tail or frozenset())
            return
        if self.tail is not None:
            raise CUDARuntimeError(905)
        fired = event.fired
        assert fired is not None
        self.put(fired.wait)

    def __enter__(self) -> Stream:
        self.before = getattr(self.gpu.current, "stream", None)
        self.gpu.current.stream = self
        return self

    def __exit__(self, *_: object) -> None:
        self.gpu.current.stream = self.before


class Capture:
    """What the streams of a capture were told, each with what it comes after."""

    def __init__(self, origin: Stream) -> None:
        self.origin = origin
        self.is_valid = True
        self.nodes: list[tuple[Callable[[], object], frozenset[int]]] = []

    def add(self, work: Callable[[], object], after: frozenset[int]) -> frozenset[int]:
        self.nodes.append((work, after))
        return frozenset({len(self.nodes) - 1})

    def before(self, nodes: frozenset[int]) -> set[int]:
        """Nodes, and all that they come after."""
        found = set(nodes)
        left = list(nodes)
        while left:
            new = self.nodes[left.pop()][1] - found
            found |= new
            left += new
        return found


class Graph:
    def __init__(self, gpu: Gpu, capture: Capture) -> None:
        self.gpu, self.nodes = gpu, capture.nodes

    def launch(self, stream: Stream) -> None:
        self.gpu.call("graph")
        assert stream.tail is None
        stream.put(self._replay)

    def _replay(self) -> None:
        left = dict(enumerate(self.nodes))
        while left:
            ready = [number for number, (_, after) in left.items() if not after & left.keys()]
            left.pop(self.gpu.random.choice(ready))[0]()


def _serve(queue: SimpleQueue[Callable[[], object] | None]) -> None:
    while (work := queue.get()) is not None:
        work()


class Event:
    def __init__(self, gpu: Gpu, block: bool = False, disable_timing: bool = False) -> None:
        gpu.call("event")
        self.gpu = gpu
        self.block = block
        self.ptr = id(self)
        self.fired: threading.Event | None = None
        self.at_ms = math.nan
        self.captured: tuple[Capture, frozenset[int]] | None = None
        gpu.events[self.ptr] = self

    def record(self, stream: Stream) -> None:
        self.gpu.call("record")
        self.captured = None
        if stream.tail is not None:
            assert self.gpu.capture is not None
            self.captured, self.fired = (self.gpu.capture, stream.tail), None
            return
        fired = self.fired = threading.Event()

        def fire() -> None:
            if self.fired is fired:
                self.at_ms = self.gpu.clock_ms()
            fired.set()

        stream.put(fire)

    def synchronize(self) -> None:
        if self.captured is not None:
            raise CUDARuntimeError(900)
        assert self.fired is not None
        self.fired.wait()
        if self.gpu.status:
            raise CUDARuntimeError(self.gpu.status)


def elapsed_ms(first: Event, second: Event) -> float:
    """A float32, as CUDA gives."""
    if first.gpu.status:
        raise CUDARuntimeError(first.gpu.status)
    for event in (first, second):
        if event.fired is None or not event.fired.is_set():
            raise CUDARuntimeError(600)
    return float(np.float32(second.at_ms - first.at_ms))


class Lazy:
    """An array that is computed when a stream comes to it."""

    def __init__(self, compute: Callable[[], np.ndarray]) -> None:
        self.compute = compute

    def _and(self, formula: Callable[..., np.ndarray], *others: object) -> Lazy:
        def compute() -> np.ndarray:
            return formula(self.compute(), *(o.compute() if isinstance(o, Lazy) else o for o in others))

        return Lazy(compute)

    def __mod__(self, other: object) -> Lazy:
        return self._and(np.mod, other)

    def __add__(self, other: object) -> Lazy:
        return self._and(np.add, other)

    def __mul__(self, other: object) -> Lazy:
        return self._and(np.multiply, other)

    __radd__, __rmul__ = __add__, __mul__


class DeviceArray(Lazy):
    """Memory of the device: a view of a NumPy array that only streams touch."""

    def __init__(self, gpu: Gpu, array: np.ndarray) -> None:
        super().__init__(lambda: array)
        self.gpu = gpu
        self.array = array
        self.shape, self.dtype, self.size = array.shape, array.dtype, array.size
        self.nbytes, self.itemsize = array.nbytes, array.itemsize
        self.data = SimpleNamespace(ptr=array.ctypes.data)

    def reshape(self, *shape: int) -> DeviceArray:
        return DeviceArray(self.gpu, self.array.reshape(*shape))

    def __getitem__(self, key: object) -> DeviceArray:
        return DeviceArray(self.gpu, self.array[key])  # type: ignore[index]

    def __setitem__(self, key: object, value: Lazy) -> None:
        self._enqueue(lambda: np.copyto(self.array[key], value.compute(), casting="same_kind"))  # type: ignore[index]

    def fill(self, value: float) -> None:
        self._enqueue(lambda: self.array.fill(self.dtype.type(value)))

    def _enqueue(self, work: Callable[[], object]) -> None:
        correlation = self.gpu.call("launch")

        def quietly() -> None:
            with np.errstate(all="ignore"):
                work()

        self.gpu.stream().put(lambda: self.gpu.execute("kernel", quietly, correlation))


class Function:
    """An entry of a CUDA source: checks what a launch checks, and runs it on the current stream."""

    def __init__(self, gpu: Gpu, shim: Shim, entry: str) -> None:
        self.gpu, self.shim, self.entry = gpu, shim, entry
        self.max_dynamic_shared_size_bytes = EASY_SHARED_BYTES

    def __call__(
        self, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[object, ...], *, shared_mem: int = 0
    ) -> None:
        correlation = self.gpu.call("launch")
        if shared_mem > self.max_dynamic_shared_size_bytes:
            raise CUDARuntimeError(1)
        if not 0 < block[0] <= MOST_THREADS or not 0 < grid[0] < 2**31:
            raise CUDARuntimeError(9)
        arrays = [arg for arg in args if isinstance(arg, DeviceArray)]
        scalars = args[len(arrays) :]
        assert all(isinstance(scalar, (np.float32, np.int64)) for scalar in scalars), (
            "CUDA takes what is given as it is"
        )
        values = [pointer(array.array) for array in arrays] + c_values(scalars)  # type: ignore[arg-type]
        # Barriers cost a microsecond a thread here: fewer threads, the same sum.
        threads = min(block[0], ENTRY_THREADS) if grid[0] == 1 and block[0] == MOST_THREADS else block[0]
        work = lambda: self.shim.call(self.entry, grid[0], threads, values, shared_mem)  # noqa: E731
        self.gpu.stream().put(lambda: self.gpu.execute("kernel", work, correlation))


def fake_cupy(shim: Shim, memory_bytes: int = 8 << 30, async_engines: int = 2) -> Any:
    """The stand-in for the module cupy; `.gpu` is where errors are planted, as (call, its number, status)."""
    gpu = Gpu(memory_bytes, async_engines)
    runtime = SimpleNamespace(
        CUDARuntimeError=CUDARuntimeError,
        memcpyHostToDevice=1,
        memcpyDeviceToHost=2,
        memcpyDeviceToDevice=3,
        getDeviceCount=lambda: 1,
        getDeviceProperties=lambda _: {
            "name": b"Stand-in for a GPU",
            "totalGlobalMem": memory_bytes,
            "asyncEngineCount": async_engines,
            "multiProcessorCount": 2,
            "sharedMemPerBlockOptin": 99 << 10,
        },
        memGetInfo=lambda: (memory_bytes, memory_bytes),
        deviceSynchronize=lambda: gpu.call("deviceSynchronize"),
        eventQuery=lambda ptr: _query(gpu, ptr),
        memset=ctypes.memset,
        memcpyAsync=lambda *values: _copy(gpu, *values),
    )
    cuda = SimpleNamespace(
        runtime=runtime,
        compiler=SimpleNamespace(CompileException=CompileException),
        Stream=lambda non_blocking=False: Stream(gpu, non_blocking),
        Event=lambda block=False, disable_timing=False: Event(gpu, block, disable_timing),
        Device=lambda _: SimpleNamespace(use=lambda: None),
        get_elapsed_time=elapsed_ms,
        alloc_pinned_memory=lambda nbytes: _page_locked(gpu, nbytes),
    )
    pool = SimpleNamespace(free_all_blocks=lambda: gpu.counts.update(freed=gpu.counts.get("freed", 0) + 1))
    transforms = SimpleNamespace(fft=lambda x: x._and(np.fft.fft), fft2=lambda x: x._and(np.fft.fft2))
    return SimpleNamespace(
        gpu=gpu,
        cuda=cuda,
        fft=transforms,
        empty=lambda shape, dtype: _empty(gpu, shape, dtype),
        RawModule=lambda code, options: SimpleNamespace(get_function=lambda entry: _function(gpu, shim, code, entry)),
        get_default_memory_pool=lambda: pool,
        get_default_pinned_memory_pool=lambda: pool,
    )


@contextmanager
def planted(cupy: Any, *faults: tuple[str, int, int]) -> Iterator[None]:
    """While it lasts, the given calls fail: (what, the how manieth from now, status)."""
    counts = cupy.gpu.counts
    cupy.gpu.planted = [(what, counts.get(what, 0) + at, status) for what, at, status in faults]
    yield
    cupy.gpu.planted = []


def _function(gpu: Gpu, shim: Shim, code: str, entry: str) -> Function:
    gpu.call("compile")
    if f"void {entry}(" not in code:
        raise CompileException(f"no {entry}")
    return Function(gpu, shim, entry)


def _query(gpu: Gpu, ptr: int) -> int:
    if gpu.status:
        raise CUDARuntimeError(gpu.status)
    fired = gpu.events[ptr].fired
    return 0 if fired is not None and fired.is_set() else 600


def _empty(gpu: Gpu, shape: tuple[int, ...], dtype: str) -> DeviceArray:
    gpu.call("malloc")
    return DeviceArray(gpu, np.full(shape, 77, dtype))


def _page_locked(gpu: Gpu, nbytes: int) -> Any:
    gpu.call("hostAlloc")
    memory = (ctypes.c_char * max(1, nbytes))()
    place = (ctypes.addressof(memory), nbytes)
    gpu.page_locked.append(place)
    finalize(memory, gpu.page_locked.remove, place)
    return memory


def _copy(gpu: Gpu, target: int, source: int, nbytes: int, kind: int, stream: int) -> None:
    correlation = gpu.call("memcpy")
    host = {1: source, 2: target}.get(kind)
    is_pageable = host is not None and not any(start <= host < start + size for start, size in gpu.page_locked)
    if is_pageable and gpu.capture is not None:
        raise CUDARuntimeError(900)
    done = threading.Event()
    lock = {1: gpu.copy_lock["in"], 2: gpu.copy_lock["out"]}.get(kind, nullcontext())

    def execute() -> None:
        with lock:
            gpu.execute("copy", lambda: ctypes.memmove(target, source, nbytes), correlation)
        done.set()

    gpu.streams[stream].put(execute)
    if is_pageable:
        gpu.pageable_callers.append(threading.current_thread().name)
        done.wait()
