"""HOW IT WILL RUN: pure functions from Plan and Schedule to Program. Never a device."""
