"""Commands: what the actions do in a window, whatever is selected and whichever plan is open."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QSpinBox, QStyle, QStyleOptionSpinBox

from engine.model import Clock
from engine.session.jobs import MOST_REPEATS
from tests.gui.shell import action, emitted, show, shown


@pytest.mark.parametrize("clock", list(Clock))
async def test_that_a_selection_does_not_outlive_its_plan(qapp: QApplication, frames: str, clock: Clock) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.gantt.select((6,))
        window.bridge.new(clock)
        assert window.gantt.selection == ()
        assert not action(window, "delete").isEnabled()
        await show(window, frames)
        window.gantt.select((6,))
        await emitted(window.bridge.document_opened, lambda: window.bridge.open_sample("assembly-line"))
        assert window.gantt.selection == ()


async def test_that_a_benchmark_instance_alone_opens_on_the_machine_board(
    qapp: QApplication, frames: str, tmp_path: Path
) -> None:
    path = tmp_path / "small.txt"
    path.write_text("2 2\n0 3 1 2\n1 4 0 1\n", encoding="ascii")
    async with shown(qapp) as (window, _):
        await show(window, frames)
        assert not action(window, "show_board").isChecked()
        await emitted(window.bridge.document_opened, lambda: window.bridge.open(str(path)))
        assert action(window, "show_board").isChecked()
        assert [r.name for r in window.bridge.state.plan.resources] == ["Machine 0", "Machine 1"]
        await show(window, frames)
        assert not action(window, "show_board").isChecked()
        action(window, "show_board").trigger()
        await emitted(window.bridge.document_opened, lambda: window.bridge.open(str(path)))
        await show(window, frames)
        assert action(window, "show_board").isChecked()


async def test_that_a_blank_name_is_refused_with_a_sentence(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, house)
        window.gantt.select((1,))
        before = window.bridge.state.plan
        action(window, "show_board").trigger()  # the table, in which it would be typed over, is not seen
        action(window, "rename").trigger()
        dialog = window.findChild(QInputDialog)
        dialog.setTextValue("  ")
        dialog.accept()
        assert window.bridge.state.plan is before
        assert heard.failures == [("A task needs a name: nothing was changed.", ())]


async def test_that_the_first_task_of_a_new_plan_is_in_view(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        window.bridge.new(Clock.CALENDAR)
        for name in ("first", "second"):
            action(window, "add_task").trigger()
            QTest.keyClicks(window.commands.table.new_row.editor, name)
            QTest.keyClick(window.commands.table.new_row.editor, Qt.Key.Key_Tab)
            (made,) = window.gantt.selection
            scale, dates = window.gantt.time_scale, window.bridge.state.schedule
            assert window.bridge.state.plan.task(made).name == name
            assert 0 <= scale.x(dates.start_of(made)) < scale.x(dates.finish_of(made)) <= scale.width_px


async def test_that_the_repeat_count_can_be_typed_and_stepped_and_says_its_limit(
    qapp: QApplication, frames: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        action(window, "repeat").trigger()
        dialog = window.findChild(QInputDialog)
        assert f"{MOST_REPEATS:,}" in dialog.labelText()
        box = dialog.findChild(QSpinBox)
        option = QStyleOptionSpinBox()
        box.initStyleOption(option)
        complex_control, sub_control = QStyle.ComplexControl.CC_SpinBox, QStyle.SubControl.SC_SpinBoxUp
        up = box.style().subControlRect(complex_control, option, sub_control, box)
        assert min(up.width(), up.height()) >= 8
        QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=up.center())
        assert box.value() == 2
        field = box.findChild(QLineEdit)
        box.setValue(MOST_REPEATS)
        assert field.fontMetrics().horizontalAdvance(field.text()) <= field.contentsRect().width()
        dialog.accept()
        assert window.bridge.repeat == MOST_REPEATS


async def test_that_several_tasks_are_linked_in_one_step(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.gantt.select((3, 1, 2))
        action(window, "link").trigger()
        links = [(link.predecessor, link.successor) for link in window.bridge.state.plan.dependencies]
        assert (links, window.bridge.state.undo_label) == ([(1, 2), (2, 3)], "Link 3 tasks")
        action(window, "undo").trigger()
        assert window.bridge.state.plan.dependencies == ()


async def test_that_a_name_typed_over_from_the_chart_leaves_the_keyboard_there(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.gantt.select((2,))
        chart, editor = window.gantt.chart, window.commands.table.editing.editor
        for key, name in ((Qt.Key.Key_Return, "fill"), (Qt.Key.Key_Escape, "pour")):
            chart.setFocus()
            before = window.focusWidget()
            action(window, "rename").trigger()
            assert window.focusWidget() is editor
            QTest.keyClicks(editor, name)
            QTest.keyClick(editor, key)
            assert window.focusWidget() is before
            assert window.gantt.selection == (2,)
        assert window.bridge.state.plan.task(2).name == "fill"
