"""The native format: what a file holds, what is refused and how, and what saving keeps."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from engine.errors import FormatError
from engine.formats import loom
from engine.formats.loom.shop import TABLES as SHOP_TABLES
from engine.formats.replacing import is_alive, process_mark
from engine.model import (
    Alternative,
    Assignment,
    Calendar,
    CalendarException,
    Changeover,
    Plan,
    PlanSettings,
    Recurrence,
    RecurrenceKind,
    Resource,
    ResourceKind,
    Shift,
    Task,
)
from engine.trace.recorded_run import RecordedRun
from engine.trace.timeline import NOT_KNOWN
from engine.trace.waits import Waits
from tests.engine.formats.full_plans import full_plans
from tests.engine.model.strategies import HOUR, office, pipeline


def a_run(number: int = 1) -> RecordedRun:
    parts = np.array(
        [[1, 0, 0, 1, 0, 0, 0, 900, 0], [2, 0, 0, 2, 0, 1, 900, 3000, 200], [2, 0, 1, 2, 0, 1, 3100, 6000, NOT_KNOWN]]
    )
    return RecordedRun(
        number,
        "cpu",
        "failed",
        device_name="two cores",
        stamps="wall",
        error="“out” failed: it is a test.",
        failed_task=3,
        bound_ns=7000,
        is_verified=False,
        streams=("stream 1", "stream 2"),
        names=((1, "in"), (2, "blur"), (3, "out")),
        waits=Waits(((1, 2, 0), (2, 3, 0), (3, 1, 1)), ((1, 1), (2, 4), (3, 1)), (("copy_in", 2), ("compute", 8))),
        parts=parts.astype(np.int64),
        predicted=parts[:1].astype(np.int64),
        pauses=((3000, 3100),),
    )


def saved(tmp_path: Path, plan: Plan | None = None, *runs: RecordedRun) -> Path:
    path = tmp_path / "plan.loom"
    loom.save(path, plan or office(), runs)
    return path


def rewrite(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def names(folder: Path) -> set[str]:
    return {found.name for found in folder.iterdir()}


# What a file holds


def test_that_runs_come_back_with_their_timelines(tmp_path: Path) -> None:
    runs = (a_run(4), replace(a_run(5), outcome="finished", error="", failed_task=0, bound_ns=None, is_verified=None))
    found = loom.load_file(saved(tmp_path, pipeline(), *runs)).runs
    for before, after in zip(runs, found, strict=True):
        for field in fields(RecordedRun):
            was, now = getattr(before, field.name), getattr(after, field.name)
            if isinstance(was, Waits):
                was, now = ((waits.links, waits.lanes, waits.engines) for waits in (was, now))
            assert np.array_equal(was, now) if isinstance(was, np.ndarray) else was == now, field.name
    assert [span.name for span in found[0].timeline().spans()] == ["in", "blur"]
    assert found[0].predicted_timeline().count == 1


def test_that_a_person_can_read_a_file_with_sqlite(tmp_path: Path) -> None:
    plan = office().with_task(replace(office().task(5), constraint_at=office().start))
    plan = plan.with_task(replace(plan.task(5), constraint=type(plan.task(5).constraint)("snet")))
    with closing(sqlite3.connect(saved(tmp_path, plan))) as db:
        assert db.execute("SELECT name, summary, duration, pin FROM task_readable").fetchall()[1:] == [
            ("Design", "Phase", "8.0 h", ""),
            ("Build", "Phase", "16.0 h", ""),
            ("Done", None, "0.0 h", ""),
            ("Paint", None, "4.0 h", "2025-03-03 08:00:00"),
        ]
        links = db.execute("SELECT predecessor, kind, successor FROM dependency_readable").fetchall()
        assert links == [("Design", "FS", "Build"), ("Build", "FS", "Done")]
        assert ("format", "Warploom plan") in db.execute("SELECT name, value FROM about").fetchall()


def test_that_a_file_a_person_changed_with_sqlite_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewrite(path, "UPDATE task SET name = 'Sketch' WHERE id = 2", "CREATE TABLE notes (text)", "ANALYZE")
    assert loom.load(path).task(2).name == "Sketch"


def test_that_hours_and_recurring_days_off_are_read_as_text(tmp_path: Path) -> None:
    fridays = Recurrence(RecurrenceKind.WEEKLY, 2, (4,))
    off = CalendarException(20_150, 20_514, name="Fridays", recurrence=fridays)
    plan = replace(office(), calendar=replace(Calendar.standard(), exceptions=(off,)))
    with closing(sqlite3.connect(saved(tmp_path, plan))) as db:
        assert db.execute("SELECT hours FROM calendar_day WHERE weekday IN (0, 6)").fetchall() == [
            ("08:00-12:00,13:00-17:00",),
            ("",),
        ]
        rows = db.execute("SELECT * FROM exception_readable").fetchall()
        assert rows == [("Standard", "Fridays", "2025-03-03", "2026-03-02", "", "weekly")]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(plan=full_plans())
def test_that_every_field_of_a_plan_comes_back(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "plan.loom"
    loom.save(path, plan, backups=0, may_lose_tasks=True)
    assert loom.load(path) == plan


def test_that_no_field_of_the_model_was_forgotten_by_the_random_plans() -> None:
    found: dict[str, set[object]] = {}

    def note(value: object) -> None:
        if isinstance(value, tuple):
            for each in value:
                note(each)
        elif is_dataclass(value):
            for field in fields(value):
                kept = getattr(value, field.name)
                found.setdefault(f"{type(value).__name__}.{field.name}", set()).add(kept)
                note(kept)

    @settings(max_examples=130, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(plan=full_plans())
    def collect(plan: Plan) -> None:
        note(plan)

    collect()
    assert [name for name, values in found.items() if len(values) < 2] == []


# Shop floors


def test_that_a_plan_without_a_shop_floor_has_no_tables_of_one(tmp_path: Path) -> None:
    path = saved(tmp_path, office())
    machine = Resource(1, "Saw", ResourceKind.MACHINE)
    plan = replace(office(), resources=(machine,), alternatives=(Alternative(2, 1),)).check()
    other = tmp_path / "shop.loom"
    loom.save(other, plan)
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(other)) as shop:
        names = [{row[0] for row in each.execute("SELECT name FROM sqlite_schema")} for each in (db, shop)]
    assert names[0].isdisjoint(SHOP_TABLES)
    assert names[1] & set(SHOP_TABLES) == {"alternative"}


def test_that_a_changeover_with_a_time_of_a_family_it_has_not_is_refused(tmp_path: Path) -> None:
    plan = replace(office(), changeovers=(Changeover(1, "Paint", ("red", "blue"), ((0, 600), (900, 0))),)).check()
    path = saved(tmp_path, plan)
    assert loom.load(path).changeovers == plan.changeovers
    rewrite(path, "UPDATE changeover_time SET after = 'green' WHERE ticks = 900")
    with pytest.raises(FormatError, match="has a time of a family that it does not have"):
        loom.load(path)


# Version 1


def test_that_a_file_of_version_1_is_read_and_written_as_the_present_one(tmp_path: Path) -> None:
    path = tmp_path / "old.loom"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((Path(__file__).parent / "loom_1.sql").read_text(encoding="utf-8"))
    off = CalendarException(20_151, 20_152, (), "Fair")
    short = CalendarException(20_153, 20_153, (Shift(8 * HOUR, 12 * HOUR),), "Short day")
    expected = replace(
        office(),
        calendar=replace(Calendar.standard(), exceptions=(off, short)),
        resources=(Resource(1, "Crew", capacity=2.0),),
        assignments=(Assignment(2, 1, 0.5),),
        settings=PlanSettings(hours_per_day=7.5),
    )
    assert loom.load(path) == expected
    loom.save(path, loom.load(path))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (3,)
    assert loom.load(path) == expected


def test_that_a_run_of_version_2_is_read_without_its_launches_and_pauses(tmp_path: Path) -> None:
    path = saved(tmp_path, pipeline(), a_run())
    rewrite(
        path,
        "ALTER TABLE span DROP COLUMN launch_ns",
        "ALTER TABLE run_task DROP COLUMN lanes",
        "DELETE FROM run_link WHERE iterations > 0",
        "ALTER TABLE run_link DROP COLUMN iterations",
        "DROP TABLE run_pause",
        "DROP TABLE run_engine",
        "PRAGMA user_version = 2",
    )
    (found,) = loom.load_file(path).runs
    assert found.parts.tolist() == [[*row[:8], NOT_KNOWN] for row in a_run().parts.tolist()]
    assert (found.pauses, found.waits.links, found.waits.engines) == ((), ((1, 2, 0), (2, 3, 0)), ())
    assert found.waits.lanes == ((1, 1), (2, 1), (3, 1))
    loom.save(path, loom.load(path), (found,))
    assert loom.load_file(path).runs[0].parts.tolist() == found.parts.tolist()


def test_that_only_a_plan_with_an_operation_that_runs_once_says_so(tmp_path: Path) -> None:
    plan = pipeline()
    assert loom.load(saved(tmp_path, plan)) == plan
    task = next(task for task in plan.tasks if task.operation is not None)
    assert task.operation is not None
    once = plan.with_task(replace(task, operation=replace(task.operation, is_once=True)))
    with closing(sqlite3.connect(saved(tmp_path, plan))) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (3,)
    path = saved(tmp_path, once)
    assert loom.load(path) == once
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT task FROM operation_once").fetchall() == [(task.id,)]
        assert db.execute("PRAGMA user_version").fetchone() == (4,)


def test_that_a_damaged_shift_of_version_1_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.loom"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((Path(__file__).parent / "loom_1.sql").read_text(encoding="utf-8"))
    rewrite(path, "UPDATE shift SET weekday = 7")
    with pytest.raises(FormatError, match=re.escape("“weekday” in its table “shift” is 7")):
        loom.load(path)


# What is refused


REFUSED = {
    "a missing table": (["DROP TABLE calendar_exception"], "its table “calendar_exception” is missing"),
    "a view in the place of a table": (
        ["ALTER TABLE task RENAME TO old", "CREATE VIEW task AS SELECT * FROM old"],
        "its table “task” is missing",
    ),
    "a missing column": (["ALTER TABLE task DROP COLUMN source"], "no such column"),
    "a missing setting": (["DELETE FROM setting WHERE name = 'clock'"], "setting “clock” is 'missing'"),
    "a setting of another type": (["UPDATE setting SET value = 'soon' WHERE name = 'start'"], "“start” is 'soon'"),
    "an unknown clock": (["UPDATE setting SET value = 'moon' WHERE name = 'clock'"], "“moon” is no Clock"),
    "an unknown kind of link": (["UPDATE dependency SET kind = 'XX'"], "“XX” is no DependencyKind"),
    "a flag that is none": (["UPDATE task SET is_milestone = 7"], "7 is neither 0 nor 1"),
    "an eighth day of the week": (
        ["UPDATE calendar_day SET weekday = 7"],
        "“weekday” in its table “calendar_day” is 7",
    ),
    "hours that are none": (["UPDATE calendar_day SET hours = '8 to 5'"], "“8 to 5” are no hours"),
    "hours that end before they begin": (
        ["UPDATE calendar_day SET hours = '12:00-08:00'"],
        "A shift from second 43200 to 28800 is not part of a day",
    ),
    "a choice of another type": (
        ["UPDATE setting SET value = 'yes' WHERE name = 'honors_dates'"],
        "setting “honors_dates” is 'yes'",
    ),
    "a choice that is missing": (["DELETE FROM setting WHERE name = 'lag_calendar'"], "“lag_calendar” is 'missing'"),
    "two calendars of the plan": (
        ["INSERT INTO calendar SELECT 9, 9, name, base, 1 FROM calendar"],
        "two of its calendars are the plan's own",
    ),
    "an exception that recurs at no time": (
        ["INSERT INTO calendar_exception VALUES (0, 1, 1, 1, '', '', 'daily', 1, '9', 1, 1, 1, 0)"],
        "does not say when it recurs",
    ),
    "a task that waits for itself": (
        ["UPDATE dependency SET successor = predecessor"],
        "“Design” cannot wait for itself",
    ),
    "a summary that is missing": (["UPDATE task SET parent = 77 WHERE id = 2"], "“Design” lies in task 77"),
    "an absurd duration": (["UPDATE task SET duration = 9223372036854775807 WHERE id = 2"], "“Design” has a duration"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_that_a_damaged_table_is_refused_with_its_reason(case: str, tmp_path: Path) -> None:
    statements, reason = REFUSED[case]
    path = saved(tmp_path)
    rewrite(path, "PRAGMA foreign_keys = OFF", "DROP VIEW task_readable", "DROP VIEW dependency_readable", *statements)
    before = path.read_bytes()
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        loom.load(path)
    assert caught.value.sentence.startswith(str(path))
    assert path.read_bytes() == before
    assert names(tmp_path) == {"plan.loom"}


def test_that_values_of_another_type_are_refused_where_the_table_lets_them_in(tmp_path: Path) -> None:
    path = saved(tmp_path)
    for value, said in (("NULL", "None"), ("'long'", "'long'"), ("x'00'", r"b'\x00'"), ("1.5", "1.5")):
        loose = "CREATE TABLE task AS SELECT *"
        rewrite(path, "DROP VIEW IF EXISTS task_readable", "DROP VIEW IF EXISTS dependency_readable")
        rewrite(
            path,
            "ALTER TABLE task RENAME TO strict",
            "ALTER TABLE strict DROP COLUMN duration",
            f"{loose}, {value} AS duration FROM strict",
            "DROP TABLE strict",
        )
        with pytest.raises(FormatError, match=re.escape(f"“duration” in its table “task” is {said}")):
            loom.load(path)


def test_that_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewrite(path, "PRAGMA user_version = 7")
    before = path.read_bytes()
    sentence = (
        f"{path} was written by a newer Warploom (file format 7, this one reads up to 4): "
        "update Warploom to open it; nothing was changed."
    )
    with pytest.raises(FormatError, match=f"^{re.escape(sentence)}$"):
        loom.load(path)
    assert path.read_bytes() == before


def test_that_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "songs.loom"
    rewrite(path, "CREATE TABLE song (name)")
    with pytest.raises(FormatError, match=r"songs\.loom is an SQLite file of another program"):
        loom.load(path)
    assert not loom.sniff(path)


def test_that_a_cut_off_file_says_how_much_is_missing(tmp_path: Path) -> None:
    path = saved(tmp_path)
    whole = path.stat().st_size
    os.truncate(path, 5000)
    with pytest.raises(FormatError, match=rf"is cut off: 5000 of its {whole} bytes are there\.$"):
        loom.load(path)


def test_that_damage_where_nothing_is_read_is_refused_too(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'about'").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(data)
    with pytest.raises(FormatError, match="is damaged"):
        loom.load(path)


def test_that_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.loom")
    with pytest.raises(FormatError, match="is a device or pipe"):
        loom.load(tmp_path / "pipe.loom")


def test_that_a_span_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for column, value in (("stream", 2), ("engine", "'moon'"), ("part", 9), ("end_ns", -1)):
        path = saved(tmp_path, pipeline(), a_run())
        rewrite(path, f"UPDATE span SET {column} = {value}")
        with pytest.raises(FormatError, match="a span that cannot be"):
            loom.load(path)


@contextmanager
def unprivileged() -> Iterator[None]:
    """As a person without special rights, where the tests run as root, to whom nothing is forbidden."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that everybody may write to, and nobody is stopped on the way to."""
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o777)
    return tmp_path


def test_that_a_file_one_may_not_read_is_said_so(open_folder: Path) -> None:
    path = saved(open_folder)
    path.chmod(0)
    with unprivileged(), pytest.raises(FormatError, match="may not be read: you have no permission"):
        loom.load(path)


def test_that_a_file_one_may_not_write_stays_as_it_is(open_folder: Path) -> None:
    path = saved(open_folder)
    path.chmod(0o444)
    with unprivileged(), pytest.raises(FormatError, match="may not be written: you have no permission"):
        loom.save(path, pipeline())
    assert loom.load(path) == office()
    assert names(open_folder) == {"plan.loom"}


def test_that_a_folder_one_may_not_write_to_stays_as_it_is(open_folder: Path) -> None:
    path = saved(open_folder)
    path.chmod(0o666)
    open_folder.chmod(0o555)
    with unprivileged(), pytest.raises(FormatError, match="may not be written: you have no permission"):
        loom.save(path, pipeline())
    assert loom.load(path) == office()


# What saving keeps


def test_that_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = saved(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(FormatError, match=r"plan\.loom was not written: there is no room left"):
            loom.save(path, pipeline())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert loom.load(path) == office()
    assert names(tmp_path) == {"plan.loom"}


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_that_a_failure_at_any_step_leaves_the_old_file_and_nothing_else(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path)

    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(FormatError, match="could not be written: Input/output error"):
        loom.save(path, pipeline(), backups=0)
    monkeypatch.undo()
    assert loom.load(path) == office()
    assert names(tmp_path) == {"plan.loom"}


def test_that_the_file_is_on_the_disk_before_it_takes_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path)
    calls = []

    def record(name: str, call: Callable[..., object]) -> None:
        monkeypatch.setattr(os, name, lambda *a, **k: (calls.append(name), call(*a, **k))[1])

    for name in ("write", "fsync", "link", "replace"):
        record(name, getattr(os, name))
    loom.save(path, pipeline())
    assert calls == ["write", "fsync", "link", "replace", "fsync"]


def test_that_earlier_contents_are_kept_as_backups_the_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "plan.loom"
    for number in range(6):
        loom.save(path, replace(office(), name=f"save {number}"))
    kept = [loom.load(tmp_path / f"plan.loom{end}").name for end in ("", "~1", "~2", "~3")]
    assert kept == ["save 5", "save 4", "save 3", "save 2"]
    assert names(tmp_path) == {"plan.loom", "plan.loom~1", "plan.loom~2", "plan.loom~3"}


def test_that_backups_are_copied_where_the_disk_knows_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_named: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    path = saved(tmp_path)
    monkeypatch.setattr(os, "link", refuse)
    loom.save(path, pipeline())
    assert loom.load(tmp_path / "plan.loom~1") == office()
    assert names(tmp_path) == {"plan.loom", "plan.loom~1"}


def test_that_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "plan.loom"
    loom.save(real, office())
    path = tmp_path / "link.loom"
    path.symlink_to(real)
    loom.save(path, pipeline())
    assert path.is_symlink()
    assert loom.load(real) == pipeline()
    assert names(tmp_path) == {"real", "link.loom"}


def test_that_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    path = saved(tmp_path)
    path.chmod(0o640)
    loom.save(path, pipeline())
    assert path.stat().st_mode & 0o777 == 0o640


def test_that_a_plan_that_lost_all_its_tasks_replaces_another_only_when_told_so(tmp_path: Path) -> None:
    path = saved(tmp_path)
    empty = replace(office(), tasks=(), dependencies=())
    with pytest.raises(FormatError, match="holds 5 tasks, and the plan to save has none"):
        loom.save(path, empty)
    assert loom.load(path) == office()
    loom.save(path, empty, may_lose_tasks=True)
    assert loom.load(path) == empty
    loom.save(path, empty)


def test_that_a_plan_that_breaks_its_rules_is_not_written(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with pytest.raises(FormatError, match=r"was not written\. “Design” has a negative duration"):
        loom.save(path, office().with_task(replace(office().task(2), duration=-1)))
    with pytest.raises(FormatError, match="was not written: it has a name"):
        loom.save(path, replace(office(), name="\ud800"))
    assert loom.load(path) == office()


def test_that_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"There is no folder .*missing"):
        loom.save(tmp_path / "missing" / "plan.loom", office())
    (tmp_path / "folder.loom").mkdir()
    with pytest.raises(FormatError, match=r"folder\.loom could not be written"):
        loom.save(tmp_path / "folder.loom", office())


def test_that_leftovers_of_dead_processes_go_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    path = saved(tmp_path)
    dead = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    ).stdout.strip()
    pid, started = process_mark().split("-")
    left = [f".plan.loom.{dead}-{started}-3.saving", f".other.loom.{pid}-{int(started) + 1}-3.saving"]
    kept = [f".plan.loom.{process_mark()}-3.saving", ".plan.loom.saving", f"plan.loom.{dead}-{started}-3.saving"]
    for name in (*left, *kept):
        (tmp_path / name).write_bytes(b"half")
    loom.save(path, pipeline(), backups=0)
    assert names(tmp_path) == {"plan.loom", *kept}


def test_that_only_a_running_process_is_alive() -> None:
    assert is_alive(process_mark())
    assert not is_alive(f"{process_mark()}0")
    assert not is_alive("")
    assert not is_alive("nonsense")


def test_that_a_large_plan_goes_through(tmp_path: Path) -> None:
    tasks = tuple(Task(number, f"task {number}", number) for number in range(1, 5001))
    plan = replace(office(), tasks=tasks, dependencies=(), next_task_id=5001)
    assert loom.load(saved(tmp_path, plan)) == plan
