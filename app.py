"""Warploom's way in: reads the command line, decides what this process is, and builds the window of its parts.

It never computes anything itself, and a process that opens no window never imports Qt.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from engine.session.devices import Devices
    from engine.session.jobs import Supervisor
    from gui.appearance import Appearance
    from gui.faults import Fault
    from gui.loop import CollectorPin, Watchdog
    from gui.main_window import MainWindow

VERSION = "0.1.0"
ROOT = Path(__file__).resolve().parent
DEVICE_PROCESS = "--device-process"
WARM_KERNELS = "--warm-kernels"
ADVISE = "--advise"
SOLVE, PROVE, SAMPLE = "--solve", "--prove", "--sample"
DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
# Below the window, above whatever computes behind it.
DATING_NICENESS, LOWEST = 5, 19

USAGE = """\
usage: python app.py [FILE ...]     open the window
       python app.py VERB ...       without a window; VERB --help says more
       python app.py --version
WARPLOOM_VERBOSE=1 in the environment: a stall of the window is traced on the terminal too, not only in the log
verbs: {verbs}"""


def main(argv: Sequence[str]) -> int:
    """Be what the command line says: the window, a verb, or a process that serves one. Returns the exit code."""
    prepare_environment()
    first = argv[0] if argv else ""
    if first in (DEVICE_PROCESS, WARM_KERNELS, ADVISE, SOLVE, PROVE, SAMPLE):
        return serve_a_window(argv)
    if first.startswith("-") and first != "--":
        return say(first)
    if first == "shot":
        return in_picture(argv[1:])

    from engine import headless

    if first in headless.VERBS:
        signal.signal(signal.SIGTERM, interrupt_verb)
        return headless.main(list(argv))
    if is_no_file(first):
        return refuse_word(first, (*headless.VERBS, "shot"))
    return in_window(openable([path for path in argv if path != "--"]))


def serve_a_window(argv: Sequence[str]) -> int:
    """A process that a window or a verb has started. Ctrl+C in a terminal reaches it too; they decide what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if argv[0] == WARM_KERNELS:
        return warm_kernels()
    if argv[0] == ADVISE:
        from engine.process.adviser import main as advise

        advise()
        return DONE
    if argv[0] == SOLVE:
        from engine.process.solver import main as solve

        solve()
        return DONE
    if argv[0] == PROVE:
        from engine.process.prover import main as prove

        prove()
        return DONE
    if argv[0] == SAMPLE:
        from engine.process.sampler import main as sample

        sample()
        return DONE
    from engine.process.host import main as serve

    serve(*argv[1:])
    return DONE


def leave(code: int) -> None:
    """Ends the process; who interrupts it does not wait until the interpreter has taken compiled code apart."""
    if code == INTERRUPTED:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def interrupt_verb(*_: object) -> None:
    """Told to end, a verb ends its device process and frees the shared memory, as when it is interrupted."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell has put it into the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


def is_no_file(word: str) -> bool:
    """Whether a first argument is rather a verb that was mistyped than a file: it has neither folder nor suffix."""
    return bool(word) and word != "--" and Path(word).name == word and not Path(word).suffix and not Path(word).exists()


def refuse_word(word: str, verbs: Sequence[str]) -> int:
    """Say that there is no such verb, and which one it may have been."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), verbs, n=1)
    help_ = f"did you mean “{near[0]}”?" if near else "--help lists the verbs."
    sys.stderr.write(f"There is neither a verb nor a file “{word}”; {help_}\n")
    return BAD_INPUT


def openable(files: Sequence[str]) -> Sequence[str]:
    """The files to open: those that are there. The others are said; if all are missing, the window says so as well."""
    there = [path for path in files if Path(path).exists()]
    for path in files:
        if path not in there:
            sys.stderr.write(f"There is no file {path}.\n")
    return there or files[:1]


def prepare_environment() -> None:
    """What Numba, CuPy and the libraries over Qt read from the environment, before any of them is imported.

    A standard stream that is closed stands open on nothing: else the next file opened would be taken for it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    os.environ["QT_API"] = "pyside6"
    os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
    os.environ.setdefault("WARPLOOM_CACHE_DIR", str(cache_folder()))
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "compiled"))
    os.environ.setdefault("CUPY_CACHE_DIR", str(cache_folder() / "cuda"))


def cache_folder() -> Path:
    """This person's folder for what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "warploom" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "warploom"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warploom"


def say(option: str) -> int:
    """Answer --version and --help; explain itself to anything else."""
    from engine import headless

    if option == "--version":
        return headless.put(f"Warploom {VERSION}")
    here = [verb for verb in headless.VERBS if verb not in headless.LATER]
    usage = USAGE.format(verbs=", ".join((*here, "shot")))
    if option in ("-h", "--help"):
        return headless.put(usage)
    sys.stderr.write(f"There is no option {option}.\n{usage}\n")
    return BAD_INPUT


def warm_kernels() -> int:
    """Fill Numba's cache on the disk, politely: the window loads from it and never compiles, a device seldom.

    What dates plans comes first, for each edit waits for that; a line on the standard output says that it is there.
    """
    if hasattr(os, "nice"):
        os.nice(DATING_NICENESS)
    from engine.schedule.cpm import use_compiled

    use_compiled()
    os.write(1, b"\n")
    if hasattr(os, "nice"):
        os.nice(LOWEST - DATING_NICENESS)
    from engine.kernels import KERNELS

    for kernel in KERNELS:
        kernel.warm()
    warm_optimizer()
    warm_risk()
    return DONE


def warm_optimizer() -> None:
    """The same for the engines that look for better plans, by a search of a few moves on two small problems."""
    from engine.optimize.warming import warm

    warm()


def warm_risk() -> None:
    """The same for the simulation, by a few samples of a small plan."""
    from engine.risk.warming import warm

    warm()


def in_picture(argv: Sequence[str]) -> int:
    """The verb shot: the window as a picture, without a display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if (code := refuse_to_start(display_needed=False)) is not None:
        return code
    from gui import shot

    return shot.main(argv, VERSION)


def in_window(files: Sequence[str]) -> int:
    """One window a file, or one with the Welcome page, until the last is closed."""
    if (code := refuse_to_start(display_needed=True)) is not None:
        return code
    from gui.appearance import Appearance, leave_application, make_application
    from gui.loop import Loop

    app = make_application(VERSION)
    appearance = Appearance(app)
    # Threads take turns more often than the 5 ms of the interpreter: one that computes holds up a frame less.
    sys.setswitchinterval(0.001)
    try:
        with asyncio.Runner(loop_factory=Loop) as runner:
            return runner.run(Life(app, appearance).live(files or [""]))
    finally:
        leave_application()


def refuse_to_start(display_needed: bool) -> int | None:
    """Say in one sentence why Qt cannot start here, and the exit code for it; None when it can."""
    from gui import preflight

    problem = preflight.missing(display_needed)
    if problem is None:
        return None
    sys.stderr.write(problem.sentence + "\n")
    return problem.exit_code


class Life:
    """The window's process from its first window to its orderly end. One object, on the loop's thread."""

    def __init__(self, app: QApplication, appearance: Appearance) -> None:
        self._app = app
        self._appearance = appearance
        self._windows: list[MainWindow] = []
        self._stop = asyncio.Event()
        self._code = DONE

    async def live(self, files: Sequence[str]) -> int:
        """Open a window a file, wait until all are closed or a signal comes, and leave in order."""
        from engine.session.devices import Devices
        from engine.session.jobs import Supervisor
        from gui.faults import Funnel, state_folder
        from gui.loop import CollectorPin, Watchdog

        loop = asyncio.get_running_loop()
        funnel = Funnel(state_folder())
        funnel.on_fault = self._tell
        funnel.install(loop)
        pin, watchdog = CollectorPin(), Watchdog(loop)
        supervisor, devices = Supervisor(funnel.report), Devices()
        self._heed_signals(loop)
        self._app.commitDataRequest.connect(self._keep_work)
        try:
            for path in files:
                self._windows.append(self._open(path, supervisor, devices, watchdog))
                self._windows[-1].bridge.document_opened.connect(lambda _: pin.settle())
            # What is loaded before the first paint takes its time; from then on the window answers.
            self._windows[0].first_painted.connect(watchdog.start)
            self._windows[0].first_painted.connect(lambda: supervisor.spawn(warm_up(pin), "warm-up"))
            await self._stop.wait()
        finally:
            await self._leave(supervisor, devices)
            watchdog.stop()
            pin.stop()
            funnel.remove()
        return self._code

    def _open(self, path: str, supervisor: Supervisor, devices: Devices, watchdog: Watchdog) -> MainWindow:
        from gui.bridge import Bridge
        from gui.main_window import MainWindow

        bridge = Bridge(supervisor, devices)
        bridge.document_opened.connect(bridge.start_device)
        bridge.device_chosen.connect(bridge.start_device)
        window = MainWindow(bridge, self._appearance, watchdog.take_slowest_ms)
        window.closed.connect(lambda: self._closed(window))
        window.show()
        if path:
            bridge.open(str(Path(path).absolute()))
        else:
            bridge.look_for_unsaved_work()
        return window

    def _closed(self, window: MainWindow) -> None:
        window.hide()
        if not any(each.isVisible() for each in self._windows):
            self._stop.set()

    def _heed_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Interrupted or told to end: keep unsaved work beside the file, and leave."""
        for number, code in ((signal.SIGINT, INTERRUPTED), (signal.SIGTERM, DONE)):
            try:
                loop.add_signal_handler(number, self._interrupt, code)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_, code=code: loop.call_soon_threadsafe(self._interrupt, code))

    def _keep_work(self) -> None:
        """The person's session ends, and this process perhaps without a word."""
        for window in self._windows:
            window.bridge.autosave()

    def _interrupt(self, code: int) -> None:
        self._code = code
        self._stop.set()

    def _tell(self, fault: Fault) -> None:
        for window in self._windows:
            if window.isVisible():
                window.tell_of(fault)
                return

    async def _leave(self, supervisor: Supervisor, devices: Devices) -> None:
        for window in self._windows:
            window.hide()
        for window in self._windows:
            await window.bridge.leave()
        await supervisor.leave()
        await devices.close()
        for window in self._windows:
            window.deleteLater()
        self._windows.clear()


async def warm_up(pin: CollectorPin) -> None:
    """After the first paint: a child fills the cache of compiled code, then a worker loads from it."""
    from engine.process.connection import OWN_GROUP, own_command
    from engine.schedule.cpm import use_compiled

    # A first start compiles for a minute: what lives by now is not looked through again and again until that is over.
    pin.settle()
    in_worker = partial(asyncio.get_running_loop().run_in_executor, None)
    # NumPy loads this at the first np.unique(); the first picture of a run shall not wait for it.
    await in_worker(import_module, "numpy.ma")
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        *own_command(WARM_KERNELS), stdin=nothing, stdout=pipe, process_group=OWN_GROUP
    )
    assert child.stdout is not None
    try:
        if await child.stdout.readline():
            await in_worker(use_compiled)
            pin.settle()
        await child.wait()
    except asyncio.CancelledError:
        child.kill()
        await child.wait()
        raise
    pin.settle()


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:  # before a verb or the window took it up
        code = INTERRUPTED
    leave(code)
