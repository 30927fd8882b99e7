"""One suite over every format: what goes in comes out, and what is broken is said so in one sentence."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from engine.errors import FormatError
from engine.formats import FORMATS, Format, find_format, find_format_by_suffix
from engine.model import Plan
from tests.engine.model.strategies import office, pipeline, plans

PLANS = {"office": office, "pipeline": pipeline}
FLIPS = 400

every_format = pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.TITLE)
every_plan = pytest.mark.parametrize("plan", [build() for build in PLANS.values()], ids=list(PLANS))


def saved(known: Format, folder: Path, plan: Plan) -> Path:
    path = folder / f"plan{known.SUFFIXES[0]}"
    path.unlink(missing_ok=True)
    known.save(path, plan)
    return path


def digests(folder: Path) -> dict[str, str]:
    return {found.name: hashlib.sha256(found.read_bytes()).hexdigest() for found in folder.iterdir()}


def loads_or_says_why(known: Format, path: Path) -> Plan | None:
    """The plan, checked again, or None after one sentence that names the file; nothing else, and no trace."""
    before = digests(path.parent)
    try:
        plan, error = known.load(path).check(), None
    except FormatError as caught:
        plan, error = None, caught
    assert digests(path.parent) == before
    assert error is None or (error.path == str(path) and str(path) in error.sentence and "\n" not in error.sentence)
    return plan


@every_format
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(plan=plans())
def test_that_a_saved_plan_is_loaded_as_it_was(known: Format, plan: Plan, tmp_path: Path) -> None:
    assert known.load(saved(known, tmp_path, plan)) == plan


@every_format
@every_plan
def test_that_saving_what_was_loaded_writes_the_same_bytes(known: Format, plan: Plan, tmp_path: Path) -> None:
    path = saved(known, tmp_path, plan)
    first = path.read_bytes()
    known.save(path, known.load(path))
    assert path.read_bytes() == first


@every_format
@every_plan
def test_that_loading_changes_nothing_in_the_folder(known: Format, plan: Plan, tmp_path: Path) -> None:
    assert loads_or_says_why(known, saved(known, tmp_path, plan)) == plan


@every_format
@every_plan
def test_that_a_file_cut_off_anywhere_is_refused_or_whole(known: Format, plan: Plan, tmp_path: Path) -> None:
    path = saved(known, tmp_path, plan)
    whole = path.read_bytes()
    for size in (*range(120), *range(120, len(whole), 509), len(whole) - 1):
        path.write_bytes(whole[:size])
        assert loads_or_says_why(known, path) is None, f"{size} of {len(whole)} bytes made a plan"


def damaged(whole: bytes, seed: int) -> Iterator[bytes]:
    """Copies with one to eight bytes changed; headers, where formats keep their structure, more often than the rest."""
    numbers = random.Random(seed)
    for _ in range(FLIPS):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 8)):
            at = numbers.randrange(min(len(data), numbers.choice((120, 4096, len(data)))))
            data[at] = numbers.randrange(256)
        yield bytes(data)


@every_format
@every_plan
@pytest.mark.parametrize("seed", [1, 2])
def test_that_changed_bytes_are_refused_or_make_a_valid_plan(
    known: Format, plan: Plan, seed: int, tmp_path: Path
) -> None:
    path = saved(known, tmp_path, plan)
    outcomes = set()
    for data in damaged(path.read_bytes(), seed):
        path.write_bytes(data)
        outcomes.add(loads_or_says_why(known, path) is None)
    assert True in outcomes, "no change was noticed"


JUNK = {
    "empty": b"",
    "text": b"Dear planner,\nthis is a letter.\n",
    "zip": b"PK\x03\x04" + bytes(200),
    "zeros": bytes(8192),
    "another database": b"SQLite format 3\x00" + bytes(84),
    "noise": random.Random(3).randbytes(5000),
}


@every_format
@pytest.mark.parametrize("name", JUNK)
def test_that_a_file_that_is_no_plan_is_refused(known: Format, name: str, tmp_path: Path) -> None:
    path = tmp_path / f"junk{known.SUFFIXES[0]}"
    path.write_bytes(JUNK[name])
    assert loads_or_says_why(known, path) is None


@every_format
def test_that_a_missing_file_and_a_folder_are_refused(known: Format, tmp_path: Path) -> None:
    (tmp_path / "folder.loom").mkdir()
    with pytest.raises(FormatError, match="There is no file"):
        known.load(tmp_path / f"missing{known.SUFFIXES[0]}")
    with pytest.raises(FormatError, match="is a folder"):
        known.load(tmp_path / "folder.loom")


@every_format
def test_that_a_format_is_found_by_content_whatever_the_name(known: Format, tmp_path: Path) -> None:
    path = saved(known, tmp_path, office()).rename(tmp_path / "holiday.jpg")
    assert find_format(path) is known


@every_format
def test_that_a_format_is_found_by_suffix_where_the_content_says_nothing(known: Format, tmp_path: Path) -> None:
    path = tmp_path / f"PLAN{known.SUFFIXES[0].upper()}"
    path.write_bytes(b"")
    assert find_format(path) is known
    assert find_format_by_suffix("not/there/yet" + known.SUFFIXES[0]) is known


def test_that_an_unknown_file_is_answered_with_the_suffixes_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "letter.docx"
    path.write_text("hello", encoding="utf-8")
    with pytest.raises(FormatError, match=r"letter\.docx is of no kind that Warploom knows; it reads \.loom"):
        find_format(path)
    with pytest.raises(FormatError, match="There is no file"):
        find_format(tmp_path / "missing.docx")
