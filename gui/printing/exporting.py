"""Exporting: what Print, Save picture and Copy picture do for the plan in a Gantt view. It never changes a plan."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from engine.errors import EngineError
from engine.session.exports import write_export
from gui.gantt.column_words import title
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.task_table import TaskTable
from gui.gantt.view import GanttView
from gui.printing.dialog import PrintDialog, seen_of
from gui.printing.output import clip, picture, png, svg
from gui.printing.picture import Printed

_CHART_PX = 1200.0
_SCALE = 2.0
_MARGIN = 50  # of the plan's time, one part of so many on each side
Tell = Callable[[str], object]
translate = QCoreApplication.translate


class Exporting:
    """Bound to one view. `tell` gets a sentence when something was written, `refuse` when it could not be."""

    def __init__(self, view: GanttView, tell: Tell, refuse: Tell) -> None:
        self._view, self._tell, self._refuse = view, tell, refuse

    def show_dialog(self) -> None:
        """How the plan lies on paper."""
        whole = self._whole()
        if whole is not None:
            PrintDialog(whole, self._seen(whole), self._tell, self._refuse, self._view.window()).open()

    def choose_picture(self) -> None:
        """Ask where a picture of the plan goes, and write it."""
        whole = self._whole()
        if whole is None:
            return
        name = f"{whole.state.plan.name}.png"
        dialog = QFileDialog(self._view.window(), translate("Exporting", "Save a picture"), name)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        filters = [translate("Exporting", "Picture (*.png)"), translate("Exporting", "Drawing (*.svg)")]
        dialog.setNameFilters(filters)
        dialog.setDefaultSuffix("png")
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix("svg" if chosen == filters[1] else "png"))
        dialog.fileSelected.connect(self.write_picture)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write_picture(self, path: str) -> None:
        """Write all rows and the whole time as PNG, or as SVG where the name ends so."""
        whole = self._whole()
        if whole is None:
            return
        try:
            sheets = whole.picture(_CHART_PX)
            is_svg = path.lower().endswith(".svg")
            write_export(path, svg(whole, sheets) if is_svg else png(picture(whole, sheets, _SCALE)))
        except EngineError as error:
            self._refuse(error.sentence)
            return
        self._tell(translate("Exporting", "Wrote {path}").format(path=path))

    def copy_picture(self) -> None:
        """Put a picture of all rows, over the time that the window shows, on the clipboard."""
        whole = self._whole()
        if whole is None:
            return
        seen = self._seen(whole)
        try:
            QGuiApplication.clipboard().setMimeData(clip(seen, seen.picture(self._view.time_scale.width_px), _SCALE))
        except EngineError as error:
            self._refuse(error.sentence)
            return
        self._tell(translate("Exporting", "A picture of the plan is on the clipboard."))

    def _whole(self) -> Printed | None:
        model = self._view.table.task_model
        state, rows = model.state, model.rows
        if state is None or rows is None:
            return None
        start, risk = state.schedule.project_start, self._view.looks.risk
        finish = max(state.schedule.project_finish, risk.sure_by or start)
        margin = max((finish - start) // _MARGIN, 1)
        looks, span = self._view.looks, (start - margin, finish + margin)
        seen = looks.color_by, looks.baseline, risk.fans, looks.branches
        return Printed(state, rows, _columns(self._view.table), span, *seen)

    def _seen(self, whole: Printed) -> Printed:
        scale = self._view.time_scale
        return seen_of(whole, (scale.origin_ticks, scale.end_ticks))


def _columns(table: TaskTable) -> tuple[tuple[Column, str], ...]:
    """The columns that the table shows, from left to right, with their titles."""
    header = table.horizontalHeader()
    shown = (COLUMNS[header.logicalIndex(place)] for place in range(header.count()))
    return tuple((each, title(each)) for each in shown if not table.isColumnHidden(COLUMNS.index(each)))
