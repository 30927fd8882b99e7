"""TableHeader: titles of the table's columns, and what a person does to them: shows, hides, moves, widens, sorts.

It never knows a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from gui.canvas.painter import draw, elided, text_width
from gui.canvas.shapes import Align, Box, Label, Line, Polygon, Shape
from gui.gantt.cells import PAD_PX
from gui.gantt.column_words import title
from gui.gantt.columns import COLUMNS, ORDER, SHOWN_AT_FIRST, WORDS, Column
from gui.gantt.staying_menu import StayingMenu
from gui.theme import LIGHT, METRICS

LEAST_NAME_PX = 100
_LEAST_NAME_AMONG_MANY_PX = 200
_MARK_PX = 12


class TableHeader(QHeaderView):
    """Titles at the height of the time axis's lower tier.

    `sort_asked` carries a Column and whether it falls, or None for the plan's own order; `columns_changed` says that a
    person showed, hid, moved or widened one, `column_chosen` carries one that is shown from now on.
    """

    theme = LIGHT
    sort_asked = Signal(object, bool)
    columns_changed = Signal()
    column_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.offered: Sequence[Column] = ORDER
        self.sort_mark: tuple[Column, bool] | None = None
        self.by_hand: set[Column] = set()
        self.frozen_px: Callable[[], int] = lambda: 0  # how far the title of names stands over the others
        self._is_fitting = False
        self.setFixedHeight(METRICS.header_px)
        self.setMinimumSectionSize(32)
        self.setHighlightSections(False)
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self._menu(self._column_at(at)).popup(self.mapToGlobal(at)))
        self.sectionClicked.connect(lambda section: self._sort(COLUMNS[section]))
        self.sectionResized.connect(self._resized)
        self.sectionMoved.connect(self._told)

    # What is shown

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns in sight, from left to right."""
        found = (COLUMNS[self.logicalIndex(place)] for place in range(self.count()))
        return tuple(column for column in found if not self.isSectionHidden(COLUMNS.index(column)))

    def show_at_first(self, columns: Iterable[Column] = SHOWN_AT_FIRST, order: Sequence[Column] = ORDER) -> None:
        """Shows these columns alone, in this order and as wide as they need."""
        self._is_fitting = True
        self.by_hand.clear()
        places = [*order, *(column for column in ORDER if column not in order)]
        for place, column in enumerate(places):
            self.moveSection(self.visualIndex(COLUMNS.index(column)), place)
        chosen = set(columns)
        for section, column in enumerate(COLUMNS):
            self.setSectionHidden(section, column not in chosen)
        self._is_fitting = False

    def set_shown(self, column: Column, is_shown: bool) -> None:
        """Shows or hides a column, without telling."""
        self.setSectionHidden(COLUMNS.index(column), not is_shown)

    def fit(self, column: Column, width_px: int) -> None:
        """Gives a column the width that it needs, unless a person gave it another."""
        if column not in self.by_hand:
            self._is_fitting = True
            self.resizeSection(COLUMNS.index(column), width_px)
            self._is_fitting = False

    def title_px(self, column: Column) -> float:
        """Pixels that a title needs, bold and with its arrow where the rows are sorted by it."""
        is_marked = self.sort_mark is not None and self.sort_mark[0] is column
        width = text_width(title(column), METRICS.text_px, is_marked)
        return width + _MARK_PX if is_marked else width

    @property
    def least_px(self) -> int:
        """Pixels that all columns in sight need, the names as few as they can do with."""
        return self._others_px + self._least_name_px

    def fit_name(self, room_px: int) -> None:
        """Gives the names what the other columns leave of a width."""
        self.fit(Column.TASK, max(room_px - self._others_px, self._least_name_px))

    @property
    def _others_px(self) -> int:
        return sum(self.sectionSize(COLUMNS.index(column)) for column in self.shown if column is not Column.TASK)

    @property
    def _least_name_px(self) -> int:
        return LEAST_NAME_PX if len(self.shown) <= len(SHOWN_AT_FIRST) else _LEAST_NAME_AMONG_MANY_PX

    def popup_menu(self, column: Column) -> None:
        """Offers the columns, and what can be done with one, from the keyboard."""
        left = max(self.sectionViewportPosition(COLUMNS.index(column)), 0)
        self._menu(column).popup(self.mapToGlobal(QPoint(left, self.height())))

    # What a person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """One on the title of names, where it stands over another, is none on that one."""
        if event.position().x() >= self.frozen_px():
            super().mousePressEvent(event)
        elif event.button() is Qt.MouseButton.LeftButton:
            self._sort(Column.TASK)

    def _column_at(self, at: QPoint) -> Column | None:
        if at.x() < self.frozen_px():
            return Column.TASK
        section = self.logicalIndexAt(at)
        return COLUMNS[section] if section >= 0 else None

    def _menu(self, present: Column | None) -> QMenu:
        menu = StayingMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if present is not None:
            self._add_sorting(menu, present)
            self._add_moving(menu, present)
        actions: dict[Column, QAction] = {}
        for column in (each for each in self.offered if each is not Column.TASK):
            actions[column] = action = menu.addAction(title(column))
            action.setCheckable(True)
            action.setChecked(not self.isSectionHidden(COLUMNS.index(column)))
            action.triggered.connect(lambda is_shown, column=column: self._choose(column, is_shown))
            action.triggered.connect(lambda: actions[Column.NUMBER].setChecked(Column.NUMBER in self.shown))
        menu.addSeparator()
        menu.addAction(self.tr("Restore columns")).triggered.connect(self._restore)
        return menu

    def _add_moving(self, menu: QMenu, column: Column) -> None:
        shown = self.shown
        place = shown.index(column) if column in shown else 0
        for words, beside in ((self.tr("Move left"), place - 1), (self.tr("Move right"), place + 1)):
            action = menu.addAction(words)
            action.setEnabled(0 <= beside < len(shown))
            action.triggered.connect(lambda _, beside=beside: self._move(column, shown[beside]))
        menu.addSeparator()

    def _move(self, column: Column, beside: Column) -> None:
        self.moveSection(self.visualIndex(COLUMNS.index(column)), self.visualIndex(COLUMNS.index(beside)))

    def _add_sorting(self, menu: QMenu, column: Column) -> None:
        menu.addAction(self.tr("Sort up")).triggered.connect(lambda: self.sort_asked.emit(column, False))
        menu.addAction(self.tr("Sort down")).triggered.connect(lambda: self.sort_asked.emit(column, True))
        plain = menu.addAction(self.tr("The plan's own order"))
        plain.setEnabled(self.sort_mark is not None)
        plain.triggered.connect(lambda: self.sort_asked.emit(None, False))
        menu.addSeparator()

    def _choose(self, column: Column, is_shown: bool) -> None:
        self.set_shown(column, is_shown)
        if column is Column.PREDECESSORS and is_shown:  # they name tasks by it
            self.set_shown(Column.NUMBER, True)
        self._told()
        if is_shown:
            self.column_chosen.emit(column)

    def _restore(self) -> None:
        self.show_at_first()
        self._told()

    def _sort(self, column: Column) -> None:
        """Up, down, then the plan's own order."""
        if self.sort_mark is None or self.sort_mark[0] is not column:
            self.sort_asked.emit(column, False)
        elif not self.sort_mark[1]:
            self.sort_asked.emit(column, True)
        else:
            self.sort_asked.emit(None, False)

    def _resized(self, section: int, before: int, after: int) -> None:
        if not self._is_fitting and before and after:
            self.by_hand.add(COLUMNS[section])
            self._told()

    def _told(self) -> None:
        if not self._is_fitting:
            self.columns_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if width := self.frozen_px():
            painter = QPainter(self.viewport())
            self.paintSection(painter, QRect(0, 0, width, self.height()), COLUMNS.index(Column.TASK))
            painter.end()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        width, height, column = float(rect.width()), float(METRICS.header_px), COLUMNS[section]
        is_marked = self.sort_mark is not None and self.sort_mark[0] is column
        is_left = column in WORDS
        room = max(int(width - (2 if is_left else 1.5) * PAD_PX - (_MARK_PX if is_marked else 0)), 0)
        words = elided(title(column), room, METRICS.text_px, is_marked)
        left = PAD_PX if is_left else width - PAD_PX - room
        shapes: list[Shape] = [
            Box(0, 0, width, height, "panel"),
            Label(
                left,
                METRICS.tier_px,
                float(room),
                words,
                "text" if is_marked else "muted",
                Align.LEFT if is_left else Align.RIGHT,
                is_bold=is_marked,
            ),
            Line(((0, height - 0.5), (width, height - 0.5)), "line"),
        ]
        if self.sort_mark is not None and is_marked:
            mark = width - PAD_PX - 8 if is_left else PAD_PX / 2
            shapes.append(_arrow(mark, METRICS.tier_px + METRICS.row_px / 2, self.sort_mark[1]))
        painter.save()
        painter.translate(rect.topLeft())
        draw(painter, shapes, self.theme)
        painter.restore()


def _arrow(left: float, middle: float, is_falling: bool) -> Polygon:
    tip = 3.0 if is_falling else -3.0
    return Polygon(((left, middle - tip), (left + 8, middle - tip), (left + 4, middle + tip)), "accent")
