"""Scenarios: the branches of one plan, each with a history of its own. It never schedules, and never touches a file.

All are frozen values: a branch shares with the others whatever none of them changed, so that making one costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from string import ascii_uppercase

from engine.errors import PlanError
from engine.model import Plan
from engine.schedule.schedule import Schedule
from engine.trace.recorded_run import RecordedRun

MAIN = 0
MAIN_LETTER = "M"
LETTERS = ascii_uppercase.replace(MAIN_LETTER, "")
RUNS_KEPT = 5


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """A step of a history: its words, the plan on its other side, and the base that it gave a branch or took from it.

    `base` is (id of the branch, its base on the other side of the step).
    """

    label: str
    plan: Plan
    base: tuple[int, Plan] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Branch:
    """The main plan, or what somebody tries beside it.

    `base` is what it had in common with the main plan when they parted, or when it was last merged. `letter` is what
    it is known by where a name has no room. `runs` are its own, the latest last.
    """

    id: int
    letter: str
    name: str
    base: Plan
    plan: Plan
    schedule: Schedule
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    runs: tuple[RecordedRun, ...] = ()

    def edited(self, label: str, plan: Plan, dates: Schedule) -> Branch:
        """After an edit, which is one step to undo."""
        return replace(self, plan=plan, schedule=dates, past=(*self.past, Step(label, self.plan)), future=())

    def with_run(self, run: RecordedRun) -> Branch:
        """With one run more, of which the last few are kept."""
        return replace(self, runs=(*self.runs, run)[-RUNS_KEPT:])


@dataclass(frozen=True, eq=False, slots=True)
class Scenarios:
    """All branches, the main plan first; one of them is active: it is the one that edits change.

    Ids are never given twice, letters are once their branch is gone.
    """

    branches: tuple[Branch, ...]
    active_id: int = MAIN
    next_id: int = MAIN + 1

    @staticmethod
    def of(plan: Plan, dates: Schedule, runs: tuple[RecordedRun, ...] = ()) -> Scenarios:
        """A plan without branches."""
        return Scenarios((Branch(MAIN, MAIN_LETTER, "Main", plan, plan, dates, runs=runs[-RUNS_KEPT:]),))

    @property
    def main(self) -> Branch:
        """The plan itself."""
        return self.branches[0]

    @property
    def active(self) -> Branch:
        """The branch that edits change."""
        return self.branch(self.active_id)

    @property
    def others(self) -> tuple[Branch, ...]:
        """All but the active one."""
        return tuple(each for each in self.branches if each.id != self.active_id)

    def find(self, number: int) -> Branch | None:
        """The branch of an id, None where it is gone."""
        return next((each for each in self.branches if each.id == number), None)

    def branch(self, number: int) -> Branch:
        """The branch of an id. Raises PlanError where it is gone."""
        found = self.find(number)
        if found is None:
            raise PlanError("That branch is no longer there.")
        return found

    def branched(self, name: str, of: int | None = None) -> Scenarios:
        """With a new branch that begins as another one is now, the active one unless told; it is active then.

        Raises PlanError for a name that is blank or taken, and where there are too many.
        """
        source = self.active if of is None else self.branch(of)
        letter = next((each for each in LETTERS if all(b.letter != each for b in self.branches)), "")
        if not letter:
            raise PlanError(f"A plan has {len(LETTERS)} branches at most: delete one of them first.")
        base = source.plan if source.id == MAIN else source.base
        made = Branch(self.next_id, letter, self._checked(name), base, source.plan, source.schedule)
        return Scenarios((*self.branches, made), made.id, self.next_id + 1)

    def restored(self, letter: str, name: str, plans: tuple[Plan, Plan], dates: Schedule) -> Scenarios:
        """With a branch that a file held, `plans` being its base and what it is now. The active one stays so.

        Raises PlanError where its letter or name cannot be.
        """
        if letter not in tuple(LETTERS) or any(each.letter == letter for each in self.branches):
            raise PlanError(f"The branch “{name}” has the letter “{letter}”, which it cannot have.")
        made = Branch(self.next_id, letter, self._checked(name), *plans, dates)
        return Scenarios((*self.branches, made), self.active_id, self.next_id + 1)

    def renamed(self, number: int, name: str) -> Scenarios:
        """With another name of a branch. Raises PlanError for a name that is blank or taken."""
        branch = self.branch(number)
        return self if branch.name == name.strip() else self.with_branch(replace(branch, name=self._checked(name)))

    def without(self, number: int) -> Scenarios:
        """Without a branch; the main plan is active where that one was. Raises PlanError for the main plan."""
        branch = self.branch(number)
        if branch.id == MAIN:
            raise PlanError("The main plan cannot be deleted: the branches belong to it.")
        kept = tuple(each for each in self.branches if each is not branch)
        return replace(self, branches=kept, active_id=MAIN if self.active_id == number else self.active_id)

    def with_again(self, branch: Branch) -> Scenarios:
        """With a branch that was deleted, as it was; its letter or name is another one where those are taken."""
        again = self.branched(self.free_name(branch.name), MAIN)
        letters = {each.letter for each in self.branches}
        letter = again.active.letter if branch.letter in letters else branch.letter
        return again.with_branch(replace(branch, id=again.active_id, letter=letter, name=again.active.name))

    def switched(self, number: int) -> Scenarios:
        """With another one active."""
        return replace(self, active_id=self.branch(number).id)

    def with_branch(self, branch: Branch) -> Scenarios:
        """With another state of a branch in its place."""
        return replace(self, branches=tuple(branch if each.id == branch.id else each for each in self.branches))

    def stepped(self, dates: Schedule, *, is_back: bool) -> Scenarios:
        """After the last step of the active one was taken back, or made again; `dates` are those of its plan then."""
        now = self.active
        source, target = (now.past, now.future) if is_back else (now.future, now.past)
        step, kept = source[-1], source[:-1]
        changed, base = self, None
        branch = None if step.base is None else self.find(step.base[0])
        if branch is not None and step.base is not None:
            base = (branch.id, branch.base)
            changed = self.with_branch(replace(branch, base=step.base[1]))
            now = changed.active
        done = (*target, Step(step.label, now.plan, base))
        past, future = (kept, done) if is_back else (done, kept)
        return changed.with_branch(replace(now, plan=step.plan, schedule=dates, past=past, future=future))

    def merged(self, branch: Branch, plan: Plan, dates: Schedule) -> Scenarios:
        """With what a branch changed in the main plan, one step to undo there; the main plan is active.

        What the branch is now is in both from then on: a second merge takes over what changes after this one.
        """
        main = self.main
        step = Step(f"Merge “{branch.name}”", main.plan, (branch.id, self.branch(branch.id).base))
        grown = replace(main, plan=plan, schedule=dates, past=(*main.past, step), future=())
        changed = self.with_branch(replace(branch, base=branch.plan)).with_branch(grown)
        return replace(changed, active_id=MAIN)

    def updated(self, branch: Branch, plan: Plan, dates: Schedule) -> Scenarios:
        """With what the main plan changed in a branch too, one step to undo there; the branch is active.

        What the main plan is now is in both from then on.
        """
        step = Step("Take in what the main plan changed", branch.plan, (branch.id, branch.base))
        past = (*branch.past, step)
        grown = replace(branch, plan=plan, schedule=dates, base=self.main.plan, past=past, future=())
        return replace(self.with_branch(grown), active_id=branch.id)

    def is_as(self, saved: Scenarios) -> bool:
        """Whether a file that holds the others would hold these as well."""
        return len(self.branches) == len(saved.branches) and all(
            one.plan == other.plan and (one.id == MAIN or _same(one, other))
            for one, other in zip(self.branches, saved.branches, strict=True)
        )

    def free_name(self, name: str) -> str:
        """The name, with a number behind it where it is taken."""
        taken = {each.name for each in self.branches}
        numbered = (f"{name} {number}" for number in range(2, len(self.branches) + 3))
        return name if name not in taken else next(each for each in numbered if each not in taken)

    def _checked(self, name: str) -> str:
        name = name.strip()
        if not name:
            raise PlanError("A branch needs a name: nothing was changed.")
        if any(each.name == name for each in self.branches):
            raise PlanError(f"There is a branch “{name}” already: choose another name.")
        return name


def _same(one: Branch, other: Branch) -> bool:
    return (one.letter, one.name) == (other.letter, other.name) and one.base == other.base
