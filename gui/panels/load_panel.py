"""LoadPanel: the plan's resources, where each has too much to do, and the load of the chosen one over time.

It never computes a load, and never levels one.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTreeWidget, QTreeWidgetItem, QWidget

from engine.model import Plan, Resource
from engine.schedule.leveling_load import Overload, ResourceLoad
from engine.session.state import State
from gui.canvas.calendar_ticks import instant_text
from gui.canvas.painter import text_width
from gui.canvas.shapes import Label, Shape
from gui.canvas.time_chart import TimeChart
from gui.canvas.time_scale import TimeScale
from gui.panels import load_scene
from gui.theme import METRICS, Theme

translate = QCoreApplication.translate

# More than these are counted and not listed, all resources together.
_MOST_LISTED = 500
_LEAST_PX = 140
_ROLE = Qt.ItemDataRole.UserRole


class LoadPanel(QWidget):
    """`task_chosen` carries a task of the overload that was picked, `scale_changed` the TimeScale after a person panned
    or zoomed."""

    task_chosen = Signal(int)
    scale_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._resources: Mapping[int, Resource] = {}
        self._loads: Mapping[int, ResourceLoad] = {}
        self._chosen: int | None = None
        self.names = QTreeWidget()
        self.names.setHeaderHidden(True)
        self.names.setProperty("role", "list")
        self.names.setFrameShape(QFrame.Shape.NoFrame)
        self.names.setAccessibleName(self.tr("Resources, the overloaded ones first"))
        self.names.currentItemChanged.connect(self._pick)
        self.names.itemClicked.connect(self._pick)
        self.chart = TimeChart(self._shapes)
        self.chart.is_calendar = True
        self.chart.setAccessibleName(self.tr("Load of the chosen resource"))
        self.chart.scale_changed.connect(self.scale_changed)
        self.setFocusProxy(self.names)
        self.setMinimumHeight(_LEAST_PX)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.names)
        layout.addWidget(self.chart, 1)

    @property
    def chosen(self) -> int | None:
        """The id of the resource whose load is drawn."""
        return self._chosen

    def show_answer(self, answer: tuple[State, Mapping[int, ResourceLoad]] | None) -> None:
        """The loads of a state; what was shown stays until they are known."""
        if answer is not None:
            state, self._loads = answer
            self._resources = {each.id: each for each in state.plan.resources if each.id in self._loads}
            self._list(state.plan)
            self.chart.refresh()

    def clear(self) -> None:
        """Another plan is open, of which nothing is known yet."""
        self._resources, self._loads, self._chosen = {}, {}, None
        self.names.clear()
        self.chart.refresh()

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
        """The overloaded ones first, each with its overloads; the chosen one stays."""
        self.names.blockSignals(True)
        self.names.clear()
        order = sorted(self._loads.values(), key=lambda load: -len(load.overloads))
        left = _MOST_LISTED
        for load in order:
            item = QTreeWidgetItem(self.names, [self._title(load)])
            item.setData(0, _ROLE, (load.resource, -1))
            for overload in load.overloads[: max(left, 0)]:
                child = QTreeWidgetItem(item, [_words(overload)])
                child.setToolTip(0, ", ".join(plan.task(task).name for task in overload.tasks))
                child.setData(0, _ROLE, (load.resource, overload.tasks[0]))
            left -= len(load.overloads)
            item.setExpanded(bool(load.overloads))
            if load.resource == self._chosen:
                self.names.setCurrentItem(item)
        if self._chosen not in self._loads:
            self._chosen = order[0].resource if order else None
            if first := self.names.topLevelItem(0):
                self.names.setCurrentItem(first)
        self.names.blockSignals(False)

    def _title(self, load: ResourceLoad) -> str:
        name, count = self._resources[load.resource].name, len(load.overloads)
        if not count:
            return name
        words = self.tr("{name}: overloaded once") if count == 1 else self.tr("{name}: overloaded {count} times")
        return f"⚠ {words.format(name=name, count=count)}"

    def _pick(self, item: QTreeWidgetItem | None, _: object = None) -> None:
        if item is None:
            return
        self._chosen, task = item.data(0, _ROLE)
        self.chart.refresh()
        if task >= 0:
            self.task_chosen.emit(task)

    def _shapes(self) -> list[Shape]:
        load = None if self._chosen is None else self._loads.get(self._chosen)
        scale, height = self.chart.time_scale, float(self.chart.chart_height)
        if load is None:
            words = self.tr("A resource that tasks are assigned to shows its load here.")
            return [Label(2.0 * METRICS.grid_px, height / 2 - METRICS.row_px / 2, scale.width_px, words, "muted")]
        resource = self._resources[load.resource]
        shapes = load_scene.scene(resource, load, scale, height, text_width)
        words = self.tr("{name}: at most {used:.4g} of {capacity:.4g} at once")
        used = float(load.used.max(initial=0.0))
        said = words.format(name=resource.name, used=used, capacity=resource.capacity)
        return [*shapes, Label(2.0 * METRICS.grid_px, 1, scale.width_px, said, "text", is_bold=True)]


def _words(overload: Overload) -> str:
    words = translate("LoadPanel", "{first}: {used:.4g} of {capacity:.4g}")
    return words.format(first=instant_text(overload.first), used=overload.used, capacity=overload.capacity)
