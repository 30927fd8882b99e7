"""What a calibration makes of spans: known figures go in through a simulated device, and come out again."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine.errors import DeviceError
from engine.kernels import KERNELS
from engine.kernels.kernel import Cost
from engine.program.calibration import HOST_NS, Measured, calmest, fit_profile
from engine.program.operation import FAR, Program
from engine.program.predict import predict
from engine.program.profile import BOUNDS, DeviceProfile, KernelFigures
from engine.program.trials import Trial, trials
from engine.trace.timeline import ENGINES
from tests.engine.program.plans import CPU, GPU

HALF = tuple((name, replace(known, share=0.5)) for name, known in CPU.kernels)
TRUE = replace(
    CPU,
    copy_in_bytes_per_second=5_000_000_000,
    copy_out_bytes_per_second=3_000_000_000,
    copy_latency_ns=7_000,
    pageable_factor=0.5,
    launch_latency_ns=20_000,
    copy_launch_ns=15_000,
    wake_latency_ns=60_000,
    reuse=((8388610.0, 0.5), (33554400.0, 0.75), (134218000.0, 1.0)),
    steps_per_second=400_000_000,
    kernels=HALF,
    contention=((1.0, 1.0), (2.0, 1.08), (3.0, 1.2), (4.0, 1.35), (5.0, 1.5)),
    contention_by_bound=(
        ("steps", ((1.0, 1.0), (2.0, 1.05), (3.0, 1.18), (4.0, 1.3), (5.0, 1.45))),
        ("flops", ((1.0, 1.0), (2.0, 1.1), (3.0, 1.22), (4.0, 1.4), (5.0, 1.55))),
    ),
    memory_contention=((1.0, 1.0), (2.0, 1.3), (3.0, 1.6), (4.0, 1.9), (5.0, 2.1)),
)
BASE = replace(CPU, kernels=HALF)


def spans_of(trial: Trial, profile: DeviceProfile) -> Measured:
    """The trial as a device of a profile would run it, by the prediction."""
    from engine.model import OperationSpec
    from engine.program.profile import cost_ns, work_ns

    buffers = {buffer.id: buffer for buffer in trial.program.buffers}
    operations = []
    for op in trial.program.operations:
        spec = OperationSpec(op.kind, op.kernel, op.parameters, op.reads, op.writes)
        cost, work = (each(profile, spec, buffers, (), trial.apart or FAR) for each in (cost_ns, work_ns))
        operations.append(replace(op, cost_ns=cost, work_ns=work, launch_ns=cost - work))
    timeline = predict(replace(trial.program, operations=tuple(operations)), profile)
    spans = [span for span in timeline.spans() if span.task in trial.timed]
    return Measured(trial, tuple((s.stream, ENGINES.index(s.engine), s.start_ns, s.end_ns) for s in spans))


@pytest.fixture(scope="module")
def fitted() -> DeviceProfile:
    return fit_profile(BASE, [spans_of(trial, TRUE) for trial in trials(BASE, is_shared=True)])


def test_that_bandwidth_latency_and_rates_of_a_device_are_found_again(fitted: DeviceProfile) -> None:
    for name in ("copy_in_bytes_per_second", "copy_out_bytes_per_second", "copy_latency_ns", "pageable_factor"):
        assert getattr(fitted, name) == pytest.approx(getattr(TRUE, name), rel=0.02), name
    assert fitted.launch_latency_ns == TRUE.launch_latency_ns
    assert fitted.copy_launch_ns == TRUE.copy_launch_ns
    assert fitted.wake_latency_ns == TRUE.wake_latency_ns
    for apart in (1 << 20, 1 << 23, 1 << 25, 1 << 27, 1 << 30):
        assert fitted.share_at(apart) == pytest.approx(TRUE.share_at(apart), rel=0.02)
    assert fitted.steps_per_second == pytest.approx(TRUE.steps_per_second, rel=0.02)


def test_that_what_a_crowd_costs_is_found_again_by_what_operations_are_bound_by(fitted: DeviceProfile) -> None:
    for bound in BOUNDS:
        for at_once in (2, 3, 4, 5):
            assert fitted.slowdown(at_once, bound) == pytest.approx(TRUE.slowdown(at_once, bound), rel=0.05)
        assert fitted.slowdown(1, bound, 1) == 1.0
    for in_memory in (2, 3, 4, 5):
        true = TRUE.slowdown(5, "bytes", in_memory)
        assert fitted.slowdown(5, "bytes", in_memory) == pytest.approx(true, rel=0.08)


def test_that_every_trial_is_predicted_by_the_profile_that_was_made_of_it(fitted: DeviceProfile) -> None:
    for trial in trials(BASE, is_shared=False):
        if trial.what not in ("launch", "wake"):
            true, ours = spans_of(trial, TRUE).typical_ns, spans_of(trial, fitted).typical_ns
            assert ours == pytest.approx(true, rel=0.1, abs=2), (trial.what, trial.name, trial.nbytes, trial.cost)


def test_that_a_fitted_profile_survives_being_written_and_knows_every_kernel(fitted: DeviceProfile) -> None:
    assert DeviceProfile.from_json(fitted.to_json()) == fitted
    names = [kernel.name for kernel in KERNELS]
    assert [name for name, _ in fitted.kernels] == [name for name, _ in fitted.host_kernels] == names
    assert all(known.share == 0.5 for _, known in fitted.kernels)


def test_that_a_device_whose_engines_are_its_own_is_not_crowded() -> None:
    found = [spans_of(trial, GPU) for trial in trials(GPU, is_shared=False)]
    assert fit_profile(GPU, found).contention == ()


def measured(durations: Iterable[int]) -> Measured:
    program = Program("none", (), (), (), ())
    spans = tuple((0, 1, 0, duration) for duration in durations)
    return Measured(Trial("kernel", "tanh", program, frozenset(), cost=Cost(1, 1)), spans)


def test_that_a_typical_duration_is_a_median_or_the_lower_quartile_of_what_the_host_is_in_the_way_of() -> None:
    long = (10 * HOST_NS, 11 * HOST_NS, 12 * HOST_NS, 13 * HOST_NS, 9_000 * HOST_NS)
    assert measured(long).typical_ns == 12 * HOST_NS
    assert measured((10, 11, 12, 13, 9_000)).typical_ns == 11
    assert measured((10,)).typical_ns == 10
    assert measured((100, 100, 100, 100, 100)).spread == 0
    assert measured((50, 100, 100, 150, 400)).spread > 0.5


def test_that_a_long_chain_of_steps_that_was_disturbed_takes_no_longer_a_step_than_a_short_one() -> None:
    disturbed = []
    for trial in trials(BASE, is_shared=False):
        one = spans_of(trial, TRUE)
        if (trial.what, trial.name) == ("kernel", "spin") and trial.cost.steps > 1_000_000:
            one = replace(
                one, spans=tuple((*place, start, start + 2 * (end - start)) for *place, start, end in one.spans)
            )
        disturbed.append(one)
    curve = fit_profile(BASE, disturbed).figures("spin").curve
    assert len(curve) >= 5
    assert all(y == pytest.approx(x, rel=0.01) for x, y in curve)


def test_that_the_calmest_round_of_each_trial_counts_and_a_later_round_may_be_cut_short() -> None:
    first, second = [measured((30,)), measured((5,)), measured((7,))], [measured((20,)), measured((6,))]
    assert [each.typical_ns for each in calmest([first, second])] == [20, 5, 7]


def test_that_rounds_that_were_equally_calm_count_together() -> None:
    rounds = [[measured((1_000_000,) * 3)], [measured((1_100_000,) * 3)], [measured((1_400_000,) * 3)]]
    (found,) = calmest(rounds)
    assert len(found.spans) == 6
    assert found.typical_ns == 1_050_000
    crowded = [[replace(each, trial=replace(each.trial, what="crowd"))] for (each,) in rounds]
    assert len(calmest(crowded)[0].spans) == 3


def test_that_a_trial_of_which_nothing_ended_is_said() -> None:
    with pytest.raises(DeviceError, match="ran nothing of the trial “none”"):
        _ = measured(()).typical_ns


def test_that_every_program_of_a_trial_can_run() -> None:
    """On the processor: each of them once through the executor, none fails."""
    from engine.runtime.cpu import CpuDevice
    from engine.runtime.executor import RunControl, run_program

    async def run(trial: Trial) -> str:
        device = CpuDevice()
        try:
            device.prepare(trial.program, 0)
            return (await run_program(device, trial.program, 1, RunControl(), lambda _: None)).outcome
        finally:
            device.close()

    smallest: dict[tuple[str, str], Trial] = {}
    for trial in trials(BASE, is_shared=False):
        smallest.setdefault((trial.what, trial.name), trial)
    for trial in smallest.values():
        assert asyncio.run(run(trial)) == "finished", trial.name


def test_that_a_kernel_without_probes_is_not_timed() -> None:
    assert KernelFigures().curve == ()
    timed = {trial.name for trial in trials(BASE, is_shared=False) if trial.what == "kernel"}
    assert timed == {kernel.name for kernel in KERNELS if kernel.probes()}
