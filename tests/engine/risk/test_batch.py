"""The CUDA source of a simulation, compiled as C++ and run here, gives the very samples of the compiled blocks."""

from __future__ import annotations

import pytest

from engine.risk.batch import DeviceSimulation
from engine.risk.program import RiskProgram, compile_risk
from engine.risk.simulate import Simulation
from engine.schedule.cpm import schedule
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.engine.model.strategies import pipeline
from tests.engine.risk.plans import certain, drawn
from tests.shim_launcher import ShimLauncher

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)


@pytest.fixture(scope="module")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> ShimLauncher:
    return ShimLauncher(Shim(build(tmp_path_factory.mktemp("risk"))))


def compare(program: RiskProgram, launcher: ShimLauncher) -> None:
    here, there = Simulation(program), DeviceSimulation(program, launcher)
    here.advance(128)
    there.advance(100)
    there.advance(28)
    found = here.samples()
    assert there.finishes.tolist() == found.finishes.tolist()
    assert there.on_path.tolist() == found.on_path.tolist()


@pytest.mark.parametrize("seed", range(40))
def test_that_the_cuda_source_gives_the_samples_of_the_blocks(launcher: ShimLauncher, seed: int) -> None:
    plan = drawn(seed)
    compare(compile_risk(plan, schedule(plan), seed), launcher)


def test_that_plans_with_nothing_open_are_their_schedules_there(launcher: ShimLauncher) -> None:
    for plan in (pipeline(), certain(drawn(2))):
        dates = schedule(plan)
        simulation = DeviceSimulation(compile_risk(plan, dates), launcher, wants_paths=False)
        simulation.advance(2)
        assert simulation.finishes[0].tolist() == [dates.project_finish] * 2
