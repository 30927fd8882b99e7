"""Giving tasks their operations in the window: from an empty device plan to a run, by keys alone."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QPushButton, QWidget

from engine.model import Clock, FillKind, OperationKind
from engine.session.edits import AddTask
from engine.session.jobs import Outcome
from gui.dialogs.operation_dialog import OperationDialog
from gui.main_window import MainWindow
from tests.gui.shell import action, ended, settle, show, shown, until

Key = Qt.Key
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def active(window: MainWindow) -> None:
    """Without a window manager nobody gives the focus back when a dialog closes."""
    window.activateWindow()
    await until(window.isActiveWindow)


async def add(window: MainWindow, name: str) -> None:
    """Ins, a name, Return."""
    await active(window)
    QTest.keyClick(window, Key.Key_Insert)
    editor = window.commands.table.new_row.editor
    QTest.keyClicks(editor, name)
    QTest.keyClick(editor, Key.Key_Tab)
    QApplication.processEvents()


async def opened(window: MainWindow) -> OperationDialog:
    """Ctrl+E."""
    await active(window)
    QTest.keyClick(window, Key.Key_E, CONTROL)
    return next(dialog for dialog in window.findChildren(OperationDialog) if dialog.isVisible())


def tab_to(dialog: OperationDialog, wanted: QWidget) -> QWidget:
    """Tab until a field has the focus; fields that were just made are shown first."""
    QApplication.processEvents()
    for _ in range(40):
        at = dialog.focusWidget()
        if at is wanted or (at is not None and wanted.isAncestorOf(at)):
            return at
        QTest.keyClick(at or dialog, Key.Key_Tab)
    raise AssertionError(f"Tab never reaches {wanted.accessibleName()}")


def put(dialog: OperationDialog, field: QWidget, text: str) -> None:
    at = tab_to(dialog, field)
    QTest.keyClick(at, Key.Key_A, CONTROL)
    QTest.keyClicks(at, text)


def choose(dialog: OperationDialog, box: QWidget, begins: str) -> None:
    QTest.keyClicks(tab_to(dialog, box), begins)


def enter(dialog: OperationDialog) -> None:
    QTest.keyClick(dialog.focusWidget(), Key.Key_Return)
    QApplication.processEvents()


async def test_that_a_device_plan_is_built_from_nothing_by_keys_and_runs(qapp: QApplication) -> None:
    async with shown(qapp, start=None) as (window, _):
        await active(window)
        QTest.keyClick(window, Key.Key_N, CONTROL | SHIFT)
        assert [stream.name for stream in window.bridge.state.plan.streams] == ["Stream 1"]
        await add(window, "load")
        assert "“load” still needs an operation" in window.status.text
        dialog = await opened(window)
        put(dialog, dialog.form.reads[0].name, "frame")
        put(dialog, dialog.form.reads[0].shape, "256, 128")
        enter(dialog)
        await add(window, "soften")
        dialog = await opened(window)
        choose(dialog, dialog.form.kind, "Kernel")
        choose(dialog, dialog.form.kernel, "saxpy")
        put(dialog, dialog.form.parameters["alpha"], "0.5")
        put(dialog, dialog.form.reads[0].name, "frame")
        put(dialog, dialog.form.reads[1].name, "frame")
        put(dialog, dialog.form.writes[0].name, "soft")
        tab_to(dialog, dialog.form.writes[0].shape)
        assert dialog.form.writes[0].shape.text() == "256, 128"
        enter(dialog)
        await add(window, "store")
        dialog = await opened(window)
        choose(dialog, dialog.form.kind, "Copy out")
        put(dialog, dialog.form.reads[0].name, "soft")
        enter(dialog)
        settle(qapp)
        assert [dialog for dialog in window.findChildren(OperationDialog) if dialog.isVisible()] == []
        plan = window.bridge.state.plan
        assert [task.operation.kind for task in plan.tasks] == [
            OperationKind.COPY_IN,
            OperationKind.KERNEL,
            OperationKind.COPY_OUT,
        ]
        assert dict(plan.task(2).operation.parameters) == {"alpha": 0.5, "beta": 1.0}
        assert {buffer.id: (buffer.shape, buffer.fill.kind) for buffer in plan.buffers} == {
            "frame": ((256, 128), FillKind.SEED),
            "soft": ((256, 128), FillKind.NONE),
        }
        await active(window)
        QTest.keyClick(window, Key.Key_F5)
        job = window.bridge.current_run
        assert job is not None, window.status.text
        await ended(window.bridge)
        assert (job.outcome, job.error, job.is_verified) == (Outcome.FINISHED, "", True)


async def test_that_an_operation_is_told_to_run_once_and_that_can_be_undone(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        plan = window.bridge.state.plan
        task = plan.task(1)
        window.gantt.select((1,))
        dialog = await opened(window)
        assert not dialog.once.isChecked()
        QTest.keyClick(tab_to(dialog, dialog.once), Key.Key_Space)
        enter(dialog)
        assert window.bridge.state.plan.task(task.id).operation == replace(task.operation, is_once=True)
        dialog = await opened(window)
        assert dialog.once.isChecked()
        dialog.reject()
        await active(window)
        QTest.keyClick(window, Key.Key_Z, CONTROL)
        assert window.bridge.state.plan == plan


async def test_that_after_adding_a_task_a_button_opens_the_form(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        await active(window)
        window.bridge.new(Clock.DEVICE)
        await add(window, "load")
        button = next(b for b in window.status.findChildren(QPushButton) if b.isVisible())
        assert button.text() == "Operation…"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert len(window.findChildren(OperationDialog)) == 1


async def test_that_what_a_kernel_refuses_is_said_and_the_form_stays(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        await active(window)
        window.bridge.new(Clock.DEVICE)
        window.bridge.execute(AddTask("filter"))
        window.gantt.select((1,))
        dialog = await opened(window)
        choose(dialog, dialog.form.kind, "Kernel")
        choose(dialog, dialog.form.kernel, "convolve")
        assert dialog.form.summary.text() == "Filter a frame with a window of weights"
        for field, name, shape in (
            (dialog.form.reads[0], "frame", "90, 160"),
            (dialog.form.reads[1], "weights", "4, 4"),
            (dialog.form.writes[0], "clean", "90, 160"),
        ):
            put(dialog, field.name, name)
            put(dialog, field.shape, shape)
        before = window.bridge.state.plan
        enter(dialog)
        assert dialog.isVisible()
        assert dialog.verdict.text().endswith(
            "Its weights must be square, odd and at most 31, but are 4 \N{MULTIPLICATION SIGN} 4."
        )
        assert dialog.verdict.property("role") == "error"
        assert window.bridge.state.plan is before
        put(dialog, dialog.form.reads[1].shape, "5 x 5")
        assert dialog.verdict.text().startswith("It takes ")
        enter(dialog)
        assert window.bridge.state.plan.task(1).operation.kernel == "convolve"
        await active(window)
        QTest.keyClick(window, Key.Key_Z, CONTROL)
        assert window.bridge.state.plan == before


async def test_that_an_operation_is_shown_as_it_is_and_a_stream_and_a_duration_can_be_typed(
    qapp: QApplication, frames: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.gantt.select((2,))
        spec = window.bridge.state.plan.task(2).operation
        dialog = await opened(window)
        assert dialog.form.spec() == spec or dialog.form.spec().reads == spec.reads
        assert [field.id for field in (*dialog.form.reads, *dialog.form.writes)] == [*spec.reads, *spec.writes]
        put(dialog, dialog.stream, "Side")
        choose(dialog, dialog.source, "typed")
        put(dialog, dialog.length, "1500")
        dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
        plan = window.bridge.state.plan
        assert plan.streams[-1].name == "Side"
        assert plan.stream_of[2] == plan.streams[-1].id
        assert plan.task(2).duration == 1_500_000


async def test_that_only_one_leaf_of_a_device_plan_can_have_an_operation(
    qapp: QApplication, frames: str, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.gantt.select(())
        assert not action(window, "operation").isEnabled()
        window.gantt.select((2,))
        assert action(window, "operation").isEnabled()
        await show(window, house)
        window.gantt.select((2,))
        assert not action(window, "operation").isEnabled()


async def test_that_escape_leaves_the_plan_as_it_is_and_labels_reach_their_fields(
    qapp: QApplication, frames: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        before = window.bridge.state.plan
        window.gantt.select((2,))
        dialog = await opened(window)
        buddies = {label.buddy() for label in dialog.findChildren(QLabel)}
        assert {dialog.form.kind, dialog.stream, dialog.source, dialog.form.reads[0].name} <= buddies
        QTest.keyClick(dialog, Key.Key_Escape)
        assert not dialog.isVisible()
        assert window.bridge.state.plan is before


async def test_that_tab_after_another_kind_goes_to_its_buffer_at_once_and_the_form_shrinks(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        await active(window)
        window.bridge.new(Clock.DEVICE)
        window.bridge.execute(AddTask("store"))
        window.gantt.select((1,))
        dialog = await opened(window)
        await until(dialog.isActiveWindow)
        QTest.keyClick(dialog.form.kind, Key.Key_Down)
        high = dialog.height()
        QTest.keyClick(dialog.form.kind, Key.Key_Down)
        QTest.keyClick(dialog.form.kind, Key.Key_Tab)
        field = dialog.form.reads[0].name
        assert dialog.form.kind.currentData() is OperationKind.COPY_OUT
        assert dialog.focusWidget() in (field, field.lineEdit())
        assert dialog.height() == dialog.sizeHint().height() < high
