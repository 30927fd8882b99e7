"""Spans inferred from events, and the device's clock on the host's: with numbers alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.program.operation import Operation, Program
from engine.runtime.backend import Launch
from engine.runtime.cuda.clock import within
from engine.runtime.cuda.queues import Submissions
from engine.runtime.cuda.stamps import Stamp, Stamps
from tests.programs import copy_in, copy_out, host, memset, program, seeded

SERIAL = {"copy_in": "copy_in", "copy_out": "copy_out"}
LATE = 10**12


def of(*operations: Operation) -> Program:
    return program(operations, [seeded("a")])


def stamp(operation: Operation, sequence: int, start_ns: int, end_ns: int, launch_ns: int = 0, turn: int = 0) -> Stamp:
    return Stamp(Launch(operation, turn, operation.parts - 1), sequence, launch_ns, start_ns, end_ns)


def placed(one: Program, *stamps: Stamp, seen_ns: int = LATE) -> list[tuple[int, int, int]]:
    return [(s.launch.operation.task, s.start_ns, s.end_ns) for s in Stamps(one, SERIAL).place(stamps, seen_ns)]


def test_that_a_copy_that_waited_for_its_engine_starts_when_the_one_before_ended() -> None:
    first, second = copy_in(1, 0, "a"), copy_in(2, 1, "a")
    one = of(first, second)
    assert placed(one, stamp(first, 0, 10, 50), stamp(second, 1, 12, 90)) == [(1, 10, 50), (2, 50, 90)]


def test_that_the_order_on_an_engine_is_that_of_the_ends_and_not_of_the_calls() -> None:
    first, second = copy_in(1, 0, "a"), copy_in(2, 1, "a")
    one = of(first, second)
    assert placed(one, stamp(first, 0, 10, 90), stamp(second, 1, 12, 50)) == [(2, 12, 50), (1, 50, 90)]


def test_that_kernels_and_the_two_directions_of_copying_may_overlap() -> None:
    operations = memset(1, 0, "a", 0), memset(2, 1, "a", 0), copy_in(3, 2, "a"), copy_out(4, 3, "a")
    stamps = [stamp(operation, number, 10, 50) for number, operation in enumerate(operations)]
    assert placed(of(*operations), *stamps) == [(task, 10, 50) for task in (1, 2, 3, 4)]


def test_that_rounding_never_turns_the_order_of_a_stream_or_of_a_wait() -> None:
    first, second = memset(1, 0, "a", 0), memset(2, 0, "a", 0)
    third = memset(3, 1, "a", 0, waits=(2,))
    found = placed(of(first, second, third), stamp(first, 0, 0, 50), stamp(second, 1, 49, 49), stamp(third, 2, 48, 60))
    assert found == [(1, 0, 50), (2, 50, 50), (3, 50, 60)]


def test_that_nothing_starts_before_the_host_told_it_or_ends_after_the_host_saw_it() -> None:
    operation = memset(1, 0, "a", 0)
    assert placed(of(operation), stamp(operation, 0, 5, 95, launch_ns=20), seen_ns=80) == [(1, 20, 80)]
    assert placed(of(operation), stamp(operation, 0, 5, 9, launch_ns=20), seen_ns=80) == [(1, 20, 20)]


def test_that_a_wait_is_for_its_own_iteration_and_is_forgotten_then() -> None:
    first, second = memset(1, 0, "a", 0), memset(2, 1, "a", 0, waits=(1,))
    stamps = Stamps(of(first, second), SERIAL)
    stamps.place([stamp(first, turn, 100 * turn, 100 * turn + 50, turn=turn) for turn in (0, 1, 2)], LATE)
    (early,) = stamps.place([stamp(second, 4, 10, 60, turn=0)], LATE)
    assert (early.start_ns, early.end_ns) == (50, 60)
    assert set(stamps._tasks) == {(1, 1), (1, 2)}


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 50), st.integers(0, 50)), max_size=12))
def test_that_spans_are_spans_and_engines_and_streams_are_never_shared(parts: list[tuple[int, int, int, int]]) -> None:
    makers = (copy_in, copy_out, lambda task, stream, name: memset(task, stream, name, 0))
    operations = [makers[kind](task, stream, "a") for task, (stream, kind, _, _) in enumerate(parts, 1)]
    stamps = [
        stamp(operation, row, start, start + length)
        for row, (operation, (_, _, start, length)) in enumerate(zip(operations, parts, strict=True))
    ]
    found = Stamps(of(*operations), SERIAL).place(stamps, LATE) if operations else []
    assert [s.end_ns for s in found] == sorted(s.end_ns for s in found)
    for key in ("stream", "engine"):
        last: dict[object, int] = {}
        for each in found:
            row = getattr(each.launch.operation, key)
            if row != "compute":
                assert each.start_ns >= last.get(row, 0)
            assert each.end_ns >= each.start_ns
            last[row] = each.end_ns


@pytest.mark.parametrize(("instant", "kept"), [(5, 10), (10, 10), (15, 15), (20, 20), (99, 20)])
def test_that_an_anchor_keeps_the_devices_word_where_the_hosts_allows_it(instant: int, kept: int) -> None:
    assert within(instant, 10, 20) == kept


def taken(queues: Submissions) -> list[int]:
    found = []
    while (launch := queues.take()) is not None:
        found.append(launch.operation.task)
        if launch.operation.kind.value != "host":
            queues.submitted(launch)
    return found


def test_that_a_stream_takes_no_more_parts_than_it_has_slots() -> None:
    operation = memset(1, 0, "a", 0, parts=5)
    queues = Submissions(of(operation), slots=2)
    for part in range(5):
        queues.push(Launch(operation, 0, part))
    assert taken(queues) == [1, 1]
    queues.end(Launch(operation, 0, 0))
    assert taken(queues) == [1]
    assert len(queues.drop()) == 2


def test_that_a_device_part_waits_for_an_event_to_exist_and_no_longer() -> None:
    first, second = memset(1, 0, "a", 0, parts=2), memset(2, 1, "a", 0, waits=(1,))
    queues = Submissions(of(first, second))
    queues.push(Launch(second, 0, 0))
    queues.push(Launch(first, 0, 0))
    assert taken(queues) == [1]
    queues.push(Launch(first, 0, 1))
    assert taken(queues) == [1, 2]


def test_that_host_work_waits_for_ends_and_holds_its_stream_and_those_who_wait_for_it() -> None:
    before, work = memset(1, 0, "a", 0), host(2, 0, "tanh", reads=("a",), writes=("a",))
    behind, elsewhere = memset(3, 0, "a", 0), memset(4, 1, "a", 0, waits=(2,))
    queues = Submissions(of(before, work, behind, elsewhere))
    for operation in (before, work, behind, elsewhere):
        queues.push(Launch(operation, 0, 0))
    assert taken(queues) == [1]
    queues.end(Launch(before, 0, 0))
    assert taken(queues) == [2]
    queues.submitted(Launch(work, 0, 0))
    queues.end(Launch(work, 0, 0))
    assert taken(queues) == [3, 4]


def test_that_a_call_that_blocks_holds_its_stream_until_it_returns() -> None:
    first, second = copy_in(1, 0, "a"), copy_in(2, 0, "a")
    queues = Submissions(of(first, second))
    queues.push(Launch(first, 0, 0))
    queues.push(replace(Launch(second, 0, 0)))
    launch = queues.take()
    assert launch is not None
    assert queues.take() is None
    queues.submitted(launch)
    assert taken(queues) == [2]
