"""Profiles: the device profiles that a person has measured, each a file in their data folder. They never measure."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from engine.errors import FormatError
from engine.formats.replacing import write_file
from engine.formats.text import file_error
from engine.program.profile import DeviceProfile, load_profile, profile_names

__all__ = [
    "DeviceProfile",
    "find_profile",
    "own_name",
    "own_names",
    "own_profile",
    "profile_changes",
    "profile_folder",
    "read_profile",
    "write_profile",
]

SUFFIX = ".json"
# A figure that differs by less than this share is no news.
_NOTED = 0.1


def profile_folder() -> Path:
    """Where this person's own profiles lie; it need not be there yet."""
    if sys.platform == "win32":
        data = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        data = Path.home() / "Library" / "Application Support"
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "warploom" / "profiles"


def own_name(kind: str, device: str) -> str:
    """What a profile of a device is called: its kind, and what the device calls itself."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\((?:r|tm)\)", " ", f"{_kind(kind)} {device}".lower()))
    return "-".join(word for index, word in enumerate(words) if word not in words[:index])


def own_names() -> tuple[str, ...]:
    """The profiles this person has measured, by name."""
    folder = profile_folder()
    return tuple(sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))) if folder.is_dir() else ()


def own_profile(kind: str, device: str = "") -> DeviceProfile | None:
    """What this person has measured of a device: of the one that calls itself so, or of the only one of its kind.

    None where nothing was measured. Raises FormatError for a file that is no profile.
    """
    names = [own_name(kind, device)] if device else [name for name in own_names() if name.split("-")[0] == _kind(kind)]
    path = profile_folder() / f"{names[0]}{SUFFIX}" if len(names) == 1 else None
    return read_profile(path) if path is not None and path.is_file() else None


def find_profile(name: str) -> DeviceProfile:
    """The profile in a file, else this person's own of that name, else the one that comes with the product."""
    path = Path(name)
    if path.is_file():
        return read_profile(path)
    if name in own_names():
        return read_profile(profile_folder() / f"{name}{SUFFIX}")
    if name not in profile_names():
        known = ", ".join((*own_names(), *profile_names()))
        raise FormatError(f"There is neither a file nor a device profile “{name}”; there are {known}.")
    return load_profile(name)


def read_profile(path: Path) -> DeviceProfile:
    """The profile in a file. Raises FormatError, with the path."""
    try:
        return DeviceProfile.from_json(path.read_text(encoding="utf-8"))
    except FormatError as error:
        raise FormatError(error.sentence, path=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read: {error}.", path=str(path)) from error


def write_profile(profile: DeviceProfile, path: Path) -> None:
    """Write a profile whole or not at all. Blocks. Raises FormatError; the old file is then as it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(error, path, "written") from error
    write_file(path, (profile.to_json() + "\n").encode(), backups=0)


def _kind(kind: str) -> str:
    """The second GPU is a GPU."""
    return kind.partition(":")[0]


def profile_changes(before: DeviceProfile, after: DeviceProfile) -> tuple[str, ...]:
    """What another profile of a device says otherwise: a line for each rate and latency that is off by a tenth."""
    rows: tuple[tuple[str, str, float, Callable[[DeviceProfile], float]], ...] = (
        ("copy in", "GB/s", 1e9, lambda p: p.copy_in_bytes_per_second),
        ("copy out", "GB/s", 1e9, lambda p: p.copy_out_bytes_per_second),
        ("copy latency", "µs", 1e3, lambda p: p.copy_latency_ns),
        ("launch latency", "µs", 1e3, lambda p: p.launch_latency_ns),
        ("arithmetic", "GFLOP/s", 1e9, lambda p: p.flops_per_second),
        ("memory", "GB/s", 1e9, lambda p: p.memory_bytes_per_second),
        ("dependent steps", "M/s", 1e6, lambda p: p.steps_per_second),
    )
    found = []
    for what, unit, scale, of in rows:
        old, new = of(before), of(after)
        if abs(new - old) > _NOTED * max(old, 1):
            found.append(f"{what} {old / scale:.4g} → {new / scale:.4g} {unit}")
    return tuple(found)
