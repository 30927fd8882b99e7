"""Watching: whether something else changes the file of the open plan. It never reads, writes or loads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from engine.session.document import Document
from engine.session.file_mark import Seen
from engine.session.state import State
from gui.bridge.filing import in_worker
from gui.bridge.inquiry import Begin

# Who writes a file does so in several steps.
SETTLE_MS = 300


class Watching(QObject):
    """`told` carries the path of a file that is another one by now than the open plan knows, once for each change; an
    empty one once that is over. The plan's own saves are none.
    """

    told = Signal(str)

    def __init__(
        self, document: Callable[[], Document | None], spawn: Callable[[Begin, str], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._spawn = document, spawn
        self._watched: Document | None = None
        self._path = ""
        self._other: Seen | None = None
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(lambda: self._spawn(self._look, "look at the file"))
        for changed in (self._watcher.fileChanged, self._watcher.directoryChanged):
            changed.connect(lambda _path: self._look_soon())
        # File systems that tell of nothing: whoever comes back to the window is told then.
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._come_back)

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now, or have another file."""
        path = "" if state is None else state.path
        if path != self._path or self._document() is not self._watched:
            self._watched, self._path = self._document(), path
            self._tell(None)
            if watched := [*self._watcher.files(), *self._watcher.directories()]:
                self._watcher.removePaths(watched)
            if path:
                # Its folder too: many programs put another file in the place of the one they change.
                self._watcher.addPaths([path, str(Path(path).parent)])

    def keep(self) -> None:
        """The plan stays as it is here, unsaved, and may be saved over what is in the file."""
        document, other = self._document(), self._other
        if document is not None and other is not None:
            self._tell(None)
            document.keep_over(other)

    def _come_back(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self._look_soon()

    def _look_soon(self) -> None:
        if self._path and not self._settle.isActive():
            self._settle.start()

    async def _look(self) -> None:
        document = self._document()
        if document is None:
            return
        path = document.state.path
        other, is_there = await in_worker(lambda: (document.mark.another(), Path(path).is_file()))
        if document is self._document() and path == self._path:
            self._tell(other)
            # Another file may have taken its place, while the one before lives on as a backup: watch what is there now.
            self._watcher.removePath(path)
            if is_there:
                self._watcher.addPath(path)

    def _tell(self, other: Seen | None) -> None:
        if other != self._other:
            self._other = other
            self.told.emit("" if other is None else self._path)
