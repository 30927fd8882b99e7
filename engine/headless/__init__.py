"""The verbs of the command line, one function each. Never Qt; what a verb needs loads when it is called."""

from engine.headless.cli import LATER, VERBS, main
from engine.headless.printing import put

__all__ = ["LATER", "VERBS", "main", "put"]
