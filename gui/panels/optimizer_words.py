"""What is said of a search and of what it offers, in sentences and short words. It never searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import Plan, Ticks
from engine.session.aims import USUAL_WEIGHT, first_of, lateness_of, names_of
from engine.session.offers import Offer
from engine.session.solving import Ending, SolveJob
from gui.canvas.calendar_ticks import elapsed_text
from gui.engine_words import engine_name
from gui.plan_words import change_text

_T = QT_TRANSLATE_NOOP
_PERCENT, _CENTS, _HOUR = 100, 100, 3600
_MINUS = "\N{MINUS SIGN}"

# The name of each objective as `aim_of` reads it, what it is called, and what it stands for in a sentence.
OBJECTIVES: tuple[tuple[str, object, object], ...] = (
    ("tardiness", _T("Optimizer", "Lateness"), _T("Optimizer", "the least lateness, urgent tasks counting more")),
    ("makespan", _T("Optimizer", "Finish of the plan"), _T("Optimizer", "the earliest finish of the plan")),
    ("changeover", _T("Optimizer", "Set-ups"), _T("Optimizer", "the least time spent on set-ups")),
    ("cost", _T("Optimizer", "Cost"), _T("Optimizer", "the lowest cost")),
    ("stability", _T("Optimizer", "Closeness to this plan"), _T("Optimizer", "the fewest and shortest moves")),
)
# What there is much or little of.
_AMOUNTS = {
    "tardiness": _T("Optimizer", "{count} h of lateness"),
    "makespan": _T("Optimizer", "{count} h of a later finish"),
    "changeover": _T("Optimizer", "{count} h of set-ups"),
    "cost": _T("Optimizer", "{count} of cost"),
    "stability": _T("Optimizer", "{count} h of moves"),
}
_SENTENCES = {name: sentence for name, _, sentence in OBJECTIVES}


def aim_sentence(names: Sequence[str]) -> str:
    """What is wanted: the first objective, and what decides among plans that are equal in it."""
    parts = [_tr(_SENTENCES[name]) for name in names]
    if not parts:
        return _tr("Choose at least one thing that counts.")
    first = _tr("Wanted is {what}.").format(what=parts[0])
    if len(parts) == 1:
        return first
    then = _tr("; then ").join(parts[1:])
    return f"{first} " + _tr("Among plans equal in that: {rest}.").format(rest=then)


def weights_sentence(weights: Mapping[str, int]) -> str:
    """What is wanted by weights, and what an hour, or some money, of the first counts as much as of the others."""
    if not weights:
        return _tr("Choose at least one thing that counts.")
    first, *others = weights
    if not others:
        return _tr("Wanted is {what}.").format(what=_tr(_SENTENCES[first]))
    base = _unit(first) * weights[first]
    worth = _tr(", or ").join(_amount(name, base / (_unit(name) * weights[name])) for name in others)
    said = _tr("Wanted is the least sum. {amount} counts as much as {others}.")
    return said.format(amount=_amount(first, 1.0), others=worth)


def _unit(name: str) -> int:
    """What an hour, or 100.00, of an objective adds to the sum, by a weight of 1."""
    return _PERCENT * _CENTS if name == "cost" else _HOUR


def _amount(name: str, count: float) -> str:
    text = f"{count * _PERCENT:,.2f}" if name == "cost" else f"{count:,.3g}"
    return _tr(_AMOUNTS[name]).format(count=text)


def headline(offer: Offer, job: SolveJob) -> str:
    """Such as: 3.5 d less late, 7 tasks move: proved best. What counts first is said first."""
    return _tr("{gain}: {proof}.").format(gain=gain_words(offer, job), proof=proof_words(job))


def gain_words(offer: Offer, job: SolveJob) -> str:
    """What changes, in the order in which it counts: lateness and finish in any case; overloads, and how many move."""
    said = _changes(offer)
    before, after, count = offer.before, offer.after, len(offer.shifts)
    words = [said[name] for name in dict.fromkeys((*names_of(job.aim), "tardiness", "makespan")) if name in said]
    if before.overloads != after.overloads:
        words.append(_tr("overloads {before:,} to {after:,}").format(before=before.overloads, after=after.overloads))
    words.append(_tr("1 task moves") if count == 1 else _tr("{count} tasks move").format(count=f"{count:,}"))
    return ", ".join(words)


def _changes(offer: Offer) -> dict[str, str]:
    """What changes, by the name of what it is counted by."""
    plan, before, after, said = offer.state.plan, offer.before, offer.after, dict[str, str]()
    time = offer.state.schedule.working_time_of(offer.case.tasks[0])
    finish = time.between(before.finish, after.finish)
    for name, words, change in (
        ("tardiness", _tr("{change} late"), after.lateness - before.lateness),
        ("makespan", _tr("finish {change}"), finish),
        ("changeover", _tr("set-ups {change}"), after.setups - before.setups),
    ):
        if change:
            said[name] = words.format(change=change_text(plan, change))
    if cents := after.cents - before.cents:
        sign = "+" if cents > 0 else _MINUS
        said["cost"] = _tr("cost {change}").format(change=f"{sign}{abs(cents) / _CENTS:,.2f}")
    return said


def proof_words(job: SolveJob) -> str:
    """How good it is known to be."""
    if job.ending is Ending.OPTIMAL:
        return _tr("proved best")
    if job.is_broken:
        return _tr("it does not keep every rule")
    gap = job.gap
    if gap is None:
        return _tr("how far from the best is not known")
    if gap == 0:
        return _tr("proved best in what counts first")
    return _tr("no plan is more than {percent} % better").format(percent=f"{gap * _PERCENT:.2g}")


def state_words(job: SolveJob | None, *, is_on: bool, is_offered: bool, is_first: bool = False) -> str:
    """What the search does, or how it ended. `is_first`: none has got going since the window opened."""
    if job is None:
        return _tr("Start looks for a better plan, and offers it: nothing changes until you take it.")
    if job.sentence:
        return job.sentence
    if is_on and job.schedules <= 1:
        ready = _tr("Looking…") if job.steps else _tr("Getting ready…")
        return f"{ready} {_tr('The very first time this takes a minute or two.')}" if is_first else ready
    if is_on:
        return _tr("Looking… {count} plans tried.").format(count=f"{job.schedules:,}")
    if not is_offered and not job.is_broken and job.ending in (Ending.OPTIMAL, Ending.DONE, Ending.TIME):
        return _tr("No better plan was found than the one you have.")
    return {
        Ending.OPTIMAL: _tr("Done: this is proved best."),
        Ending.DONE: _tr("Done: nothing is left to try."),
        Ending.TIME: _tr("Done: the time is over."),
    }.get(job.ending or Ending.CANCELED, _tr("Stopped."))


def standing_words(job: SolveJob | None, aim: str) -> str:
    """The best so far by what counts first, what no plan can beat, and how far the two are apart."""
    value = None if job is None or not job.steps else job.steps[-1].value
    if job is None or value is None:
        if job is None or not job.is_broken:
            return ""
        if job.ending is None:
            return _tr("No plan found so far keeps all dates, links and lags.")
        return _tr("No plan was found that keeps all dates, links and lags.")
    aim = first_counting(job, aim)
    best = _tr("Best so far {best}").format(best=value_text(aim, value))
    if job.bound is None:
        return best
    gap = "n/a" if job.gap is None else f"{job.gap * _PERCENT:.2g} %"
    return _tr("{best} · none is below {bound} · gap {gap}").format(
        best=best, bound=value_text(aim, job.bound), gap=gap
    )


def engine_words(job: SolveJob | None) -> str:
    """Who works, with what share of the slices, and found how many of the best plans."""
    if job is None or not job.steps:
        return ""
    if job.shares:
        total = max(1, sum(share.slices for share in job.shares))
        said = [_tr("{engine}: {found} found").format(engine=engine_name(s.engine), found=s.found) for s in job.shares]
        shares = [
            f"{round(_PERCENT * s.slices / total)} %" if s.slices else _tr("beside them") if s.iterations else ""
            for s in job.shares
        ]
        return " · ".join(f"{words} ({share})" if share else words for words, share in zip(said, shares, strict=True))
    engines = dict.fromkeys(step.engine for step in job.steps)
    counts = [(engine, sum(step.engine == engine for step in job.steps)) for engine in engines]
    return " · ".join(
        _tr("{engine}: {found} found").format(engine=engine_name(each), found=count) for each, count in counts
    )


def first_counting(job: SolveJob, aim: str) -> str:
    """An aim in order from the first objective on that can count in the plan; one by weights as it is."""
    return aim if "=" in aim else first_of(job.aim) or aim


def value_text(aim: str, value: int) -> str:
    """What a plan is worth by the first objective of an aim: "1.5 ed", or a cost; by weights, as so much of the first
    that counts, as weights_sentence has it: "8.22 h of lateness".
    """
    if "=" in aim:
        weights = {name: int(weight) for name, _, weight in (part.partition("=") for part in aim.split(","))}
        first = next(name for name, weight in weights.items() if weight)
        usual = USUAL_WEIGHT if weights.get("tardiness") else 1
        return _amount(first, value / (_unit(first) * weights[first] * usual))
    first = aim.partition(",")[0]
    if first == "cost":
        return f"{value / _CENTS:,.2f}"
    return elapsed_text(lateness_of(value) if first == "tardiness" else value)


def by_text(plan: Plan, ticks: Ticks) -> str:
    """How far a task moves, with its sign."""
    return change_text(plan, ticks)


def translated(text: object) -> str:
    """Words of the tables above."""
    return _tr(text)


def _tr(text: object) -> str:
    return QCoreApplication.translate("Optimizer", str(text))
