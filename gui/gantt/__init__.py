"""The Gantt chart and its task table. Never a device."""
