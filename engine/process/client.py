"""DeviceClient: the window's side of a device. It starts the device's process, sends runs to it, and starts it anew.

It never opens a device and never imports the host: it reaches it through a Connection.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from engine.errors import DeviceError
from engine.process.connection import Connection, spawn
from engine.process.messages import (
    Arrived,
    Control,
    Counted,
    Hello,
    Paused,
    Refused,
    Reply,
    RingAttach,
    RunEnded,
    RunRequest,
)
from engine.process.ring import Ring, Rows
from engine.trace.counters import Sample

RowsListener = Callable[[Rows], None]
SamplesListener = Callable[[Sequence[Sample]], None]
PausedListener = Callable[[bool], None]

HELLO_SECONDS = 30.0
CANCEL_SECONDS = 1.0
RING_ROWS = 16_384
# A device that is lost so often within so many seconds is not started again before they have passed.
MOST_LOSSES, LOSSES_SECONDS = 3, 60.0


class DeviceClient:
    """One device of a kind ("cpu", "simulated", "cuda"), running one program at a time.

    `start` makes the Connection; tests hand in one that makes the host object itself. All calls belong to the loop's
    thread. A process that dies costs the run it was at: the next one starts a new process, but not again and again.
    """

    def __init__(
        self, kind: str, start: Callable[[str], Awaitable[Connection]] = spawn, *, ring_rows: int = RING_ROWS
    ) -> None:
        self.kind = kind
        self._start = start
        self._ring_rows = ring_rows
        self._connection: Connection | None = None
        self._ring: Ring | None = None
        self._hello: Hello | None = None
        self._run = 0
        self._on_samples: SamplesListener = lambda _: None
        self._on_paused: PausedListener = lambda _: None
        # Who asks while the process comes up waits for that one.
        self._starting = asyncio.Lock()
        # Set while a run is followed; what is said before that is held back until the run was asked for.
        self._deadline: asyncio.Timeout | None = None
        self._held: list[str] = []
        self._losses: deque[float] = deque(maxlen=MOST_LOSSES)

    @property
    def is_given_up(self) -> bool:
        """Whether the device was lost so often that it is not started for now."""
        now = asyncio.get_running_loop().time()
        return len(self._losses) == MOST_LOSSES and now - self._losses[0] < LOSSES_SECONDS

    @property
    def hello(self) -> Hello | None:
        """What the device said of itself, for the profile of its latest run; None while there is no process."""
        return self._hello if self._connection is not None and self._connection.is_open else None

    async def start(self) -> Hello:
        """Starts the device's process unless it runs, and returns what the device is. Raises DeviceError."""
        async with self._starting:
            return self.hello or await self._start_process()

    async def run(
        self,
        request: RunRequest,
        on_rows: RowsListener,
        on_samples: SamplesListener = lambda _: None,
        on_paused: PausedListener = lambda _: None,
    ) -> RunEnded:
        """Runs a program to its end, whatever that is. Rows (n, 9) of PARTS go to `on_rows` as they come.

        `on_paused` hears True once the device stands still as pause() asked, and False when it goes on.

        Raises DeviceError when the device cannot be started or is at another run. Cancelling the await (rather than
        calling cancel()) ends the process.
        """
        if self._run:
            raise DeviceError(f"The {self.kind} device is at a run; wait for its end, or cancel it.")
        self._run, self._on_samples, self._on_paused = request.run, on_samples, on_paused
        ended: RunEnded | None = None
        try:
            await self.start()
            is_canceled = "cancel" in self._held  # then the device need not even hear of it
            ended = RunEnded(request.run, "canceled") if is_canceled else await self._supervise(request, on_rows)
            return ended
        finally:
            self._run = 0
            self._held.clear()
            if ended is None and self._connection is not None:
                self._connection.kill()
                self._hello = None

    def pause(self) -> None:
        """Pauses the run between parts; `on_paused` hears when it stands still."""
        self._control("pause")

    def resume(self) -> None:
        """Goes on with a paused run."""
        self._control("resume")

    def cancel(self) -> None:
        """Ends the run between parts; a device that has not done so after CANCEL_SECONDS is killed."""
        self._control("cancel")

    async def close(self) -> None:
        """Ends the process, within a bounded time, and removes the shared memory. A run in progress ends as failed."""
        await self._leave()

    async def _start_process(self) -> Hello:
        await self._leave()
        if self.is_given_up:
            raise DeviceError(
                f"The {self.kind} device was lost {MOST_LOSSES} times within a minute and is left alone for now; "
                f"{'wait a minute' if self.kind == 'cpu' else 'choose the cpu device'}."
            )
        try:
            ring = self._ring = Ring.create(self._ring_rows)
        except OSError as error:
            raise DeviceError(f"There is no shared memory for the {self.kind} device: {error.strerror}.") from error
        try:
            connection = self._connection = await self._start(self.kind)
        except OSError as error:
            await self._leave()
            raise DeviceError(f"The {self.kind} device process could not be started: {error}.") from error
        hello = await self._greeting(connection)
        if self._ring is not ring:
            await self._leave()
            raise DeviceError(f"The {self.kind} device was closed while it came up.")
        connection.send(RingAttach(ring.name, ring.capacity))
        self._hello = hello
        return hello

    async def _greeting(self, connection: Connection) -> Hello:
        try:
            reply = await asyncio.wait_for(connection.receive(), HELLO_SECONDS)
        except TimeoutError:
            await self._leave()
            sentence = f"The {self.kind} device process did not come up within {HELLO_SECONDS:g} s and was ended."
            raise DeviceError(sentence) from None
        if isinstance(reply, Hello):
            return reply
        is_closed = self._connection is not connection
        ending = await self._leave()
        if isinstance(reply, Refused):
            raise DeviceError(reply.sentence)
        if is_closed:
            raise DeviceError(f"The {self.kind} device was closed while it came up.")
        raise DeviceError(f"The {self.kind} device process did not come up ({ending}).")

    def _control(self, verb: str) -> None:
        if self._connection is None or self._deadline is None:
            if self._run:
                self._held.append(verb)
            return
        self._connection.send(Control(verb, self._run))
        if verb == "cancel" and self._deadline.when() is None:
            self._deadline.reschedule(asyncio.get_running_loop().time() + CANCEL_SECONDS)

    async def _supervise(self, request: RunRequest, on_rows: RowsListener) -> RunEnded:
        """Sends the request and follows the run; a process that dies or does not answer a cancel ends it."""
        connection = self._connection
        assert connection is not None
        connection.send(request)
        try:
            async with asyncio.timeout(None) as self._deadline:
                for verb in self._held:
                    self._control(verb)
                return await self._follow(request.run, connection, on_rows)
        except TimeoutError:
            connection.kill()
            await self._lost(connection, on_rows)
            sentence = f"The {self.kind} device process did not answer the cancel and was ended."
            return RunEnded(request.run, "canceled", sentence)
        except EOFError:
            self._losses.append(asyncio.get_running_loop().time())
            ending = await self._lost(connection, on_rows)
            sentence = (
                f"The {self.kind} device process ended in mid-run ({ending}). "
                "The partial timeline is kept; press Run to start again."
            )
            return RunEnded(request.run, "failed", sentence)
        finally:
            self._deadline = None

    async def _follow(self, run: int, connection: Connection, on_rows: RowsListener) -> RunEnded:
        while True:
            reply: Reply | None = await connection.receive()
            match reply:
                case None:
                    raise EOFError
                case Hello():
                    self._hello = reply
                case Arrived():
                    self._drain(on_rows)
                case Counted() if reply.run == run:
                    self._on_samples(reply.samples)
                case Paused() if reply.run == run:
                    self._on_paused(reply.is_paused)
                case RunEnded() if reply.run == run:
                    return await self._without_device(reply) if reply.is_device_lost else reply
                case Refused(sentence):
                    return RunEnded(run, "failed", sentence)

    async def _without_device(self, ended: RunEnded) -> RunEnded:
        """A sticky error: the process ends too, and another one is started when the device is asked for."""
        self._losses.append(asyncio.get_running_loop().time())
        await self._leave()
        what = "is left alone for now" if self.is_given_up else "is started again"
        return replace(ended, error=f"{ended.error.removesuffix('.')}; the device was lost with it and {what}.")

    async def _lost(self, connection: Connection, on_rows: RowsListener) -> str:
        """Takes what a process that has gone left in the ring, and says how the process ended."""
        ending = await connection.close()
        self._drain(on_rows)
        await self._leave()
        return ending

    def _drain(self, on_rows: RowsListener) -> None:
        if self._ring is not None and self._ring.is_waiting:
            on_rows(self._ring.read())

    async def _leave(self) -> str:
        """Ends the process, if there is one, and removes the ring. Returns how the process ended."""
        connection, self._connection = self._connection, None
        ring, self._ring = self._ring, None
        self._hello = None
        try:
            return await connection.close() if connection is not None else ""
        finally:
            if ring is not None:
                ring.close()
