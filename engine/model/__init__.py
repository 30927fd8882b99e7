"""What is planned: frozen values. No clock, no I/O."""

from engine.model.calendar import DAY, Calendar, CalendarException, Shift
from engine.model.dependency import Dependency, DependencyKind, Lag, LagKind
from engine.model.operation_spec import Buffer, Fill, FillKind, Memory, OperationKind, OperationSpec, Side
from engine.model.plan import Clock, Plan, PlanSettings
from engine.model.resource import Assignment, Resource, ResourceKind
from engine.model.task import MOST_TICKS, ConstraintKind, Task, TaskId, Ticks

__all__ = [
    "DAY",
    "MOST_TICKS",
    "Assignment",
    "Buffer",
    "Calendar",
    "CalendarException",
    "Clock",
    "ConstraintKind",
    "Dependency",
    "DependencyKind",
    "Fill",
    "FillKind",
    "Lag",
    "LagKind",
    "Memory",
    "OperationKind",
    "OperationSpec",
    "Plan",
    "PlanSettings",
    "Resource",
    "ResourceKind",
    "Shift",
    "Side",
    "Task",
    "TaskId",
    "Ticks",
]
