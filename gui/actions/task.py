"""The Task menu: the keyboard's way of every gesture of the chart. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, Situation, has_link, has_plan, has_some, is_calendar, row

_T = QT_TRANSLATE_NOOP


def _is_on_calendar(now: Situation) -> bool:
    return bool(now.selected) and not now.is_device


# Codes, titles and tooltips of the kinds of links.
_LINK_KINDS: tuple[tuple[str, object, object], ...] = (
    ("fs", _T("Actions", "&Finish to start"), _T("Actions", "The chosen link: it starts once the other is finished")),
    ("ss", _T("Actions", "&Start to start"), _T("Actions", "The chosen link: it starts once the other has started")),
    ("ff", _T("Actions", "Finish to f&inish"), _T("Actions", "The chosen link: it ends once the other is finished")),
    ("sf", _T("Actions", "Start &to finish"), _T("Actions", "The chosen link: it ends once the other has started")),
)

TABLE: tuple[Row, ...] = (
    row(
        "task/nudge_earlier",
        _T("Actions", "Move ear&lier"),
        "Alt+Left",
        _T("Actions", "Move the selected tasks to the visible tick before; dragging a bar does the same"),
        has_some,
    ),
    row(
        "task/nudge_later",
        _T("Actions", "Move la&ter"),
        "Alt+Right",
        _T("Actions", "Move the selected tasks to the next visible tick; dragging a bar does the same"),
        has_some,
    ),
    row(
        "task/longer",
        _T("Actions", "Finis&h later"),
        "Ctrl+Alt+Right",
        _T("Actions", "Make the selected tasks longer by a visible tick; dragging a right end does the same"),
        has_some,
    ),
    row(
        "task/shorter",
        _T("Actions", "Finish &sooner"),
        "Ctrl+Alt+Left",
        _T("Actions", "Make the selected tasks shorter by a visible tick; dragging a right end does the same"),
        has_some,
    ),
    row(
        "task/start_earlier",
        _T("Actions", "Start sooner, finish as &before"),
        "Ctrl+Alt+Shift+Left",
        _T("Actions", "Draw the start of the selected tasks back; dragging a left end does the same"),
        has_some,
    ),
    row(
        "task/start_later",
        _T("Actions", "Start l&ater, finish as before"),
        "Ctrl+Alt+Shift+Right",
        _T("Actions", "Draw the start of the selected tasks on; dragging a left end does the same"),
        has_some,
    ),
    row(
        "task/|more_done",
        _T("Actions", "&More done"),
        "Alt+PgUp",
        _T("Actions", "Ten percent more of the selected tasks is done; drag the triangle below a bar for any share"),
        _is_on_calendar,
    ),
    row(
        "task/less_done",
        _T("Actions", "Less d&one"),
        "Alt+PgDown",
        _T("Actions", "Ten percent less of the selected tasks is done"),
        _is_on_calendar,
    ),
    row(
        "task/|split",
        _T("Actions", "S&plit task"),
        "Ctrl+Alt+S",
        _T("Actions", "Then press a bar where it pauses, and drag right as long as it does"),
        is_calendar,
    ),
    row(
        "task/split_middle",
        _T("Actions", "Split in th&e middle"),
        "Ctrl+Alt+M",
        _T("Actions", "Let the selected task pause in its middle, for a visible tick"),
        _is_on_calendar,
    ),
    row(
        "task/join",
        _T("Actions", "&Join"),
        "Ctrl+Alt+J",
        _T("Actions", "Take the pauses of the selected tasks away"),
        _is_on_calendar,
    ),
    row(
        "task/draw",
        _T("Actions", "&Draw a task"),
        "Shift+Ins",
        _T("Actions", "Then drag over the ground from its start to its finish; below the last row no need to ask"),
        has_plan,
    ),
    row(
        "task/recurring",
        _T("Actions", "Insert recurring tas&k…"),
        "Ctrl+Alt+N",
        _T(
            "Actions",
            "Insert a task that takes place again and again, such as a weekly meeting, below the selected one",
        ),
        is_calendar,
    ),
    row(
        "task/|indent",
        _T("Actions", "&Indent"),
        "Alt+Shift+Right",
        _T("Actions", "Put the selected tasks into the one above them"),
        has_some,
    ),
    row(
        "task/outdent",
        _T("Actions", "O&utdent"),
        "Alt+Shift+Left",
        _T("Actions", "Take the selected tasks out of their summary"),
        has_some,
    ),
    row(
        "task/row_up",
        _T("Actions", "&Row up"),
        "Alt+Shift+Up",
        _T("Actions", "Move the rows of the selected tasks up; dragging rows of the table does the same"),
        has_some,
    ),
    row(
        "task/row_down",
        _T("Actions", "Row dow&n"),
        "Alt+Shift+Down",
        _T("Actions", "Move the rows of the selected tasks down; dragging rows of the table does the same"),
        has_some,
    ),
    row(
        "task/|to_predecessor",
        _T("Actions", "Go to what it waits &for"),
        "Ctrl+Up",
        _T("Actions", "Select the task whose link decides when the selected one starts"),
        has_some,
    ),
    row(
        "task/to_successor",
        _T("Actions", "&Go to what waits for it"),
        "Ctrl+Down",
        _T("Actions", "Select the task that follows the selected one by a link"),
        has_some,
    ),
    *(
        row(f"task/link_kind/link_{code}", title, f"Ctrl+I, {key}", tooltip, has_link, "link")
        for key, (code, title, tooltip) in enumerate(_LINK_KINDS, 1)
    ),
    row(
        "task/link_kind/|link_details",
        _T("Actions", "Kind and &lag…"),
        "Ctrl+I, L",
        _T(
            "Actions",
            "Type what the chosen link is: FS+2d, SS-1d, FF+50%, at most so long: FS+2d max 5d, or a range: FS+2d ±1d",
        ),
        has_link,
    ),
)
