"""Microsoft Project's own files (.mpp, .mpx) and Primavera's XML, read by MPXJ in a process that can be killed.

That process makes Microsoft Project XML of them, which is read as any other. Nothing here loads Java, and without the
optional packages one sentence says how to get them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from engine.errors import FormatError
from engine.formats import mspdi
from engine.formats.mpp import convert
from engine.formats.text import read_head
from engine.formats.xml_text import read_root
from engine.model import Plan

TITLE = "Microsoft Project (by MPXJ)"
SUFFIXES: tuple[str, ...] = (".mpp", ".mpt", ".mpx", ".pmxml")
TIMEOUT_S = 120
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_BYTES = 1 << 27
_NEEDS = {
    convert.NO_PACKAGES: "needs the packages mpxj and JPype1: install them with pip install 'warploom[mpp]'",
    convert.NO_JAVA: "needs Java: install a Java runtime, such as the package default-jre",
}


def sniff(path: str | Path) -> bool:
    """Whether the file is a compound file with a project in it, an MPX file, or Primavera's XML."""
    head = read_head(path, 8)
    if head == _OLE:
        return "Props".encode("utf-16-le") in read_head(path, _MOST_BYTES)
    return (head[:3] == b"MPX" and head[3:4] in (b",", b";", b"\t")) or read_root(path)[1] == "APIBusinessObjects"


def load(path: str | Path) -> Plan:
    """The plan of a file. Blocks for seconds. Raises FormatError: one sentence with the path, also without MPXJ."""
    if len(read_head(path, _MOST_BYTES + 1)) > _MOST_BYTES:
        raise FormatError(f"{path} is larger than {_MOST_BYTES >> 20} MB.", path=str(path))
    with tempfile.TemporaryDirectory(prefix="warploom-") as folder:
        converted = Path(folder) / "converted.xml"
        _convert(path, converted)
        try:
            return mspdi.load(converted)
        except FormatError as error:
            sentence = error.sentence.replace(str(converted), f"{path}, as MPXJ reads it,")
            raise FormatError(sentence, ids=error.ids, path=str(path)) from error


def _convert(path: str | Path, target: Path) -> None:
    """Have the other process write `target`. Raises FormatError for whatever goes wrong there."""
    try:
        done = subprocess.run(
            command(path, target), capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise FormatError(f"{path} was not read: MPXJ took longer than {TIMEOUT_S} s.", path=str(path)) from error
    except OSError as error:
        raise FormatError(f"{path} was not read: MPXJ could not be started.", path=str(path)) from error
    if done.returncode in _NEEDS:
        raise FormatError(f"Reading {path} {_NEEDS[done.returncode]}.", path=str(path))
    if done.returncode != 0 or not target.is_file():
        said = done.stdout.strip().splitlines() if done.returncode == convert.UNREADABLE else []
        why = said[-1].rstrip(".") if said else "MPXJ failed"
        raise FormatError(f"{path} was not read: {why}.", path=str(path))


def command(path: str | Path, target: Path) -> list[str]:
    """What is run to convert a file; the folder it is run in is never searched for packages."""
    return [sys.executable, "-P", str(Path(convert.__file__)), str(Path(path).absolute()), str(target)]
