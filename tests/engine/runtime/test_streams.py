"""The queues of streams: what is ready, and in which order."""

from __future__ import annotations

from engine.runtime.backend import Launch
from engine.runtime.streams import StreamQueues
from tests.programs import copy_in, copy_out, program, seeded

FIRST = copy_in(1, 0, "x", parts=2)
SECOND = copy_out(2, 1, "x", waits=(1,))
PROGRAM = program([FIRST, SECOND], [seeded("x")])


def queues(*launches: Launch) -> StreamQueues:
    made = StreamQueues(PROGRAM)
    for launch in launches:
        made.push(launch)
    return made


def test_that_a_stream_does_one_part_at_a_time_in_order() -> None:
    parts = [Launch(FIRST, 0, 0), Launch(FIRST, 0, 1)]
    held = queues(*parts)
    assert held.take_ready() == parts[:1]
    assert held.take_ready() == []
    held.end(parts[0])
    assert held.take_ready() == parts[1:]


def test_that_a_wait_ends_with_the_last_part_of_the_same_iteration() -> None:
    held = queues(Launch(FIRST, 0, 0), Launch(FIRST, 0, 1), Launch(SECOND, 0, 0), Launch(SECOND, 1, 0))
    for part in (0, 1):
        assert held.take_ready() == [Launch(FIRST, 0, part)]
        held.end(Launch(FIRST, 0, part))
    assert held.take_ready() == [Launch(SECOND, 0, 0)]
    held.end(Launch(SECOND, 0, 0))
    assert held.take_ready() == [], "iteration 1 of the first has not run"


def test_that_what_was_taken_is_not_dropped() -> None:
    held = queues(Launch(FIRST, 0, 0), Launch(FIRST, 0, 1), Launch(SECOND, 0, 0))
    held.take_ready()
    assert held.drop() == [Launch(FIRST, 0, 1), Launch(SECOND, 0, 0)]
    assert held.drop() == []
