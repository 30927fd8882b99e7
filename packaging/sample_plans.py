"""The calendar plans of the Welcome page: an assembly line, a software release, a data center. Never run by the app."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from sample_risks import with_risks

from engine.model import (
    DAY,
    Alternative,
    Assignment,
    Calendar,
    CalendarException,
    Changeover,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Shift,
    Task,
)
from engine.optimize.evaluate import evaluate
from engine.optimize.from_plan import problem_of
from engine.optimize.problem import Solution
from engine.optimize.to_plan import decisions_of
from engine.schedule.cpm import schedule
from engine.session.solution_edits import take

HOUR = 3600
EPOCH = datetime(1970, 1, 1)
FS, SS, FF = DependencyKind.FS, DependencyKind.SS, DependencyKind.FF


def at(text: str) -> int:
    """Ticks of an instant such as "2026-03-02 08:00"."""
    return int((datetime.fromisoformat(text) - EPOCH).total_seconds())


@dataclass
class Draft:
    """A plan being written; each method returns the id it gave out."""

    tasks: list[Task] = field(default_factory=list)
    links: list[Dependency] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)

    def resource(self, name: str, kind: ResourceKind) -> int:
        self.resources.append(Resource(len(self.resources) + 1, name, kind))
        return len(self.resources)

    def summary(self, name: str) -> int:
        self.tasks.append(Task(len(self.tasks) + 1, name))
        return len(self.tasks)

    def task(self, name: str, hours: float, parent: int | None = None, on: int = 0, after: tuple[int, ...] = ()) -> int:
        number = len(self.tasks) + 1
        self.tasks.append(Task(number, name, round(hours * HOUR), parent, is_milestone=hours == 0))
        if on:
            self.assignments.append(Assignment(number, on))
        self.links += [Dependency(before, number) for before in after]
        return number

    def link(self, before: int, after: int, kind: DependencyKind = FS, hours: float = 0) -> None:
        self.links.append(Dependency(before, after, kind, Lag(round(hours * HOUR))))

    def pin(self, task: int, instant: str) -> None:
        kind = ConstraintKind.START_NO_EARLIER_THAN
        self.tasks[task - 1] = replace(self.tasks[task - 1], constraint=kind, constraint_at=at(instant))

    def plan(self, name: str, start: str, calendar: Calendar, hours_per_day: float = 8.0) -> Plan:
        return Plan(
            name,
            Clock.CALENDAR,
            at(start),
            tuple(self.tasks),
            tuple(self.links),
            calendar,
            tuple(self.resources),
            tuple(self.assignments),
            settings=PlanSettings(hours_per_day=hours_per_day),
            next_task_id=len(self.tasks) + 1,
        ).check()


_FIXTURES = ("block", "housing", "shaft")
_COLORS = ("blue", "gray", "red")
_MINUTE = 60


def assembly_line() -> Plan:
    """Six orders over six machines in two shifts, with set-ups between families, due dates and a second lathe.

    Orders stand on each machine as a planner put them who took one after the other, and no set-up is forgotten.
    """
    draft = Draft()
    names = ("Saw", "Lathe", "Mill", "Paint", "Assembly", "Lathe 2")
    machines = [draft.resource(name, ResourceKind.MACHINE) for name in names]
    orders = {
        "Pump housing": (((0, 3), (1, 5), (2, 4), (3, 2), (4, 4)), "housing", "blue", "2026-03-04 14:00"),
        "Drive shaft": (((0, 2), (1, 6), (2, 2), (4, 3)), "shaft", "", "2026-03-03 18:00"),
        "Gear set": (((1, 4), (2, 6), (3, 2), (4, 5)), "shaft", "gray", "2026-03-04 22:00"),
        "Motor mount": (((0, 4), (2, 3), (3, 3), (4, 2)), "housing", "blue", "2026-03-04 10:00"),
        "Valve block": (((0, 2), (2, 7), (1, 3), (3, 2), (4, 3)), "block", "red", "2026-03-05 12:00"),
        "Flange": (((0, 1), (1, 2), (3, 1), (4, 2)), "shaft", "gray", "2026-03-03 12:00"),
    }
    steps = {0: "saw", 1: "turn", 2: "mill", 3: "paint", 4: "assemble"}
    placed: list[tuple[int, int]] = []
    others: list[Alternative] = []
    for order, (name, (route, fixture, color, due)) in enumerate(orders.items(), 1):
        parent = draft.summary(f"Order {order} · {name}")
        before: tuple[int, ...] = ()
        for position, (machine, hours) in enumerate(route):
            task = draft.task(steps[machine], hours, parent, machines[machine], before)
            family = {1: fixture, 2: fixture, 3: color}.get(machine, "")
            draft.tasks[-1] = replace(draft.tasks[-1], family=family)
            if machine == 1:  # the second lathe is an old one
                others.append(Alternative(task, machines[5], duration=round(1.5 * hours * HOUR)))
            placed.append((position * 10 + order, task))
            before = (task,)
        shipped = draft.task("shipped", 0, parent)
        draft.tasks[-1] = replace(draft.tasks[-1], deadline=at(due))
        draft.link(before[0], shipped)
        placed.append((1000 + order, shipped))
    day = (Shift(6 * HOUR, 14 * HOUR), Shift(14 * HOUR, 22 * HOUR))
    plan = draft.plan("Assembly line", "2026-03-02 06:00", Calendar(1, "Two shifts", (day,) * 5 + ((), ())), 16)
    setups = (
        Changeover(1, "Fixtures", _FIXTURES, ((0, 45, 60), (45, 0, 30), (60, 30, 0))),
        Changeover(2, "Colors", _COLORS, ((0, 45, 30), (30, 0, 20), (90, 60, 0))),
    )
    setups = tuple(replace(s, ticks=tuple(tuple(m * _MINUTE for m in row) for row in s.ticks)) for s in setups)
    used = {machines[1]: (1, "shaft"), machines[2]: (1, "housing"), machines[3]: (2, "gray"), machines[5]: (1, "block")}
    resources = tuple(
        replace(r, changeover=used[r.id][0], setup=used[r.id][1]) if r.id in used else r for r in plan.resources
    )
    plan = replace(plan, resources=resources, changeovers=setups, alternatives=tuple(others)).check()
    return _in_order(plan, [task for _, task in sorted(placed)])


def _in_order(plan: Plan, order: list[int]) -> Plan:
    """The plan in which tasks were placed in this order, each where it is and at the first instant that is free."""
    case = problem_of(plan, schedule(plan))
    places = {task: place for place, task in enumerate(case.tasks)}
    listed = np.array([places[task] for task in order], np.int32)
    found = evaluate(case.problem, Solution(case.problem.current_mode.copy(), listed))
    return take(case, decisions_of(case, found)).plan


def software_release() -> Plan:
    """A release by five people over weekends and a holiday, with overlapping work and a pinned freeze."""
    draft = Draft()
    ana, ben, chi, dora, eli = (
        draft.resource(name, ResourceKind.WORK) for name in ("Ana", "Ben", "Chi", "Dora", "Eli")
    )
    discover = draft.summary("Discover")
    talks = draft.task("Talk to users", 24, discover, ana)
    scope = draft.task("Write the scope", 16, discover, ana, (talks,))
    agreed = draft.task("Scope agreed", 0, discover, after=(scope,))
    build = draft.summary("Build")
    design = draft.task("Design the editor", 40, build, dora, (agreed,))
    store = draft.task("Storage and undo", 56, build, ben, (agreed,))
    chart = draft.task("Chart and gestures", 80, build, chi)
    draft.link(design, chart, SS, 16)
    sync = draft.task("Sync service", 64, build, eli, (store,))
    complete = draft.task("Feature complete", 0, build, after=(chart, sync))
    test = draft.summary("Test and release")
    cases = draft.task("Write test cases", 32, test, ana, (agreed,))
    rounds = draft.task("Test rounds", 64, test, ana)
    draft.link(cases, rounds)
    draft.link(chart, rounds, SS, 40)
    draft.link(complete, rounds, FF, 24)
    fixes = draft.task("Fix what tests find", 48, test, ben)
    draft.link(rounds, fixes, SS, 24)
    draft.link(rounds, fixes, FF, 8)
    guide = draft.task("User guide", 40, test, dora, (design,))
    draft.link(complete, guide, FF, 16)
    freeze = draft.task("Code freeze", 0, test, after=(fixes,))
    draft.pin(freeze, "2026-04-10 17:00")
    publish = draft.task("Package and publish", 16, test, eli, (freeze, guide))
    draft.task("Released", 0, test, after=(publish,))
    easter = (CalendarException(*(at(f"2026-04-{day:02} 00:00") // DAY for day in days)) for days in ((3, 3), (6, 6)))
    calendar = replace(Calendar.standard(), exceptions=tuple(replace(day, name="Easter") for day in easter))
    return with_risks(draft.plan("Software release", "2026-03-02 08:00", calendar), at("2026-04-16 17:00"))


def data_center() -> Plan:
    """Jobs and virtual machines on three nodes around the clock, with a maintenance window."""
    draft = Draft()
    nodes = [draft.resource(f"Node {letter}", ResourceKind.MACHINE) for letter in "ABC"]
    web = draft.summary("Web shop moves to new virtual machines")
    image = draft.task("Build the image", 1.5, web, nodes[0])
    starts = [draft.task(f"Start vm-{n}", 0.25, web, nodes[n % 3], (image,)) for n in range(3)]
    checks = draft.task("Health checks", 0.75, web, nodes[0], tuple(starts))
    switch = draft.task("Traffic switched", 0, web, after=(checks,))
    stops = [draft.task(f"Stop old vm-{n}", 0.25, web, nodes[n % 3]) for n in range(3)]
    for stop in stops:
        draft.link(switch, stop, FS, 2)
    night = draft.summary("Nightly batch")
    extract = draft.task("Extract orders", 2, night, nodes[1])
    draft.pin(extract, "2026-03-02 22:00")
    shards = [draft.task(f"Aggregate shard {n}", 3 + n, night, nodes[n % 3], (extract,)) for n in range(3)]
    merge = draft.task("Merge and index", 1.5, night, nodes[1], tuple(shards))
    report = draft.task("Reports ready", 0, night, after=(merge,))
    upkeep = draft.summary("Maintenance of node C")
    drain = draft.task("Drain node C", 1, upkeep, nodes[2], (report, stops[2]))
    patch = draft.task("Firmware and reboot", 1.25, upkeep, nodes[2], (drain,))
    burn = draft.task("Memory test", 4, upkeep, nodes[2], (patch,))
    back = draft.task("Node C back", 0, upkeep, after=(burn,))
    train = draft.summary("Model training on the whole cluster")
    stage = draft.task("Stage the data set", 5, train, nodes[0], (report,))
    epochs = [draft.task(f"Train part {n}", 9, train, nodes[n], (stage,)) for n in range(3)]
    draft.link(back, epochs[2])
    draft.task("Evaluate", 2, train, nodes[0], tuple(epochs))
    always = Calendar(1, "Around the clock", ((Shift(0, DAY),),) * 7)
    return draft.plan("Data center", "2026-03-02 18:00", always, 24)
