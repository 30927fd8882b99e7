"""A thousand faults of runs, devices and windows: none leaves a process, shared memory or a file behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROUNDS, FAULTS = 10, 100


def suffer(faults: int, seed: int) -> dict[str, object]:
    """Runs the faults in a process of its own and returns what it saw."""
    command = [sys.executable, "-m", "tests.stress.device_faults", str(faults), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="what is left is looked for in /proc and /dev/shm")
@pytest.mark.parametrize("number", range(ROUNDS))
def test_that_a_thousand_faults_leave_nothing_behind(capsys: pytest.CaptureFixture[str], number: int) -> None:
    seen = suffer(FAULTS, seed=1_000 * number)
    with capsys.disabled():
        print(f"\n{seen['faults']} faults, {seen['rings']} pieces of shared memory")
        for kind, count in seen["kinds"].items():
            print(f"  {count:4} {kind}")
    assert (seen["faults"], seen["wrong"]) == (FAULTS, [])
