"""The verb `schedule` over every sample file: valid ones are dated, others refused in a sentence, in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
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

# Runs every file in one process, which says for each how it ended and what other files were opened, Python's own and
# the product's left out, and at last the most memory it ever had.
CODE = """
import contextlib, io, json, os, sys
from engine.headless.cli import main
own = tuple(map(os.path.realpath, (sys.prefix, sys.base_prefix, os.getcwd(), "/proc", "/sys", "/dev")))
opened = []
def note(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)):
        opened.append(os.path.realpath(os.fsdecode(args[0])))
sys.addaudithook(note)
for path in sys.stdin.read().splitlines():
    out, err = io.StringIO(), io.StringIO()
    opened.clear()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["schedule", path, "--json", "--recorded"])
    tasks = len(json.loads(out.getvalue())["tasks"]) if out.getvalue() else None
    others = [each for each in opened if not each.startswith(own) and each != os.path.realpath(path)]
    print(json.dumps([path, code, tasks, err.getvalue(), others]))
print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))
"""
Ended = tuple[str, int, int | None, str, list[str]]


def schedule_all(paths: list[Path]) -> tuple[list[Ended], float]:
    """(file, exit code, tasks, what was said, other files read) of each, and the megabytes it took at most."""
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


def assert_refused(paths: list[Path]) -> None:
    """Each ends with 2 and one sentence that names it, and nothing but it was read, all in little memory."""
    ended, megabytes = schedule_all(paths)
    assert len(ended) == len(paths)
    for path, code, tasks, said, others in ended:
        assert (code, tasks, others) == (2, None, []), path
        assert path in said
        assert said.count("\n") == 1
        assert said.endswith(".\n")
    assert megabytes <= MOST_MB


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[Path]:
    found = sorted(path for path in (corpus / "plans").rglob("*") if path.is_file())
    return [path for path in found if path.name not in OPEN]


@pytest.mark.corpus
@pytest.mark.slow
def test_that_every_valid_file_is_dated(files: list[Path]) -> None:
    valid = [path for path in files if path.suffix in READ and path.name not in BROKEN]
    assert valid
    ended, megabytes = schedule_all(valid)
    assert [(path, said) for path, code, tasks, said, _ in ended if code or tasks is None] == []
    assert [(path, others) for path, _, _, _, others in ended if others] == []
    assert megabytes <= MOST_MB


@pytest.mark.corpus
def test_that_every_other_file_is_refused_in_one_sentence(files: list[Path]) -> None:
    others = [path for path in files if path.name in BROKEN or path.suffix not in {*READ, ".mpp", ".mpx", ".pmxml"}]
    assert others
    assert_refused(others)


PROJECT = '<Project xmlns="http://schemas.microsoft.com/project">'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
TABLE = "Id,Name,Duration\n"
HOSTILE = {
    "laughs.xml": f'<!DOCTYPE P [<!ENTITY l0 "ha">{LAUGHS}]>{PROJECT}<Name>&l9;</Name></Project>',
    "laughs.gan": f'<!DOCTYPE P [<!ENTITY l0 "ha">{LAUGHS}]><project name="&l9;"/>',
    "deep.xml": PROJECT + "<Tasks>" * 500_000,
    "deep.gan": "<project>" + "<task>" * 500_000,
    "long.gan": "<project>" + " " * 20_000_000,
    "zeros.xml": "\0" * 5_000_000,
    "zeros.csv": "\0" * 5_000_000,
    "zeros.loom": "\0" * 5_000_000,
    "zeros.xer": "\0" * 5_000_000,
    "zeros.ics": "\0" * 5_000_000,
    "sqlite.loom": "SQLite format 3\0" + "\xff" * 5_000_000,
    "cut.xer": "ERMHDR\t8.4\n%T\tTASK\n%F\ttask_id\n%R\t",
    "endless.ics": "BEGIN:VCALENDAR\n" + "BEGIN:VTODO\n" * 200_000,
    "ages.csv": TABLE + "1,a,99999999999999999999 years\n",
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_that_hostile_files_are_refused_in_one_sentence_and_little_memory(tmp_path: Path) -> None:
    for name, text in HOSTILE.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/workbook.xml", b" " * 200_000_000)
    assert_refused(sorted(tmp_path.iterdir()))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_that_an_external_entity_reads_no_other_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    for name, tag in (("hostile.xml", PROJECT), ("hostile.gan", "<Project>")):
        entity = f'<!DOCTYPE Project [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        (tmp_path / name).write_text(f'<?xml version="1.0"?>{entity}{tag}<Name>&x;</Name></Project>')
    assert_refused([tmp_path / "hostile.xml", tmp_path / "hostile.gan"])
