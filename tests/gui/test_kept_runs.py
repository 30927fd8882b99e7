"""A run that was kept with a plan: measured by the worker that reads the file, before anybody sees it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from engine.model import Plan
from engine.process.client import DeviceClient
from engine.process.host import Host
from engine.session.document import Document
from engine.session.jobs import RunJob, RunOptions
from engine.trace import recorded_run
from engine.trace.overlap import Metrics
from tests.gui.shell import shown, two_frames


async def kept(plan: Plan, path: Path, repeat: int) -> RunJob:
    """A plan in a file with one run of it."""
    document = Document(plan)
    client = DeviceClient("simulated", Host.start)
    job = RunJob(document, client, RunOptions("simulated", repeat))
    await job.run()
    await client.close()
    document.add_run(job.record())
    document.save(str(path))
    return job


async def test_that_a_kept_run_is_never_measured_on_the_windows_thread(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = await kept(two_frames(), tmp_path / "long.loom", 200)
    threads: list[str] = []
    measure = recorded_run.measure_timeline

    def watched(*arguments: object, **options: object) -> Metrics:
        threads.append(threading.current_thread().name)
        return measure(*arguments, **options)

    monkeypatch.setattr(recorded_run, "measure_timeline", watched)
    async with shown(qapp) as (window, _):
        await window.bridge.load(str(tmp_path / "long.loom"))
        qapp.processEvents()
        window.timeline.explaining.go(1)
        window.timeline.explaining.show_path(True)
        assert window.overlap.figures["span"].text() not in {"", "n/a"}
        found = window.bridge.runs[-1].metrics(64)
    assert len(threads) == 1
    assert threads[0] != threading.main_thread().name
    assert found == job.metrics(64)
