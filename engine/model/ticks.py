"""The numbers that plans are made of: instants, lengths and ids. It never says what a tick lasts; the clock does."""

from __future__ import annotations

# Seconds of naive local time since 1970-01-01 00:00 (calendar plan), or nanoseconds since the run began (device plan).
Ticks = int
TaskId = int
# No instant, duration or lag may be larger, so that sums of many stay inside int64: 3 days on the device clock.
MOST_TICKS = 1 << 48
