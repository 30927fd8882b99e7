"""Compiled code is kept by the content of its sources, so that nobody runs what was compiled of older ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import compiled
from engine.compiled import cache_folder_for, digest_of_sources

CALLED = """
from engine.compiled import inlined
from engine.constants import MORE

@inlined
def more(number):
    return number + MORE
"""
CALLER = """
from engine.compiled import njit_now
from engine.called import more

@njit_now
def both(number):
    return more(number)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of three modules, two of them with compiled functions, and one that has nothing to do with them."""
    folder = tmp_path / "engine"
    folder.mkdir()
    shutil.copy(compiled.__file__, folder / "compiled.py")
    texts = {"__init__": "", "constants": "MORE = 1\n", "called": CALLED, "caller": CALLER, "other": "X = 1\n"}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def answer(package: Path) -> str:
    """What the caller gives for 10, in a process of its own that keeps its code beside the package."""
    code = "from engine.caller import both; print(both(10))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(package.parent / "kept")}
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=package.parent, env=environment, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_that_a_change_in_what_a_compiled_function_takes_in_from_elsewhere_is_seen(package: Path) -> None:
    assert (answer(package), answer(package)) == ("11", "11")
    (package / "constants.py").write_text("MORE = 5\n")
    assert answer(package) == "15"
    (package / "called.py").write_text(CALLED.replace("+", "-"))
    assert answer(package) == "5"


def test_that_only_the_modules_compiled_functions_rest_on_count(package: Path) -> None:
    known = digest_of_sources(package)
    (package / "other.py").write_text("X = 2\n")
    assert digest_of_sources(package) == known
    found = {known}
    for name in ("constants", "called", "caller", "compiled"):
        with (package / f"{name}.py").open("a") as module:
            module.write("# changed\n")
        found.add(digest_of_sources(package))
    assert len(found) == 5


def test_that_old_folders_do_not_pile_up_and_the_one_in_use_stays(tmp_path: Path) -> None:
    (tmp_path / "another program's").mkdir()
    for number in range(9):
        os.utime(cache_folder_for(tmp_path, f"{number:016x}"), (number, number))
    chosen = cache_folder_for(tmp_path, f"{0:016x}")
    assert chosen.is_dir()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["another program's", *(f"code-{number:016x}" for number in (0, 6, 7, 8))]


def test_that_a_process_that_another_started_uses_the_same_folder(tmp_path: Path) -> None:
    first = cache_folder_for(tmp_path, "a" * 16)
    assert cache_folder_for(first, "a" * 16) == first
    assert cache_folder_for(first, "b" * 16).parent == tmp_path


def test_that_a_folder_that_cannot_be_made_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not cache_folder_for(tmp_path / "file", "a" * 16).exists()
