"""Run as a program of its own: turns a file that MPXJ reads into Microsoft Project XML. It never imports our engine.

    python convert.py IN OUT

Exit codes: 0 done; 3 the Python packages are missing; 4 there is no Java; 5 MPXJ cannot read the file, with why on the
last line of stdout.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

NO_PACKAGES, NO_JAVA, UNREADABLE = 3, 4, 5
_HEAP = "-Xmx768m"
# Languages in which an MPX file may name its kinds and write its numbers.
_LOCALES = ("de", "fr", "es", "it", "pt", "sv", "ru", "zh")


def main(source: str, target: str) -> int:
    """Converts one file."""
    try:
        import jpype
        import mpxj  # noqa: F401  (it tells JPype where its classes are)
    except ImportError:
        return NO_PACKAGES
    try:
        jpype.startJVM(
            _HEAP, "-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory"
        )
    except (jpype.JVMNotFoundException, OSError, RuntimeError):
        return NO_JAVA
    problem = "MPXJ does not know this kind of file"
    for project in _read(jpype, source):
        if isinstance(project, str):
            problem = project
            continue
        jpype.JClass("org.mpxj.mspdi.MSPDIWriter")().write(project, target)
        return 0
    sys.stdout.write(f"{' '.join(problem.split())}\n")
    return UNREADABLE


def _read(jpype: Any, source: str) -> Iterator[Any]:
    """What each way of reading the file gives: a project, or why there is none."""
    readers = [jpype.JClass("org.mpxj.reader.UniversalProjectReader")()]
    with open(source, "rb") as file:  # noqa: PTH123  (no more imports than needed)
        is_mpx = file.read(3) == b"MPX"
    if is_mpx:
        for language in _LOCALES:
            reader = jpype.JClass("org.mpxj.mpx.MPXReader")()
            reader.setLocale(jpype.JClass("java.util.Locale")(language))
            readers.append(reader)
    for reader in readers:
        try:
            project = reader.read(source)
        except jpype.JException as error:
            yield str(error.message() or error)
            continue
        if project is not None:
            yield project


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
