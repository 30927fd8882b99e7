"""Files that take long are told of and can be given up; what is open stays, and nothing of it is lost unasked."""

import asyncio
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats.progress import tell
from engine.session.document import Document, Saving
from engine.session.edits import RenameTask
from gui.bridge.filing import WAIT_MS
from tests.gui.shell import answer, emitted, opened, show, shown, until

WAIT_S = 20.0


class Gate:
    """Holds a worker: it tells a share, waits until it is let through, and tells once more."""

    def __init__(self, share: float = 0.0) -> None:
        self.share = share
        self.entered, self.let = Event(), Event()
        self.is_ended = False

    def hold(self) -> None:
        """Called in the worker."""
        self.entered.set()
        try:
            tell(self.share)
            assert self.let.wait(WAIT_S)
            tell(self.share)
        finally:
            self.is_ended = True


@pytest.fixture
def slow_load(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Every file takes as long to read as a test wants."""
    gate, load = Gate(0.45), Document.load.__func__

    def slow(_: type[Document], path: str) -> Document:
        document = load(Document, path)
        if "frames" in str(path):
            gate.hold()
        return document

    monkeypatch.setattr(Document, "load", classmethod(slow))
    return gate


async def test_that_a_file_that_is_read_at_once_is_not_told_of(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        told: list[tuple[str, float]] = []
        bridge.filing.told.connect(lambda *what: told.append(what))
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        read = await bridge.filing.read("quick.loom", lambda: 7)
        await asyncio.sleep(2 * WAIT_MS / 1000)
        assert (read, told) == (7, [])


async def test_that_a_file_that_takes_long_is_told_of_with_its_share_until_it_is_there(
    qapp: object, frames: str, slow_load: Gate
) -> None:
    async with opened() as (bridge, _):
        (sentence, share) = await emitted(bridge.filing.told, lambda: bridge.open(frames))
        assert (sentence, share) == ("Opening “frames.loom”…", 0.45)
        slow_load.share = 1.0
        slow_load.let.set()
        told: list[tuple[str, float]] = []
        bridge.filing.told.connect(lambda *what: told.append(what))
        await until(lambda: bridge.state is not None)
        assert told[-1] == ("", -1.0)


async def test_that_the_plan_that_is_open_can_be_edited_meanwhile_and_stays_when_the_other_is_given_up(
    qapp: object, house: str, frames: str, slow_load: Gate
) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        await emitted(bridge.filing.told, lambda: bridge.open(frames))
        bridge.execute(RenameTask(1, "excavate"))
        (sentence, _) = await emitted(bridge.filing.told, bridge.filing.cancel)
        assert sentence == ""
        assert heard.messages[-1] == "“frames.loom” was not opened."
        slow_load.let.set()
        await until(lambda: slow_load.is_ended)
        await asyncio.sleep(0.05)
        assert bridge.state.plan.task(1).name == "excavate"
        assert (bridge.state.path, heard.failures) == (house, [])


async def test_that_work_done_while_a_file_was_read_is_asked_about_before_it_goes(
    qapp: QApplication, house: str, frames: str, slow_load: Gate
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        await emitted(window.bridge.filing.told, lambda: window.bridge.open(frames))
        window.bridge.execute(RenameTask(1, "excavate"))
        await emitted(window.bridge.opened_late, slow_load.let.set)
        assert window.bridge.state.path == house
        answer(window, "Cancel")
        assert window.bridge.state.plan.task(1).name == "excavate"
        await emitted(window.bridge.opened_late, lambda: _again(window.bridge, frames))
        await emitted(window.bridge.document_opened, lambda: answer(window, "Discard"))
        assert window.bridge.state.path == frames


def _again(bridge: object, path: str) -> None:
    bridge.open(path)
    bridge.execute(RenameTask(2, "fill"))


async def test_that_a_save_can_be_given_up_and_leaves_the_file(
    qapp: object, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, write = Gate(), Saving.write

    def slow(saving: Saving) -> tuple[str, ...]:
        gate.hold()
        return write(saving)

    monkeypatch.setattr(Saving, "write", slow)
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        before = Path(house).read_bytes()
        bridge.execute(RenameTask(1, "excavate"))
        (sentence, share) = await emitted(bridge.filing.told, lambda: bridge.save(then=lambda: pytest.fail("saved")))
        assert (sentence, share) == ("Saving “house.loom”…", -1.0)
        bridge.filing.cancel()
        await emitted(bridge.filing.left, gate.let.set)
        assert heard.messages[-1] == "“house.loom” was not written; it is as it was."
        assert Path(house).read_bytes() == before
        assert bridge.state.is_dirty


async def test_that_esc_and_the_button_in_the_status_line_give_it_up(
    qapp: QApplication, house: str, frames: str, slow_load: Gate
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        bar = window.status.work
        assert not bar.isVisible()
        await emitted(window.bridge.filing.told, lambda: window.bridge.open(frames))
        assert (bar.words.text(), bar.bar.value()) == ("Opening “frames.loom”… 45 %", 450)
        assert bar.bar.isVisible()
        QTest.keyClick(window, Qt.Key.Key_Escape)
        await until(lambda: not bar.isVisible())
        await emitted(window.bridge.filing.told, lambda: window.bridge.open(frames))
        QTest.mouseClick(bar.button, Qt.MouseButton.LeftButton)
        await until(lambda: not bar.isVisible())
        slow_load.let.set()
        assert window.bridge.state.path == house
