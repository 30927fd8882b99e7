"""LoadPanel: the plan's resources, where each has too much to do, and the load of the chosen one over time.

It never computes a load, and never levels one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHBoxLayout, QTreeWidget, QTreeWidgetItem, QWidget

from engine.model import Plan, Resource, Ticks
from engine.schedule.leveling_load import Overload, ResourceLoad, User
from engine.session.state import State
from gui.canvas.calendar_ticks import instant_text
from gui.canvas.painter import text_width
from gui.canvas.shapes import Label, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.panels import load_scene
from gui.panels.load_chart import LoadChart
from gui.panels.task_list import Entry, TaskList
from gui.plan_words import full_name
from gui.theme import METRICS, Theme

translate = QCoreApplication.translate

# More than these are counted and not listed, all resources together.
_MOST_LISTED = 500
_LEAST_PX = 140
_USERS_PX = 340
_EACH_PX = 70  # a load less high than this says nothing
_ROLE = Qt.ItemDataRole.UserRole


class LoadPanel(QWidget):
    """`task_chosen` carries a task of the overload that was picked, or of those at work at the instant that was;
    `looked_at` the ids of the chosen resources and that instant, None for none; `scale_changed` the TimeScale after a
    person panned or zoomed.
    """

    task_chosen = Signal(int)
    looked_at = Signal(object, object)
    scale_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._resources: Mapping[int, Resource] = {}
        self._loads: Mapping[int, ResourceLoad] = {}
        self._chosen: tuple[int, ...] = ()
        self._instant: Ticks | None = None
        self.names = QTreeWidget()
        self.names.setHeaderHidden(True)
        self.names.setProperty("role", "list")
        self.names.setFrameShape(QFrame.Shape.NoFrame)
        self.names.setAccessibleName(self.tr("Resources, the overloaded ones first"))
        self.names.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.names.setToolTip(self.tr("Several can be chosen, with Ctrl or Shift, and stand below each other"))
        self.names.itemSelectionChanged.connect(self._choose)
        self.names.currentItemChanged.connect(self._pick)
        self.names.itemClicked.connect(self._pick)
        self.chart = LoadChart(self._shapes)
        self.chart.instant_picked.connect(self._look_at)
        self.users = TaskList(self.tr("Who is at work then"), (self.tr("Task"), self.tr("Uses")))
        self.users.setFixedWidth(_USERS_PX)
        self.users.task_chosen.connect(self.task_chosen)
        self.users.hide()
        self.chart.scale_changed.connect(self.scale_changed)
        self.setFocusProxy(self.names)
        self.setMinimumHeight(_LEAST_PX)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.names)
        layout.addWidget(self.chart, 1)
        layout.addWidget(self.users)

    @property
    def chosen(self) -> int | None:
        """The id of the resource whose load is drawn, at the top where there are several."""
        return self._chosen[0] if self._chosen else None

    def show_answer(self, answer: tuple[State, Mapping[int, ResourceLoad]] | None) -> None:
        """The loads of a state; what was shown stays until they are known."""
        if answer is not None:
            state, self._loads = answer
            self._resources = {each.id: each for each in state.plan.resources if each.id in self._loads}
            self._list(state.plan)
            self.chart.refresh()

    def clear(self) -> None:
        """Another plan is open, of which nothing is known yet."""
        self._resources, self._loads, self._chosen = {}, {}, ()
        self.names.clear()
        self._look_at(None)
        self.chart.refresh()

    def show_users(self, answer: tuple[State, Ticks, tuple[User, ...]] | None) -> None:
        """Who uses the chosen resources at the instant that was picked."""
        if answer is None or self._instant is None:
            return
        state, instant, found = answer
        plan = state.plan
        names = {resource.id: resource.name for resource in plan.resources}
        entries = [
            Entry(each.task, partial(_used, plan, each, names[each.resource]))
            for each in found
            if each.resource in names
        ]
        words = self.tr("At work {instant}") if entries else self.tr("Nobody is at work {instant}")
        self.users.show_entries(words.format(instant=instant_text(instant)), entries)

    def set_time_scale(self, scale: TimeScale) -> None:
        """Shows the stretch of time that the chart above shows, without telling."""
        self.chart.set_time_scale(scale)

    def set_left_width(self, width_px: int) -> None:
        """Makes the names as wide as the table above them."""
        self.names.setFixedWidth(width_px)

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self.chart.set_theme(theme)

    def _list(self, plan: Plan) -> None:
        """The overloaded ones first, each with its overloads; the chosen ones stay."""
        self.names.blockSignals(True)
        self.names.clear()
        order = sorted(self._loads.values(), key=lambda load: -len(load.overloads))
        left = _MOST_LISTED
        self._chosen = tuple(each for each in self._chosen if each in self._loads) or tuple(
            load.resource for load in order[:1]
        )
        for load in order:
            item = QTreeWidgetItem(self.names, [self._title(load)])
            item.setData(0, _ROLE, (load.resource, -1))
            for overload in load.overloads[: max(left, 0)]:
                child = QTreeWidgetItem(item, [_words(overload)])
                child.setToolTip(0, ", ".join(plan.title_of(task) for task in overload.tasks))
                child.setData(0, _ROLE, (load.resource, overload.tasks[0]))
            left -= len(load.overloads)
            item.setExpanded(bool(load.overloads))
            if load.resource == self._chosen[0]:
                self.names.setCurrentItem(item)
            item.setSelected(load.resource in self._chosen)
        self.names.blockSignals(False)

    def _title(self, load: ResourceLoad) -> str:
        name, count = self._resources[load.resource].name, len(load.overloads)
        if not count:
            return name
        words = self.tr("{name}: overloaded once") if count == 1 else self.tr("{name}: overloaded {count:,} times")
        return f"⚠ {words.format(name=name, count=count)}"

    def _choose(self) -> None:
        """Other resources are chosen: those of every item that is, in the order of the list."""
        items = sorted(self.names.selectedItems(), key=self._place)
        self._chosen = tuple(dict.fromkeys(item.data(0, _ROLE)[0] for item in items)) or self._chosen
        self._look_at(self._instant)

    def _place(self, item: QTreeWidgetItem) -> int:
        return self.names.indexOfTopLevelItem(item.parent() or item)

    def _pick(self, item: QTreeWidgetItem | None, _: object = None) -> None:
        if item is not None and item.data(0, _ROLE)[1] >= 0:
            self.task_chosen.emit(item.data(0, _ROLE)[1])

    def _look_at(self, instant: Ticks | None) -> None:
        """Another instant, or other resources: who is at work there is asked for."""
        self._instant = instant
        self.users.setVisible(instant is not None)
        self.looked_at.emit(self._chosen, instant)
        self.chart.refresh()

    def _shapes(self) -> list[Shape]:
        scale, height = self.chart.time_scale, float(self.chart.chart_height)
        chosen = [each for each in self._chosen if each in self._loads][: max(int(height // _EACH_PX), 1)]
        if not chosen:
            words = self.tr("A resource that tasks are assigned to shows its load here.")
            return [Label(2.0 * METRICS.grid_px, height / 2 - METRICS.row_px / 2, scale.width_px, words, "muted")]
        each_px = height / len(chosen)
        shapes = [shape for at, number in enumerate(chosen) for shape in self._one(number, at * each_px, each_px)]
        if self._instant is not None:
            x = scale.x(self._instant)
            shapes.append(Line(((x, 0.0), (x, height)), "accent", 1.5))
        return shapes

    def _one(self, number: int, top: float, height: float) -> list[Shape]:
        """The load of one resource, and what it says above it."""
        load, resource, scale = self._loads[number], self._resources[number], self.chart.time_scale
        shapes = load_scene.scene(resource, load, scale, height, text_width, top)
        words = self.tr("{name}: at most {used:.4g} of {capacity:.4g} at once")
        used = float(load.used.max(initial=0.0))
        said = words.format(name=resource.name, used=used, capacity=resource.capacity)
        return [*shapes, Label(2.0 * METRICS.grid_px, top + 1, scale.width_px, said, "text", is_bold=True)]


def _used(plan: Plan, user: User, resource: str) -> tuple[str, ...]:
    return full_name(plan, user.task), f"{user.units:.4g} \N{MULTIPLICATION SIGN} {resource}"


def _words(overload: Overload) -> str:
    words = translate("LoadPanel", "{first}: {used:.4g} of {capacity:.4g}")
    return words.format(first=instant_text(overload.first), used=overload.used, capacity=overload.capacity)
