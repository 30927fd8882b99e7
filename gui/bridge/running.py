"""Running: the half of the bridge that runs plans. It never opens a plan or changes one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError, MissingLinkError, UntrustedKitError
from engine.model import Clock, Dependency
from engine.session.devices import Devices
from engine.session.document import MOST_PARTS_SAVED, Document
from engine.session.edits import AddLink
from engine.session.jobs import Outcome, RunJob, RunOptions, Supervisor
from engine.session.machine import Machine, describe_machine
from engine.session.profiles import DeviceProfile
from engine.trace.planned import KindError
from gui.bridge.calibrating import Calibrating
from gui.refreshing import Refreshing

FRAME_MS = 16


class Running(QObject):
    """The runs of one document, and the way to the devices.

    `run_changed` carries a RunJob that was started, paused or has ended, or None; `spans_arrived` the run's number and
    how many spans it has, at most once a frame. `activity` is what the run does now, in a sentence, empty when there is
    none. `device_chosen` carries the kind that Run uses, `device_changed` says that this, the repeat count or the
    device's name is another. `message` is a sentence; `failed` a sentence and the ids of the tasks it concerns;
    `fix_offered` (label, edit) may follow that. `trust_asked` carries the folders whose code a run would execute, and
    which nobody has trusted yet.
    """

    run_changed = Signal(object)
    spans_arrived = Signal(int, int)
    activity = Signal(str)
    device_chosen = Signal(str)
    device_changed = Signal()
    message = Signal(str)
    failed = Signal(str, object)
    fix_offered = Signal(str, object)
    trust_asked = Signal(object)

    def __init__(self, supervisor: Supervisor, devices: Devices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.repeat = 1
        # Of the simulated device; see RunOptions.
        self.faults: tuple[str, ...] = ()
        self.pace = 0.0
        self.trusts: Callable[[str], bool] = lambda _folder: False
        self._supervisor = supervisor
        self._devices = devices
        self.refreshing = Refreshing(self)
        self._document: Document | None = None
        self._job: RunJob | None = None
        self._branch = 0
        self._device = "cpu"
        self.calibrating = Calibrating(devices, self._spawn, self)
        self.calibrating.profile_changed.connect(self._tell_run)
        self._frame = QTimer(self)
        self._frame.setSingleShot(True)
        self._frame.setInterval(FRAME_MS)
        self._frame.timeout.connect(self._tell_spans)

    @property
    def current_run(self) -> RunJob | None:
        """The run that goes on, or the last one of this document."""
        return self._job

    @property
    def branch_run(self) -> RunJob | None:
        """The same where it is one of the branch that is active: a run belongs to the branch it was started in."""
        document = self._document
        is_here = document is not None and document.scenarios.active_id == self._branch
        return self._job if is_here else None

    @property
    def is_running(self) -> bool:
        """Whether a run goes on."""
        return self._job is not None and self._job.outcome is None

    @property
    def device(self) -> str:
        """The kind of device that Run uses."""
        return self._device

    @property
    def device_name(self) -> str:
        """What that device calls itself; empty while its process is not up."""
        hello = self._devices.client(self._device).hello
        return "" if hello is None else hello.name

    @property
    def own_profile(self) -> DeviceProfile | None:
        """What this person has measured of that device, which predicts the runs on it; None where nothing was."""
        return self.calibrating.profile(self._device, self.device_name)

    def describe_machine(self) -> Machine | None:
        """What is known of that device, and of the profile that predicts runs on it; None without a device plan."""
        document = self._document
        if document is None or document.state.plan.clock is not Clock.DEVICE:
            return None
        hello, profile = None, self.own_profile or document.profile
        with suppress(EngineError):
            hello = self._devices.client(self._device).hello
        return describe_machine(self._device, hello, profile, document.state.plan)

    def prediction_errors(self) -> tuple[KindError, ...]:
        """How far the latest run was from its prediction; none while one goes on."""
        return () if self._job is None or self.is_running else self._job.errors()

    def run(self) -> None:
        """Run the plan as it is now, or say why not."""
        if self._document is None or self.is_running or self.calibrating.is_on:
            return
        try:
            client = self._devices.client(self._device)
            options = RunOptions(
                self._device, self.repeat, 0, 0, self.own_profile, self.trusts, faults=self.faults, pace=self.pace
            )
            job = RunJob(self._document, client, options, self._heard)
        except UntrustedKitError as error:
            self.trust_asked.emit(error.folders)
            return
        except EngineError as error:
            self._fail(error)
            return
        self._job, self._branch = job, self._document.scenarios.active_id
        self._tell_run()
        self._spawn(partial(self._follow, job, self._document, self._branch), f"run {job.number}")

    def pause(self) -> None:
        """Pause the run between parts."""
        if self._job is not None and self.is_running:
            self._job.pause()
            self._tell_run()

    def resume(self) -> None:
        """Go on with a paused run."""
        if self._job is not None and self.is_running:
            self._job.resume()
            self._tell_run()

    def cancel(self) -> None:
        """End the run between parts."""
        if self._job is not None and self.is_running:
            self._job.cancel()
            self.message.emit(self.tr("Canceling…"))
            self._tell_run()

    def set_repeat(self, repeat: int) -> None:
        """Choose how often Run runs the plan in a row."""
        self.repeat = repeat
        self.device_changed.emit()

    def set_device(self, kind: str) -> None:
        """Choose the device that Run uses."""
        self._device = kind
        if self.is_running:
            self.message.emit(self.tr("The next run is on this device; the one that goes on stays where it is."))
        self.device_changed.emit()
        self.device_chosen.emit(kind)

    def start_device(self) -> None:
        """Have the device's process up before Run is pressed, when a device plan is open."""
        if self._document is not None and self._document.state.plan.clock is Clock.DEVICE:
            self._spawn(partial(self._start_device, self._device), f"start {self._device}")

    async def _start_device(self, kind: str) -> None:
        client = self._devices.client(kind)
        if client.hello is None:
            await client.start()
            self.device_changed.emit()

    async def _follow(self, job: RunJob, document: Document, branch: int) -> None:
        try:
            await job.run()
        finally:
            if job is self._job:
                self._tell_spans()
                self._tell_run()
        record = job.record()
        document.add_run(record, branch)
        client = self._devices.client(job.options.device)
        if job.outcome is Outcome.FAILED and client.hello is None and not client.is_given_up:
            self._spawn(client.start, f"start {job.options.device} again")
        if document is self._document:
            self._say_outcome(job)
            if len(record.parts) > MOST_PARTS_SAVED:
                self.message.emit(self.tr("The run is over. It is too long to be saved with the plan."))

    def _say_outcome(self, job: RunJob) -> None:
        if job.outcome is Outcome.FAILED:
            self.failed.emit(job.error, (job.failed_task,) if job.failed_task else ())
            if self._devices.client(job.options.device).is_given_up and job.options.device != "cpu":
                self.fix_offered.emit(self.tr("Run on the processor"), self._run_on_processor)
        elif job.outcome is Outcome.CANCELED:
            self.message.emit(self.tr("The run was canceled; what happened so far is kept."))
        elif job.is_verified is False:
            wrong = ", ".join(output.buffer for output in job.outputs if not output.is_equal)
            sentence = self.tr("The run finished, but these buffers differ from the reference: {buffers}.")
            self.failed.emit(sentence.format(buffers=wrong), ())
        elif job.is_verified:
            self.message.emit(self.tr("The run finished; its results equal the reference."))
        else:
            self.message.emit(self.tr("The run finished."))

    def _run_on_processor(self) -> None:
        self.set_device("cpu")
        self.run()

    def _heard(self, _count: int) -> None:
        if not self._frame.isActive():
            self._frame.start()

    def _tell_spans(self) -> None:
        self._frame.stop()
        if self._job is not None:
            self.spans_arrived.emit(self._job.number, self._job.timeline.count)
            self.activity.emit(self._activity())

    def _tell_run(self) -> None:
        self.run_changed.emit(self._job)
        self.activity.emit(self._activity())

    def _activity(self) -> str:
        job = self._job
        if job is None or job.outcome is not None:
            return ""
        if job.is_canceling:
            return self.tr("Canceling…")
        if not job.timeline.count:
            return self.tr("The {kind} device gets ready for the run.").format(kind=job.options.device)
        if job.progress >= 1:
            return self.tr("The run is through; its results are compared with the reference.")
        words = self._motion(job)
        if job.options.repeat > 1:
            where = self.tr("pass {number} of {count}").format(number=job.iteration, count=job.options.repeat)
            words = f"{words}: {where}"
        return f"{words}."

    def _motion(self, job: RunJob) -> str:
        """Whether it runs, as its device has said; what a person has asked for since is on its way."""
        if job.is_paused:
            return self.tr("The run is paused") if job.stands_still else self.tr("The run is pausing")
        return self.tr("The run is about to go on") if job.stands_still else self.tr("The run goes on")

    def _spawn(self, begin: Callable[[], Awaitable[object]], name: str) -> asyncio.Task[None]:
        return self._supervisor.spawn(self._guarded(begin), name)

    async def _guarded(self, begin: Callable[[], Awaitable[object]]) -> None:
        try:
            await begin()
        except EngineError as error:
            self._fail(error)

    def _fail(self, error: EngineError) -> None:
        self.failed.emit(error.sentence, error.ids)
        if isinstance(error, MissingLinkError) and len(error.ids) == 2:
            self.fix_offered.emit(self.tr("Add the link"), AddLink(Dependency(*error.ids)))
