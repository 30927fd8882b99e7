"""The idle time of every row is explained to the nanosecond: on every sample, and on random programs."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from engine.formats import loom
from engine.program.compiler import compile_plan
from engine.program.hazards import waits_of
from engine.program.operation import Operation, Program
from engine.program.predict import bound_ns, predict
from engine.program.profile import DeviceProfile, estimate_durations, load_profile
from engine.runtime.executor import RunControl, run_program
from engine.runtime.simulated import SimulatedDevice
from engine.schedule.cpm import schedule
from engine.trace.columns import Int64
from engine.trace.gaps import CAUSES, find_gaps
from engine.trace.timeline import ENGINES, Timeline
from tests.programs import Mix, copy_in, copy_out, host, kernel, kernels, program, race_free, seeded

SAMPLES = ("video-pipeline", "training-step", "game-frame")
H200 = load_profile("h200-like")
PROGRAMS = 2_000
SIMULATED = 100


def idle_ns(timeline: Timeline, of: Int64, index: int) -> int | None:
    """By walking over the spans of a row; None for a row without any."""
    columns = (of.tolist(), timeline.start_ns.tolist(), timeline.end_ns.tolist())
    spans = sorted((start, end) for at, start, end in zip(*columns, strict=True) if at == index and end > start)
    at = min(timeline.start_ns.tolist())
    idle = 0
    for start, end in spans:
        idle += max(0, start - at)
        at = max(at, end)
    return idle + max(timeline.end_ns.tolist()) - at if spans else None


def check(timeline: Timeline, one: Program) -> None:
    gaps = find_gaps(timeline, waits_of(one))
    streams = len(timeline.streams)
    for place in range(streams + len(ENGINES)):
        of, index = (timeline.stream, place) if place < streams else (timeline.engine, place - streams)
        totals = gaps.totals(place)
        assert set(totals) <= set(CAUSES)
        assert sum(totals.values()) == (idle_ns(timeline, of, index) or 0)
        mine = gaps.place == place
        assert (gaps.start[mine][1:] >= gaps.end[mine][:-1]).all()


def simulated(one: Program, profile: DeviceProfile, repeat: int = 1) -> Timeline:
    device, rows = SimulatedDevice(profile), []
    device.prepare(one, 0)
    asyncio.run(run_program(device, one, repeat, RunControl(), rows.append))
    timeline = Timeline(one.streams, {})
    timeline.extend(np.concatenate(rows))
    return timeline


def random_program(seed: int) -> Program:
    """Up to a dozen operations of every engine on up to four streams over three buffers, of any length and lanes."""
    rng = random.Random(seed)
    buffers = [seeded(name, 8, "int64") for name in ("a", "bb", "ccc")]
    names = [buffer.id for buffer in buffers]
    operations: list[Operation] = []
    for task in range(1, rng.randint(2, 12)):
        stream = rng.randrange(rng.randint(1, 4))
        source, target = rng.sample(names, 2)
        mix = {"reads": (source, target), "writes": (target,), "parts": rng.randint(1, 3)}
        made = rng.choice([
            copy_in(task, stream, source), copy_out(task, stream, target), kernel(task, stream, "mix", **mix),
            host(task, stream, "mix", **mix),
        ])  # fmt: skip
        cost = rng.choice([1, 10, 1_000, 50_000, 1_000_000])
        operations.append(replace(made, cost_ns=rng.randint(1, cost), lanes=rng.choice([1, 1, 2, 132])))
    return replace(program(race_free(operations), buffers), engines=H200.engines)


@pytest.mark.parametrize("profile", [H200, load_profile("cpu-default")], ids=lambda profile: profile.name)
@pytest.mark.parametrize("name", SAMPLES)
def test_that_the_causes_of_a_sample_sum_to_its_idle_time(name: str, profile: DeviceProfile) -> None:
    with resources.as_file(resources.files("resources") / "samples" / f"{name}.loom") as path:
        plan = loom.load(path)
    one = compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile)
    check(predict(one, profile, 3), one)
    check(simulated(one, profile, 2), one)


def test_that_three_streams_of_the_video_pipeline_reach_nearly_all_of_its_bound() -> None:
    with resources.as_file(resources.files("resources") / "samples" / "video-pipeline.loom") as path:
        plan = loom.load(path)
    one = compile_plan(plan, schedule(plan, estimate_durations(plan, H200)), H200)
    assert 0.95 <= bound_ns(one) / simulated(one, H200).end_ns_max <= 1
    # Each iteration copies the weights anew, and that waits until the iteration before has done with them.
    assert 0.93 <= bound_ns(one, 3) / simulated(one, H200, 3).end_ns_max <= 1


def test_that_the_causes_of_random_programs_sum_to_their_idle_time() -> None:
    with kernels(Mix()):
        for seed in range(PROGRAMS):
            one = random_program(seed)
            check(predict(one, H200, 1 + seed % 2), one)
            if seed < SIMULATED:
                check(simulated(one, H200, 1 + seed % 2), one)


def test_that_a_prediction_waits_only_for_predecessors_engines_and_work() -> None:
    for seed in range(100):
        one = random_program(seed)
        timeline = predict(one, H200, 2)
        found = {gap.cause for gap in find_gaps(timeline, waits_of(one)).longest()}
        assert found <= {"dependency", "engine_busy", "no_work"}
