"""A list of names beside the fields of the one that is chosen."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from gui.dialogs.choice_list import ChoiceList


def test_that_a_long_name_is_cut_and_whole_in_its_tip_without_scrolling_sideways(qapp: QApplication) -> None:
    names, chosen = ChoiceList(), []
    names.currentRowChanged.connect(chosen.append)
    names.resize(QSize(120, 200))
    long = "Two shifts and every second Saturday (the plan's)"
    assert names.list_names([long, "Nights"], 5) == 1
    names.show()
    qapp.processEvents()
    assert not names.horizontalScrollBar().isVisible()
    assert names.item(0).toolTip() == long
    assert chosen == []
    names.hide()
    names.deleteLater()
