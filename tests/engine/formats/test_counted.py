"""Sentences with a count: one thing is not several."""

from __future__ import annotations

import pytest

from engine.formats.counted import counted


@pytest.mark.parametrize(
    ("count", "sentence"), [(0, "0 tasks are here."), (1, "1 task is here."), (1200, "1,200 tasks are here.")]
)
def test_that_one_thing_is_said_in_the_singular(count: int, sentence: str) -> None:
    assert counted(count, "1 task is here.", "{count} tasks are here.") == sentence
