"""Says, before anything is imported that could fail, whether the window can open on this machine.

It never imports more than the standard library, starts nothing and installs nothing.
"""

import ctypes
import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

NO_WINDOW = 3
NO_PACKAGES = 4

# Import names of what requirements.lock installs for a run.
PYTHON_PACKAGES = ("PySide6", "pyqtgraph", "qasync", "numba", "numpy")

# Platforms of Qt that draw without a display server.
DISPLAYLESS = ("offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs", "vkkhrdisplay")

# What Qt's own libraries and its platform plugins are linked with: (file, Debian package). Loading the file is the
# only honest check: Qt itself names one library whatever is missing, and then aborts.
BASE_LIBRARIES = (
    ("libglib-2.0.so.0", "libglib2.0-0"),
    ("libEGL.so.1", "libegl1"),
    ("libGL.so.1", "libgl1"),
    ("libfontconfig.so.1", "libfontconfig1"),
    ("libfreetype.so.6", "libfreetype6"),
    ("libdbus-1.so.3", "libdbus-1-3"),
    ("libX11.so.6", "libx11-6"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
)
X11_LIBRARIES = (
    ("libX11-xcb.so.1", "libx11-xcb1"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4"),
    ("libxcb-image.so.0", "libxcb-image0"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    ("libxcb-randr.so.0", "libxcb-randr0"),
    ("libxcb-render-util.so.0", "libxcb-render-util0"),
    ("libxcb-render.so.0", "libxcb-render0"),
    ("libxcb-shape.so.0", "libxcb-shape0"),
    ("libxcb-shm.so.0", "libxcb-shm0"),
    ("libxcb-sync.so.1", "libxcb-sync1"),
    ("libxcb-util.so.1", "libxcb-util1"),
    ("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    ("libxcb-xkb.so.1", "libxcb-xkb1"),
)
WAYLAND_LIBRARIES = (
    ("libwayland-client.so.0", "libwayland-client0"),
    ("libwayland-cursor.so.0", "libwayland-cursor0"),
    ("libwayland-egl.so.1", "libwayland-egl1"),
)


@dataclass(frozen=True)
class Problem:
    """Why the window cannot open: a sentence for a person, the exit code, the Debian packages that are missing."""

    sentence: str
    exit_code: int
    packages: tuple[str, ...] = ()


def missing(display_needed: bool) -> Problem | None:
    """The first reason why Qt cannot start here, or None. Without `display_needed` only what an image needs counts."""
    return missing_python() or (missing_display() if display_needed else None) or missing_libraries(display_needed)


def missing_python() -> Problem | None:
    """The Python packages that are not there, or are known to fail on this Python."""
    absent = [name for name in PYTHON_PACKAGES if importlib.util.find_spec(name) is None]
    if absent:
        return Problem(f"{_listed(absent)} cannot be found by {sys.executable}. Start it with: make run", NO_PACKAGES)
    if sys.version_info < (3, 12) and _is_installed("pyside6_essentials-6.12.0"):
        return Problem("PySide6 6.12.0 needs Python 3.12 or newer. Start it with: make run", NO_PACKAGES)
    return None


def missing_display() -> Problem | None:
    """A display server that is not there, on systems where one may be absent."""
    if not is_linux() or _platform() in DISPLAYLESS or has_display():
        return None
    named = {name: os.environ[name] for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)}
    reason = "neither DISPLAY nor WAYLAND_DISPLAY is set"
    if named:
        reason = "nothing answers at " + _listed([f"{name}={value}" for name, value in named.items()])
    return Problem(
        f"There is no display to open a window on ({reason}); without one, run a plan with: "
        "python app.py run FILE --json",
        NO_WINDOW,
    )


def missing_libraries(display_needed: bool) -> Problem | None:
    """The system libraries that are not there; with `display_needed` also those of the display server in use."""
    packages = missing_packages(_tables(display_needed))
    if not packages:
        return None
    return Problem(
        f"Qt needs system libraries that are not installed; install them with: {apt_line(packages)}",
        NO_WINDOW,
        packages,
    )


def missing_packages(table: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The Debian packages of those libraries of `table` that do not load. Empty on other systems than Linux."""
    if not is_linux():
        return ()
    return tuple(_package_here(package) for soname, package in table if not _loads(soname))


def apt_line(packages: tuple[str, ...]) -> str:
    """The one line to type that installs `packages` on Debian and its kin."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get install -y {' '.join(packages)}"


def has_display() -> bool:
    """Whether a display server answers where the environment says; True if that cannot be tried yet."""
    return _wayland_answers() or _x11_answers()


def _is_installed(release: str) -> bool:
    """Whether one release of a package is there; importlib.metadata would take 40 ms to say so."""
    return any((Path(folder) / f"{release}.dist-info").is_dir() for folder in sys.path)


def _tables(display_needed: bool) -> tuple[tuple[str, str], ...]:
    if not display_needed or _platform() in DISPLAYLESS:
        return BASE_LIBRARIES
    wayland = _platform() == "wayland" or (_wayland_answers() and not os.environ.get("DISPLAY"))
    return BASE_LIBRARIES + (WAYLAND_LIBRARIES if wayland else X11_LIBRARIES)


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    return bool(name) and (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / str(name)).exists()


def _x11_answers() -> bool:
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _package_here(package: str) -> str:
    return "libglib2.0-0t64" if package == "libglib2.0-0" and _has_renamed_glib() else package


def _has_renamed_glib() -> bool:
    """Debian 13 and Ubuntu 24.04 renamed it for the 64-bit time_t."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    release = dict(line.split("=", 1) for line in lines if "=" in line)
    major = release.get("VERSION_ID", "").strip('"').split(".")[0]
    first = {"debian": 13, "ubuntu": 24}.get(release.get("ID", "").strip('"'))
    return first is not None and major.isdecimal() and int(major) >= first


def _platform() -> str:
    return os.environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]


def is_linux() -> bool:
    """Whether the checks of display and libraries mean anything here."""
    return sys.platform.startswith("linux")


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
