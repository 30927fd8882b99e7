"""Welcome: what the window shows without a plan: the samples as cards, recent files, and the way to others.

It never opens anything: it says what was picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.actions import SAMPLES
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Box, Label, Line, Polygon, Shape
from gui.dialogs.plan_files import PlanFiles
from gui.menus import Actions
from gui.theme import LIGHT, METRICS, Theme

_T = QT_TRANSLATE_NOOP
_CARD = QSize(300, 164)
_PICTURE_HEIGHT = 92.0
_PITCH = 13.0
_INSET = 16.0
_COLUMNS = 3
_GAP_PX = 4 * METRICS.grid_px
_SCROLL_BAR_PX = 10


@dataclass(frozen=True, slots=True)
class Picture:
    """A plan in miniature: bars as (row, start, end, color) and links as (bar, bar); 0 to 100 is the card's width."""

    text: object
    bars: tuple[tuple[int, int, int, str], ...]
    links: tuple[tuple[int, int], ...] = ()


PICTURES = {
    "video-pipeline": Picture(
        _T("Welcome", "Frames through copy in, filter and copy out on three streams"),
        (
            *((0, 0, 18, "copy_in"), (0, 18, 46, "compute"), (0, 46, 62, "copy_out")),
            *((2, 18, 36, "copy_in"), (2, 46, 74, "compute"), (2, 74, 90, "copy_out")),
            *((4, 36, 54, "copy_in"), (4, 74, 100, "compute")),
        ),
        ((1, 4), (4, 7)),
    ),
    "training-step": Picture(
        _T("Welcome", "Forward, backward, and gradients exchanged while it goes on"),
        (
            *((0, 0, 14, "copy_in"), (1, 14, 26, "compute"), (1, 26, 38, "compute"), (1, 38, 54, "compute")),
            *((1, 54, 70, "compute"), (1, 70, 86, "compute"), (3, 54, 66, "copy_out"), (3, 70, 82, "copy_out")),
            *((4, 82, 92, "host"), (5, 88, 100, "copy_in")),
        ),
        ((3, 6), (4, 7)),
    ),
    "game-frame": Picture(
        _T("Welcome", "Physics and particles beside rendering, one frame long"),
        (
            *((0, 0, 12, "host"), (1, 12, 24, "copy_in"), (2, 24, 58, "compute"), (3, 24, 44, "compute")),
            *((4, 44, 72, "compute"), (2, 72, 88, "compute"), (5, 88, 100, "copy_out")),
        ),
        ((1, 3), (3, 4), (4, 5)),
    ),
    "assembly-line": Picture(
        _T("Welcome", "Six orders over six machines in two shifts, with set-ups and due dates"),
        (
            *((0, 0, 16, "accent"), (0, 22, 44, "accent"), (1, 16, 30, "accent"), (1, 44, 70, "accent")),
            *((2, 8, 22, "accent"), (2, 30, 58, "critical"), (3, 22, 40, "accent"), (3, 58, 80, "critical")),
            *((4, 40, 58, "accent"), (4, 80, 98, "critical")),
        ),
        ((5, 7), (7, 9)),
    ),
    "software-release": Picture(
        _T("Welcome", "Five people, weekends, a holiday and a code freeze"),
        (
            *((0, 0, 22, "accent"), (1, 22, 48, "critical"), (2, 22, 60, "accent"), (3, 34, 66, "accent")),
            *((4, 48, 82, "critical"), (5, 82, 98, "critical")),
        ),
        ((0, 1), (1, 4), (4, 5)),
    ),
    "data-center": Picture(
        _T("Welcome", "Jobs and virtual machines on three nodes around the clock"),
        (
            *((0, 0, 40, "accent"), (0, 42, 90, "accent"), (1, 6, 30, "host"), (2, 0, 24, "accent")),
            *((2, 26, 70, "critical"), (3, 30, 62, "host"), (4, 10, 56, "accent"), (4, 70, 98, "critical")),
        ),
        ((4, 7),),
    ),
}


class Welcome(QScrollArea):
    """The page. `sample_picked` carries a sample's name, `recent_picked` a path."""

    sample_picked = Signal(str)
    recent_picked = Signal(str)

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = [SampleCard(name, str(title)) for name, title in SAMPLES]
        self._columns = 0
        self._recent = QVBoxLayout()
        self._recent_title = _title(self.tr("Recent plans"))
        page = QWidget()
        page.setObjectName("ground")
        column = QVBoxLayout()
        column.setSpacing(_GAP_PX)
        column.addLayout(self._head(actions))
        column.addWidget(_title(self.tr("Samples")))
        self._grid = self._make_grid()
        column.addLayout(self._grid)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        column.addStretch()
        outer = QHBoxLayout(page)
        outer.setContentsMargins(2 * _GAP_PX, 2 * _GAP_PX, 2 * _GAP_PX, _GAP_PX)
        outer.addStretch()
        outer.addLayout(column)
        outer.addStretch()
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.show_recent(())

    def follow(self, files: PlanFiles) -> None:
        """Have what is picked opened, and list what was opened last."""
        self.sample_picked.connect(files.open_sample)
        self.recent_picked.connect(files.open_path)
        files.recent_changed.connect(self.show_recent)

    def set_theme(self, theme: Theme) -> None:
        """Draw the cards in the colors of a theme."""
        for card in self.cards:
            card.theme = theme
            card.update()

    def show_recent(self, paths: Sequence[str]) -> None:
        """List the plans opened last; those that are gone are left out."""
        while (item := self._recent.takeAt(0)) is not None:
            if (button := item.widget()) is not None:
                button.deleteLater()
        here = [path for path in paths if Path(path).is_file()]
        for path in here:
            self._recent.addWidget(self._recent_button(path))
        self._recent_title.setVisible(bool(here))
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many cards beside each other as there is room for."""
        super().resizeEvent(event)
        room_px = event.size().width() - 4 * _GAP_PX - _SCROLL_BAR_PX
        columns = max(1, min(_COLUMNS, (room_px + _GAP_PX) // (_CARD.width() + _GAP_PX)))
        if columns != self._columns:
            self._columns = columns
            for place, card in enumerate(self.cards):
                self._grid.addWidget(card, place // columns, place % columns)
            self._elide()

    def _head(self, actions: Actions) -> QVBoxLayout:
        name = QLabel(QCoreApplication.applicationName())
        name.setProperty("role", "name")
        what = QLabel(
            self.tr(
                "Draw a plan on a chart, run it on a device, and watch what really overlapped beside what was planned."
            )
        )
        what.setProperty("role", "muted")
        what.setWordWrap(True)
        buttons = QHBoxLayout()
        for number, action in enumerate((actions["open"], actions["new_plan"], actions["new_device_plan"])):
            button = QPushButton(action.text().replace("&", ""))
            button.setToolTip(action.toolTip())
            button.setProperty("primary", number == 0)
            button.clicked.connect(action.trigger)
            buttons.addWidget(button)
        buttons.addStretch()
        head = QVBoxLayout()
        head.setSpacing(2 * METRICS.grid_px)
        head.addWidget(name)
        head.addWidget(what)
        head.addSpacing(METRICS.grid_px)
        head.addLayout(buttons)
        return head

    def _make_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(_GAP_PX)
        # In a group the arrow keys move between the cards.
        group = QButtonGroup(self)
        group.setExclusive(False)
        for place, card in enumerate(self.cards):
            grid.addWidget(card, place, 0)
            group.addButton(card)
            card.clicked.connect(lambda _=False, name=card.name: self.sample_picked.emit(name))
        return grid

    def _elide(self) -> None:
        """Have long paths end where the cards do."""
        width = self._columns * (_CARD.width() + _GAP_PX) - 2 * _GAP_PX
        for place in range(self._recent.count()):
            item = self._recent.itemAt(place)
            button = None if item is None else item.widget()
            if isinstance(button, QPushButton):
                text = str(button.property("path"))
                text = f"{Path(text).stem}   ·   {text}"
                button.setText(button.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, width))

    def _recent_button(self, path: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("path", path)
        button.setProperty("role", "recent")
        button.setToolTip(self.tr("Open {path}").format(path=path))
        button.clicked.connect(lambda _=False: self.recent_picked.emit(path))
        return button


class SampleCard(QAbstractButton):
    """A sample as a small picture of its plan, its title and one line."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.theme = LIGHT
        self._picture = PICTURES[name]
        self._line = QCoreApplication.translate("Welcome", str(self._picture.text))
        self.setText(QCoreApplication.translate("Actions", title).replace("&", ""))
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self._line)
        self.setToolTip(self.tr("Open the sample “{title}” as a new plan").format(title=self.text()))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(_CARD)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Card, picture and words."""
        painter = QPainter(self)
        draw(painter, self.shapes(), self.theme)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter picks the card too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def shapes(self) -> list[Shape]:
        """What the card shows now."""
        w, h = float(self.width()), float(self.height())
        is_lit = self.underMouse() or self.hasFocus()
        card = Box(0, 0, w, h, "panel", "accent" if is_lit else "line", 6.0, width=2.0 if self.hasFocus() else 1.0)
        split = Line(((1, _PICTURE_HEIGHT), (w - 1, _PICTURE_HEIGHT)), "line")
        title = Label(_INSET, _PICTURE_HEIGHT + 6, w, self.text(), is_bold=True, px=METRICS.title_px)
        lines = _wrapped(self._line, w - 2 * _INSET)
        texts = [
            Label(_INSET, _PICTURE_HEIGHT + 28 + 16 * number, w, line, "muted", h=18)
            for number, line in enumerate(lines)
        ]
        return [card, split, *picture_shapes(self._picture, w), title, *texts]


def picture_shapes(picture: Picture, width: float) -> list[Shape]:
    """The bars and links of a miniature, at the top of a card of that width."""
    step = (width - 2 * _INSET) / 100
    boxes = [
        Box(_INSET + a * step, 10 + _PITCH * row, (b - a) * step - 1, 8, color, radius=2)
        for row, a, b, color in picture.bars
    ]
    shapes: list[Shape] = []
    for before, after in picture.links:
        x, y0, y1 = boxes[before].x + boxes[before].w, boxes[before].y + 4, boxes[after].y
        down = y1 > y0
        x1 = max(boxes[after].x, x) + 4
        tip = y1 if down else y1 + 8
        back = -3 if down else 3
        shapes.append(Line(((x, y0), (x1, y0), (x1, tip)), "link"))
        shapes.append(Polygon(((x1 - 2.5, tip + back), (x1 + 2.5, tip + back), (x1, tip)), "link"))
    return [*shapes, *boxes]


def _wrapped(text: str, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "title")
    return label
