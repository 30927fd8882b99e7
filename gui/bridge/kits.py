"""Kits: which folders' code a person lets run, and the kits of the open plan. It never runs that code itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from engine.session.device_edits import TakeKit
from engine.session.document import Document
from engine.session.kits import taking

_TRUSTED = "kits/trusted"

Spawn = Callable[[Callable[[], Awaitable[object]], str], object]


class Kits(QObject):
    """`changed` says that other folders are trusted than before."""

    changed = Signal()

    def __init__(
        self,
        document: Callable[[], Document | None],
        execute: Callable[[TakeKit], object],
        spawn: Spawn,
        in_worker: Callable[[Callable[[], TakeKit]], Awaitable[TakeKit]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._execute = execute
        self._spawn = spawn
        self._in_worker = in_worker

    @property
    def trusted(self) -> tuple[str, ...]:
        """The folders whose code may run."""
        found = QSettings().value(_TRUSTED)
        return (found,) if isinstance(found, str) else tuple(map(str, found)) if isinstance(found, list) else ()

    def trusts(self, folder: str) -> bool:
        """Whether the code in a folder may run."""
        return bool(folder) and str(Path(folder).resolve()) in self.trusted

    def trust(self, folders: Iterable[str]) -> None:
        """Let the code in these folders run from now on."""
        added = (str(Path(folder).resolve()) for folder in folders)
        self._keep(tuple(dict.fromkeys((*self.trusted, *added))))

    def distrust(self, folder: str) -> None:
        """Let the code in a folder run no more."""
        gone = str(Path(folder).resolve())
        self._keep(tuple(each for each in self.trusted if each != gone))

    def folder_of(self, kit: str) -> str:
        """Where a kit of the open plan lies; empty while the plan has no file."""
        document = self._document()
        return str(Path(document.folder) / kit) if document is not None and document.folder else ""

    def take(self, chosen: str) -> None:
        """Take in the kit of a folder, or its kit.toml: its kernels can be named by operations then."""
        document = self._document()
        if document is not None:
            self._spawn(partial(self._take, document.folder, chosen), "take in a kit")

    def read_again(self, kit: str) -> None:
        """Take in what a kit that the plan knows declares now."""
        self.take(self.folder_of(kit))

    def forget(self, kit: str) -> None:
        """Have the plan know a kit no more."""
        self._execute(TakeKit(kit, ()))

    async def _take(self, folder: str, chosen: str) -> None:
        self._execute(await self._in_worker(partial(taking, folder, chosen)))

    def _keep(self, folders: tuple[str, ...]) -> None:
        QSettings().setValue(_TRUSTED, list(folders))
        self.changed.emit()
