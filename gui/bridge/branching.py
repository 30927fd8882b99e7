"""Branching: the branches of the open plan: makes, switches, merges them, and asks workers what they come to.

It never draws or asks a person. What a worker finds of branches that were edited meanwhile is never applied.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from functools import partial

from PySide6.QtCore import QObject, Signal

from engine.session.branch_changes import changes, figures
from engine.session.document import Document
from engine.session.merging import Merge, find_merge
from engine.session.scenarios import Branch, Scenarios
from engine.session.state import State
from gui.bridge.inquiry import Ask, Begin, Inquiry, Watched
from gui.bridge.making import Making


class Branching(QObject):
    """`figures` answers with BranchFigures of every branch, `changes` with BranchChanges of the two that were chosen.

    `switched` says that another branch of the same plan is active. `merge_found` carries a Merge that a person is to
    look at, `merged` the one that was made; `deleted` a Branch.
    """

    switched = Signal()
    merge_found = Signal(object)
    merged = Signal(object)
    deleted = Signal(object)

    def __init__(
        self,
        document: Callable[[], Document | None],
        making: Making,
        spawn: Callable[[Begin, str], object],
        ask: Ask,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document, self._making, self._spawn, self._ask = document, making, spawn, ask
        self._scenarios: Scenarios | None = None
        self._pair: tuple[int, int] | None = None
        self._selected: int | None = None
        self.figures = Inquiry(_figures, spawn, ask, self)
        self.changes = Inquiry(self._changes, spawn, ask, self)

    @property
    def scenarios(self) -> Scenarios | None:
        """The branches of the open plan."""
        document = self._document()
        return None if document is None else document.scenarios

    @property
    def target(self) -> Branch | None:
        """What is asked of a branch is asked of the one that is selected in the list, else of the active one."""
        held = self.scenarios
        selected = None if held is None or self._selected is None else held.find(self._selected)
        return selected or (None if held is None else held.active)

    @property
    def pair(self) -> tuple[int, int] | None:
        """The ids of the two that are compared, the earlier one first."""
        return self._pair

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now, or another branch of it active."""
        held = None if state is None else state.scenarios
        was, self._scenarios = self._scenarios, held
        if self._pair is not None and (held is None or any(held.find(number) is None for number in self._pair)):
            self._pair = None
        for inquiry in (self.figures, self.changes):
            inquiry.show_state(state)
            if held is not was:
                inquiry.ask_again()
        if held is not None and was is not None and held.active_id != was.active_id:
            self.switched.emit()

    def branch(self, name: str, of: int | None = None) -> None:
        """Begin a branch as another one is now, the active one unless told, and go on with it."""
        self._change(lambda held: held.branched(name, of))

    def rename(self, number: int, name: str) -> None:
        """Give a branch another name."""
        self._change(lambda held: held.renamed(number, name))

    def delete(self, number: int) -> None:
        """Throw a branch away."""
        held = self.scenarios
        gone = None if held is None else held.find(number)
        if gone is not None:
            self._making.change(partial(self._delete, gone))

    def bring_back(self, gone: Branch) -> None:
        """Have a branch again that was deleted, with its history."""
        self._change(lambda held: held.with_again(gone))

    def switch(self, number: int) -> None:
        """Go on with another branch."""
        held = self.scenarios
        if held is not None and held.active_id != number:
            self._change(lambda held: held.switched(number))
            self._selected = None

    def step(self, places: int) -> None:
        """Go on with the branch so many places farther in the list, around its end."""
        held = self.scenarios
        if held is not None and len(held.branches) > 1:
            ids = [branch.id for branch in held.branches]
            self.switch(ids[(ids.index(held.active_id) + places) % len(ids)])

    def select(self, number: int | None) -> None:
        """A branch is selected in the list, or none."""
        self._selected = number

    def compare(self, before: int, after: int) -> None:
        """Have `changes` told of these two."""
        if self._pair != (before, after):
            self._pair = (before, after)
            self.changes.ask_again()

    def ask_merge(self, number: int, *, is_update: bool = False) -> None:
        """Find out what merging a branch comes to, or the main plan into it, for a person to look at."""
        self._spawn(partial(self._look, number, is_update), "look at a merge")

    def merge(self, found: Merge, keeps: Collection[Hashable]) -> None:
        """Merge as was chosen: of what both changed the branch's is taken, but for what is in `keeps`."""
        self._spawn(partial(self._merge, found, frozenset(keeps)), "merge")

    async def _look(self, number: int, is_update: bool) -> None:
        held = self.scenarios
        if held is not None:
            self.merge_found.emit(await self._ask(partial(find_merge, held, number, is_update=is_update)))

    async def _merge(self, seen: Merge, keeps: frozenset[Hashable]) -> None:
        document, held = self._document(), self.scenarios
        if document is None or held is None:
            return
        branch = held.branch(seen.branch_id)
        if branch.plan is not seen.branch or held.main.plan is not seen.main:
            self.ask_merge(
                seen.branch_id, is_update=seen.is_update
            )  # what was looked at is no longer so: it is shown anew
            return
        found = await self._ask(partial(find_merge, held, seen.branch_id, keeps, is_update=seen.is_update))
        if document is self._document() and isinstance(found, Merge):
            self._making.change(partial(self._take, found))

    def _take(self, found: Merge, document: Document) -> None:
        document.merge(found)
        self.merged.emit(found)

    def _delete(self, gone: Branch, document: Document) -> None:
        document.arrange(lambda held: held.without(gone.id))
        self.deleted.emit(gone)

    def _change(self, change: Callable[[Scenarios], Scenarios]) -> None:
        self._making.change(lambda document: document.arrange(change))

    def _changes(self, state: State, _: Watched) -> object:
        held, pair = state.scenarios, self._pair
        if held is None or pair is None:
            return None
        before, after = (held.find(number) for number in pair)
        return None if before is None or after is None else changes(before, after)


def _figures(state: State, _: Watched) -> object:
    held = state.scenarios
    return None if held is None else tuple(figures(held, branch.id) for branch in held.branches)
