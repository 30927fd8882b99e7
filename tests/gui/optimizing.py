"""What the optimizer's tests share: a window on the assembly line, with a search in this process. Never a real one."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib import resources
from pathlib import Path

from PySide6.QtWidgets import QApplication

from engine.optimize.warming import warm
from engine.process.solver import Solver
from engine.process.solver_client import SolverClient
from gui.main_window import MainWindow
from tests.gui.shell import Heard, action, show, shown, until

SLICES = 12


async def in_process() -> Solver:
    return Solver(prover=None)


@cache
def warmed() -> None:
    """What searches is compiled once: a wait for a search is not one for that."""
    warm()


@asynccontextmanager
async def assembly_line(app: QApplication, folder: Path) -> AsyncIterator[tuple[MainWindow, Heard]]:
    """The sample in a window; a search is a few slices, the same each time."""
    with resources.as_file(resources.files("resources.samples") / "assembly-line.loom") as path:
        shutil.copy(path, folder / "line.loom")
    warmed()
    async with shown(app) as (window, heard):
        optimizing = window.bridge.optimizing
        optimizing.client, optimizing.slices = SolverClient(in_process), SLICES
        await show(window, str(folder / "line.loom"))
        yield window, heard


async def searched(window: MainWindow) -> None:
    """Ask for a better plan, and wait until the search is over and its best plan on offer."""
    action(window, "optimize").trigger()
    await over(window)


async def over(window: MainWindow) -> None:
    """Wait until the search is over, and what it found last is on offer."""
    optimizing = window.bridge.optimizing
    await until(lambda: not optimizing.is_on and optimizing.offer is not None and is_latest(window))


def is_latest(window: MainWindow) -> bool:
    optimizing = window.bridge.optimizing
    job, offer = optimizing.job, optimizing.offer
    return job is not None and offer is not None and offer.decisions == job.decisions()
