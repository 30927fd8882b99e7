"""Holds the whole tree to the house's rules: sizes, docstrings, what may be loaded where. It tests no behavior."""

import ast
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = [*ROOT.glob("app.py"), *sorted((ROOT / "engine").rglob("*.py")), *sorted((ROOT / "gui").rglob("*.py"))]
WINDOW_LIBRARIES = ("PySide6", "shiboken6", "qasync", "pyqtgraph")
SLOW_LIBRARIES = ("numba", "cupy", "scipy", *WINDOW_LIBRARIES)
CATCHES_ALL = (
    "app.py",
    "engine/session/jobs.py",
    "engine/process/host.py",
    "engine/process/sampler.py",
    "engine/process/engines.py",
    "engine/process/solver.py",
    "engine/runtime/kit.py",
    "gui/loop.py",
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Every node of these kinds in the shipped code, each with its place for a person to read."""
    for path in SHIPPED:
        for node in ast.walk(tree(path)):
            if isinstance(node, kinds):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {getattr(node, 'name', '')}", node


def length(node: ast.AST) -> int:
    return node.end_lineno - node.lineno + 1


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


# Sizes


def test_that_functions_stay_short() -> None:
    lengths = {place: length(node) for place, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)}
    assert {place: lines for place, lines in lengths.items() if lines > 60} == {}
    longest = dict(sorted(lengths.items(), key=lambda item: -item[1])[: max(1, len(lengths) // 20)])
    assert statistics.quantiles(lengths.values(), n=20)[-1] <= 40, longest
    assert statistics.median(lengths.values()) <= 10


def test_that_functions_take_few_parameters() -> None:
    assert [place for place, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef) if parameters(node) > 6] == []


def parameters(function: Function) -> int:
    named = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return len([argument for argument in named if argument.arg not in ("self", "cls")])


def test_that_classes_stay_short() -> None:
    assert [place for place, node in nodes(ast.ClassDef) if length(node) > 250] == []


def test_that_files_stay_short() -> None:
    lines = {str(path.relative_to(ROOT)): line_count(path) for path in SHIPPED}
    assert {path: count for path, count in lines.items() if count > 400} == {}
    assert lines.get("gui/main_window.py", 0) <= 300
    assert statistics.median(count for path, count in lines.items() if not path.endswith("__init__.py")) <= 150


def test_that_test_files_stay_readable() -> None:
    tests = (ROOT / "tests").rglob("*.py")
    assert [str(path) for path in tests if line_count(path) > 600] == []


# Words


def test_that_every_module_says_what_it_owns() -> None:
    silent = [path for path in SHIPPED if path.stat().st_size and not is_sentence(ast.get_docstring(tree(path)))]
    assert [str(path.relative_to(ROOT)) for path in silent] == []


def is_sentence(docstring: str | None) -> bool:
    first = (docstring or "").split("\n", 1)[0]
    return first.endswith((".", ":")) and len(first.split()) >= 2


def test_that_every_public_name_of_the_engine_is_explained() -> None:
    public = [
        (path, node)
        for path in SHIPPED
        if path.is_relative_to(ROOT / "engine")
        for node in tree(path).body
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_")
    ]
    assert [f"{path.relative_to(ROOT)} {node.name}" for path, node in public if not ast.get_docstring(node)] == []


# Habits


def test_that_only_those_who_must_catch_everything_do() -> None:
    broad = [place for place, node in nodes(ast.ExceptHandler) if catches_all(node.type)]
    assert [place for place in broad if place.split(":")[0] not in CATCHES_ALL] == []


def catches_all(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(catches_all(each) for each in caught.elts)
    return caught is None or ast.unparse(caught) in ("Exception", "BaseException")


def test_that_untyped_dictionaries_stay_in_formats() -> None:
    untyped = [place for place, node in nodes(ast.Subscript) if ast.unparse(node) == "dict[str, Any]"]
    assert [place for place in untyped if not place.startswith("engine/formats/")] == []


# Packages


def test_that_the_folder_packaging_hides_no_library() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_that_the_lock_has_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text


@pytest.mark.skipif(not shutil.which("git") or not (ROOT / ".git").exists(), reason="not a checkout")
def test_that_no_lock_with_addresses_is_committed() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "uv.lock" not in tracked.split("\n")


# What is loaded

BLOCKER = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {WINDOW_LIBRARIES}:
            raise ModuleNotFoundError(name + " is not installed", name=name)

sys.meta_path.insert(0, Blocker())
"""

IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, sys.argv[1] + "."):
    importlib.import_module(module.name)
print(*sys.modules)
"""


@pytest.fixture
def without_qt(tmp_path: Path) -> dict[str, str]:
    """An environment in which no Python, nor any that it starts, finds Qt or what builds on it."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def python(*arguments: str | Path, env: dict[str, str] | None = None) -> str:
    ran = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_that_the_engine_loads_with_qt_uninstalled(without_qt: dict[str, str]) -> None:
    loaded = python("-c", IMPORT_ALL, "engine", env=without_qt).split()
    assert "engine.model.plan" in loaded
    assert {name.split(".")[0] for name in loaded}.isdisjoint(WINDOW_LIBRARIES)


def test_that_a_plan_is_scheduled_and_run_with_qt_uninstalled(without_qt: dict[str, str]) -> None:
    sample = next((ROOT / "resources" / "samples").rglob("*video*.loom"))
    schedule = json.loads(python("app.py", "schedule", sample, "--json", env=without_qt))
    assert schedule["tasks"]
    ran = json.loads(python("app.py", "run", sample, "--device", "simulated", "--json", env=without_qt))
    assert ran["outcome"] == "finished"


def test_that_the_command_line_loads_no_slow_library_before_it_must() -> None:
    loaded = {name.split(".")[0] for name in python("-c", IMPORT_ALL, "engine.headless").split()}
    assert loaded.isdisjoint(SLOW_LIBRARIES)
