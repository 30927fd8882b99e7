"""ChangedBar: that something else changed the file of the open plan, and what may be done. It does none of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gui.bridge.watching import Watching
from gui.canvas.elided_label import ElidedLabel
from gui.theme import METRICS

_WORDS_PX = 72 * METRICS.grid_px


class ChangedBar(QWidget):
    """Seen from the change until it is answered, or over."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ElidedLabel()
        self.words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.load, self.keep = QPushButton(self.tr("Load it")), QPushButton(self.tr("Keep mine"))
        self.load.setToolTip(self.tr("Show the plan as it is in the file now. Unsaved changes become a branch."))
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(2 * METRICS.grid_px)
        for part in (self.words, self.load, self.keep):
            across.addWidget(part)
        self.show_file("")

    def follow(self, watching: Watching, load: Callable[[], object]) -> None:
        """Show what is told of the file; `load` loads it anew."""
        watching.told.connect(self.show_file)
        self.load.clicked.connect(lambda _=False: load())
        self.keep.clicked.connect(lambda _=False: watching.keep())

    def show_file(self, path: str) -> None:
        """The file that is another one by now; an empty path where none is."""
        name = Path(path).name
        self.words.setText(self.tr("“{name}” was changed by something else.").format(name=name))
        self.words.setMinimumWidth(min(self.words.sizeHint().width(), _WORDS_PX))  # before what else stands there
        more = self.tr("Go on with the plan as it is here. Saving it keeps the other version as “{name}~1”.")
        self.keep.setToolTip(more.format(name=name))
        self.setVisible(bool(path))
