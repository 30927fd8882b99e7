"""The verbs of the command line, one function each. Never Qt; what a verb needs loads when it is called."""

from engine.headless.cli import VERBS, main

__all__ = ["VERBS", "main"]
