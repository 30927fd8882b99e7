"""MachinePanel: the device that Run uses, the profile that predicts it, and what to do about it. It never measures."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from engine.session.machine import Machine
from engine.trace.planned import KindError
from gui.theme import METRICS

_GIB = 2**30
_WIDTH_PX = 340
_MOST_SHOWN = 999


class MachinePanel(QScrollArea):
    """`ask` gives the device as it is now, `errors` how far its latest run was from its prediction. `calibrate` is
    pressed to measure it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ask: Callable[[], Machine | None] = lambda: None
        self._errors: Callable[[], tuple[KindError, ...]] = tuple
        self._found: tuple[Machine | None, tuple[KindError, ...]] = None, ()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(_WIDTH_PX)
        self.calibrate = QPushButton(self.tr("Calibrate this device…"))

    def bind(self, ask: Callable[[], Machine | None], errors: Callable[[], tuple[KindError, ...]]) -> None:
        """Where the panel asks when it is shown, and whenever something may have changed."""
        self._ask, self._errors = ask, errors

    @property
    def texts(self) -> list[str]:
        """Everything that is said, from top to bottom."""
        page = self.widget()
        return [] if page is None else [label.text() for label in page.findChildren(QLabel)]

    def refresh(self, _: object = None) -> None:
        """Show the device as it is now, and how far its latest run was from its prediction."""
        found = self._ask(), self._errors()
        if self.widget() is None or found != self._found:
            self._found = found
            self._show(*found)

    def _show(self, machine: Machine | None, errors: tuple[KindError, ...]) -> None:
        page, column = QWidget(), QVBoxLayout()
        page.setObjectName("ground")
        column.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        column.setSpacing(3 * METRICS.grid_px)
        self.calibrate.setParent(None)
        if machine is None:
            column.addWidget(_words(self.tr("Open a device plan to see what runs it."), "muted"))
        else:
            self._fill(column, machine, errors)
        column.addStretch()
        page.setLayout(column)
        self.setWidget(page)

    def _fill(self, column: QVBoxLayout, machine: Machine, errors: tuple[KindError, ...]) -> None:
        column.addWidget(_words(machine.name or self.tr("The device is not started yet."), "title"))
        column.addLayout(_grid(self._facts(machine)))
        for warning in machine.warnings:
            column.addWidget(_words(f"\N{WARNING SIGN} {warning}", ""))
        column.addWidget(self.calibrate)
        column.addWidget(_words(self.tr("Planned against actual"), "title"))
        if errors:
            what = self.tr("How far spans of the latest run were from their prediction: median, and nine in ten.")
            column.addWidget(_words(what, "muted"))
            column.addLayout(_grid([(self._kind(error), _figures(error)) for error in errors]))
        else:
            column.addWidget(_words(self.tr("Run the plan to see how far it is from its prediction."), "muted"))

    def _facts(self, machine: Machine) -> list[tuple[str, str]]:
        none = self.tr("n/a")
        engines = {
            "copy_in": self.tr("copy in"),
            "compute": self.tr("compute"),
            "copy_out": self.tr("copy out"),
            "host": self.tr("host"),
        }
        lanes = ", ".join(f"{engines[name]} {count}" for name, count in machine.engines)
        memory = f"{machine.memory_bytes / _GIB:.1f} GiB" if machine.memory_bytes else none
        return [
            (self.tr("Driver"), machine.driver or none),
            (self.tr("Lanes"), lanes or none),
            (self.tr("Connections"), str(machine.connections or none)),
            (self.tr("Memory"), memory),
            (self.tr("Profile"), machine.profile),
            (self.tr("Its figures"), machine.source),
        ]

    def _kind(self, error: KindError) -> str:
        words = {
            "copy_in": self.tr("copy in"),
            "copy_out": self.tr("copy out"),
            "copy_within": self.tr("copy within"),
            "kernel": self.tr("kernel"),
            "memset": self.tr("memset"),
            "host": self.tr("host"),
        }
        kernel = "" if error.kind == "memset" else error.kernel
        return " ".join(filter(None, (words[error.kind], kernel))) + f" \N{MULTIPLICATION SIGN} {error.count}"


def _figures(error: KindError) -> str:
    shares = (f"{share:.0f} %" if share <= _MOST_SHOWN else f"> {_MOST_SHOWN} %" for share in _shares(error))
    return " · ".join(shares)


def _shares(error: KindError) -> tuple[float, float]:
    return error.median_pct, error.p90_pct


def _grid(rows: list[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(4 * METRICS.grid_px)
    grid.setVerticalSpacing(METRICS.grid_px)
    grid.setColumnStretch(1, 1)
    for row, (name, text) in enumerate(rows):
        label = _words(text, "")
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_words(name, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label, row, 1)
    return grid


def _words(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
