"""Spread words: how far a length is certain, as a person reads it. It never reads what somebody typed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from engine.model import Plan, Spread, SpreadKind, Task, TaskRisk
from gui.plan_words import length_text

_DASH = "\N{EN DASH}"


def spread_words(plan: Plan, task: Task, spread: Spread | None) -> str:
    """A range of a task's length: "±20 %", "10 d ± 2 d", "PERT 8 to 15 d" with dashes; nothing where there is none."""
    if spread is None:
        return ""
    low, likely, high = (_number(plan, task, each, is_percent=spread.is_percent) for each in _ends(spread))
    return _words_of(spread).format(
        low=low,
        likely=likely,
        high=high,
        two=_together([low, high] if low != high else [low]),
        three=_together([low, likely, high]),
        deviation=_number(plan, task, spread.deviation, is_percent=spread.is_percent),
        far=f"{spread.high - 100:.4g}",
        count=f"{len(spread.values):,}",
    )


def _words_of(spread: Spread) -> str:
    is_even = spread.is_percent and spread.likely == 100 and spread.high - 100 == 100 - spread.low
    return {
        SpreadKind.FIXED: _tr("as planned"),
        SpreadKind.UNIFORM: "{two}",
        SpreadKind.TRIANGULAR: "±{far} %" if is_even else "{three}",
        SpreadKind.PERT: _tr("PERT {three}"),
        SpreadKind.LOGNORMAL: _tr("{likely}, 9 in 10 below {high}"),
        SpreadKind.NORMAL: "{likely} ± {deviation}",
        SpreadKind.EMPIRICAL: _tr("{count} values, {two}"),
    }[spread.kind]


def _ends(spread: Spread) -> tuple[float, float, float]:
    if spread.kind is SpreadKind.EMPIRICAL:
        return min(spread.values), spread.values[0], max(spread.values)
    return spread.low, spread.likely, spread.high


def point_words(plan: Plan, task: Task, spread: Spread | None, place: int) -> str:
    """The shortest (0), the most likely (1) or the longest (2) of a range that has such; nothing of others."""
    if spread is None or spread.kind not in {SpreadKind.UNIFORM, SpreadKind.TRIANGULAR, SpreadKind.PERT}:
        return ""
    if spread.kind is SpreadKind.UNIFORM and place == 1:
        return ""
    return _number(plan, task, (spread.low, spread.likely, spread.high)[place], is_percent=spread.is_percent)


def chance_words(chance: float) -> str:
    """How likely something is: "30 %"; nothing where it is certain."""
    return "" if chance == 1 else f"{100 * chance:.4g} %"


def risk_words(plan: Plan, task: Task, risk: TaskRisk) -> str:
    """What of a task is not certain: "PERT 80 to 130 %, happens in 75 %, follows Weather by 60 %" with dashes."""
    names = {driver.id: driver.name for driver in plan.risks.drivers}
    said = [spread_words(plan, task, risk.spread)]
    if risk.chance != 1:
        said.append(_tr("happens in {chance}").format(chance=chance_words(risk.chance)))
    for driver, loading in risk.loadings:
        words = _tr("follows {driver} by {percent} %")
        said.append(words.format(driver=names.get(driver, ""), percent=f"{100 * loading:.4g}"))
    return ", ".join(filter(None, said))


def kind_words(kind: SpreadKind) -> str:
    """What a kind of spread is called."""
    return {
        SpreadKind.FIXED: _tr("As planned"),
        SpreadKind.UNIFORM: _tr("Uniform"),
        SpreadKind.TRIANGULAR: _tr("Triangular"),
        SpreadKind.PERT: _tr("PERT"),
        SpreadKind.LOGNORMAL: _tr("Lognormal"),
        SpreadKind.NORMAL: _tr("Normal, cut off"),
        SpreadKind.EMPIRICAL: _tr("Measured values"),
    }[kind]


def _number(plan: Plan, task: Task, value: float, *, is_percent: bool) -> str:
    return f"{value:.4g} %" if is_percent else length_text(plan, task, round(value))


def _together(texts: Sequence[str]) -> str:
    """Numbers with the unit once where all have the same: "8-10-15 d", else "4 h - 2 d", with dashes."""
    pairs = [text.rpartition(" ") for text in texts]
    units = {unit for number, _, unit in pairs if number}
    if len(units) == 1 and not any(" " in number for number, _, _ in pairs):
        return f"{_DASH.join(number or unit for number, _, unit in pairs)} {units.pop()}"
    return f" {_DASH} ".join(texts)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SpreadWords", text)
