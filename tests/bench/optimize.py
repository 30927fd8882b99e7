"""The optimizer on published instances, beside CP-SAT with the same cores and seconds of processor time.

`python -m tests.bench optimize` takes a selection. `--set la mk ft10 --seconds 10` solves sets, or instances, for so
long each, `--set all` every one there is; `--alone` leaves CP-SAT out. Seeds and settings are the same for every
instance. Seconds are those of a processor core, so that what else runs costs nobody anything; every plan is checked
apart from the engine. `--keep FILE` writes each result into a file as it comes; `--resume` takes those that are in it
from there, so that what was stopped goes on.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.optimize.aim import Aim
from engine.optimize.bounds import bounds_of
from engine.optimize.evaluate import evaluate
from engine.optimize.jobshop.shop import is_shop
from engine.optimize.pool import Engine
from engine.optimize.problem import Evaluation, Objective, Problem, Solution
from engine.optimize.rules import first_solutions
from tests.bench._instances import Known, check, known, problem_of
from tests.bench._results import Result, Results

CORES = 2
SEED = 1
SHOP_SLICE, LIST_SLICE = 2_000, 50  # iterations of a search: 10 to 50 ms
AIM = Aim.lexicographic(Objective.MAKESPAN)
SHOPS = ("ft10", "la02", "la16", "la19", "la21", "la24", "la25", "la27", "la29", "la38", "la40")
PROJECTS = {"j30": 60, "j120": 20}  # the first so many of a set
CHOSEN: tuple[tuple[float, tuple[str, ...]], ...] = (
    (1, ("j30",)),
    (5, ("j120",)),
    (10, (*SHOPS, *(f"mk{number:02}" for number in range(1, 11)))),
    (60, ("ta21", "ta41", "ta71")),
)


@dataclass(slots=True)
class Found:
    """The best plan of one solver, and how many seconds a core took to find it."""

    best: Evaluation | None = None
    seconds: float = 0.0


Solve = Callable[[Problem, float], Found]


def main(options: Sequence[str] = ()) -> None:
    """Prints a line an instance and means a group; nothing where the instances are missing."""
    asked = _asked(options)
    if not known():
        print("  the folder of instances is not beside the repository")
        return
    warm_up()
    solvers: dict[str, Solve] = {"ours": solve} if asked.alone else {"ours": solve, "CP-SAT": prove}
    with Results(asked.keep, goes_on=asked.resume) as results:
        for seconds, names in groups(asked):
            print(f"  {seconds:g} s on each of {CORES} cores; gap to the best known, when found; {', '.join(solvers)}")
            spans = {name: line(known()[name], seconds, solvers, results) for name in names if name in known()}
            for place, solver in enumerate(solvers):
                summarize(solver, {name: each[place] for name, each in spans.items()})


def _asked(options: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.bench optimize")
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME", help="sets or instances; all: every one")
    parser.add_argument("--seconds", nargs="+", type=float, default=[10.0], help="of a core, for each instance")
    parser.add_argument("--alone", action="store_true", help="without CP-SAT")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write each result into FILE as it comes")
    parser.add_argument("--resume", action="store_true", help="take results that FILE has from there")
    return parser.parse_args(options)


def summarize(solver: str, spans: dict[str, int | None]) -> None:
    """Prints means of a group: over the best known, and over the critical path where that is listed."""
    there = [(known()[name], span) for name, span in spans.items() if span is not None]
    if not there:
        return
    gaps = [percent(span, instance.upper) for instance, span in there]
    over = [percent(span, instance.path) for instance, span in there if instance.path]
    optimal = sum(span <= instance.lower for instance, span in there)
    path = f"   over the critical path {sum(over) / len(over):6.2f} %" if over else ""
    means = f"mean {sum(gaps) / len(gaps):6.2f} %   worst {max(gaps):6.2f} %   optimal {optimal} of {len(spans)}"
    print(f"  {solver:<8} {means}, checked{path}", flush=True)


def percent(span: int, base: int) -> float:
    """How much more than the base."""
    return 100 * (span - base) / base


def groups(asked: argparse.Namespace) -> Sequence[tuple[float, tuple[str, ...]]]:
    """What to solve and for how long."""
    if asked.set:
        chosen = tuple(dict.fromkeys(each for name in asked.set for each in every(name)))
        return [(seconds, chosen) for seconds in asked.seconds]
    return [(seconds, tuple(each for name in names for each in members(name))) for seconds, names in CHOSEN]


def every(name: str) -> Sequence[str]:
    """All instances of a set (a folder, or what names begin with before their number), or the one of this name."""
    return [
        each.name
        for each in known().values()
        if name in ("all", each.name, each.file.parent.name, each.name.rstrip("0123456789"))
    ]


def members(name: str) -> Sequence[str]:
    """The first instances of a set of projects, or the one of this name."""
    return every(name)[: PROJECTS.get(name)]


def warm_up() -> None:
    """Loads compiled code, or compiles it, before anything is timed."""
    for instance in [known()["ft06"], *(known()[name] for name in members("j30")[:1])]:
        problem = problem_of(instance)
        search, step = search_for(problem, SEED)
        search.advance(step)
        evaluate(problem, search.solution)


def line(instance: Known, seconds: float, solvers: dict[str, Solve], results: Results) -> list[int | None]:
    """Solves an instance with each solver, prints what they found, and gives their makespans."""
    problem, found = problem_of(instance), list[Result]()
    for name, solver in solvers.items():
        key = (instance.name, seconds, name)
        if (result := results.get(key)) is None:
            best = solver(problem, seconds)
            result = Result(span_of(problem, instance, best), best.seconds)
            results.put(key, result)
        found.append(result)
    said = [
        "n/a" if span is None else f"{span} {percent(span, instance.upper):6.2f} % {spent:5.1f} s"
        for span, spent in found
    ]
    print(f"  {instance.name:<10} {instance.upper:>6} " + " ".join(f"{each:>26}" for each in said), flush=True)
    return [result.span for result in found]


def span_of(problem: Problem, instance: Known, found: Found) -> int | None:
    """The makespan of a plan that the check here agrees with."""
    if found.best is None:
        return None
    makespan = check(problem, found.best.solution.mode.tolist(), found.best.starts.tolist())
    assert makespan == found.best.objectives[Objective.MAKESPAN]
    assert makespan >= instance.lower, f"{instance.name} is said to need {instance.lower}"
    return makespan


def search_for(problem: Problem, seed: int) -> tuple[Engine, int]:
    """The search that suits a problem, stopped by its bound if it can be, and the iterations of a slice."""
    from engine.optimize.activity import ActivitySearch
    from engine.optimize.jobshop.search import JobShopSearch

    starts = first_solutions(problem)
    if not is_shop(problem):
        return ActivitySearch(problem, AIM, seed, starts), LIST_SLICE
    search = JobShopSearch(problem, AIM, seed, starts)
    search.stop_at(int(bounds_of(problem)[Objective.MAKESPAN]))
    return search, SHOP_SLICE


def solve(problem: Problem, seconds: float) -> Found:
    """A search on each core, with seeds that follow one another, until its core has worked so long."""
    results = [Found() for _ in range(CORES)]

    def work(place: int) -> None:
        begun, handed_over = time.thread_time(), None
        search, step = search_for(problem, SEED + place)
        while time.thread_time() - begun < seconds and not search.is_done:
            search.advance(step)
            if search.solution is not None and search.solution is not handed_over:
                handed_over = search.solution
                results[place] = Found(evaluate(problem, handed_over), time.thread_time() - begun)

    threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(CORES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return min(results, key=lambda found: (AIM.key(found.best.objectives) if found.best else (1 << 62,), found.seconds))


def prove(problem: Problem, seconds: float) -> Found:
    """CP-SAT on the whole model, stopped when this process has worked so long a core."""
    from engine.optimize.cpsat.prove import Prover

    prover, found = Prover(problem, AIM, CORES, SEED), Found()
    begun = time.process_time()

    def offer(solution: Solution) -> None:
        evaluation = evaluate(problem, solution)
        if found.best is None or AIM.is_better(evaluation.objectives, found.best.objectives):
            found.best, found.seconds = evaluation, (time.process_time() - begun) / CORES

    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(0.05):
            if time.process_time() - begun > seconds * CORES:
                prover.stop()
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    prover.prove(None, seconds * 1000, offer, lambda _bound: None)
    is_over.set()
    watcher.join()
    return found
