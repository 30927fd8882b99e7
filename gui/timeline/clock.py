"""RunClock: which instant of a run is now, between one batch of spans and the next. It never reads a clock itself.

A device that stamps by a real clock tells its time only with the parts that end, a little late. The run's now is the
reader's clock plus the largest offset seen, so it never runs ahead of the device and never goes back. It goes on in a
pause, as the device's does: it would have to jump when the run goes on. A simulated device's time is not the
reader's: there now glides towards the last end.
"""

from __future__ import annotations

_GLIDE = 0.25
_NEAR_NS = 1_000


class RunClock:
    """The now of one run. `is_real` says that the device's nanoseconds are those of the reader's clock."""

    def __init__(self, is_real: bool) -> None:
        self._is_real = is_real
        self._offset: int | None = None
        self._last_end = 0
        self._shown = 0

    def saw(self, end_ns: int, at_ns: int, is_last: bool = False) -> None:
        """Spans up to `end_ns` of the run had arrived when the reader's clock showed `at_ns`.

        After the last ones now is their end, for as long as it takes to check the results.
        """
        self._is_real = self._is_real and not is_last
        self._last_end = max(self._last_end, end_ns)
        offset = self._last_end - at_ns
        self._offset = offset if self._offset is None else max(self._offset, offset)

    def now(self, at_ns: int) -> int | None:
        """The run's instant when the reader's clock shows `at_ns`; None before anything arrived. Never goes back."""
        if self._offset is None:
            return None
        if self._is_real:
            self._shown = max(self._shown, at_ns + self._offset)
            return self._shown
        left = self._last_end - self._shown
        self._shown += left if left <= _NEAR_NS else round(left * _GLIDE)
        return self._shown
