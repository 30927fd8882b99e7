"""ColumnMemory: which columns a person chose, found again at the next start. It never knows what stands in them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings

from engine.model import Clock
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.table_header import TableHeader

_BY_NAME = {column.value: column for column in Column}


class ColumnMemory(QObject):
    """Columns of each clock apart: those shown, from left to right, with the widths that were made by hand."""

    def __init__(self, header: TableHeader) -> None:
        super().__init__(header)
        self._header = header
        self._clock: Clock | None = None
        header.columns_changed.connect(self._keep)

    def take_up(self, clock: Clock) -> None:
        """The columns as they were left in plans of this clock."""
        if clock is self._clock:
            return
        self._clock = clock
        found = [part.partition(":") for part in str(QSettings().value(_key(clock), "")).split(",")]
        shown = [_BY_NAME[name] for name, _, _ in found if name in _BY_NAME]
        if not shown:
            self._header.show_at_first()
            return
        self._header.show_at_first({*shown, Column.TASK}, shown)
        for name, _, width in found:
            if name in _BY_NAME and width.isdecimal() and 0 < int(width) < 10_000:
                self._header.fit(_BY_NAME[name], int(width))
                self._header.by_hand.add(_BY_NAME[name])

    def _keep(self) -> None:
        if self._clock is not None:
            parts = (self._part(column) for column in self._header.shown)
            QSettings().setValue(_key(self._clock), ",".join(parts))

    def _part(self, column: Column) -> str:
        width = self._header.sectionSize(COLUMNS.index(column)) if column in self._header.by_hand else ""
        return f"{column.value}:{width}"


def _key(clock: Clock) -> str:
    return f"columns/{clock.value}"
