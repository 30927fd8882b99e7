"""The board: an alternative to the Gantt chart, whose rows are resources."""
