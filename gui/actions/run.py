"""The Run menu: runs and devices. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from engine.gpu import has_driver
from gui.actions.row import Row, has_plan, is_on_device, is_run_on, row

_T = QT_TRANSLATE_NOOP

TABLE: tuple[Row, ...] = (
    row(
        "run/run",
        _T("Actions", "&Run"),
        "F5",
        _T("Actions", "Run the plan on the device"),
        lambda now: not now.why_no_run,
    ),
    row("run/pause", _T("Actions", "&Pause"), "F6", _T("Actions", "Pause the run between parts, or go on"), is_run_on),
    row(
        "run/cancel",
        _T("Actions", "&Cancel"),
        "Shift+F5",
        _T("Actions", "End the run; what happened so far is kept"),
        is_run_on,
    ),
    row(
        "run/|repeat",
        _T("Actions", "R&epeat…"),
        "Ctrl+R",
        _T("Actions", "How often the plan is run in a row"),
        has_plan,
    ),
    row(
        "run/kits",
        _T("Actions", "Kernels of your &own…"),
        "Ctrl+K",
        _T("Actions", "Take in kernels that you wrote, from a folder beside the plan"),
        is_on_device,
    ),
    row(
        "run/take_advice",
        _T("Actions", "Take &advice"),
        "Ctrl+Alt+A",
        _T("Actions", "Change the plan so"),
        is_on_device,
    ),
    row(
        "run/device/device_cpu",
        _T("Actions", "&CPU"),
        "Alt+1",
        _T("Actions", "Run on this machine's processor"),
        group="device",
    ),
    row(
        "run/device/device_simulated",
        _T("Actions", "&Simulated"),
        "Alt+2",
        _T("Actions", "Run on a simulated device, with its clock and its costs"),
        group="device",
    ),
    row(
        "run/device/device_cuda",
        _T("Actions", "C&UDA"),
        "Alt+3",
        _T("Actions", "Run on this machine's GPU, which needs NVIDIA's driver and CuPy"),
        lambda _: has_driver(),
        group="device",
    ),
    row(
        "run/|calibrate",
        _T("Actions", "Cali&brate this device…"),
        "Ctrl+Shift+B",
        _T("Actions", "Measure the device, so that its runs are predicted by what it really does"),
        lambda now: now.can_calibrate,
    ),
)
