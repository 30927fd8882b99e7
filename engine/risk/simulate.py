"""A simulation: a program run in blocks, coarse at once and refined for as long as one likes. It never reads a clock.

Sample s is the same whatever comes before it, so a refined result holds the coarse one. Imported late, since the
blocks load numba.
"""

from __future__ import annotations

import numpy as np

from engine.errors import DeviceError, PlanError
from engine.program.launcher import Launcher
from engine.risk.batch import DeviceSimulation
from engine.risk.blocks import run_blocks
from engine.risk.codes import NOBODY, Scratch
from engine.risk.general import General
from engine.risk.outcomes import longest_chain, put_lags, put_rows
from engine.risk.program import FIXED, GENERAL, WAY, RiskProgram
from engine.risk.samples import Samples
from engine.risk.sampling import dice_of
from engine.schedule.columns import FINISH_AT, LEAF, NONE, START_AT
from engine.schedule.compiled_passes import net_of
from engine.schedule.passes import BEGINS, ENDS
from engine.schedule.working_time import WorkingTime

BLOCK = 64
# Finishes of every row and durations are kept of the first samples alone, as many as fit into so many bytes.
_KEPT_SAMPLES, _KEPT_BYTES = 2048, 96 << 20
_MOST_BYTES = 2 << 30
_SHORT, _MARGIN = 1 << 29, 1.5


class Simulation:
    """The state of one simulation. `wants_paths`: also which tasks decide the end, and when each is done.

    With a `launcher` a device draws what comes after the samples of which more is kept, the very same ones. `setback`
    is what it said when it failed, empty until then; the processor has gone on.
    """

    def __init__(self, program: RiskProgram, *, wants_paths: bool = True, launcher: Launcher | None = None) -> None:
        self.setback = ""
        self._launcher = launcher
        self._device: DeviceSimulation | None = None
        self.program = program
        self.count = 0
        self._wants_paths = wants_paths
        rows = len(program.plan.tasks)
        varying = int(program.uncertain.slot.max(initial=-1)) + 1
        fits = _KEPT_BYTES // (8 * max(1, rows + varying)) // BLOCK * BLOCK
        self._kept = max(BLOCK, min(_KEPT_SAMPLES, fits)) if wants_paths else 0
        self._general, self._scratch = _general(program), _scratch(program, varying, wants_paths)
        self._finishes = np.empty((len(program.items) + 1, 0), dtype=np.int64)
        self._counts = np.zeros(len(program.network.table), dtype=np.int64)
        whole = self._scratch.finish.dtype
        self._rows = np.zeros((rows, self._kept), dtype=whole)
        self._durations = np.empty((varying, self._kept), dtype=whole)
        self._lags = np.empty((len(program.lags), self._kept), dtype=np.int64)
        self._lag_rows = np.array([row for row, _ in program.lags], dtype=np.int64)
        self._happens = np.empty((len(program.draws.chances), self._kept), dtype=np.uint8)
        self._factors = np.empty((len(program.draws.factors), self._kept), dtype=np.float32)

    @property
    def is_short(self) -> bool:
        """Whether dates are counted in 32 bits."""
        return bool(self._scratch.start.dtype == np.int32)

    def advance(self, samples: int) -> None:
        """Draws more samples, rounded up to whole blocks. Raises PlanError as `reserve` does."""
        self.reserve(self.count + samples)
        blocks = -(-samples // BLOCK)
        for _ in range(min(blocks, max(0, self._kept - self.count) // BLOCK)):
            self._blocks(1)
            self._keep()
            blocks -= 1
        if blocks and not self._are_drawn_there(blocks * BLOCK):
            self._blocks(blocks)

    def samples(self, count: int | None = None) -> Samples:
        """The first so many samples, all by default; paths are always counted over all."""
        count = self.count if count is None else min(count, self.count)
        kept, plan = min(count, self._kept), self.program.plan
        parts = (self._rows, self._durations, self._lags, self._happens, self._factors)
        return Samples(
            self.program,
            count,
            self._finishes[:, :count].copy(),
            self._counts[: len(plan.tasks)].copy(),
            self.count,
            *(part[:, :kept].copy() for part in parts),  # type: ignore[arg-type]  # their types are those above
        )

    def reserve(self, count: int) -> None:
        """Makes room for so many samples in all. Raises PlanError where they would not fit into memory."""
        items, room = self._finishes.shape
        wanted = -(-count // BLOCK) * BLOCK
        if 8 * items * wanted > _MOST_BYTES:
            most = _MOST_BYTES // (8 * items)
            raise PlanError(f"So many samples of {items} dates do not fit into memory: take at most {most:,}.")
        if wanted > room:
            grown = np.empty((items, max(wanted, min(2 * room, wanted + (1 << 16)))), dtype=np.int64)
            grown[:, : self.count] = self._finishes[:, : self.count]
            self._finishes = grown

    def _are_drawn_there(self, samples: int) -> bool:
        """Has a device draw so many more; whether it did."""
        if self._launcher is None:
            return False
        try:
            if self._device is None:
                paths, first = self._wants_paths, self.count
                self._device = DeviceSimulation(self.program, self._launcher, wants_paths=paths, first=first)
            found, counts = self._device.advance(samples)
        except DeviceError as error:
            self.setback, self._launcher, self._device = error.sentence, None, None
            return False
        self._finishes[:, self.count : self.count + samples] = found
        self._counts += counts
        self.count += samples
        return True

    def _blocks(self, blocks: int) -> None:
        program, count = self.program, blocks * BLOCK
        found = self._finishes[:, self.count : self.count + count]
        at = (self.count, self._wants_paths, found, self._counts)
        run_blocks(self._general, program.steps, program.draws, program.uncertain, self._scratch, at)
        self.count += count

    def _keep(self) -> None:
        """What the block before gave of rows, lengths and chances."""
        program, scratch, first = self.program, self._scratch, self.count - BLOCK
        here = slice(first, self.count)
        put_rows(program.steps, scratch, program.network.rules.start, self._rows[:, here])
        put_lags(program.draws, self._lag_rows, first, scratch, self._lags[:, here])
        self._durations[:, here] = scratch.duration
        self._happens[:, here] = scratch.happens
        self._factors[:, here] = scratch.dice.factors


def _general(program: RiskProgram) -> General:
    net, links = net_of(program.network), np.diff(program.steps.first)
    nodes, table = net.nodes, net.table
    if (program.steps.nodes[:, WAY] == GENERAL).any():  # only those change anything from sample to sample
        net = net._replace(table=table.copy(), nodes=nodes.copy(), links=net.links.copy())
    return General(
        net,
        nodes,
        table,
        np.zeros((int(links.max(initial=0)), BLOCK), dtype=np.int64),
        np.zeros((0, 4), dtype=np.int64),
        np.zeros(0, dtype=np.int64),
        np.zeros(0, dtype=np.uint8),
        np.zeros(len(net.nodes), dtype=np.uint8),
    )


def _scratch(program: RiskProgram, varying: int, wants_paths: bool) -> Scratch:
    count, nodes = len(program.network.table), program.network.nodes
    ways = program.steps.nodes[:, WAY]
    is_needed = bool(np.isin(ways, (GENERAL, FIXED)).any())
    dates = np.full((BLOCK, count if is_needed else 0, 5), NONE, dtype=np.int64)  # what has none binds nothing
    if is_needed:
        fixed = np.flatnonzero((ways == FIXED) & (nodes.role == LEAF))
        dates[:, fixed, BEGINS] = program.network.table[fixed, START_AT]
        dates[:, fixed, ENDS] = program.network.table[fixed, FINISH_AT]
    whole = np.int32 if _is_short(program) else np.int64
    drivers = np.zeros((count, BLOCK), dtype=whole)
    if wants_paths:
        drivers[:] = NOBODY
    return Scratch(
        dice_of(len(program.draws.factors)),
        np.zeros((len(program.draws.chances), BLOCK), dtype=np.uint8),
        np.zeros((count, BLOCK), dtype=whole),
        np.zeros((count, BLOCK), dtype=whole),
        np.zeros((varying, BLOCK), dtype=whole),
        drivers,
        dates,
        np.zeros((5, BLOCK), dtype=whole),
        np.zeros(BLOCK, dtype=np.uint8),
    )


def _is_short(program: RiskProgram) -> bool:
    """Whether all codes fit into 32 bits, which is nearly twice as fast, even with all that is drawn at its greatest.

    A code is at most twice the ticks from the project's start. What is drawn delays the end by no more than the
    longest chain of its excess, worked at the pace of the slowest calendar.
    """
    network, excess = program.network, program.excess
    late = longest_chain(program.steps, excess.nodes.copy(), excess.links)
    pace = max((_pace(time) for time in network.times), default=1.0)
    span = max(abs(int(excess.last) - network.rules.start), abs(network.rules.start - int(excess.first)))
    return span + _MARGIN * pace * late + int(np.abs(network.links.lag).sum()) < _SHORT


def _pace(time: WorkingTime) -> float:
    """Ticks of the clock for one of work."""
    work = int(time.before[-1] + time.ends[-1] - time.starts[-1])
    return float(time.ends[-1] - time.starts[0]) / max(1, work)
