"""What the inspector says of one task, as sections of lines, some of which lead to other tasks. It never draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from engine.model import NOTES, Clock, Dependency, Plan, ResourceKind, Task, TaskId, TaskRisk
from engine.schedule import words
from engine.schedule.conflicts import Conflict
from engine.schedule.neighbors import links_after, links_before
from engine.schedule.reasons import drivers, reason
from engine.session.state import State
from engine.session.typed_impacts import impact_text
from engine.session.typed_links import longest_text
from engine.session.typed_risks import inherited_spread
from engine.session.typed_spreads import ranged_lag, spread_text
from gui.plan_words import change_text, exact_text, float_text, full_name, instant_text, length_text
from gui.spread_words import chance_words, spread_words


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it is of and what is said of it. A `task` can be gone to; `is_marked` is said in bold."""

    text: str
    name: str = ""
    task: TaskId | None = None
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A title and the lines below it."""

    title: str
    lines: tuple[Line, ...]


def sections(state: State, task_id: TaskId, conflicts: Iterable[Conflict] = ()) -> tuple[Section, ...]:
    """Everything there is to say of a task, without what is empty. Looks at this task alone, and once at the links."""
    task = state.plan.task(task_id)
    found = (
        Section(_tr("Conflicts"), tuple(_conflicts(state.plan, task_id, conflicts))),
        Section(_tr("Dates"), tuple(_dates(state, task))),
        Section(_tr("How certain it is"), tuple(_uncertain(state.plan, task))),
        Section(_tr("Why it is dated so"), tuple(_why(state, task))),
        Section(_tr("Waits for"), tuple(_before(state, task))),
        Section(_tr("Is waited for by"), tuple(_after(state, task))),
        Section(_tr("Who does it"), tuple(_resources(state.plan, task))),
        Section(_tr("From its file"), tuple(_fields(task))),
    )
    return tuple(section for section in found if section.lines)


def _conflicts(plan: Plan, task_id: TaskId, conflicts: Iterable[Conflict]) -> Iterator[Line]:
    for conflict in conflicts:
        if task_id == conflict.task or task_id in conflict.chain:
            other = None if conflict.task == task_id else conflict.task
            yield Line(conflict.sentence, "" if other is None else plan.title_of(other), other, is_marked=True)


def _dates(state: State, task: Task) -> Iterator[Line]:
    plan, dates = state.plan, state.schedule
    row = plan.rows[task.id]
    yield Line(instant_text(plan, int(dates.start[row])), _tr("start"))
    yield Line(instant_text(plan, int(dates.finish[row])), _tr("finish"))
    time = dates.working_time_of(task.id)
    length = time.between(int(dates.start[row]), int(dates.finish[row]))
    yield Line(length_text(plan, task, length), _tr("duration"))
    if plan.is_summary(task.id):
        return
    total, free = int(dates.total_float[row]), int(dates.free_float[row])
    is_critical = bool(dates.is_critical[row])
    said = float_text(plan, task, total)
    yield Line(
        _tr("{float}, critical").format(float=said) if is_critical else said, _tr("total float"), None, is_critical
    )
    yield Line(float_text(plan, task, free), _tr("free float"))
    yield Line(instant_text(plan, int(dates.late_finish[row])), _tr("latest finish"))
    if task.delay:
        yield Line(change_text(plan, task.delay), _tr("leveling delay"))
    if task.recorded is not None:
        recorded = f"{instant_text(plan, task.recorded.start)} \N{EN DASH} {instant_text(plan, task.recorded.finish)}"
        yield Line(recorded, _tr("recorded"))
    yield from _promised(state, task)


def _promised(state: State, task: Task) -> Iterator[Line]:
    """What the first baseline promised, and how far the finish is from it."""
    for baseline in state.plan.baselines[:1]:
        kept = next((each for each in baseline.tasks if each.task == task.id), None)
        if kept is not None:
            late = state.schedule.working_time_of(task.id).between(kept.finish, state.schedule.finish_of(task.id))
            finish = instant_text(state.plan, kept.finish)
            change = change_text(state.plan, late)
            yield Line(f"{finish}  ({change})" if change else finish, baseline.name, None, late > 0)


def _uncertain(plan: Plan, task: Task) -> Iterator[Line]:
    """Its range, whether it happens, what it follows, and what may happen to it."""
    risk = task.risk or TaskRisk()
    own, usual = risk.spread, inherited_spread(plan, task)
    if own is not None:
        yield Line(spread_words(plan, task, own), _tr("range"))
    elif usual is not None:
        is_of_family = task.family in {preset.family for preset in plan.risks.presets} - {""}
        whose = _tr("range of its family") if is_of_family else _tr("range of all others")
        yield Line(spread_words(plan, task, usual), whose)
    if risk.chance != 1:
        yield Line(chance_words(risk.chance), _tr("chance"))
    names = {driver.id: driver.name for driver in plan.risks.drivers}
    for driver, loading in risk.loadings:
        yield Line(_tr("follows by {percent} %").format(percent=f"{100 * loading:.4g}"), names[driver])
    for event in plan.risks.events:
        for impact in event.impacts:
            if impact.task == task.id:
                words = _tr("{change} longer, in {chance}")
                yield Line(words.format(change=impact_text(plan, impact), chance=_share(event.chance)), event.name)


def _share(chance: float) -> str:
    return chance_words(chance) or "100 %"


def _why(state: State, task: Task) -> Iterator[Line]:
    for sentence in reason(state.plan, state.schedule, task.id):
        yield Line(sentence[:1].upper() + sentence[1:])


def _before(state: State, task: Task) -> Iterator[Line]:
    deciding = drivers(state.schedule, task.id)
    for link, is_of_stream in _told_apart(state, links_before(state.schedule, task.id)):
        other = link.predecessor
        if is_of_stream:
            yield Line(_tr("before it on its stream"), full_name(state.plan, other), other, other in deciding)
        else:
            yield _link(state.plan, link, other, other in deciding)


def _after(state: State, task: Task) -> Iterator[Line]:
    for link, is_of_stream in _told_apart(state, links_after(state.schedule, task.id)):
        other = link.successor
        if is_of_stream:
            yield Line(_tr("after it on its stream"), full_name(state.plan, other), other)
        else:
            yield _link(state.plan, link, other, task.id in drivers(state.schedule, other))


def _told_apart(state: State, links: tuple[Dependency, ...]) -> Iterator[tuple[Dependency, bool]]:
    """Each link, and whether only the order on a stream makes it: that one comes after the plan's own of its pair."""
    of_streams = frozenset(state.schedule.stream_links)
    pairs = [(link.predecessor, link.successor) for link in links]
    for place, link in enumerate(links):
        yield link, pairs[place] in of_streams and pairs[place] not in pairs[place + 1 :]


def _link(plan: Plan, link: Dependency, other: TaskId, is_deciding: bool) -> Line:
    said = words.link(plan, link)
    if link.longest is not None:
        said = _tr("{link}, at most {longest}").format(link=said, longest=longest_text(plan, link))
    if link.spread is not None:
        said = _tr("{link}, lag {range}").format(link=said, range=spread_text(ranged_lag(plan, link), link.spread))
    return Line(
        _tr("{link}, decides").format(link=said) if is_deciding else said, full_name(plan, other), other, is_deciding
    )


def _resources(plan: Plan, task: Task) -> Iterator[Line]:
    known = {resource.id: resource for resource in plan.resources}
    for assignment in plan.assignments:
        if assignment.task == task.id:
            resource = known[assignment.resource]
            if resource.kind is ResourceKind.STREAM:
                yield Line(_tr("stream"), resource.name)
                continue
            said = f"{assignment.units:g} \N{MULTIPLICATION SIGN}"
            if plan.clock is Clock.CALENDAR:
                said = _tr("{units}, work {work}").format(
                    units=said, work=exact_text(plan, round(assignment.work_in(task.duration)))
                )
            yield Line(said, resource.name)
    if plan.clock is Clock.CALENDAR:
        yield from _elsewhere(plan, task, {number: resource.name for number, resource in known.items()})


def _elsewhere(plan: Plan, task: Task, names: dict[int, str]) -> Iterator[Line]:
    """Where else it may be done and what it takes there, by whom, and what it is to a machine."""
    now = plan.ways.replaced(task)
    for way in plan.ways.of(task) if plan.ways.is_choice(task) else ():
        if way.resource is not None and (now is None or way.resource != now.resource):
            yield Line(_tr("or, in {length}").format(length=length_text(plan, task, way.duration)), names[way.resource])
    if task.skill:
        yield Line(task.skill, _tr("skill"))
    if task.family:
        yield Line(task.family, _tr("family"))
    if task.is_unbreakable:
        yield Line(_tr("in one piece"))


def _fields(task: Task) -> Iterator[Line]:
    if task.source:
        yield Line(task.source, _tr("id"))
    yield from (Line(text, name) for name, text in task.fields if name != NOTES)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Inspector", text)
