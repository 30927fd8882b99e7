"""BufferField: one buffer that an operation reads or writes: chosen by name, or made here. It never changes a plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from engine.errors import PlanError
from engine.kernels.kernel import TIMES, shape_text
from engine.model import Buffer, Fill, FillKind
from gui.theme import METRICS

DTYPES = (
    "float32",
    "float64",
    "float16",
    "complex64",
    "complex128",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "bool",
)
_MOST_SEED = (1 << 31) - 1
_NAME_PX, _SHAPE_PX, _SEED_PX = 160, 110, 72
translate = QCoreApplication.translate

Suggest = Callable[[], tuple[int, ...]]


class BufferField(QWidget):
    """A name to choose or to type; one that is new asks for shape, element type and first content beside it.

    `known` are the buffers there are, by name. `suggest` gives a shape for a new one.
    """

    changed = Signal()

    def __init__(self, known: Mapping[str, Buffer], fill: FillKind, suggest: Suggest, parent: QWidget) -> None:
        super().__init__(parent)
        self._known = known
        self._suggest = suggest
        self.name, self.shape = QComboBox(), QLineEdit()
        self.dtype, self.fill, self.seed = QComboBox(), QComboBox(), QSpinBox()
        self._facts = QLabel()
        self._facts.setProperty("role", "muted")
        self._new = QWidget()
        self._set_up(fill)
        self._lay_out()
        self._connect()
        self._update()

    @property
    def id(self) -> str:
        """The buffer's name; empty when none is chosen."""
        return self.name.currentText().strip()

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """What can have the focus, in its order."""
        return self.name, self.shape, self.dtype, self.fill, self.seed

    def choose(self, name: str) -> None:
        """Puts a name in."""
        self.name.setCurrentText(name)

    def buffer(self) -> Buffer | None:
        """The buffer by this name, a new one when there is none yet, None without a name. Raises PlanError."""
        if not self.id or self.id in self._known:
            return self._known.get(self.id)
        kind = self.fill.currentData()
        fill = Fill(kind, self.seed.value() if kind is FillKind.SEED else 0)
        return Buffer(self.id, shape_of(self.shape.text(), self.id), self.dtype.currentText(), fill=fill)

    def _set_up(self, fill: FillKind) -> None:
        self.name.setEditable(True)
        self.name.addItems(list(self._known))
        self.name.setCurrentIndex(-1)
        self.name.setMinimumWidth(_NAME_PX)
        edit = self.name.lineEdit()
        if edit is not None:
            edit.setPlaceholderText(translate("BufferField", "choose, or type a new name"))
        self.shape.setFixedWidth(_SHAPE_PX)
        self.seed.setFixedWidth(_SEED_PX)
        self.seed.setRange(0, _MOST_SEED)
        self.seed.setValue(1)
        self.dtype.addItems(DTYPES)
        for kind, text in (
            (FillKind.SEED, translate("BufferField", "random, seed")),
            (FillKind.ZEROS, translate("BufferField", "zeros")),
            (FillKind.NONE, translate("BufferField", "nothing")),
        ):
            self.fill.addItem(text, kind)
        self.fill.setCurrentIndex(self.fill.findData(fill))

    def _lay_out(self) -> None:
        self.shape.setToolTip(translate("BufferField", "Sizes, such as 1080, 1920"))
        self.fill.setToolTip(translate("BufferField", "What the host side holds before a run"))
        names = {
            self.name: translate("BufferField", "Name of the buffer"),
            self.shape: translate("BufferField", "Shape"),
            self.dtype: translate("BufferField", "Type of its elements"),
            self.fill: translate("BufferField", "First content"),
            self.seed: translate("BufferField", "Seed"),
        }
        for widget, name in names.items():
            widget.setAccessibleName(name)
        new = QHBoxLayout(self._new)
        new.setContentsMargins(0, 0, 0, 0)
        for part in (self.shape, self.dtype, self.fill, self.seed):
            new.addWidget(part)
        new.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(METRICS.grid_px)
        line = QHBoxLayout()
        line.addWidget(self.name)
        line.addWidget(self._facts, 1)
        column.addLayout(line)
        column.addWidget(self._new)

    def _connect(self) -> None:
        self.name.currentTextChanged.connect(self._update)
        self.shape.textChanged.connect(self.changed)
        self.dtype.currentIndexChanged.connect(self.changed)
        self.fill.currentIndexChanged.connect(self._update)
        self.seed.valueChanged.connect(self.changed)

    def _update(self) -> None:
        is_new = bool(self.id) and self.id not in self._known
        if is_new and not self.shape.text():
            self.shape.setText(", ".join(str(size) for size in self._suggest()))
        self._new.setVisible(is_new)
        self.seed.setVisible(self.fill.currentData() is FillKind.SEED)
        known = self._known.get(self.id)
        text = f"{shape_text(known.shape)} {known.dtype}" if known is not None else ""
        self._facts.setText(translate("BufferField", "a new buffer:") if is_new else text)
        self.changed.emit()


def shape_of(text: str, name: str) -> tuple[int, ...]:
    """A shape as it is typed: sizes with commas, blanks or multiplication signs between. Raises PlanError."""
    sizes = [size for size in re.split(rf"[\s,;x*(){TIMES}]+", text.strip().lower()) if size]
    if not sizes or not all(size.isdecimal() for size in sizes):
        sentence = translate("BufferField", "The buffer “{name}” needs a shape, such as 1080, 1920.")
        raise PlanError(sentence.format(name=name))
    return tuple(int(size) for size in sizes)


def focus_in_order(widgets: list[QWidget]) -> None:
    """Has Tab go from each to the next."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)
