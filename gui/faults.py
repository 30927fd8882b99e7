"""The one funnel that every bug runs into, and the log file behind it. It never decides what a person is shown."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import logging.handlers
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QStandardPaths, QtMsgType, qInstallMessageHandler

log = logging.getLogger(__name__)

# Set to anything, this brings to the terminal what otherwise only the log is told.
VERBOSE = "WARPLOOM_VERBOSE"

_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A bug that was caught: what it was in one line, the whole trace, and the log it went to."""

    title: str
    trace: str
    log_path: Path


def state_folder() -> Path:
    """Where this person's logs lie; made when it is not there."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)
    folder = Path(place) / "warploom"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Funnel:
    """Collects bugs from every hook there is, logs each, and tells of each place that fails once.

    The hooks: sys.excepthook (slots and overrides of Qt end there), threading.excepthook, sys.unraisablehook, the
    loop's exception handler, Qt's own messages, and faulthandler for crashes.
    """

    def __init__(self, folder: Path) -> None:
        self.log_path = folder / "warploom.log"
        self.on_fault: Callable[[Fault], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._counts: Counter[tuple[str, str, int]] = Counter()
        self._crashes = (folder / "crash.log").open("a", encoding="utf-8")
        self._handlers: tuple[logging.Handler, ...] = ()
        self._hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take over every hook, and the root logger."""
        self._loop = loop
        to_file = logging.handlers.RotatingFileHandler(
            self.log_path, maxBytes=1_000_000, backupCount=3, encoding="utf-8"
        )
        to_file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"))
        to_person = logging.StreamHandler(sys.stderr)
        to_person.setLevel(logging.WARNING)
        if not os.environ.get(VERBOSE):
            # Where the main thread stood is for who looks into it, and stands in the file.
            to_person.addFilter(lambda record: record.name != "gui.loop")
        self._handlers = (to_file, to_person)
        for handler in self._handlers:
            logging.getLogger().addHandler(handler)
        logging.getLogger().setLevel(logging.INFO)
        sys.excepthook = self._from_interpreter
        threading.excepthook = lambda args: self.report(
            args.exc_value, f"in thread {getattr(args.thread, 'name', '?')}"
        )
        sys.unraisablehook = lambda args: self.report(args.exc_value, f"{args.err_msg or 'in'} {args.object!r}")
        loop.set_exception_handler(self._from_loop)
        qInstallMessageHandler(_from_qt)
        faulthandler.enable(self._crashes)

    def remove(self) -> None:
        """Give the hooks back; the loop's goes with the loop."""
        qInstallMessageHandler(None)
        faulthandler.disable()
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        for handler in self._handlers:
            logging.getLogger().removeHandler(handler)
            handler.close()
        self._crashes.close()

    def report(self, error: BaseException | None, where: str = "") -> None:
        """Log a bug, from any thread, and tell of it if its place never failed before."""
        if error is None:
            log.error("an error without an exception %s", where)
            return
        place = _place(error)
        self._counts[place] += 1
        count = self._counts[place]
        if count > 1:
            if count & (count - 1) == 0:  # a bug in a paint event comes sixty times a second
                log.error("%s %s, for the %dth time: %s", type(error).__name__, where, count, error)
            return
        trace = "".join(traceback.format_exception(error))
        log.error("a bug %s\n%s", where, trace)
        self._tell(Fault(f"{type(error).__name__}: {error}", trace, self.log_path))

    def _tell(self, fault: Fault) -> None:
        if self._loop is None or self.on_fault is None or self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self.on_fault, fault)

    def _from_interpreter(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            self.report(error)

    def _from_loop(self, _loop: asyncio.AbstractEventLoop, context: Mapping[str, object]) -> None:
        error = context.get("exception")
        message = str(context.get("message", ""))
        if isinstance(error, BaseException):
            self.report(error, f"in the loop: {message}")
        else:
            log.error("the loop says: %s %s", message, {k: v for k, v in context.items() if k != "message"})


def _place(error: BaseException) -> tuple[str, str, int]:
    steps = traceback.extract_tb(error.__traceback__)
    last = steps[-1] if steps else None
    return (type(error).__name__, last.filename if last else "", (last.lineno or 0) if last else 0)


def _from_qt(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    log.log(_QT_LEVELS.get(kind, logging.WARNING), "Qt: %s", message)
