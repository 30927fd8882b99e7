"""Random valid plans, and one of each clock built by hand. It asserts nothing."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.model import (
    DAY,
    MOST_TICKS,
    Assignment,
    Buffer,
    Calendar,
    CalendarException,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Fill,
    FillKind,
    Lag,
    LagKind,
    Memory,
    OperationKind,
    OperationSpec,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Shift,
    Task,
    in_outline_order,
)

NAMES = st.text(max_size=12)
INSTANTS = st.one_of(st.integers(-MOST_TICKS, MOST_TICKS), st.integers(0, 2_000_000_000))
DURATIONS = st.one_of(st.integers(0, MOST_TICKS), st.integers(0, 100_000))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
ABOVE_ZERO = st.floats(1e-4, 1e12)

HOUR = 3600
MONDAY = 20_150 * DAY + 8 * HOUR  # 2025-03-03 08:00


def office() -> Plan:
    """A calendar plan: a summary with two linked leaves, and a milestone after it."""
    tasks = (
        Task(1, "Phase"),
        Task(2, "Design", 8 * HOUR, parent=1),
        Task(3, "Build", 16 * HOUR, parent=1),
        Task(4, "Done", is_milestone=True),
        Task(5, "Paint", 4 * HOUR),
    )
    links = (Dependency(2, 3), Dependency(3, 4))
    return Plan("Office", Clock.CALENDAR, MONDAY, tasks, links, Calendar.standard(), next_task_id=6).check()


def pipeline() -> Plan:
    """A device plan: copy in, kernel, copy out of one buffer, on two streams."""
    spec = OperationSpec
    tasks = (
        Task(1, "in", 1000, operation=spec(OperationKind.COPY_IN, reads=("frame",), writes=("frame",))),
        Task(2, "blur", 5000, operation=spec(OperationKind.KERNEL, "spin", (("ns", 5.0),), ("frame",), ("frame",))),
        Task(3, "out", 1000, operation=spec(OperationKind.COPY_OUT, reads=("frame",), writes=("frame",))),
    )
    streams = (Resource(1, "stream 1", ResourceKind.STREAM), Resource(2, "stream 2", ResourceKind.STREAM))
    return Plan(
        "Pipeline",
        Clock.DEVICE,
        tasks=tasks,
        dependencies=(Dependency(1, 2), Dependency(2, 3)),
        resources=streams,
        assignments=(Assignment(1, 1), Assignment(2, 1), Assignment(3, 2)),
        buffers=(Buffer("frame", (64, 64), fill=Fill(FillKind.SEED, 7)),),
        next_task_id=4,
    ).check()


@st.composite
def shifts(draw: st.DrawFn) -> Shift:
    start = draw(st.integers(0, DAY - 1))
    return Shift(start, draw(st.integers(start + 1, DAY)))


@st.composite
def exceptions(draw: st.DrawFn) -> CalendarException:
    first = draw(st.integers(-1000, 50_000))
    last = first + draw(st.integers(0, 400))
    return CalendarException(first, last, tuple(draw(st.lists(shifts(), max_size=2))), draw(NAMES))


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    week = [tuple(draw(st.lists(shifts(), max_size=2))) for _ in range(7)]
    if not any(week):
        week[0] = (Shift(0, DAY),)
    found = draw(st.lists(exceptions(), max_size=3))
    return Calendar(draw(st.integers(0, 99)), draw(NAMES), tuple(week), tuple(found))


@st.composite
def buffers(draw: st.DrawFn, name: str) -> Buffer:
    kind = draw(st.sampled_from(FillKind))
    file = draw(st.sampled_from(("a.npy", "frames/a b.npy"))) if kind is FillKind.FILE else ""
    return Buffer(
        name,
        tuple(draw(st.lists(st.integers(1, 64), max_size=4))),
        draw(st.sampled_from(("float32", "complex64", "uint8", "bool"))),
        draw(st.sampled_from(Memory)),
        Fill(kind, draw(st.integers(0, (1 << 63) - 1)), file),
    )


@st.composite
def operations(draw: st.DrawFn, names: tuple[str, ...]) -> OperationSpec:
    some = st.lists(st.sampled_from(names), max_size=3).map(tuple) if names else st.just(())
    parameters = draw(st.lists(st.tuples(NAMES, FINITE), max_size=2).map(tuple))
    return OperationSpec(
        draw(st.sampled_from(OperationKind)), draw(NAMES), parameters, draw(some), draw(some), draw(st.booleans())
    )


@st.composite
def tasks_of(draw: st.DrawFn, names: tuple[str, ...]) -> tuple[Task, ...]:
    ids = draw(st.lists(st.integers(1, 1000), max_size=8, unique=True))
    parents = [draw(st.none() | st.sampled_from(ids[:row])) if row else None for row in range(len(ids))]
    return in_outline_order(
        Task(
            task_id,
            draw(NAMES),
            draw(DURATIONS),
            parent,
            draw(st.booleans()),
            draw(st.booleans()),
            draw(st.sampled_from(ConstraintKind)),
            draw(INSTANTS),
            None if task_id in parents else draw(st.none() | operations(names)),
            draw(NAMES),
        )
        for task_id, parent in zip(ids, parents, strict=True)
    )


def is_inside(tasks: dict[int, Task], inner: int, outer: int) -> bool:
    parent: int | None = inner
    while parent is not None:
        if parent == outer:
            return True
        parent = tasks[parent].parent
    return False


@st.composite
def links_of(draw: st.DrawFn, tasks: tuple[Task, ...]) -> tuple[Dependency, ...]:
    """Links that run down the rows; between summaries and their own tasks there are none."""
    known = {task.id: task for task in tasks}
    ids = [task.id for task in tasks]
    pairs = [(a, b) for row, a in enumerate(ids) for b in ids[row + 1 :] if not is_inside(known, b, a)]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=6)) if pairs else []
    links = {}
    for before, after in chosen:
        kind = draw(st.sampled_from(LagKind))
        amount = draw(st.integers(-500, 500) if kind.is_percent else INSTANTS)
        link = Dependency(before, after, draw(st.sampled_from(DependencyKind)), Lag(amount, kind))
        links[link.key] = link
    return tuple(links.values())


@st.composite
def assignments_of(draw: st.DrawFn, tasks: tuple[Task, ...], resources: tuple[Resource, ...]) -> tuple[Assignment, ...]:
    found = {}
    for task in tasks:
        for resource in draw(st.lists(st.sampled_from(resources), max_size=2)) if resources else ():
            key = "stream" if resource.kind is ResourceKind.STREAM else resource.id
            found[task.id, key] = Assignment(task.id, resource.id, draw(ABOVE_ZERO))
    return tuple(found.values())


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Any plan that keeps its own rules; its dates may lie where no calendar reaches."""
    clock = draw(st.sampled_from(Clock))
    names = tuple(draw(st.lists(NAMES, max_size=3, unique=True)))
    tasks = draw(tasks_of(names))
    kinds = st.tuples(NAMES, st.sampled_from(ResourceKind), ABOVE_ZERO)
    resources = tuple(Resource(n, *columns) for n, columns in enumerate(draw(st.lists(kinds, max_size=4)), start=3))
    return Plan(
        name=draw(NAMES),
        clock=clock,
        start=draw(INSTANTS),
        tasks=tasks,
        dependencies=draw(links_of(tasks)),
        calendar=draw(calendars() if clock is Clock.CALENDAR else st.none() | calendars()),
        resources=resources,
        assignments=draw(assignments_of(tasks, resources)),
        buffers=tuple(draw(buffers(name)) for name in names),
        settings=PlanSettings(draw(NAMES), draw(st.floats(0.25, 24.0))),
        next_task_id=1001 + draw(st.integers(0, 5)),
    ).check()
