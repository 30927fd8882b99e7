"""How far a file is read and written is told to who watches, and who watches can end it."""

from pathlib import Path

import pytest

from engine.formats import FORMATS, csv, gan, loom, mspdi, xer, xlsx
from engine.formats.progress import tell, told, watched
from engine.model import Calendar, Clock, Plan, Task


class StopError(Exception):
    """Raised by who watches."""


def long_plan() -> Plan:
    """Tasks enough that all of them are not told of at once."""
    tasks = tuple(Task(number, f"task {number}", 3600) for number in range(1, 602))
    return Plan("Long", Clock.CALENDAR, 1_772_409_600, tasks, calendar=Calendar.standard(), next_task_id=602)


def test_that_rows_come_unchanged_and_their_share_is_told_now_and_then() -> None:
    shares: list[float] = []
    with watched(shares.append):
        assert list(told(range(1024), 0.5)) == list(range(1024))
    assert shares == [0.5, 0.625, 0.75, 0.875]


def test_that_nobody_is_told_outside_and_nobody_within_a_stretch_without_a_watcher() -> None:
    shares: list[float] = []
    tell(0.1)
    with watched(shares.append):
        tell(0.2)
        with watched(None):
            tell(0.3)
        tell(0.4)
    tell(0.5)
    assert shares == [0.2, 0.4]


@pytest.mark.parametrize("known", [loom, mspdi, gan, csv, xlsx])
def test_that_shares_of_a_file_grow_while_it_is_read(tmp_path: Path, known: object) -> None:
    path = tmp_path / f"long{known.SUFFIXES[0]}"
    known.save(path, long_plan())
    shares: list[float] = []
    with watched(shares.append):
        assert len(known.load(path).tasks) == 601
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


def test_that_shares_of_a_p6_export_grow_while_it_is_read(tmp_path: Path) -> None:
    rows = "".join(f"%R\t{n}\t1\t1\tA{n}\ttask {n}\tTT_Task\t8\t8\n" for n in range(600))
    head = "ERMHDR\t8.0\n%T\tPROJECT\n%F\tproj_id\tproj_short_name\tplan_start_date\n%R\t1\tP\t2026-03-02 08:00\n"
    names = "task_id\tproj_id\twbs_id\ttask_code\ttask_name\ttask_type\ttarget_drtn_hr_cnt\tremain_drtn_hr_cnt"
    (tmp_path / "long.xer").write_text(f"{head}%T\tTASK\n%F\t{names}\n{rows}%E\n", encoding="utf-8")
    shares: list[float] = []
    with watched(shares.append):
        assert len(xer.load(tmp_path / "long.xer").tasks) == 600
    assert shares == sorted(shares)
    assert shares[-1] > 0


@pytest.mark.parametrize("known", [loom, mspdi, gan, csv, xlsx])
def test_that_a_file_whose_writing_is_ended_is_as_it_was(tmp_path: Path, known: object) -> None:
    def stop(_share: float) -> None:
        raise StopError

    path = tmp_path / f"long{known.SUFFIXES[0]}"
    path.write_bytes(b"as it was")
    with watched(stop), pytest.raises(StopError):
        known.save(path, long_plan())
    assert path.read_bytes() == b"as it was"
    assert list(tmp_path.iterdir()) == [path]


def test_that_reading_can_be_ended_in_every_format_that_is_also_written(tmp_path: Path) -> None:
    def stop(_share: float) -> None:
        raise StopError

    for known in (loom, mspdi, gan, csv, xlsx):
        assert known in FORMATS
        path = tmp_path / f"long{known.SUFFIXES[0]}"
        known.save(path, long_plan())
        with watched(stop), pytest.raises(StopError):
            known.load(path)
