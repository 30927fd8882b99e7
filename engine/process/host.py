"""The device process: plain asyncio, one device, requests in, rows of spans and results out.

It alone opens devices, by the kind it is told; it never sees a document, and the window's process never imports it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, BinaryIO, TypeVar

from engine.errors import DeviceError, EngineError, UntrustedKitError
from engine.gpu import is_gpu
from engine.model import PlanSettings
from engine.process import frames
from engine.process.messages import (
    Arrived,
    Control,
    Counted,
    Hello,
    Paused,
    Refused,
    Reply,
    Request,
    RingAttach,
    RunEnded,
    RunRequest,
)
from engine.process.outbox import Outbox
from engine.process.ring import Ring
from engine.process.verification import Verification, verify
from engine.program.profile import DeviceProfile, load_profile
from engine.runtime.backend import Device, LostDeviceError, Rehearsing
from engine.runtime.counters import Sampler, Source, machine_facts, open_sources
from engine.runtime.cpu import CpuDevice
from engine.runtime.cuda import CudaDevice
from engine.runtime.executor import RunControl, run_program
from engine.runtime.simulated import SimulatedDevice
from engine.trace.counters import Sample

T = TypeVar("T")

log = logging.getLogger(__name__)

NICENESS = 5
# The exit code of a process whose device was lost: nothing but another process can open it again.
LOST = 70
# What a simulated device calls itself until a run brings its profile; its figures are those of a new plan's profile.
NO_PROFILE = "simulated from a profile"


def open_device(kind: str, profile: str) -> Device:
    """A device of a kind; `profile` is the JSON text of a DeviceProfile, "" for a default. Raises DeviceError."""
    if kind == "cpu":
        return CpuDevice()
    if kind == "simulated":
        if not profile:
            return SimulatedDevice(load_profile(PlanSettings().profile), name=NO_PROFILE)
        return SimulatedDevice(DeviceProfile.from_json(profile))
    if is_gpu(kind):
        return CudaDevice()
    raise DeviceError(f"There is no device called “{kind}”; use cpu, simulated or cuda.")


class _CanceledError(Exception):
    """A cancel came before the work was done."""


class Host:
    """One device and the runs on it, one at a time. It is a Connection: a process wraps it in pipes, a test does not.

    `opener(kind, profile)` opens the device; a test plants its own.
    """

    def __init__(self, kind: str, opener: Callable[[str, str], Device] = open_device) -> None:
        self._kind = kind
        self._opener = opener
        self._replies: asyncio.Queue[Reply | None] = asyncio.Queue()
        self._attach: RingAttach | None = None
        self._ring: Ring | None = None
        self._device: Device | None = None
        self._profile = ""
        self._sources: list[Source] = []
        self._control = RunControl()
        self._is_canceled = asyncio.Event()
        self._run: asyncio.Task[None] | None = None
        # What a thread was at when its run was canceled; the next run waits for it.
        self._left: asyncio.Future[Any] | None = None
        self.is_open = True
        # What a process that this host is all of ends with.
        self.exit_code = 0
        self._greet()

    @classmethod
    async def start(cls, kind: str) -> Host:
        """A host in this process: DeviceClient(kind, start=Host.start)."""
        return cls(kind)

    def send(self, request: Request) -> None:
        """Takes a request, on the loop's thread."""
        match request:
            case RingAttach():
                self._attach = request
            case RunRequest() if self._run is not None and not self._run.done():
                self._reply(Refused(f"The {self._kind} device is at a run."))
            case RunRequest():
                self._control = RunControl(lambda is_paused: self._reply(Paused(request.run, is_paused)))
                self._is_canceled = asyncio.Event()
                self._run = asyncio.get_running_loop().create_task(self._serve(request))
            case Control("pause"):
                self._control.pause()
            case Control("resume"):
                self._control.resume()
            case Control("cancel"):
                self._control.cancel()
                self._is_canceled.set()
            case Control("quit"):
                self.kill()

    async def receive(self) -> Reply | None:
        """The next reply, or None once the host has left."""
        return await self._replies.get()

    def kill(self) -> None:
        """Leaves at once; a run in progress is given up."""
        if self.is_open:
            self.is_open = False
            self._reply(None)
            if self._run is not None:
                self._run.cancel()

    async def close(self) -> str:
        """Leaves, and frees the device."""
        self.kill()
        if self._run is not None:
            await asyncio.wait([self._run])
        await self._settle()
        await self._close_device()
        if self._ring is not None:
            self._ring.close()
            self._ring = None
        return f"exit code {self.exit_code}"

    def _greet(self) -> None:
        try:
            self._open("")
        except DeviceError as error:
            self._reply(Refused(error.sentence))
            self.kill()

    def _open(self, profile: str) -> Device:
        """Opens the device and says what it is."""
        device = self._device = self._opener(self._kind, profile)
        self._profile = profile
        info = device.describe()
        if info.stamps != "simulated" and not self._sources:
            self._sources = open_sources(info.kind)
        units = tuple(unit for source in self._sources for unit in source.units)
        facts = machine_facts(info.kind)
        self._reply(Hello(info.kind, info.name, info.stamps, info.engines, info.memory_bytes, facts, units))
        return device

    def _reply(self, reply: Reply | None) -> None:
        self._replies.put_nowait(reply)

    async def _serve(self, request: RunRequest) -> None:
        """Runs one request to its end, whatever that is; a device that failed is closed, the next run opens another."""
        try:
            ended = await self._execute(request)
        except EngineError as error:
            is_lost = isinstance(error, LostDeviceError)
            ended = RunEnded(request.run, "failed", error.sentence, next(iter(error.ids), 0), is_device_lost=is_lost)
        except Exception as error:
            log.exception("run %d", request.run)
            sentence = f"The {self._kind} device failed: {type(error).__name__}: {error}."
            ended = RunEnded(request.run, "failed", sentence)
        if ended.outcome == "failed" and not ended.is_device_lost:
            await self._close_device()
        self._reply(ended)
        if ended.is_device_lost:
            self.exit_code = LOST
            self.kill()

    async def _execute(self, request: RunRequest) -> RunEnded:
        run, program, repeat = request.run, request.program, request.repeat
        if program.kits and not request.is_trusted:
            raise UntrustedKitError(program.name, program.kit_folders)
        await self._settle()
        outbox = Outbox(self._attached(), lambda written: self._reply(Arrived(run, written)))
        try:
            device = await self._opened(request.profile)
            if isinstance(device, SimulatedDevice):
                device.simulation = request.simulation
            await self._unless_canceled(partial(device.prepare, program, request.seed))
            at_once = 0
            if isinstance(device, Rehearsing):
                at_once = await self._unless_canceled(partial(device.rehearse, repeat))
            async with self._counted(request):
                ended = await run_program(device, program, repeat, self._control, outbox.put, at_once)
            await outbox.emptied()
        except _CanceledError:
            return RunEnded(run, "canceled")
        finally:
            outbox.close()
        found = Verification()
        if ended.outcome == "finished":
            found = await self._verify(request, device)
        error = ended.error or found.remark
        return RunEnded(
            run, ended.outcome, error, ended.failed_task, found.outputs, found.is_equal, ended.is_device_lost
        )

    @asynccontextmanager
    async def _counted(self, request: RunRequest) -> AsyncIterator[None]:
        """While it lasts, the machine's counters are sampled and told."""
        loop = asyncio.get_running_loop()

        def report(samples: Sequence[Sample]) -> None:
            with suppress(RuntimeError):  # the loop has gone
                loop.call_soon_threadsafe(self._reply, Counted(request.run, tuple(samples)))

        sampler = Sampler(self._sources if request.is_counted else (), report)
        try:
            yield
        finally:
            await asyncio.to_thread(sampler.close)

    async def _verify(self, request: RunRequest, device: Device) -> Verification:
        """Compares the outputs, unless a cancel gives that up."""
        actual = {buffer: device.read(buffer) for buffer in request.program.outputs}
        try:
            return await self._unless_canceled(partial(verify, request, actual))
        except _CanceledError:
            return Verification(remark="The results were not compared: that was canceled.")

    async def _unless_canceled(self, work: Callable[[], T]) -> T:
        """What `work` gives, on a thread. Raises _CanceledError when a cancel comes first: the thread goes on."""
        working: asyncio.Future[T] = asyncio.get_running_loop().run_in_executor(None, work)
        self._left = working
        canceled = asyncio.ensure_future(self._is_canceled.wait())
        either: set[asyncio.Future[Any]] = {working, canceled}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            canceled.cancel()
        if not working.done():
            raise _CanceledError
        self._left = None
        return working.result()

    async def _settle(self) -> None:
        """Waits for what a canceled run left a thread at: two at once would fight over the device."""
        left, self._left = self._left, None
        if left is not None:
            await asyncio.wait([left])
            left.exception()  # nobody asks for it any more

    def _attached(self) -> Ring:
        if self._ring is None:
            if self._attach is None:
                raise DeviceError("The device process was given no memory to report into.")
            self._ring = Ring.attach(self._attach.name, self._attach.rows)
        return self._ring

    async def _opened(self, profile: str) -> Device:
        """The open device; another one where the last was closed, or had another profile."""
        if self._device is not None and profile == self._profile:
            return self._device
        await self._close_device()
        return self._open(profile)

    async def _close_device(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            # It joins its threads: a part that runs is waited for.
            await asyncio.to_thread(device.close)


def main(kind: str) -> None:
    """The device process, from its start to its end: until it is told to quit, or the window has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal reaches both processes; the window decides
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asyncio.run(_talk(kind, *_take_pipes()))


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for messages alone: what anything else prints goes to stderr, what else reads finds nothing."""
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb", buffering=0), os.fdopen(replies, "wb", buffering=0)


async def _talk(kind: str, requests: BinaryIO, replies: BinaryIO) -> None:
    host = Host(kind)
    loop = asyncio.get_running_loop()
    threading.Thread(target=_listen, args=(requests, loop, host), name="requests", daemon=True).start()
    with suppress(OSError):  # the window has gone
        while (reply := await host.receive()) is not None:
            # A pipe holds some hundred messages; it fills only while the window is stuck, and then waiting is right.
            frames.write(replies, reply)
    _leave(host.exit_code)


def _listen(requests: BinaryIO, loop: asyncio.AbstractEventLoop, host: Host) -> None:
    while (request := frames.read(requests)) is not None:
        loop.call_soon_threadsafe(host.send, request)
    _abandon()


def _leave(code: int = 0) -> None:
    """Ends the process now: a thread may sit in a long kernel or a compilation, and nothing here outlives a process."""
    os._exit(code)


def _abandon() -> None:
    """Ends the process when the window has gone, and with it what a person's own kernels may have started."""
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    _leave()
