"""The process that advises: one question, one answer, and nothing of it stays."""

import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.model import Clock, Plan
from engine.process.adviser import answer, ask
from engine.process.messages import AdviceRequest
from engine.program.advice import advise
from engine.program.profile import load_profile
from tests.engine.program.planted import good, pageable

PROFILE = load_profile("h200-like")


def written(mark: Path) -> int:
    """The number that a process writes, and a dot."""
    while not (mark.exists() and (text := mark.read_text(encoding="ascii")).endswith(".")):
        time.sleep(0.01)
    return int(text.removesuffix("."))


def about(plan: object, seconds: float = 60.0) -> AdviceRequest:
    return AdviceRequest(plan, PROFILE.to_json(), "", seconds)


async def test_that_the_process_finds_what_would_be_found_here() -> None:
    found = await ask(about(pageable()))
    assert found == advise(pageable(), PROFILE)
    assert found[0].kind == "memory"


async def test_that_a_good_plan_and_one_that_cannot_run_get_no_advice() -> None:
    assert answer(about(good())).found == ()
    assert answer(about(Plan("House", Clock.CALENDAR))).found == ()
    assert answer(replace(about(pageable()), profile="no profile")).found == ()


async def test_that_there_is_no_more_time_than_asked_for() -> None:
    assert answer(about(pageable(), seconds=0.0)).found == ()


async def test_that_a_question_that_is_given_up_leaves_no_process(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    code = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid()) + '.'); time.sleep(600)"
    asking = asyncio.create_task(ask(about(good()), (sys.executable, "-c", code)))
    pid = await asyncio.to_thread(written, mark)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not Path(f"/proc/{pid}").exists()


async def test_that_a_process_that_was_killed_says_nothing_and_a_mistake_is_told() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    if sys.platform != "win32":
        assert await ask(about(good()), (sys.executable, "-c", code)) == ()
    with pytest.raises(RuntimeError, match="exit code 1"):
        await ask(about(good()), (sys.executable, "-c", "raise SystemExit(1)"))
