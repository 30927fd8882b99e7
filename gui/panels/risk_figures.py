"""Figures of risk as rows of tables: what moves the end, tasks, deadlines, what a date takes. It never simulates."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from engine.model import TaskId
from engine.session.risking import PERCENTS, Answers, Outlook, Swing, SwingKind, Take, TakeKind, outlook_of
from engine.session.state import State
from gui.panels.risk_table import Column, Rows
from gui.panels.risk_words import (
    buffer_of,
    chance_words,
    percent_text,
    swing_name,
    take_name,
)
from gui.plan_words import change_text, duration_text, full_name, instant_text
from gui.sample_words import row_sentence

_AT_80 = PERCENTS.index(80)


def things(state: State, answers: Answers) -> tuple[TaskId | None, ...]:
    """What a person can ask about: the project, and each task that the answers tell of."""
    return (None, *(item.task for item in answers.items if item.task in state.plan.rows))


def outlook_in(state: State, answers: Answers, task: TaskId | None) -> Outlook | None:
    """When one thing may be done, in a plan and what is known of it."""
    if task is None:
        return outlook_of(answers, None, answers.planned)
    return outlook_of(answers, task, state.schedule.finish_of(task)) if task in state.plan.rows else None


def swing_rows(state: State, answers: Answers) -> Rows:
    """What moves the end, the widest first: tasks, events and drivers together."""
    plan, first = state.plan, f"{answers.row_count:,}"
    swings: list[Swing] = sorted((*answers.swings, *answers.drivers), key=lambda swing: -swing.width)
    swings = [swing for swing in swings if swing.width > 0]
    most = max((max(abs(swing.low), abs(swing.high)) for swing in swings), default=1.0)

    def least(row: int) -> str:
        return change_text(plan, round(min(swings[row].low, swings[row].high)), is_rough=True) or "0"

    def greatest(row: int) -> str:
        return change_text(plan, round(max(swings[row].low, swings[row].high)), is_rough=True) or "0"

    return Rows(
        len(swings),
        (
            Column(
                _tr("What moves the end"),
                lambda row: swing_name(swings[row]),
                is_number=False,
                meaning=_tr(
                    "Tasks, events and drivers, by how far they move the end in the first {first} samples"
                ).format(first=first),
            ),
            Column(_tr("How far"), lambda _row: "", np.array([swing.width for swing in swings]), is_number=False),
            Column(_tr("Earliest"), least, np.array([min(each.low, each.high) for each in swings])),
            Column(_tr("Latest"), greatest, np.array([max(each.low, each.high) for each in swings])),
            Column(
                _tr("Goes with the end"),
                lambda row: f"{swings[row].correlation:.2f}".replace("-", "\N{MINUS SIGN}"),
                np.array([swing.correlation for swing in swings]),
            ),
        ),
        lambda row: swings[row].id if swings[row].kind is SwingKind.TASK else None,
        lambda row: (swings[row].low / most, swings[row].high / most),
    )


def task_rows(state: State, answers: Answers) -> Rows:
    """Every task: how often it decides the end, how far the end goes along with its length, when it is done."""
    plan, first = state.plan, f"{answers.row_count:,}"

    def critical(row: int) -> str:
        return chance_words(answers.criticality_of(row))

    def done(row: int) -> str:
        return instant_text(plan, int(answers.row_finish[row, _AT_80]))

    return Rows(
        len(answers.tasks),
        (
            Column(_tr("Task"), lambda row: full_name(plan, answers.tasks[row]), is_number=False),
            Column(
                _tr("Criticality (95 %)"),
                critical,
                answers.criticality,
                meaning=_tr("In how many samples the task decides the end, and how sure that figure is of itself"),
            ),
            Column(
                _tr("Cruciality"),
                lambda row: f"{answers.cruciality[row]:.2f}",
                answers.cruciality,
                meaning=_tr(
                    "How far the end goes along with the task's length, 0 to 1, in the first {first} samples"
                ).format(first=first),
            ),
            Column(
                _tr("P80 finish"),
                done,
                answers.row_finish[:, _AT_80],
                is_number=False,
                tip=lambda row: row_sentence(plan, answers, row),
                meaning=_tr(
                    "By all samples for milestones, summaries and what has a deadline, by the first {first} for"
                    " other tasks"
                ).format(first=first),
            ),
        ),
        lambda row: answers.tasks[row],
    )


def deadline_rows(state: State, answers: Answers) -> Rows:
    """The chance of each deadline, and the buffer that 80 % needs."""
    plan, found = state.plan, [each for each in answers.deadlines if each.task in state.plan.rows]
    outlooks = [outlook_in(state, answers, each.task) for each in found]

    def done(row: int) -> str:
        outlook = outlooks[row]
        return "" if outlook is None else instant_text(plan, outlook.at(0.8).value)

    def buffer(row: int) -> str:
        outlook = outlooks[row]
        return "" if outlook is None else duration_text(plan, max(0, buffer_of(state, outlook, 0.8)))

    return Rows(
        len(found),
        (
            Column(_tr("Task"), lambda row: full_name(plan, found[row].task), is_number=False),
            Column(
                _tr("Deadline"),
                lambda row: instant_text(plan, found[row].deadline),
                np.array([each.deadline for each in found], dtype=np.int64),
                is_number=False,
            ),
            Column(
                _tr("Chance (95 %)"),
                lambda row: chance_words(found[row].chance),
                np.array([each.chance.value for each in found]),
            ),
            Column(_tr("P80 finish"), done, is_number=False),
            Column(_tr("P80 buffer"), buffer),
        ),
        lambda row: found[row].task,
    )


def take_rows(state: State, changes: tuple[Take, ...]) -> Rows:
    """The changes that a date takes, and what each is to be found in."""
    plan = state.plan
    chances = {event.id: event.chance for event in plan.risks.events}

    def price(row: int) -> str:
        return duration_text(plan, changes[row].price)

    def by(row: int) -> str:
        change = changes[row]
        if change.kind is TakeKind.SHORTEN:
            return duration_text(plan, plan.task(change.id).duration) if change.id in plan.rows else ""
        return percent_text(chances.get(change.id, 0.0))

    return Rows(
        len(changes),
        (
            Column(_tr("Change"), lambda row: take_name(changes[row]), is_number=False),
            Column(_tr("Work to find"), price, np.array([each.price for each in changes], dtype=np.int64)),
            Column(_tr("Planned now"), by, is_number=False),
        ),
        lambda row: changes[row].id if changes[row].kind is TakeKind.SHORTEN else None,
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Risk", text)
