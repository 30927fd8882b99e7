"""The command line without a window: arguments in, one document on stdout, an exit code out. It never imports Qt."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from engine.errors import EngineError
from engine.headless.printing import put

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
LATER = ("metrics", "compare")
VERBS = ("schedule", "convert", "diff", "run", "devices", "calibrate", "optimize", "risk", *LATER)
_OPTIONS = "lag_calendar, honor, progress, critical, status, from or rules; may be given several times"
_FAULTS = (
    "what the simulated device gets wrong: fail, sticky, memory, no-memory, lost, hang, slow-copies or wrong, "
    "at an operation by its name; may be given several times"
)

_OBJECTIVE = (
    "makespan, tardiness, changeover, cost or stability; several in order (tardiness,makespan) or by weight "
    "(tardiness=5,changeover=1)"
)
_EMPIRICAL = (
    "tasks without a range of their own take as long as a column of a table says: percent or ratios of what is "
    "planned, or lengths (3d, 4h)"
)
_SLICES = "so many slices of the engines in turn, and no exact solver: the same seed gives the same plan"

# An answer is an exit code, the document (None: there is none), and what a person reads instead of it.
Answer = tuple[int, object, str]


def main(argv: Sequence[str]) -> int:
    """Runs one verb and returns the exit code: 0 done, 1 ran and failed, 2 bad input, 130 interrupted."""
    if argv and argv[0] in LATER:
        return _refuse(f"“{argv[0]}” is not there yet in this version of Warploom.")
    arguments = _parser().parse_args(argv)
    verb: Callable[[argparse.Namespace], Answer] = arguments.verb
    try:
        code, document, text = verb(arguments)
    except EngineError as error:
        return _refuse(_placed(error))
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        return INTERRUPTED
    if document is None or not (arguments.json or text):
        return code
    return put(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else text) or code


def _refuse(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return BAD_INPUT


def _placed(error: EngineError) -> str:
    """The sentence of an error, with the file and the place in front where it does not name them itself."""
    if not error.path or error.path in error.sentence:
        return error.sentence
    return f"{error.path}, line {error.line}: {error.sentence}" if error.line else f"{error.path}: {error.sentence}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="warploom", description="Plans on the command line, without a window.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    schedule = verbs.add_parser("schedule", help="print the dates, floats and critical path of a plan")
    schedule.add_argument("file")
    schedule.add_argument("--recorded", action="store_true", help="the dates as the file records them, beside ours")
    schedule.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=_OPTIONS)
    schedule.set_defaults(verb=_schedule)
    convert = verbs.add_parser("convert", help="write a plan in the format that a file's name promises")
    convert.add_argument("source", metavar="IN")
    convert.add_argument("target", metavar="OUT")
    convert.add_argument(
        "--no-replace", action="store_true", help="refuse where OUT is there already; else it is kept as OUT~1"
    )
    convert.set_defaults(verb=_convert)
    diff = verbs.add_parser("diff", help="tasks added, removed and changed from one plan to another")
    diff.add_argument("before", metavar="A")
    diff.add_argument("after", metavar="B")
    diff.set_defaults(verb=_diff)
    run = verbs.add_parser("run", help="run a device plan and print what happened")
    run.add_argument("file")
    run.add_argument("--device", default="auto", help="auto, cuda, cuda:1 (the second GPU), cpu or simulated")
    run.add_argument("--profile", help="name of a device profile, or a file that holds one")
    run.add_argument("--repeat", type=_at_least(1), default=1, help="how often the whole plan runs")
    run.add_argument("--streams", type=_at_least(1), default=0, help="lay the plan's streams onto this many")
    run.add_argument(
        "--trust", action="store_true", help="let the code of kits beside the plan run: kernels of your own"
    )
    run.add_argument("--seed", type=_at_least(0), default=0, help="where the random numbers of a run begin")
    run.add_argument("--fault", action="append", default=[], metavar="KIND[@OPERATION]", help=_FAULTS)
    run.add_argument("--pace", type=_pace, default=0.0, help="of the simulated device: its seconds in a second, as 1")
    run.set_defaults(verb=_run)
    devices = verbs.add_parser("devices", help="list the devices of this machine")
    devices.set_defaults(verb=lambda _: _devices())
    calibrate = verbs.add_parser("calibrate", help="measure a device, and write its profile")
    calibrate.add_argument("--device", required=True, metavar="DEVICE", help="cpu or cuda, of several GPUs cuda:N")
    calibrate.add_argument("--output", metavar="FILE", help="where the profile goes, instead of your own profiles")
    calibrate.set_defaults(verb=_calibrate)
    optimize = verbs.add_parser("optimize", help="look for a better plan, with finite capacity, and print it")
    _add_optimize(optimize)
    risk = verbs.add_parser("risk", help="tell how sure the dates of a plan are, by simulation")
    _add_risk(risk)
    for each in (schedule, convert, diff, run, devices, calibrate, optimize, risk):
        each.add_argument("--json", action="store_true", help="print one JSON document on stdout")
    return parser


def _add_risk(risk: argparse.ArgumentParser) -> None:
    risk.add_argument("file")
    risk.add_argument("--samples", type=_at_least(1), default=10_000, metavar="N", help="how often it is simulated")
    risk.add_argument("--seed", type=_at_least(0), default=0, help="where the random numbers begin")
    risk.add_argument("--device", default="auto", help="auto, cpu or cuda, which draws the same samples")
    risk.add_argument("--empirical", metavar="FILE:COLUMN", help=_EMPIRICAL)
    risk.add_argument("--experience", metavar="PLAN", help="tasks take as long as finished ones of PLAN, by family")
    risk.set_defaults(verb=_risk)


def _add_optimize(optimize: argparse.ArgumentParser) -> None:
    optimize.add_argument("file")
    optimize.add_argument(
        "--seconds",
        type=_seconds,
        default=10.0,
        help="how long to look; the plan is given earlier when it is proved best",
    )
    optimize.add_argument("--objective", default="makespan", help=_OBJECTIVE)
    optimize.add_argument("--device", default="auto", help="auto, cpu or cuda, which searches beside the processor")
    optimize.add_argument("--seed", type=_at_least(0), default=0, help="where the random numbers of the search begin")
    optimize.add_argument(
        "--cores", type=_at_least(1), default=0, help="how many cores may work; all of them without it"
    )
    optimize.add_argument("--slices", type=_at_least(0), default=0, metavar="N", help=_SLICES)
    optimize.add_argument("--output", metavar="OUT", help="write the plan that was found, as convert does")
    optimize.set_defaults(verb=_optimize)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 1e6:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number of seconds from above 0 to 1000000")
    return seconds


def _pace(text: str) -> float:
    try:
        pace = float(text)
    except ValueError:
        pace = -1.0
    if not 0 <= pace <= 1e6:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 0 (as fast as can be) to 1000000")
    return pace


_MOST_NUMBER = (1 << 31) - 1


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= _MOST_NUMBER:
            raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from {least} to {_MOST_NUMBER:,}")
        return int(text)

    return number


def _schedule(arguments: argparse.Namespace) -> Answer:
    from engine.headless.schedule import answer

    return answer(arguments.file, arguments.option, is_recorded=arguments.recorded)


def _convert(arguments: argparse.Namespace) -> Answer:
    from engine.headless.convert import answer

    return answer(arguments.source, arguments.target, may_replace=not arguments.no_replace)


def _diff(arguments: argparse.Namespace) -> Answer:
    from engine.headless.diff import answer

    return answer(arguments.before, arguments.after)


def _run(arguments: argparse.Namespace) -> Answer:
    from engine.headless.run import answer

    return answer(arguments)


def _calibrate(arguments: argparse.Namespace) -> Answer:
    from engine.headless.calibrate import answer

    return answer(arguments)


def _optimize(arguments: argparse.Namespace) -> Answer:
    from engine.headless.optimize import answer

    return answer(arguments)


def _devices() -> Answer:
    from engine.headless.devices import answer

    return answer()


def _risk(arguments: argparse.Namespace) -> Answer:
    from engine.headless.risk import answer

    return answer(arguments)
