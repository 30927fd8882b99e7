"""The verb `schedule` over every sample file: valid ones are dated, others refused in a sentence, in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MOST_MB = 300
READ = {".xml", ".gan", ".xer", ".csv", ".xlsx", ".ics", ".loom"}
BROKEN = {
    "truncated-mspdi.xml",
    "hostile-billion-laughs-mspdi.xml",
    "hostile-xxe-mspdi.xml",
    "nul-filled.gan",
    "zero-byte.gan",
    "tasks-emptied.gan",
}
# Valid or not depending on who uses its broken calendar.
OPEN = {"invalid-8.4.xer"}

# Runs every file in one process, which says for each how it ended, and at last the most memory it ever had.
CODE = """
import contextlib, io, json, sys
from engine.headless.cli import main
for path in sys.stdin.read().splitlines():
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["schedule", path, "--json", "--recorded"])
    tasks = len(json.loads(out.getvalue())["tasks"]) if out.getvalue() else None
    print(json.dumps([path, code, tasks, err.getvalue()]))
print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))
"""


def schedule_all(paths: list[Path]) -> tuple[list[tuple[str, int, int | None, str]], float]:
    """(file, exit code, tasks, what was said) of each, and the megabytes it took at most."""
    ran = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=ROOT,
        input="\n".join(map(str, paths)),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    *lines, kilobytes = ran.stdout.splitlines()
    return [tuple(json.loads(line)) for line in lines], int(kilobytes) / 1024


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[Path]:
    found = sorted(path for path in (corpus / "plans").rglob("*") if path.is_file())
    return [path for path in found if path.name not in OPEN]


@pytest.mark.corpus
@pytest.mark.slow
def test_that_every_valid_file_is_dated(files: list[Path]) -> None:
    valid = [path for path in files if path.suffix in READ and path.name not in BROKEN]
    assert valid
    ended, _ = schedule_all(valid)
    assert [(path, said) for path, code, tasks, said in ended if code or tasks is None] == []


@pytest.mark.corpus
def test_that_every_other_file_is_refused_in_one_sentence(files: list[Path]) -> None:
    others = [path for path in files if path.name in BROKEN or path.suffix not in {*READ, ".mpp", ".mpx", ".pmxml"}]
    assert others
    ended, megabytes = schedule_all(others)
    for path, code, tasks, said in ended:
        assert (code, tasks) == (2, None), path
        assert path in said
        assert said.count("\n") == 1
        assert said.endswith(".\n")
    assert megabytes <= MOST_MB


def test_that_an_external_entity_reads_no_other_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    hostile = tmp_path / "hostile.xml"
    hostile.write_text(
        f'<?xml version="1.0"?><!DOCTYPE Project [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        '<Project xmlns="http://schemas.microsoft.com/project"><Name>&x;</Name></Project>'
    )
    ((_, code, tasks, said),) = schedule_all([hostile])[0]
    assert (code, tasks) == (2, None)
    assert "the secret" not in said
