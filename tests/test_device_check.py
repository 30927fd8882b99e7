"""The questions to a device can be asked with neither Qt nor pytest, and every machine has devices to answer them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernels import KERNELS
from tests.batch_check import QUESTIONS
from tests.conftest import ROOT
from tests.contracts.device_contract import CHECKS

BLOCKER = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "qasync", "pytest", "_pytest", "hypothesis"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("device", "unasked"), [("cpu", 3), ("simulated", 3 + len(QUESTIONS))])
def test_that_a_device_answers_with_neither_qt_nor_pytest(tmp_path: Path, device: str, unasked: int) -> None:
    (tmp_path / "sitecustomize.py").write_text(BLOCKER, encoding="utf-8")
    command = [sys.executable, str(ROOT / "tests" / "device_check.py"), "--device", device, "--quick"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    rows = {row["question"]: row for row in found["rows"]}
    assert len(rows) == len(CHECKS) + len(KERNELS) + 3 + 5 + len(QUESTIONS)
    assert found["device"]["kind"] == device
    absent = [row for row in rows.values() if row["state"] != "ok"]
    assert [row["state"] for row in absent] == ["n/a"] * unasked
    assert all(row["answer"] for row in absent)
    assert rows["video pipeline on 3 streams"]["figures"]["span_by_bound"] > 0


@pytest.mark.parametrize("arguments", [("--device", "abacus")])
def test_that_a_device_that_is_not_there_is_told(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, str(ROOT / "tests" / "device_check.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "abacus" in done.stderr
