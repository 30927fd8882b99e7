"""What the window asks and tells beside itself. Every dialog is opened, never executed: nothing waits inside one."""
