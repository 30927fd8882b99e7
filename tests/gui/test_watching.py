"""A file that something else changes is told of when that happens, once, and loading it loses nothing."""

import asyncio
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.session.document import Document
from engine.session.edits import RenameTask
from engine.session.reloading import UNSAVED
from gui.bridge.watching import SETTLE_MS
from tests.gui.shell import emitted, opened, show, shown, three_days, until


def change(path: str, name: str) -> None:
    """Have something else put another file in the place of this one, as most programs do."""
    other = Document.load(path)
    other.execute(RenameTask(1, name))
    other.save()


async def quiet() -> None:
    """Time enough for whatever there is to be told."""
    await asyncio.sleep(3 * SETTLE_MS / 1000)


async def test_that_a_file_that_is_replaced_is_told_of_once_and_again_when_it_changes_again(
    qapp: object, house: str
) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        told: list[str] = []
        bridge.watching.told.connect(told.append)
        await emitted(bridge.watching.told, lambda: change(house, "theirs"))
        os.utime(Path(house).parent)
        (Path(house).parent / "beside.txt").write_text("not the plan", encoding="utf-8")
        await quiet()
        assert told == [house]
        bridge.watching.keep()
        await emitted(bridge.watching.told, lambda: change(house, "theirs again"))
        assert told == [house, "", house]


async def test_that_a_file_that_is_written_in_place_is_told_of(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        data = Path(house).read_bytes()
        assert await emitted(bridge.watching.told, lambda: Path(house).write_bytes(data)) == (house,)


async def test_that_own_saves_are_not_told_of_and_the_file_of_another_plan_no_longer_is(
    qapp: object, house: str, tmp_path: Path
) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        told: list[str] = []
        bridge.watching.told.connect(told.append)
        bridge.execute(RenameTask(1, "mine"))
        bridge.save()
        await until(lambda: not bridge.state.is_dirty)
        await quiet()
        loom.save(tmp_path / "other.loom", three_days())
        await quiet()
        await emitted(bridge.document_opened, lambda: bridge.open(str(tmp_path / "other.loom")))
        change(house, "theirs")
        await quiet()
        assert (told, heard.failures) == ([], [])


async def test_that_a_file_is_watched_on_after_an_own_save_put_another_in_its_place(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        bridge.execute(RenameTask(1, "mine"))
        bridge.save()
        await until(lambda: not bridge.state.is_dirty)
        await quiet()
        data = Path(house).read_bytes()
        assert await emitted(bridge.watching.told, lambda: Path(house).write_bytes(data)) == (house,)


@pytest.mark.parametrize("is_edited", [False, True])
async def test_that_loading_it_shows_what_the_file_holds_and_keeps_unsaved_work_as_a_branch(
    qapp: QApplication, house: str, is_edited: bool
) -> None:
    async with shown(qapp) as (window, heard):
        bridge, bar = window.bridge, window.status.changed
        await show(window, house)
        assert not bar.isVisible()
        if is_edited:
            bridge.execute(RenameTask(2, "mine"))
        await emitted(bridge.watching.told, lambda: change(house, "theirs"))
        assert bar.isVisible()
        assert bar.words.text() == "“house.loom” was changed by something else."
        await emitted(bridge.document_opened, lambda: QTest.mouseClick(bar.load, Qt.MouseButton.LeftButton))
        assert not bar.isVisible()
        assert [bridge.state.plan.task(task).name for task in (1, 2)] == ["theirs", "pour"]
        others = [(each.name, each.plan.task(2).name) for each in bridge.state.scenarios.branches[1:]]
        assert others == ([(UNSAVED, "mine")] if is_edited else [])
        assert (UNSAVED in heard.messages[-1]) is is_edited
        assert bridge.state.is_dirty is is_edited


async def test_that_keeping_mine_saves_over_the_other_without_another_question(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, heard):
        bridge, bar = window.bridge, window.status.changed
        await show(window, house)
        await emitted(bridge.watching.told, lambda: change(house, "theirs"))
        QTest.mouseClick(bar.keep, Qt.MouseButton.LeftButton)
        assert not bar.isVisible()
        assert bridge.state.is_dirty
        bridge.file_changed.connect(lambda *_: pytest.fail("asked twice"))
        bridge.save()
        await until(lambda: not bridge.state.is_dirty)
        assert loom.load(house).task(1).name == "dig"
        assert loom.load(f"{house}~1").task(1).name == "theirs"
        assert heard.failures == []


async def test_that_a_change_that_is_taken_back_or_saved_over_is_no_longer_told(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        await emitted(bridge.watching.told, lambda: change(house, "theirs"))
        assert await emitted(bridge.watching.told, lambda: bridge.save(may_overwrite=True)) == ("",)


async def test_that_the_sentence_is_read_whole_in_a_narrow_window(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        window.resize(800, 500)
        await show(window, house)
        words = window.status.changed.words
        await emitted(window.bridge.watching.told, lambda: change(house, "theirs"))
        await until(lambda: words.width() >= words.sizeHint().width())
