"""What is planned: frozen values. No clock, no I/O."""

from engine.model.baseline import Baseline, BaselineTask
from engine.model.calendar import (
    DAY,
    Calendar,
    CalendarException,
    Recurrence,
    RecurrenceKind,
    Shift,
    Week,
    WorkWeek,
    split_nights,
)
from engine.model.dependency import Dependency, DependencyKind, Lag, LagKind
from engine.model.kernel_spec import KernelSpec, KernelSplit, ParameterSpec
from engine.model.named_spreads import NAMED_SPREADS, NamedSpread, name_of, named_spread
from engine.model.operation_spec import Buffer, Fill, FillKind, Memory, OperationKind, OperationSpec, Side
from engine.model.outline import in_outline_order
from engine.model.plan import Clock, LagCalendar, Plan, PlanSettings, ProgressRule
from engine.model.resource import Assignment, Capacity, Contour, Resource, ResourceKind
from engine.model.risk import DriverCorrelation, Impact, PlanRisks, RiskDriver, RiskEvent, SpreadPreset
from engine.model.shop import Alternative, Changeover, Transport, Way, Ways
from engine.model.spread import Spread, SpreadKind, TaskRisk
from engine.model.task import NOTES, ConstraintKind, EffortKind, Progress, Recorded, Split, Task
from engine.model.ticks import MOST_TICKS, TaskId, Ticks

__all__ = [
    "DAY",
    "MOST_TICKS",
    "NAMED_SPREADS",
    "NOTES",
    "Alternative",
    "Assignment",
    "Baseline",
    "BaselineTask",
    "Buffer",
    "Calendar",
    "CalendarException",
    "Capacity",
    "Changeover",
    "Clock",
    "ConstraintKind",
    "Contour",
    "Dependency",
    "DependencyKind",
    "DriverCorrelation",
    "EffortKind",
    "Fill",
    "FillKind",
    "Impact",
    "KernelSpec",
    "KernelSplit",
    "Lag",
    "LagCalendar",
    "LagKind",
    "Memory",
    "NamedSpread",
    "OperationKind",
    "OperationSpec",
    "ParameterSpec",
    "Plan",
    "PlanRisks",
    "PlanSettings",
    "Progress",
    "ProgressRule",
    "Recorded",
    "Recurrence",
    "RecurrenceKind",
    "Resource",
    "ResourceKind",
    "RiskDriver",
    "RiskEvent",
    "Shift",
    "Side",
    "Split",
    "Spread",
    "SpreadKind",
    "SpreadPreset",
    "Task",
    "TaskId",
    "TaskRisk",
    "Ticks",
    "Transport",
    "Way",
    "Ways",
    "Week",
    "WorkWeek",
    "in_outline_order",
    "name_of",
    "named_spread",
    "split_nights",
]
