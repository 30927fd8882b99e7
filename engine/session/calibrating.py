"""CalibrateJob: measures a device by running trials on it, and makes its profile. It never writes it anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from engine.errors import DeviceError
from engine.process.client import DeviceClient
from engine.process.messages import Hello, RunRequest
from engine.process.ring import Rows
from engine.program.calibration import Measured, calmest, fit_profile
from engine.program.profile import DeviceProfile, load_profile
from engine.program.trials import Trial, trials
from engine.session.profiles import own_name
from engine.trace.timeline import PARTS

# Every trial once; then all again, as far as this goes: what disturbs one trial seldom disturbs it twice.
ROUNDS, SECONDS = 2, 40.0
# Where the middle half of durations differs by more than this share, something else was at work.
_BUSY = 0.25

Listener = Callable[[float, str], object]


class CalibrateJob:
    """One calibration of a client's device. `listener(share, what)` hears how far it is, 0 to 1, and at what.

    `is_disturbed`, once it is over: the machine was so busy that the figures deserve a second calibration.
    """

    def __init__(self, client: DeviceClient, listener: Listener = lambda _share, _what: None) -> None:
        self.is_disturbed = False
        self.is_canceling = False
        self._client = client
        self._listener = listener

    async def run(self) -> DeviceProfile | None:
        """The profile, None when it was canceled. Raises DeviceError, and for a device that only simulates."""
        hello = await self._client.start()
        if hello.stamps == "simulated":
            raise DeviceError("A simulated device has the figures of its profile; there is nothing to measure.")
        base = base_profile(hello)
        planned = tuple(trials(base, is_shared=hello.kind == "cpu"))
        began = time.monotonic()
        rounds: list[list[Measured]] = []
        for number in range(ROUNDS):
            found: list[Measured] = []
            rounds.append(found)
            for trial in planned:
                if number and time.monotonic() - began > SECONDS:
                    break
                done = (len(planned) * number + len(found)) / (ROUNDS * len(planned))
                self._listener(max(done, min(0.99, (time.monotonic() - began) / SECONDS)), trial.program.name)
                rows = await self._measure(trial)
                if rows is None:
                    return None
                found.append(rows)
        return self._made(base, calmest(rounds), hello)

    def cancel(self) -> None:
        """Stop between parts; run() then returns None."""
        self.is_canceling = True
        self._client.cancel()

    def _made(self, base: DeviceProfile, found: Sequence[Measured], hello: Hello) -> DeviceProfile:
        self.is_disturbed = median(each.spread for each in found) > _BUSY
        measured = time.strftime("%Y-%m-%dT%H:%M")
        named = replace(
            base,
            name=own_name(hello.kind, hello.name),
            source=f"measured on {hello.name}, {measured.replace('T', ' ')}",
            device=hello.name,
            measured=measured,
        )
        self._listener(1.0, "")
        return fit_profile(named, found)

    async def _measure(self, trial: Trial) -> Measured | None:
        """Run one trial to its end; None when that was canceled."""
        if self.is_canceling:
            return None
        rows: list[Rows] = []
        ended = await self._client.run(RunRequest(-1, trial.program, "", is_counted=False), rows.append)
        if ended.outcome == "canceled":
            return None
        if ended.outcome != "finished":
            raise DeviceError(f"The calibration ended at “{trial.program.name}”: {ended.error}")
        return Measured(trial, _spans(trial, np.concatenate(rows)))


def base_profile(hello: Hello) -> DeviceProfile:
    """What is assumed of a device before it is measured: lanes and memory as it says, the rest as of one of its kind.

    A processor runs a kernel on each of its threads, so there a kernel takes one lane; copies take turns with them.
    """
    base = load_profile("cpu-default" if hello.kind == "cpu" else "h200-like")
    lanes = {f"{engine}_lanes": count for engine, count in hello.engines}
    base = replace(base, **lanes, memory_bytes=hello.memory_bytes or base.memory_bytes)  # type: ignore[arg-type]
    if hello.kind != "cpu":
        return base
    one = 1 / base.compute_lanes
    kernels = tuple((name, replace(known, share=one)) for name, known in base.kernels)
    return replace(base, kernels=kernels, most_at_once=base.compute_lanes)


def _spans(trial: Trial, rows: Rows) -> tuple[tuple[int, int, int, int], ...]:
    """(stream, engine, start_ns, end_ns) of the tasks that count, from the first part's start to the last one's end."""
    found: dict[int, tuple[int, int, int, int]] = {}
    columns = [PARTS.index(name) for name in ("task", "stream", "engine", "start_ns", "end_ns")]
    for task, stream, engine, start, end in rows[:, columns].tolist():
        if task in trial.timed:
            _, _, first, last = found.get(task, (stream, engine, start, end))
            found[task] = (stream, engine, min(first, start), max(last, end))
    return tuple(sorted(found.values(), key=lambda span: span[2]))
