"""Views of the Gantt chart in a window of their own, without the rest of the app."""

from pytestqt.qtbot import QtBot

from engine.session.state import State
from gui.gantt.view import GanttView
from tests.gui.gantt.plans import tried


def shown_view(qtbot: QtBot, state: State, height: int = 400) -> GanttView:
    """A view of a state, on the screen; it tries edits, and nobody makes them."""
    view = GanttView(lambda edit: tried(state, edit))
    qtbot.addWidget(view)
    view.resize(1200, height)
    view.show()
    qtbot.waitExposed(view)
    view.set_state(state)
    return view


def names(view: GanttView) -> list[str]:
    """The tasks of the table, from the top."""
    return [task.name for task in view.table.task_model.rows.tasks]
