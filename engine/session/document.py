"""Document: one open plan, its history and its file; the one owner of State. It never waits and never draws.

All of it belongs to one thread, but for what says that it blocks: those may run in a worker.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from engine.errors import FormatError, PlanError
from engine.formats import SavingFormat, find_format, find_format_to_save, loom
from engine.formats.progress import tell, watched
from engine.model import Plan, Ticks
from engine.program.profile import DeviceProfile
from engine.session.autosave import Autosave, Recovery, discard
from engine.session.dating import Dating
from engine.session.edits import Edit
from engine.session.file_mark import FileMark, Seen
from engine.session.forecast import forecast
from engine.session.keeping import MOST_PARTS_SAVED, branch_losses, kept_branches, kept_plan, kept_runs
from engine.session.merging import Merge
from engine.session.news import Listener, News
from engine.session.recent import Tried
from engine.session.redated import redated
from engine.session.scenarios import RUNS_KEPT, Scenarios
from engine.session.state import State
from engine.trace.recorded_run import RecordedRun

__all__ = ["MOST_PARTS_SAVED", "RUNS_KEPT", "Document", "Listener", "Saving"]


@dataclass(frozen=True, eq=False, slots=True)
class Saving:
    """A save on its way: what is written, and where. A document makes it, and is told when it is done.

    In our own format that is the document's file from then on; in another it is a copy, which holds less.
    """

    state: State
    path: str
    may_lose_tasks: bool
    autosave: Autosave
    known: SavingFormat
    mark: FileMark
    may_overwrite: bool

    @property
    def is_copy(self) -> bool:
        """Whether it is in a format of another program."""
        return self.known is not loom

    def write(self) -> tuple[str, ...]:
        """Write the file; a sentence for each thing of the plan that it cannot hold, and for other dates. Blocks.

        The autosave is forgotten, unless it is a copy. Raises FormatError; the old file is then as it was. Raises
        ChangedFileError for the document's own file if that changed meanwhile, unless it `may_overwrite` it.
        """
        state = self.state
        if self.is_copy:
            losses = self.known.save(self.path, state.plan)
            with watched(None):  # it is written: there is nothing to give up any more
                return (*losses, *redated(state.plan, self.path, self.known), *branch_losses(state))
        with self.mark.replacing(self.path, may_overwrite=self.may_overwrite):
            branches, may_lose = kept_branches(state), self.may_lose_tasks
            loom.save(self.path, kept_plan(state), kept_runs(state), branches=branches, may_lose_tasks=may_lose)
        self.autosave.clear(self.state.revision)
        return ()


class Document:
    """A plan that is being edited. Raises PlanError for a plan that cannot be scheduled, CycleError on a device plan.

    A calendar plan with a cycle opens: its Schedule.cycle names the tasks that wait for each other.

    `path` is empty until it is saved; `folder` is where the files lie that fill its buffers, beside `path` unless
    given. `mark` says what the file was when it was last read or written.
    """

    def __init__(self, plan: Plan, path: str = "", runs: Sequence[RecordedRun] = (), folder: str = "") -> None:
        self._news = News()
        self._folder = folder
        self.dating = Dating()
        self._autosave = Autosave()
        self.mark = FileMark()
        dates = self.dating.of(plan.check())
        scenarios = Scenarios.of(plan, dates, tuple(runs))
        self._saved: Scenarios | None = scenarios
        self._state = State(plan, dates, path=path, scenarios=scenarios)

    @classmethod
    def load(cls, path: str | Path) -> Document:
        """Open a file. Blocks. Raises FormatError, and PlanError with the path for a plan without a schedule."""
        try:
            return cls._load(path)
        except PlanError as error:
            error.path = error.path or str(path)
            raise

    @classmethod
    def _load(cls, path: str | Path) -> Document:
        known = find_format(path)
        if known is not loom:  # it came from elsewhere, and is saved under a name of its own
            plan = known.load(path)
            tell(1.0)
            return cls(plan, folder=str(Path(path).absolute().parent))
        mark = FileMark()
        mark.see(path)  # before it is read: what changes it from then on is a change
        file = loom.load_file(path)
        tell(1.0)
        document = cls(file.plan, str(Path(path).absolute()), file.runs)
        document._take_up(file.branches)
        document.mark = mark
        return document

    @classmethod
    def recover(cls, recovery: Recovery) -> Document:
        """Take up the work that a crash left, unsaved, under its old name. Blocks. Raises FormatError."""
        file = loom.load_file(recovery.autosave)
        document = cls(file.plan, recovery.path, file.runs)
        document._take_up(file.branches)
        (document.mark.see if recovery.is_newer else document.mark.doubt)(recovery.path)
        document._saved = None
        document._state = replace(document._state, is_dirty=True)
        with suppress(FormatError):  # no room for a second one: then the first stays
            document.autosave()
            discard(recovery)
        return document

    @property
    def state(self) -> State:
        """The plan, its schedule, and what can be undone."""
        return self._state

    @property
    def runs(self) -> tuple[RecordedRun, ...]:
        """The last few runs of the active branch, the latest last."""
        return self.scenarios.active.runs

    @property
    def scenarios(self) -> Scenarios:
        """The branches of the plan."""
        assert self._state.scenarios is not None
        return self._state.scenarios

    @property
    def in_file(self) -> Scenarios | None:
        """What its file was read as, or written with; None where it holds something else."""
        return self._saved

    @property
    def folder(self) -> str:
        """Where the files lie that fill buffers; empty for a plan that was never saved."""
        path = self._state.path
        return self._folder or (str(Path(path).parent) if path else "")

    @property
    def profile(self) -> DeviceProfile:
        """The costs that estimate durations. Raises FormatError when there is no such profile."""
        return self.dating.profile_of(self._state.plan)

    def forecaster(self, profile: DeviceProfile | None = None) -> Callable[[], Ticks | None]:
        """What predicts one pass of the plan as it is now, by a profile or the plan's; see forecast().

        The call blocks; any thread may make it.
        """
        return partial(forecast, self._state.plan, self._state.schedule, profile or self.profile, self.folder)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a listener called with the new State once a change, in their order; the returned call ends that.

        A change that a listener makes is told after the one that it was told of. One that raises keeps no other from
        being told; its error comes out of the call that made the change, which stands.
        """
        return self._news.subscribe(listener)

    def execute(self, edit: Edit) -> State:
        """Change the plan, as one step to undo. Raises PlanError, and CycleError; nothing has changed then."""
        before = self._state
        plan = self.dating.after(edit, before)
        if plan == before.plan:
            return before
        dates, label, held = self.dating.of(plan, before.schedule), self.dating.label(edit, before.plan), self.scenarios
        return self._hold(held.with_branch(held.active.edited(label, plan, dates)), edit)

    def trial(self, edit: Edit) -> State:
        """The State after an edit that is not made. Any thread may ask. Raises PlanError, and CycleError."""
        before = self._state
        plan = self.dating.after(edit, before)
        if plan is before.plan:
            return before
        dates = self.dating.of(plan, before.schedule)
        self.dating.recent.keep_trial(Tried(before.plan, edit, plan, dates, edit.label(before.plan)))
        return replace(before, plan=plan, schedule=dates, edit=edit)

    def ahead(self, edit: Edit, rows: Sequence[int]) -> State | None:
        """The State after an edit that is not made, as far as the dates of some rows of the plan tell it: sooner than a
        trial, and other dates are those of before. None where it is not simply told. Raises PlanError."""
        before = self._state
        plan = self.dating.after(edit, before)
        dates = None if plan is before.plan else self.dating.ahead(plan, before, np.array(rows, dtype=np.int64))
        return None if dates is None else replace(before, plan=plan, schedule=dates, edit=edit)

    def undo(self) -> State:
        """Take the last edit back; nothing happens when there is none."""
        return self._step(is_back=True)

    def redo(self) -> State:
        """Make the last undone edit again; nothing happens when there is none."""
        return self._step(is_back=False)

    def arrange(self, change: Callable[[Scenarios], Scenarios]) -> State:
        """Have other branches, or another one active. Raises PlanError; nothing has changed then."""
        changed = change(self.scenarios)
        return self._state if changed is self.scenarios else self._hold(changed)

    def merge(self, merge: Merge) -> State:
        """Make in the main plan what a branch changed, or the other way round, as one step; that one is active then.

        Raises PlanError where either was edited since the merge was found, and for what the two break together.
        """
        held = self.scenarios
        branch = held.branch(merge.branch_id)
        if held.main.plan is not merge.main or branch.plan is not merge.branch:
            raise PlanError("The plan was edited since: look at the merge once more.")
        if merge.plan == (branch if merge.is_update else held.main).plan:
            raise PlanError("There is nothing to merge: all that was changed is there.")
        dates = self.dating.of(merge.plan, held.main.schedule)
        if merge.is_update:
            return self._hold(held.updated(branch, merge.plan, dates))
        if merge.renumbered is not branch.plan:
            renumbered = self.dating.of(merge.renumbered, branch.schedule)
            branch = replace(branch, plan=merge.renumbered, schedule=renumbered)
        return self._hold(held.merged(branch, merge.plan, dates))

    def add_run(self, run: RecordedRun, branch: int | None = None) -> None:
        """Keep a run of a branch, the active one unless told, that is over; the latest RUNS_KEPT of them.

        Those of at most MOST_PARTS_SAVED are saved too. That of a branch that is gone meanwhile goes with it.
        """
        held = self.scenarios
        ran = held.active if branch is None else held.find(branch)
        if ran is not None:
            self._state = replace(self._state, scenarios=held.with_branch(ran.with_run(run)))

    def save(self, path: str | Path = "", *, may_lose_tasks: bool = False, may_overwrite: bool = False) -> State:
        """Write the plan to its file, or to another, as Saving says. Blocks. Raises FormatError."""
        saving = self.saving(path, may_lose_tasks=may_lose_tasks, may_overwrite=may_overwrite)
        saving.write()
        return self.saved(saving)

    def saving(self, path: str | Path = "", *, may_lose_tasks: bool = False, may_overwrite: bool = False) -> Saving:
        """What save() writes, to be written by a worker. Raises FormatError for a name that cannot be written."""
        target = str(Path(path).absolute()) if path else self._state.path
        if not target:
            raise FormatError("The plan has no file yet: choose a name to save it under.")
        known = find_format_to_save(target)
        return Saving(self._state, target, may_lose_tasks, self._autosave, known, self.mark, may_overwrite)

    def saved(self, saving: Saving) -> State:
        """Take note of a save that was written; edits made meanwhile stay unsaved, and a copy changes nothing."""
        if saving.is_copy:
            return self._state
        if saving.path != self._state.path:
            self._folder = ""
        self._saved = saving.state.scenarios
        return self._publish(replace(self._state, path=saving.path, is_dirty=self._is_dirty(self.scenarios)))

    def keep_over(self, other: Seen) -> State:
        """Keep the plan though its file holds another one by now: it is unsaved, and may be saved over that one."""
        self.mark.know(other)
        self._saved = None
        return self._publish(replace(self._state, is_dirty=True))

    def autosave(self) -> None:
        """Keep unsaved work where a crash cannot reach it. Blocks; any thread may call it. Raises FormatError."""
        self._autosave.write(self._state)

    def close(self) -> None:
        """Forget the autosave, since the document is left on purpose. Blocks; any thread may call it."""
        self._autosave.clear(sys.maxsize)

    def _take_up(self, branches: Sequence[loom.LoomBranch]) -> None:
        """The branches that a file held; its main plan stays active."""
        held = self.scenarios
        for each in branches:
            dates = self.dating.of(each.plan, held.main.schedule)
            held = held.restored(each.letter, each.name, (each.base, each.plan), dates)
            held = held.with_branch(replace(held.branches[-1], runs=each.runs[-RUNS_KEPT:]))
        self._saved = held
        self._state = replace(self._state, scenarios=held)

    def _step(self, *, is_back: bool) -> State:
        active = self.scenarios.active
        source = active.past if is_back else active.future
        if not source:
            return self._state
        dates = self.dating.of(source[-1].plan, active.schedule)
        return self._hold(self.scenarios.stepped(dates, is_back=is_back))

    def _hold(self, scenarios: Scenarios, edit: Edit | None = None) -> State:
        now = scenarios.active
        undo, redo = (steps[-1].label if steps else "" for steps in (now.past, now.future))
        is_dirty, revision, path = self._is_dirty(scenarios), self._state.revision + 1, self._state.path
        return self._publish(State(now.plan, now.schedule, revision, undo, redo, is_dirty, path, scenarios, edit))

    def _publish(self, state: State) -> State:
        if state.plan is not self._state.plan:
            self.dating.recent.leave(self._state.plan, self._state.schedule)
        self._state = state
        self._news.tell(state)
        return state

    def _is_dirty(self, scenarios: Scenarios) -> bool:
        return self._saved is None or not scenarios.is_as(self._saved)
