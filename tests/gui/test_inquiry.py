"""Questions that a worker answers: the newest one wins."""

import threading

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from engine.errors import PlanError
from engine.session.document import Document
from engine.session.edits import RenameTask
from engine.session.state import State
from gui.bridge.inquiry import Inquiry, Watched
from tests.gui.shell import emitted, opened, three_days, until


async def test_that_an_answer_that_is_given_up_is_never_told(qapp: QApplication) -> None:
    async with opened() as (bridge, _):
        begun, go_on, asked, told = threading.Event(), threading.Event(), [], []

        def work(state: State, watched: Watched) -> object:
            asked.append(state.plan.task(1).name)
            begun.set()
            go_on.wait(60)
            watched(0.5)
            return asked[-1]

        inquiry, document = _inquiry(bridge, work), Document(three_days())
        inquiry.answered.connect(lambda answer: told.append(answer) if answer else None)
        inquiry.want(True)
        inquiry.show_state(document.state)
        await until(begun.is_set)
        inquiry.show_state(document.execute(RenameTask(1, "excavate")))
        go_on.set()
        await until(lambda: bool(told))
        assert asked == ["dig", "excavate"]
        assert told == ["excavate"]


async def test_that_nothing_is_asked_until_somebody_looks(qapp: QApplication) -> None:
    async with opened() as (bridge, _):
        asked = []
        inquiry = _inquiry(bridge, lambda state, _: asked.append(state) or "answer")
        inquiry.show_state(Document(three_days()).state)
        assert not inquiry._wait.isActive()
        await emitted(inquiry.answered, lambda: inquiry.want(True))
        await until(lambda: len(asked) == 1)
        inquiry.want(False)
        assert not inquiry._wait.isActive()


async def test_that_a_long_answer_tells_how_far_it_is(qapp: QApplication) -> None:
    async with opened() as (bridge, _):
        go_on = threading.Event()

        def work(_: State, watched: Watched) -> object:
            watched(0.25)
            return go_on.wait(60)

        inquiry = _inquiry(bridge, work)
        inquiry.want(True)
        shares = await emitted(inquiry.progressed, lambda: inquiry.show_state(Document(three_days()).state))
        assert shares == (0.25,)
        assert await emitted(inquiry.answered, go_on.set) == (True,)


async def test_that_an_expected_error_is_told_in_its_sentence(qapp: QApplication) -> None:
    async with opened() as (bridge, _):

        def work(_: State, __: Watched) -> object:
            raise PlanError("Too late.")

        inquiry = _inquiry(bridge, work)
        inquiry.want(True)
        told = await emitted(inquiry.failed, lambda: inquiry.show_state(Document(three_days()).state))
        assert told == ("Too late.",)


def _inquiry(bridge: QObject, work) -> Inquiry:
    known = bridge.workload.load
    return Inquiry(work, known._spawn, known._ask, bridge)
