"""What is advised for the plan of a document, as a view or a verb asks for it. It never changes the plan."""

from __future__ import annotations

from engine.errors import EngineError
from engine.model import Clock, Plan
from engine.process import adviser
from engine.process.messages import AdviceRequest
from engine.program.advice import MOST_OPERATIONS, Advice, advise
from engine.program.compiler import lay_streams
from engine.program.profile import DeviceProfile
from engine.session.document import Document
from engine.session.edits import TakeAdvice

__all__ = ["Advice", "advice_sentence", "find_advice", "find_advice_here"]

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


def find_advice_here(document: Document, profile: DeviceProfile, streams: int = 0) -> tuple[Advice, ...]:
    """The same in this process, however long it takes; for the plan laid onto so many streams (0: as planned)."""
    plan = document.state.plan
    try:
        return advise(lay_streams(plan, streams) if streams else plan, profile, document.folder)
    except EngineError:
        return ()


def advice_sentence(advice: Advice, plan: Plan) -> str:
    """What to do, where, and what one iteration is predicted to save."""
    names = {task.id: task.name for task in plan.tasks}
    what = advice.buffers or tuple(names[task] for task in advice.tasks if task in names)
    more = f" and {len(what) - 1} more" if len(what) > 1 else ""
    where = f" (“{what[0]}”{more})" if what else ""
    gain, before = advice.gain_ns / 1e6, advice.before_ns / 1e6
    return f"{TakeAdvice(advice).label(plan)}{where}: predicted to save {gain:.3f} of {before:.3f} ms."
