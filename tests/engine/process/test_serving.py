"""What a process that answers does for itself."""

from __future__ import annotations

import gc
import threading

from engine.process.serving import set_aside_after


def test_that_what_is_loaded_is_kept_from_collections_once_it_is() -> None:
    loaded, before = threading.Event(), gc.get_freeze_count()
    waiting = threading.Thread(target=set_aside_after, args=(loaded,), daemon=True)
    waiting.start()
    assert gc.get_freeze_count() == before
    loaded.set()
    waiting.join(60)
    try:
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
