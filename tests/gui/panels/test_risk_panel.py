"""What the panel shows where there are no figures yet."""

import pytest
from PySide6.QtWidgets import QApplication

from engine.session.document import Document
from gui.bridge.risking import Risk
from gui.panels.risk_panel import RiskPanel
from tests.gui.risking import spread_house
from tests.gui.shell import settle


@pytest.mark.parametrize("width", [420, 900, 1600])
def test_that_what_is_said_in_the_place_of_figures_is_seen_whole(qapp: QApplication, width: int) -> None:
    panel, ready = RiskPanel(), Risk(Document(spread_house()).state)
    panel.resize(width, 300)
    panel.show()
    for risk, is_on in ((None, False), (ready, True)):
        panel.show_risk(risk, is_on=is_on)
        settle(qapp)
        assert panel.lesson.text()
        assert panel.lesson.height() >= panel.lesson.heightForWidth(panel.lesson.width())
    panel.close()
