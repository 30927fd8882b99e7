"""What is advised for the plan of a document, as a view asks for it. It never changes the plan."""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import EngineError
from engine.model import Clock
from engine.program.advice import Advice, advise
from engine.session.document import Document

__all__ = ["Advice", "adviser"]


def adviser(document: Document, is_wanted: Callable[[], bool]) -> Callable[[], tuple[Advice, ...]]:
    """What finds the advice for the plan as it is now, in a worker; nothing for a plan that cannot run."""
    plan, profile, folder = document.state.plan, document.profile, document.folder

    def find() -> tuple[Advice, ...]:
        try:
            return advise(plan, profile, folder, is_wanted) if plan.clock is Clock.DEVICE else ()
        except EngineError:
            return ()

    return find
