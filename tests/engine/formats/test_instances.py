"""Benchmark instances: what their numbers become, how machines are counted, and what is refused."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import find_format, fjsplib, jsplib, loom, psplib
from engine.formats.instances import START, UNIT, unit_of
from engine.model import Plan, ResourceKind
from engine.schedule.cpm import schedule
from tests.engine.model.strategies import office

FT06 = """6 6
2 1 0 3 1 6 3 7 5 3 4 6
1 8 2 5 4 10 5 10 0 10 3 4
2 5 3 4 5 8 0 9 1 1 4 7
1 5 0 5 2 5 3 3 4 8 5 9
2 9 1 3 4 5 5 4 0 3 3 1
1 3 3 3 5 9 0 10 4 4 2 1
"""
FLEXIBLE = "2 3\n2 2 {a} 5 {b} 4 1 {c} 2\n1 1 {b} 5\n"
RCP = "4 2\n4 3\n0 0 0 2 2 3\n8 4 0 1 4\n4 1 2 1 4\n0 0 0 0\n"

# What a shop is: for each job its operations, each with pairs of machine and duration.
Jobs = list[list[list[tuple[int, int]]]]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="ascii")
    return path


def shop_of(plan: Plan) -> Jobs:
    """What a plan of a shop says, machines by the number in the file; checks that each job is a chain of links."""
    numbers = {r.id: int(r.source) for r in plan.resources}
    links = {(link.predecessor, link.successor) for link in plan.dependencies}
    first = {use.task: use.resource for use in plan.assignments}
    jobs: Jobs = []
    for job in (task for task in plan.tasks if task.parent is None):
        steps = plan.children[job.id]
        links -= set(pairwise(steps))
        ways = []
        for task in map(plan.task, steps):
            named = [(numbers[a.resource], (a.duration or 0) // UNIT) for a in plan.alternatives if a.task == task.id]
            ways.append(named or [(numbers[first[task.id]], task.duration // UNIT)])
            assert ways[-1][0] == (numbers[first[task.id]], task.duration // UNIT)
        jobs.append(ways)
    assert not links
    return jobs


def test_that_a_job_shop_becomes_a_plan_of_machines_and_jobs(tmp_path: Path) -> None:
    plan = jsplib.load(written(tmp_path, "ft06.txt", FT06))
    assert [r.name for r in plan.resources] == [f"Machine {n}" for n in range(6)]
    assert {r.kind for r in plan.resources} == {ResourceKind.MACHINE}
    assert shop_of(plan)[5] == [[(1, 3)], [(3, 3)], [(5, 9)], [(0, 10)], [(4, 4)], [(2, 1)]]
    step = plan.task(plan.children[1][1])
    assert (step.name, step.source, dict(step.fields)) == ("1.2", "1.2", {"job": "1", "operation": "2"})
    assert unit_of(plan) == UNIT
    assert unit_of(office()) is None
    dates = schedule(plan)  # without machines in anyone's way: the longest job
    assert (dates.project_start, dates.project_finish) == (START, START + 47 * UNIT)


def test_that_a_plan_of_an_instance_is_still_one_after_it_was_saved(tmp_path: Path) -> None:
    plan = fjsplib.load(written(tmp_path, "a.txt", FLEXIBLE.format(a=0, b=1, c=2)))
    loom.save(tmp_path / "a.loom", plan)
    assert loom.load(tmp_path / "a.loom") == plan
    assert unit_of(loom.load(tmp_path / "a.loom")) == UNIT


def test_that_a_job_may_come_to_a_machine_again_and_jobs_differ_in_length(tmp_path: Path) -> None:
    plan = jsplib.load(written(tmp_path, "r.txt", "2 2\n0 3 1 2 0 4 -1 -1\n1 5 -1 -1\n"))
    assert shop_of(plan) == [[[(0, 3)], [(1, 2)], [(0, 4)]], [[(1, 5)]]]


@pytest.mark.parametrize(
    ("name", "numbers", "base", "said"),
    [
        ("a.txt", (0, 1, 2), 0, "counted from 0 in this file."),
        ("a.fjs", (0, 1, 2), 0, "counted from 0 in this file."),
        ("a.fjs", (1, 2, 3), 1, "counted from 1 in this file."),
        ("a.txt", (1, 2, 3), 1, "counted from 1 in this file."),
        ("a.fjs", (1, 2, 1), 1, "it could also be from 0"),
        ("a.txt", (1, 2, 1), 0, "it could also be from 1"),
    ],
)
def test_that_machines_are_counted_as_the_file_counts_them(
    name: str, numbers: tuple[int, int, int], base: int, said: str, tmp_path: Path
) -> None:
    text = FLEXIBLE.format(**dict(zip("abc", numbers, strict=True)))
    plan = fjsplib.load(written(tmp_path, name, text))
    assert [r.name for r in plan.resources] == [f"Machine {base + n}" for n in range(3)]
    a, b, c = numbers
    assert shop_of(plan) == [[[(a, 5), (b, 4)], [(c, 2)]], [[(b, 5)]]]
    assert said in dict(plan.fields)["note"]


def test_that_a_project_becomes_a_plan_of_resources_with_capacities(tmp_path: Path) -> None:
    plan = psplib.load(written(tmp_path, "p.rcp", RCP))
    assert [(r.name, r.capacity) for r in plan.resources] == [("Resource 1", 4.0), ("Resource 2", 3.0)]
    assert [(task.name, task.duration // UNIT) for task in plan.tasks] == [
        (f"Job {n}", d) for n, d in zip((1, 2, 3, 4), (0, 8, 4, 0), strict=True)
    ]
    assert [(a.task, a.resource, a.units) for a in plan.assignments] == [(2, 1, 4.0), (3, 1, 1.0), (3, 2, 2.0)]
    assert {(d.predecessor, d.successor) for d in plan.dependencies} == {(1, 2), (1, 3), (2, 4), (3, 4)}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.txt", "2 2\n0 3 1 2\n0 4 1\n", r"a\.txt, line 3: The file ends where a duration should follow"),
        ("a.txt", "1 2\n0 3 1 2 9\n", r"line 2: .*numbers follow|cannot be|cut off"),
        ("a.txt", "1 2\n0 3 5 2\n", r"line 2: 5 cannot be a machine: it is a whole number from 0 to 2"),
        ("a.txt", "1 2\n0 3 1 2.5\n", r"line 2: 2\.5 cannot be a duration"),
        ("a.txt", "1 2\n0 3 1 many\n", r"line 2: “many” is no number"),
        ("a.txt", "1 3\n0 3 3 2 1 1\n", r"It names machine 0 and machine 3, and has 3 machines"),
        ("a.txt", "1 1\n0 999999999999\n", "Its durations are 999999999999 units of time together"),
        ("a.fjs", "1 2\n1 3 1 1 2 2\n", r"line 2: 3 cannot be the number of machines of an operation"),
        ("a.fjs", "1 2\n1 2 1 1 1 2\n", "An operation names a machine twice"),
        ("a.rcp", "2 1\n4\n1 1 1 3\n0 0 0\n", r"line 3: 3 cannot be a job|the number of jobs that follow"),
        ("a.rcp", "1 1\n0\n4 1 0\n", "uses resource 1, of which there is nothing"),
        ("a.rcp", "2 1\n4\n1 1 1 2\n1 1 1 1\n", "wait"),
        ("a.sm", "****\nPRECEDENCE RELATIONS:\n", "is no single-mode file of PSPLIB|is not said in it"),
    ],
)
def test_that_a_bad_instance_is_refused_in_one_sentence_with_its_place(
    name: str, text: str, sentence: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, text)
    known = {".txt": jsplib, ".fjs": fjsplib, ".rcp": psplib, ".sm": psplib}[path.suffix]
    if sentence == "wait":  # as every other plan with a cycle: dated without its links, and named
        assert set(schedule(known.load(path)).cycle) == {1, 2}
        return
    with pytest.raises(FormatError, match=sentence) as error:
        known.load(path)
    assert str(path) in error.value.sentence


SM = """****************
jobs (incl. supersource/sink ):  3
  - renewable                 :  1   R
  - nonrenewable              :  {used}   N
PRECEDENCE RELATIONS:
   1        {modes}          1           2
   2        1          1           3
   3        1          0
****************
REQUESTS/DURATIONS:
  1      1     0       0
  2      1     8       {more}
  3      1     0       0
****************
RESOURCEAVAILABILITIES:
    12
"""


def test_that_what_a_single_mode_project_has_not_is_refused(tmp_path: Path) -> None:
    good = {"used": "0", "modes": "1", "more": "4"}
    plan = psplib.load(written(tmp_path, "a.sm", SM.format(**good)))
    assert (plan.resources[0].capacity, plan.task(2).duration) == (12.0, 8 * UNIT)
    for change, sentence in (({"used": "2"}, "used up"), ({"more": "4 4"}, r"line 12: The line of job 2")):
        with pytest.raises(FormatError, match=sentence):
            psplib.load(written(tmp_path, "a.sm", SM.format(**(good | change))))


# Every instance of the corpus, against a plain reading of its numbers


def plain_jsp(numbers: list[int]) -> Jobs:
    jobs, machines, *rest = numbers
    return [
        [[(rest[2 * (j * machines + o)], rest[2 * (j * machines + o) + 1])] for o in range(machines)]
        for j in range(jobs)
    ]


def plain_fjsp(numbers: list[int]) -> Jobs:
    found: Jobs = []
    at = 2
    for _ in range(numbers[0]):
        steps, at = numbers[at], at + 1
        found.append([])
        for _ in range(steps):
            ways, at = numbers[at], at + 1
            found[-1].append([(numbers[at + 2 * k], numbers[at + 2 * k + 1]) for k in range(ways)])
            at += 2 * ways
    assert at == len(numbers)
    return found


def plain_rcp(plan: Plan) -> list[int]:
    """The numbers of an .rcp again, from a plan."""
    uses = {(a.task, a.resource): int(a.units) for a in plan.assignments}
    after = {task.id: [d.successor for d in plan.dependencies if d.predecessor == task.id] for task in plan.tasks}
    resources = [r.id for r in plan.resources]
    numbers = [len(plan.tasks), len(resources), *(int(r.capacity) for r in plan.resources)]
    for task in plan.tasks:
        of_it = [uses.get((task.id, r), 0) for r in resources]
        numbers += [task.duration // UNIT, *of_it, len(after[task.id]), *after[task.id]]
    return numbers


@pytest.mark.corpus
@pytest.mark.slow
def test_that_every_instance_of_the_corpus_says_what_its_numbers_say(corpus: Path) -> None:
    with (corpus / "instances" / "best_known.csv").open(encoding="utf-8") as file:
        known = {row["file"].split("/")[-1]: row for row in csv.DictReader(file)}
    paths = sorted(path for path in (corpus / "instances").rglob("*") if path.suffix in {".txt", ".rcp"})
    assert len(paths) > 500
    for path in paths:
        numbers = [int(word) for word in path.read_text(encoding="ascii").split()]
        found = find_format(path)
        plan = found.load(path)
        kind = path.parts[len((corpus / "instances").parts)]
        assert found is {"jsp": jsplib, "fjsp": fjsplib, "rcpsp": psplib}[kind], path
        if kind == "rcpsp":
            assert plain_rcp(plan) == numbers, path
        else:
            assert shop_of(plan) == (plain_jsp if kind == "jsp" else plain_fjsp)(numbers), path
            assert len(plan.resources) == int(known[path.name]["n_machines"])
