"""Plans dated by what use_compiled() has loaded, and by nothing that is compiled later."""

from __future__ import annotations

from typing import NoReturn

import pytest

from engine.schedule import cpm


def date_by_compiled_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dates come from compiled passes; to compile another one, which would hold a window up for seconds, fails."""
    monkeypatch.setattr(cpm, "_engines", cpm._engines[:1])
    cpm.use_compiled()
    monkeypatch.setattr("numba.core.dispatcher.Dispatcher.compile", _refuse)


def _refuse(dispatcher: object, types: object) -> NoReturn:
    pytest.fail(f"{dispatcher} is compiled for {types} only now")
