"""What an empty chart says: what it will show, and the one action that fills it. It never knows a plan."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gui.canvas.shapes import Align, Label, Shape
from gui.theme import METRICS


def lesson(width: float, middle: float) -> list[Shape]:
    """Two lines in the middle of a chart."""
    title = QCoreApplication.translate("GanttView", "Nothing is planned yet")
    hint = QCoreApplication.translate(
        "GanttView", "Tasks stand here as bars over time. Press Ins to add the first one."
    )
    return [
        Label(0, middle - 24, width, title, "text", Align.CENTER, is_bold=True, px=METRICS.title_px),
        Label(0, middle, width, hint, "muted", Align.CENTER),
    ]
