"""The main job, as a person does it: open the video pipeline, drag a bar, undo, run it, see its streams overlap."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.model import Plan
from engine.session.jobs import Outcome, RunJob
from engine.trace.timeline import Span
from tests.gui.shell import emitted, ended, shown
from tests.gui.test_main_window import bar, drag


async def test_that_the_video_pipeline_is_dragged_undone_and_run_with_its_streams_overlapping(
    qapp: QApplication,
) -> None:
    async with shown(qapp, start=None) as (window, _):
        card = window.welcome.cards[0]
        await emitted(window.bridge.document_opened, lambda: QTest.mouseClick(card, Qt.MouseButton.LeftButton))
        await asyncio.sleep(0)
        before = window.bridge.state
        assert before is not None
        first_kernel = next(task.id for task in before.plan.tasks if task.name == "denoise")
        drag(window, bar(window, first_kernel), 120)
        assert window.bridge.state.schedule.start_of(first_kernel) > before.schedule.start_of(first_kernel)
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert window.bridge.state.plan == before.plan
        QTest.keyClick(window, Qt.Key.Key_F5)
        job = window.bridge.current_run
        await ended(window.bridge)
        assert (job.outcome, job.error) == (Outcome.FINISHED, "")
        check_stamps(before.plan, job)
        outputs = {output.buffer: output.is_equal for output in job.outputs}
        assert outputs == {f"clean {frame}": True for frame in range(9)}
        assert set(window.gantt._look.actuals) == {span.task for span in job.timeline.spans()}


def check_stamps(plan: Plan, job: RunJob) -> None:
    """One span an operation, order on each stream, links across streams, and two streams at work at one instant."""
    spans = job.timeline.spans()
    by_task = {span.task: span for span in spans}
    assert len(spans) == len(by_task)
    assert set(by_task) == {task.id for task in plan.tasks if task.operation is not None}
    for link in plan.dependencies:
        assert by_task[link.predecessor].end_ns <= by_task[link.successor].start_ns
    streams: dict[int, list[Span]] = defaultdict(list)
    for span in spans:
        streams[span.stream].append(span)
    assert len(streams) == 3
    for row in streams.values():
        assert all(before.end_ns <= after.start_ns for before, after in pairwise(row))
        assert [span.task for span in row] == [op.task for op in job.program.by_stream()[row[0].stream]]
    assert any(_overlap(one, two) for one in streams[0] for two in (*streams[1], *streams[2]))


def _overlap(one: Span, two: Span) -> bool:
    return one.start_ns < two.end_ns and two.start_ns < one.end_ns
