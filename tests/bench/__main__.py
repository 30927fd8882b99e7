"""Runs the benchmarks: `python -m tests.bench [NAME ...]`, all of them without a name. It asserts nothing.

Options after one name are that benchmark's own: `python -m tests.bench optimize --help`.

A benchmark is a module beside this one whose main() prints figures, each with its ratio to a reference measured in
the same run.
"""

import sys
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import app


def main(words: list[str]) -> int:
    """Runs the benchmarks of these names and returns the exit code: 2 for a name that is not there."""
    names = list(takewhile(lambda word: not word.startswith("-"), words))
    options = words[len(names) :]
    found = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    if unknown := [name for name in names if name not in found]:
        print(f"There is no benchmark {unknown[0]}; there are {', '.join(found)}.", file=sys.stderr)
        return 2
    app.prepare_environment()
    for name in names or found:
        print(name, flush=True)
        import_module(f"tests.bench.{name}").main(*([options] if options else []))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
