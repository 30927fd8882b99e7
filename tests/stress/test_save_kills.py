"""A save that is killed: 200 times with SIGKILL, spread over writing, flushing and renaming."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KILLS = 200


def kill_saves(kills: int, seed: int, folder: Path) -> dict[str, object]:
    """Runs the killer in a process of one thread, which may fork, and returns what it saw."""
    command = [sys.executable, "-m", "tests.stress.save_kills", str(kills), str(seed), str(folder)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_that_a_killed_save_loses_nothing_older_than_the_last_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = kill_saves(KILLS, seed=1, folder=tmp_path)
    fell = seen["fell"]
    with capsys.disabled():
        print(f"\n{seen['kills']} kills over {seen['saves']} completed saves; they fell")
        for where, count in fell.items():
            print(f"  {count:4} in {where}")
    assert seen["faults"] == []
    assert seen["left"] == ["plan.loom", "plan.loom~1", "plan.loom~2", "plan.loom~3"]
    assert sum(fell.values()) == KILLS
    for step in ("save: write", "save: fsync file", "save: rename", "autosave: write", "autosave: rename"):
        assert fell.get(step, 0) >= 3, f"too few kills fell in {step}"
