"""The verb `optimize`, as a person calls it."""

import json
from pathlib import Path

import pytest

from engine.headless.cli import main
from tests.engine.process.test_solver import FT06


def asked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, object], str]:
    code = main(["optimize", *map(str, words), "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else {}, err


def written(folder: Path) -> Path:
    path = folder / "ft06.txt"
    path.write_text(FT06, encoding="ascii")
    return path


def test_that_a_small_shop_is_proved_best_and_its_plan_keeps_every_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document, _ = asked(capsys, written(tmp_path), "--seconds", 300, "--cores", 2)
    assert code == 0
    assert (document["objective"], document["bound"], document["optimal"], document["checked"]) == (55, 55, True, True)
    rows = document["schedule"]
    assert isinstance(rows, list)
    assert max(row["finish"] for row in rows) == 55
    for one in rows:
        for other in rows:
            if one["job"] == other["job"] and one["operation"] < other["operation"]:
                assert one["finish"] <= other["start"]
            if one is not other and one["resource"] == other["resource"]:
                assert one["finish"] <= other["start"] or other["finish"] <= one["start"]
    numbers = [list(map(int, line.split())) for line in FT06.splitlines()[1:]]
    for row in rows:
        machine, ticks = numbers[row["job"] - 1][2 * row["operation"] - 2 :][:2]
        assert (row["resource"], row["finish"] - row["start"]) == (f"Machine {machine}", ticks)


def test_that_incumbents_get_better(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, document, _ = asked(capsys, written(tmp_path), "--slices", 10, "--seed", 3)
    incumbents = document["incumbents"]
    assert isinstance(incumbents, list)
    values = [each["objective"] for each in incumbents]
    assert values == sorted(values, reverse=True)
    assert document["objective"] == values[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--objective", "speed"), "There is no objective “speed”"),
        (("--device", "simulated"), "use --device auto, cpu or cuda"),
    ],
)
def test_that_what_cannot_be_asked_is_bad_input(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document, err = asked(capsys, written(tmp_path), *words)
    assert (code, document) == (2, {})
    assert said in err


def test_that_a_plan_of_days_has_dates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.csv"
    plan.write_text("Name,Duration\nDesign,3d\n", encoding="utf-8")
    code, document, err = asked(capsys, plan, "--slices", 2)
    assert code == 0, err
    assert document["checked"] is True
    rows = document["schedule"]
    assert isinstance(rows, list)
    assert rows[0]["finish"] > rows[0]["start"] > "2"
