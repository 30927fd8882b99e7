"""The predicted timeline, and the bounds it lies between."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.program.predict as predict_module
from engine.model import OperationKind
from engine.program.compiler import lay_streams
from engine.program.hazards import iteration_waits
from engine.program.operation import Operation, Program
from engine.program.predict import bound_ns, predict, serial_ns
from engine.trace.intervals import concurrency
from engine.trace.timeline import Span
from tests.engine.program.plans import GPU, compiled, copy_in, copy_out, device_plan, empty, kernel, pipeline, seeded

KINDS = (OperationKind.COPY_IN, OperationKind.KERNEL, OperationKind.COPY_OUT, OperationKind.HOST)


def by_key(spans: list[Span]) -> dict[tuple[int, int], Span]:
    return {(span.task, span.iteration): span for span in spans}


def test_that_a_chain_takes_the_sum_of_its_costs_and_its_bound_leaves_out_what_a_device_hides() -> None:
    rows = [("in", copy_in("x"), 0), ("tanh", kernel("tanh", ["x"], ["y"]), 0), ("out", copy_out("y"), 0)]
    program = compiled(device_plan(rows, buffers=[seeded("x"), empty("y")]))
    assert predict(program, GPU).end_ns_max == serial_ns(program) == bound_ns(program) + GPU.launch_latency_ns


@pytest.mark.parametrize("typed_ns", [5, 10**9])
def test_that_a_bound_takes_a_typed_duration_only_where_it_is_the_shorter_one(typed_ns: int) -> None:
    plan = device_plan([("in", copy_in("x"), 0)], buffers=[seeded("x")])
    estimate = serial_ns(compiled(plan))
    typed = compiled(plan.with_task(replace(plan.task(1), duration=typed_ns, is_duration_typed=True)))
    assert predict(typed, GPU).end_ns_max == typed_ns
    assert bound_ns(typed) == min(typed_ns, estimate)


def test_that_more_streams_overlap_more() -> None:
    ends = []
    for streams in (1, 2, 3):
        program = compiled(lay_streams(pipeline(9), streams))
        ends.append(predict(program, GPU).end_ns_max)
        assert bound_ns(program) <= ends[-1] <= serial_ns(program)
    assert ends[0] == serial_ns(compiled(lay_streams(pipeline(9), 1)))
    assert ends[0] > ends[1] > ends[2]


def test_that_one_copy_engine_does_one_copy_at_a_time() -> None:
    plan = device_plan([("a", copy_in("x"), 0), ("b", copy_in("y"), 1)], buffers=[seeded("x"), seeded("y")])
    first, second = predict(compiled(plan), GPU).spans()
    assert second.start_ns == first.end_ns
    two = replace(GPU, copy_in_lanes=2)
    assert [span.start_ns for span in predict(compiled(plan, two), two).spans()] == [0, 0]


def test_that_kernels_share_the_lanes_as_their_shares_say() -> None:
    program = hand_made([("spin", 0, 10, ()), ("spin", 1, 10, ())])
    half = tuple(replace(op, lanes=GPU.compute_lanes // 2) for op in program.operations)
    assert predict(replace(program, operations=half), GPU).end_ns_max == 10
    more = (half[0], replace(half[1], lanes=GPU.compute_lanes))
    assert predict(replace(program, operations=more), GPU).end_ns_max == 20


def test_that_an_iteration_waits_for_those_of_the_one_before_that_use_its_buffers() -> None:
    rows = [("in", copy_in("x"), 0), ("tanh", kernel("tanh", ["x"], ["y"]), 1), ("out", copy_out("y"), 2)]
    program = compiled(device_plan(rows, [(1, 2), (2, 3)], [seeded("x"), empty("y")]))
    assert iteration_waits(program) == {1: (2,), 2: (1, 3), 3: (2,)}
    spans = by_key(predict(program, GPU, 3).spans())
    for iteration in (1, 2):
        assert spans[1, iteration].start_ns >= spans[2, iteration - 1].end_ns
        assert spans[2, iteration].start_ns >= spans[3, iteration - 1].end_ns


def test_that_every_operation_has_one_span_an_iteration_and_two_predictions_are_the_same() -> None:
    program = compiled(pipeline(4))
    one, other = predict(program, GPU, 5), predict(program, GPU, 5)
    assert one.spans() == other.spans()
    assert sorted(by_key(one.spans())) == sorted((op.task, k) for op in program.operations for k in range(5))
    assert all(span.is_done for span in one.spans())


def test_that_a_prediction_is_the_same_in_blocks_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    program = compiled(pipeline(4))
    whole = predict(program, GPU, 3)
    for rows in (1, 7):
        monkeypatch.setattr(predict_module, "BLOCK_ROWS", rows)
        assert predict(program, GPU, 3).spans() == whole.spans()


def test_that_a_prediction_that_nobody_wants_any_more_ends_with_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict_module, "BLOCK_ROWS", 5)
    wanted = iter((True, True, False))
    program = compiled(pipeline(4))
    some, whole = predict(program, GPU, 1000, lambda: next(wanted)), predict(program, GPU, 2)
    assert some.spans() == whole.spans()[:10]


def test_that_a_profile_with_fewer_lanes_still_predicts() -> None:
    program = hand_made([("k", 0, 10, ()), ("k", 1, 10, ())])
    wide = tuple(replace(op, lanes=99) for op in program.operations)
    assert predict(replace(program, operations=wide), replace(GPU, compute_lanes=2)).end_ns_max == 20


def test_that_a_bound_of_many_iterations_is_that_of_a_few_carried_on() -> None:
    program = compiled(lay_streams(pipeline(2), 1))
    assert bound_ns(program, 10_000_000) == 10_000_000 * sum(op.work_ns for op in program.operations)


def hand_made(rows: list[tuple[str, int, int, tuple[int, ...]]], kinds: tuple[OperationKind, ...] = ()) -> Program:
    """Operations 1, 2, ... from (name, stream, cost, waits), each on a buffer of its own; kernels, unless said."""
    kinds = kinds or (OperationKind.KERNEL,) * len(rows)
    operations = tuple(
        Operation(number, name, kind, stream, waits=waits, cost_ns=cost, work_ns=cost, writes=(f"b{number}",))
        for number, ((name, stream, cost, waits), kind) in enumerate(zip(rows, kinds, strict=True), 1)
    )
    return Program("hand made", ("a", "b", "c"), operations, (), (), engines=GPU.engines)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    count = draw(st.integers(1, 14))
    rows, kinds = [], []
    for number in range(1, count + 1):
        waits = draw(st.sets(st.integers(1, number - 1), max_size=3)) if number > 1 else set()
        rows.append((f"t{number}", draw(st.integers(0, 2)), draw(st.integers(0, 50)), tuple(sorted(waits))))
        kinds.append(draw(st.sampled_from(KINDS)))
    program = hand_made(rows, tuple(kinds))
    shared = [draw(st.sampled_from(("b1", "b2", f"b{op.task}"))) for op in program.operations]
    lanes = [draw(st.integers(1, GPU.compute_lanes)) if op.engine == "compute" else 1 for op in program.operations]
    hidden = [draw(st.integers(0, op.cost_ns)) for op in program.operations]
    once = [draw(st.booleans()) for _ in program.operations]
    rows = zip(program.operations, shared, lanes, hidden, once, strict=True)
    operations = [
        replace(op, writes=(b,), lanes=taken, work_ns=op.cost_ns - less, is_once=is_once)
        for op, b, taken, less, is_once in rows
    ]
    return replace(program, operations=tuple(operations))


@given(programs(), st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_that_a_prediction_lies_between_its_bound_and_the_serial_time(program: Program, repeat: int) -> None:
    timeline = predict(program, GPU, repeat)
    assert bound_ns(program, repeat) <= timeline.end_ns_max <= serial_ns(program, repeat)


@given(programs(), st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_that_a_prediction_keeps_streams_waits_and_lanes(program: Program, repeat: int) -> None:
    timeline = predict(program, GPU, repeat)
    spans = by_key(timeline.spans())
    lanes, taken = dict(GPU.engines), {op.task: op.lanes for op in program.operations}
    last: dict[int, int] = {}
    assert len(spans) == program.count(repeat)
    for iteration in range(repeat):
        for op in (program.again() if iteration else program).operations:
            span = spans[op.task, iteration]
            assert span.duration_ns == op.cost_ns
            assert span.start_ns >= max([0, *(spans[task, iteration].end_ns for task in op.waits)])
            assert span.start_ns >= last.get(op.stream, 0)
            last[op.stream] = span.end_ns
    for span in spans.values():
        beside = [s for s in spans.values() if s.engine == span.engine and s.start_ns <= span.start_ns < s.end_ns]
        assert sum(taken[other.task] for other in beside) <= lanes[span.engine]


@pytest.mark.parametrize("repeat", [1, 2, 7])
def test_that_serial_time_counts_every_iteration(repeat: int) -> None:
    program = hand_made([("a", 0, 3, ()), ("b", 1, 4, ())])
    assert serial_ns(program, repeat) == 7 * repeat


def test_that_a_bound_counts_once_what_runs_once() -> None:
    program = hand_made([("weights", 0, 100, ()), ("frame", 0, 10, ())], (OperationKind.COPY_IN,) * 2)
    once = replace(program, operations=(replace(program.operations[0], is_once=True), program.operations[1]))
    assert [bound_ns(program, repeat) for repeat in (1, 5)] == [110, 550]
    assert [bound_ns(once, repeat) for repeat in (1, 5, 100_000)] == [110, 150, 1_000_100]
    assert (serial_ns(once, 5), predict(once, GPU, 5).end_ns_max) == (150, 150)


CROWDED = replace(GPU, contention=((1.0, 1.0), (2.0, 1.5), (3.0, 3.0)))


def test_that_what_goes_on_at_once_slows_each_other_down_for_as_long_as_it_does() -> None:
    program = hand_made([("a", 0, 30, ()), ("b", 1, 60, ())], (OperationKind.KERNEL, OperationKind.COPY_IN))
    spans = by_key(predict(program, CROWDED).spans())
    # Together 45 ns at 2/3 of the speed, in which each does 30 ns of its work; then the copy is alone for the rest.
    assert (spans[1, 0].start_ns, spans[1, 0].end_ns) == (0, 45)
    assert (spans[2, 0].start_ns, spans[2, 0].end_ns) == (0, 75)


def test_that_each_is_slowed_down_by_what_it_is_bound_by() -> None:
    kinds = (OperationKind.KERNEL, OperationKind.COPY_IN)
    program = hand_made([("a", 0, 40, ()), ("b", 1, 60, ())], kinds)
    bounds = {1: "steps", 2: "bytes"}
    bound = replace(program, operations=tuple(replace(op, bound=bounds[op.task]) for op in program.operations))
    curves = (("steps", ((1.0, 1.0), (2.0, 1.25))), ("bytes", ((1.0, 1.0), (2.0, 2.0))))
    spans = by_key(predict(bound, replace(GPU, contention_by_bound=curves)).spans())
    # The kernel ends after 50 ns, in which the copy does 25 of its 60.
    assert (spans[1, 0].end_ns, spans[2, 0].end_ns) == (50, 85)


@given(programs(), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_that_a_crowd_never_makes_a_prediction_shorter_than_its_bound(program: Program, repeat: int) -> None:
    timeline = predict(program, CROWDED, repeat)
    assert timeline.end_ns_max >= bound_ns(program, repeat)
    assert timeline.end_ns_max <= 3 * serial_ns(program, repeat) + timeline.count
    assert timeline.count == program.count(repeat)


def test_that_a_span_begins_once_its_operation_is_launched() -> None:
    program = hand_made([("a", 0, 10, ()), ("b", 0, 10, ())])
    program = replace(program, operations=tuple(replace(op, launch_ns=4) for op in program.operations))
    assert [(s.start_ns, s.end_ns) for s in predict(program, GPU).spans()] == [(4, 10), (14, 20)]


@given(programs(), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_that_no_more_operations_are_at_work_than_there_are_threads(program: Program, repeat: int, most: int) -> None:
    timeline = predict(program, replace(GPU, most_at_once=most), repeat)
    assert timeline.count == program.count(repeat)
    assert concurrency(timeline.start_ns, timeline.end_ns)[1].max(initial=0) <= most
    if most == 1:
        assert timeline.end_ns_max == serial_ns(program, repeat)


def test_that_a_stream_that_waited_for_another_or_for_a_lane_wakes_up_first() -> None:
    rows = [("a", 0, 10, ()), ("b", 1, 10, (1,)), ("c", 1, 10, ()), ("d", 0, 20, ()), ("e", 2, 10, (1,))]
    kinds = (OperationKind.KERNEL,) * 3 + (OperationKind.COPY_IN,) * 2
    spans = by_key(predict(hand_made(rows, kinds), replace(GPU, wake_latency_ns=3)).spans())
    found = {task: (span.start_ns, span.end_ns) for (task, _), span in spans.items()}
    # d follows at once on a; b woke up for a, and c follows at once on it; e had to wait until d left the only lane.
    assert found == {1: (0, 10), 2: (13, 23), 3: (23, 33), 4: (10, 30), 5: (33, 43)}


def test_that_an_engine_takes_first_what_was_ready_first() -> None:
    rows = [("long", 2, 20, ()), ("short", 1, 10, ()), ("late", 0, 5, (1,)), ("early", 1, 5, ())]
    kinds = (OperationKind.COPY_IN, OperationKind.KERNEL, OperationKind.COPY_OUT, OperationKind.COPY_OUT)
    spans = by_key(predict(hand_made(rows, kinds), GPU).spans())
    assert (spans[4, 0].start_ns, spans[3, 0].start_ns) == (10, 20)
    held = [("hold", 2, 30, ()), ("a", 0, 20, ()), ("b", 1, 10, ()), ("late", 0, 5, ()), ("early", 1, 5, ())]
    kinds = (OperationKind.COPY_OUT, OperationKind.COPY_IN, OperationKind.KERNEL, *(OperationKind.COPY_OUT,) * 2)
    spans = by_key(predict(hand_made(held, kinds), GPU).spans())
    assert (spans[5, 0].start_ns, spans[4, 0].start_ns) == (30, 35)
