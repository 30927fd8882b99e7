"""What is advised for the plan of a document, as a view asks for it. It never changes the plan."""

from __future__ import annotations

from engine.model import Clock
from engine.process import adviser
from engine.process.messages import AdviceRequest
from engine.program.advice import MOST_OPERATIONS, Advice
from engine.session.document import Document

__all__ = ["Advice", "find_advice"]

# After so long what was found is told, and no more is looked for.
MOST_SECONDS = 2.0


async def find_advice(document: Document) -> tuple[Advice, ...]:
    """The advice for the plan as it is now, found in a process of its own, which ends when this is canceled.

    There is none for a calendar plan or a large one, for which no process is started.
    """
    plan = document.state.plan
    if plan.clock is not Clock.DEVICE or sum(task.operation is not None for task in plan.tasks) > MOST_OPERATIONS:
        return ()
    return await adviser.ask(AdviceRequest(plan, document.profile.to_json(), document.folder, MOST_SECONDS))
