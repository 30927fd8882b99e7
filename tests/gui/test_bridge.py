"""The bridge: verbs in, signals out, and nothing of it blocks or raises what a person can expect."""

import asyncio
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from engine.errors import PlanError
from engine.formats import loom
from engine.model import Clock, Dependency
from engine.session.autosave import Recovery, discard
from engine.session.edits import AddLink, AddTask, MoveTask, RenameTask
from engine.session.jobs import Outcome
from engine.session.state import State
from gui.actions import SAMPLES
from tests.conftest import ROOT
from tests.gui.shell import emitted, ended, opened, racing, three_days, until


@pytest.mark.parametrize("name", [name for name, _ in SAMPLES])
async def test_that_a_sample_opens_as_a_clean_plan_without_a_file(qapp: object, name: str) -> None:
    file = resources.files("resources.samples") / f"{name}.loom"
    before = file.read_bytes()
    async with opened() as (bridge, heard):
        (state,) = await emitted(bridge.document_opened, lambda: bridge.open_sample(name))
        assert isinstance(state, State)
        assert state.plan.tasks
        assert (state.path, state.is_dirty) == ("", False)
        bridge.execute(AddTask("one more"))
        bridge.save()
        await emitted(bridge.failed)
        assert "no file yet" in heard.failures[0][0]
    assert file.read_bytes() == before


async def test_that_an_edit_is_told_and_undo_brings_the_plan_back(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        states: list[State] = []
        bridge.state_changed.connect(states.append)
        before = bridge.state
        assert before is not None
        bridge.execute(RenameTask(1, "excavate"))
        bridge.undo()
        bridge.redo()
        assert [state.plan.task(1).name for state in states] == ["excavate", "dig", "excavate"]
        assert states[1].plan == before.plan
        assert [state.is_dirty for state in states] == [True, False, True]


async def test_that_an_edit_that_cannot_be_is_said_and_changes_nothing(qapp: object, house: str) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        bridge.execute(AddLink(Dependency(1, 2)))
        before = bridge.state
        bridge.execute(AddLink(Dependency(2, 1)))
        assert bridge.state is before
        sentence, ids = heard.failures[0]
        assert "dig" in sentence
        assert set(ids) == {1, 2}


async def test_that_a_trial_changes_nothing_and_needs_a_plan(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        with pytest.raises(PlanError, match="No plan is open"):
            bridge.trial(RenameTask(1, "excavate"))
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        before = bridge.state
        assert bridge.trial(RenameTask(1, "excavate")).plan.task(1).name == "excavate"
        assert bridge.state is before


async def test_that_saving_writes_the_file_and_then_does_what_was_asked(qapp: object, tmp_path: Path) -> None:
    async with opened() as (bridge, heard):
        bridge.new(Clock.CALENDAR)
        bridge.execute(AddTask("first"))
        saved = asyncio.Event()
        bridge.save(str(tmp_path / "new.loom"), then=saved.set)
        await asyncio.wait_for(saved.wait(), 20)
        assert bridge.state is not None
        assert (bridge.state.path, bridge.state.is_dirty) == (str(tmp_path / "new.loom"), False)
        assert heard.messages == [f"Saved to {tmp_path / 'new.loom'}"]
    assert [task.name for task in loom.load(tmp_path / "new.loom").tasks] == ["first"]


async def test_that_a_file_that_cannot_be_opened_leaves_the_plan_as_it_was(
    qapp: object, house: str, tmp_path: Path
) -> None:
    (tmp_path / "torn.loom").write_bytes(Path(house).read_bytes()[:300])
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        before = bridge.state
        for name in ("missing.loom", "torn.loom"):
            await emitted(bridge.failed, lambda name=name: bridge.open(str(tmp_path / name)))
        assert bridge.state is before
        assert all(str(tmp_path) in sentence for sentence, _ in heard.failures)


async def test_that_of_two_files_the_one_asked_for_last_is_shown(qapp: object, house: str, frames: str) -> None:
    async with opened() as (bridge, _):
        shown: list[State] = []
        bridge.document_opened.connect(shown.append)
        bridge.open(frames)
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        await asyncio.sleep(0)
        assert [state.path for state in shown] == [house]


async def test_that_a_run_is_told_from_its_start_to_its_outcome_and_kept(qapp: object, frames: str) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(frames))
        counts: list[int] = []
        bridge.spans_arrived.connect(lambda _, count: counts.append(count))
        (job,) = await emitted(bridge.run_changed, bridge.run)
        assert job is bridge.current_run
        assert bridge.is_running
        await ended(bridge)
        assert counts[-1] == 6
        assert job.outcome is Outcome.FINISHED
        assert job.is_verified
        assert heard.messages[-1] == "The run finished; its results equal the reference."
        assert [run.number for run in bridge.runs] == [job.number]


async def test_that_a_race_is_refused_and_the_link_that_mends_it_is_offered(qapp: object, tmp_path: Path) -> None:
    loom.save(tmp_path / "race.loom", racing())
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(str(tmp_path / "race.loom")))
        bridge.run()
        assert not bridge.is_running
        sentence, ids = heard.failures[0]
        assert "load" in sentence
        assert "work" in sentence
        assert ids == (1, 2)
        label, edit = heard.fixes[0]
        assert label == "Add the link"
        bridge.execute(edit)
        bridge.run()
        await ended(bridge)
        assert bridge.current_run.outcome is Outcome.FINISHED


async def test_that_a_calendar_plan_does_not_run(qapp: object, house: str) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        bridge.run()
        assert bridge.current_run is None
        assert "calendar plan" in heard.failures[0][0]


async def test_that_a_run_can_be_paused_resumed_and_canceled(qapp: object, frames: str) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(frames))
        bridge.set_repeat(10_000)
        bridge.run()
        await emitted(bridge.spans_arrived)
        bridge.pause()
        assert bridge.current_run.is_paused
        bridge.resume()
        assert not bridge.current_run.is_paused
        await emitted(bridge.spans_arrived)
        bridge.cancel()
        await ended(bridge)
        assert bridge.current_run.outcome is Outcome.CANCELED
        assert 0 < bridge.current_run.progress < 1
        assert "canceled" in heard.messages[-1]


async def test_that_a_run_says_what_it_does_from_getting_ready_to_its_end(qapp: object, frames: str) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(frames))
        said: list[str] = []
        bridge.activity.connect(lambda text: said.append(text) if said[-1:] != [text] else None)
        bridge.set_repeat(1000)
        bridge.run()
        assert said == ["The cpu device gets ready for the run."]
        await emitted(bridge.spans_arrived)
        assert re.fullmatch(r"The run goes on: pass \d+ of 1000\.", said[-1])
        bridge.pause()
        assert re.fullmatch(r"The run is pausing: pass \d+ of 1000\.", said[-1])
        await until(lambda: said[-1].startswith("The run is paused"))
        assert bridge.current_run.stands_still
        bridge.resume()
        assert re.fullmatch(r"The run is about to go on: pass \d+ of 1000\.", said[-1])
        await until(lambda: said[-1].startswith("The run goes on"))
        assert not bridge.current_run.stands_still
        bridge.cancel()
        assert (said[-1], heard.messages[-1]) == ("Canceling…", "Canceling…")
        await ended(bridge)
        assert said[-1] == ""


async def test_that_a_run_can_be_canceled_while_its_device_gets_ready(qapp: object, frames: str) -> None:
    async with opened() as (bridge, heard):
        await emitted(bridge.document_opened, lambda: bridge.open(frames))
        bridge.run()
        bridge.cancel()
        await ended(bridge)
        assert bridge.current_run.outcome is Outcome.CANCELED
        assert bridge.current_run.timeline.count == 0
        assert "canceled" in heard.messages[-1]


async def test_that_the_device_can_be_up_before_it_is_needed(qapp: object, frames: str) -> None:
    async with opened() as (bridge, _):
        bridge.start_device()
        assert bridge.device_name == ""
        await emitted(bridge.document_opened, lambda: bridge.open(frames))
        await emitted(bridge.device_changed, bridge.start_device)
        assert "thread" in bridge.device_name
        bridge.set_device("simulated")
        await emitted(bridge.device_changed, bridge.start_device)
        assert "simulated" in bridge.device_name


async def test_that_leaving_a_plan_ends_its_run_and_forgets_it(qapp: object, frames: str, house: str) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(frames))
        bridge.set_repeat(10_000)
        bridge.run()
        job = bridge.current_run
        await emitted(bridge.spans_arrived)
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        assert bridge.current_run is None
        await until(lambda: job.outcome is not None)  # nobody tells of a run that was left
        assert job.outcome is Outcome.CANCELED


def crash(path: str) -> None:
    """A program that dies while it holds unsaved work on a plan."""
    subprocess.run([sys.executable, "-c", CRASH, path], cwd=ROOT, check=True)


CRASH = """
import sys
from engine.session.document import Document
from engine.session.edits import RenameTask
document = Document.load(sys.argv[1])
document.execute(RenameTask(1, "half done"))
document.autosave()
"""


async def test_that_work_a_crash_left_is_offered_and_can_be_taken_up(qapp: object, house: str) -> None:
    crash(house)
    async with opened() as (bridge, _):
        ((recovery,),) = await emitted(bridge.unsaved_work_found, bridge.look_for_unsaved_work)
        assert isinstance(recovery, Recovery)
        assert recovery.path == house
        ((again,),) = await emitted(bridge.unsaved_work_found, lambda: bridge.open(house))
        assert again == recovery
        assert bridge.state.plan.task(1).name == "dig"
        await emitted(bridge.document_opened, lambda: bridge.recover(recovery))
        assert bridge.state.plan.task(1).name == "half done"
        assert (bridge.state.path, bridge.state.is_dirty) == (house, True)
        assert loom.load(house).task(1).name == "dig"


async def test_that_work_a_crash_left_can_be_thrown_away(qapp: object, house: str) -> None:
    crash(house)
    async with opened() as (bridge, _):
        ((recovery,),) = await emitted(bridge.unsaved_work_found, bridge.look_for_unsaved_work)
        bridge.discard(recovery)
        await until(lambda: not Path(recovery.autosave).exists())
        await until(lambda: not Path(recovery.note).exists())


async def test_that_all_that_crashes_left_is_offered_and_what_is_gone_by_then_is_said(
    qapp: object, house: str, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(house, other)
    for path in (house, str(other / "house.loom")):
        crash(path)
    async with opened() as (bridge, heard):
        (found,) = await emitted(bridge.unsaved_work_found, bridge.look_for_unsaved_work)
        assert sorted(each.path for each in found) == sorted([house, str(other / "house.loom")])
        Path(found[0].autosave).unlink()
        await emitted(bridge.failed, lambda: bridge.recover(found[0]))
        assert heard.failures[-1][0] == "That work is no longer there: another window has taken it up."
        discard(found[0])
        discard(found[1])


async def test_that_nothing_is_about_to_begin_once_a_bridge_has_left(qapp: object, house: str) -> None:
    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        bridge.execute(MoveTask(2, three_days().start + 86_400))
        assert any(timer.isActive() for timer in bridge.findChildren(QTimer))
        await bridge.leave()
        assert not any(timer.isActive() for timer in bridge.findChildren(QTimer))


async def test_that_unsaved_work_is_kept_on_the_way_out_and_forgotten_when_left_on_purpose(
    qapp: object, house: str
) -> None:
    def kept() -> list[Path]:
        return list(Path(house).parent.glob(".*.autosave"))

    async with opened() as (bridge, _):
        await emitted(bridge.document_opened, lambda: bridge.open(house))
        bridge.execute(MoveTask(2, three_days().start + 86_400))
        await bridge.leave()
        assert len(kept()) == 1
        bridge.close()
        await bridge.leave()
        assert kept() == []
