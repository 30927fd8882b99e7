"""Kills a process with SIGKILL again and again while it edits, autosaves and saves, and looks at what is left.

    python -m tests.stress.save_kills KILLS SEED FOLDER

Half of the kills are aimed: the child kills itself before or after a chosen system call. The others come from outside
at a random time. Prints a JSON object: where the kills fell, and every fault found afterwards.
"""

from __future__ import annotations

import itertools
import json
import mmap
import os
import random
import signal
import stat
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import EngineError
from engine.formats import loom
from engine.model import Task
from engine.session import autosave
from engine.session.document import Document
from engine.session.edits import SetName
from tests.engine.model.strategies import office

VERBS = ("autosave", "save")
STEPS = ("between", "write", "fsync file", "rename backup", "link backup", "rename", "fsync folder")
AIMS = [(verb, step, is_after) for verb in VERBS for step in STEPS[1:] for is_after in (False, True)]
AIMS = [aim for aim in AIMS if aim[0] == "save" or "backup" not in aim[1]]
CHUNK = 16_384
LONGEST_S = 0.25
TASKS = 2_000


class Log:
    """Numbers that outlive a killed child: saves and autosaves that were completed, and where it is."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 4096)

    def write(self, place: int, value: int) -> None:
        struct.pack_into("q", self._memory, 8 * place, value)

    def read(self, place: int) -> int:
        return int(struct.unpack_from("q", self._memory, 8 * place)[0])


SAVED, AUTOSAVED, VERB, STEP, READY = range(5)


@dataclass
class Child:
    """What runs in the process that is killed: the system calls of a save, each noted, and one of them deadly."""

    log: Log
    aim: tuple[str, str, bool] | None
    skip: int

    def run(self, path: Path) -> None:
        self._watch("write", lambda _file, _data: "write", self._short(os.write))
        self._watch("fsync", lambda file: "fsync folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "fsync file")
        self._watch("replace", lambda _source, target: "rename backup" if "~" in str(target) else "rename")
        self._watch("link", lambda *_ends: "link backup")
        document = Document.load(path)
        self.log.write(READY, 1)
        for number in itertools.count(self.log.read(SAVED) + 1):
            document.execute(SetName(f"save {number}"))
            self.log.write(VERB, 0)
            document.autosave()
            self.log.write(AUTOSAVED, number)
            self.log.write(VERB, 1)
            document.save()
            self.log.write(SAVED, number)

    def _short(self, write: Callable[[int, memoryview], int]) -> Callable[[int, memoryview], int]:
        """Writes that take many calls, so that a kill can fall between two of them."""
        return lambda file, data: write(file, data[:CHUNK])

    def _watch(self, name: str, step_of: Callable[..., str], call: Callable[..., object] | None = None) -> None:
        system = call or getattr(os, name)

        def watched(*arguments: object, **named: object) -> object:
            step = step_of(*arguments)
            self.log.write(STEP, STEPS.index(step))
            self._perhaps_die(step, is_after=False)
            result = system(*arguments, **named)
            self._perhaps_die(step, is_after=True)
            self.log.write(STEP, 0)
            return result

        setattr(os, name, watched)

    def _perhaps_die(self, step: str, *, is_after: bool) -> None:
        if self.aim == (VERBS[self.log.read(VERB)], step, is_after):
            self.skip -= 1
            if self.skip < 0:
                os.kill(os.getpid(), signal.SIGKILL)


def kill_one(path: Path, log: Log, aim: tuple[str, str, bool] | None, numbers: random.Random) -> str:
    """Forks a child, has it killed, and says where that fell."""
    for place in (AUTOSAVED, VERB, STEP, READY):
        log.write(place, 0)
    skip = numbers.randrange(12 if aim and aim[1] == "write" else 2)
    child = os.fork()
    if child == 0:
        try:
            Child(log, aim, skip).run(path)
        finally:
            os._exit(1)
    if aim is None:
        while not log.read(READY):
            time.sleep(0.001)
        time.sleep(numbers.uniform(0, LONGEST_S))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise SystemExit(f"the child ended by itself: {status}, aimed at {aim}")
    return f"{VERBS[log.read(VERB)]}: {STEPS[log.read(STEP)]}"


def number_in(path: str | Path) -> int:
    return int(loom.load(path).name.removeprefix("save "))


def faults_after(path: Path, log: Log) -> Iterator[str]:
    """What is wrong with what a killed child left; then brings the folder back to one file and its backups."""
    saved, autosaved = log.read(SAVED), log.read(AUTOSAVED)
    try:
        found = number_in(path)
        if found not in (saved, saved + 1):
            yield f"the file holds save {found}, the last one completed was {saved}"
        for backup in path.parent.glob("plan.loom~*"):
            if number_in(backup) > found:
                yield f"{backup.name} is newer than the file"
        recovery = autosave.find(path)
        kept = found if recovery is None else number_in(recovery.autosave)
        if max(kept, found) < autosaved:
            yield f"autosave {autosaved} was completed, {kept} was kept"
        for left in autosave.orphans():
            autosave.discard(left)
        log.write(SAVED, found)
    except EngineError as error:
        yield error.sentence


def large_plan() -> object:
    tasks = tuple(Task(number, f"task {number}", 60 * number) for number in range(1, TASKS + 1))
    return replace(office(), name="save 0", tasks=tasks, dependencies=(), next_task_id=TASKS + 1)


def main(kills: int, seed: int, folder: Path) -> dict[str, object]:
    """The whole of it; `left` names what lies in the folder after one more, undisturbed save."""
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    path, log, numbers = folder / "plans" / "plan.loom", Log(), random.Random(seed)
    path.parent.mkdir(parents=True)
    loom.save(path, large_plan())
    aims = itertools.cycle(numbers.sample(AIMS, len(AIMS)))
    fell: Counter[str] = Counter()
    faults: list[str] = []
    for kill in range(kills):
        aim = next(aims) if kill % 2 else None
        where = kill_one(path, log, aim, numbers)
        fell[where] += 1
        faults += [f"kill {kill} ({where}, aimed at {aim}): {fault}" for fault in faults_after(path, log)]
    saves = log.read(SAVED)
    Document.load(path).save()
    left = sorted(found.name for found in path.parent.iterdir())
    return {"kills": kills, "saves": saves, "fell": dict(sorted(fell.items())), "faults": faults, "left": left}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))))
