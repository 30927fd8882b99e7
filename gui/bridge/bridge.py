"""Bridge: the one place where engine meets Qt. States and batches of spans become signals, verbs become calls.

It never draws or asks: an expected error becomes `failed`, and the state stays as it was. All of it belongs to the
main thread; what blocks runs in a worker.
"""

from __future__ import annotations

import asyncio
import calendar
import time
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import FormatError
from engine.model import DAY, Calendar, Clock, Plan, Resource, ResourceKind
from engine.session.autosave import Recovery, discard, find, orphans
from engine.session.devices import Devices
from engine.session.document import Document
from engine.session.edits import TakeAdvice
from engine.session.jobs import Supervisor
from engine.session.measuring import measure_latest
from engine.session.reloading import load_anew
from engine.trace.recorded_run import RecordedRun
from gui.bridge.advising import Advising
from gui.bridge.branching import Branching
from gui.bridge.comparing import Comparing
from gui.bridge.dropping import Dropping
from gui.bridge.filing import in_worker
from gui.bridge.findings import Findings
from gui.bridge.forecasting import Forecasting
from gui.bridge.importing import Importing
from gui.bridge.kits import Kits
from gui.bridge.optimizing import Optimizing
from gui.bridge.risking import Risking
from gui.bridge.sampling import Sampling
from gui.bridge.saving import Saving
from gui.bridge.watching import Watching
from gui.bridge.why_late import WhyLate
from gui.bridge.workload import Workload

NEW_STREAMS = 1


class Bridge(Saving):
    """One open document, and the runs of it.

    `document_opened` carries the State of another document, or None where none is open any more; `unsaved_work_found`
    carries all of it, a tuple of Recovery; `notes_found` the name of a plan that was read from a file of another
    program, and what was left out or guessed; `opened_late` what shows a plan that was opened, where work on the one
    before went on meanwhile.
    """

    document_opened = Signal(object)
    unsaved_work_found = Signal(object)
    notes_found = Signal(str, object)
    opened_late = Signal(object)

    def __init__(self, supervisor: Supervisor, devices: Devices, parent: QObject | None = None) -> None:
        super().__init__(supervisor, devices, parent)
        self._left: tuple[object, object] = (None, None)
        self._forgetting: asyncio.Task[None] | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self.forecasting = Forecasting(lambda: self._document, self._spawn, in_worker, lambda: self.own_profile, self)
        for changed in (self.calibrating.profile_changed, self.device_changed):
            changed.connect(self.forecasting.look_at_profile)
        self.advising = Advising(lambda: self._document, self._spawn, self)
        self.run_changed.connect(self.advising.show_run)
        self.findings = Findings(self._spawn, in_worker, self)
        self.state_changed.connect(self.findings.show_state)
        self.document_opened.connect(self.findings.show_document)
        self.workload = Workload(self._spawn, in_worker, self)
        self.comparing = Comparing(self._spawn, in_worker, self)
        self.branching = Branching(lambda: self._document, self.making, self._spawn, in_worker, self)
        self.optimizing = Optimizing(self.making, self._fail, self._spawn, in_worker, self)
        self.run_changed.connect(self.optimizing.show_run)
        self.risking = Risking(self._spawn, in_worker, self.optimizing.work, self)
        for asking in (self.comparing, self.optimizing, self.risking):
            self.state_changed.connect(asking.show_state)
            self.document_opened.connect(asking.show_document)
        self.why_late = WhyLate(self.optimizing, self._spawn, in_worker, self)
        self.dropping = Dropping(lambda: self.state, self.optimizing, self._spawn, self)
        self.watching = Watching(lambda: self._document, self._spawn, self)
        for part in (self.forecasting, self.advising, self.workload, self.branching, self.why_late, self.watching):
            self.state_changed.connect(part.show_state)
            self.document_opened.connect(part.show_state)
        self.importing = Importing(self._open, self._spawn, self.filing.read, self._show_table, self)
        self.sampling = Sampling(self._spawn, in_worker, self)
        self.kits = Kits(lambda: self._document, self.execute, self._spawn, in_worker, self)
        self.trusts = self.kits.trusts

    @property
    def runs(self) -> tuple[RecordedRun, ...]:
        """The runs that were kept with the open document, the latest last."""
        return () if self._document is None else self._document.runs

    def open(self, path: str) -> None:
        """Open a file in the place of what is open; work that a crash left of it is offered first.

        A table is not opened yet: `importing` tells how it would be read.
        """
        self._open(partial(self._load_or_offer, path), path)

    async def load(self, path: str, then: Callable[[], object] = lambda: None) -> None:
        """Open a file, wait until it is shown, and do `then`. Raises EngineError."""
        document = await self.filing.read(Path(path).name, lambda: _measured(Document.load(path)))
        self._take_in(document, then)

    def load_anew(self) -> None:
        """Show the plan as it is in its file now; what is not saved stays, as branches beside it."""
        if self._document is not None and self._document.state.path:
            self._open(partial(self._load_anew, self._document), self._document.state.path)

    def open_sample(self, name: str) -> None:
        """Open a sample as a plan without a file: it is never written."""
        self._open(partial(self._load_sample, name), name)

    def new(self, clock: Clock) -> None:
        """Open an empty plan."""
        self.filing.drop()
        self._show(Document(_empty_plan(clock)))

    def look_for_unsaved_work(self) -> None:
        """Offer what a crash left, of whatever plan."""
        self._spawn(self._look, "look for unsaved work")

    def recover(self, recovery: Recovery) -> None:
        """Take up the work that a crash left."""
        self._open(partial(self._take_up, recovery), recovery.path)

    def discard(self, recovery: Recovery) -> None:
        """Throw away the work that a crash left."""
        self._spawn(partial(in_worker, partial(discard, recovery)), "discard")

    def close(self) -> None:
        """Leave the document on purpose: what is not saved is gone."""
        self.filing.drop()
        if self._document is not None:
            self._show(None)

    def take_advice(self) -> None:
        """Change the plan as the best advice says."""
        if self.advising.found:
            self.execute(TakeAdvice(self.advising.found[0]))
        else:
            self.message.emit(self.tr("There is no advice for this plan as it is."))

    async def leave(self) -> None:
        """Keep what is not saved where the next start finds it, and forget what was left on purpose."""
        await self.making.finish()
        await self.optimizing.leave()
        await self.risking.leave()
        self.refreshing.drop()
        if self._forgetting is not None:
            await self._forgetting
        document = self._document
        if document is not None:
            work = document.autosave if document.state.is_dirty else document.close
            await self._guarded(partial(in_worker, work))
        for timer in self.findChildren(QTimer):  # of all that it consists of: nothing begins once the loop has ended
            timer.stop()

    async def _load_or_offer(self, path: str) -> None:
        recovery = await in_worker(lambda: find(path))
        if await self.importing.look(path):
            return

        def then() -> None:
            self.file_used.emit(path)
            if recovery is not None and recovery.is_newer:
                self.unsaved_work_found.emit((recovery,))

        await self.load(path, then)

    async def _load_anew(self, mine: Document) -> None:
        path = mine.state.path
        theirs, kept = await self.filing.read(Path(path).name, partial(load_anew, mine))
        words = self.tr("Loaded “{name}” as it is in the file now.").format(name=Path(path).name)
        if kept:
            also = self.tr("What you had not saved is kept as a branch: {names}.")
            words = f"{words} {also.format(names=', '.join(f'“{each}”' for each in kept))}"
        self._take_in(theirs, lambda: self.message.emit(words))

    async def _load_sample(self, name: str) -> None:
        def load() -> Document:
            with resources.as_file(resources.files("resources.samples") / f"{name}.loom") as path:
                loaded = Document.load(path)
            return Document(loaded.state.plan, folder=loaded.folder)

        self._take_in(await self.filing.read(name, load))

    async def _take_up(self, recovery: Recovery) -> None:
        try:
            name = Path(recovery.path or recovery.autosave).name
            document = await self.filing.read(name, lambda: _measured(Document.recover(recovery)))
        except FormatError as error:
            if Path(recovery.autosave).exists():
                raise
            raise FormatError("That work is no longer there: another window has taken it up.") from error
        path = document.state.path
        self._take_in(document, lambda: self.file_used.emit(path) if path else None)

    async def _look(self) -> None:
        if found := await in_worker(orphans):
            self.unsaved_work_found.emit(tuple(found))

    def _open(self, begin: Callable[[], Awaitable[object]], name: str) -> None:
        """What is open now may go; what is made of it meanwhile may not."""
        self._left = (self.state, self._job)
        self.filing.open(begin, name)

    def _show(self, document: Document | None) -> None:
        self.cancel()
        self.refreshing.drop()
        self._unsubscribe()
        before, self._document, self._job = self._document, document, None
        if before is not None:
            self._forgetting = self._spawn(partial(in_worker, before.close), "forget the autosave")
        if document is not None:
            self._unsubscribe = document.subscribe(self.state_changed.emit)
        self._tell_run()
        self.document_opened.emit(None if document is None else document.state)
        if document is not None and document.state.is_dirty:
            self._autosave_soon(document.state)

    def _show_table(self, document: Document, path: str) -> None:
        self._take_in(document, lambda: self.file_used.emit(path))

    def _take_in(self, document: Document, then: Callable[[], object] = lambda: None) -> None:
        """Show what was opened, and do `then`; first a person is asked about what would be lost of what is open.

        What was asked of that is made before.
        """
        self.making.do(partial(self._take_in_now, document, then))

    def _take_in_now(self, document: Document, then: Callable[[], object]) -> None:
        def show() -> None:
            self._show(document)
            self._offer_notes(document)
            then()

        state, (left, run) = self.state, self._left
        is_news = state is not left or self._job is not run
        if state is not None and is_news and (self.is_running or state.is_dirty):
            self.opened_late.emit(show)
        else:
            show()

    def _offer_notes(self, document: Document) -> None:
        plan = document.state.plan
        notes = tuple(text for name, text in plan.fields if name == "note")
        if notes and not document.state.path:
            self.notes_found.emit(plan.name, notes)


def _measured(document: Document) -> Document:
    """In the worker that has read it: the figures of its latest runs are there before anybody sees it."""
    for branch in document.scenarios.branches:
        measure_latest(branch.runs)
    return document


def _empty_plan(clock: Clock) -> Plan:
    if clock is Clock.DEVICE:
        streams = (Resource(number, f"Stream {number}", ResourceKind.STREAM) for number in range(1, NEW_STREAMS + 1))
        return Plan("New device plan", clock, resources=tuple(streams))
    today = calendar.timegm(time.localtime()) // DAY * DAY
    return Plan("New plan", clock, today, calendar=Calendar.standard())
