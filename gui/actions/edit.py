"""The Edit menu: tasks, links and pins. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, has_one, has_plan, has_some, row

_T = QT_TRANSLATE_NOOP

TABLE: tuple[Row, ...] = (
    row(
        "edit/undo",
        _T("Actions", "&Undo"),
        "Ctrl+Z",
        _T("Actions", "Take the last edit back"),
        lambda now: bool(now.undo_label),
    ),
    row(
        "edit/redo",
        _T("Actions", "&Redo"),
        "Ctrl+Shift+Z",
        _T("Actions", "Do again what was taken back"),
        lambda now: bool(now.redo_label),
    ),
    row(
        "edit/copy_picture",
        _T("Actions", "Copy p&icture"),
        "Ctrl+Shift+C",
        _T("Actions", "Put a picture of table and chart on the clipboard"),
        has_plan,
    ),
    row(
        "edit/|add_task",
        _T("Actions", "Add ta&sk"),
        "Ins",
        _T("Actions", "Add a task below the selected one"),
        has_plan,
    ),
    row(
        "edit/rename",
        _T("Actions", "Ren&ame"),
        "F2",
        _T("Actions", "Type another name for the selected task"),
        has_one,
    ),
    row(
        "edit/operation",
        _T("Actions", "Op&eration…"),
        "Ctrl+E",
        _T("Actions", "Say what the selected task does on the device: on which buffers, on which stream"),
        lambda now: now.is_operable,
    ),
    row(
        "edit/ways",
        _T("Actions", "Wa&ys of doing it…"),
        "Ctrl+Alt+W",
        _T(
            "Actions", "Say where else the selected task may be done, which skill it asks for and of which family it is"
        ),
        lambda now: now.is_leaf and not now.is_device,
    ),
    row(
        "edit/uncertainty",
        _T("Actions", "Uncertainty and pro&bability…"),
        "Ctrl+Alt+U",
        _T("Actions", "Say how long the selected tasks may take, whether they happen at all and what they follow"),
        lambda now: bool(now.selected) and not now.is_device,
    ),
    row(
        "edit/delete",
        _T("Actions", "&Delete"),
        "Del",
        _T("Actions", "Delete the selected tasks and their links, or the chosen link or pin"),
        lambda now: bool(now.selected or now.link_kind),
    ),
    row(
        "edit/|link",
        _T("Actions", "&Link"),
        "Ctrl+L",
        _T("Actions", "Let the selected task wait for the one above it"),
        has_some,
    ),
    row(
        "edit/unlink",
        _T("Actions", "Unlin&k"),
        "Ctrl+Shift+U",
        _T("Actions", "Take away the links between the selected tasks, or all that lead to the one selected"),
        has_some,
    ),
    row(
        "edit/remove_pin",
        _T("Actions", "Remo&ve pin"),
        "Ctrl+Shift+P",
        _T("Actions", "Let the selected tasks start as soon as they can"),
        lambda now: now.is_pinned,
    ),
    row(
        "edit/pin_to_lag",
        _T("Actions", "Tur&n pin into lag"),
        "Ctrl+Alt+L",
        _T("Actions", "Let the selected tasks follow their predecessors by a lag, in the place of their pins"),
        lambda now: now.is_pinned and not now.is_device,
    ),
    row(
        "edit/|cut",
        _T("Actions", "Cu&t"),
        "Ctrl+X",
        _T("Actions", "Take the chosen rows to where you paste them; copy cells and empty them"),
        has_some,
    ),
    row(
        "edit/copy",
        _T("Actions", "&Copy"),
        "Ctrl+C",
        _T("Actions", "Copy the chosen cells, or rows chosen as a whole (Shift+Space)"),
        has_some,
    ),
    row(
        "edit/paste",
        _T("Actions", "&Paste"),
        "Ctrl+V",
        _T("Actions", "Paste rows below the selected one, or a block of cells from here on"),
        has_plan,
    ),
    row(
        "edit/paste_rows",
        _T("Actions", "Paste as ne&w tasks"),
        "Ctrl+Shift+V",
        _T("Actions", "Make a task of every line of the clipboard, below the selected one"),
        has_plan,
    ),
    row(
        "edit/fill_down",
        _T("Actions", "Fill d&own"),
        "Ctrl+Shift+D",
        _T("Actions", "Put what stands in the first of the chosen cells into those below"),
        has_some,
    ),
    row(
        "edit/|find",
        _T("Actions", "&Find…"),
        "Ctrl+F",
        _T("Actions", "Find a task by its name, its number or a resource"),
        has_plan,
    ),
    row(
        "edit/|menu_here",
        _T("Actions", "&Menu of what is chosen"),
        "Shift+F10",
        _T("Actions", "What can be done with it, as the right mouse button offers; the menu key does the same"),
    ),
)
