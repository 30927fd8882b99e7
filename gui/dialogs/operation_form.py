"""OperationForm: kind, kernel, parameters and buffers of an operation, as fields. It never changes a plan."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QFormLayout, QLabel, QSpinBox, QWidget

from engine.errors import PlanError
from engine.kernels import KERNELS, DeclaredKernel, find_kernel
from engine.kernels.kernel import Kernel, Parameter
from engine.model import Buffer, FillKind, OperationKind, OperationSpec, Plan, Task
from gui.dialogs.buffer_field import BufferField

_LABEL_PX = 72
_NUMBER_PX = 160
_COPIES_OF_ONE = (OperationKind.COPY_IN, OperationKind.COPY_OUT)
_FIRST_SHAPE = (1024,)
_MOST_WHOLE = (1 << 31) - 1
Number = QSpinBox | QDoubleSpinBox


class OperationForm(QWidget):
    """Fields of one operation. `changed` says that one is other, `rebuilt` that there are other fields."""

    changed = Signal()
    rebuilt = Signal()

    def __init__(self, plan: Plan, task: Task, parent: QWidget) -> None:
        super().__init__(parent)
        self._known = {buffer.id: buffer for buffer in plan.buffers}
        self._kits = plan.kernels
        self._before = task.operation
        self.kind, self.kernel = QComboBox(), QComboBox()
        self.summary = QLabel()
        self.parameters: dict[str, Number] = {}
        self.reads: list[BufferField] = []
        self.writes: list[BufferField] = []
        self._rows = QFormLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._set_up()
        self._rebuild()
        self.kind.currentIndexChanged.connect(self._rebuild)
        self.kernel.currentIndexChanged.connect(self._rebuild)

    @property
    def widgets(self) -> list[QWidget]:
        """What can have the focus, from above to below."""
        fields = [widget for field in self._fields for widget in field.widgets]
        return [self.kind, self.kernel, *self.parameters.values(), *fields]

    def spec(self) -> OperationSpec:
        """The operation as the fields stand. Raises PlanError for a buffer without a name."""
        kind = self._kind
        for field in self._fields:
            if not field.id:
                raise PlanError(self.tr("Choose a buffer, or type the name of a new one."))
        reads, writes = tuple(field.id for field in self.reads), tuple(field.id for field in self.writes)
        kernel = self.kernel.currentData() if self._has_kernel else ""
        values = tuple((name, float(number.value())) for name, number in self.parameters.items())
        return OperationSpec(kind, kernel, values, reads, reads if kind in _COPIES_OF_ONE else writes)

    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers that are new, each once. Raises PlanError for a shape that cannot be read."""
        found: dict[str, Buffer] = {}
        for field in self._fields:
            buffer = field.buffer()
            if buffer is not None and buffer.id not in self._known:
                found.setdefault(buffer.id, buffer)
        return tuple(found.values())

    def align(self, other: QFormLayout) -> None:
        """Has the labels of another form below be as wide as these."""
        for rows in (self._rows, other):
            for row in range(rows.rowCount()):
                item = rows.itemAt(row, QFormLayout.ItemRole.LabelRole)
                label = None if item is None else item.widget()
                if label is not None:
                    label.setMinimumWidth(_LABEL_PX)

    @property
    def _kind(self) -> OperationKind:
        kind = self.kind.currentData()
        return kind if isinstance(kind, OperationKind) else OperationKind.COPY_IN

    @property
    def _has_kernel(self) -> bool:
        return self._kind in (OperationKind.KERNEL, OperationKind.HOST)

    @property
    def _fields(self) -> list[BufferField]:
        return [*self.reads, *self.writes]

    def _set_up(self) -> None:
        for kind, text in _kind_names().items():
            self.kind.addItem(text, kind)
        for kernel in (*map(DeclaredKernel, self._kits), *KERNELS):
            if kernel.name != "memset":
                self.kernel.addItem(kernel.name, kernel.name)
        if self._before is not None:
            self.kind.setCurrentIndex(self.kind.findData(self._before.kind))
            self.kernel.setCurrentIndex(max(self.kernel.findData(self._before.kernel), 0))
        self.summary.setProperty("role", "muted")
        self._rows.addRow(self.tr("&Kind"), self.kind)
        self._rows.addRow(self.tr("K&ernel"), self.kernel)
        self._rows.addRow("", self.summary)

    def _rebuild(self) -> None:
        """Fields for the kind and the kernel that are chosen; names that were typed stay where they fit."""
        before = self._before
        names = [field.id for field in self.reads], [field.id for field in self.writes]
        if before is not None and not self._fields:
            names = list(before.reads), [] if before.kind in _COPIES_OF_ONE else list(before.writes)
        while self._rows.rowCount() > 3:
            self._rows.removeRow(3)
        kernel = self._served_by()
        self._rows.setRowVisible(self.kernel, self._has_kernel)
        self._rows.setRowVisible(self.summary, kernel is not None)
        self.summary.setText("" if kernel is None else kernel.summary)
        self.parameters = {each.name: self._number(each) for each in (() if kernel is None else kernel.parameters)}
        self._add_fields(kernel, names)
        for widget in (*self.parameters.values(), *self._fields):
            widget.show()  # a key that comes before the next frame finds them
        self.rebuilt.emit()
        self.changed.emit()

    def _add_fields(self, kernel: Kernel | None, names: tuple[list[str], list[str]]) -> None:
        """Fields for what is read, then for what is written."""
        if kernel is not None:
            counts = kernel.read_count, kernel.write_count
        else:
            counts = 1, int(self._kind is OperationKind.COPY_WITHIN)
        is_one = self._kind in _COPIES_OF_ONE
        from_host = self._kind in (OperationKind.COPY_IN, OperationKind.HOST)
        read = self.tr("&Buffer") if is_one else self.tr("&Reads")
        self.reads = [self._field(read, n, counts[0], from_host) for n in range(counts[0])]
        self.writes = [self._field(self.tr("&Writes"), n, counts[1], False) for n in range(counts[1])]
        for fields, chosen in ((self.reads, names[0]), (self.writes, names[1])):
            for field, name in zip(fields, chosen, strict=False):
                field.choose(name)
        for field in self._fields:
            field.changed.connect(self.changed)

    def _field(self, label: str, number: int, count: int, is_filled: bool) -> BufferField:
        fill = FillKind.SEED if is_filled else FillKind.NONE
        field = BufferField(self._known, fill, self._suggested_shape, self)
        self._rows.addRow(label if count == 1 else f"{label} {number + 1}", field)
        caption = self._rows.labelForField(field)
        if isinstance(caption, QLabel):
            caption.setBuddy(field.name)
        return field

    def _suggested_shape(self) -> tuple[int, ...]:
        """That of the first buffer that has one."""
        for field in self._fields:
            with suppress(PlanError):
                if buffer := field.buffer():
                    return buffer.shape
        return _FIRST_SHAPE

    def _number(self, parameter: Parameter) -> Number:
        """A field within the parameter's bounds."""
        number: Number
        if parameter.is_whole and max(abs(parameter.minimum), abs(parameter.maximum)) <= _MOST_WHOLE:
            number = QSpinBox(self)
            number.setRange(int(parameter.minimum), int(parameter.maximum))
            number.setValue(int(self._value(parameter)))
        else:
            number = _Fraction(self)
            number.setDecimals(6)
            number.setRange(parameter.minimum, parameter.maximum)
            number.setValue(self._value(parameter))
        number.setMinimumWidth(_NUMBER_PX)
        number.setMaximumWidth(_NUMBER_PX)
        number.valueChanged.connect(self.changed)
        self._rows.addRow(parameter.name.replace("_", " "), number)
        return number

    def _value(self, parameter: Parameter) -> float:
        """What the operation has now, if it is of this kernel, else the default."""
        before = self._before
        is_same = before is not None and (before.kind, before.kernel) == (self._kind, self._kernel_name())
        given = dict(before.parameters) if before is not None and is_same else {}
        return given.get(parameter.name, parameter.default)

    def _kernel_name(self) -> str:
        return str(self.kernel.currentData()) if self._has_kernel else ""

    def _served_by(self) -> Kernel | None:
        """The kernel that does the work; none for a copy."""
        if self._kind is OperationKind.MEMSET:
            return find_kernel("memset")
        return find_kernel(self._kernel_name(), self._kits) if self._has_kernel else None


class _Fraction(QDoubleSpinBox):
    """A number without noughts at its end."""

    def textFromValue(self, value: float) -> str:
        return f"{value:.9g}".replace(".", self.locale().decimalPoint())


def _kind_names() -> dict[OperationKind, str]:
    translate = QCoreApplication.translate
    return {
        OperationKind.COPY_IN: translate("OperationForm", "Copy in, host to device"),
        OperationKind.KERNEL: translate("OperationForm", "Kernel"),
        OperationKind.COPY_OUT: translate("OperationForm", "Copy out, device to host"),
        OperationKind.COPY_WITHIN: translate("OperationForm", "Copy within the device"),
        OperationKind.MEMSET: translate("OperationForm", "Memset"),
        OperationKind.HOST: translate("OperationForm", "Work on the host"),
    }
