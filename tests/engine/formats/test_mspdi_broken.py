"""Broken, hostile and changed MSPDI files: one sentence with the file and the line, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import mspdi
from tests.engine.formats.mspdi_files import (
    SPACE,
    assignment,
    figure,
    link,
    load,
    project,
    resource,
    staff,
    standard,
    task,
    written,
)
from tests.engine.model.strategies import office

CHANGES = 150


def refused(folder: Path, text: str) -> FormatError:
    """What is said of a file with this text: always one sentence that names it."""
    path = written(folder, text)
    with pytest.raises(FormatError) as caught:
        mspdi.load(path)
    assert str(path) in caught.value.sentence
    assert caught.value.path == str(path)
    assert "\n" not in caught.value.sentence
    return caught.value


@pytest.mark.parametrize(
    ("rows", "note", "kept"),
    [
        (task(2, link(9)), "Line 3: Task “T2” waits for task 9, which is not in the file. The link is left out.", []),
        (task(2, link(2)), "Line 3: Task “T2” waits for itself. The link is left out.", []),
        (
            task(2, link(1) + link(1, lag=5)),
            "Line 3: Task “T2” is linked with “T1” twice as FS. The link is left out.",
            [(1, 2)],
        ),
        (
            task(2, link(1) + link(77), level=2),
            "Line 3: Task “T2” is linked with “T1”, and one lies inside the other. The link is left out.",
            [],
        ),
        (task(2, link(9) + link(1)), "Line 3: Task “T2” waits for task 9, which", [(1, 2)]),
    ],
)
def test_that_a_link_that_cannot_be_is_left_out_and_named_and_all_else_is_read(
    tmp_path: Path, rows: str, note: str, kept: list[tuple[int, int]]
) -> None:
    plan = load(tmp_path, project(task(1, level=1) + rows))
    assert [(each.predecessor, each.successor) for each in plan.dependencies] == kept
    said = [text for name, text in plan.fields if name == "note"]
    assert said[0].startswith(note)
    mspdi.save(tmp_path / "back.xml", plan)
    assert mspdi.load(tmp_path / "back.xml").dependencies == plan.dependencies


def test_that_very_many_links_that_cannot_be_are_counted(tmp_path: Path) -> None:
    plan = load(tmp_path, project(task(1) + task(2, "".join(link(uid) for uid in range(100, 190)))))
    said = [text for name, text in plan.fields if name == "note"]
    assert len(said) == 51
    assert said[-1] == "And 40 more links are left out."


@pytest.mark.parametrize(
    ("rows", "sentence", "line"),
    [
        (task(1) + task(1, name="B"), "Two tasks have the UID 1, “T1” and “B”", 3),
        (task(1) + task(2, link(1, 7)), "Type is “7”, which is no kind of link", 3),
        (task(1) + "<Task><Name>B</Name></Task>", "Task “B” has no UID", 3),
        (task(1, "<Priority>1001</Priority>"), "has the priority 1001", 2),
        (task(1, "<PercentComplete>130</PercentComplete>"), "is 130 % done", 2),
        (task(1, "<ConstraintType>8</ConstraintType>"), "ConstraintType is “8”", 2),
        (task(1, "<Deadline>soon</Deadline>"), "Deadline is “soon”, which is no date", 2),
        (task(1, "<Deadline>2025-02-30T08:00:00</Deadline>"), "which is no date", 2),
        (task(1, "<Milestone>maybe</Milestone>"), "Milestone is “maybe”, which is no yes or no", 2),
        ("<Task><UID>x</UID></Task>", "UID is “x”, which is no number", 2),
        ("<Task><UID>1e300</UID></Task>", "UID is “1e300”, which is no number that a plan can hold", 2),
        ("<Task><UID>1</UID><Duration>8 hours</Duration></Task>", "Duration is “8 hours”", 2),
        ("<Task><UID>1</UID><Duration>-PT8H</Duration></Task>", "negative duration", 2),
        (f"<Task><UID>1</UID><Duration>PT{'9' * 12}H</Duration></Task>", "no plan can hold", 2),
    ],
)
def test_that_tasks_and_links_that_cannot_be_are_said_so(rows: str, sentence: str, line: int, tmp_path: Path) -> None:
    error = refused(tmp_path, project(rows))
    assert sentence in error.sentence
    assert not line or error.line == line


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        (staff(resource(1) + resource(1)), "Two resources have the UID 1"),
        (staff("<Resource><Name>R</Name></Resource>"), "Resource “R” has no UID"),
        (staff(resource(1), assignment(1, 9, 1)), "An assignment is to a task that is not in the file"),
        (staff(resource(1), assignment(1, 1, 9)), "An assignment is of resource 9, which is not in the file"),
        (staff(resource(1), assignment(1, 1, 1) + assignment(2, 1, 1)), "assigned to “R1” twice"),
    ],
)
def test_that_resources_and_assignments_that_cannot_be_are_said_so(rest: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in refused(tmp_path, project(task(1), rest=rest)).sentence


def test_that_a_day_of_no_minutes_is_said_so(tmp_path: Path) -> None:
    assert "MinutesPerDay is “0”" in refused(tmp_path, project(head="<MinutesPerDay>0</MinutesPerDay>")).sentence


def test_that_a_cycle_is_no_business_of_reading(tmp_path: Path) -> None:
    plan = load(tmp_path, project(task(1, link(2)) + task(2, link(1))))
    assert len(plan.dependencies) == 2


def test_that_entities_are_refused_and_no_other_file_is_read(tmp_path: Path) -> None:
    secret = written(tmp_path, "secret", "secret.txt")
    for declared in (f'SYSTEM "{secret.as_uri()}"', '"ha"'):
        text = f'<!DOCTYPE Project [<!ENTITY x {declared}>]><Project xmlns="{SPACE}"><Name>&x;</Name></Project>'
        assert "declares a document type" in refused(tmp_path, text).sentence


def test_that_names_with_line_ends_are_said_on_one_line(tmp_path: Path) -> None:
    assert "“a b”" in refused(tmp_path, project(task(1, "<Priority>1001</Priority>", name="a\nb"))).sentence
    assert ("note", "Line 3: Task “a b” waits for itself. The link is left out.") in load(
        tmp_path, project(task(1, link(1), name="a\nb"))
    ).fields


def test_that_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    mspdi.save(tmp_path / "small.xml", office())
    whole = (tmp_path / "small.xml").read_text(encoding="utf-8")
    for size in (*range(0, len(whole), 97), len(whole) - 1):
        refused(tmp_path, whole[:size])


def said_of(path: Path) -> str | None:
    """Why a file is refused, or None for a valid plan; anything else would be raised."""
    try:
        mspdi.load(path).check()
    except FormatError as error:
        return error.sentence
    return None


@pytest.mark.parametrize("seed", [1, 2])
def test_that_changed_bytes_are_refused_or_make_a_valid_plan(seed: int, tmp_path: Path) -> None:
    rows = task(1) + task(2, link(1)) + task(3, "<Manual>1</Manual><LevelingDelay>10</LevelingDelay>", level=2)
    rest = staff(resource(1), assignment(1, 2, 1, "<Units>1</Units>" + figure(1, "2025-03-03T08:00:00", "2025-03-05")))
    whole = project(rows, standard() + standard().replace("<UID>1", "<UID>2"), rest=rest).encode()
    path = tmp_path / "changed.xml"
    numbers = random.Random(seed)
    outcomes = set()
    for _ in range(CHANGES):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 3)):
            data[numbers.randrange(len(data))] = numbers.choice(b"0123456789-<>/ABtz\x00\xff")
        path.write_bytes(data)
        outcomes.add(said_of(path))
    assert None in outcomes
    assert len(outcomes) > 5
