"""A table of fields to fill in, a widget a cell: how each of them looks in a dialog. It never fills one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget

from gui.theme import METRICS


def set_up_entries(
    table: QTableWidget, name: str, titles: Sequence[str], widths_px: Sequence[int], stretched: int = 1
) -> None:
    """Titles and a name for screen readers; the first columns share what room there is, those after have their widths.

    The keyboard goes from field to field, not from cell to cell.
    """
    table.setHorizontalHeaderLabels(list(titles))
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(METRICS.row_px + 2 * METRICS.grid_px)
    table.horizontalHeader().setHighlightSections(False)
    for column in range(stretched):
        table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    for column, width_px in enumerate(widths_px, stretched):
        table.setColumnWidth(column, width_px)
    table.setTabKeyNavigation(False)
    table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
