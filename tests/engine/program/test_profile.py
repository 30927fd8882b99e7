"""Device profiles as files, and what they make of work."""

import json
from dataclasses import replace

import pytest

from engine.errors import CompileError, FormatError
from engine.kernels import KERNELS
from engine.model import MOST_TICKS, Memory, OperationKind, OperationSpec
from engine.program.profile import DeviceProfile, KernelFigures, along, cost_ns, estimate_durations, load_profile
from tests.engine.program.plans import CPU, GPU, copy_in, copy_out, device_plan, empty, host, kernel, seeded

BUFFERS = {b.id: b for b in (seeded("x", (1_000_000,)), empty("y", (1_000_000,)), empty("one", (1,)))}


@pytest.mark.parametrize("profile", [CPU, GPU], ids=lambda profile: profile.name)
def test_that_a_profile_survives_being_written(profile: DeviceProfile) -> None:
    assert DeviceProfile.from_json(profile.to_json()) == profile
    assert [name for name, _ in profile.kernels] == [each.name for each in KERNELS]


def test_that_profiles_say_where_their_figures_come_from() -> None:
    assert CPU.source == "typical 2-core machine"
    assert "datasheet" in GPU.source


def test_that_a_profile_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(FormatError, match="no device profile named “tpu”; there are cpu-default, h200-like"):
        load_profile("tpu")
    with pytest.raises(FormatError):
        load_profile("../profiles/cpu-default")


def changed(**values: object) -> str:
    return json.dumps(json.loads(CPU.to_json()) | values)


def lacking(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(CPU.to_json()).items() if name != key})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "must be a JSON object"),
        (lacking("memory_bytes"), "lacks “memory_bytes”"),
        (changed(color="red"), "“color”, which is not known"),
        (changed(name=""), "“name” must be a text"),
        (changed(source=5), "“source” must be a text"),
        (changed(compute_lanes=1.5), "“compute_lanes” must be a whole number"),
        (changed(compute_lanes=True), "“compute_lanes” must be a whole number"),
        (changed(compute_lanes=0), "“compute_lanes” is 0"),
        (changed(compute_lanes=10**12), "“compute_lanes” is 1000000000000"),
        (changed(flops_per_second="fast"), "“flops_per_second” must be a number"),
        (changed(flops_per_second=float("nan")), "“flops_per_second” is nan"),
        (changed(flops_per_second=float("inf")), "“flops_per_second” is inf"),
        (changed(flops_per_second=1e-300), "“flops_per_second” is 1e-300"),
        (changed(copy_latency_ns=-1), "“copy_latency_ns” is -1"),
        (changed(pageable_factor=2), "“pageable_factor” is 2, but must lie from 1e-06 to 1"),
        (changed(kernels=[]), "“kernels” must be an object"),
        (changed(kernels={"fft": 1}), "kernel “fft” must be a JSON object"),
        (changed(kernels={"fft": {"share": 1}}), "kernel “fft” lacks “flops_efficiency”"),
    ],
)
def test_that_bad_text_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        DeviceProfile.from_json(text)
    assert words in caught.value.sentence
    assert caught.value.sentence.endswith(".")


def test_that_a_copy_costs_its_latency_and_its_bytes() -> None:
    profile = replace(GPU, copy_in_bytes_per_second=4e9, copy_out_bytes_per_second=2e9, copy_latency_ns=500)
    assert cost_ns(profile, copy_in("x"), BUFFERS) == 500 + 1_000_000
    assert cost_ns(profile, copy_out("x"), BUFFERS) == 500 + 2_000_000
    pageable = {"x": replace(BUFFERS["x"], memory=Memory.PAGEABLE)}
    assert cost_ns(replace(profile, pageable_factor=0.5), copy_in("x"), pageable) == 500 + 2_000_000


def test_that_a_kernel_costs_its_launch_and_the_slower_of_arithmetic_and_memory() -> None:
    profile = replace(GPU, launch_latency_ns=100, flops_per_second=3e9, memory_bytes_per_second=1e15, kernels=())
    assert cost_ns(profile, kernel("saxpy", ["x", "x"], ["y"]), BUFFERS) == 100 + 2_000_000
    profile = replace(profile, flops_per_second=1e15, memory_bytes_per_second=12e9)
    assert cost_ns(profile, kernel("saxpy", ["x", "x"], ["y"]), BUFFERS) == 100 + 2_000_000
    within = OperationSpec(OperationKind.COPY_WITHIN, reads=("x",), writes=("y",))
    assert cost_ns(replace(profile, memory_bytes_per_second=8e9), within, BUFFERS) == 100 + 1_000_000


def test_that_spin_takes_about_the_microseconds_it_is_asked_for() -> None:
    cost = cost_ns(CPU, kernel("spin", ["x"], ["y"], microseconds=20_000), BUFFERS)
    assert 15_000_000 < cost < 25_000_000


def test_that_host_work_takes_the_rates_of_the_host() -> None:
    profile = replace(GPU, launch_latency_ns=0, host_flops_per_second=1e18, host_bytes_per_second=12e9)
    assert cost_ns(profile, host("saxpy", ["x", "x"], ["y"]), BUFFERS) == 1_000_000


def test_that_a_cost_fits_into_a_plan() -> None:
    vast = {"x": empty("x", (1 << 20, 1 << 20))}
    slow = replace(GPU, flops_per_second=1e3, copy_in_bytes_per_second=1e3)
    assert cost_ns(slow, copy_in("x"), vast) == MOST_TICKS
    assert cost_ns(slow, kernel("matmul", ["x", "x"], ["x"]), vast) == MOST_TICKS


def test_that_a_cost_is_never_zero() -> None:
    profile = replace(GPU, launch_latency_ns=0, copy_latency_ns=0)
    assert cost_ns(profile, copy_in("one"), BUFFERS) >= 1
    assert cost_ns(profile, kernel("tanh", ["one"], ["one"]), BUFFERS) >= 1


def test_that_an_operation_without_a_kernel_has_no_cost() -> None:
    with pytest.raises(CompileError, match="no kernel named “none”"):
        cost_ns(GPU, kernel("none", ["x"], ["y"]), BUFFERS)


def test_that_only_operations_that_can_run_and_were_not_typed_are_estimated() -> None:
    rows = [("in", copy_in("x"), 0), ("typed", copy_in("x"), 0), ("none", kernel("none", ["x"], ["y"]), 0)]
    rows += [("lost", copy_in("z"), 0), ("milestone", None, None)]
    plan = device_plan(rows, buffers=BUFFERS.values())
    plan = plan.with_task(replace(plan.task(2), duration=7, is_duration_typed=True))
    assert estimate_durations(plan, GPU) == {1: cost_ns(GPU, copy_in("x"), BUFFERS)}


MEASURED = replace(
    CPU,
    kernels=(("tanh", KernelFigures(0.5, 0.5, 1.0, ((1_000.0, 5_000.0), (100_000.0, 50_000.0)))),),
    host_kernels=(("tanh", KernelFigures(1.0, 1.0, 1.0, ((1.0, 7_000.0),))),),
    contention=((1.0, 1.0), (2.0, 1.5), (4.0, 2.5)),
    contention_by_bound=(("steps", ((1.0, 1.0), (4.0, 1.3))),),
    copies=(("copy_in", ((4_000.0, 100.0), (4_000_000.0, 1_000_000.0))),),
    copy_launch_ns=40,
    wake_latency_ns=60,
    most_at_once=3,
    device="Some processor",
    measured="2026-01-02T03:04",
)


def test_that_a_measured_profile_survives_being_written() -> None:
    assert DeviceProfile.from_json(MEASURED.to_json()) == MEASURED


def test_that_a_file_from_before_measuring_is_still_read() -> None:
    old = {name: value for name, value in json.loads(CPU.to_json()).items() if name not in ADDED}
    for known in old["kernels"].values():
        del known["curve"]
    assert DeviceProfile.from_json(json.dumps(old)) == CPU


ADDED = (
    "host_kernels",
    "contention",
    "contention_by_bound",
    "copies",
    "copy_launch_ns",
    "wake_latency_ns",
    "most_at_once",
    "device",
    "measured",
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(contention=[[1, 1], [1, 2]]), "must grow from point to point"),
        (changed(contention=[[1, 2], [2, 1]]), "must grow from point to point"),
        (changed(contention=[[0, 1]]), "numbers above 0"),
        (changed(contention=[[1]]), "a list of points"),
        (changed(contention=5), "a list of points"),
        (changed(contention=[[True, 1]]), "numbers above 0"),
        (changed(copies={"copy_sideways": []}), "“copy_sideways”, which is not known"),
        (changed(copies={"copy_in": [["a", 1]]}), "“copies” of “copy_in” must hold numbers"),
        (changed(contention_by_bound={"luck": []}), "“luck”, which is not known"),
        (changed(contention_by_bound={"steps": [[1, 2], [2, 1]]}), "must grow from point to point"),
        (changed(contention_by_bound=[]), "“contention_by_bound” must be a JSON object"),
        (changed(host_kernels=7), "“host_kernels” must be an object"),
        (changed(device=5), "“device” must be a text"),
        (changed(measured=0), "“measured” must be a text"),
        (changed(copy_launch_ns=-1), "“copy_launch_ns” is -1"),
    ],
)
def test_that_bad_measurements_are_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        DeviceProfile.from_json(text)
    assert words in caught.value.sentence


def test_that_a_curve_is_level_before_its_points_straight_between_them_and_in_proportion_beyond() -> None:
    curve = ((10.0, 100.0), (110.0, 400.0))
    assert [along(curve, x) for x in (1, 10, 60, 110, 550)] == [100, 100, 250, 400, 2_000]


def test_that_a_measured_copy_takes_what_copies_of_its_size_took() -> None:
    assert cost_ns(MEASURED, copy_in("x"), BUFFERS) == 40 + 1_000_000
    assert cost_ns(MEASURED, copy_in("one"), BUFFERS) == 40 + 100
    slow = {"x": replace(BUFFERS["x"], memory=Memory.PAGEABLE)}
    assert cost_ns(replace(MEASURED, pageable_factor=0.5), copy_in("x"), slow) == 40 + 2_000_000


def test_that_a_measured_kernel_takes_what_it_took_as_a_kernel_and_as_host_work() -> None:
    launch = MEASURED.launch_latency_ns
    assert cost_ns(MEASURED, kernel("tanh", ["one"], ["one"]), BUFFERS) == launch + 5_000
    assert cost_ns(MEASURED, host("tanh", ["one"], ["one"]), BUFFERS) >= launch + 7_000


def test_that_a_crowd_slows_down_as_measured_and_in_proportion_beyond_that() -> None:
    assert [MEASURED.slowdown(count) for count in (0, 1, 2, 4, 8)] == [1.0, 1.0, 1.5, 2.5, 5.0]
    assert CPU.slowdown(9) == 1.0
    assert MEASURED.slowdown(4, "steps") == 1.3
    assert MEASURED.slowdown(4, "bytes") == MEASURED.slowdown(4), "of these nothing else is known"
    shared = replace(MEASURED, memory_contention=((1.0, 1.0), (2.0, 1.2)))
    assert shared.slowdown(4, "bytes", 1) == MEASURED.slowdown(4)
    assert shared.slowdown(4, "bytes", 2) == 1.2 * MEASURED.slowdown(4)
    assert shared.slowdown(4, "steps", 2) == 1.3, "memory is shared by those who wait for it"
