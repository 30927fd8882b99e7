"""What is said of how sure a plan is, in sentences and short words. It never simulates."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.model import Plan, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.session.risking import Bounded, Outlook, Spot, Swing, SwingKind, Take, TakeKind, Taken
from engine.session.state import State
from gui.bridge.risking import Risk, Takes
from gui.plan_words import change_text, duration_text, instant_text

_PERCENT = 100


def lesson_words(risk: Risk | None, *, is_on: bool) -> str:
    """What the panel says in the place of figures; empty where there are some."""
    if not is_on or risk is None:
        return _tr(
            "How sure is the finish? Simulate lets every duration vary within its range, ten thousand times over the"
            " whole plan, and shows how often each date is met: after each edit, and while you drag."
        )
    if risk.is_certain:
        return _tr(
            "Nothing in this plan may come otherwise than planned, so there is nothing to simulate. Give tasks a range"
            " by Uncertainty and probability… in the Edit menu, or in the column Range of the table (such as ±20%):"
            " then this shows how sure the finish is."
        )
    if risk.answers is not None:
        return ""
    return risk.sentence or _tr("Getting ready to simulate… The very first time this takes about a minute.")


def headline(plan: Plan, outlook: Outlook, confidence: float) -> str:
    """Such as: P80: Tue 17 Mar 2026 15:00."""
    at = instant_text(plan, outlook.at(confidence).value)
    return _tr("P{percent}: {at}").format(percent=round(_PERCENT * confidence), at=at)


def sure_words(state: State, outlook: Outlook, confidence: float) -> str:
    """Such as: 10,000 samples, P80 within ±2 h."""
    spot, percent = outlook.at(confidence), round(_PERCENT * confidence)
    within = within_text(state, outlook.task, spot)
    words = _tr("{count} samples, P{percent} within ±{within} (95 % sure of that).")
    return words.format(count=f"{outlook.count:,}", percent=percent, within=within)


def within_text(state: State, task: TaskId | None, spot: Spot) -> str:
    """How far an instant may be from the true one: the larger of both sides, in working time."""
    widest = max(worked(state, task, spot.low, spot.value), worked(state, task, spot.value, spot.high))
    return duration_text(state.plan, widest)


def change_words(state: State, now: Outlook, before: Outlook | None, confidence: float) -> str:
    """How far a confidence moved from what it was before; empty where nothing is known of that."""
    if before is None:
        return ""
    percent = round(_PERCENT * confidence)
    by = worked(state, now.task, before.at(confidence).value, now.at(confidence).value)
    if not by:
        return _tr("P{percent} is where it was before.").format(percent=percent)
    return _tr("P{percent} {change} from before.").format(
        percent=percent, change=change_text(state.plan, by, is_rough=True)
    )


def buffer_words(state: State, outlook: Outlook, confidence: float) -> str:
    """How long after the planned finish a confidence is: the buffer that it needs."""
    percent, by = round(_PERCENT * confidence), buffer_of(state, outlook, confidence)
    planned = instant_text(state.plan, outlook.planned)
    if by <= 0:
        return _tr("P{percent} needs no buffer after the planned finish, {at}.").format(percent=percent, at=planned)
    words = _tr("P{percent} needs a buffer of {by} after the planned finish, {at}.")
    return words.format(percent=percent, by=duration_text(state.plan, by), at=planned)


def buffer_of(state: State, outlook: Outlook, confidence: float) -> Ticks:
    """Working time from the planned finish to a confidence; below 0 where that is earlier."""
    return worked(state, outlook.task, outlook.planned, outlook.at(confidence).value)


def chance_words(chance: Bounded) -> str:
    """Such as: 63 % (62-64 %)."""
    low, high = percent_text(chance.low), percent_text(chance.high)
    return f"{percent_text(chance.value)} ({low.removesuffix(' %')}\N{EN DASH}{high})"


def percent_text(share: float) -> str:
    """A share in whole percent, but never all or nothing where it is not."""
    percent = round(_PERCENT * share)
    if percent == 0 and share > 0:
        return "<1 %"
    if percent == _PERCENT and share < 1:
        return ">99 %"
    return f"{percent} %"


def swing_name(swing: Swing) -> str:
    """What moves the end, and which kind of thing it is."""
    if swing.kind is SwingKind.EVENT:
        return _tr("{name} (event)").format(name=swing.name)
    return _tr("{name} (driver)").format(name=swing.name) if swing.kind is SwingKind.DRIVER else swing.name


def take_name(take: Take) -> str:
    """One change that a date takes."""
    if take.kind is TakeKind.AVERT:
        return _tr("Keep “{name}” from happening").format(name=take.name)
    return _tr("Do “{name}” in {percent} % less time").format(name=take.name, percent=take.by)


def takes_words(state: State, found: Takes | None, confidence: float, *, is_asked: bool) -> str:
    """How the look for changes goes, or what they come to."""
    if found is None:
        if is_asked:
            return _tr("Looking for the cheapest changes…")
        return _tr("Choose a date and how sure it is to be: the cheapest few changes that bring it are listed here.")
    taken, at = found.taken, instant_text(state.plan, found.taken.finish)
    percent = round(_PERCENT * confidence)
    if not found.is_over:
        return _tr("Looking… so far P{percent} is {at}.").format(percent=percent, at=at)
    return _ended(taken).format(percent=percent, at=at, count=len(taken.changes))


def _ended(taken: Taken) -> str:
    if taken.is_enough and not taken.changes:
        return _tr("It takes nothing: P{percent} is {at} already.")
    if taken.is_enough:
        return (
            _tr("With this change P{percent} is {at}.")
            if len(taken.changes) == 1
            else _tr("With these {count} changes P{percent} is {at}.")
        )
    if taken.changes:
        return _tr("These {count} changes bring P{percent} to {at}: no few changes bring it to that date.")
    return _tr("P{percent} is {at}, and no change to a task or an event was found that brings it forward.")


def made_words(risk: Risk | None, wanted: Ticks, confidence: float) -> str:
    """Whether a plan in which changes were made meets a wanted date with a confidence; None: it is not yet known."""
    if risk is None or risk.answers is None:
        return _tr("The change is made. Whether the wanted date is met is being simulated…")
    state, answers = risk.state, risk.answers
    at, plan = answers.finish_at(confidence), state.plan
    if at <= wanted:
        words = _tr("Met: P{percent} is {at}, wanted was {wanted}. Its chance is {chance}, of {count} samples.")
    else:
        words = _tr(
            "Not met yet: P{percent} is {at}, {by} after the wanted {wanted}. Its chance is {chance}, of {count}"
            " samples. Look again for what is missing."
        )
    return words.format(
        percent=round(_PERCENT * confidence),
        at=instant_text(plan, at),
        wanted=instant_text(plan, wanted),
        by=duration_text(plan, worked(state, None, wanted, at)) if at > wanted else "",
        chance=chance_words(answers.chance_by(wanted)),
        count=f"{answers.count:,}",
    )


def worked(state: State, task: TaskId | None, first: Ticks, second: Ticks) -> Ticks:
    """Signed work from one instant to another, by the calendar of a task or of the plan."""
    time = working_time(state.plan) if task is None else state.schedule.working_time_of(task)
    return int(time.between(first, second))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Risk", text)
