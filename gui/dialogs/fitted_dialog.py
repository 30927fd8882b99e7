"""FittedDialog: a dialog that is never larger than its screen: what has no room is scrolled. It asks nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QDialog, QDialogButtonBox, QLayout, QScrollArea, QStyle, QVBoxLayout, QWidget

from gui.theme import METRICS

# What a window's frame takes where nothing is known of it yet.
_FRAME = QSize(2 * METRICS.grid_px, METRICS.row_px + 4 * METRICS.grid_px)
_RESIZED, _KEPT = Qt.WidgetAttribute.WA_Resized, "is_kept_in_sight"


class FittedDialog(QDialog):
    """Who derives from it lays its parts out in one layout.

    Button boxes of that layout, and what is marked by `keep_in_sight`, stay below the part that is scrolled. What
    stands side by side in a layout given to `stack` stands below each other on a screen too narrow for it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_scrolled = False
        self._side_by_side: list[QBoxLayout] = []

    def stack(self, side_by_side: QBoxLayout) -> None:
        """Have what stands side by side stand below each other where there is no room for it."""
        self._side_by_side.append(side_by_side)

    def setVisible(self, visible: bool) -> None:
        if visible and not self.isVisible():
            self._fit_to_screen()
        super().setVisible(visible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = room_of(self)
        if self.isVisible() and not self._is_scrolled and event.size().boundedTo(room) != event.size():
            QTimer.singleShot(0, self, self._fit_to_screen)

    def _fit_to_screen(self) -> None:
        layout, room = self.layout(), room_of(self)
        if layout is None:
            return
        self.setMinimumSize(self.minimumSize().boundedTo(room))
        if _least(layout, 0).width() > room.width():
            for box in self._side_by_side:
                box.setDirection(QBoxLayout.Direction.TopToBottom)
        size = self.size() if self.testAttribute(_RESIZED) else self.sizeHint()
        size = size.boundedTo(room)
        least = _least(layout, size.width())
        size = size.expandedTo(QSize(0, least.height()))
        if not self._is_scrolled and least.boundedTo(room) != least:
            self._scroll(layout)
            size += QSize(self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent), 0)
        self.resize(size.boundedTo(room))

    def _scroll(self, layout: QLayout) -> None:
        """Put the layout into a part that scrolls, but for what stays in sight."""
        self._is_scrolled = True
        items = [layout.itemAt(at) for at in range(layout.count())]
        kept = [each for item in items if item and (each := item.widget()) and _is_kept(each)]
        for widget in kept:
            layout.removeWidget(widget)
        margins = layout.contentsMargins()
        page, scroll = QWidget(), QScrollArea()
        page.setObjectName("ground")
        page.setLayout(layout)
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, margins.bottom() // 2)
        around.addWidget(scroll, 1)
        for widget in kept:
            below = QVBoxLayout()
            below.setContentsMargins(margins.left(), 0, margins.right(), 0)
            below.addWidget(widget)
            around.addLayout(below)


def keep_in_sight(widget: QWidget) -> None:
    """A part of a dialog's layout that is not scrolled away."""
    widget.setProperty(_KEPT, True)


def room_of(dialog: QWidget) -> QSize:
    """How large a dialog may be on its screen, without its frame."""
    owner = dialog.parentWidget()
    window = None if owner is None else owner.window()
    frame = _FRAME if window is None else (window.frameGeometry().size() - window.size()).expandedTo(_FRAME)
    return dialog.screen().availableSize() - frame


def _least(layout: QLayout, width: int) -> QSize:
    """How small a layout can be; texts that are wrapped are taller where it is narrow."""
    least = layout.totalMinimumSize()
    high = layout.totalMinimumHeightForWidth(max(width, least.width())) if layout.hasHeightForWidth() else 0
    return least.expandedTo(QSize(0, high))


def _is_kept(widget: QWidget) -> bool:
    return isinstance(widget, QDialogButtonBox) or bool(widget.property(_KEPT))
