"""PlanFiles: the questions around opening, saving and leaving a plan. It never reads or writes one itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication, QWidget

from engine.model import Clock
from engine.session.autosave import Recovery
from engine.session.calendar_edits import AddHolidays
from engine.session.importing import TableGuess
from engine.session.state import State
from gui.bridge import Bridge
from gui.dialogs.files import SUFFIX, choose_holidays, choose_place, choose_plan
from gui.dialogs.notes_dialog import NotesDialog
from gui.dialogs.questions import ask_about_changed_file, ask_about_changes, ask_about_run
from gui.dialogs.recovery_dialog import RecoveryDialog
from gui.dialogs.table_dialog import TableDialog

_RECENT = "recent"
_RECENT_KEPT = 8


class PlanFiles(QObject):
    """Plans as a person handles them: nothing unsaved goes without a question. `recent_changed` carries paths."""

    recent_changed = Signal(object)

    def __init__(self, bridge: Bridge, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window
        bridge.file_used.connect(self._remember)
        # Perhaps one of them is gone.
        bridge.failed.connect(lambda: self.recent_changed.emit(self.recent) if bridge.state is None else None)
        bridge.unsaved_work_found.connect(self._offer)
        bridge.opened_late.connect(self.before_leaving)
        bridge.file_changed.connect(self._ask_about)
        bridge.losses_found.connect(self._tell_losses)
        bridge.notes_found.connect(self._offer_notes)
        bridge.importing.table_found.connect(self._ask_about_table)
        bridge.importing.holidays_read.connect(self._add_holidays)

    @property
    def recent(self) -> list[str]:
        """The files that a person opened or saved to last, of whatever program, the latest first."""
        found = QSettings().value(_RECENT)
        # A list of one comes back as its only entry.
        return [found] if isinstance(found, str) else list(found) if isinstance(found, list) else []

    def new(self, clock: Clock) -> None:
        """Start an empty plan."""
        self.before_leaving(lambda: self._bridge.new(clock))

    def open(self) -> None:
        """Choose a plan and open it."""
        self.before_leaving(lambda: choose_plan(self._window, self._folder, self._bridge.open))

    def open_path(self, path: str) -> None:
        """Open the plan in a file."""
        self.before_leaving(lambda: self._bridge.open(path))

    def load_anew(self) -> None:
        """Show the plan as it is in its file now: unsaved changes stay beside it, a run would not."""
        self._before_ending_run(self._bridge.load_anew)

    def open_sample(self, name: str) -> None:
        """Open a sample as a new plan."""
        self.before_leaving(lambda: self._bridge.open_sample(name))

    def add_holidays(self) -> None:
        """Choose a file, and take the days off in it into the plan's calendar."""
        choose_holidays(self._window, self._folder, self._bridge.importing.read_holidays)

    def close(self) -> None:
        """Back to the Welcome page."""
        self.before_leaving(self._bridge.close)

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save to the plan's file; ask for one when it has none."""
        state = self._bridge.state
        if state is not None and state.path:
            self._bridge.save(then=then)
        else:
            self._choose_place(then)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        """Choose a file and save to it; where nothing is to follow, it may be a copy for another program."""
        self._choose_place(then, is_copy_offered=then is None)

    def _choose_place(self, then: Callable[[], object] | None, *, is_copy_offered: bool = False) -> None:
        state = self._bridge.state
        if state is not None:
            choose_place(
                self._window,
                self._folder,
                _name(state),
                lambda path: self._bridge.save(path, then),
                is_copy_offered=is_copy_offered,
            )

    def before_leaving(self, then: Callable[[], object]) -> None:
        """Do `then` once no run goes on and nothing is unsaved, or is to be lost; nothing when the person stays.

        What was asked of the plan before is made before.
        """
        if (typed_in := QApplication.focusWidget()) is not None:  # what is being typed there counts as well
            typed_in.clearFocus()
            typed_in.setFocus()
        self._bridge.making.do(lambda: self._before_ending_run(lambda: self._before_losing_changes(then)))

    def _before_ending_run(self, then: Callable[[], object]) -> None:
        if self._bridge.is_running:
            ask_about_run(self._window, leave=then)
        else:
            then()

    def _before_losing_changes(self, then: Callable[[], object]) -> None:
        state = self._bridge.state
        if state is None or not state.is_dirty:
            then()
            return
        ask_about_changes(self._window, state.plan.name, save=lambda: self.save(then), discard=then)

    @property
    def _folder(self) -> str:
        state = self._bridge.state
        known = [state.path] if state is not None and state.path else self.recent[:1]
        return str(Path(known[0]).parent) if known else ""

    def _remember(self, used: str) -> None:
        if self.recent[:1] == [used]:
            return
        paths = [used, *(path for path in self.recent if path != used)][:_RECENT_KEPT]
        QSettings().setValue(_RECENT, paths)
        self.recent_changed.emit(paths)

    def _ask_about(self, path: str, then: Callable[[], object] | None) -> None:
        ask_about_changed_file(
            self._window,
            path,
            overwrite=lambda: self._bridge.save(path, then, may_overwrite=True),
            save_as=lambda: self.save_as(then),
        )

    def _ask_about_table(self, path: str, guess: TableGuess) -> None:
        importing = self._bridge.importing
        dialog = TableDialog(path, guess, self._window)
        dialog.import_asked.connect(lambda chosen: importing.open(path, chosen))
        dialog.other_reading_asked.connect(lambda reading: importing.sniff_again(path, reading))
        importing.table_sniffed.connect(dialog.take_answer)
        dialog.open()

    def _add_holidays(self, edit: AddHolidays) -> None:
        state = self._bridge.state
        if state is None:
            return
        self._bridge.execute(edit)
        self._bridge.making.do(partial(self._say_added, edit, state))

    def _say_added(self, edit: AddHolidays, state: State) -> None:
        missing = edit.missing(state.plan)
        if not missing:
            said = self.tr("The plan's calendar has all of these days off already.")
            self._bridge.message.emit(f"{said}{self._left_out(edit)}")
        elif self._bridge.state is not state:
            again = sum(each.recurrence is not None for each in missing)
            one, many = (
                self.tr("Added 1 holiday to the plan's calendar."),
                self.tr("Added {count} holidays to the plan's calendar."),
            )
            if again:
                one = self.tr("Added 1 holiday, which comes again, to the plan's calendar.")
                many = self.tr("Added {count} holidays, {again} of which come again, to the plan's calendar.")
            said = one if len(missing) == 1 else many.format(count=len(missing), again=again)
            self._bridge.message.emit(f"{said}{self._left_out(edit)}")

    def _left_out(self, edit: AddHolidays) -> str:
        """What of a calendar file is no day off."""
        if not edit.left_out:
            return ""
        one = self.tr("1 event with a time of day was left out: only whole days are taken.")
        many = self.tr("{count} events with a time of day were left out: only whole days are taken.")
        return f" {one if edit.left_out == 1 else many.format(count=edit.left_out)}"

    def _tell_losses(self, path: str, losses: tuple[str, ...]) -> None:
        title = self.tr("What “{name}” does not hold").format(name=Path(path).name)
        text = self.tr(
            "The copy was written. The plan here is as it was: save it as a Warploom plan to keep all of it."
        )
        NotesDialog(title, text, losses, self._window).show()

    def _offer_notes(self, name: str, notes: tuple[str, ...]) -> None:
        """A word in the status line, and a button that opens all of it."""
        title = self.tr("What was left out or guessed")
        text = self.tr("“{name}” was opened from a file of another program, which stays as it is.").format(name=name)
        self._bridge.message.emit(self.tr("Left out or guessed: {count}.").format(count=len(notes)))
        self._bridge.fix_offered.emit(self.tr("Show…"), lambda: NotesDialog(title, text, notes, self._window).show())

    def _offer(self, found: tuple[Recovery, ...]) -> None:
        dialog = RecoveryDialog(found, self._window)
        dialog.recover_asked.connect(lambda chosen: self.before_leaving(lambda: self._bridge.recover(chosen)))
        dialog.discard_asked.connect(self._bridge.discard)
        dialog.open()


def _name(state: State) -> str:
    return Path(state.path).name if state.path else f"{state.plan.name}.{SUFFIX}"
