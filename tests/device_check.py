"""Asks a device everything that only the device can answer, and prints one table and one JSON document.

    python tests/device_check.py --device cuda

It needs Python, NumPy, Numba and, for a GPU, CuPy: neither Qt nor pytest. What a device cannot be asked is n/a, with
the reason. Under five minutes; exit code 0 when no row failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from engine.errors import DeviceError  # noqa: E402
from engine.gpu import environment, is_gpu  # noqa: E402
from engine.kernels import KERNELS, Kernel  # noqa: E402
from engine.model import Buffer, Fill, FillKind  # noqa: E402
from engine.program.launcher import Launcher  # noqa: E402
from engine.program.operation import Operation, Program  # noqa: E402
from engine.program.profile import load_profile  # noqa: E402
from engine.program.reference import expected_outputs, is_equal  # noqa: E402
from engine.runtime.backend import Device, LostDeviceError  # noqa: E402
from engine.runtime.cpu import CpuDevice  # noqa: E402
from engine.runtime.cuda import CudaDevice, CudaLauncher  # noqa: E402
from engine.runtime.executor import RunControl, run_program  # noqa: E402
from engine.runtime.simulated import FailPart, SimulatedDevice  # noqa: E402
from tests.batch_check import QUESTIONS, Found  # noqa: E402
from tests.contracts.device_contract import CHECKS, refusal, video  # noqa: E402
from tests.programs import Mix, copy_in, copy_out, kernel, kernels, memset, program, race_free  # noqa: E402

SEED = 5
SAMPLE = ROOT / "resources" / "samples" / "video-pipeline.loom"
BEAT_SECONDS = 0.008
CRASHED = 86
NA, OK, FAILED = "n/a", "ok", "FAILED"


@dataclass(frozen=True)
class Row:
    """One question: `state` is ok, FAILED or n/a; `figures` are numbers by name, with the unit in it."""

    question: str
    state: str
    answer: str
    figures: dict[str, float | None]


class BadPointer(Mix):
    """A kernel that writes where nothing is: what a GPU must be lost by."""

    def __init__(self) -> None:
        super().__init__(name="bad_pointer")
        self.is_library = False  # type: ignore[misc]

    def cuda_source(self) -> str:
        return (
            'extern "C" __global__ void bad_pointer_kernel(const long long* a, const long long* b, long long* out,\n'
            "    long long first, long long last) { *(long long*)(16 + 8 * first) = last; }\n"
        )


def main(arguments: Sequence[str]) -> int:
    """Asks all questions of a device; 1 when a row failed, 2 when the device is not there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cpu", help="cpu, simulated, cuda or cuda:N")
    parser.add_argument("--quick", action="store_true", help="small work: shows that the questions can be asked")
    parser.add_argument("--crash", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    os.environ.update(environment(chosen.device, os.environ))
    if chosen.crash:
        return crash(chosen.device)
    try:
        device = opened(chosen.device)
    except DeviceError as error:
        sys.stderr.write(error.sentence + "\n")
        return 2
    info = device.describe()
    began = time.monotonic()
    rows = []
    for row in questions(device, chosen.device, chosen.quick):
        rows.append(row)
        print(f"{row.state:6}  {row.question:44.44}  {row.answer}", flush=True)
    device.close()
    seconds = time.monotonic() - began
    print(f"{info.name}, stamps {info.stamps}: {seconds:.0f} s")
    print(json.dumps({"device": asdict(info), "seconds": round(seconds, 1), "rows": [asdict(row) for row in rows]}))
    return int(any(row.state == FAILED for row in rows))


def opened(kind: str) -> Device:
    if is_gpu(kind):
        return CudaDevice()
    if kind not in ("cpu", "simulated"):
        raise DeviceError(f"There is no device called “{kind}”; use cpu, simulated or cuda.")
    return CpuDevice() if kind == "cpu" else SimulatedDevice(load_profile("h200-like"))


def questions(device: Device, kind: str, is_quick: bool) -> Iterator[Row]:
    yield from (asked(contract_name(check), lambda check=check: keeps(device, check)) for check in CHECKS)
    for each in KERNELS:
        yield asked(f"kernel {each.name}", lambda each=each: computes(device, each, is_quick))
    for streams in (1, 2, 3):
        name = f"video pipeline on {streams} stream{'s' * (streams > 1)}"
        yield asked(name, lambda streams=streams: overlaps(kind, streams, is_quick))
    yield asked("launch throughput", lambda: launches(device, kind, is_quick))
    yield asked("a graph instead of single launches", lambda: replays(device, is_quick))
    yield asked("heartbeat of the loop under load", lambda: beats(device, is_quick))
    for name, ask in QUESTIONS.items():
        yield asked(name, lambda ask=ask: batches(kind, ask, is_quick))
    yield asked("recovery from an illegal address", lambda: recovers(kind))
    yield asked("CuPy's own benchmark of saxpy", lambda: beside_cupy(device, kind, is_quick))


def asked(question: str, ask: Callable[[], Row]) -> Row:
    """The answer; one that raises is a failure, with what it said."""
    try:
        row = ask()
    except (AssertionError, DeviceError, subprocess.SubprocessError, ValueError, KeyError, RuntimeError) as error:
        return Row(question, FAILED, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", {})
    return Row(question, row.state, row.answer, row.figures)


def answer(text: str, state: str = OK, **figures: float | None) -> Row:
    return Row("", state, text, figures)


def contract_name(check: Callable[..., object]) -> str:
    return "contract: " + check.__name__.replace("_", " ")


def keeps(device: Device, check: Callable[[Device, Mix], None]) -> Row:
    mix = Mix()
    began = time.monotonic()
    with kernels(mix):
        check(device, mix)
    device.close()
    return answer(f"{time.monotonic() - began:.2f} s")


def run(device: Device, one: Program, repeat: int = 1) -> np.ndarray:
    """The rows of all parts of a run that finished."""
    device.prepare(one, SEED)
    batches: list[np.ndarray] = []
    outcome = asyncio.run(run_program(device, one, repeat, RunControl(), batches.append))
    assert outcome.outcome == "finished", outcome.error
    return np.concatenate(batches)


def one_kernel(each: Kernel, size: int) -> Program:
    """What it reads is copied in, it runs, what it writes is copied out."""
    square = (size, size)
    shapes = {
        "convolve": [square, (9, 9), square],
        "reduce": [square, (1,)],
        "matmul": [(size // 2, size // 2)] * 3,
    }.get(each.name, [square] * (each.read_count + each.write_count))
    written = "complex64" if each.name == "fft" else "float32"
    kinds = ["float32"] * each.read_count + [written] * each.write_count
    buffers = [
        Buffer(f"b{row}", shape, kind, fill=Fill(FillKind.SEED, row))
        for row, (shape, kind) in enumerate(zip(shapes, kinds, strict=True))
    ]
    names = [buffer.id for buffer in buffers]
    reads, writes = tuple(names[: each.read_count]), tuple(names[each.read_count :])
    operations = [copy_in(1 + row, 0, name) for row, name in enumerate(reads)]
    given = tuple(each.complete({}).items())
    operations.append(kernel(50, 0, each.name, reads=reads, writes=writes, parts=1, parameters=given))
    operations += [copy_out(60 + row, 0, name) for row, name in enumerate(writes)]
    return program(operations, buffers)


def computes(device: Device, each: Kernel, is_quick: bool) -> Row:
    """Its outputs equal the reference; how fast it was at best, as the device stamps it."""
    one = one_kernel(each, 128 if is_quick else 1024)
    rows = run(device, one, repeat=5)
    wrong = [name for name, wanted in expected_outputs(one, SEED).items() if not is_equal(device.read(name), *wanted)]
    device.close()
    spans = rows[rows[:, 0] == 50]
    best_ns = max(1, int((spans[:, 7] - spans[:, 6]).min()))
    (operation,) = (op for op in one.operations if op.task == 50)
    by_name = {buffer.id: buffer.shape for buffer in one.buffers}
    cost = each.cost([by_name[name] for name in (*operation.reads, *operation.writes)], each.complete({}))
    figures = {"best_us": best_ns / 1e3, "gflops": cost.flops / best_ns, "gbytes_per_s": cost.nbytes / best_ns}
    text = f"{best_ns / 1e3:9.1f} us  {figures['gflops']:8.2f} Gflop/s  {figures['gbytes_per_s']:8.2f} GB/s"
    return answer(
        f"{text}  {'differs: ' + ', '.join(wrong) if wrong else 'equals the reference'}",
        *([FAILED] * bool(wrong)),
        **figures,
    )


def overlaps(kind: str, streams: int, is_quick: bool) -> Row:
    """The sample through the whole command line, in the device's own process."""
    command = [sys.executable, str(ROOT / "app.py"), "run", str(SAMPLE), "--device", kind, "--streams", str(streams)]
    done = subprocess.run(
        [*command, "--repeat", "2" if is_quick else "10", "--json"], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        return answer(done.stderr.strip(), FAILED)
    found = json.loads(done.stdout)
    metrics = found["metrics"]
    ratio = metrics["span_ns"] / metrics["bound_ns"] if metrics["bound_ns"] else None
    figures = {
        "span_ms": metrics["span_ns"] / 1e6,
        "span_by_bound": ratio,
        "hidden_copy_pct": metrics["hidden_copy_pct"],
        "speed_up": metrics["speed_up"],
    }
    text = "  ".join(f"{name} {'n/a' if value is None else format(value, '.2f')}" for name, value in figures.items())
    is_good = found["outcome"] == "finished" and found["verified"]
    return answer(f"{text}  {'verified' if is_good else 'not verified'}", OK if is_good else FAILED, **figures)


def launches(device: Device, kind: str, is_quick: bool) -> Row:
    """Parts a second of the smallest work there is, on four streams."""
    if kind == "simulated":
        return answer("its clock is virtual", NA)
    streams, repeat = 4, 100 if is_quick else 1000
    operations = [memset(1 + 10 * s + n, s, f"x{s}", n) for s in range(streams) for n in range(5)]
    one = program(operations, [Buffer(f"x{s}", (1,)) for s in range(streams)])
    rows = run(device, one, repeat)
    device.close()
    seconds = (int(rows[:, 7].max()) - int(rows[:, 6].min())) / 1e9
    waits_ns = np.percentile(rows[:, 6] - rows[:, 8], (50, 99))
    p50_us, p99_us = (float(wait) / 1e3 for wait in waits_ns)
    text = f"{len(rows) / seconds:,.0f} parts/s; handed over to start p50 {p50_us:.0f} us, p99 {p99_us:.0f} us"
    return answer(text, parts_per_s=len(rows) / seconds, wait_p50_us=p50_us, wait_p99_us=p99_us)


def replays(device: Device, is_quick: bool) -> Row:
    """Twelve short kernels on two streams, an iteration that repeats: single launches, replays, and what is used."""
    if not isinstance(device, CudaDevice):
        return answer("only a GPU captures its work", NA)
    repeat = 20 if is_quick else 2000
    one = short_kernels()
    device.prepare(one, SEED)
    at_once = device.rehearse(repeat)
    found = device.rehearsal
    if found is None:
        return answer("CUPTI measures, or CUDA would not capture this", NA)
    batches: list[np.ndarray] = []
    began = time.perf_counter()
    outcome = asyncio.run(run_program(device, one, repeat, RunControl(), batches.append, at_once))
    seconds = time.perf_counter() - began
    wanted = expected_outputs(one, SEED)
    wrong = [name for name, each in wanted.items() if not is_equal(device.read(name), *each)]
    device.close()
    figures = {"single_us": found.single_ns / 1e3, "replay_us": found.replay_ns / 1e3, "at_once": float(at_once)}
    text = f"an iteration {figures['single_us']:.1f} us part by part, {figures['replay_us']:.1f} us as a graph; "
    text += f"{at_once} at once; the run {seconds / repeat * 1e6:.1f} us an iteration"
    is_good = outcome.outcome == "finished" and not wrong
    return answer(f"{text}  {'equals the reference' if is_good else 'differs'}", OK if is_good else FAILED, **figures)


def short_kernels() -> Program:
    """Two streams that take turns on two small buffers."""
    given = (("alpha", 0.5), ("beta", 0.25))
    operations: list[Operation] = [copy_in(1, 0, "a"), copy_in(2, 1, "b")]
    for task in range(10, 22):
        source, target = ("a", "b") if task % 2 else ("b", "a")
        operations.append(kernel(task, task % 2, "saxpy", reads=(source, target), writes=(target,), parameters=given))
    buffers = [Buffer(name, (1 << 14,), fill=Fill(FillKind.SEED, 1)) for name in ("a", "b")]
    return program(race_free([*operations, copy_out(30, 0, "a"), copy_out(31, 1, "b")]), buffers)


def beats(device: Device, is_quick: bool) -> Row:
    """How late an 8 ms beat on the loop comes while the loop drives a run."""
    one = video(12, 3, 128 if is_quick else 1024)
    late: list[float] = []

    async def beat() -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            due = max(due + BEAT_SECONDS, loop.time())
            await asyncio.sleep(due - loop.time())
            late.append((loop.time() - due) * 1e3)

    async def both() -> str:
        beating = asyncio.create_task(beat())
        try:
            return (await run_program(device, one, 10 if is_quick else 50, RunControl(), lambda rows: None)).outcome
        finally:
            beating.cancel()

    device.prepare(one, SEED)
    outcome = asyncio.run(both())
    device.close()
    p50, p99 = np.percentile(late or [0.0], (50, 99))
    text = f"{len(late)} beats, late by p50 {p50:.2f} ms, p99 {p99:.2f} ms, at most {max(late, default=0.0):.2f} ms"
    state = OK if outcome == "finished" else FAILED
    return answer(text, state, p50_ms=float(p50), p99_ms=float(p99), max_ms=max(late, default=0.0))


def recovers(kind: str) -> Row:
    """A process that lost its device ends with a code of its own; the next process opens the device and runs."""
    if kind == "cpu":
        return answer("a processor has no address of its own to fault on", NA)
    if kind == "simulated":
        lost = SimulatedDevice(load_profile("h200-like"), [FailPart(2, is_sticky=True)])
        lost.prepare(broken("tanh"), SEED)
        asyncio.run(run_program(lost, broken("tanh"), 1, RunControl(), lambda rows: None))
        assert "is lost" in refusal(lambda: lost.prepare(broken("tanh"), SEED))
        run(SimulatedDevice(load_profile("h200-like")), broken("tanh"))
        return answer("a device lost by a planted fault; the next one runs")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, __file__, "--device", kind, "--crash"], capture_output=True, text=True, check=False
    )
    if done.returncode != CRASHED:
        return answer(f"exit code {done.returncode} instead of {CRASHED}: {done.stderr[-300:]}", FAILED)
    lost_s = time.monotonic() - began
    run(opened(kind), broken("tanh"))
    return answer(f"{done.stderr.strip()} Lost and found again in {lost_s:.1f} s", lost_s=lost_s)


def batches(kind: str, ask: Callable[[Launcher | None, bool], Found], is_quick: bool) -> Row:
    """What a search launches: the numbers of its twin on the processor, and how many a second."""
    if kind == "simulated":
        return answer("nothing is searched on a virtual clock", NA)
    found = ask(CudaLauncher() if is_gpu(kind) else None, is_quick)
    return answer(found.text, OK if found.is_right else FAILED, **found.figures)


def broken(name: str) -> Program:
    """A copy, a kernel and a copy back."""
    kinds = "int64" if name == "bad_pointer" else "float32"
    buffers = [Buffer(each, (64,), kinds, fill=Fill(FillKind.SEED, 1)) for each in ("a", "b")]
    reads = ("a", "b") if name == "bad_pointer" else ("a",)
    operations: list[Operation] = [copy_in(1, 0, "a"), kernel(2, 0, name, reads=reads, writes=("b",))]
    return program(race_free([*operations, copy_out(3, 0, "b")]), buffers)


def crash(kind: str) -> int:
    """In a process of its own: loses the GPU, and says so."""
    with kernels(BadPointer()):
        device = opened(kind)
        device.prepare(broken("bad_pointer"), SEED)
        try:
            asyncio.run(run_program(device, broken("bad_pointer"), 1, RunControl(), lambda rows: None))
        except LostDeviceError as error:
            sys.stderr.write(error.sentence + "\n")
            sys.stderr.flush()
            os._exit(CRASHED)
    return 1


def beside_cupy(device: Device, kind: str, is_quick: bool) -> Row:
    """The same work as cupyx.profiler.benchmark times it, beside our own stamps of it."""
    if not is_gpu(kind):
        return answer("CuPy measures a GPU", NA)
    import cupy
    from cupyx.profiler import benchmark

    size = 1 << (20 if is_quick else 26)
    x, y = cupy.ones(size, cupy.float32), cupy.ones(size, cupy.float32)
    add = cupy.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = 2 * x + 3 * y", "ours_beside")
    theirs_us = float(benchmark(add, (x, y, cupy.empty_like(x)), n_repeat=50).gpu_times.min()) * 1e6
    del x, y
    buffers = [Buffer(name, (size,)) for name in "xyz"]
    given = (("alpha", 2.0), ("beta", 3.0))
    one = program([kernel(1, 0, "saxpy", reads=("x", "y"), writes=("z",), parameters=given)], buffers)
    rows = run(device, one, 50)
    device.close()
    ours_us = float((rows[:, 7] - rows[:, 6]).min()) / 1e3
    text = f"ours {ours_us:.1f} us, CuPy {theirs_us:.1f} us, {ours_us / theirs_us:.2f} x"
    return answer(text, ours_us=ours_us, theirs_us=theirs_us, ratio=ours_us / theirs_us)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="warploom-check-") as folder:
        for variable, place in (("NUMBA_CACHE_DIR", ROOT / ".cache" / "numba"), ("CUPY_CACHE_DIR", Path(folder))):
            os.environ.setdefault(variable, str(place))
        sys.exit(main(sys.argv[1:]))
