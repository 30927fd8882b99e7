"""SpreadFields: how long something may take, asked by kind and numbers, with a picture. They never change a plan."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from engine.errors import EngineError, PlanError
from engine.model import Plan, Spread, SpreadKind, Task, Ticks
from engine.model.named_spreads import NAMED_SPREADS, name_of
from engine.session.spread_facts import spread_facts
from engine.session.typed_spreads import number_text, ranged_task, read_number, read_spread, spread_text
from gui.dialogs.spread_picture import Pictured, SpreadPicture
from gui.plan_words import length_text
from gui.spread_words import kind_words, spread_words
from gui.theme import METRICS

_LOW, _LIKELY, _HIGH, _DEVIATION = range(4)
_NUMBERS = {
    SpreadKind.UNIFORM: (_LOW, _HIGH),
    SpreadKind.TRIANGULAR: (_LOW, _LIKELY, _HIGH),
    SpreadKind.PERT: (_LOW, _LIKELY, _HIGH),
    SpreadKind.LOGNORMAL: (_LOW, _LIKELY, _HIGH),
    SpreadKind.NORMAL: (_LOW, _LIKELY, _HIGH, _DEVIATION),
}
_FIRST = (80.0, 100.0, 130.0, 10.0)
VARIOUS = "various"


@dataclass(frozen=True, slots=True)
class SpreadSubject:
    """What the range is of: a task, the ticks that are planned of it, and the range it has without one of its own."""

    plan: Plan
    task: Task
    planned: Ticks
    inherited: Spread | None = None


class SpreadFields(QWidget):
    """`changed` says that a person changed something, `sample_asked` that values are to come from a table.

    While several tasks differ nothing is said of their ranges.
    """

    changed = Signal()
    sample_asked = Signal()

    def __init__(self, subject: SpreadSubject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._subject = subject
        self._ranged = ranged_task(subject.plan, subject.task, subject.planned)
        self.kind, self.named, self.unit = QComboBox(), QComboBox(), QComboBox()
        self.numbers = tuple(QLineEdit() for _ in _FIRST)
        self.values, self.sample = QLineEdit(), QPushButton(self.tr("From a &table…"))
        self._measured: tuple[str, Spread] | None = None
        self.picture = SpreadPicture()
        self.verdict, self.why = QLabel(), QLabel()
        self._labels = tuple(QLabel() for _ in _FIRST)
        self._form = QFormLayout()
        self._fill()
        self._lay_out()
        self._connect()
        self.show_spread(None)

    @property
    def is_various(self) -> bool:
        """Whether the tasks have different ranges, and none was chosen for all of them."""
        return bool(self.kind.currentData() == VARIOUS)

    def spread(self) -> Spread | None:
        """What is entered, None for no range of its own. Raises PlanError with a sentence where it is none."""
        kind = self.kind.currentData()
        if not isinstance(kind, SpreadKind):
            return None
        if kind is SpreadKind.FIXED:
            return Spread(kind)
        if self._measured is not None and kind is SpreadKind.EMPIRICAL and self._measured[0] == self.values.text():
            return self._measured[1]
        if kind is SpreadKind.EMPIRICAL:
            return read_spread(self._ranged, f"values {self.values.text()}")
        low, likely, high, deviation = _FIRST
        found = {place: self._number(place) for place in _NUMBERS[kind]}
        if len({is_percent for _, is_percent in found.values()}) > 1:
            raise PlanError(self.tr("Write all numbers of the range in percent, or all of them as lengths of time."))
        numbers = {place: number for place, (number, _) in found.items()}
        low, high = numbers[_LOW], numbers[_HIGH]
        likely, deviation = numbers.get(_LIKELY, (low + high) / 2), numbers.get(_DEVIATION, 0.0)
        made = Spread(kind, low, likely, high, deviation, next(iter(found.values()))[1])
        made.check(self.tr("The range"), self._ranged.ids)
        return made

    def show_spread(self, spread: Spread | str | None) -> None:
        """Puts a range into the fields, None for none of its own; VARIOUS where several tasks differ."""
        if spread == VARIOUS and self.kind.findData(VARIOUS) < 0:
            self.kind.insertItem(0, self.tr("Various: leave them as they are"), VARIOUS)
        wanted = spread.kind if isinstance(spread, Spread) else spread
        self.kind.setCurrentIndex(self.kind.findData(wanted))
        if isinstance(spread, Spread):
            self._put(spread)
        self._arrange()

    # Set-up

    def _fill(self) -> None:
        subject = self._subject
        none = self.tr("No range of its own")
        if subject.inherited is not None:
            words = spread_words(subject.plan, subject.task, subject.inherited)
            families = {preset.family for preset in subject.plan.risks.presets} - {""}
            is_of_family = subject.task.family in families
            none = self.tr("That of its family: {range}") if is_of_family else self.tr("That of all others: {range}")
            none = none.format(range=words)
        self.kind.addItem(none, None)
        for kind in SpreadKind:
            self.kind.addItem(kind_words(kind), kind)
        self.unit.addItem(self.tr("in percent of what is planned"), True)
        self.unit.addItem(self.tr("as lengths of time"), False)
        self.named.addItem(self.tr("choose a kind of work…"), None)
        for each in NAMED_SPREADS:
            self.named.addItem(each.name, each.spread)
            self.named.setItemData(self.named.count() - 1, each.why, Qt.ItemDataRole.ToolTipRole)
        for preset in subject.plan.risks.presets:
            family = preset.family or self.tr("tasks without a family")
            self.named.addItem(self.tr("As {family}").format(family=family), preset.spread)
        self.values.setPlaceholderText("8d 9d 9d 12d")
        self.values.setToolTip(
            self.tr("What was measured, one after the other: lengths of time, or percent of the plan")
        )
        self.kind.setAccessibleName(self.tr("Kind of range"))
        self.named.setToolTip(self.tr("A first range for work of this kind, to be changed as you know better"))
        self.unit.setAccessibleName(self.tr("Numbers"))
        for label in (self.verdict, self.why):
            label.setProperty("role", "muted")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)

    def _lay_out(self) -> None:
        form = self._form
        form.setHorizontalSpacing(3 * METRICS.grid_px)
        form.setVerticalSpacing(METRICS.grid_px)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("&Range"), self.kind)
        form.addRow(self.tr("&Kind of work"), self.named)
        form.addRow(self.tr("&Numbers"), self.unit)
        for label, field in zip(self._labels, self.numbers, strict=True):
            label.setBuddy(field)
            form.addRow(label, field)
        form.addRow(self.tr("&Values"), self.values)
        form.addRow("", self.sample)
        self.sample.setAutoDefault(False)
        self.sample.setToolTip(self.tr("Take the values of a column of a text table, such as what finished tasks took"))
        left, right, across = QVBoxLayout(), QVBoxLayout(), QHBoxLayout(self)
        left.addLayout(form)
        left.addWidget(self.why)
        left.addStretch(1)
        right.addWidget(self.picture)
        right.addWidget(self.verdict)
        right.addStretch(1)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(4 * METRICS.grid_px)
        across.addLayout(left, 1)
        across.addLayout(right)

    def _connect(self) -> None:
        self.kind.activated.connect(self._turn)
        self.named.activated.connect(self._take_named)
        self.unit.activated.connect(self._convert)
        self.sample.clicked.connect(self.sample_asked)
        for field in (*self.numbers, self.values):
            field.textEdited.connect(self._tell)

    # What a person does

    def _turn(self) -> None:
        """Another kind: numbers that there are stay."""
        kind = self.kind.currentData()
        if isinstance(kind, SpreadKind):
            for place in _NUMBERS.get(kind, ()):
                if not self.numbers[place].text().strip():
                    self._put_number(place, _FIRST[place], is_percent=True)
        self._arrange()
        self.changed.emit()

    def _take_named(self) -> None:
        spread = self.named.currentData()
        if spread is not None:
            self.show_spread(spread)
            self.changed.emit()

    def _convert(self) -> None:
        """The same range in percent, or as lengths of time."""
        to_percent, planned = bool(self.unit.currentData()), max(self._subject.planned, 1)
        for place in range(len(_FIRST)):
            try:
                number, is_percent = self._number(place, is_bare_percent=not to_percent)
            except EngineError:
                continue
            if is_percent is not to_percent:
                number *= 100 / planned if to_percent else planned / 100
                self._put_number(place, number, is_percent=to_percent)
        self._tell()

    # Fields

    def _number(self, place: int, *, is_bare_percent: bool | None = None) -> tuple[float, bool]:
        """A number of the range, and whether it is in percent. One without a unit is as the unit says."""
        text = self.numbers[place].text().strip()
        is_percent = bool(self.unit.currentData()) if is_bare_percent is None else is_bare_percent
        bare = text[-1:].isdecimal()
        try:
            return read_number(self._ranged, f"{text}%" if bare and is_percent else text)
        except EngineError:
            name = self._labels[place].text().replace("&", "")
            words = self.tr("{name}: “{text}” is no number of a range: write 8d, 1.5w or 120%.")
            raise PlanError(words.format(name=name, text=text), ids=self._ranged.ids) from None

    def _put(self, spread: Spread) -> None:
        if spread.kind in _NUMBERS:
            self.unit.setCurrentIndex(self.unit.findData(spread.is_percent))
            for place, number in enumerate((spread.low, spread.likely, spread.high, spread.deviation)):
                if place in _NUMBERS[spread.kind]:
                    self._put_number(place, number, is_percent=spread.is_percent)
                else:
                    self.numbers[place].clear()
        elif spread.kind is SpreadKind.EMPIRICAL:
            self.values.setText(spread_text(self._ranged, spread).removeprefix("values "))
            self.values.setCursorPosition(0)
            self._measured = self.values.text(), spread  # to the last figure, as long as nobody changes it

    def _put_number(self, place: int, number: float, *, is_percent: bool) -> None:
        number = float(f"{number:.6g}") if is_percent else number
        self.numbers[place].setText(number_text(self._ranged, number, is_percent=is_percent))

    def _arrange(self) -> None:
        """The fields of the chosen kind, each under its name."""
        kind = self.kind.currentData()
        places = _NUMBERS.get(kind, ()) if isinstance(kind, SpreadKind) else ()
        names = {
            SpreadKind.LOGNORMAL: (self.tr("N&ever below"), self.tr("&Half below"), self.tr("&9 in 10 below"), ""),
            SpreadKind.NORMAL: (
                self.tr("Not b&elow"),
                self.tr("&Around"),
                self.tr("Not a&bove"),
                self.tr("De&viation"),
            ),
        }
        usual = (self.tr("&Shortest"), self.tr("&Most likely"), self.tr("&Longest"), "")
        for place, label in enumerate(self._labels):
            label.setText(names.get(kind, usual)[place])
            self._form.setRowVisible(self.numbers[place], place in places)
        self._form.setRowVisible(self.unit, bool(places))
        for measured in (self.values, self.sample):
            self._form.setRowVisible(measured, kind is SpreadKind.EMPIRICAL)
        self._tell(is_by_hand=False)

    def _tell(self, _: str = "", *, is_by_hand: bool = True) -> None:
        """The picture of what is entered, or why it is no range."""
        subject, spread = self._subject, None
        try:
            own = self.spread()
            spread = own if own is not None or self.is_various else subject.inherited
            words = "" if spread is None else self._words(spread)
        except EngineError as error:
            own, words = None, error.sentence
        self.verdict.setText(words or self._nothing())
        self.picture.show_spread(None if spread is None else self._pictured(spread))
        name = None if own is None else name_of(own)
        self.why.setText("" if name is None else name.why)
        self.named.setCurrentIndex(max(self.named.findText(name.name), 0) if name is not None else 0)
        if is_by_hand:
            self.changed.emit()

    def _nothing(self) -> str:
        if self.is_various:
            return self.tr("The tasks have different ranges. What is chosen here is that of all of them.")
        return self.tr("It takes as long as planned, in every case.")

    def _pictured(self, spread: Spread) -> Pictured:
        facts = spread_facts(spread, self._subject.planned)
        return Pictured(facts, float(self._subject.planned), self._length)

    def _words(self, spread: Spread) -> str:
        facts, planned = spread_facts(spread, self._subject.planned), self._subject.planned
        said = self.tr("Planned are {planned}: enough in {percent} of 100 cases.")
        return said.format(planned=self._length(planned), percent=f"{100 * facts.chance_within(planned):.0f}")

    def _length(self, ticks: float) -> str:
        return length_text(self._subject.plan, self._subject.task, round(ticks), is_rough=True)
