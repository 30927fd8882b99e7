"""Calibrating: measures a device on request, keeps what was measured, and says which profile predicts a run on it.

It never draws or asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Signal

from engine.errors import FormatError
from engine.session.calibrating import CalibrateJob
from engine.session.devices import Devices
from engine.session.profiles import DeviceProfile, own_profile, profile_changes, profile_folder, write_profile

Begin = Callable[[], Awaitable[object]]


class Calibrating(QObject):
    """`progressed` carries a share, 0 to 1, and what is measured; `ended` sentences about what changed, none for a
    calibration that was canceled or has failed. `profile_changed` says that a calibration has begun or is
    over, and another profile may be in use."""

    progressed = Signal(float, str)
    ended = Signal(object)
    profile_changed = Signal()

    def __init__(self, devices: Devices, spawn: Callable[[Begin, str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._devices = devices
        self._spawn = spawn
        self._job: CalibrateJob | None = None
        self._known: dict[tuple[str, str], DeviceProfile | None] = {}

    @property
    def is_on(self) -> bool:
        """Whether a device is measured now."""
        return self._job is not None

    def profile(self, kind: str, device: str) -> DeviceProfile | None:
        """This person's own profile of a device; None where there is none, or none that can be read."""
        if kind == "simulated":
            return None
        if (kind, device) not in self._known:
            self._known[kind, device] = None
            with suppress(FormatError):
                self._known[kind, device] = own_profile(kind, device)
        return self._known[kind, device]

    def start(self, kind: str) -> None:
        """Measure a device, unless one is measured now."""
        if self._job is None:
            job = self._job = CalibrateJob(self._devices.client(kind), self.progressed.emit)
            self.profile_changed.emit()
            self._spawn(partial(self._follow, job, kind), f"calibrate {kind}")

    def cancel(self) -> None:
        """End the calibration between parts; nothing is written."""
        if self._job is not None:
            self._job.cancel()

    async def _follow(self, job: CalibrateJob, kind: str) -> None:
        found: tuple[str, ...] = ()
        try:
            profile = await job.run()
            if profile is not None:
                before = own_profile(kind, profile.device)
                write_profile(profile, profile_folder() / f"{profile.name}.json")
                found = self._words(profile, before, is_disturbed=job.is_disturbed)
        finally:
            self._job = None
            self._known.clear()
            self.ended.emit(found)
            self.profile_changed.emit()

    def _words(self, profile: DeviceProfile, before: DeviceProfile | None, *, is_disturbed: bool) -> tuple[str, ...]:
        words = [self.tr("Runs on {device} are predicted by what was measured now.").format(device=profile.device)]
        if is_disturbed:
            words.append(self.tr("The machine was busy meanwhile: close what you can, and calibrate once more."))
        if before is not None:
            changes = profile_changes(before, profile)
            words.extend(changes or (self.tr("Every figure is within a tenth of the one before."),))
        return tuple(words)
