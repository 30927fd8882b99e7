"""Every CUDA source becomes machine code for the architectures we speak of, within what leaves a GPU full of threads.

It needs the wheel nvidia-cuda-nvrtc; no GPU and no driver.
"""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.nvrtc import SourceError, build, find_library

LIBRARY = find_library()
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="nvidia-cuda-nvrtc is not installed")

# Registers a thread may take while as many threads as an SM holds are resident: 65536 by 1024, 2048, 2048 and 1536.
REGISTERS = {75: 64, 80: 32, 90: 32, 120: 40}
# What a search launches keeps its candidates in shared memory, which is full long before so many threads are resident.
# A sample walks a network and its calendars in 64 bits: it waits for memory, and has a few hundred threads an SM.
SEARCH_REGISTERS = {"sgs": 64, "decode": 64, "vary": 40, "walk": 80, "relink": 40, "sample": 152}
SHARED_BYTES = 4096
SOURCES = sorted(path for folder in ("engine", "docs") for path in (ROOT / folder).rglob("*.cu"))
SPILLING = """
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(float* out, const float* in, int turns)
{
    float held[96];
    for (int i = 0; i < 96; ++i) held[i] = in[i * threadIdx.x];
    for (int turn = 0; turn < turns; ++turn)
        for (int i = 0; i < 96; ++i) held[i] = held[i] * held[(i + 1) % 96] + in[turn];
    for (int i = 0; i < 96; ++i) out[threadIdx.x * 96 + i] = held[i];
}
"""


@pytest.mark.parametrize("architecture", REGISTERS)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_that_a_source_builds_within_its_budget(path: Path, architecture: int) -> None:
    built = build(path.read_text(encoding="utf-8"), path.name, architecture, LIBRARY)
    assert 0 < built.registers <= SEARCH_REGISTERS.get(path.stem, REGISTERS[architecture])
    assert built.shared_bytes <= SHARED_BYTES
    assert built.spilled_bytes == 0
    assert built.code_bytes > 1000


def test_that_what_spills_is_seen() -> None:
    built = build(SPILLING, "spilling.cu", 90, LIBRARY)
    assert built.spilled_bytes > 0
    assert built.registers <= REGISTERS[90]


def test_that_a_mistake_is_told_with_its_line() -> None:
    with pytest.raises(SourceError, match=r"wrong\.cu\(2\): error"):
        build('extern "C" __global__ void f(float* x) {\n  y[0] = 1;\n}', "wrong.cu", 90, LIBRARY)
