"""What is compiled is loaded behind the window: what dates plans as soon as it is there, before all else is."""

import asyncio
import sys
import time
from pathlib import Path

import pytest

import app
from tests.conftest import HAS_QT

pytestmark = pytest.mark.skipif(not HAS_QT, reason="needs PySide6")


class _Pin:
    """A pin of the collector that counts."""

    def __init__(self) -> None:
        self.settled = 0

    def settle(self) -> None:
        self.settled += 1


def _instead(monkeypatch: pytest.MonkeyPatch, code: str) -> list[float]:
    """Has the child run some code instead; when plans were dated by what is compiled."""
    loaded: list[float] = []
    monkeypatch.setattr("engine.process.connection.own_command", lambda *_: (sys.executable, "-c", code))
    monkeypatch.setattr("engine.schedule.cpm.use_compiled", lambda: loaded.append(time.monotonic()))
    return loaded


def test_that_plans_are_dated_by_what_is_compiled_before_the_rest_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ended = tmp_path / "ended"
    loaded = _instead(monkeypatch, f"import time; print(flush=True); time.sleep(60); open({str(ended)!r}, 'w')")

    async def until_loaded() -> None:
        warming = asyncio.ensure_future(app.warm_up(_Pin()))  # type: ignore[arg-type]
        while not loaded:
            assert not warming.done()
            await asyncio.sleep(0.01)
        warming.cancel()
        await asyncio.wait([warming])

    asyncio.run(asyncio.wait_for(until_loaded(), 60))
    assert not ended.exists()


@pytest.mark.parametrize("code", ["raise SystemExit(1)", "pass"])
def test_that_nothing_is_loaded_that_was_not_compiled(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    loaded, pin = _instead(monkeypatch, code), _Pin()
    asyncio.run(asyncio.wait_for(app.warm_up(pin), 60))  # type: ignore[arg-type]
    assert (loaded, pin.settled) == ([], 2)


def test_that_the_child_says_when_plans_can_be_dated(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    monkeypatch.setattr("os.nice", lambda _: 0, raising=False)
    monkeypatch.setattr("engine.schedule.cpm.use_compiled", lambda: said.append("dating"))
    monkeypatch.setattr("engine.kernels.KERNELS", ())
    monkeypatch.setattr(app, "warm_optimizer", lambda: said.append(repr(capfd.readouterr().out)))
    monkeypatch.setattr(app, "warm_risk", lambda: said.append("risk"))
    assert app.warm_kernels() == app.DONE
    assert said == ["dating", repr("\n"), "risk"]
