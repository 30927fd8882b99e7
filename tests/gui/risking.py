"""What the tests of risk in the window share: plans with ranges, and simulations in this process. Never a real one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache

from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Plan, Spread, SpreadKind, TaskRisk
from engine.process.risk_client import RiskClient
from engine.process.sampler import Sampler
from engine.risk.warming import warm
from gui.bridge.risking import Risk
from gui.main_window import MainWindow
from tests.gui.shell import Heard, show, shown, three_days, until

SAMPLES = 2_000


def spread_house() -> Plan:
    """The house, of which each task takes 80 to 160 percent."""
    plan = three_days()
    risk = TaskRisk(Spread(SpreadKind.PERT, 80, 100, 160))
    return plan.with_tasks(replace(task, risk=risk) for task in plan.tasks)


@cache
def warmed() -> None:
    """What simulates is compiled once: a wait for answers is not one for that."""
    warm()


@asynccontextmanager
async def risky(app: QApplication, folder: object, plan: Plan) -> AsyncIterator[tuple[MainWindow, Heard]]:
    """A plan in a window, with simulations of few samples in this process."""
    path = f"{folder}/risky.loom"
    loom.save(path, plan)
    warmed()
    async with shown(app) as (window, heard):
        use_this_process(window)
        await show(window, path)
        yield window, heard


def use_this_process(window: MainWindow) -> None:
    """Simulate here, with few samples."""
    window.bridge.risking.client, window.bridge.risking.samples = RiskClient(Sampler.start), SAMPLES


async def known(window: MainWindow, *, is_trial: bool = False) -> Risk:
    """Wait until all is known of the plan as it is now, or of what a drag would lead to."""
    risking = window.bridge.risking

    def is_known() -> bool:
        risk = risking.risk
        if risk is None or not risk.is_over or risk.is_trial is not is_trial:
            return False
        return is_trial or risk.state.plan is window.bridge.state.plan

    await until(is_known)
    window.bridge.refreshing.settle()
    assert risking.risk is not None
    return risking.risk
