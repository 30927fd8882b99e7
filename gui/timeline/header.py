"""TimelineHeader: one line over the rows that says how the run goes. It never asks a run; the view tells it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from gui.canvas.elided_label import ElidedLabel
from gui.theme import LIGHT, METRICS, Theme


class TimelineHeader(QWidget):
    """Title, how the run goes, and what a person may ask of the view. Signals say what was asked."""

    follow_toggled = Signal(bool)
    fit_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(METRICS.row_px + METRICS.grid_px)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = LIGHT
        self._is_live = self._has_failed = False
        self._title = QLabel(self.tr("Timeline"))
        self._title.setProperty("role", "title")
        self.status = QLabel()
        self.error = ElidedLabel()
        self.follow = _flat(self.tr("Follow the run's end as it moves (L)"), is_checkable=True)
        self.fit = _flat(self.tr("Show the whole run (F)"))
        self.fit.setText(self.tr("fit"))
        self.follow.toggled.connect(self._follow_changed)
        self.fit.clicked.connect(self.fit_asked)
        line = QHBoxLayout(self)
        line.setContentsMargins(4 * METRICS.grid_px, 0, 4 * METRICS.grid_px, 0)
        line.setSpacing(4 * METRICS.grid_px)
        line.addWidget(self._title)
        line.addWidget(self.status)
        line.addWidget(self.error, 1)
        line.addWidget(self.follow)
        line.addWidget(self.fit)
        self._follow_changed(False)

    def show_status(self, text: str, error: str, is_live: bool) -> None:
        """Says how the run goes; an empty text says that there is none."""
        if self.status.text() != text or self.error.text() != error or self._is_live != is_live:
            self.status.setText(text)
            self.error.setText(error)
            self._is_live, self._has_failed = is_live, bool(error)
            self._color()
        self.follow.setEnabled(is_live)
        self.fit.setEnabled(bool(text))

    def set_following(self, is_following: bool) -> None:
        """Shows whether the view follows, without asking for it."""
        self.follow.setChecked(is_following)

    def set_theme(self, theme: Theme) -> None:
        """Wears a theme."""
        self._theme = theme
        self._color()

    def _follow_changed(self, is_on: bool) -> None:
        self.follow.setText(self.tr("follow ✓") if is_on else self.tr("follow"))
        self.follow_toggled.emit(is_on)

    def _color(self) -> None:
        theme = self._theme
        self.setStyleSheet(f"TimelineHeader {{ background: {theme.panel}; border-bottom: 1px solid {theme.line}; }}")
        status = theme.good if self._is_live else theme.critical if self._has_failed else theme.muted
        self.status.setStyleSheet(f"color: {status};")
        self.error.setStyleSheet(f"color: {theme.critical};")
        for button in (self.follow, self.fit):
            button.setStyleSheet(
                f"QToolButton {{ border: none; background: transparent; padding: 0 4px; color: {theme.muted}; }}"
                f"QToolButton:hover {{ color: {theme.accent}; }}"
                f"QToolButton:disabled {{ color: {theme.baseline}; }}"
            )


def _flat(tooltip: str, is_checkable: bool = False) -> QToolButton:
    button = QToolButton()
    button.setCheckable(is_checkable)
    button.setToolTip(tooltip)
    # Their keys do the same, and the rows keep the focus.
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button
