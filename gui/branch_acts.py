"""BranchActs: what the actions on branches do: ask for names, ask before one is deleted, show what a merge comes to.

They never draw.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.session.merging import Merge
from engine.session.scenarios import MAIN, Branch
from gui.bridge import Bridge
from gui.dialogs.merge_dialog import MergeDialog
from gui.dialogs.questions import Answer, Role, ask, ask_for_text


class BranchActs(QObject):
    """Bound to one window. `acts` gives what each action does, by its id; `reveal` shows a task that is spoken of."""

    def __init__(self, window: QWidget, bridge: Bridge, reveal: Callable[[int], object]) -> None:
        super().__init__(window)
        self._reveal = reveal
        self._window, self._bridge, self._branching = window, bridge, bridge.branching
        self._branching.merge_found.connect(self._show_merge)
        self._branching.merged.connect(self._tell_merged)
        self._branching.deleted.connect(self._offer_back)

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does."""
        return {
            "new_branch": self.ask_new,
            "duplicate_branch": self.ask_duplicate,
            "rename_branch": self.ask_name,
            "delete_branch": self.ask_delete,
            "merge_branch": self.merge,
            "update_branch": partial(self.merge, is_update=True),
            "next_branch": partial(self._branching.step, 1),
            "previous_branch": partial(self._branching.step, -1),
            "main_branch": partial(self._branching.switch, MAIN),
        }

    def ask_new(self) -> None:
        """Ask for a name, and begin a branch as the active one is now."""
        held = self._branching.scenarios
        if held is not None:
            name = held.free_name(self.tr("Branch {number}").format(number=len(held.branches)))
            question = self.tr("Name of the new branch, which begins as “{name}” is now")
            self._ask_name(question.format(name=held.active.name), name, self._branching.branch)

    def ask_duplicate(self) -> None:
        """Ask for a name, and begin a branch as the chosen one is now."""
        held, branch = self._branching.scenarios, self._branching.target
        if held is not None and branch is not None:
            name = held.free_name(self.tr("Copy of {name}").format(name=branch.name))
            question = self.tr("Name of the copy of “{name}”").format(name=branch.name)
            self._ask_name(question, name, lambda text: self._branching.branch(text, branch.id))

    def ask_name(self) -> None:
        """Ask for another name of the chosen branch."""
        branch = self._branching.target
        if branch is not None:
            question = self.tr("Another name for the branch “{name}”").format(name=branch.name)
            self._ask_name(question, branch.name, partial(self._branching.rename, branch.id))

    def ask_delete(self) -> None:
        """Ask whether the chosen branch goes."""
        branch = self._branching.target
        if branch is None:
            return
        if branch.id == MAIN:
            self._say(self.tr("The main plan cannot be deleted: the branches belong to it."))
            return
        answers = (
            Answer(self.tr("Delete"), Role.DestructiveRole, partial(self._branching.delete, branch.id)),
            Answer(self.tr("Cancel"), Role.RejectRole, lambda: None),
        )
        question = self.tr("Delete the branch “{name}”?").format(name=branch.name)
        more = self.tr("What was tried in it goes with it, and so do its history and its runs.")
        ask(self._window, question, more, answers)

    def merge(self, *, is_update: bool = False) -> None:
        """Show what merging the chosen branch comes to, or the main plan into it.

        It is the only one there is where the main plan is chosen.
        """
        held, branch = self._branching.scenarios, self._branching.target
        if held is None or branch is None:
            return
        if branch.id == MAIN and len(held.branches) == 2:
            branch = held.branches[1]
        if branch.id == MAIN:
            self._say(self.tr("Choose the branch to merge: go on with it, or select it in the list of scenarios."))
        else:
            self._branching.ask_merge(branch.id, is_update=is_update)

    def _ask_name(self, question: str, name: str, then: Callable[[str], object]) -> None:
        refuse = partial(self._bridge.failed.emit, self.tr("A branch needs a name: nothing was changed."), ())
        ask_for_text(self._window, question, name, then=then, refuse=refuse)

    def _show_merge(self, found: Merge) -> None:
        held = self._branching.scenarios
        branch = None if held is None else held.find(found.branch_id)
        if branch is None:
            return
        if found.plan == (found.branch if found.is_update else found.main):
            self._say(self._nothing(found).format(name=branch.name))
            return
        dialog = MergeDialog(found, branch.name, branch.base, self._window)
        dialog.merge_asked.connect(self._branching.merge)
        dialog.task_chosen.connect(self._reveal)
        dialog.open()

    def _nothing(self, found: Merge) -> str:
        if found.is_update:
            return self.tr("There is nothing to take in: “{name}” has all that the main plan changed.")
        return self.tr("There is nothing to merge: the main plan has all that “{name}” changed.")

    def _tell_merged(self, found: Merge) -> None:
        held = self._branching.scenarios
        branch = None if held is None else held.find(found.branch_id)
        if branch is not None and found.is_update:
            self._say(self.tr("“{name}” has taken in what the main plan changed.").format(name=branch.name))
        elif branch is not None:
            self._say(
                self.tr("Merged “{name}” into the main plan. The branch is still there.").format(name=branch.name)
            )
            delete = partial(self._branching.delete, branch.id)
            self._bridge.fix_offered.emit(self.tr("Delete the branch"), delete)

    def _offer_back(self, gone: Branch) -> None:
        self._say(self.tr("Deleted the branch “{name}”.").format(name=gone.name))
        self._bridge.fix_offered.emit(self.tr("Bring it back"), partial(self._branching.bring_back, gone))

    def _say(self, sentence: str) -> None:
        self._bridge.message.emit(sentence)
