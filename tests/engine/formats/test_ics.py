"""iCalendar: days off in, events in and out, and the lines they are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.formats import ics
from engine.formats.ics.lines import escape, fold, read_lines, unescape
from engine.model import (
    DAY,
    CalendarException,
    ConstraintKind,
    Plan,
    Progress,
    Recurrence,
    RecurrenceKind,
    Task,
)
from engine.schedule.cpm import schedule
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

EPOCH = datetime(1970, 1, 1)
LAST_DAY = 65_744


def calendar(*lines: str) -> str:
    return "\r\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", *lines, "END:VCALENDAR", ""))


def event(*lines: str) -> str:
    return "\r\n".join(("BEGIN:VEVENT", "UID:1@x", *lines, "END:VEVENT"))


def instant(text: str) -> int:
    return int((datetime.fromisoformat(text) - EPOCH).total_seconds())


def day(text: str) -> int:
    return instant(text) // DAY


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Plan]:
    def load(*lines: str) -> Plan:
        path = tmp_path / "team.ics"
        path.write_bytes(calendar(*lines).encode())
        return ics.load(path)

    return load


@pytest.fixture
def holidays(tmp_path: Path) -> Callable[..., tuple[CalendarException, ...]]:
    def load(*lines: str) -> tuple[CalendarException, ...]:
        path = tmp_path / "holidays.ics"
        path.write_bytes(calendar(*lines).encode())
        return ics.load_holidays(path)[0]

    return load


def written(path: Path, plan: Plan) -> list[str]:
    ics.save(path, plan)
    return path.read_bytes().decode().replace("\r\n ", "").split("\r\n")


def notes(plan: Plan) -> list[str]:
    return [text for name, text in plan.fields if name == "note"]


# Events in


def test_that_the_end_of_a_whole_day_is_exclusive(read: Callable[..., Plan]) -> None:
    plan = read(event("SUMMARY:Fair", "DTSTART;VALUE=DATE:20240601", "DTEND;VALUE=DATE:20240603"))
    (fair,) = plan.tasks
    assert (fair.name, fair.pin, fair.duration) == ("Fair", instant("2024-06-01"), 2 * DAY)
    dates = schedule(plan)
    assert (dates.start_of(1), dates.finish_of(1)) == (instant("2024-06-01"), instant("2024-06-03"))


@pytest.mark.parametrize("more", [(), ("DTEND;VALUE=DATE:20240601",), ("DTEND;VALUE=DATE:20240501",)])
def test_that_a_whole_day_without_a_later_end_is_that_day(more: tuple[str, ...], read: Callable[..., Plan]) -> None:
    plan = read(event("DTSTART;VALUE=DATE:20240601", *more))
    assert plan.tasks[0].duration == DAY
    assert not plan.tasks[0].is_milestone


def test_that_an_instant_is_a_milestone_and_times_keep_their_hours(read: Callable[..., Plan]) -> None:
    plan = read(
        event("SUMMARY:Launch", "DTSTART:20240601T173000"),
        event("SUMMARY:Talk", "DTSTART:20240602T090000", "DTEND:20240602T101530"),
        event("SUMMARY:Night", "DTSTART:20240602T220000", "DURATION:P1DT2H"),
        event("SUMMARY:Back", "DTSTART:20240602T220000", "DURATION:-PT2H"),
    )
    assert [(t.name, t.is_milestone, t.duration) for t in plan.tasks] == [
        ("Launch", True, 0),
        ("Talk", False, HOUR + 15 * 60 + 30),
        ("Night", False, DAY + 2 * HOUR),
        ("Back", True, 0),
    ]
    dates = schedule(plan)
    assert dates.start_of(1) == dates.finish_of(1) == instant("2024-06-01T17:30:00")
    assert dates.finish_of(3) == instant("2024-06-04T00:00:00")


def test_that_zones_are_left_out_and_said_so(read: Callable[..., Plan]) -> None:
    zone = (
        "BEGIN:VTIMEZONE",
        "TZID:Moon",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "END:STANDARD",
        "END:VTIMEZONE",
    )
    plan = read(*zone, event("DTSTART;TZID=Moon:20240601T090000", "DTEND:20240601T100000Z"))
    assert [(t.pin, t.duration) for t in plan.tasks] == [(instant("2024-06-01T09:00:00"), HOUR)]
    assert notes(plan) == ["Time zones were left out: times are as they stand on the clock."]


def test_that_reminders_and_to_dos_are_no_events(read: Callable[..., Plan]) -> None:
    alarm = ("BEGIN:VALARM", "TRIGGER:-PT15M", "SUMMARY:Wake", "END:VALARM")
    plan = read(
        "X-WR-CALNAME:Team\\, all",
        event("SUMMARY:Talk", "DTSTART:20240602T090000", *alarm),
        "BEGIN:VTODO",
        "SUMMARY:Buy",
        "END:VTODO",
    )
    assert plan.name == "Team, all"
    assert [task.name for task in plan.tasks] == ["Talk"]
    assert notes(plan) == ["1 entry that is no event was left out, such as a to-do."]


def test_that_an_event_that_comes_again_is_read_once_and_keeps_its_rule(
    read: Callable[..., Plan], tmp_path: Path
) -> None:
    plan = read(event("DTSTART;VALUE=DATE:20240601", "RRULE:FREQ=WEEKLY;BYDAY=MO,FR"))
    assert notes(plan) == ["1 event comes again: its first time was read."]
    assert "RRULE:FREQ=WEEKLY;BYDAY=MO,FR" in written(tmp_path / "out.ics", plan)


def test_that_folded_lines_escapes_and_quotes_are_read(read: Callable[..., Plan]) -> None:
    plan = read(
        event(
            "SUMMARY:Kick\\, off\\; at",
            " \ttwo ☕",
            "DESCRIPTION:one\\ntwo\\Nthree\\\\n",
            'ATTENDEE;CN="Doe: J; x":mailto:j@x',
            "DTSTART:20240601T090000",
        )
    )
    assert plan.tasks[0].name == "Kick, off; at\ttwo ☕"
    assert dict(plan.tasks[0].fields) == {
        "Notes": "one\ntwo\nthree\\n",
        "ics:UID": "1@x",
        'ics:ATTENDEE;CN="Doe: J; x"': "mailto:j@x",
    }


def test_that_a_fold_may_part_the_bytes_of_one_character(tmp_path: Path) -> None:
    summary = "SUMMARY:✡ star".encode()
    data = (
        calendar(event("HERE", "DTSTART:20240601T090000")).encode().replace(b"HERE", summary[:9] + b"\n " + summary[9:])
    )
    (tmp_path / "star.ics").write_bytes(b"\xef\xbb\xbf" + data.replace(b"\r\n", b"\n"))
    assert ics.load(tmp_path / "star.ics").tasks[0].name == "✡ star"


BROKEN = {
    "an event without a start": (calendar(event("SUMMARY:x")), "has an event without a start (line 6)"),
    "a date that is none": (calendar(event("DTSTART:20240230")), "has “DTSTART” at no time: “20240230” (line 5)"),
    "a time that is none": (calendar(event("DTSTART:20240201T250000")), "at no time: “20240201T250000”"),
    "a duration that is none": (calendar(event("DTSTART:20240201", "DURATION:P1Y")), "a duration that is none: “P1Y”"),
    "a line that is no property": (calendar("hello"), "has a line that is no property (line 3)"),
    "a part that ends another": (calendar("BEGIN:VEVENT", "END:VTODO"), "ends “VTODO” where it did not begin (line 4)"),
    "a cut": (calendar(event("DTSTART:20240201"))[:-16], "is cut off: its calendar does not end"),
    "another text": ("Dear planner,\nhello\n", "has a line that is no property (line 1)"),
    "another component": ("BEGIN:VCARD\r\nEND:VCARD\r\n", "is no calendar (line 1)"),
    "a property before the calendar": ("VERSION:2.0\r\n", "is no calendar (line 1)"),
    "nothing": ("", "is empty: it holds no calendar"),
    "nothing but zeros": ("\0" * 9000, "is empty: it holds no calendar"),
    "more lines than any calendar": ("BEGIN:VCALENDAR\n" + "\n" * 1_000_000, "that is no property (line 1000001)"),
    "more folds than any calendar": ("BEGIN:VCALENDAR\nX:" + "\n " * 1_000_000, "that is no property (line 1000001)"),
    "endless parameters": (calendar("X" + ";a=b" * 3000 + ":v"), "has a line that is no property (line 3)"),
    "nests too deep": ("BEGIN:VCALENDAR\n" + "BEGIN:X\n" * 99, "is nested too deep (line 18)"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_that_a_broken_file_is_refused_with_its_place(case: str, tmp_path: Path) -> None:
    text, reason = BROKEN[case]
    path = tmp_path / "broken.ics"
    path.write_bytes(text.encode())
    for load in (ics.load, ics.load_holidays):
        with pytest.raises(FormatError) as caught:
            load(path)
        assert reason in caught.value.sentence
        assert caught.value.sentence.startswith(str(path))


def test_that_text_that_is_no_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.ics"
    path.write_bytes(calendar("X-WR-CALNAME:Caf\xe9").encode("latin-1"))
    with pytest.raises(FormatError, match=r"has a line that is no property \(line 3\)"):
        ics.load(path)


# Days off


def test_that_whole_days_are_days_off_and_hours_are_not(holidays: Callable[..., tuple[CalendarException, ...]]) -> None:
    found = holidays(
        event("SUMMARY:Easter", "DTSTART;VALUE=DATE:20240331", "DTEND;VALUE=DATE:20240402"),
        event("SUMMARY:Talk", "DTSTART:20240401T090000", "DTEND:20240401T100000"),
        event("SUMMARY:May Day", "DTSTART;VALUE=DATE:20240501"),
    )
    assert found == (
        CalendarException(day("2024-03-31"), day("2024-04-01"), (), "Easter"),
        CalendarException(day("2024-05-01"), day("2024-05-01"), (), "May Day"),
    )


RULES = {
    "FREQ=YEARLY": Recurrence(RecurrenceKind.YEARLY_DAY, month_day=25, month=11),
    "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=25": Recurrence(RecurrenceKind.YEARLY_DAY, month_day=25, month=11),
    "FREQ=YEARLY;BYMONTH=11;BYDAY=4MO": Recurrence(
        RecurrenceKind.YEARLY_POSITION, weekdays=(0,), month_day=25, month=11, position=4
    ),
    "FREQ=MONTHLY;BYDAY=-1MO;INTERVAL=2": Recurrence(
        RecurrenceKind.MONTHLY_POSITION, 2, (0,), month_day=25, month=11, position=5
    ),
    "FREQ=MONTHLY;COUNT=5": Recurrence(RecurrenceKind.MONTHLY_DAY, month_day=25, month=11, occurrences=5),
    "FREQ=WEEKLY;BYDAY=FR,MO": Recurrence(RecurrenceKind.WEEKLY, weekdays=(0, 4), month_day=25, month=11),
    "FREQ=WEEKLY": Recurrence(RecurrenceKind.WEEKLY, weekdays=(0,), month_day=25, month=11),
    "FREQ=DAILY;INTERVAL=3": Recurrence(RecurrenceKind.DAILY, 3, month_day=25, month=11),
}


@pytest.mark.parametrize("rule", RULES)
def test_that_days_off_that_come_again_keep_their_rule(
    rule: str, holidays: Callable[..., tuple[CalendarException, ...]]
) -> None:
    first = day("2024-11-25")
    found = holidays(event("SUMMARY:Off", "DTSTART;VALUE=DATE:20241125", f"RRULE:{rule}"))
    assert found == (CalendarException(first, LAST_DAY, (), "Off", RULES[rule]),)


def test_that_a_rule_may_end_and_may_take_two_days_a_year(
    holidays: Callable[..., tuple[CalendarException, ...]],
) -> None:
    what = ("DTSTART;VALUE=DATE:20241231", "DTEND;VALUE=DATE:20250102", "RRULE:FREQ=YEARLY;UNTIL=20301231")
    until = day("2030-12-31")
    assert holidays(event(*what)) == (
        CalendarException(
            day("2024-12-31"), until, (), "", Recurrence(RecurrenceKind.YEARLY_DAY, month_day=31, month=12)
        ),
        CalendarException(
            day("2025-01-01"), until, (), "", Recurrence(RecurrenceKind.YEARLY_DAY, month_day=1, month=1)
        ),
    )


@pytest.mark.parametrize(
    "rule", ["FREQ=YEARLY;BYSETPOS=2", "FREQ=YEARLY;BYMONTH=5", "FREQ=HOURLY", "FREQ=DAILY;COUNT=x", "nonsense"]
)
def test_that_of_a_rule_we_cannot_follow_the_first_time_is_taken(
    rule: str, holidays: Callable[..., tuple[CalendarException, ...]]
) -> None:
    first = day("2024-11-25")
    found = holidays(event("DTSTART;VALUE=DATE:20241125", f"RRULE:{rule}"))
    assert found == (CalendarException(first, first),)


# Events out


def test_that_tasks_of_whole_days_milestones_and_hours_are_written(tmp_path: Path) -> None:
    lines = written(tmp_path / "plan.ics", office())
    assert [line for line in lines if line.startswith(("SUMMARY", "DT")) and "STAMP" not in line] == [
        "SUMMARY:Design",
        "DTSTART;VALUE=DATE:20250303",
        "DTEND;VALUE=DATE:20250304",
        "SUMMARY:Build",
        "DTSTART;VALUE=DATE:20250304",
        "DTEND;VALUE=DATE:20250306",
        "SUMMARY:Done",
        "DTSTART:20250305T170000",
        "SUMMARY:Paint",
        "DTSTART:20250303T080000",
        "DTEND:20250303T120000",
    ]
    assert "CATEGORIES:Phase" in lines


def test_that_an_event_keeps_its_uid_when_a_task_is_renamed_or_moved(tmp_path: Path) -> None:
    def uids(plan: Plan) -> list[str]:
        return [line for line in written(tmp_path / "plan.ics", plan) if line.startswith("UID")]

    plan = office()
    moved = replace(plan.task(5), name="Varnish", constraint=ConstraintKind.START_NO_EARLIER_THAN)
    assert uids(plan) == uids(plan.with_task(replace(moved, constraint_at=MONDAY + DAY)))
    assert len(set(uids(plan))) == 4


def test_that_what_events_do_not_hold_is_said(tmp_path: Path) -> None:
    plan = office().with_task(replace(office().task(2), progress=Progress(50.0)))
    assert ics.save(tmp_path / "plan.ics", plan) == (
        "Links are left out: a calendar holds dates only.",
        "Summaries are left out: each names the category of what it holds.",
        "Working time is left out.",
        "Constraints, deadlines and progress of tasks are left out.",
    )


def test_that_a_plan_of_a_device_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a calendar knows no plans of devices"):
        ics.save(tmp_path / "plan.ics", pipeline())
    assert list(tmp_path.iterdir()) == []


def test_that_a_kept_property_cannot_end_its_line(tmp_path: Path) -> None:
    fields = (("ics:X-NOTE", "a\r\nEND:VEVENT"), ("ics:no name", "x"), ("ics:X:Y", "x"), ('ics:X;A="', "x"))
    lines = written(tmp_path / "plan.ics", office().with_task(replace(office().task(5), fields=fields)))
    assert [line for line in lines if line.startswith("X")] == ["X-WR-CALNAME:Office", "X-NOTE:aEND:VEVENT"]


# Lines


@given(text=st.text(max_size=200))
def test_that_a_text_comes_back_from_a_folded_line_of_75_octets(text: str) -> None:
    data = fold(f"SUMMARY:{escape(text)}").encode()
    assert all(len(piece) <= 75 for piece in data.split(b"\r\n"))
    (line,) = read_lines(data)
    controls = dict.fromkeys([*range(9), *range(11, 32), 127])
    assert unescape(line.value) == text.replace("\r\n", "\n").replace("\r", "\n").translate(controls)


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=90).map(str.strip)
STARTS = st.integers(instant("1990-01-01"), instant("2100-01-01"))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(NAMES, STARTS, st.integers(0, 40 * DAY), st.booleans()), min_size=1, max_size=6))
def test_that_events_come_back_as_they_were_written(rows: list[tuple[str, int, int, bool]], tmp_path: Path) -> None:
    path = tmp_path / "plan.ics"
    path.write_bytes(calendar(event("DTSTART:20240101T000000")).encode())
    plan = ics.load(path)
    tasks = []
    for number, (name, start, length, is_whole) in enumerate(rows, start=1):
        start, length = (start // DAY * DAY, max(1, length // DAY) * DAY) if is_whole else (start, length)
        pin = ConstraintKind.START_NO_EARLIER_THAN
        tasks.append(Task(number, name, length, is_milestone=not length, constraint=pin, constraint_at=start))
    start = min(task.constraint_at for task in tasks)
    ics.save(path, replace(plan, start=start, tasks=tuple(tasks), next_task_id=len(tasks) + 1))
    first, back = path.read_bytes(), ics.load(path)
    for before, after in zip(tasks, back.tasks, strict=True):
        for name in ("name", "duration", "pin", "is_milestone"):
            assert getattr(before, name) == getattr(after, name)
    ics.save(path, back)
    assert ics.load(path) == back
    assert len(path.read_bytes()) == len(first)


@pytest.mark.corpus
def test_that_the_sample_calendar_comes_back(corpus: Path, tmp_path: Path) -> None:
    sample = corpus / "plans" / "ics" / "ganttproject-test.ics"
    if not sample.exists():
        pytest.skip("there is no sample calendar")
    plan = ics.load(sample)
    assert (plan.name, [task.name for task in plan.tasks]) == ("Jewish Holidays ✡️", ["Chanukah: 1 Candle"])
    assert ics.save(tmp_path / "out.ics", plan) == ()
    assert ics.load(tmp_path / "out.ics") == plan
    assert ics.load_holidays(sample)[0] == (
        CalendarException(day("2023-12-07"), day("2023-12-07"), (), plan.tasks[0].name),
    )
