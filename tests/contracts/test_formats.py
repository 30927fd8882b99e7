"""One suite over every format: what goes in comes out, and what is broken is said so in one sentence."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from engine.errors import FormatError
from engine.formats import FORMATS, Format, SavingFormat, find_format, find_format_by_suffix, find_format_to_save, loom
from engine.model import Clock, Plan
from tests.engine.formats.full_plans import full_plans
from tests.engine.model.strategies import office, pipeline, plans

SAVING = [known for known in FORMATS if isinstance(known, SavingFormat)]
FLIPS = 400
# A line or a cell may go missing in the middle of these, and nothing in them tells.
OPEN_ENDED = {".csv"}

# Of formats that are only read: the smallest plan there is.
WRITTEN = {
    ".xer": "\n".join(
        "\t".join(cells)
        for cells in (
            ("ERMHDR", "19.12", "2025-03-03", "Project", "admin"),
            ("%T", "PROJECT"),
            ("%F", "proj_id", "proj_short_name", "plan_start_date"),
            ("%R", "1", "Office", "2025-03-03 08:00"),
            ("%T", "TASK"),
            ("%F", "task_id", "proj_id", "task_type", "task_code", "task_name", "target_drtn_hr_cnt"),
            ("%R", "1", "1", "TT_Task", "A1", "Design", "8"),
            ("%R", "2", "1", "TT_Task", "A2", "Build", "16"),
            ("%E",),
        )
    ),
    ".jsp": "# two jobs on three machines\n2 3\n0 3 1 2 2 2\n0 2 2 1 1 4\n",
    ".fjs": "2 3 1.5\n2 2 1 3 2 4 1 3 2\n1 1 2 5\n",
    ".sm": "\n".join(
        (
            "*" * 20,
            "jobs (incl. supersource/sink ):  3",
            "RESOURCES",
            "  - renewable                 :  2   R",
            "  - nonrenewable              :  0   N",
            "*" * 20,
            "PRECEDENCE RELATIONS:",
            "jobnr.    #modes  #successors   successors",
            "   1        1          1           2",
            "   2        1          1           3",
            "   3        1          0",
            "*" * 20,
            "REQUESTS/DURATIONS:",
            "jobnr. mode duration  R 1  R 2",
            "-" * 20,
            "  1      1     0       0    0",
            "  2      1     8       4    0",
            "  3      1     0       0    0",
            "*" * 20,
            "RESOURCEAVAILABILITIES:",
            "  R 1  R 2",
            "    9    4",
        )
    ),
}
# Formats that keep no names of tasks: what is read from the file above.
NAMED = {".jsp": {"1.1", "2.3"}, ".fjs": {"1.2", "2.1"}, ".sm": {"Job 1", "Job 3"}}

every_format = pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.TITLE)
every_saving_format = pytest.mark.parametrize("known", SAVING, ids=lambda known: known.TITLE)
example_of_every_format = pytest.mark.parametrize(
    "known", [f for f in FORMATS if f in SAVING or f.SUFFIXES[0] in WRITTEN], ids=lambda known: known.TITLE
)


def saved(known: Format, folder: Path, plan: Plan | None = None) -> Path:
    """A file that holds a plan; of a format that is only read, the one above."""
    path = folder / f"plan{known.SUFFIXES[0]}"
    path.unlink(missing_ok=True)
    if isinstance(known, SavingFormat):
        known.save(path, plan or office())
    else:
        path.write_text(WRITTEN[known.SUFFIXES[0]], encoding="cp1252")
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


# What goes in


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(plan=plans())
def test_that_our_own_format_holds_every_plan_as_it_is(plan: Plan, tmp_path: Path) -> None:
    assert loom.load(saved(loom, tmp_path, plan)) == plan


@pytest.mark.parametrize("plan", [office(), pipeline()], ids=["office", "pipeline"])
def test_that_our_own_format_loses_nothing(plan: Plan, tmp_path: Path) -> None:
    assert loom.save(tmp_path / "plan.loom", plan) == ()
    assert loom.load(tmp_path / "plan.loom") == plan


@every_saving_format
def test_that_tasks_keep_their_names_and_what_is_lost_is_said(known: SavingFormat, tmp_path: Path) -> None:
    plan = office()
    sentences = known.save(tmp_path / f"plan{known.SUFFIXES[0]}", plan)
    back = known.load(tmp_path / f"plan{known.SUFFIXES[0]}")
    names = [task.name for task in back.tasks if not back.is_summary(task.id)]
    assert names == [task.name for task in plan.tasks if not plan.is_summary(task.id)]
    for held, name in ((back.children, "children"), (back.dependencies, "dependencies")):
        assert len(held) == len(getattr(plan, name)) or sentences
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


@every_saving_format
def test_that_a_second_round_changes_nothing(known: SavingFormat, tmp_path: Path) -> None:
    path = saved(known, tmp_path)
    once = known.load(path)
    known.save(path, once)
    first = path.read_bytes()
    assert known.load(path) == once
    known.save(path, known.load(path))
    assert path.read_bytes() == first


@every_saving_format
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=full_plans())
def test_that_any_plan_is_written_or_refused_in_one_sentence(known: SavingFormat, plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / f"plan{known.SUFFIXES[0]}"
    path.unlink(missing_ok=True)
    error = None
    try:
        known.save(path, plan)
    except FormatError as caught:
        error = caught
    assert path.exists() == (error is None)
    if error is None:
        loads_or_says_why(known, path)
    else:
        assert str(path) in error.sentence
        assert "\n" not in error.sentence


@every_saving_format
def test_that_a_plan_of_a_device_is_held_whole_or_refused(known: SavingFormat, tmp_path: Path) -> None:
    path = tmp_path / f"plan{known.SUFFIXES[0]}"
    if known is loom:
        known.save(path, pipeline())
        assert known.load(path).clock is Clock.DEVICE
        return
    with pytest.raises(FormatError, match="was not written"):
        known.save(path, pipeline())
    assert list(tmp_path.iterdir()) == []


@example_of_every_format
def test_that_loading_changes_nothing_in_the_folder(known: Format, tmp_path: Path) -> None:
    plan = loads_or_says_why(known, saved(known, tmp_path))
    assert plan
    expected = NAMED.get(known.SUFFIXES[0], {"Design", "Build"})
    assert expected <= {task.name for task in plan.tasks}


# What is broken


@example_of_every_format
def test_that_a_file_cut_off_anywhere_is_refused_or_whole(known: Format, tmp_path: Path) -> None:
    path = saved(known, tmp_path)
    whole = path.read_bytes()
    step = max(1, len(whole) // 120)
    for size in (*range(0, 120, 7), *range(120, len(whole), step), len(whole) - 1):
        path.write_bytes(whole[:size])
        plan = loads_or_says_why(known, path)
        is_whole = not whole[size:].strip() or known.SUFFIXES[0] in OPEN_ENDED
        assert plan is None or is_whole, f"{size} of {len(whole)} bytes made a plan"


def damaged(whole: bytes, seed: int) -> Iterator[bytes]:
    """Copies with one to eight bytes changed; headers, where formats keep their structure, more often than the rest."""
    numbers = random.Random(seed)
    for _ in range(FLIPS):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 8)):
            at = numbers.randrange(min(len(data), numbers.choice((120, 4096, len(data)))))
            data[at] = numbers.randrange(256)
        yield bytes(data)


@example_of_every_format
@pytest.mark.parametrize("seed", [1, 2])
def test_that_changed_bytes_are_refused_or_make_a_valid_plan(known: Format, seed: int, tmp_path: Path) -> None:
    path = saved(known, tmp_path)
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


@example_of_every_format
def test_that_a_format_is_found_by_content_whatever_the_name(known: Format, tmp_path: Path) -> None:
    path = saved(known, tmp_path).rename(tmp_path / "holiday.jpg")
    assert find_format(path) is known


@every_format
def test_that_a_format_is_found_by_suffix_where_the_content_says_nothing(known: Format, tmp_path: Path) -> None:
    path = tmp_path / f"PLAN{known.SUFFIXES[0].upper()}"
    path.write_bytes(b"")
    assert find_format(path) is known
    assert find_format_by_suffix("not/there/yet" + known.SUFFIXES[0]) is known


@every_format
def test_that_a_format_that_is_only_read_is_not_offered_for_writing(known: Format, tmp_path: Path) -> None:
    path = tmp_path / f"plan{known.SUFFIXES[0]}"
    if known in SAVING:
        assert find_format_to_save(path) is known
        return
    with pytest.raises(FormatError, match=r"is of no kind that Warploom writes: choose one of \.loom"):
        find_format_to_save(path)


def test_that_an_unknown_file_is_answered_with_the_suffixes_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "letter.docx"
    path.write_text("hello", encoding="utf-8")
    with pytest.raises(FormatError, match=r"letter\.docx is of no kind that Warploom reads: choose one of \.loom"):
        find_format(path)
    with pytest.raises(FormatError, match="There is no file"):
        find_format(tmp_path / "missing.docx")
