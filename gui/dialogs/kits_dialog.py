"""KitsDialog: the kernels of a person's own that a plan knows, and whether their code may run. It never runs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.kernels.kit_file import NAME
from engine.model import KernelSpec
from gui.bridge import Bridge
from gui.dialogs.fitted_dialog import FittedDialog
from gui.dialogs.questions import Answer, Role, ask

_SIZE_PX = (640, 360)
_KIT = Qt.ItemDataRole.UserRole
translate = QCoreApplication.translate


class KitsDialog(FittedDialog):
    """A branch a kit, a row a kernel. It shows what the plan is now, also after an undo."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Kernels of your own"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._bridge = bridge
        self.tree = QTreeWidget(self)
        self.tree.setColumnCount(3)
        self.tree.setHeaderLabels([self.tr("Kernel"), self.tr("Has"), self.tr("Does")])
        self.tree.setAccessibleName(self.tr("Kits and their kernels"))
        self.buttons = {
            "take": self._button(self.tr("&Take in a kit…"), self.choose, self.tr("Choose the kit.toml of a folder")),
            "again": self._button(self.tr("&Read again"), self._read_again, self.tr("Read its kit.toml once more")),
            "trust": self._button(self.tr("Tr&ust"), self._turn_trust, self.tr("Whether the code in it may run")),
            "forget": self._button(self.tr("&Forget"), self._forget, self.tr("Take it out of the plan")),
        }
        self._lay_out()
        self.tree.currentItemChanged.connect(self._offer)
        for signal in (bridge.state_changed, bridge.document_opened, bridge.kits.changed):
            signal.connect(self.show_kits)
        self.show_kits()

    def choose(self) -> None:
        """Ask for the kit.toml of a kit."""
        home = self._bridge.kits.folder_of("")
        dialog = QFileDialog(self, self.tr("Take in a kit"), home, self.tr("Kits ({name})").format(name=NAME))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._bridge.kits.take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def show_kits(self, _: object = None) -> None:
        """What the plan knows now."""
        chosen = self._chosen()
        self.tree.clear()
        state = self._bridge.state
        kernels = () if state is None else state.plan.kernels
        for kit in dict.fromkeys(kernel.kit for kernel in kernels):
            branch = self._branch(kit)
            for kernel in kernels:
                if kernel.kit == kit:
                    branch.addChild(self._leaf(kernel))
            branch.setExpanded(True)
            if kit == chosen or self.tree.currentItem() is None:
                self.tree.setCurrentItem(branch)
        for column in range(2):
            self.tree.resizeColumnToContents(column)
        self._offer()

    def _branch(self, kit: str) -> QTreeWidgetItem:
        is_trusted = self._bridge.kits.trusts(self._bridge.kits.folder_of(kit))
        words = self.tr("trusted: its code may run") if is_trusted else self.tr("not trusted: its code does not run")
        branch = QTreeWidgetItem(self.tree, [kit, "", words])
        branch.setData(0, _KIT, kit)
        branch.setToolTip(0, self._bridge.kits.folder_of(kit))
        return branch

    def _leaf(self, kernel: KernelSpec) -> QTreeWidgetItem:
        has = ((self.tr("Python"), kernel.python), (self.tr("CUDA"), kernel.cuda))
        words = [word for word, place in has if place]
        words += [self.tr("reference") if kernel.reference else self.tr("no reference: not compared")]
        leaf = QTreeWidgetItem([kernel.name, ", ".join(words), kernel.summary])
        leaf.setData(0, _KIT, kernel.kit)
        return leaf

    def _offer(self, *_: object) -> None:
        """What can be done with the kit that is chosen."""
        kit = self._chosen()
        for name in ("again", "trust", "forget"):
            self.buttons[name].setEnabled(bool(kit))
        self.buttons["trust"].setEnabled(bool(kit) and bool(self._bridge.kits.folder_of(kit)))
        is_trusted = bool(kit) and self._bridge.kits.trusts(self._bridge.kits.folder_of(kit))
        self.buttons["trust"].setText(self.tr("Stop tr&usting") if is_trusted else self.tr("Tr&ust…"))

    def _chosen(self) -> str:
        item = self.tree.currentItem()
        return "" if item is None else str(item.data(0, _KIT))

    def _read_again(self) -> None:
        self._bridge.kits.read_again(self._chosen())

    def _forget(self) -> None:
        self._bridge.kits.forget(self._chosen())

    def _turn_trust(self) -> None:
        folder = self._bridge.kits.folder_of(self._chosen())
        if self._bridge.kits.trusts(folder):
            self._bridge.kits.distrust(folder)
        else:
            ask_to_trust(self, (folder,), partial(self._bridge.kits.trust, (folder,)))

    def _button(self, text: str, act: Callable[[], object], tooltip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tooltip)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _=False: act())
        return button

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        words = self.tr(
            "A kit is a folder beside the plan with a kit.toml and your functions: Python over arrays, or CUDA."
            " Operations name its kernels like those that are built in."
        )
        above = QLabel(words, self)
        above.setWordWrap(True)
        rows.addWidget(above)
        rows.addWidget(self.tree)
        line = QHBoxLayout()
        for button in self.buttons.values():
            line.addWidget(button)
        line.addStretch()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        close.rejected.connect(self.reject)
        line.addWidget(close)
        rows.addLayout(line)
        self.resize(*_SIZE_PX)


def ask_to_trust(parent: QWidget, folders: tuple[str, ...], then: Callable[[], object]) -> QWidget:
    """Whether the code in some folders may run. Not to let it is the default."""
    answers = (
        Answer(translate("KitsDialog", "Do not run it"), Role.RejectRole, lambda: None),
        Answer(translate("KitsDialog", "Trust and go on"), Role.AcceptRole, then),
    )
    question = translate("KitsDialog", "Run the code in {folders}?").format(folders="\n".join(folders))
    more = translate(
        "KitsDialog",
        "The plan names functions of that folder. They can do all that you can do on this machine."
        " Trust it if you wrote it or have read it; it stays trusted until you say otherwise in"
        " Run > Kernels of your own.",
    )
    return ask(parent, question, more, answers)
