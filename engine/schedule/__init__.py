"""WHEN: pure functions from Plan to Schedule. Never a device, never a file."""
