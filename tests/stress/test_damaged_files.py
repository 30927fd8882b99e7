"""Thousands of damaged copies of plans that planners and programs wrote, each over within five seconds."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.contracts.test_formats import saved
from tests.engine.formats.mutations import mutate
from tests.engine.formats.tables import rich
from tests.engine.formats.test_mutations import EXAMPLES, read_as_a_person_would

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "plans"
SUFFIXES = {".xml", ".gan", ".xer", ".csv", ".ics"}
MOST_BYTES = 200_000
MOST_S = 5
ROUNDS = 20
COPIES = 250


def originals(folder: Path) -> list[tuple[str, bytes]]:
    """Suffix and content of every plan there is, ours among them."""
    found = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
    paths = [path for path in found if 0 < path.stat().st_size <= MOST_BYTES]
    paths += [saved(known, folder, None if known.SUFFIXES[0] == ".loom" else rich()) for known in EXAMPLES]
    return [(path.suffix, path.read_bytes()) for path in paths]


@contextmanager
def over_in(seconds: float) -> Iterator[None]:
    """What is not over by then is interrupted. Processor time: other programs may be at work too."""

    def refuse(*_: object) -> None:
        raise TimeoutError(f"not over after {seconds} s")

    before = signal.signal(signal.SIGVTALRM, refuse)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts")
@pytest.mark.parametrize("number", range(ROUNDS))
def test_that_damaged_files_are_refused_or_make_a_plan(number: int, tmp_path: Path) -> None:
    known = originals(tmp_path)
    for seed in range(number * COPIES, (number + 1) * COPIES):
        numbers = random.Random(seed)
        suffix, whole = numbers.choice(known)
        path = tmp_path / f"damaged{suffix}"
        path.write_bytes(mutate(whole, numbers))
        with over_in(MOST_S):
            read_as_a_person_would(path)
