"""The verb `calibrate`: measures a device and writes its profile. It never leaves half a file."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from engine.errors import DeviceError, FormatError
from engine.gpu import has_driver, is_gpu, no_driver
from engine.program.profile import DeviceProfile
from engine.session.calibrating import CalibrateJob
from engine.session.devices import Devices
from engine.session.profiles import own_profile, profile_changes, profile_folder, write_profile

_BAR = 30


def answer(arguments: argparse.Namespace) -> tuple[int, object, str]:
    """Exit code, document and text: the profile that was written. Raises EngineError for a device that is not there."""
    kind = arguments.device
    if kind == "simulated":
        raise DeviceError("A simulated device has the figures of its profile; calibrate cpu or cuda.")
    if is_gpu(kind) and not has_driver():
        raise DeviceError(no_driver("cpu"))
    path = Path(arguments.output) if arguments.output else None
    if path is not None:
        _check_place(path)
    profile, is_disturbed = asyncio.run(_calibrate(kind))
    path = path or profile_folder() / f"{profile.name}.json"
    before = own_profile(profile.name.split("-")[0], profile.device)
    write_profile(profile, path)
    if is_disturbed:
        sys.stderr.write("The machine was busy meanwhile: close what you can, and calibrate once more.\n")
    changes = profile_changes(before, profile) if before else ()
    sys.stderr.write(f"Wrote {path}\n")
    text = "\n".join((f"{profile.name}: {profile.source}", *changes))
    return 0, json.loads(profile.to_json()), text


def _check_place(path: Path) -> None:
    """Raises FormatError for a place where something else than a device profile would be lost, or nothing can be."""
    if not path.parent.is_dir():
        raise FormatError(f"There is no folder “{path.parent}” to write the profile into.", path=str(path))
    if not path.exists():
        return
    try:
        DeviceProfile.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, FormatError) as error:
        raise FormatError(f"{path} is there and is no device profile: choose another name.", path=str(path)) from error


async def _calibrate(kind: str) -> tuple[DeviceProfile, bool]:
    devices = Devices()
    try:
        job = CalibrateJob(devices.client(kind), _Progress().tell)
        profile = await job.run()
        assert profile is not None  # an interruption comes out of run()
        return profile, job.is_disturbed
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\n")
        await devices.close()


class _Progress:
    """A bar on a terminal; elsewhere a line at each tenth."""

    def __init__(self) -> None:
        self._told = 0

    def tell(self, share: float, what: str) -> None:
        """How far it is, 0 to 1, and at what."""
        if sys.stderr.isatty():
            done = round(share * _BAR)
            sys.stderr.write(f"\r[{'#' * done}{'.' * (_BAR - done)}] {share:4.0%} {what:<16}")
        elif int(share * 10) > self._told:
            self._told = int(share * 10)
            sys.stderr.write(f"{self._told}0 %\n")
