"""PrintDialog: how a plan lies on paper, seen before it is printed or saved as PDF. It never changes a plan."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

from PySide6.QtCore import QBuffer, QCoreApplication, QLocale, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QPainter, QPixmap, QResizeEvent
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressDialog,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.session.exports import write_export
from gui.dialogs.fitted_dialog import FittedDialog
from gui.printing.output import opened, page_image, page_layout, paint_paper, taken, write_pdf
from gui.printing.pages import LEAST_ZOOM, MOST_WIDE, MOST_ZOOM, PAPERS, Page, PageSetup, Sheets
from gui.printing.picture import Printed
from gui.theme import METRICS

_SIZE_PX = (980, 640)
_FORM_PX = 250
# Where pages as tall as Letter's are usual; everywhere else A4 is.
_LETTER = (QLocale.Country.UnitedStates, QLocale.Country.Canada, QLocale.Country.Mexico)
Tell = Callable[[str], object]
translate = QCoreApplication.translate


class PrintDialog(FittedDialog):
    """`whole` and `seen` are the plan's whole time and what the window shows of it; `tell` gets a sentence after each
    file that was written, `refuse` one that says why another was not.
    """

    def __init__(self, whole: Printed, seen: Printed, tell: Tell, refuse: Tell, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Print"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._choices = (whole, seen)
        self._tell, self._refuse = tell, refuse
        self.paper, self.way, self.time = QComboBox(), QComboBox(), QComboBox()
        self.wide, self.zoom = QSpinBox(), QSpinBox()
        self.legend = QCheckBox(self.tr("&Legend"))
        self.preview, self.count, self.note = QLabel(), QLabel(), QLabel()
        self.earlier = self._button(self.tr("&Back"), lambda: self.show_page(self._at - 1), "PgUp")
        self.later = self._button(self.tr("&Next"), lambda: self.show_page(self._at + 1), "PgDown")
        self.to_pdf = self._button(self.tr("&Save as PDF…"), self.choose_file)
        self.to_printer = self._button(self.tr("&Print…"), self.choose_printer)
        self.progress: QProgressDialog | None = None
        self._at = 0
        self._fill()
        self._lay_out()
        self._sheets = self._printed.sheets(self.setup)
        self._connect()
        self.show_page(0)

    @property
    def setup(self) -> PageSetup:
        """What is chosen."""
        return PageSetup(
            PAPERS[self.paper.currentIndex()],
            self.way.currentIndex() == 0,
            self.wide.value(),
            self.zoom.value() / 100,
            has_legend=self.legend.isChecked(),
        )

    @property
    def sheets(self) -> Sheets:
        """The pages as they are laid out now."""
        return self._sheets

    @property
    def _printed(self) -> Printed:
        return self._choices[self.time.currentIndex()]

    def show_page(self, number: int) -> None:
        """Shows one page, counted from 0; the nearest there is."""
        pages = self._sheets.pages
        self._at = min(max(number, 0), len(pages) - 1)
        page = pages[self._at]
        room, ratio = self.preview.size(), self.devicePixelRatioF()
        wide, high = self._sheets.setup.size_mm
        width = min(room.width(), room.height() * wide / high)
        image = page_image(self._printed, self._sheets, page, max(round(width * ratio), 50))
        image.setDevicePixelRatio(ratio)
        self.preview.setPixmap(QPixmap.fromImage(image))
        words = self.tr("Page {number} of {count}").format(number=page.number, count=len(pages))
        self.count.setText(words)
        self.preview.setAccessibleName(words)
        self.note.setText(self._note_words())
        self.earlier.setEnabled(self._at > 0)
        self.later.setEnabled(self._at + 1 < len(pages))

    def _note_words(self) -> str:
        """Which columns the paper has no room for, and what gives them some."""
        missing = self._printed.left_out(self.setup)
        if not missing:
            return ""
        words = self.tr("No room for: {columns}. A smaller size, wider paper or more pages make some.")
        return words.format(columns=", ".join(missing))

    def choose_file(self) -> None:
        """Ask where the PDF goes, and write it there."""
        dialog = QFileDialog(self, self.tr("Save as PDF"), f"{self._printed.state.plan.name}.pdf")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([self.tr("PDF (*.pdf)")])
        dialog.setDefaultSuffix("pdf")
        dialog.fileSelected.connect(self.write)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write(self, path: str) -> None:
        """Write all pages into a PDF, a page at a time, so that the window answers meanwhile."""
        buffer = opened()
        self._drive(write_pdf(self._printed, self._sheets, buffer), lambda: self._keep(path, buffer))

    def choose_printer(self) -> None:
        """Ask for a printer, and print."""
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setPageLayout(page_layout(self._sheets))
        printer.setFullPage(True)
        printer.setDocName(self._printed.state.plan.name)
        dialog = QPrintDialog(printer, self)
        dialog.setMinMax(1, len(self._sheets.pages))
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(lambda: self._print(printer))
        dialog.setModal(True)
        dialog.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, lambda: self.show_page(self._at))

    def _print(self, printer: QPrinter) -> None:
        last = printer.toPage() or len(self._sheets.pages)
        pages = self._sheets.pages[max(printer.fromPage(), 1) - 1 : last]
        done = self.tr("Sent to {printer}").format(printer=printer.printerName())
        self._drive(self._printing(printer, pages), lambda: self._tell(done))

    def _printing(self, printer: QPrinter, pages: tuple[Page, ...]) -> Generator[int, None, None]:
        painter = QPainter(printer)
        try:
            for done, page in enumerate(pages, 1):
                if done > 1:
                    printer.newPage()
                paint_paper(painter, self._printed, self._sheets, page, printer.resolution())
                yield done
        finally:
            painter.end()

    def _keep(self, path: str, buffer: QBuffer) -> None:
        try:
            write_export(path, taken(buffer))
        except EngineError as error:
            self._refuse(error.sentence)
            return
        self._tell(self.tr("Wrote {path}").format(path=path))
        self.accept()

    def _drive(self, work: Generator[int, None, None], then: Callable[[], object]) -> None:
        """A page a turn of the loop, with progress and a way to stop."""
        count = len(self._sheets.pages)
        progress = self.progress = QProgressDialog(self.tr("Drawing pages…"), self.tr("Cancel"), 0, count, self)
        progress.setWindowModality(Qt.WindowModality.WindowModal)
        progress.setMinimumDuration(300)
        timer = QTimer(progress)

        def step() -> None:
            done = None if progress.wasCanceled() else next(work, 0)
            if done:
                progress.setValue(done)
                return
            timer.stop()
            work.close()
            self.progress = None
            progress.deleteLater()
            if done == 0:
                then()

        timer.timeout.connect(step)
        timer.start(0)

    def _relaid(self) -> None:
        self._sheets = self._printed.sheets(self.setup)
        self.show_page(self._at)

    def _fill(self) -> None:
        for paper in PAPERS:
            self.paper.addItem(paper.name)
        usual = "Letter" if QLocale().territory() in _LETTER else "A4"
        self.paper.setCurrentIndex([paper.name for paper in PAPERS].index(usual))
        self.way.addItems([self.tr("Landscape"), self.tr("Portrait")])
        self.time.addItems([self.tr("The whole plan"), self.tr("What the window shows")])
        self.wide.setRange(1, MOST_WIDE)
        self.zoom.setRange(round(LEAST_ZOOM * 100), round(MOST_ZOOM * 100))
        self.zoom.setSuffix(" %")
        self.zoom.setSingleStep(10)
        with QSignalBlocker(self.zoom):
            self.zoom.setValue(100)
        self.legend.setChecked(True)

    def _connect(self) -> None:
        for box in (self.paper, self.way, self.time):
            box.currentIndexChanged.connect(self._relaid)
        for number in (self.wide, self.zoom):
            number.valueChanged.connect(self._relaid)
        self.legend.toggled.connect(self._relaid)

    def _button(self, text: str, act: Callable[[], object], shortcut: str = "") -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _=False: act())
        if shortcut:
            button.setShortcut(shortcut)
            button.setToolTip(f"{text.replace('&', '')} ({shortcut})")
        return button

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("P&aper"), self.paper)
        form.addRow(self.tr("&Orientation"), self.way)
        form.addRow(self.tr("&Time"), self.time)
        form.addRow(self.tr("Pages &wide"), self.wide)
        form.addRow(self.tr("Si&ze"), self.zoom)
        form.addRow("", self.legend)
        left, side = QVBoxLayout(), QWidget(self)
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self._scrolled(form), 1)
        side.setFixedWidth(max(_FORM_PX, form.sizeHint().width() + METRICS.row_px))
        left.addWidget(self.to_pdf)
        left.addWidget(self.to_printer)
        left.addWidget(self._button(self.tr("Close"), self.reject))
        side.setLayout(left)
        turn = QHBoxLayout()
        turn.addWidget(self.earlier)
        turn.addStretch()
        turn.addWidget(self.count)
        turn.addStretch()
        turn.addWidget(self.later)
        right = QVBoxLayout()
        self.preview.setMinimumSize(200, 200)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        right.addWidget(self.preview, 1)
        right.addLayout(turn)
        across = QHBoxLayout(self)
        across.addWidget(side)
        across.addLayout(right, 1)
        self.to_pdf.setDefault(True)
        self.resize(*_SIZE_PX)

    def _scrolled(self, form: QFormLayout) -> QScrollArea:
        """The form and what is said of it: on a small screen the buttons below stay in sight."""
        self.note.setWordWrap(True)
        self.note.setProperty("role", "muted")
        page, scroll, down = QWidget(), QScrollArea(), QVBoxLayout()
        page.setObjectName("ground")
        down.setContentsMargins(0, 0, METRICS.grid_px, 0)
        down.addLayout(form)
        down.addWidget(self.note)
        down.addStretch()
        page.setLayout(down)
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        return scroll


def seen_of(whole: Printed, span: tuple[int, int]) -> Printed:
    """The same rows over another time."""
    return replace(whole, span=span)
