"""LinkActs: what the actions of the chosen link do: another kind, another lag. They never draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.errors import EngineError
from engine.model import Dependency, DependencyKind
from engine.session.edits import ChangeLink
from engine.session.typed_links import link_text, of_kind, typed_link
from gui.dialogs.questions import ask_for_text
from gui.gantt.view import GanttView

Refuse = Callable[[str, tuple[int, ...]], object]


class LinkActs(QObject):
    """Bound to one view in one window. `refuse` says why something cannot be."""

    def __init__(self, view: GanttView, window: QWidget, refuse: Refuse) -> None:
        super().__init__(view)
        self._view, self._window, self._refuse = view, window, refuse

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        kinds = {f"link_{kind.value.lower()}": partial(self._change, kind) for kind in DependencyKind}
        return {**kinds, "link_details": self.ask}

    def ask(self) -> None:
        """Ask for the kind and lag of the chosen link."""
        state, link = self._view.state, self._view.pointer.link
        if state is not None and link is not None:
            names = (state.plan.title_of(end) for end in (link.predecessor, link.successor))
            question = self.tr(
                "Kind and lag of the link from “{one}” to “{other}”: FS+2d, SS-1d, FF+50%, FS+2d max 5d, FS+2d ±1d"
            )
            one, other = names
            words, text = question.format(one=one, other=other), link_text(state.plan, link)
            ask_for_text(self._window, words, text, then=partial(self._take, link), refuse=lambda: None)

    def _take(self, link: Dependency, text: str) -> None:
        state = self._view.state
        if state is None or link not in state.plan.dependencies:
            return
        try:
            self._make(typed_link(state.plan, link, text))
        except EngineError as error:
            self._refuse(error.sentence, error.ids)

    def _change(self, kind: DependencyKind) -> None:
        if (link := self._view.pointer.link) is not None:
            self._make(of_kind(link, kind))

    def _make(self, edit: ChangeLink) -> None:
        """The link stays chosen as what it has become."""
        self._view.edit_made.emit(edit)
        self._view.pointer.afterwards(partial(self._choose, edit))

    def _choose(self, edit: ChangeLink) -> None:
        state = self._view.state
        if state is not None and edit.after in state.plan.dependencies:
            self._view.pointer.link = edit.after
            self._view.select(self._view.selection)
