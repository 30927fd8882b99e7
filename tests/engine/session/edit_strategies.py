"""Random edits of every kind there is, for a plan of either clock. They assert nothing."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import engine.session
from engine.model import (
    DAY,
    Alternative,
    Assignment,
    Baseline,
    Calendar,
    CalendarException,
    Changeover,
    ConstraintKind,
    Dependency,
    DependencyKind,
    DriverCorrelation,
    Impact,
    KernelSpec,
    Lag,
    LagKind,
    OperationKind,
    OperationSpec,
    Plan,
    PlanRisks,
    PlanSettings,
    Recorded,
    Recurrence,
    RecurrenceKind,
    Resource,
    ResourceKind,
    RiskDriver,
    RiskEvent,
    Shift,
    Split,
    Spread,
    SpreadKind,
    SpreadPreset,
    Transport,
    Way,
)
from engine.program.advice import Advice
from engine.program.changes import PinMemory, Reorder, Restream, Unlink
from engine.risk.changes import Take, TakeKind
from engine.session.calendar_edits import AddCalendar, AddHolidays, ChangeCalendar, RemoveCalendar
from engine.session.cell_edits import AddTasks, SetDuration, SetFinish, SetNotes, SetPriority, SetStaff
from engine.session.date_edits import (
    ApplyDelays,
    ClearDelays,
    PinRecorded,
    SetCalendar,
    SetConstraint,
    SetDeadline,
    SetProgress,
)
from engine.session.device_edits import AssignStream, SetOperation, TakeAdvice, TakeKit
from engine.session.duplicating import DuplicateTasks
from engine.session.edits import (
    AddLink,
    AddTask,
    ChangeLink,
    Edit,
    MoveTask,
    MoveTasks,
    RemoveLink,
    RemovePin,
    RemoveTask,
    RemoveTasks,
    RenameTask,
    ResizeTask,
    SetName,
)
from engine.session.experience import Experience, TakeExperience
from engine.session.pasting import PasteCells
from engine.session.plan_edits import (
    RemoveBaseline,
    SetBaseline,
    SetPredecessors,
    SetSettings,
    SetStart,
    TakePlan,
    Together,
)
from engine.session.recurring import InsertRecurring
from engine.session.resource_edits import AddResource, AssignResource, ChangeResource, RemoveResource, UnassignResource
from engine.session.risk_edits import (
    SetDriverLoadings,
    SetFamilySpread,
    SetLagUncertainty,
    SetRiskDrivers,
    SetRiskEvents,
    SetSpreadPresets,
    SetTaskChance,
    SetThreePoints,
    SetUncertainty,
)
from engine.session.row_edits import IndentTasks, MoveRows, OutdentTasks
from engine.session.shape_edits import JoinTask, ResizeStart, SplitTask
from engine.session.shop_edits import (
    ChangeMachine,
    PutChangeover,
    RemoveChangeover,
    SetAlternatives,
    SetFamily,
    SetFence,
    SetSkill,
    SetTransports,
    SetUnbreakable,
)
from engine.session.solution_edits import ApplySolution
from engine.session.take_edits import MakeTakes
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

TASKS = st.integers(1, 8)
RULES = st.builds(
    Recurrence, st.sampled_from(RecurrenceKind), st.integers(1, 3), st.just((0, 2)), occurrences=st.integers(0, 4)
)
SEVERAL = st.lists(TASKS, min_size=1, max_size=3).map(tuple)
RESOURCES = st.integers(1, 3)
NAMES = st.sampled_from(("Ann", "Bob", "stream 1", "", " x "))
INSTANTS = st.integers(0, 20).map(lambda days: MONDAY + days * DAY) | st.integers(0, 50_000)
SOON = st.integers(0, 30).map(lambda hours: MONDAY + hours * HOUR)
LENGTHS = st.integers(-1, 100_000)
LAGS = st.builds(
    Lag, st.integers(-5, 50).map(lambda hours: hours * HOUR), st.sampled_from((LagKind.WORKING, LagKind.ELAPSED))
)
LINKS = st.builds(Dependency, TASKS, TASKS, st.sampled_from(DependencyKind), st.just(Lag()) | LAGS)
KNOWN_LINKS = st.sampled_from((*office().dependencies, *pipeline().dependencies))
OFF = st.integers(20_150, 20_170).map(lambda day: CalendarException(day, day, (), "off"))
CALENDARS = st.builds(
    Calendar,
    st.integers(1, 4),
    NAMES,
    st.just(((Shift(8 * HOUR, 16 * HOUR),),) * 7),
    st.lists(OFF, max_size=1).map(tuple),
)
SETTINGS = st.builds(
    replace,
    st.just(PlanSettings()),
    hours_per_day=st.sampled_from((8.0, 7.5)),
    honors_dates=st.booleans(),
    is_longest_path=st.booleans(),
    near_critical_float=st.sampled_from((0, 8 * HOUR)),
    is_from_finish=st.booleans(),
)
ONE_SPEC = st.builds(
    OperationSpec, st.just(OperationKind.COPY_IN), reads=st.just(("frame",)), writes=st.just(("frame",))
)
KERNELS = st.builds(
    KernelSpec,
    st.sampled_from(("sharpen", "2")),
    st.just("filters"),
    st.just(("x",)),
    st.just(("y",)),
    python=st.just("f.py:f"),
)
CHANGEOVERS = st.builds(
    Changeover, st.integers(0, 2), NAMES, st.just(("red", "blue")), st.just(((0, 60), (120, 0)))
) | st.builds(Changeover, st.just(1), NAMES)
OTHERS = st.builds(Alternative, TASKS, RESOURCES, duration=st.none() | st.integers(0, 100_000))
WAYS = st.lists(st.tuples(TASKS, st.builds(Way, RESOURCES, st.just(1.0), st.integers(0, 100_000))), max_size=1).map(
    tuple
)
ORDERS = st.sampled_from(((1, 2, 3), (1, 2)))
ADVICE = st.sampled_from(
    (
        ("memory", PinMemory(("frame",))),
        ("barrier", Unlink(((1, 2),))),
        ("streams", Restream(((3, "stream 3"),))),
        ("order", Reorder(((2, 5000),))),
    )
).flatmap(lambda pair: st.builds(Advice, st.just(pair[0]), st.just(pair[1]), ORDERS, st.just(9), st.just(5)))
STAFF = st.lists(st.tuples(st.sampled_from(("Ann", "Bob")), st.sampled_from((0.5, 1.0))), max_size=2).map(tuple)
SPREADS = st.builds(
    Spread,
    st.sampled_from((SpreadKind.UNIFORM, SpreadKind.TRIANGULAR, SpreadKind.PERT)),
    st.sampled_from((80.0, 120.0)),
    st.just(100.0),
    st.just(130.0),
)
POINTS = st.lists(
    st.tuples(st.integers(0, 2), st.none() | st.sampled_from((80.0, 100.0, 130.0))), min_size=1, max_size=3
).map(tuple)
DRIVERS = st.lists(st.builds(RiskDriver, st.integers(1, 2), NAMES), max_size=2).map(tuple)
IMPACTS = st.lists(st.builds(Impact, TASKS, SPREADS), max_size=1).map(tuple)
SPLITS = st.builds(Split, st.integers(0, 20_000), st.integers(0, 20_000))


def busy() -> Plan:
    """The office with something of everything that an edit can take away or change."""
    plan = office()
    changes: dict[int, dict[str, object]] = {
        2: {"delay": HOUR, "family": "red", "recorded": Recorded(MONDAY + DAY, MONDAY + 2 * DAY)},
        5: {
            "splits": (Split(HOUR, HOUR),),
            "constraint": ConstraintKind.START_NO_EARLIER_THAN,
            "constraint_at": MONDAY,
        },
    }
    ann, saw = Resource(1, "Ann"), Resource(2, "Saw", ResourceKind.MACHINE)
    return replace(
        plan,
        tasks=tuple(replace(task, **changes.get(task.id, {})) for task in plan.tasks),
        resources=(ann, saw),
        assignments=(Assignment(2, 1), Assignment(3, 2)),
        calendars=(replace(Calendar.standard(), id=2, name="late"),),
        changeovers=(Changeover(1, "colors"),),
        baselines=(Baseline(0, "agreed", ()),),
        risks=PlanRisks((RiskDriver(1, "weather"),)),
    ).check()


def renamed() -> Plan:
    """Another plan that can be taken."""
    return replace(office(), name="Other")


SIMPLE: dict[type, SearchStrategy[Edit]] = {
    kind: st.builds(kind, *fields)
    for kind, *fields in (
        (AddHolidays, st.lists(OFF, min_size=1, max_size=2).map(tuple)),
        (ChangeCalendar, CALENDARS),
        (RemoveCalendar, st.integers(1, 10)),
        (RemoveResource, RESOURCES),
        (AddCalendar, CALENDARS),
        (SetDuration, TASKS, st.none() | LENGTHS, st.booleans()),
        (AddTasks, st.lists(NAMES, max_size=2).map(tuple), st.none() | TASKS),
        (SetFinish, TASKS, INSTANTS),
        (SetPriority, TASKS, st.integers(-1, 1001)),
        (SetNotes, TASKS, st.sampled_from(("", " two\r\nlines "))),
        (SetStaff, TASKS, STAFF),
        (SetConstraint, TASKS, st.sampled_from(ConstraintKind), INSTANTS),
        (SetDeadline, TASKS, st.none() | INSTANTS),
        (SetProgress, TASKS, st.sampled_from((0, 30, 100)), st.none() | INSTANTS, st.none() | INSTANTS),
        (SetCalendar, TASKS, st.sampled_from((None, 1, 2))),
        (PinRecorded, SEVERAL),
        (ApplyDelays, st.lists(st.tuples(TASKS, st.integers(0, DAY)), min_size=1, max_size=2).map(tuple)),
        (ClearDelays, SEVERAL),
        (AssignStream, TASKS, RESOURCES),
        (SetOperation, TASKS, ONE_SPEC, st.sampled_from(("stream 1", "stream 3", ""))),
        (TakeKit, st.just("filters"), st.lists(KERNELS, max_size=1).map(tuple)),
        (DuplicateTasks, SEVERAL, st.none() | TASKS),
        (InsertRecurring, NAMES, LENGTHS, SOON, RULES, st.none() | SOON, st.none() | st.just(9), st.none() | TASKS),
        (MoveTask, TASKS, INSTANTS),
        (MoveTasks, SEVERAL, st.integers(-5 * DAY, 5 * DAY)),
        (RemovePin, TASKS),
        (ResizeTask, TASKS, LENGTHS),
        (RenameTask, TASKS, NAMES),
        (AddTask, NAMES, st.none() | TASKS, st.none() | TASKS),
        (RemoveTask, TASKS),
        (RemoveTasks, SEVERAL),
        (AddLink, LINKS),
        (RemoveLink, KNOWN_LINKS | LINKS),
        (ChangeLink, KNOWN_LINKS | LINKS, LINKS),
        (SetName, NAMES),
        (SetPredecessors, TASKS, st.lists(LINKS, max_size=2).map(tuple)),
        (SetBaseline, st.integers(0, 11)),
        (RemoveBaseline, st.integers(0, 2)),
        (SetSettings, SETTINGS),
        (SetStart, INSTANTS),
        (TakePlan, st.sampled_from((office(), renamed())), st.just("Take another plan")),
        (TakeAdvice, ADVICE),
        (AssignResource, TASKS, RESOURCES, st.none() | st.just(2.0), st.none() | RESOURCES),
        (UnassignResource, TASKS, RESOURCES),
        (AddResource, NAMES, st.sampled_from(ResourceKind)),
        (ChangeResource, RESOURCES, st.none() | NAMES, st.none() | st.just(2.0), st.none() | st.just(1), st.booleans()),
        (IndentTasks, SEVERAL),
        (OutdentTasks, SEVERAL),
        (MoveRows, SEVERAL, st.none() | TASKS, st.none() | TASKS),
        (ResizeStart, TASKS, INSTANTS),
        (SplitTask, TASKS, INSTANTS | SOON, st.integers(0, DAY)),
        (JoinTask, TASKS),
        (SetSkill, TASKS, st.sampled_from(("", "weld"))),
        (SetFamily, TASKS, st.sampled_from(("", "red"))),
        (SetUnbreakable, TASKS, st.booleans()),
        (ChangeMachine, RESOURCES, st.sampled_from((None, ("weld",)))),
        (PutChangeover, CHANGEOVERS),
        (RemoveChangeover, st.integers(0, 2)),
        (SetTransports, st.lists(st.builds(Transport, RESOURCES, RESOURCES, LENGTHS), max_size=2).map(tuple)),
        (SetFence, st.none() | INSTANTS),
        (SetUncertainty, SEVERAL, st.none() | SPREADS),
        (SetTaskChance, SEVERAL, st.sampled_from((0.5, 1.0, 1.5))),
        (SetThreePoints, TASKS, POINTS, st.booleans()),
        (SetDriverLoadings, SEVERAL, st.lists(st.tuples(st.just(1), st.just(0.5)), max_size=1).map(tuple)),
        (SetLagUncertainty, KNOWN_LINKS | LINKS, st.none() | SPREADS),
        (
            SetRiskDrivers,
            DRIVERS,
            st.lists(st.builds(DriverCorrelation, st.just(1), st.just(2), st.just(0.3)), max_size=1).map(tuple),
        ),
        (
            SetRiskEvents,
            st.lists(st.builds(RiskEvent, st.just(1), NAMES, st.just(0.2), IMPACTS), max_size=1).map(tuple),
        ),
        (
            SetSpreadPresets,
            st.lists(st.builds(SpreadPreset, st.sampled_from(("", "red")), SPREADS), max_size=2).map(tuple),
        ),
        (SetFamilySpread, st.sampled_from(("", "red")), st.none() | SPREADS),
        (
            TakeExperience,
            st.builds(
                Experience,
                st.lists(st.builds(SpreadPreset, st.sampled_from(("", "red")), SPREADS), max_size=2).map(tuple),
                st.just(()),
                st.lists(st.tuples(TASKS, SPREADS), max_size=2).map(tuple),
            ),
            NAMES,
        ),
        (
            MakeTakes,
            st.lists(
                st.builds(Take, st.sampled_from(TakeKind), TASKS, NAMES, st.sampled_from((10, 20)), st.just(60)),
                max_size=2,
            ).map(tuple),
        ),
        (
            ApplySolution,
            WAYS,
            st.lists(st.tuples(TASKS, st.integers(0, DAY)), max_size=2).map(tuple),
            st.integers(0, 2),
        ),
    )
}

SIMPLE[SetAlternatives] = st.one_of(
    st.builds(SetAlternatives, TASKS, st.lists(OTHERS, max_size=2).map(tuple)),
    st.builds(
        SetAlternatives, st.just(2), st.lists(st.builds(Alternative, st.just(2), RESOURCES), max_size=2).map(tuple)
    ),
)


def simple_of(kind: type) -> SearchStrategy[Edit]:
    """Edits of a kind that holds no others."""
    return SIMPLE[kind]


def any_of(kind: type) -> SearchStrategy[Edit]:
    """Edits of a kind."""
    return BY_KIND[kind]


# By kind, and not one_of: as likely one as the other, and short where it is said in a failure.
_ONE = st.sampled_from(list(SIMPLE)).flatmap(simple_of)
BY_KIND: dict[type, SearchStrategy[Edit]] = {
    **SIMPLE,
    Together: st.builds(Together, st.just("Both"), st.tuples(_ONE, _ONE)),
    PasteCells: st.builds(PasteCells, st.just("Paste 2 cells"), st.tuples(_ONE, _ONE)),
}
EDITS = st.sampled_from(list(BY_KIND)).flatmap(any_of)


def kinds() -> set[type]:
    """Every kind of edit of the session, found by what makes one: a label, and how it is applied to a plan."""
    found = set()
    for module in pkgutil.walk_packages(engine.session.__path__, "engine.session."):
        names = vars(importlib.import_module(module.name))
        found |= {
            kind
            for kind in names.values()
            if inspect.isclass(kind) and kind.__module__ == module.name and hasattr(kind, "apply") and is_edit(kind)
        }
    return found


def is_edit(kind: type) -> bool:
    """Whether it is one that can be made, not the protocol of them all."""
    return kind is not Edit and hasattr(kind, "label")
