"""Wanted: what counts in a better plan, in order or by weights. WeightSliders: how much each thing counts.

They never search.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QSlider, QStackedWidget, QVBoxLayout, QWidget

from gui.panels.optimizer_aim import ORDER, AimList
from gui.panels.optimizer_words import OBJECTIVES, aim_sentence, translated, weights_sentence
from gui.theme import METRICS

# What the places of a slider stand for; equal steps for the hand are equal factors.
WEIGHTS = (0, 1, 2, 5, 10, 20, 50, 100)
_AT_FIRST = {"tardiness": 10, "makespan": 1, "stability": 1}
_NAME_PX, _VALUE_PX = 130, 32


class WeightSliders(QWidget):
    """A slider for each objective. `aim_changed` carries the aim as `aim_of` reads it, "" where nothing counts."""

    aim_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sliders: dict[str, QSlider] = {}
        self._values: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(0)
        titles = {name: translated(title) for name, title, _ in OBJECTIVES}
        for row, name in enumerate(ORDER):
            slider = self._slider(titles[name], _AT_FIRST.get(name, 0))
            label = QLabel(titles[name])
            label.setBuddy(slider)
            label.setMinimumWidth(_NAME_PX)
            value = self._values[name] = QLabel(str(_weight(slider)))
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setMinimumWidth(_VALUE_PX)
            for column, widget in enumerate((label, slider, value)):
                grid.addWidget(widget, row, column)
            grid.setRowMinimumHeight(row, METRICS.row_px)
            self.sliders[name] = slider
        self.setFocusProxy(self.sliders[ORDER[0]])

    @property
    def weights(self) -> dict[str, int]:
        """The weights that are not 0, by objective."""
        return {name: weight for name, slider in self.sliders.items() if (weight := _weight(slider))}

    @property
    def aim(self) -> str:
        """Such as "tardiness=10,makespan=1"."""
        return ",".join(f"{name}={weight}" for name, weight in self.weights.items())

    def show_weights(self, weights: dict[str, int]) -> None:
        """Other weights, those that are not named 0; the nearest place of a slider is taken."""
        for name, slider in self.sliders.items():
            wanted = weights.get(name, 0)
            with QSignalBlocker(slider):
                slider.setValue(min(range(len(WEIGHTS)), key=lambda place: abs(WEIGHTS[place] - wanted)))
        self._tell()

    def _slider(self, title: str, weight: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, len(WEIGHTS) - 1)
        slider.setPageStep(1)
        slider.setValue(WEIGHTS.index(weight))
        slider.setAccessibleName(self.tr("How much counts: {title}").format(title=title))
        slider.setToolTip(self.tr("How much this counts; the arrow keys change it, at 0 it does not count"))
        slider.valueChanged.connect(self._tell)
        return slider

    def _tell(self) -> None:
        for name, slider in self.sliders.items():
            self._values[name].setText(str(_weight(slider)))
        self.aim_changed.emit(self.aim)


class Wanted(QWidget):
    """What counts, in order or by weights, whichever was chosen. `aim_changed` carries it as `aim_of` reads it."""

    aim_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.order, self.weights = AimList(), WeightSliders()
        self.kind = QComboBox()
        self.kind.addItems([self.tr("The first thing first"), self.tr("By weights")])
        self.kind.setAccessibleName(self.tr("How things count"))
        self.kind.setToolTip(
            self.tr("In order: the next line decides among equals alone. By weights: the least sum of all")
        )
        self._pages = QStackedWidget()
        for page in (self.order, self.weights):
            self._pages.addWidget(page)
        self._pages.setFixedHeight(self.order.height())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.kind)
        layout.addWidget(self._pages)
        self.kind.currentIndexChanged.connect(self._turn)
        self.order.aim_changed.connect(self._tell)
        self.weights.aim_changed.connect(self._tell)

    @property
    def aim(self) -> str:
        """As `aim_of` reads it, "" where nothing counts."""
        return self.weights.aim if self.kind.currentIndex() else ",".join(self.order.names)

    @property
    def sentence(self) -> str:
        """The same in words."""
        return weights_sentence(self.weights.weights) if self.kind.currentIndex() else aim_sentence(self.order.names)

    def _turn(self, index: int) -> None:
        self._pages.setCurrentIndex(index)
        self._tell()

    def _tell(self) -> None:
        self.aim_changed.emit(self.aim)


def _weight(slider: QSlider) -> int:
    return WEIGHTS[slider.value()]
