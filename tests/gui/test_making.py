"""What is asked of a large plan is made in the order in which it was asked, and as it would be at once."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.errors import EngineError
from engine.formats import loom
from engine.model import DAY, Dependency
from engine.session.document import Document
from engine.session.edits import AddLink, AddTask, Edit, MoveTask, RemoveLink, RemoveTasks, RenameTask, ResizeTask
from engine.session.plan_edits import Together
from engine.session.state import State
from gui.bridge import rehearsing
from gui.bridge.making import Making
from gui.canvas.time_scale import TimeScale
from gui.gantt.cell_editor import Leaving
from gui.gantt.columns import Column
from gui.gantt.keyboard import Grip
from gui.gantt.selection import Reach
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.shell import action, answer, emitted, opened, settle, show, shown, three_days, until

HOUR = 3600


class Worker:
    """A thread of the tests' own: what is asked of it is done once it is let go, or at once."""

    def __init__(self, document: Document) -> None:
        self.document: Document | None = document
        self.refused: list[str] = []
        self.is_held = False
        self.turns = lambda: 0
        self._parent = QObject()
        self.making = Making(
            lambda: self.document,
            lambda error: self.refused.append(error.sentence),
            self._spawn,
            self._ask,
            self._parent,
        )
        self._tasks: list[asyncio.Future[object]] = []

    def _spawn(self, begin: Callable[[], Awaitable[object]], _: str) -> None:
        self._tasks.append(asyncio.ensure_future(begin()))  # type: ignore[arg-type]

    async def _ask(self, work: Callable[[], object]) -> object:
        for _ in range(self.turns()):
            await asyncio.sleep(0)
        while self.is_held:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        return work()


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every plan is one whose dates no frame waits for."""
    monkeypatch.setattr(rehearsing, "LARGE", 1)


def drawn(chance: random.Random) -> Callable[[Making], object]:
    """Something that a person asks, of a plan that may be another one by then."""
    task, other = chance.randint(1, 5), chance.randint(1, 5)
    edits: list[Edit] = [
        MoveTask(task, three_days().start + chance.randint(0, 20) * DAY),
        ResizeTask(task, chance.randint(1, 30) * HOUR),
        RenameTask(task, chance.choice(["dig", "pour", " ", "paint"])),
        AddTask("more", after=chance.choice([None, task])),
        RemoveTasks((task,)),
        AddLink(Dependency(task, other)),
        RemoveLink(Dependency(task, other)),
        Together("both", (ResizeTask(task, 2 * HOUR), RenameTask(other, "both"))),
    ]
    edit = chance.choice(edits)
    name = f"branch {chance.randint(1, 9)}"
    acts: list[tuple[int, Callable[[Making], object]]] = [
        (12, lambda making: making.execute(edit)),
        (3, lambda making: making.execute(lambda state: None if len(state.plan.tasks) % 3 == 0 else edit)),
        (5, lambda making: making.step(is_back=True)),
        (3, lambda making: making.step(is_back=False)),
        (1, lambda making: making.change(lambda document: document.arrange(lambda held: held.branched(name)))),
        (1, lambda making: making.change(lambda document: document.arrange(lambda held: held.switched(0)))),
        (2, lambda making: landed(making, edit)),
    ]
    return chance.choices([act for _, act in acts], [weight for weight, _ in acts])[0]


def landed(making: Making, edit: Edit) -> None:
    """As a drop: nothing is made where nothing would come of it, and else what it leads to is made at once."""

    def tell(edit: Edit, found: State | EngineError | None) -> None:
        before = making._document().state  # type: ignore[union-attr]
        if isinstance(found, EngineError) or (found is not None and found.plan is not before.plan):
            making.execute(edit)

    if not making.settle(edit, tell):
        state = making._document().state  # type: ignore[union-attr]
        try:
            plan = edit.apply(state.plan, state.schedule)
        except EngineError:
            making.execute(edit)
        else:
            if plan is not state.plan:
                making.execute(edit)


def history(document: Document) -> list[object]:
    """All that can be undone and redone, in every branch, and what is there."""
    return [
        (branch.name, branch.plan, *((step.label, step.plan) for step in (*branch.past, *branch.future)))
        for branch in document.scenarios.branches
    ]


@pytest.mark.parametrize("seed", range(25))
async def test_that_whatever_is_asked_while_a_worker_is_at_it_comes_to_what_it_would_come_to_at_once(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    asked = [drawn(chance) for _ in range(40)]
    later, at_once = Worker(Document(three_days())), Worker(Document(three_days()))
    told: list[State] = []
    later.document.subscribe(told.append)
    later.turns = lambda: chance.randint(0, 6)
    most = 0
    for act in asked:
        act(later.making)
        most = max(most, len(later.making._waiting))
        for _ in range(chance.randint(0, 3)):
            await asyncio.sleep(0)
    await until(lambda: not later.making.is_pending)
    monkeypatch.setattr(rehearsing, "LARGE", 1_000_000)
    for act in asked:
        act(at_once.making)
        assert not at_once.making.is_pending
    assert most > 1  # else nothing was tried
    assert len(told) > 5
    assert later.refused == at_once.refused
    assert history(later.document) == history(at_once.document)
    assert later.document.state.plan == at_once.document.state.plan
    assert later.document.state.schedule.start.tolist() == at_once.document.state.schedule.start.tolist()
    assert later.document.state.undo_label == at_once.document.state.undo_label
    assert [state.revision for state in told] == sorted({state.revision for state in told})


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """What workers find out comes once this is set."""
    dated, trial = threading.Event(), Document.trial

    def held(self: Document, edit: Edit) -> State:
        assert threading.current_thread() is not threading.main_thread()
        dated.wait()
        return trial(self, edit)

    monkeypatch.setattr(Document, "trial", held)
    return dated


@pytest.fixture
def chain(tmp_path: Path) -> str:
    """Three tasks that follow each other, in a file."""
    links = (Dependency(1, 2), Dependency(2, 3))
    loom.save(tmp_path / "house.loom", replace(three_days(), dependencies=links))
    return str(tmp_path / "house.loom")


@asynccontextmanager
async def at_work(app: QApplication, path: str) -> AsyncIterator[MainWindow]:
    """A window on a plan in a file, on a scale where an hour is two pixels."""
    async with shown(app) as (window, heard):
        await show(window, path)
        window.gantt.set_time_scale(TimeScale(window.bridge.state.schedule.project_start - DAY, 1800.0))
        window.heard = heard
        yield window


def press(window: MainWindow, row: int = 0) -> tuple[float, float]:
    """Takes hold of a bar; where."""
    bar = window.gantt._layout().bar(row)
    at = (bar.left + bar.right) / 2, bar.y + METRICS.row_px / 2
    window.gantt.chart.pressed.emit(at, Reach.ALONE)
    return at


def names(window: MainWindow) -> list[str]:
    return [task.name for task in window.bridge.state.plan.tasks]


async def test_that_what_is_dropped_before_it_is_dated_stays_in_sight_until_then(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with at_work(qapp, chain) as window:
        gantt, before = window.gantt, window.bridge.state
        at = press(window)
        gantt.chart.moved.emit((at[0] + 96.0, at[1]), Grip())
        gantt.chart.released.emit((at[0] + 96.0, at[1]), Grip())
        assert window.bridge.state is before
        assert not gantt.is_held
        drag = gantt.pointer.drag(gantt._layout())
        assert drag.carried.left == pytest.approx(gantt._layout().bar(0).left + 96.0)
        slow.set()
        await until(lambda: window.bridge.state is not before)
        dates = window.bridge.state.schedule
        assert [dates.start_of(task) - before.schedule.start_of(task) for task in (1, 2, 3)] == [2 * DAY] * 3
        assert gantt.pointer.drag(gantt._layout()) is None
        await until(gantt.pointer.offer.isVisible)  # the pin that it left is asked about
        assert window.bridge.state.undo_label == "Move “dig”"


async def test_that_a_drop_of_which_nothing_comes_is_none_however_late_that_is_known(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    """The second task cannot start before the first is done."""
    async with at_work(qapp, chain) as window:
        before = window.bridge.state
        at = press(window, 1)
        window.gantt.chart.moved.emit((at[0] - 24.0, at[1]), Grip(is_free=True))
        window.gantt.chart.released.emit((at[0] - 24.0, at[1]), Grip(is_free=True))
        slow.set()
        await until(lambda: not window.bridge.making.is_pending)
        assert window.bridge.state is before
        assert window.gantt.pointer.drag(window.gantt._layout()) is None


async def test_that_what_takes_long_is_told_and_can_be_taken_back(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with at_work(qapp, chain) as window:
        bridge, before = window.bridge, window.bridge.state
        bridge.execute(RenameTask(1, "excavate"))
        assert action(window, "undo").isEnabled()  # it may be taken back before it is made
        await until(lambda: window.status.work.words.text() == "Rename “dig”…")
        bridge.execute(RenameTask(2, "fill"))
        bridge.undo()
        QTest.keyClick(window, "\x1b")
        slow.set()
        await until(lambda: not bridge.making.is_pending)
        await asyncio.sleep(0.05)
        assert bridge.state is before
        assert window.status.text == "Taken back: nothing was changed."
        assert not action(window, "undo").isEnabled()


async def test_that_what_cannot_be_is_said_in_its_turn_and_changes_nothing(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with at_work(qapp, chain) as window:
        window.bridge.execute(RemoveTasks((2,)))
        window.bridge.execute(RenameTask(2, "fill"))
        window.bridge.execute(RenameTask(3, "erect"))
        slow.set()
        await until(lambda: not window.bridge.making.is_pending)
        assert names(window) == ["dig", "erect"]
        assert window.heard.failures == [("There is no task 2 in the plan.", (2,))]


async def test_that_a_save_holds_what_was_asked_before_it(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(chain))
        bridge.execute(RenameTask(1, "excavate"))
        bridge.save()
        bridge.execute(RenameTask(2, "fill"))
        slow.set()
        await until(lambda: not bridge.making.is_pending)
        await until(lambda: loom.load(chain).task(1).name == "excavate")
        assert bridge.state.plan.task(2).name == "fill"
        bridge.save()
        await until(lambda: not bridge.state.is_dirty)


async def test_that_a_window_that_is_closed_asks_about_what_is_still_being_made(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with at_work(qapp, chain) as window:
        closed: list[bool] = []
        window.closed.connect(lambda: closed.append(True))
        window.bridge.execute(RenameTask(1, "excavate"))
        window.close()
        await asyncio.sleep(0.05)
        assert not closed
        slow.set()
        await until(lambda: window.bridge.state.is_dirty)
        await asyncio.sleep(0.05)
        settle(qapp)
        assert not closed
        answer(window, "Save")
        await until(lambda: bool(closed))
    assert loom.load(chain).task(1).name == "excavate"


async def test_that_another_plan_is_opened_after_what_was_asked_of_this_one_is_made(
    qapp: QApplication, chain: str, house: str, slow: threading.Event, tmp_path: Path
) -> None:
    other = str(tmp_path / "other.loom")
    loom.save(Path(other), replace(three_days(), name="Other"))
    async with at_work(qapp, chain) as window:
        window.bridge.execute(RenameTask(1, "excavate"))
        window.commands.files.open_path(other)
        await asyncio.sleep(0.05)
        assert window.bridge.state.plan.name == "House"
        slow.set()
        await until(lambda: window.bridge.state.is_dirty)
        await asyncio.sleep(0.05)
        answer(window, "Save")
        await until(lambda: window.bridge.state.plan.name == "Other")
    assert loom.load(chain).task(1).name == "excavate"


async def test_that_what_is_being_made_when_the_app_ends_is_kept(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(chain))
        bridge.execute(RenameTask(1, "excavate"))
        threading.Timer(0.1, slow.set).start()
        await bridge.leave()
        assert bridge.state.plan.task(1).name == "excavate"


async def test_that_no_other_state_comes_while_the_mouse_holds_a_bar(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with at_work(qapp, chain) as window:
        gantt, before = window.gantt, window.bridge.state
        window.bridge.execute(RenameTask(3, "erect"))
        at = press(window)
        gantt.chart.moved.emit((at[0] + 96.0, at[1]), Grip())
        slow.set()
        await asyncio.sleep(0.1)
        assert gantt.is_held
        assert window.bridge.state is before
        gantt.chart.released.emit((at[0] + 96.0, at[1]), Grip())
        await until(lambda: not window.bridge.making.is_pending)
        state = window.bridge.state
        assert state.plan.task(3).name == "erect"
        assert state.schedule.start_of(1) - before.schedule.start_of(1) == 2 * DAY


async def test_that_keys_that_are_held_count_each_time(qapp: QApplication, chain: str, slow: threading.Event) -> None:
    """Each press moves from where the one before has put the task."""
    async with at_work(qapp, chain) as window:
        window.gantt.select((3,))
        before = window.bridge.state
        for _ in range(3):
            action(window, "nudge_later").trigger()
        slow.set()
        await until(lambda: not window.bridge.making.is_pending)
        one = window.bridge.state.schedule.start_of(3) - before.schedule.start_of(3)
        window.bridge.undo()
        window.bridge.undo()
        await until(lambda: not window.bridge.making.is_pending)
        assert 0 < window.bridge.state.schedule.start_of(3) - before.schedule.start_of(3) < one


async def test_that_a_cell_is_left_at_once_and_opens_again_where_its_text_cannot_be(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    """The first task cannot wait for the third, which waits for it."""
    async with at_work(qapp, chain) as window:
        editing, before = window.commands.table.editing, window.bridge.state
        editing._open(0, Column.PREDECESSORS)
        editing._enter("3", Leaving.DOWN)
        assert editing._place is None
        slow.set()
        await until(lambda: editing._place == (1, Column.PREDECESSORS))
        assert editing.editor.text() == "3"
        assert window.bridge.state is before
        editing._drop()
        editing._open(0, Column.DURATION)
        editing._enter("3d", Leaving.DOWN)
        await until(lambda: window.bridge.state is not before)
        assert window.bridge.state.plan.task(1).duration == 3 * 8 * HOUR


async def test_that_a_cell_of_many_tasks_is_filled_in_one_step(
    qapp: QApplication, chain: str, slow: threading.Event
) -> None:
    async with at_work(qapp, chain) as window:
        editing = window.commands.table.editing
        window.gantt.select((1, 2, 3))
        editing._open(0, Column.DURATION)
        editing._enter("2d", Leaving.ALL)
        slow.set()
        await until(lambda: window.bridge.state.undo_label == "Fill Duration of 3 tasks")
        assert {task.duration for task in window.bridge.state.plan.tasks} == {2 * 8 * HOUR}
        action(window, "longer").trigger()
        await until(lambda: window.bridge.state.undo_label == "Resize 3 tasks")


async def test_that_a_bug_in_one_does_not_keep_the_next_from_being_made(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = Worker(Document(three_days()))

    def wrong(_: State) -> Edit:
        raise ZeroDivisionError

    worker.making.execute(wrong)
    worker.making.execute(RenameTask(1, "excavate"))
    await until(lambda: not worker.making.is_pending)
    assert worker.document.state.plan.task(1).name == "excavate"
    with pytest.raises(ZeroDivisionError):
        worker._tasks[0].result()
