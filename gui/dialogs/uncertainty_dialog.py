"""UncertaintyDialog: how long selected tasks may take, whether they happen, what they follow. It simulates nothing.

OK makes one step of all of it, for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFormLayout, QGroupBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from engine.errors import PlanError
from engine.model import Spread, SpreadKind, Task, TaskId
from engine.session.edits import Edit
from engine.session.risk_edits import SetDriverLoadings, SetTaskChance, SetUncertainty
from engine.session.state import State
from engine.session.typed_risks import inherited_spread, planned_ticks, range_note
from engine.session.typed_spreads import chance_text, read_chance
from gui.bridge import Bridge
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.loading_fields import LoadingFields
from gui.dialogs.sample_question import SampleQuestion
from gui.dialogs.spread_fields import VARIOUS, SpreadFields, SpreadSubject
from gui.theme import METRICS

_FIELD_PX = 90
translate = QCoreApplication.translate


class UncertaintyDialog(FormDialog):
    """The range of the leaves that are selected or lie in what is; the chance of what is selected itself."""

    def __init__(self, bridge: Bridge, state: State, selected: Sequence[TaskId], parent: QWidget) -> None:
        plan = state.plan
        chosen = [plan.task(task) for task in selected]
        title, step = _titles(chosen)
        super().__init__(bridge, title, step, parent)
        self._state, self._chosen = state, chosen
        self._leaves = [
            plan.task(leaf) for leaf in dict.fromkeys(each for task in chosen for each in plan.leaves(task.id))
        ]
        first = self._example = next((task for task in self._leaves if planned_ticks(state, task)), self._leaves[0])
        subject = SpreadSubject(plan, first, planned_ticks(state, first), inherited_spread(plan, first))
        self.range = SpreadFields(subject)
        self._before = _common(self._leaves)
        self.range.show_spread(self._before)
        self.chance = QLineEdit()
        self.loadings = LoadingFields(plan, self._leaves)
        self.note = QLabel()
        self._set_up()
        self._lay_out()
        self.range.changed.connect(self._tell)
        self._sample = SampleQuestion(bridge, plan, self, self._take_sample, self._refuse)
        self.range.sample_asked.connect(self._sample.ask)
        self._tell()

    def edits(self) -> list[Edit]:
        """What is another than it was. Raises PlanError where something that was entered cannot be."""
        found: list[Edit] = []
        spread, leaves = self.range.spread(), tuple(task.id for task in self._leaves)
        if not self.range.is_various and spread != self._before:
            self._check_units(spread)
            found.append(SetUncertainty(leaves, spread))
        text = self.chance.text().strip()
        if text != self._chance_before and (text or not self._is_chance_various):
            found.append(SetTaskChance(tuple(task.id for task in self._chosen), read_chance(text)))
        return [*found, *(SetDriverLoadings(tasks, given) for given, tasks in self.loadings.changes().items())]

    # Set-up

    def _set_up(self) -> None:
        chances = {1.0 if task.risk is None else task.risk.chance for task in self._chosen}
        self._is_chance_various = len(chances) > 1
        self._chance_before = "" if self._is_chance_various else chance_text(chances.pop())
        self.chance.setText(self._chance_before)
        self.chance.setPlaceholderText(self.tr("various") if self._is_chance_various else self.tr("certain"))
        self.chance.setFixedWidth(_FIELD_PX)
        self.chance.setToolTip(self.tr("30%: in 70 of 100 cases it takes no time; empty: it happens in every case"))
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)

    def _lay_out(self) -> None:
        range_box, chance_box = QGroupBox(self.tr("How long")), QGroupBox(self.tr("Whether at all"))
        drivers_box = QGroupBox(self.tr("What it follows"))
        inside = QVBoxLayout(range_box)
        inside.addWidget(self.range)
        inside.addWidget(self.note)
        form = QFormLayout(chance_box)
        form.addRow(self.tr("&Chance that it happens"), self.chance)
        QVBoxLayout(drivers_box).addWidget(self.loadings)
        page, column, across = QWidget(), QVBoxLayout(), QHBoxLayout()
        across.addWidget(chance_box, 0, Qt.AlignmentFlag.AlignTop)
        across.addWidget(drivers_box, 1)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * METRICS.grid_px)
        column.addWidget(range_box, 1)
        column.addLayout(across)
        page.setLayout(column)
        self.lay_out(page)

    def _check_units(self, spread: Spread | None) -> None:
        """A length is the same for all tasks only where all count it alike."""
        is_length = spread is not None and spread.kind is not SpreadKind.FIXED and not spread.is_percent
        if is_length and len({task.is_elapsed for task in self._leaves}) > 1:
            sentence = self.tr("Some of the tasks are counted in elapsed time, some are not: say the range in percent.")
            raise PlanError(sentence)

    def _take_sample(self, spread: Spread) -> None:
        """What was measured, as the range."""
        if self._example.is_elapsed and not spread.is_percent:
            self._refuse(self.tr("The table holds working time, but the task is counted in elapsed time."))
            return
        self.wrong.hide()
        self.range.show_spread(spread)

    def _refuse(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        self.wrong.show()

    def _tell(self) -> None:
        """What the range does not do, where there is something to say."""
        self.wrong.hide()
        note = " ".join(words for words in (self._several(), self._of_example()) if words)
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _several(self) -> str:
        if len(self._leaves) == 1 or self.range.picture.shown is None:
            return ""
        words = self.tr("For {count} tasks; the picture is that of “{name}”.")
        return words.format(count=len(self._leaves), name=self._example.name)

    def _of_example(self) -> str:
        try:
            return range_note(self._state, self._example, self.range.spread())
        except PlanError:
            return ""


def _titles(chosen: Sequence[Task]) -> tuple[str, str]:
    """What the window is called, and the step."""
    if len(chosen) == 1:
        name = chosen[0].name
        return (
            translate("UncertaintyDialog", "Uncertainty of “{name}”").format(name=name),
            translate("UncertaintyDialog", "Change how certain “{name}” is").format(name=name),
        )
    return (
        translate("UncertaintyDialog", "Uncertainty of {count} tasks").format(count=len(chosen)),
        translate("UncertaintyDialog", "Change how certain {count} tasks are").format(count=len(chosen)),
    )


def _common(leaves: Sequence[Task]) -> Spread | str | None:
    """The range that all of them have; VARIOUS where they differ."""
    found = {None if task.risk is None else task.risk.spread for task in leaves}
    return found.pop() if len(found) == 1 else VARIOUS
