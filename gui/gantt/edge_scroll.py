"""EdgeScroll: a chart that scrolls on while something is dragged near its edge, never faster than a person can follow.

It never knows what is dragged.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer

from gui.canvas.shapes import Point

MOST_PX_S = 600.0
_ZONE_PX = 32.0
_TOWARD_PX = 8.0
_TICK_MS = 16
# A window that was late does not jump.
_MOST_TICK_S = 0.05


def pace(at: Point, press: Point, size: Point) -> Point:
    """Pixels a second to the right and down: none in the middle, more the nearer to an edge, at most MOST_PX_S.

    What was pressed near an edge scrolls only once it is carried toward it.
    """
    return _along(at[0], press[0], size[0]), _along(at[1], press[1], size[1])


def _along(at: float, press: float, length: float) -> float:
    before = min(_ZONE_PX, max(press - _TOWARD_PX, 0.0)) - at
    after = at - length + min(_ZONE_PX, max(length - press - _TOWARD_PX, 0.0))
    deep = after if after > 0 else -before if before > 0 else 0.0
    return max(min(deep / _ZONE_PX, 1.0), -1.0) * MOST_PX_S


class EdgeScroll(QObject):
    """`scroll` is told how many pixels to go on, to the right and down, as long as a drag is near an edge."""

    def __init__(self, scroll: Callable[[float, float], None], parent: QObject) -> None:
        super().__init__(parent)
        self._scroll = scroll
        self._pace: Point = (0.0, 0.0)
        self._left: Point = (0.0, 0.0)
        self._since = QElapsedTimer()
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=_TICK_MS)
        self._timer.timeout.connect(self._tick)

    def go(self, speed: Point) -> None:
        """Scroll so fast from now on; not at all stops."""
        self._pace = speed
        if speed == (0.0, 0.0):
            self._timer.stop()
        elif not self._timer.isActive():
            self._left = (0.0, 0.0)
            self._since.start()
            self._timer.start()

    def stop(self) -> None:
        """Nothing is dragged any more."""
        self.go((0.0, 0.0))

    def _tick(self) -> None:
        seconds = min(self._since.restart() / 1000, _MOST_TICK_S)
        x, y = (left + speed * seconds for left, speed in zip(self._left, self._pace, strict=True))
        self._left = (x - int(x), y - int(y))
        if int(x) or int(y):
            self._scroll(int(x), int(y))
