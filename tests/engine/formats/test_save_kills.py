"""A save that is killed ten times; "make stress" does it 200 times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stress.test_save_kills import kill_saves


@pytest.mark.parametrize("seed", [1, 2])
def test_that_a_killed_save_loses_nothing_older_than_the_last_one(seed: int, tmp_path: Path) -> None:
    seen = kill_saves(5, seed, tmp_path)
    assert seen["faults"] == []
    assert sum(seen["fell"].values()) == 5
    assert not [name for name in seen["left"] if name.endswith((".saving", ".autosave"))]
