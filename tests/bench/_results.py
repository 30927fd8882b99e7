"""Results of a benchmark in a file as they come, so that what was stopped can go on. It never measures."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple, Self

Key = tuple[str, float, str]


class Result(NamedTuple):
    """A makespan, None where there is no plan, and the seconds it took to find."""

    span: int | None
    seconds: float


class Results:
    """What was found of an instance in so many seconds by a solver; without a file nothing is kept."""

    def __init__(self, file: Path | None, *, goes_on: bool) -> None:
        self._known = read(file) if file is not None and goes_on and file.is_file() else {}
        self._file = None
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._file = file.open("w", encoding="utf-8", newline="")
            for key, result in self._known.items():
                self._write(key, result)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def get(self, key: Key) -> Result | None:
        """What is known already."""
        return self._known.get(key)

    def put(self, key: Key, result: Result) -> None:
        """Writes a result at once."""
        self._known[key] = result
        self._write(key, result)

    def _write(self, key: Key, result: Result) -> None:
        if self._file is not None:
            csv.writer(self._file).writerow([*key, "" if result.span is None else result.span, f"{result.seconds:.3f}"])
            self._file.flush()


def read(file: Path) -> dict[Key, Result]:
    """The results in a file; a line that was cut off is left out."""
    found = dict[Key, Result]()
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines):
            try:
                name, seconds, solver, span, spent = row
                found[name, float(seconds), solver] = Result(int(span) if span else None, float(spent))
            except ValueError:
                continue
    return found
