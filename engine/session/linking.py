"""Which links may come into a plan. It never takes one out."""

from __future__ import annotations

from engine.errors import CycleError
from engine.model import Dependency, Plan, TaskId
from engine.schedule.network import Network, leaf_links, topological_order
from engine.schedule.schedule import Schedule


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
            names = " → ".join(f"“{plan.task(task).name}”" for task in (*error.ids, error.ids[0]))
            sentence = f"This link would make a cycle: {names}."
            raise CycleError(sentence, ids=error.ids) from error
    return changed


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
