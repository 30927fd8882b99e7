"""A drawing kit that knows no domain: time scale, shapes, painter. Never a task."""
