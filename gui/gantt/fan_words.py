"""Fan words: what samples say of a finish, and of how critical a task is, as sentences. They never draw."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.model import Plan, TaskId
from engine.session.risking import Answers, Bounded, FinishAnswer, Spot
from gui.gantt.words import full_name, instant_text

translate = QCoreApplication.translate


def finish_sentences(plan: Plan, answers: Answers, found: FinishAnswer) -> str:
    """When something is done, how sure each figure is, of how many samples, and the chance to meet a deadline."""
    name = plan.name if found.task is None else full_name(plan, found.task)
    named = zip((50, 80, 90), (found.p50, found.p80, found.p90), strict=True)
    lines = [translate("Fans", "“{name}” is done, in {count} samples:").format(name=name, count=f"{answers.count:,}")]
    lines += [_spot_line(plan, percent, spot) for percent, spot in named]
    if found.task is None:
        chance = answers.chance_by(answers.planned)
        words = translate("Fans", "Done by {date} as planned: {chance}")
        lines.append(words.format(date=instant_text(plan, answers.planned), chance=chance_text(chance)))
    return "\n".join((*lines, *deadline_lines(plan, answers, found.task)))


def share_sentence(answers: Answers, share: Bounded) -> str:
    """How often a task is critical: "Critical in 63 % ± 2 of 10,000 samples"."""
    words = translate("Fans", "Critical in {share} of {count} samples")
    return words.format(share=chance_text(share), count=f"{answers.count:,}")


def chance_text(chance: Bounded) -> str:
    """A share with the greater part of its interval: "63 % ± 2"."""
    around = max(chance.high - chance.value, chance.value - chance.low)
    return f"{chance.value * 100:.0f} % ± {max(round(around * 100), 1)}"


def _spot_line(plan: Plan, percent: int, spot: Spot) -> str:
    words = translate("Fans", "P{percent}: {date} ({low} to {high})")
    dates = (instant_text(plan, tick) for tick in (spot.value, spot.low, spot.high))
    return words.format(percent=percent, **dict(zip(("date", "low", "high"), dates, strict=True)))


def deadline_lines(plan: Plan, answers: Answers, task: TaskId | None) -> list[str]:
    """The chance that a task is done by its deadline; nothing where it has none, or nothing is known of it."""
    words = translate("Fans", "Chance to meet its deadline, {date}: {chance}")
    return [
        words.format(date=instant_text(plan, each.deadline), chance=chance_text(each.chance))
        for each in answers.deadlines
        if each.task == task
    ]
