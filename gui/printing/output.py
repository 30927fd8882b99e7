"""Output: pages of a plan as a PDF, an SVG or a picture, in memory or on the printer. It never asks where to.

Each of the long ones is a generator that yields the number of pages done, so that whoever drives it can show that and
stop; nothing is written before it has ended.
"""

from __future__ import annotations

from collections.abc import Generator
from math import ceil

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QMimeData, QRect, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from engine.errors import FormatError
from gui.canvas.painter import color
from gui.printing.pages import PX_PER_MM, Page, Sheets
from gui.printing.picture import Printed, paint
from gui.theme import LIGHT

# Letters and lines are placed this finely in a PDF.
_PDF_DPI = 1200
_MOST_PIXELS = 200_000_000
_NO_MARGINS = QMarginsF(0, 0, 0, 0)


def page_layout(sheets: Sheets) -> QPageLayout:
    """The paper as it lies, without margins of Qt's own: ours are in the drawing."""
    paper = sheets.setup.paper
    size = QPageSize(QSizeF(paper.width_mm, paper.height_mm), QPageSize.Unit.Millimeter, paper.name)
    way = QPageLayout.Orientation
    return QPageLayout(size, way.Landscape if sheets.setup.is_landscape else way.Portrait, _NO_MARGINS)


def write_pdf(printed: Printed, sheets: Sheets, buffer: QBuffer) -> Generator[int, None, None]:
    """Writes a PDF into an open buffer, page by page."""
    writer = QPdfWriter(buffer)
    writer.setResolution(_PDF_DPI)
    writer.setPageLayout(page_layout(sheets))
    writer.setTitle(printed.state.plan.name)
    writer.setCreator("Warploom")
    painter = QPainter(writer)
    try:
        for page in sheets.pages:
            if page.number > 1:
                writer.newPage()
            paint_paper(painter, printed, sheets, page, _PDF_DPI)
            yield page.number
    finally:
        painter.end()


def paint_paper(painter: QPainter, printed: Printed, sheets: Sheets, page: Page, dpi: float) -> None:
    """A page on paper, its margins around it, on a device of so many dots an inch."""
    dots_per_mm = dpi / 25.4
    painter.save()
    painter.translate(sheets.setup.margin_mm * dots_per_mm, sheets.setup.margin_mm * dots_per_mm)
    scale = dots_per_mm / (PX_PER_MM / sheets.setup.zoom)
    painter.scale(scale, scale)
    paint(painter, printed, sheets, page)
    painter.restore()


def page_image(printed: Printed, sheets: Sheets, page: Page, width_px: int) -> QImage:
    """A page on white paper, so many pixels wide."""
    wide, high = sheets.setup.size_mm
    image = QImage(max(width_px, 1), max(round(width_px * high / wide), 1), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    paint_paper(painter, printed, sheets, page, image.width() / wide * 25.4)
    painter.end()
    return image


def picture(printed: Printed, sheets: Sheets, scale: float) -> QImage:
    """The one page of `sheets` without paper around it, `scale` pixels a logical pixel.

    Raises FormatError where that would be more pixels than a picture can have.
    """
    wide, high = ceil(sheets.width_px * scale), ceil(sheets.height_px * scale)
    if wide * high > _MOST_PIXELS or max(wide, high) > 32_000:
        raise FormatError(
            f"A picture of {wide:,} by {high:,} pixels is too large: show fewer rows or less time, or save a PDF."
        )
    image = QImage(wide, high, QImage.Format.Format_RGB32)
    image.fill(color(LIGHT, "ground"))
    painter = QPainter(image)
    painter.scale(scale, scale)
    paint(painter, printed, sheets, sheets.pages[0])
    painter.end()
    return image


def svg(printed: Printed, sheets: Sheets) -> bytes:
    """The one page of `sheets` as SVG."""
    buffer = opened()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(ceil(sheets.width_px), ceil(sheets.height_px)))
    generator.setViewBox(QRect(0, 0, ceil(sheets.width_px), ceil(sheets.height_px)))
    generator.setTitle(printed.state.plan.name)
    painter = QPainter(generator)
    paint(painter, printed, sheets, sheets.pages[0])
    painter.end()
    return taken(buffer)


def png(image: QImage) -> bytes:
    """An image as PNG."""
    buffer = opened()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return taken(buffer)


def clip(printed: Printed, sheets: Sheets, scale: float) -> QMimeData:
    """The one page of `sheets` for the clipboard: as a picture, and as SVG for who takes that."""
    data = QMimeData()
    data.setImageData(picture(printed, sheets, scale))
    data.setData("image/svg+xml", svg(printed, sheets))
    return data


def opened() -> QBuffer:
    """A buffer to write into."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


def taken(buffer: QBuffer) -> bytes:
    """What was written into a buffer."""
    return bytes(buffer.data().data())
