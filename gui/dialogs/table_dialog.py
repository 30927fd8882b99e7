"""TableDialog: how a table was understood, to be looked at and changed before it is opened. It never reads one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.session.importing import DELIMITERS, ENCODINGS, Column, DateOrder, Field, Reading, TableGuess
from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

translate = QCoreApplication.translate
_WIDTH, _HEIGHT = 240, 150
_COLUMN_PX, _COLUMN_MOST_PX = 130, 280
_FIELD_ROW = 0
# So many choices are there at once, more than are in sight; the others come after the window is shown.
_FIELDS_AT_ONCE = 8


class TableDialog(FittedDialog):
    """`import_asked` carries the TableGuess as it stands; `other_reading_asked` the Reading chosen instead.

    The first row of the table holds what each column means; below it is what the file says.
    """

    import_asked = Signal(object)
    other_reading_asked = Signal(object)

    def __init__(self, path: str, guess: TableGuess, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open a table"))
        self.guess = guess
        self._path = path
        self._reading = Reading(guess.encoding, guess.delimiter, guess.sheet)
        self._refusal = ""
        self._is_answered = True
        head = QLabel(self.tr("Open “{name}”").format(name=Path(path).name))
        head.setProperty("role", "title")
        head.setTextFormat(Qt.TextFormat.PlainText)
        self.sheet, self.encoding, self.delimiter, self.date_order = (QComboBox() for _ in range(4))
        self.notes = QLabel()
        self.notes.setWordWrap(True)
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        self.table = QTableWidget()
        self.fields: list[QComboBox] = []
        self._meanings = self._make_meanings()
        self._placed = 0
        self._placing = QTimer(self, interval=0)
        self._placing.timeout.connect(self._place_field)
        self._buttons = self._make_buttons()
        self._lay_out(head)
        self._fill_choices()
        self._show_guess()
        self.finished.connect(self._leave)

    def take_answer(self, path: str, reading: Reading, guess: TableGuess | None, sentence: str) -> None:
        """What was found in the file as it was last asked for; where nothing was, the sentence says why.

        An answer to another question is dropped.
        """
        if (path, reading) != (self._path, self._reading):
            return
        self._is_answered, self._refusal = True, sentence
        if guess is None:
            self._tell()
        else:
            self.guess = guess
            self._show_guess()

    def _show_guess(self) -> None:
        self.date_order.setCurrentIndex(self.date_order.findData(self.guess.date_order))
        self._fill_table()
        self._tell()

    # Set-up

    def _make_buttons(self) -> QDialogButtonBox:
        box, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.import_button: QPushButton = box.addButton(self.tr("Open"), role.AcceptRole)
        self.import_button.setDefault(True)
        self.import_button.setProperty("primary", True)
        box.addButton(self.tr("Cancel"), role.RejectRole)
        box.accepted.connect(self._import)
        box.rejected.connect(self.reject)
        return box

    def _lay_out(self, head: QLabel) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        if self.guess.sheet:
            form.addRow(self.tr("&Sheet"), self.sheet)
        else:
            form.addRow(self.tr("&Encoding"), self.encoding)
            form.addRow(self.tr("&Delimiter"), self.delimiter)
        form.addRow(self.tr("D&ates"), self.date_order)
        self.table.setAccessibleName(self.tr("What each column means, and the first rows"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.setProperty("role", "list")
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setTabKeyNavigation(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(2 * METRICS.grid_px)
        layout.addWidget(head)
        layout.addLayout(form)
        for widget in (self.table, self.notes, self._buttons):
            layout.addWidget(widget)
        self.resize(_WIDTH * METRICS.grid_px, _HEIGHT * METRICS.grid_px)

    def _fill_choices(self) -> None:
        guess = self.guess
        for sheet in guess.sheets:
            self.sheet.addItem(sheet, sheet)
        self.sheet.setCurrentIndex(self.sheet.findData(guess.sheet))
        for encoding in dict.fromkeys((guess.encoding, *ENCODINGS)):
            self.encoding.addItem(encoding, encoding)
        for delimiter in DELIMITERS:
            self.delimiter.addItem(_delimiter_name(delimiter), delimiter)
        self.delimiter.setCurrentIndex(self.delimiter.findData(guess.delimiter))
        for order in DateOrder:
            self.date_order.addItem(_order_name(order), order)
        for choice in (self.sheet, self.encoding, self.delimiter):
            choice.activated.connect(self._ask_anew)
        self.date_order.activated.connect(self._take_order)

    def _fill_table(self) -> None:
        columns, preview = self.guess.columns, self.guess.preview
        self.table.clear()
        self.table.setColumnCount(len(columns))
        self.table.setRowCount(1 + len(preview))
        self.table.setHorizontalHeaderLabels([column.header or "-" for column in columns])
        self.fields = [self._field_choice(column) for column in columns]
        for at in range(len(columns)):
            for row, cells in enumerate(preview, 1):
                self.table.setItem(row, at, QTableWidgetItem(cells[at] if at < len(cells) else ""))
        self._placed = 0
        for _ in self.fields[:_FIELDS_AT_ONCE]:
            self._place_field()
        self._placing.start()
        self.table.resizeRowToContents(_FIELD_ROW)
        self.table.resizeColumnsToContents()
        least = max([_COLUMN_PX, *(choice.sizeHint().width() for choice in self.fields[:1])])
        for at in range(len(columns)):
            self.table.setColumnWidth(at, min(_COLUMN_MOST_PX, max(least, self.table.columnWidth(at))))

    def _place_field(self) -> None:
        """One more choice into its column; Tab goes through all of them once they are there."""
        if self._placed == len(self.fields):
            self._placing.stop()
            return
        self.table.setCellWidget(_FIELD_ROW, self._placed, self.fields[self._placed])
        self._placed += 1

    def _make_meanings(self) -> QStandardItemModel:
        """What a column can mean, for every choice alike."""
        meanings = QStandardItemModel(self)
        names = {None: self.tr("(kept as text)")} | {field: translate("Field", field.value) for field in Field}
        for field, name in names.items():
            item = QStandardItem(name)
            item.setData(field, Qt.ItemDataRole.UserRole)
            meanings.appendRow(item)
        return meanings

    def _field_choice(self, column: Column) -> QComboBox:
        choice = QComboBox()
        choice.setAccessibleName(self.tr("Meaning of the column “{header}”").format(header=column.header))
        choice.setModel(self._meanings)
        choice.setCurrentIndex(choice.findData(column.field))
        choice.activated.connect(self._take_fields)
        return choice

    # What a person changes

    def _ask_anew(self) -> None:
        """Nothing is opened until it is known how it would be read now."""
        if self.guess.sheet:
            self._reading = Reading(sheet=self.sheet.currentData())
        else:
            self._reading = Reading(self.encoding.currentData(), self.delimiter.currentData())
        self._is_answered = False
        self.import_button.setEnabled(False)
        self.other_reading_asked.emit(self._reading)

    def _take_order(self) -> None:
        self.guess = replace(self.guess, date_order=self.date_order.currentData(), is_date_order_sure=True, notes=())
        self._tell()

    def _take_fields(self) -> None:
        pairs = zip(self.guess.columns, self.fields, strict=True)
        columns = tuple(Column(column.header, choice.currentData()) for column, choice in pairs)
        self.guess = replace(self.guess, columns=columns)
        self._tell()

    def _tell(self) -> None:
        """What stands in the way, else what is not sure."""
        problem = self._refusal or self._problem()
        self.notes.setText(problem or " ".join(self.guess.notes))
        self.notes.setProperty("role", "error" if problem else "muted")
        self.notes.style().polish(self.notes)
        self.import_button.setEnabled(self._is_answered and not problem)

    def _problem(self) -> str:
        taken = [column.field for column in self.guess.columns if column.field]
        if Field.NAME not in taken:
            return self.tr("Choose the column that holds the names of the tasks.")
        twice = next((field for field in taken if taken.count(field) > 1), None)
        if twice is None:
            return ""
        return self.tr("Two columns are read as “{field}”.").format(field=translate("Field", twice.value))

    def _leave(self) -> None:
        """The choices that have no place yet go before what they choose from."""
        self._placing.stop()
        for choice in self.fields[self._placed :]:
            choice.deleteLater()
        self.deleteLater()

    def _import(self) -> None:
        self.accept()
        self.import_asked.emit(self.guess)


def _delimiter_name(delimiter: str) -> str:
    return {
        ",": translate("TableDialog", "Comma"),
        ";": translate("TableDialog", "Semicolon"),
        "\t": translate("TableDialog", "Tab"),
        "|": translate("TableDialog", "Bar"),
    }[delimiter]


def _order_name(order: DateOrder) -> str:
    return {
        DateOrder.DAY_FIRST: translate("TableDialog", "Day first: 31/12/2026"),
        DateOrder.MONTH_FIRST: translate("TableDialog", "Month first: 12/31/2026"),
        DateOrder.YEAR_FIRST: translate("TableDialog", "Year first: 2026/12/31"),
    }[order]
