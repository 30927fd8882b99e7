"""What is said of a set-up before a bar. It never draws one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.model import Plan
from engine.schedule.setups import Setup
from gui.plan_words import exact_text

translate = QCoreApplication.translate


def setup_words(plan: Plan, setup: Setup) -> str:
    """Set-up from “red” to “blue”, 45 min."""
    words = translate("Setups", "Set-up from “{before}” to “{after}”, {length}")
    said = words.format(before=setup.family, after=setup.to_family, length=exact_text(plan, setup.ticks))
    if not setup.is_short:
        return said
    return translate("Setups", "{setup}; there is no time for it between the two").format(setup=said)
