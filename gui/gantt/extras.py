"""Extras: what a scene of the chart shows besides the plan. They never draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.model import Dependency, TaskId
from engine.schedule.working_time import WorkingTime
from engine.session.scenarios import Branch
from engine.session.state import State
from gui.canvas.axis import TextWidth
from gui.gantt.coloring import ColorBy
from gui.gantt.drag import Drag
from gui.gantt.fans import Fans
from gui.gantt.paths import Paths
from gui.gantt.shares import Shares

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Extras:
    """What a scene shows besides the plan. `actuals` are (start, end) ticks of the latest run by task.

    `now` is the present instant on a calendar plan; `working_time` is None where every instant is worked, and else that
    of the ground under the last row. `preview` is a state of the same tasks that is offered: what would move shows as
    ghosts. `baseline` is the number of the one whose dates stand under the bars, None for none. `moved` are the rows of
    the plan whose bars the last edit moved; `paths` are those of the chosen tasks, where they are asked for.
    `branches` are the other ones, whose bars show as ghosts. `fans` say how sure it is when things are done, `shares`
    how critical tasks are where colors stand for that.
    """

    height_px: float
    text_width: TextWidth
    working_time: WorkingTime | None = None
    actuals: Mapping[TaskId, tuple[int, int]] = field(default_factory=dict)
    selection: frozenset[TaskId] = frozenset()
    link: Dependency | None = None
    pin: TaskId | None = None
    hover: TaskId | None = None
    failed: frozenset[TaskId] = frozenset()
    now: int | None = None
    is_focused: bool = False
    drag: Drag | None = None
    preview: State | None = None
    color_by: ColorBy = ColorBy.KIND
    baseline: int | None = None
    moved: Flags | None = None
    paths: Paths | None = None
    branches: tuple[Branch, ...] = ()
    fans: Fans | None = None
    shares: Shares | None = None

    @property
    def still(self) -> tuple[object, ...]:
        """All but what the mouse does, and what comes anew while it does."""
        return tuple(value for name, value in vars(self).items() if name not in _BY_MOUSE)


_BY_MOUSE = frozenset({"hover", "drag", "preview", "fans"})
