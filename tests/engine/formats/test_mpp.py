"""Tests of what MPXJ reads for us: the process that does it may be missing, fail, hang or die."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import find_format, mpp, mspdi
from tests.engine.model.strategies import office

needs_mpxj = pytest.mark.skipif(
    not (find_spec("mpxj") and find_spec("jpype") and shutil.which("java")), reason="MPXJ or Java is not here"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plan.mpx"
    path.write_text("MPX,Microsoft Project,4.0,ANSI\n")
    return path


def run_instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(mpp, "command", lambda path, target: [sys.executable, "-c", code, str(path), str(target)])


def refusal(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        mpp.load(path)
    assert caught.value.path == str(path)
    assert str(path) in caught.value.sentence
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def test_that_what_the_process_writes_is_read_as_project_xml(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written = tmp_path / "written.xml"
    mspdi.save(written, office())
    run_instead(monkeypatch, f"import shutil, sys; shutil.copy({str(written)!r}, sys.argv[2])")
    assert [task.name for task in mpp.load(file).tasks] == [task.name for task in office().tasks]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (
            "import sys; sys.exit(3)",
            "needs the packages mpxj and JPype1: install them with pip install 'warploom[mpp]'.",
        ),
        ("import sys; sys.exit(4)", "needs Java: install a Java runtime, such as the package default-jre."),
        (
            "import sys; print('noise'); print('Invalid file format.'); sys.exit(5)",
            "was not read: Invalid file format.",
        ),
        ("raise RuntimeError('boom')", "was not read: MPXJ failed."),
        ("import os; os.abort()", "was not read: MPXJ failed."),
        ("pass", "was not read: MPXJ failed."),
        ("import sys; open(sys.argv[2], 'w').write('<Project')", "as MPXJ reads it,"),
    ],
)
def test_that_whatever_happens_there_is_one_sentence_here(
    file: Path, monkeypatch: pytest.MonkeyPatch, code: str, why: str
) -> None:
    run_instead(monkeypatch, code)
    assert why in refusal(file)


def test_that_a_process_that_hangs_is_killed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpp, "TIMEOUT_S", 0.5)
    run_instead(monkeypatch, "import time; time.sleep(600)")
    assert "MPXJ took longer than 0.5 s." in refusal(file)


def test_that_nothing_is_left_in_the_temporary_folder(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    run_instead(monkeypatch, "import sys; open(sys.argv[2], 'w').write('<Project'); sys.exit(5)")
    refusal(file)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (b"MPX,Microsoft Project,4.0,ANSI", True),
        (b"MPX;Microsoft Project;4.0;ANSI", True),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "Props14".encode("utf-16-le"), True),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "Workbook".encode("utf-16-le"), False),
        (b'<APIBusinessObjects xmlns="http://xmlns.oracle.com/Primavera/P6/V8.4/API/BusinessObjects"/>', True),
        (b"MPXJ is a library", False),
        (b"", False),
    ],
)
def test_that_its_files_are_known_by_content(tmp_path: Path, data: bytes, is_one: bool) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(data)
    assert mpp.sniff(path) is is_one
    assert not is_one or find_format(path) is mpp


@needs_mpxj
@pytest.mark.corpus
@pytest.mark.slow
def test_that_the_samples_are_read_by_mpxj_itself(corpus: Path) -> None:
    plans = corpus / "plans"
    paths = [*(plans / "mpp").glob("*.mpp"), *(plans / "mpx").glob("*.mpx"), *(plans / "pmxml").glob("*.pmxml")]
    counts = {path.name: len(mpp.load(path).tasks) for path in paths if path.name != "empty.mpx"}
    assert counts
    assert min(counts.values()) > 0, counts


@needs_mpxj
def test_that_what_mpxj_cannot_read_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "plan.mpp"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000))
    assert "was not read" in refusal(path)
