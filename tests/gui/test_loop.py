"""The loop that Qt and asyncio share: each fault of qasync that it cures, and what watches over it."""

import asyncio
import contextvars
import gc
import logging
import math
import sys
import threading
import time
import weakref
from collections.abc import AsyncIterator, Iterator

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from pytestqt.qtbot import QtBot

from gui.loop import CROWD, PATIENCE, CollectorPin, Loop, Watchdog


@pytest.fixture
def runner(qapp: object) -> Iterator[asyncio.Runner]:
    """A runner of the loop, closed afterwards."""
    with asyncio.Runner(loop_factory=Loop) as runner:
        yield runner


async def test_that_a_wait_for_ever_can_be_asked_for_and_canceled(qapp: object) -> None:
    loop = asyncio.get_running_loop()
    handle = loop.call_later(math.inf, lambda: None)
    assert await asyncio.wait_for(asyncio.sleep(0, "came back"), math.inf) == "came back"
    handle.cancel()


@pytest.mark.parametrize("delay", [0.0, 0.0004, 0.0131, 0.0507])
async def test_that_a_timer_never_fires_early(qapp: object, delay: float) -> None:
    loop = asyncio.get_running_loop()
    before = loop.time()
    await asyncio.sleep(delay)
    assert loop.time() - before >= delay


async def test_that_timers_fire_in_the_order_of_their_instants(qapp: object) -> None:
    loop, fired, done = asyncio.get_running_loop(), [], asyncio.Event()
    now = loop.time()
    loop.call_at(now + 0.03, done.set)
    loop.call_at(now + 0.02, fired.append, "second")
    loop.call_at(now + 0.01, fired.append, "first")
    loop.call_at(now - 1, fired.append, "overdue")
    await done.wait()
    assert fired == ["overdue", "first", "second"]


async def test_that_timeouts_that_ended_at_once_leave_nothing_behind(qapp: object) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    for _ in range(2000):
        async with asyncio.timeout(60):
            await asyncio.sleep(0)
    assert len(loop._scheduled) < 200
    assert len(loop._pump.findChildren(QTimer)) == 1


async def test_that_callbacks_run_in_the_order_they_were_queued(qapp: object) -> None:
    loop, ran, done = asyncio.get_running_loop(), [], asyncio.Event()
    for number in range(100):
        loop.call_soon(ran.append, number)
    loop.call_soon(done.set)
    await done.wait()
    assert ran == list(range(100))


async def test_that_a_canceled_callback_does_not_run(qapp: object) -> None:
    loop, ran = asyncio.get_running_loop(), []
    loop.call_soon(ran.append, "canceled").cancel()
    loop.call_later(0.001, ran.append, "canceled").cancel()
    await asyncio.sleep(0.01)
    assert ran == []


async def test_that_tasks_that_never_rest_let_qt_have_its_turn(qapp: object) -> None:
    ticks, done = [], asyncio.Event()

    async def spin() -> None:
        while not done.is_set():  # noqa: ASYNC110  (the rush is the point)
            await asyncio.sleep(0)

    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1) if len(ticks) < 5 else done.set())
    timer.start(2)
    await asyncio.gather(*(spin() for _ in range(20)))
    timer.stop()
    assert len(ticks) == 5


async def test_that_other_tasks_wait_while_a_task_is_in_a_modal_loop_and_go_on_after_it(qapp: object) -> None:
    ticks: list[bool] = []
    is_modal = False

    async def tick() -> None:
        while len(ticks) < 20:
            ticks.append(is_modal)
            await asyncio.sleep(0.001)

    other = asyncio.create_task(tick())
    await asyncio.sleep(0.005)
    modal = QEventLoop()
    QTimer.singleShot(30, modal.quit)
    is_modal = True
    modal.exec()
    is_modal = False
    await asyncio.wait_for(other, 5)
    assert ticks == [False] * 20


async def test_that_tasks_go_on_while_a_slot_is_in_a_modal_loop(qapp: object) -> None:
    ticks, left = [], asyncio.Event()

    def open_modal() -> None:
        modal = QEventLoop()
        asyncio.get_running_loop().call_later(0.02, modal.quit)
        asyncio.get_running_loop().call_later(0.01, ticks.append, "inside")
        modal.exec()
        ticks.append("after")
        left.set()

    QTimer.singleShot(0, open_modal)
    await asyncio.wait_for(left.wait(), 5)
    assert ticks == ["inside", "after"]


async def test_that_a_callback_from_a_thread_keeps_its_context_and_has_a_handle(qapp: object) -> None:
    loop, seen = asyncio.get_running_loop(), []
    word = contextvars.ContextVar("word", default="lost")

    def in_thread() -> asyncio.Handle:
        word.set("kept")
        handles = [loop.call_soon_threadsafe(lambda: seen.append(word.get())) for _ in range(2)]
        handles[1].cancel()
        return handles[0]

    handle = await loop.run_in_executor(None, in_thread)
    await asyncio.sleep(0.01)
    assert isinstance(handle, asyncio.Handle)
    assert seen == ["kept"]


async def test_that_no_callback_of_many_threads_is_lost(qapp: object) -> None:
    loop, seen, done = asyncio.get_running_loop(), [], asyncio.Event()

    def flood(thread: int) -> None:
        for number in range(500):
            loop.call_soon_threadsafe(arrived, (thread, number))

    def arrived(what: tuple[int, int]) -> None:
        seen.append(what)
        if len(seen) == 2000:
            done.set()

    threads = [threading.Thread(target=flood, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    await asyncio.wait_for(done.wait(), 20)
    for thread in threads:
        thread.join()
    assert sorted(seen) == [(thread, number) for thread in range(4) for number in range(500)]
    assert [n for t, n in seen if t == 0] == list(range(500))


def test_that_a_closed_loop_refuses_callbacks_from_threads(qapp: object) -> None:
    loop = Loop()
    loop.close()
    for refuse in (loop.call_soon_threadsafe, loop.call_soon, lambda call: loop.call_later(1, call)):
        with pytest.raises(RuntimeError, match="closed"):
            refuse(lambda: None)


def test_that_debug_mode_finds_a_call_soon_from_another_thread(runner: asyncio.Runner) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_debug(True)
        with pytest.raises(RuntimeError, match="another thread"):
            await loop.run_in_executor(None, loop.call_soon, lambda: None)

    runner.run(main())


async def test_that_a_job_that_leaves_by_system_exit_ends_its_future(qapp: object) -> None:
    with pytest.raises(SystemExit):
        await asyncio.get_running_loop().run_in_executor(None, sys.exit, 3)


def test_that_the_default_executor_is_waited_for_at_the_end(qapp: object) -> None:
    finished = []

    async def main() -> None:
        asyncio.get_running_loop().run_in_executor(None, lambda: (time.sleep(0.05), finished.append(True)))

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(main())
    assert finished == [True]
    assert not [t for t in threading.enumerate() if t.name.startswith("asyncio_")]


def test_that_an_abandoned_generator_is_finalized(qapp: object) -> None:
    steps = []

    async def numbers() -> AsyncIterator[int]:
        try:
            for number in range(10):
                yield number
        finally:
            await asyncio.sleep(0)
            steps.append("finalized")

    async def main() -> None:
        async for number in numbers():
            if number == 1:
                break
        gc.collect()
        await asyncio.sleep(0.01)
        assert steps == ["finalized"]

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(main())


def test_that_an_exit_raised_by_a_callback_leaves_the_loop(runner: asyncio.Runner) -> None:
    async def main() -> None:
        asyncio.get_running_loop().call_soon(sys.exit, 7)
        await asyncio.sleep(60)

    with pytest.raises(SystemExit, match="7"):
        runner.run(main())


def test_that_the_loop_can_run_again_after_it_stopped(runner: asyncio.Runner) -> None:
    assert [runner.run(asyncio.sleep(0.001, n)) for n in range(3)] == [0, 1, 2]


async def test_that_a_child_process_talks_through_its_pipes_and_is_reaped(qapp: object) -> None:
    script = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)\nsys.exit(5)"
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdin=pipe, stdout=pipe)
    assert child.stdin is not None
    assert child.stdout is not None
    for _ in range(20):
        child.stdin.write(b"warp\n")
        assert await child.stdout.readline() == b"praw\n"
    child.stdin.close()
    assert await child.stdout.read() == b""
    assert await asyncio.wait_for(child.wait(), 20) == 5


async def test_that_a_killed_child_process_is_noticed(qapp: object) -> None:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=pipe, stdout=pipe)
    child.kill()
    assert await asyncio.wait_for(child.wait(), 20) == -9


async def test_that_a_socket_carries_a_megabyte(qapp: object) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(1 << 20))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    writer.write(b"w" * (1 << 20))
    assert await reader.read(-1) == b"w" * (1 << 20)
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()


def test_that_garbage_is_collected_on_the_main_thread_only(qtbot: QtBot) -> None:
    class Knot:
        def __init__(self) -> None:
            self.me = self

    pin = CollectorPin()
    try:
        knot = weakref.ref(Knot())
        worker = threading.Thread(target=lambda: [[] for _ in range(50_000)] and None)
        worker.start()
        worker.join()
        assert not gc.isenabled()
        assert knot() is not None
        kept = [[] for _ in range(2000)]
        assert pin.collect() is not None
        assert knot() is None
        assert len(kept) == 2000
    finally:
        pin.stop()
        gc.enable()


def test_that_everything_is_not_collected_again_at_once(qtbot: QtBot) -> None:
    limits, pin = gc.get_threshold(), CollectorPin()
    try:
        gc.set_threshold(1, 1, 1)
        for _ in range(3):
            gc.collect(1)
        assert pin.collect() == 2
        for _ in range(3):
            gc.collect(1)
        kept = [[] for _ in range(100)]
        assert pin.collect() == 1
        assert len(kept) == 100
    finally:
        pin.stop()
        gc.set_threshold(*limits)
        gc.enable()


def test_that_many_new_objects_are_left_to_their_worker_for_a_while(qtbot: QtBot) -> None:
    pin = CollectorPin()
    try:
        gc.collect()
        made = [[] for _ in range(2 * CROWD)]
        assert [pin.collect() for _ in range(3)] == [None] * 3
        made.clear()
        kept = [[] for _ in range(2000)]
        assert pin.collect() is not None
        made += [[] for _ in range(2 * CROWD)]
        assert [pin.collect() for _ in range(PATIENCE)] == [None] * PATIENCE
        assert pin.collect() is not None
        assert len(kept) == 2000
    finally:
        pin.stop()
        gc.enable()


async def test_that_no_worker_collects_garbage_during_a_test_of_the_window(qapp: object) -> None:
    threads: list[int] = []

    def note(_phase: str, _info: dict[str, int]) -> None:
        threads.append(threading.get_ident())

    gc.callbacks.append(note)
    try:
        await asyncio.to_thread(lambda: [[] for _ in range(50_000)])
    finally:
        gc.callbacks.remove(note)
    assert set(threads) <= {threading.get_ident()}


async def test_that_the_watchdog_says_once_where_the_main_thread_was_and_for_how_long(
    qapp: object, caplog: pytest.LogCaptureFixture
) -> None:
    def where_it_hangs(until: threading.Event) -> None:
        until.wait(5)

    reported = threading.Event()

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            reported.set()

    told = Told()
    logging.getLogger("gui.loop").addHandler(told)
    dog = Watchdog(asyncio.get_running_loop(), stall_s=0.02)
    dog.start()
    where_it_hangs(reported)
    while len(caplog.records) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    dog.stop()
    logging.getLogger("gui.loop").removeHandler(told)
    assert "where_it_hangs" in caplog.records[0].getMessage()
    assert "answered after" in caplog.records[1].getMessage()
    assert dog.take_slowest_ms() >= 20
    assert dog.take_slowest_ms() == 0


async def test_that_the_watchdog_measures_answers_in_a_calm_window(qapp: object) -> None:
    dog = Watchdog(asyncio.get_running_loop(), stall_s=10)
    dog.start()
    while not (slowest := dog.take_slowest_ms()):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    dog.stop()
    assert 0 < slowest < 10_000
