"""What a process that answers does for itself."""

from __future__ import annotations

import gc

from engine.process.serving import set_aside


def test_that_what_survives_a_full_collection_is_looked_at_once() -> None:
    before = gc.get_freeze_count()
    gc.callbacks.append(set_aside)
    try:
        gc.collect(1)
        assert gc.get_freeze_count() == before
        gc.collect()
        assert gc.get_freeze_count() > before
    finally:
        gc.callbacks.remove(set_aside)
        gc.unfreeze()
