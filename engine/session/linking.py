"""Which links may come into a plan. It never takes one out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import CycleError
from engine.model import Dependency, Plan, TaskId
from engine.schedule.network import Network, leaf_links, topological_order
from engine.schedule.schedule import Schedule


def relinked(plan: Plan, links: Mapping[TaskId, Sequence[Dependency]]) -> Plan:
    """The plan in which each of these tasks waits for what its links say, and for nothing else; checked once for all.

    Raises as linked() does; the first id of a CycleError is that of the task whose link closes the cycle.
    """
    kept = {link.key: link for link in plan.dependencies if link.successor not in links}
    before = {link.key: link for link in plan.dependencies}
    new = []
    for link in (link for group in links.values() for link in group):
        plan.check_link(link)
        if link.key in kept:
            raise plan.twice(link)
        kept[link.key] = link
        if link.key not in before:
            new.append(link)
    stayed = tuple(kept.pop(link.key) for link in plan.dependencies if link.key in kept)
    changed = plan.with_dependencies((*stayed, *kept.values()))
    if not new:
        return plan if changed.dependencies == plan.dependencies else changed
    return _without_cycle(changed, new)


def all_linked(plan: Plan, new: Sequence[Dependency]) -> Plan:
    """The plan with more links, checked once for all. Raises as linked() does."""
    known = {link.key for link in plan.dependencies}
    for link in new:
        plan.check_link(link)
        if link.key in known:
            raise plan.twice(link)
        known.add(link.key)
    return _without_cycle(plan.with_dependencies((*plan.dependencies, *new)), new)


def _without_cycle(changed: Plan, new: Sequence[Dependency]) -> Plan:
    try:
        topological_order(changed, leaf_links(changed))
    except CycleError as error:
        closing = next((link for link in new if _is_on_cycle(changed, link)), None)
        if closing is not None:
            ids = (closing.successor, *(task for task in error.ids if task != closing.successor))
            raise CycleError(_cycle_sentence(changed, error.ids), ids=ids) from error
    return changed


def linked(plan: Plan, links: tuple[Dependency, ...], new: Dependency, dates: Schedule | None = None) -> Plan:
    """The plan with these links, of which one is new. `dates` are the plan's, and make the answer sooner.

    Raises CycleError naming the tasks that would wait for each other, and PlanError for a link that cannot be.
    """
    plan.check_link(new)
    if sum(link.is_same_link(new) for link in links) > 1:
        raise plan.twice(new)
    changed = plan.with_dependencies(links)
    if dates is not None and _is_surely_none(plan, new, dates.basis.network):
        return changed
    try:
        topological_order(changed, leaf_links(changed))
    except CycleError as error:
        if _is_on_cycle(changed, new):  # there may be another one that came with the file
            raise CycleError(_cycle_sentence(plan, error.ids), ids=error.ids) from error
    return changed


def _cycle_sentence(plan: Plan, ids: Sequence[TaskId]) -> str:
    names = " → ".join(f"“{plan.title_of(task)}”" for task in (*ids, ids[0]))
    return f"This link would make a cycle: {names}."


def _is_surely_none(plan: Plan, new: Dependency, network: Network) -> bool:
    """Whether a link makes no cycle since none lead the other way, by the links that there were."""
    if network.plan is not plan or network.cycle or {new.predecessor, new.successor} & plan.children.keys():
        return False
    rows = plan.rows
    return not network.leads(rows[new.successor], rows[new.predecessor])


def _is_on_cycle(plan: Plan, link: Dependency) -> bool:
    follow: dict[TaskId, list[TaskId]] = {}
    for before, after, _ in leaf_links(plan):
        follow.setdefault(before, []).append(after)
    todo = list(plan.leaves(link.successor))
    seen = set(todo)
    while todo:
        new = set(follow.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    return not seen.isdisjoint(plan.leaves(link.predecessor))
