"""What is printed, drawn back and compared with the plan."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from engine.errors import FormatError
from engine.model import Baseline, BaselineTask, ConstraintKind, Dependency, Progress, Split
from engine.session.document import Document
from engine.session.edits import ResizeTask
from engine.session.exports import write_export
from engine.session.scenarios import MAIN
from gui.gantt.coloring import ColorBy
from gui.gantt.column_words import title
from gui.gantt.columns import Column
from gui.gantt.rows import Rows
from gui.printing.output import clip, opened, page_image, picture, png, svg, taken, write_pdf
from gui.printing.pages import PAPERS, PX_PER_MM, Page, PageSetup, Sheets
from gui.printing.picture import Printed
from gui.theme import LIGHT, METRICS
from tests.gui.printing.plans import stairs

pytestmark = pytest.mark.usefixtures("qapp")

DPI = 150
A3 = PageSetup(next(paper for paper in PAPERS if paper.name == "A3"))
LETTER = PageSetup(next(paper for paper in PAPERS if paper.name == "Letter"), is_landscape=False, pages_wide=2)


def pdf(printed: Printed, sheets: Sheets) -> pypdfium2.PdfDocument:
    buffer = opened()
    assert list(write_pdf(printed, sheets, buffer)) == [page.number for page in sheets.pages]
    return pypdfium2.PdfDocument(taken(buffer))


def text_of(page: pypdfium2.PdfPage) -> str:
    with closing(page.get_textpage()) as text:
        return str(text.get_text_bounded())


def name_rows(page: pypdfium2.PdfPage, high: int, edge: float) -> list[tuple[str, float]]:
    """Each name in the table, left of `edge`, with its middle, in pixels of a page drawn `high` pixels high."""
    found: list[tuple[str, float]] = []
    px = high / page.get_height()
    with closing(page.get_textpage()) as text:
        words = text.get_text_range()
        for match in re.finditer(r"T\d{4}", words):
            left, bottom, _, top = text.get_charbox(match.start())
            if left * px < edge:
                found.append((match.group(), high - (bottom + top) / 2 * px))
    return found


def page_rows(page: Page) -> range:
    return range(page.first_row, page.end_row)


def bar_rows(pixels: NDArray[np.uint8], left: float) -> list[float]:
    """The middle of each bar to the right of a place, in pixels."""
    accent = QColor(LIGHT.accent)
    color = [accent.blue(), accent.green(), accent.red()]
    is_bar = (np.abs(pixels[:, round(left) :, :3].astype(int) - color).max(axis=2) < 40).sum(axis=1) >= 3
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_bar.astype(int), [0])))).reshape(-1, 2)
    return [float(first + end - 1) / 2 for first, end in edges]


@pytest.mark.parametrize("setup", [A3, LETTER], ids=["A3", "Letter"])
def test_that_every_row_of_500_is_printed_once_and_its_bar_beside_it(setup: PageSetup) -> None:
    printed = stairs(500)
    sheets = printed.sheets(setup)
    names: list[str] = []
    bars: list[float] = []
    with closing(pdf(printed, sheets)) as document:
        assert len(document) == len(sheets.pages)
        for page, paper in zip(sheets.pages, document, strict=True):
            pixels = paper.render(scale=DPI / 72).to_numpy()
            px = pixels.shape[1] / (setup.size_mm[0] * PX_PER_MM / setup.zoom)
            edge = (setup.margin_mm * PX_PER_MM / setup.zoom + page.table_px + 2) * px
            end = setup.margin_mm * PX_PER_MM / setup.zoom + sheets.top_px + len(page_rows(page)) * METRICS.row_px
            here = bar_rows(pixels[: round(end * px)], edge)
            if page.across:  # a bar that ends on the page before is not seen here
                assert [bar for bar in here if min(abs(bar - other) for other in bars) > 1] == []
                continue
            rows = name_rows(paper, pixels.shape[0], edge)
            names += [name for name, _ in rows]
            bars = here
            off = np.array(bars) - np.array([middle for _, middle in rows])
            assert off.max() - off.min() <= 1
            assert np.abs(off).max() < METRICS.row_px * px / 4
    assert names == [f"T{number:04}" for number in range(1, 501)]


def test_that_a_pdf_holds_letters_and_lines_and_no_picture() -> None:
    printed = stairs(5)
    with closing(pdf(printed, printed.sheets(A3))) as document:
        kinds = {thing.type for thing in document[0].get_objects()}
        assert pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in kinds
        assert {pypdfium2.raw.FPDF_PAGEOBJ_TEXT, pypdfium2.raw.FPDF_PAGEOBJ_PATH} <= kinds
        width, height = document[0].get_size()
        assert (width * 25.4 / 72, height * 25.4 / 72) == pytest.approx((420, 297), abs=0.5)


def test_that_name_dates_legend_and_page_number_are_printed() -> None:
    printed = stairs(200)
    sheets = printed.sheets(A3)
    with closing(pdf(printed, sheets)) as document:
        text = text_of(document[0])
    for words in ("Stairs", "Mar 2025 08:00 to", f"Page 1 of {len(sheets.pages)}", "task", "float"):
        assert words in text


def test_that_colors_and_promises_of_the_chart_are_printed_and_explained() -> None:
    printed = stairs(5)
    task = printed.state.plan.tasks[0].id
    dates = BaselineTask(task, printed.state.schedule.start_of(task), printed.state.schedule.finish_of(task), 3600)
    plan = replace(printed.state.plan, baselines=(Baseline(2, "agreed", (dates,)),))
    chosen = replace(printed, state=replace(printed.state, plan=plan), color_by=ColorBy.STATUS, baseline=2)
    with closing(pdf(chosen, chosen.sheets(A3))) as document:
        text = text_of(document[0])
    assert "to come" in text
    assert "promised" in text


def test_that_the_legend_of_a_page_leaves_out_nothing_that_has_room_closer_together() -> None:
    printed = stairs(8)
    plan, start = printed.state.plan, printed.state.schedule.start_of
    first, second, third, fourth, fifth, *_ = plan.tasks
    asked = (
        replace(first, deadline=start(first.id), constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=0),
        replace(second, progress=Progress(30.0, start(second.id)), splits=(Split(3600, 7200),)),
        replace(third, duration=0, is_milestone=True),
        replace(fifth, parent=fourth.id),
    )
    dates = BaselineTask(first.id, start(first.id), start(first.id) + 3600, 3600)
    plan = plan.with_tasks(asked)
    plan = replace(plan, baselines=(Baseline(2, "agreed", (dates,)),), dependencies=(Dependency(1, 2),))
    state = Document(plan).state
    chosen = replace(printed, state=state, rows=Rows.of(state), baseline=2)
    with closing(pdf(chosen, chosen.sheets(PageSetup()))) as document:
        text = text_of(document[0])
    for words in (
        "task",
        "milestone",
        "critical",
        "done so far",
        "pause",
        "promised",
        "constraint",
        "missed deadline",
        "link",
    ):
        assert words in text


def test_that_the_bars_of_other_branches_are_printed_and_named_in_the_legend() -> None:
    whole = stairs(6)
    document = Document(whole.state.plan)
    document.arrange(lambda held: held.branched("Faster", MAIN))
    document.execute(ResizeTask(3, 3600))
    document.arrange(lambda held: held.switched(MAIN))
    printed = replace(whole, branches=document.scenarios.others)
    for chosen, is_there in ((printed, True), (whole, False)):
        with closing(pdf(chosen, chosen.sheets(A3))) as pages:
            assert ("A: in “Faster”" in text_of(pages[0])) is is_there


def test_that_a_picture_and_a_drawing_hold_every_row() -> None:
    printed = stairs(40)
    sheets = printed.picture(600.0)
    image = QImage.fromData(png(picture(printed, sheets, 2.0)))
    assert image.height() == round(sheets.height_px * 2)
    text = svg(printed, sheets).decode()
    assert all(f"T{number:04}" in text for number in range(1, 41))
    assert "<image" not in text


def test_that_a_picture_of_too_many_rows_is_refused_before_it_is_made() -> None:
    printed = stairs(2_000)
    with pytest.raises(FormatError, match="is too large: show fewer rows"):
        picture(printed, printed.picture(600.0), 2.0)


def test_that_the_clipboard_gets_a_picture_and_a_drawing() -> None:
    printed = stairs(3)
    data = clip(printed, printed.picture(400.0), 1.0)
    QApplication.clipboard().setMimeData(data)
    assert QApplication.clipboard().image().width() > 400
    assert QApplication.clipboard().mimeData().hasFormat("image/svg+xml")


def test_that_a_preview_has_the_shape_of_the_paper() -> None:
    printed = stairs(3)
    image = page_image(printed, printed.sheets(A3), printed.sheets(A3).pages[0], 420)
    assert (image.width(), image.height()) == (420, 297)


def test_that_a_file_is_written_whole_or_left_as_it_was(tmp_path: Path) -> None:
    write_export(str(tmp_path / "plan.pdf"), b"new")
    assert (tmp_path / "plan.pdf").read_bytes() == b"new"
    with pytest.raises(FormatError, match="cannot be written"):
        write_export(str(tmp_path / "missing" / "plan.pdf"), b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["plan.pdf"]


@pytest.mark.parametrize("wide", [1, 2])
@pytest.mark.parametrize("name_at", [0, 8])
def test_that_columns_stand_whole_on_paper_and_leave_room_for_a_chart(wide: int, name_at: int) -> None:
    others = [Column.START, Column.FINISH, Column.FLOAT, Column.FREE_FLOAT, Column.PERCENT, Column.PREDECESSORS]
    others += [Column.CONSTRAINT, Column.DEADLINE]
    columns = [*others[:name_at], Column.TASK, *others[name_at:]]
    printed = replace(stairs(20), columns=tuple((column, title(column)) for column in columns))
    setup = PageSetup(pages_wide=wide)
    sheets = printed.sheets(setup)
    first = sheets.pages[0]
    assert wide * sheets.width_px - first.table_px >= 0.4 * wide * sheets.width_px
    kept = [column for column, _, _ in printed.kept(first.table_px)]
    missing = printed.left_out(setup)
    assert Column.TASK in kept
    assert [title(column) for column in columns if column not in kept] == list(missing)
    assert missing
    assert sum(width for _, _, width in printed.kept(first.table_px)) == pytest.approx(first.table_px)
    edge = (first.table_px + setup.margin_mm * PX_PER_MM) * 72 / 96
    with closing(pdf(printed, sheets)[0].get_textpage()) as words:
        text = "".join(str(words.get_text_bounded(right=edge)).split())
    assert all(title(column).replace(" ", "") in text for column in kept)
    assert not any(each.replace(" ", "") in text for each in missing)


def test_that_nothing_is_left_out_where_all_columns_have_room() -> None:
    assert stairs(20).left_out(PageSetup()) == ()
