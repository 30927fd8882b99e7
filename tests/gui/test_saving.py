"""Unsaved work is kept a little after an edit, and a save does what was to follow it."""

from pathlib import Path

import pytest

from engine.session.edits import RenameTask
from gui.bridge import saving
from tests.gui.shell import emitted, opened, until


async def test_that_an_edit_is_kept_soon_and_those_after_it_together(
    qapp: object, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "AUTOSAVE_MS", 20)
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        bridge.execute(RenameTask(1, "half done"))
        await until(lambda: len(list(Path(house).parent.glob(".*.autosave"))) == 1)
        bridge.execute(RenameTask(1, "nearly done"))
        assert bridge._autosaving.remainingTime() > 20
        assert bridge._autosaving.isSingleShot()
