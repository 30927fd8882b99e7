"""From a device plan to a program, and the sentences that refuse one."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import CompileError, MissingLinkError
from engine.model import (
    Assignment,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    OperationKind,
    OperationSpec,
    Plan,
)
from engine.program.compiler import compile_plan, lay_streams
from engine.program.operation import Program
from engine.program.profile import estimate_durations
from engine.schedule.cpm import schedule
from tests.engine.program.plans import (
    CPU,
    GPU,
    compiled,
    copy_in,
    copy_out,
    device_plan,
    empty,
    host,
    kernel,
    pipeline,
    seeded,
)

TANH = kernel("tanh", ["x"], ["y"])


def refusal(plan: Plan) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compiled(plan)
    assert caught.value.sentence.endswith(".")
    return caught.value


def test_that_a_pipeline_becomes_operations_in_order_on_its_streams() -> None:
    program = compiled(pipeline(3))
    assert [[op.name for op in operations] for operations in program.by_stream()] == [
        ["weights", "copy in 0", "filter 0", "copy out 0"],
        ["copy in 1", "filter 1", "copy out 1"],
        ["copy in 2", "filter 2", "copy out 2"],
    ]
    assert program.outputs == ("out 0", "out 1", "out 2")
    waits = {op.name: op.waits for op in program.operations if op.waits}
    assert waits == {"filter 1": (1,), "filter 2": (1,)}
    copy = program.operations[0]
    assert (copy.engine, copy.nbytes, copy.parts) == ("copy_in", 36, 1)


def test_that_an_operation_carries_all_parameters_and_its_cost_and_lanes() -> None:
    plan = device_plan(
        [("in", copy_in("x"), 0), ("sum", kernel("saxpy", ["x", "x"], ["y"], alpha=0.5), 0)],
        buffers=[seeded("x"), empty("y")],
    )
    operation = compiled(plan).operations[1]
    assert dict(operation.parameters) == {"alpha": 0.5, "beta": 1.0}
    assert operation.cost_ns == estimate_durations(plan, GPU)[2]
    assert operation.lanes == GPU.compute_lanes // 2


def test_that_a_typed_duration_is_the_cost_but_does_not_change_the_parts() -> None:
    spin = kernel("spin", ["x"], ["y"], microseconds=35_000)
    plan = device_plan([("in", copy_in("x"), 0), ("spin", spin, 0)], buffers=[seeded("x"), empty("y")])
    typed = plan.with_task(replace(plan.task(2), duration=77, is_duration_typed=True))
    before, after = compiled(plan, CPU).operations[1], compiled(typed, CPU).operations[1]
    assert after.cost_ns == 77
    assert after.parts == before.parts == 4


def test_that_a_memset_is_served_by_the_kernel_memset() -> None:
    spec = OperationSpec(OperationKind.MEMSET, parameters=(("value", 2.0),), writes=("x",))
    plan = device_plan([("set", spec, 0), ("out", copy_out("x"), 0)], buffers=[empty("x")])
    operation = compiled(plan).operations[0]
    assert (operation.kernel, dict(operation.parameters), operation.engine) == ("memset", {"value": 2.0}, "compute")


def test_that_a_large_copy_is_split() -> None:
    plan = device_plan([("in", copy_in("x"), 0)], buffers=[seeded("x", (50_000_000,))])
    assert compiled(plan, CPU).operations[0].parts == 3


def test_that_a_milestone_passes_order_on() -> None:
    rows = [("in", copy_in("x"), 0), ("loaded", None, None), ("again", None, None), ("tanh", TANH, 1)]
    plan = device_plan(rows, [(1, 2), (2, 3), (3, 4)], [seeded("x"), empty("y")])
    assert compiled(plan).operations[-1].waits == (1,)


def test_that_a_milestone_on_a_stream_passes_order_on() -> None:
    rows = [("in", copy_in("x"), 0), ("loaded", None, 1), ("tanh", TANH, 1)]
    plan = device_plan(rows, [(1, 2)], [seeded("x"), empty("y")])
    with pytest.raises(MissingLinkError):
        compiled(plan)
    assert compiled(device_plan(rows, [(1, 2), (2, 3)], plan.buffers)).operations[-1].waits == (1,)


def test_that_a_link_to_a_summary_holds_for_all_its_leaves() -> None:
    plan = device_plan(
        [("in", copy_in("x"), 0), ("work", None, None), ("tanh", TANH, 1), ("out", copy_out("x"), 2)],
        [(1, 2)],
        [seeded("x"), empty("y")],
    )
    tasks = tuple(replace(t, parent=2, is_milestone=False) if t.id > 2 else t for t in plan.tasks)
    program = compiled(replace(plan, tasks=tasks).check())
    assert {op.name: op.waits for op in program.operations} == {"in": (), "tanh": (1,), "out": (1,)}


def test_that_waits_that_follow_from_others_are_left_out() -> None:
    rows = [("in", copy_in("x"), 0), ("tanh", TANH, 1), ("out", copy_out("y"), 2)]
    program = compiled(device_plan(rows, [(1, 2), (2, 3), (1, 3)], [seeded("x"), empty("y")]))
    assert program.operations[2].waits == (2,)


def test_that_a_pin_changes_the_order_on_a_stream() -> None:
    rows = [("a", copy_in("x"), 0), ("b", copy_in("y"), 0)]
    plan = device_plan(rows, buffers=[seeded("x"), seeded("y")])
    assert [op.name for op in compiled(plan).operations] == ["a", "b"]
    pin = replace(plan.task(1), constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=10**9)
    assert [op.name for op in compiled(plan.with_task(pin)).operations] == ["b", "a"]


def test_that_operations_without_length_keep_the_order_of_their_links() -> None:
    rows = [("out", copy_out("x"), 0), ("in", copy_in("x"), 0)]
    plan = device_plan(rows, [(2, 1)], [seeded("x")])
    for task in plan.tasks:
        plan = plan.with_task(replace(task, duration=0, is_duration_typed=True))
    assert [op.name for op in compiled(plan).operations] == ["in", "out"]


def test_that_a_calendar_plan_is_refused() -> None:
    plan = Plan("house", Clock.CALENDAR, calendar=Calendar.standard())
    assert refusal(plan).sentence == "“house” is a calendar plan; a run needs a device plan."


def test_that_a_plan_without_operations_is_refused() -> None:
    assert "no operation" in refusal(device_plan([("start", None, None)])).sentence


def test_that_a_kernel_that_does_not_exist_is_refused_by_task_and_name() -> None:
    plan = device_plan([("go", kernel("tahn", ["x"], ["y"]), 0)], buffers=[empty("x"), empty("y")])
    error = refusal(plan)
    assert error.sentence == "“go” cannot run. There is no kernel named “tahn”."
    assert error.ids == (1,)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (kernel("tanh", ["x"], ["z"]), "the buffer “z”, which is not in the plan"),
        (kernel("tanh", ["x", "x"], ["y"]), "1 to read and 1 to write, not 2 and 1"),
        (kernel("tanh", ["x"], ["small"]), "must have one shape"),
        (kernel("tanh", ["x"], ["double"]), "must hold float32"),
        (kernel("tanh", ["x"], ["y"], speed=3), "no parameter “speed”"),
        (kernel("particles", ["x", "x"], ["y", "y"]), "write one buffer twice"),
        (kernel("spin", ["x"], ["x"]), "while it reads it"),
        (host("", ["x"], ["y"]), "no kernel named “”"),
        (OperationSpec(OperationKind.COPY_IN, reads=("x",), writes=("y",)), "two sides of one buffer"),
        (OperationSpec(OperationKind.COPY_OUT, reads=("x",)), "reads one buffer and writes one"),
        (OperationSpec(OperationKind.COPY_WITHIN, reads=("x",), writes=("x",)), "onto itself"),
        (OperationSpec(OperationKind.COPY_WITHIN, reads=("x",), writes=("small",)), "differs in shape or dtype"),
    ],
)
def test_that_an_operation_that_does_not_fit_its_buffers_is_refused(spec: OperationSpec, words: str) -> None:
    buffers = [empty("x"), empty("y"), empty("small", (3,)), empty("double", dtype="float64")]
    error = refusal(device_plan([("go", spec, 0)], buffers=buffers))
    assert words in error.sentence
    assert error.sentence.startswith("“go” cannot run. ")
    assert error.ids == (1,)


def test_that_an_operation_needs_one_stream() -> None:
    plan = device_plan([("in", copy_in("x"), None)], buffers=[seeded("x")])
    assert refusal(plan).sentence == "“in” has an operation but no stream; assign it to one."
    twice = replace(plan, assignments=(Assignment(1, 100), Assignment(1, 101)))
    assert refusal(twice).sentence == "“in” is on 2 streams; an operation runs on one."
    assert refusal(lay_streams(twice, 1)).ids == (1,)


def test_that_a_leaf_with_a_duration_but_no_operation_is_refused() -> None:
    plan = device_plan([("in", copy_in("x"), 0), ("think", None, None)], buffers=[seeded("x")])
    error = refusal(plan.with_task(replace(plan.task(2), duration=5, is_duration_typed=True)))
    assert error.sentence == "“think” has a duration but no operation to run."
    assert error.ids == (2,)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        (Dependency(1, 2, DependencyKind.SS), "as SS"),
        (Dependency(1, 2, DependencyKind.FF), "as FF"),
        (Dependency(1, 2, lag=Lag(5)), "with a lag"),
        (Dependency(1, 2, lag=Lag(-5, LagKind.PERCENT)), "with a lag"),
    ],
)
def test_that_links_a_run_cannot_keep_are_refused(link: Dependency, words: str) -> None:
    plan = device_plan([("a", copy_in("x"), 0), ("b", TANH, 1)], [link], [seeded("x"), empty("y")])
    error = refusal(plan)
    assert words in error.sentence
    assert "“a” and “b”" in error.sentence
    assert error.ids == (1, 2)


def test_that_a_race_names_both_tasks_and_the_buffer_and_its_link_mends_it() -> None:
    plan = device_plan([("in", copy_in("x"), 0), ("tanh", TANH, 1)], buffers=[seeded("x"), empty("y")])
    with pytest.raises(MissingLinkError) as caught:
        compiled(plan)
    assert caught.value.sentence == (
        "“in” and “tanh” both use the device side of the buffer “x”, and nothing says which comes first."
        " Link “in” to “tanh”."
    )
    assert caught.value.ids == (1, 2)
    mended = replace(plan, dependencies=(Dependency(*caught.value.ids),))
    assert [op.name for op in compiled(mended).operations] == ["in", "tanh"]


def test_that_what_runs_once_orders_nothing_in_the_passes_after_the_first() -> None:
    once = replace(copy_in("w"), is_once=True)
    rows = [("in", copy_in("x"), 0), ("weights", once, 1), ("tanh", TANH, 2)]
    plan = device_plan(rows, [(1, 2), (2, 3)], [seeded("x"), seeded("w"), empty("y")])
    with pytest.raises(MissingLinkError, match=r"“in” and “tanh” .* which comes first in the passes after the first"):
        compiled(plan)
    mended = compiled(replace(plan, dependencies=(*plan.dependencies, Dependency(1, 3))))
    assert {op.name: op.waits for op in mended.operations} == {"in": (), "weights": (1,), "tanh": (1, 2)}
    assert {op.name: op.waits for op in mended.again().operations} == {"in": (), "tanh": (1,)}


def test_that_two_readers_do_not_race_and_the_two_sides_of_a_buffer_are_apart() -> None:
    rows = [("in", copy_in("x"), 0), ("tanh", TANH, 1), ("more", kernel("tanh", ["x"], ["z"]), 2)]
    rows += [("host", host("saxpy", ["a", "a"], ["a"]), 2)]
    plan = device_plan(rows, [(1, 2), (1, 3)], [seeded("x"), empty("y"), empty("z"), seeded("a")])
    assert len(compiled(plan).operations) == 4


def test_that_reading_a_side_that_nothing_wrote_is_refused() -> None:
    plan = device_plan([("tanh", TANH, 0)], buffers=[seeded("x"), empty("y")])
    assert refusal(plan).sentence == "“tanh” reads the device side of “x” before anything was written there."
    plan = device_plan([("in", copy_in("x"), 0)], buffers=[empty("x")])
    assert refusal(plan).sentence == "“in” reads the host side of “x” before anything was written there."


def test_that_a_schedule_whose_stream_order_contradicts_the_links_is_refused() -> None:
    plan = device_plan([("in", copy_in("x"), 0), ("tanh", TANH, 0)], [(1, 2)], [seeded("x"), empty("y")])
    wrong = replace(schedule(plan), stream_links=((2, 1),))
    with pytest.raises(CompileError, match="contradict each other: “in”, “tanh”"):
        compile_plan(plan, wrong, GPU)


def test_that_streams_are_laid_onto_fewer_in_turn() -> None:
    plan = pipeline(6)
    two = lay_streams(plan, 2)
    assert [stream.name for stream in two.streams] == ["stream 0", "stream 1"]
    assert two.stream_of[1] == two.stream_of[8] == 100
    assert len(compiled(two).operations) == len(compiled(plan).operations)
    assert lay_streams(plan, 3) is plan
    assert lay_streams(plan, 99) is plan
    with pytest.raises(CompileError, match="at least one stream, not 0"):
        lay_streams(plan, 0)


def chain_plans() -> st.SearchStrategy[Plan]:
    """Random links (each to a later row) between copies of buffers of their own, on random streams, with milestones."""

    @st.composite
    def build(draw: st.DrawFn) -> Plan:
        count = draw(st.integers(1, 12))
        streams = draw(st.lists(st.integers(-1, 2), min_size=count, max_size=count))
        pairs = [(a, b) for a in range(1, count + 1) for b in range(a + 1, count + 1)]
        links = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=15)) if pairs else []
        copies = [replace(copy_in(f"b{n}"), is_once=draw(st.booleans())) for n in range(count + 1)]
        rows = [
            (f"t{n}", copies[n] if stream >= 0 else None, stream if stream >= 0 else None)
            for n, stream in enumerate(streams, 1)
        ]
        rows.append(("last", copy_in("b0"), 0))
        order = draw(st.permutations(range(count + 1)))
        plan = device_plan(rows, links, [seeded(f"b{n}", (n + 1,)) for n in range(count + 1)])
        return replace(plan, tasks=tuple(plan.tasks[i] for i in order))

    return build()


@given(chain_plans())
@settings(max_examples=150, deadline=None)
def test_that_the_order_respects_every_link_and_every_stream(plan: Plan) -> None:
    planned = schedule(plan, estimate_durations(plan, GPU))
    program = compile_plan(plan, planned, GPU)
    position = {op.task: index for index, op in enumerate(program.operations)}
    assert set(position) == {task.id for task in plan.tasks if task.operation is not None}
    before = all_before(program)
    assert all(position[task] < position[op.task] for op in program.operations for task in before[op.task])
    wanted = wanted_before(plan)
    for task in position:
        assert wanted[task] & set(position) - {task} <= before[task]
    for first, second in planned.stream_links:
        if first in position and second in position:
            assert first in before[second]
    for operations in program.by_stream():
        starts = [planned.start_of(op.task) for op in operations]
        assert all(one <= other for one, other in pairwise(starts))


@given(chain_plans())
@settings(max_examples=150, deadline=None)
def test_that_later_passes_respect_every_link_that_does_not_lead_through_what_runs_once(plan: Plan) -> None:
    again = compiled(plan).again()
    once = {task.id for task in plan.tasks if task.operation is not None and task.operation.is_once}
    assert once.isdisjoint(op.task for op in again.operations)
    links = [link for link in plan.dependencies if once.isdisjoint((link.predecessor, link.successor))]
    before, wanted = all_before(again), wanted_before(replace(plan, dependencies=tuple(links)))
    for task in before:
        assert wanted[task] & set(before) - {task} <= before[task]


def all_before(program: Program) -> dict[int, set[int]]:
    """What has ended when each operation starts, by waits and streams."""
    before: dict[int, set[int]] = {}
    last: dict[int, int] = {}
    for op in program.operations:
        direct = [*op.waits, *([last[op.stream]] if op.stream in last else [])]
        before[op.task] = set(direct).union(*(before[task] for task in direct))
        last[op.stream] = op.task
    return before


def wanted_before(plan: Plan) -> dict[int, set[int]]:
    """The closure over links, milestones included, the slow way."""
    wanted = {task.id: {task.id} for task in plan.tasks}
    for _ in plan.tasks:
        for link in plan.dependencies:
            wanted[link.successor] |= wanted[link.predecessor]
    return wanted


def test_that_two_thousand_operations_are_compiled_with_all_checks() -> None:
    program = compiled(pipeline(700))
    assert len(program.operations) == 2101
    assert compiled(pipeline(700)) == program
