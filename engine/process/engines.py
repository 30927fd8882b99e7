"""Engines: those of one search made ready, with one more where there is a device for it. They never search here.

All of it is work for a worker thread, which may be left alone with it: it looks between its steps whether it is wanted.
"""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

from engine.optimize.portfolio import Portfolio
from engine.optimize.warming import warm
from engine.process.launching import AUTO, CPU, OpenLauncher
from engine.process.solve_messages import SolveRequest
from engine.runtime.polite import give_way

if TYPE_CHECKING:
    from engine.optimize.batch.engines import OnDevice

log = logging.getLogger(__name__)

# Who searches, loads or compiles gives way to who answers by so many steps of niceness.
STEPS_BACK = 5

loaded = threading.Event()


@cache
def warming() -> Future[None]:
    """All that engines are made of is loaded, or compiled, once, in a thread that nobody else waits for; then it is
    `loaded`.
    """
    return ThreadPoolExecutor(1, "warming", give_way, (STEPS_BACK,)).submit(_load)


def _load() -> None:
    warm()
    loaded.set()


class Engines:
    """Of one request. `device` is the engine on a device once it has joined; `may_have_device` says whether one may
    be in use, which never begins after a cancel.
    """

    def __init__(self, request: SolveRequest, open_launcher: OpenLauncher) -> None:
        self.device: OnDevice | None = None
        self.may_have_device = False
        self._is_canceled, self._reaching = threading.Event(), threading.Lock()
        self._request, self._open_launcher = request, open_launcher

    def cancel(self) -> None:
        """End what goes on, from any thread."""
        with self._reaching:
            self._is_canceled.set()

    def make_ready(self, portfolio: Portfolio) -> None:
        """Makes the engines and takes the first step of each."""
        _ = portfolio.bounds
        if self._is_canceled.is_set():
            return
        self._join_device(portfolio)
        for member in portfolio.members:
            if self._is_canceled.is_set():
                return
            member.iterations += member.engine.advance(1)

    def _join_device(self, portfolio: Portfolio) -> None:
        """One more engine, where there is a device for it. Raises DeviceError where the one asked for fails."""
        device, is_counted = self._request.device, self._request.slices > 0
        with self._reaching:
            self.may_have_device = not (self._is_canceled.is_set() or device == CPU or (is_counted and device == AUTO))
        if not self.may_have_device:
            return
        try:
            found = self._device_engine(portfolio, device)
        except Exception as error:
            if device != AUTO:
                raise
            # Nobody asked for this device by name: whatever is wrong with it ends no search.
            log.warning("the search stays on the processor", exc_info=error)
            found = None
        if found is None:
            self.may_have_device = False
            return
        name, self.device = found
        portfolio.join(name, self.device)

    def _device_engine(self, portfolio: Portfolio, device: str) -> tuple[str, OnDevice] | None:
        launcher = self._open_launcher(device)
        if launcher is None:
            return None
        from engine.optimize.batch.engines import device_engine  # loads numba

        clock = time.perf_counter_ns if device == AUTO else None
        starts = [elite.evaluation.solution for elite in portfolio.elites]
        return device_engine(portfolio.problem, portfolio.aim, self._request.seed, starts, launcher, clock)
