"""The process that searches: what it finds, when it ends, and that nothing of it stays."""

import asyncio
import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import DeviceError, SolverError
from engine.gpu import has_driver
from engine.headless.reading import read_plan
from engine.model import Calendar, Clock, Plan, Shift
from engine.optimize.aim import Aim
from engine.optimize.batch.engines import WALKS
from engine.optimize.from_plan import problem_of
from engine.optimize.portfolio import Member, Portfolio
from engine.optimize.problem import Objective, Solution
from engine.process.engines import STEPS_BACK, Engines, warming
from engine.process.questions import Places, TryPlaces, TryPlans
from engine.process.solve_messages import Bounded, Cancel, Ending, Found, SolveEnded, SolveReply, SolveRequest, Working
from engine.process.solver import Solver
from engine.process.solver_client import SolverClient, SolverProcess
from engine.schedule.cpm import schedule
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.shim_launcher import ShimLauncher

MAKESPAN = Aim.lexicographic(Objective.MAKESPAN)
# Of later levels nothing is proved: a search goes on until it is canceled.
TARDINESS = Aim.lexicographic(Objective.MAKESPAN, Objective.STABILITY, Objective.TARDINESS)
FT06 = """6 6
2 1 0 3 1 6 3 7 5 3 4 6
1 8 2 5 4 10 5 10 0 10 3 4
2 5 3 4 5 8 0 9 1 1 4 7
1 5 0 5 2 5 3 3 4 8 5 9
2 9 1 3 4 5 5 4 0 3 3 1
1 3 3 3 5 9 0 10 4 4 2 1
"""


def small_shop(folder: Path) -> Plan:
    path = folder / "ft06.txt"
    path.write_text(FT06, encoding="ascii")
    return read_plan(path)


async def in_process() -> Solver:
    return Solver(prover=None)


async def searched(plan: Plan, client: SolverClient, **options: object) -> tuple[list[SolveReply], SolveEnded]:
    heard: list[SolveReply] = []
    ended = await client.solve(SolveRequest(1, plan, MAKESPAN, **options), heard.append)  # type: ignore[arg-type]
    await client.close()
    return heard, ended


async def test_that_the_plan_as_it_is_comes_first_and_each_after_it_is_better(tmp_path: Path) -> None:
    heard, ended = await searched(small_shop(tmp_path), SolverClient(in_process), slices=30, seed=1)
    found = [each for each in heard if isinstance(each, Found)]
    assert found[0].engine == "current plan"
    worth = [MAKESPAN.key(each.evaluation.objectives) for each in found]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1][0] == 0
    assert all(each.bound <= worth[-1][1] for each in heard if isinstance(each, Bounded))
    assert ended.ending in (Ending.DONE, Ending.OPTIMAL)


async def test_that_the_same_seed_and_slices_find_the_same_plan(tmp_path: Path) -> None:
    plan = small_shop(tmp_path)
    one, other = [await searched(plan, SolverClient(in_process), slices=12, seed=5) for _ in range(2)]
    assert told(one[0]) == told(other[0])
    assert one[1] == other[1]


def told(heard: list[SolveReply]) -> list[tuple[object, ...]]:
    found = [each for each in heard if isinstance(each, Found)]
    return [(each.engine, each.evaluation.starts.tolist(), each.schedules) for each in found]


async def test_that_a_real_process_proves_the_best_plan_and_leaves_nothing(tmp_path: Path) -> None:
    started: list[SolverProcess] = []

    async def start() -> SolverProcess:
        started.append(await SolverProcess.start())
        return started[0]

    heard, ended = await searched(small_shop(tmp_path), SolverClient(start), seconds=300.0, cores=2)
    assert ended.ending is Ending.OPTIMAL
    best = [each for each in heard if isinstance(each, Found)][-1]
    assert best.evaluation.objectives[Objective.MAKESPAN] == 55 * 60
    assert not Path(f"/proc/{started[0].pid}").exists()
    assert {each.engine for each in ended.shares} >= {"exact solver"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows a priority of one thread")
async def test_that_engines_give_way_to_what_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    collect = Portfolio.collect

    def collected(self: Portfolio, member: Member) -> bool:
        names = {each.native_id: each.name for each in threading.enumerate()}
        found.extend(os.getpriority(os.PRIO_PROCESS, key) for key, name in names.items() if key and "engine" in name)
        return collect(self, member)

    monkeypatch.setattr(Portfolio, "collect", collected)
    await searched(small_shop(tmp_path), SolverClient(in_process), seconds=0.3, cores=2)
    assert set(found) == {min(19, os.getpriority(os.PRIO_PROCESS, 0) + STEPS_BACK)}


async def test_that_a_new_question_ends_the_one_before(tmp_path: Path) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    first = asyncio.create_task(client.solve(SolveRequest(1, plan, MAKESPAN, cores=1), lambda _: None))
    await asyncio.sleep(0)
    second = await client.solve(SolveRequest(2, plan, MAKESPAN, slices=1), lambda _: None)
    assert (await first).ending in (Ending.CANCELED, Ending.OPTIMAL)
    assert second.solve == 2
    await client.close()


async def test_that_of_questions_that_wait_only_the_newest_is_ever_asked(tmp_path: Path) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    heard: list[SolveReply] = []
    asked = [
        asyncio.create_task(client.solve(SolveRequest(number, plan, MAKESPAN, cores=1), heard.append))
        for number in (1, 2, 3)
    ]
    await asyncio.sleep(0)
    last = await client.solve(SolveRequest(4, plan, MAKESPAN, slices=1), lambda _: None)
    assert last.ending in (Ending.DONE, Ending.OPTIMAL)
    assert {(await each).ending for each in asked} <= {Ending.CANCELED, Ending.OPTIMAL}
    assert not {2, 3} & {reply.solve for reply in heard}
    await client.close()


async def test_that_a_search_that_was_canceled_before_its_turn_never_begins(tmp_path: Path) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    waiting = asyncio.create_task(client.solve(SolveRequest(1, plan, MAKESPAN, cores=1), lambda _: None))
    client.cancel()
    await asyncio.sleep(0)
    client.cancel()
    assert (await asyncio.wait_for(waiting, 30)).ending in (Ending.CANCELED, Ending.OPTIMAL)
    await client.close()


class Endless:
    """An engine whose slices end only when a test says so."""

    solution, is_done = None, False

    def __init__(self) -> None:
        self.is_at_work, self.may_end = threading.Event(), threading.Event()

    def adopt(self, solution: Solution) -> None:
        """Nothing."""

    def stop(self) -> None:
        """It does not heed this."""

    def advance(self, iterations: int) -> int:
        self.is_at_work.set()
        self.may_end.wait()
        return iterations


async def test_that_a_slice_that_never_ends_holds_up_neither_its_cancel_nor_the_next_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, plan, endless = SolverClient(in_process), small_shop(tmp_path), Endless()
    await searched(plan, SolverClient(in_process), slices=1)  # what warms engines up is made of real ones
    with monkeypatch.context() as patched:
        patched.setattr(Portfolio, "_walks", lambda *_: Member("endless", endless))
        sticking = asyncio.create_task(client.solve(SolveRequest(1, plan, MAKESPAN, cores=1), lambda _: None))
        assert await asyncio.to_thread(endless.is_at_work.wait, 600)
    client.cancel()
    assert (await asyncio.wait_for(sticking, 30)).ending is Ending.CANCELED
    found: list[SolveReply] = []
    ended = await asyncio.wait_for(client.solve(SolveRequest(2, plan, MAKESPAN, slices=2), found.append), 600)
    assert ended.ending in (Ending.DONE, Ending.OPTIMAL)
    assert any(isinstance(each, Found) for each in found)
    endless.may_end.set()
    await client.close()


@pytest.mark.parametrize("step", ["engine.process.cases.problem_of", "engine.process.engines.warm"])
async def test_that_a_search_that_is_canceled_while_it_gets_ready_ends_before_that_does(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_at_work, may_end = threading.Event(), threading.Event()

    def compiling(*_: object) -> None:
        is_at_work.set()
        may_end.wait()
        raise SolverError("Nobody hears of what was left behind.")

    warming.cache_clear()
    monkeypatch.setattr(step, compiling)
    solver = Solver(prover=None)
    solver.send(SolveRequest(1, small_shop(tmp_path), MAKESPAN, device="auto"))
    assert await asyncio.to_thread(is_at_work.wait, 600)
    solver.send(Cancel())
    while not isinstance(ended := await asyncio.wait_for(solver.receive(), 60), SolveEnded):
        assert isinstance(ended, Found)
    assert ended.ending is Ending.CANCELED
    may_end.set()
    await solver.close()
    warming.cache_clear()


async def test_that_no_device_is_opened_for_a_search_that_was_canceled_while_it_got_ready(tmp_path: Path) -> None:
    opened: list[str] = []
    case = problem_of(plan := small_shop(tmp_path), schedule(plan))
    engines = Engines(SolveRequest(1, plan, MAKESPAN, device="auto"), opened.append)
    assert not engines.may_have_device
    engines.cancel()
    engines.make_ready(Portfolio(case.problem, MAKESPAN))
    assert not opened
    assert not engines.may_have_device


class Finite:
    """An engine that has nothing left to try after so many slices."""

    solution = None

    def __init__(self, slices: int) -> None:
        self._left = slices

    @property
    def is_done(self) -> bool:
        return self._left <= 0

    def adopt(self, solution: Solution) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""

    def advance(self, iterations: int) -> int:
        self._left -= 1
        return iterations


async def test_that_a_search_ends_whose_engines_are_done_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, slices = small_shop(tmp_path), [4, 1]
    await searched(plan, SolverClient(in_process), slices=1)
    monkeypatch.setattr(Portfolio, "_walks", lambda *_: Member("finite", Finite(slices.pop())))
    client = SolverClient(in_process)
    ended = await asyncio.wait_for(client.solve(SolveRequest(1, plan, TARDINESS, cores=2), lambda _: None), 600)
    assert ended.ending is Ending.DONE
    await client.close()


async def test_that_a_question_is_answered_beside_a_search(tmp_path: Path) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    searching = asyncio.create_task(client.solve(SolveRequest(1, plan, MAKESPAN, cores=1), lambda _: None))
    task = next(task.id for task in plan.tasks if task.id not in plan.children)
    tried = await client.ask(TryPlans((plan, replace(plan, assignments=())), MAKESPAN, task))
    assert all(each.objectives[Objective.VIOLATIONS] == 0 for each in tried)
    assert tried[1].objectives[Objective.MAKESPAN] < tried[0].objectives[Objective.MAKESPAN]
    client.cancel()
    assert (await searching).ending in (Ending.CANCELED, Ending.OPTIMAL)
    await client.close()


async def test_that_of_questions_that_wait_only_the_newest_is_answered(tmp_path: Path) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    task = plan.tasks[-1].id
    asked = [asyncio.create_task(client.ask(TryPlans((plan,), MAKESPAN, task))) for _ in range(4)]
    answers = [await each for each in asked]
    assert [answer is None for answer in answers] == [False, True, True, False]
    await client.close()


async def test_that_dropping_a_task_where_it_is_changes_nothing_and_later_makes_the_plan_no_shorter(
    tmp_path: Path,
) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    dates = schedule(plan)
    task = max((task.id for task in plan.tasks if task.id not in plan.children), key=dates.finish_of)
    start = dates.start_of(task)
    places = await client.ask(TryPlaces(plan, task, (plan.start, start, start + 90 * 60)))
    assert isinstance(places, Places)
    assert places.resources == tuple(use.resource for use in plan.assignments if use.task == task)
    assert places.values.shape == (1, 3, len(Objective))
    assert places.values[0, 1].tolist() == places.now.tolist()
    assert places.values[0, 2, Objective.MAKESPAN] > places.now[Objective.MAKESPAN]
    assert not places.broken().any()
    await client.close()


async def test_that_a_question_about_a_plan_that_cannot_be_optimized_says_why(tmp_path: Path) -> None:
    client, plan = SolverClient(in_process), small_shop(tmp_path)
    backward = replace(plan, settings=replace(plan.settings, is_from_finish=True))
    with pytest.raises(SolverError, match="scheduled from its finish"):
        await client.ask(TryPlaces(backward, plan.tasks[-1].id, (0,)))
    await client.close()


async def test_that_a_plan_without_tasks_is_answered_with_a_sentence() -> None:
    plan = Plan("Nothing", Clock.CALENDAR, calendar=Calendar(1, "Always", ((Shift(0, 86_400),),) * 7))
    _, ended = await searched(plan, SolverClient(in_process), slices=1)
    assert ended.ending is Ending.FAILED
    assert "no tasks" in ended.sentence


async def test_that_a_process_that_was_killed_costs_one_search_alone(tmp_path: Path) -> None:
    started: list[SolverProcess] = []

    async def start() -> SolverProcess:
        started.append(await SolverProcess.start())
        return started[-1]

    client, plan = SolverClient(start), small_shop(tmp_path)

    def kill(reply: SolveReply) -> None:
        os.kill(started[0].pid, signal.SIGKILL)

    ended = await client.solve(SolveRequest(1, plan, MAKESPAN, seconds=60.0), kill)
    assert ended.ending is Ending.FAILED
    assert "has ended" in ended.sentence
    again = await client.solve(SolveRequest(2, plan, MAKESPAN, slices=1), lambda _: None)
    assert again.ending in (Ending.DONE, Ending.OPTIMAL)
    await client.close()


async def test_that_a_cancel_ends_the_search_and_not_the_process(tmp_path: Path) -> None:
    started: list[SolverProcess] = []

    async def start() -> SolverProcess:
        started.append(await SolverProcess.start())
        return started[-1]

    client, plan = SolverClient(start), small_shop(tmp_path)
    await client.solve(SolveRequest(1, plan, TARDINESS, slices=1), lambda _: None)
    for number in (2, 3):
        ended = await client.solve(SolveRequest(number, plan, TARDINESS, cores=1), lambda _: client.cancel())
        assert ended.ending is Ending.CANCELED
    assert len(started) == 1
    await client.close()


async def on_device(launcher: object, plan: Plan, **options: object) -> tuple[list[SolveReply], SolveEnded]:
    """A search that is given this launcher for every device."""

    async def start() -> Solver:
        return Solver(None, lambda _device: launcher)  # type: ignore[arg-type, return-value]

    return await searched(plan, SolverClient(start), **options)


async def test_that_a_device_searches_beside_the_processor_and_its_failure_is_told(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if COMPILER is None:
        pytest.skip(NO_COMPILER)
    launcher = ShimLauncher(Shim(build(tmp_path_factory.mktemp("batches"))))
    plan = small_shop(tmp_path)
    _, ended = await on_device(launcher, plan, slices=8, device="cuda")
    assert {share.engine: share.slices for share in ended.shares}[WALKS] == 4
    assert ended.sentence == ""
    assert launcher.grids

    def fail(*_told: object) -> None:
        raise DeviceError("The GPU failed in a search: it is gone.")

    launcher.launch = fail  # type: ignore[method-assign]
    heard, ended = await on_device(launcher, plan, slices=8, device="cuda")
    assert ended.sentence == "The GPU failed in a search: it is gone."
    assert ended.ending in (Ending.DONE, Ending.OPTIMAL)
    assert any(isinstance(each, Found) for each in heard)


@pytest.mark.skipif(has_driver(), reason="there is a GPU here")
async def test_that_a_device_that_is_not_there_is_refused(tmp_path: Path) -> None:
    _, ended = await searched(small_shop(tmp_path), SolverClient(in_process), slices=1, device="cuda")
    assert ended.ending is Ending.FAILED
    assert ended.sentence == "There is no NVIDIA driver on this machine; use --device cpu."


async def test_that_a_device_that_nobody_named_ends_no_search(tmp_path: Path) -> None:
    plan, broken = small_shop(tmp_path), object()
    heard, ended = await on_device(broken, plan, seconds=0.2, device="auto")
    assert ended.ending in (Ending.TIME, Ending.OPTIMAL, Ending.DONE)
    assert any(isinstance(each, Found) for each in heard)
    _, ended = await on_device(broken, plan, seconds=0.2, device="cuda")
    assert ended.ending is Ending.FAILED
    assert "AttributeError" in ended.sentence


async def test_that_it_is_told_when_engines_worked(tmp_path: Path) -> None:
    heard: list[SolveReply] = []
    client = SolverClient(in_process)
    await client.solve(SolveRequest(1, small_shop(tmp_path), TARDINESS, seconds=0.8), heard.append)
    await client.close()
    slices = [each for reply in heard if isinstance(reply, Working) for each in reply.slices]
    assert {each.engine for each in slices} <= {"tabu search", "activity lists"}
    assert slices
    assert all(each.start_ns < each.end_ns for each in slices)
    starts = [each.start_ns for each in slices]
    assert len(set(starts)) == len(starts)  # each is told once
