"""RUNNING: the only code that touches a device. Never Qt."""
