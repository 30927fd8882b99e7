"""Sample words: of how many samples a figure of one row is, as a sentence. They never simulate."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.model import Plan
from engine.session.risking import PERCENTS, Answers
from gui.plan_words import full_name, instant_text

translate = QCoreApplication.translate


def row_sentence(plan: Plan, answers: Answers, row: int) -> str:
    """By when a row is done in 80 of 100 samples, and of which: all of them, or those of which every row is kept."""
    task = plan.tasks[row]
    count, first = f"{answers.count:,}", f"{answers.row_count:,}"
    if answers.row_count >= answers.count or any(each.task == task.id for each in answers.items):
        words = translate("Samples", "P80 of “{name}” in {count} samples: {date}")
    else:
        words = translate(
            "Samples",
            "P80 of “{name}” in the first {first} of {count} samples: {date}."
            " All of them count for milestones, summaries and what has a deadline.",
        )
    date = instant_text(plan, int(answers.row_finish[row, PERCENTS.index(80)]))
    return words.format(name=full_name(plan, task.id), first=first, count=count, date=date)
