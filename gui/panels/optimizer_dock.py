"""OptimizerDock: the search for a better plan and what it offers, in a dock of its own, and what they ask for.

It never searches, never changes the plan, and never draws on the chart: whoever does is told.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from engine.session.offers import Offer
from engine.session.state import State
from gui.bridge import Bridge
from gui.menus import Actions
from gui.panels.docked import Docked, Roll, bring, follow
from gui.panels.optimizer_panel import OptimizerPanel, Search
from gui.panels.optimizer_words import gain_words
from gui.panels.refresh import Refresh
from gui.panels.why_late import WhyLateDock
from gui.theme import Theme

_HEIGHT_PX = 356


class OptimizerDock(Docked):
    """`task_chosen` carries the id of a task that was gone to; `previewed` the State that is offered, to be shown as
    ghosts, None for none.
    """

    task_chosen = Signal(int)
    previewed = Signal(object)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._bridge: Bridge | None = None
        self._offer: Offer | None = None
        self.panel = OptimizerPanel()
        self.dock = QDockWidget(self.tr("Optimizer"), window)
        self.dock.setObjectName("optimizer")
        self.dock.setWidget(Roll(self.panel))
        self.why = WhyLateDock(window)
        for part in (self.panel, self.why):
            part.task_chosen.connect(self.task_chosen)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Ask the bridge to search, hand it what a person takes, and follow the actions."""
        self.why.connect_to(bridge, actions)
        self._action = actions["show_optimizer"]
        self._bridge, panel, optimizing = bridge, self.panel, bridge.optimizing
        searched = Refresh(self.dock, bridge.refreshing, self._show_search)
        optimizing.changed.connect(searched.soon)
        offered = Refresh(self.dock, bridge.refreshing, panel.show_offer)
        optimizing.offered.connect(partial(self._show_offer, offered))
        optimizing.taken.connect(lambda sentence: bridge.message.emit(sentence) if sentence else None)
        bridge.document_opened.connect(self._opened)
        panel.wish_changed.connect(optimizing.set_wish)
        panel.started.connect(optimizing.start)
        panel.stopped.connect(optimizing.stop)
        panel.taken.connect(optimizing.take)
        panel.kept.connect(self._keep)
        actions["optimize"].triggered.connect(self._start)
        actions["stop_optimizing"].triggered.connect(optimizing.stop)
        actions["take_offer"].triggered.connect(self._take_all)
        ghosts = actions["show_ghosts"]
        ghosts.setChecked(True)
        ghosts.toggled.connect(panel.ghosts.setChecked)
        ghosts.toggled.connect(self._show_ghosts)
        panel.ghosts.toggled.connect(ghosts.setChecked)
        follow(self._window, self._action, self.dock, _HEIGHT_PX)

    def restore(self) -> None:
        """At its place, and out of sight."""
        super().restore()
        self.why.restore()

    def hide(self) -> None:
        """Out of sight until it is asked for."""
        super().hide()
        self.why.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.panel.set_theme(theme)

    def keep(self, tasks: tuple[int, ...]) -> None:
        """Leave these tasks where they are from now on."""
        self._keep(frozenset(tasks))

    def _start(self) -> None:
        bring(self._window, self.dock, _HEIGHT_PX)
        if self._bridge is not None:
            self._bridge.optimizing.start()

    def _take_all(self) -> None:
        if self._bridge is not None:
            self._bridge.optimizing.take()

    def _keep(self, tasks: frozenset[int]) -> None:
        """These too; none: let go of all."""
        if self._bridge is not None:
            self._bridge.optimizing.keep(tasks)

    def _show_search(self, _: object) -> None:
        if self._bridge is not None:
            optimizing = self._bridge.optimizing
            kept = len(optimizing.kept)
            self.panel.show_search(Search(optimizing.job, optimizing.is_on, optimizing.seconds, kept))

    def _show_offer(self, shown: Refresh, offer: Offer | None) -> None:
        """One that is dropped is no longer on the chart; the list of what it moves follows what was edited."""
        self._offer = offer
        job = None if self._bridge is None else self._bridge.optimizing.job
        gain = "" if offer is None or job is None else gain_words(offer, job)
        # What its button in the tool bar says.
        self._action.setIconText(self.tr("● {gain}").format(gain=gain) if gain else self.tr("Optimizer"))
        self._show_ghosts()
        (shown.soon if offer is None else shown.now)(offer)

    def _show_ghosts(self) -> None:
        is_shown = self._offer is not None and self.panel.ghosts.isChecked()
        self.previewed.emit(self._offer.offered if self._offer is not None and is_shown else None)

    def _opened(self, _: State | None) -> None:
        self.hide()
