"""Pieces of split tasks lie in working time and add up to the duration, wherever the task is put."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.model import DAY, Split
from engine.schedule import cpm
from tests.engine.schedule.golden import CALENDARS
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan
from tests.engine.schedule.test_complaints import Kind, days

SPLITS = (Split(3 * HOUR, 5 * HOUR), Split(WORKDAY, 2 * WORKDAY), Split(20 * HOUR, 30 * 60))


@pytest.mark.parametrize("calendar", [None, 3, 4])
@pytest.mark.parametrize("offset", range(0, 8 * DAY, 7 * HOUR))
def test_that_pieces_start_and_end_in_working_time_with_their_pauses_between(calendar: int | None, offset: int) -> None:
    pin = {"constraint": Kind.START_NO_EARLIER_THAN, "constraint_at": at("2025-03-06 10:30") + offset}
    plan = calendar_plan([days(1, 3, splits=SPLITS, calendar=calendar, **pin)], calendars=tuple(CALENDARS.values()))
    schedule = cpm.schedule(plan)
    time, (pieces,) = schedule.working_time_of(1), schedule.segments
    assert [(time.next_start(start), time.previous_finish(finish)) for start, finish in pieces] == list(pieces)
    assert sum(time.between(*piece) for piece in pieces) == 3 * WORKDAY
    assert [time.between(before[1], after[0]) for before, after in pairwise(pieces)] == [split.gap for split in SPLITS]
    assert (pieces[0][0], pieces[-1][1]) == (schedule.start_of(1), schedule.finish_of(1))
