"""RisksDialog: what of the plan as a whole is not certain: drivers, events, ranges of families, as one step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QTabWidget, QWidget

from engine.model import Plan, TaskId
from engine.session.edits import Edit
from engine.session.experience import TakeExperience
from engine.session.risk_edits import SetRiskDrivers, SetRiskEvents, SetSpreadPresets
from gui.bridge import Bridge
from gui.dialogs.driver_page import DriverPage
from gui.dialogs.event_page import EventPage
from gui.dialogs.family_page import FamilyPage
from gui.dialogs.files import choose_plan
from gui.dialogs.form_dialog import FormDialog

_SIZE_PX = (840, 500)
translate = QCoreApplication.translate


class RisksDialog(FormDialog):
    """A page each. New events change the tasks that are selected."""

    def __init__(self, bridge: Bridge, plan: Plan, selected: Sequence[TaskId], parent: QWidget) -> None:
        title = translate("RisksDialog", "Drivers, events and families")
        step = translate("RisksDialog", "Change drivers, events and ranges of families")
        super().__init__(bridge, title, step, parent)
        self._plan, self._risks = plan, plan.risks
        self.drivers, self.events, self.families = DriverPage(plan), EventPage(plan, selected), FamilyPage(plan)
        self.events.refused.connect(self._refuse)
        self.families.experience_asked.connect(lambda: choose_plan(self, "", self._learn_from))
        bridge.sampling.experience_found.connect(self._learn)
        bridge.sampling.refused.connect(lambda _, sentence: self._refuse(sentence))
        self.tabs = QTabWidget()
        self.tabs.addTab(self.drivers, self.tr("&Drivers"))
        self.tabs.addTab(self.events, self.tr("&Events"))
        self.tabs.addTab(self.families, self.tr("&Families"))
        self.lay_out(self.tabs)
        self.resize(*_SIZE_PX)

    def edits(self) -> list[Edit]:
        """What is another than it was. Raises PlanError where something that was entered cannot be."""
        risks, found = self._risks, list[Edit]()
        drivers, correlations = self.drivers.drivers(), self.drivers.correlations()
        events, presets = self.events.events(), self.families.presets()
        if (drivers, correlations) != (risks.drivers, risks.correlations):
            found.append(SetRiskDrivers(drivers, correlations))
        if events != risks.events:
            found.append(SetRiskEvents(events))
        if presets != risks.presets:
            found.append(SetSpreadPresets(presets))
        return found

    def _learn_from(self, path: str) -> None:
        self.bridge.sampling.read_experience(path, self._plan)

    def _learn(self, _: str, found: object) -> None:
        """What finished tasks took, as ranges of their families."""
        if isinstance(found, TakeExperience):
            self._refuse("")
            self.families.take(found.experience.families)

    def _refuse(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        self.wrong.setVisible(bool(sentence))
