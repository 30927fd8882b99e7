"""Saving: the half of the bridge that writes plans. It never opens one, and never asks.

Unsaved work is kept where a crash cannot reach it, a little after each edit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from engine.errors import ChangedFileError
from engine.session.devices import Devices
from engine.session.document import Document
from engine.session.jobs import Supervisor
from engine.session.state import State
from gui.bridge.changing import Changing
from gui.bridge.filing import Filing, in_worker

# Unsaved work is kept so long after an edit, and no more often than this while edits go on.
AUTOSAVE_MS, AUTOSAVE_APART_MS = 2_000, 10_000


class Saving(Changing):
    """The file of one document.

    `state_changed` carries its State after an edit or a save; `file_changed` the path of a file that a save would have
    lost changes of, and what was to be done after it; `losses_found` the path of a copy in another format, and a
    sentence for each thing it cannot hold; `file_used` the path of a file, of whatever program, that a person opened or
    saved to.
    """

    state_changed = Signal(object)
    file_changed = Signal(str, object)
    losses_found = Signal(str, object)
    file_used = Signal(str)

    def __init__(self, supervisor: Supervisor, devices: Devices, parent: QObject | None = None) -> None:
        super().__init__(supervisor, devices, parent)
        self.filing = Filing(self._spawn, self)
        self.filing.left.connect(self.message)
        self._autosaving = QTimer(self, singleShot=True)
        self._autosaving.timeout.connect(self.autosave)
        self._autosaved = QElapsedTimer()
        self.state_changed.connect(self._autosave_soon)

    def save(self, path: str = "", then: Callable[[], object] | None = None, *, may_overwrite: bool = False) -> None:
        """Write the plan to its file, or to `path`, and do `then` when that is done.

        A file that something else changed is left, and told of, unless the save `may_overwrite` it.
        """
        if (document := self._document) is not None:
            save = partial(self._save, document, path, then, may_overwrite)
            self.making.change(lambda _: self._spawn(save, "save"))

    def autosave(self) -> None:
        """Keep unsaved work where a crash cannot reach it."""
        if self._document is not None:
            self._autosaved.start()
            self._spawn(partial(in_worker, self._document.autosave), "autosave")

    async def _save(
        self, document: Document, path: str, then: Callable[[], object] | None, may_overwrite: bool
    ) -> None:
        saving = document.saving(path, may_overwrite=may_overwrite)
        try:
            losses = await self.filing.write(Path(saving.path).name, saving.write)
        except ChangedFileError:
            self.file_changed.emit(saving.path, then)
            return
        if losses is None:
            return
        document.saved(saving)
        if saving.is_copy:  # the plan itself is as unsaved as before: nothing that was to follow a save may
            self.message.emit(self.tr("Wrote a copy to {path}").format(path=saving.path))
            if losses:
                self.losses_found.emit(saving.path, losses)
            return
        self.message.emit(self.tr("Saved to {path}").format(path=saving.path))
        self.file_used.emit(saving.path)
        if then is not None:
            then()

    def _autosave_soon(self, _: State) -> None:
        """A first edit is kept soon, those that follow it together; a save takes back what was kept."""
        if not self._autosaving.isActive():
            left_ms = AUTOSAVE_APART_MS - self._autosaved.elapsed() if self._autosaved.isValid() else 0
            self._autosaving.start(max(AUTOSAVE_MS, left_ms))
