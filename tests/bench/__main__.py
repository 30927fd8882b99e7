"""Runs the benchmarks: `python -m tests.bench [NAME ...]`, all of them without a name. It asserts nothing.

A benchmark is a module beside this one whose main() prints figures, each with its ratio to a reference measured in
the same run.
"""

import sys
from importlib import import_module
from pathlib import Path

import app


def main(names: list[str]) -> int:
    """Runs the benchmarks of these names and returns the exit code: 2 for a name that is not there."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    if unknown := [name for name in names if name not in found]:
        print(f"There is no benchmark {unknown[0]}; there are {', '.join(found)}.", file=sys.stderr)
        return 2
    app.prepare_environment()
    for name in names or found:
        print(name, flush=True)
        import_module(f"tests.bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
