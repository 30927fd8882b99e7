"""The CUDA sources under sanitizers: memory, undefined behavior and races; and that each finds what is planted.

Run by "make sanitize". It needs g++ with its sanitizers, not a GPU; what a GPU's own order of threads would show is not
seen.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.cuda_shim import COMPILER, NO_COMPILER, THREAD, build, sources

MEMORY = ("address,undefined", "libasan.so")
RACES = ("thread", "libtsan.so")
FAILED = {"address,undefined": (1, 99), "thread": (66,)}


def runtime(name: str) -> str:
    """Where the compiler keeps a sanitizer's library; the test is skipped without it."""
    if COMPILER is None:
        pytest.skip(NO_COMPILER)
    found = subprocess.run([COMPILER, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = found.stdout.strip()
    if not Path(path).is_absolute():
        pytest.skip(f"{COMPILER} has no {name}")
    return path


def sanitized(
    folder: Path, sanitizer: tuple[str, str], changed: dict[str, str], *names: str
) -> subprocess.CompletedProcess[str]:
    """Every kernel (or those named) in a process of its own, inside of the sanitizer."""
    kind, library = sanitizer
    preload = runtime(library)
    options = ["-O1", f"-fsanitize={kind}", "-fno-omit-frame-pointer"]
    if sanitizer is MEMORY:
        options.append("-fno-sanitize-recover=undefined")
    built = build(folder, THREAD, options, changed)
    environment = {
        **os.environ,
        "LD_PRELOAD": preload,
        # Python itself leaks at its end, on purpose.
        "ASAN_OPTIONS": "detect_leaks=0:exitcode=99",
        # A race is reported only where the history still holds what the other thread did.
        "TSAN_OPTIONS": "halt_on_error=1:exitcode=66:history_size=7",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "tests.sanitize", str(built), *names]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def planted(name: str, whole: str, broken: str) -> dict[str, str]:
    """The source of a kernel with a fault planted."""
    source = sources()[name]
    assert source.count(whole) == 1
    return {name: source.replace(whole, broken)}


@pytest.mark.parametrize("sanitizer", [MEMORY, RACES], ids=["address and undefined behavior", "threads"])
def test_that_no_source_is_reported(tmp_path: Path, sanitizer: tuple[str, str]) -> None:
    done = sanitized(tmp_path, sanitizer, {})
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith(" runs\n")
    assert "Sanitizer" not in done.stderr


@pytest.mark.parametrize(
    ("name", "whole", "broken", "report"),
    [
        ("saxpy", "at < last", "at <= last", "heap-buffer-overflow"),
        ("convolve", "row >= height ? height - 1", "row > height ? height - 1", "heap-buffer-overflow"),
        ("sgs", "candidate < candidates", "candidate <= candidates", "heap-buffer-overflow"),
        ("tanh", "tanhf(x[at])", "tanhf(x[at]) + 0.0f * (float)(2147483647 + (int)last)", "signed integer overflow"),
    ],
)
def test_that_memory_out_of_bounds_and_overflow_are_reported_with_their_line(
    tmp_path: Path, name: str, whole: str, broken: str, report: str
) -> None:
    done = sanitized(tmp_path, MEMORY, planted(name, whole, broken), name)
    assert done.returncode in FAILED["address,undefined"], (done.returncode, done.stderr[-2000:])
    assert report in done.stderr
    assert f"{name}.cu:" in done.stderr


@pytest.mark.parametrize(
    ("name", "whole", "broken"),
    [
        ("reduce", "    __syncthreads();\n    for", "    for"),
        ("sgs", "            __syncwarp();\n        }\n", "        }\n"),
    ],
)
def test_that_a_missing_barrier_is_reported_as_a_race_with_its_line(
    tmp_path: Path, name: str, whole: str, broken: str
) -> None:
    done = sanitized(tmp_path, RACES, planted(name, whole, broken), name)
    assert done.returncode in FAILED["thread"], (done.returncode, done.stderr[-2000:])
    assert "data race" in done.stderr
    assert f"{name}.cu:" in done.stderr
