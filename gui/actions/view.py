"""The View menu: what is seen, and the docks. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, When, has_one, has_plan, is_calendar, is_on_device, row

_T = QT_TRANSLATE_NOOP

# Titles and last keys of their shortcuts.
_BASELINES: tuple[tuple[object, str], ...] = (
    (_T("Actions", "Baseline &0"), "0"),
    (_T("Actions", "Baseline &1"), "1"),
    (_T("Actions", "Baseline &2"), "2"),
    (_T("Actions", "Baseline &3"), "3"),
    (_T("Actions", "Baseline &4"), "4"),
    (_T("Actions", "Baseline &5"), "5"),
    (_T("Actions", "Baseline &6"), "6"),
    (_T("Actions", "Baseline &7"), "7"),
    (_T("Actions", "Baseline &8"), "8"),
    (_T("Actions", "Baseline &9"), "9"),
    (_T("Actions", "&Baseline 10"), "X"),
)


def _has_baseline(number: int) -> When:
    return lambda now: number in now.baselines


TABLE: tuple[Row, ...] = (
    row("view/zoom_in", _T("Actions", "Zoom &in"), "Ctrl++", _T("Actions", "Show less time, larger"), has_plan),
    row("view/zoom_out", _T("Actions", "Zoom &out"), "Ctrl+-", _T("Actions", "Show more time, smaller"), has_plan),
    row("view/fit", _T("Actions", "&Fit"), "Ctrl+0", _T("Actions", "Show the whole plan"), has_plan),
    row(
        "view/go/go_to",
        _T("Actions", "Go to da&te…"),
        "Ctrl+Shift+G",
        _T("Actions", "Show a date: 3 Mar, today, +2w; on a device plan 3 ms or 250 us"),
        has_plan,
    ),
    row(
        "view/go/|go_start",
        _T("Actions", "Start of the &plan"),
        "Alt+Home",
        _T("Actions", "Show where it starts"),
        has_plan,
    ),
    row(
        "view/go/go_finish",
        _T("Actions", "Finis&h of the plan"),
        "Alt+End",
        _T("Actions", "Show where it ends"),
        has_plan,
    ),
    row(
        "view/go/go_task",
        _T("Actions", "&Bar of the task"),
        "Ctrl+Shift+F5",
        _T("Actions", "Show the row and the start of the selected task"),
        has_one,
    ),
    row(
        "view/table/expand_all",
        _T("Actions", "E&xpand all"),
        "Alt+Shift+X",
        _T("Actions", "Show the tasks of every summary"),
        has_plan,
    ),
    row(
        "view/table/collapse_all",
        _T("Actions", "Co&llapse all"),
        "Alt+Shift+C",
        _T("Actions", "Hide the tasks of every summary"),
        has_plan,
    ),
    row(
        "view/run/show_path",
        _T("Actions", "Critical &path of the run"),
        "Ctrl+Alt+P",
        _T("Actions", "Mark the chain of operations that decided when the run ended"),
        is_on_device,
        "docks",
    ),
    row(
        "view/run/next_gap",
        _T("Actions", "Next &gap"),
        "Ctrl+Alt+G",
        _T("Actions", "Explain the next wait"),
        is_on_device,
    ),
    row("view/run/follow", _T("Actions", "Fo&llow"), "L", _T("Actions", "Keep the end of the run in view"), has_plan),
    row(
        "view/table/|filter",
        _T("Actions", "Filt&er and group…"),
        "Ctrl+Shift+F",
        _T("Actions", "Show the tasks alone that you ask for, or put them in groups"),
        has_plan,
    ),
    row(
        "view/table/clear_filter",
        _T("Actions", "Show e&very row"),
        "Ctrl+Alt+F",
        _T("Actions", "Show every row again, in the plan's own order"),
        has_plan,
    ),
    row(
        "view/table/|columns",
        _T("Actions", "Colu&mns…"),
        "Ctrl+Alt+C",
        _T("Actions", "Choose what the table says of each task"),
        has_plan,
    ),
    row(
        "view/table/widen",
        _T("Actions", "&As wide as its columns"),
        "Ctrl+Alt+X",
        _T("Actions", "Make the table as wide as its columns; again: as wide as it was before"),
        has_plan,
    ),
    row(
        "view/color/color_kind",
        _T("Actions", "By &kind"),
        "Ctrl+U, K",
        _T("Actions", "Color bars by what they do on the device; on a calendar all alike"),
        has_plan,
        "color",
    ),
    row(
        "view/color/color_resource",
        _T("Actions", "By &resource"),
        "Ctrl+U, R",
        _T("Actions", "Color bars by the first who does them"),
        has_plan,
        "color",
    ),
    row(
        "view/color/color_criticality",
        _T("Actions", "By &criticality"),
        "Ctrl+U, C",
        _T("Actions", "Color bars by how much they may be late: not at all, a little, more"),
        has_plan,
        "color",
    ),
    row(
        "view/color/color_chance",
        _T("Actions", "By c&hance to be critical"),
        "Ctrl+U, H",
        _T("Actions", "Color bars by the share of samples in which they decide the end"),
        has_plan,
        "color",
    ),
    row(
        "view/color/color_status",
        _T("Actions", "By &status"),
        "Ctrl+U, S",
        _T("Actions", "Color bars by whether they are done, begun, late or to come"),
        has_plan,
        "color",
    ),
    row(
        "view/baseline/baseline_none",
        _T("Actions", "&None"),
        "Ctrl+B, N",
        _T("Actions", "Show no promised dates under the bars"),
        has_plan,
        "baseline",
    ),
    *(
        row(
            f"view/baseline/baseline_{number}",
            title,
            f"Ctrl+B, {key}",
            _T("Actions", "Show the dates that this baseline promised under the bars"),
            _has_baseline(number),
            "baseline",
        )
        for number, (title, key) in enumerate(_BASELINES)
    ),
    row(
        "view/show_paths",
        _T("Actions", "Pat&h of the task"),
        "Ctrl+Shift+T",
        _T("Actions", "Color all that leads to the selected tasks and all that follows from them"),
        has_plan,
        "docks",
    ),
    row(
        "view/show_legend",
        _T("Actions", "Lege&nd"),
        "Ctrl+Shift+J",
        _T("Actions", "Say below the chart what the colors and marks in sight mean"),
        has_plan,
        "docks",
    ),
    row(
        "view/theme/theme_system", _T("Actions", "&System"), "Ctrl+T, S", _T("Actions", "As the system"), group="theme"
    ),
    row("view/theme/theme_light", _T("Actions", "&Light"), "Ctrl+T, L", _T("Actions", "Dark on light"), group="theme"),
    row("view/theme/theme_dark", _T("Actions", "&Dark"), "Ctrl+T, D", _T("Actions", "Light on dark"), group="theme"),
    row(
        "view/|show_board",
        _T("Actions", "&Board"),
        "Ctrl+8",
        _T("Actions", "Show the plan by who does it: a row a resource, in the place of the chart"),
        has_plan,
        group="docks",
    ),
    row(
        "view/panels/show_timeline",
        _T("Actions", "Time&line"),
        "Ctrl+1",
        _T("Actions", "Show what happened"),
        group="docks",
    ),
    row(
        "view/panels/show_overlap",
        _T("Actions", "&Overlap"),
        "Ctrl+2",
        _T("Actions", "Show the run's figures"),
        group="docks",
    ),
    row(
        "view/panels/show_conflicts",
        _T("Actions", "&Conflicts"),
        "Ctrl+3",
        _T("Actions", "List what the dates break: constraints, deadlines, set-ups, and tasks that wait for each other"),
        has_plan,
        group="docks",
    ),
    row(
        "view/panels/show_recorded",
        _T("Actions", "&Recorded dates"),
        "Ctrl+4",
        _T("Actions", "List the tasks whose dates are not those that the file they came from recorded"),
        has_plan,
        group="docks",
    ),
    row(
        "view/panels/show_load",
        _T("Actions", "Lo&ad"),
        "Ctrl+5",
        _T("Actions", "Show how much each resource has to do over time, and where that is too much"),
        is_calendar,
        group="docks",
    ),
    row(
        "view/panels/show_counters",
        _T("Actions", "Co&unters"),
        "Ctrl+6",
        _T("Actions", "Show what the machine's counters said, below the run's streams"),
        group="docks",
    ),
    row(
        "view/panels/show_inspector",
        _T("Actions", "&Inspector"),
        "Shift+F2",
        _T("Actions", "Show what decides the dates of the selected task, and change what is asked of them"),
        has_plan,
        group="docks",
    ),
    row(
        "view/panels/show_compare",
        _T("Actions", "Co&mpare"),
        "Ctrl+9",
        _T("Actions", "List the tasks that are dated otherwise than a baseline or another plan says"),
        has_plan,
        group="docks",
    ),
    row(
        "view/panels/show_scenarios",
        _T("Actions", "&Scenarios"),
        "Ctrl+J, L",
        _T("Actions", "List the branches of the plan, what each comes to, and what they differ in"),
        has_plan,
        group="docks",
    ),
    row(
        "view/panels/show_machine", _T("Actions", "Machin&e"), "Ctrl+7", _T("Actions", "Show the device"), group="docks"
    ),
    row(
        "view/panels/show_work",
        _T("Actions", "&Work behind the window"),
        "Ctrl+Alt+7",
        _T("Actions", "Show when searches and simulations worked of late, a stream each"),
        group="docks",
    ),
    row(
        "view/panels/|restore_docks",
        _T("Actions", "Restore &docks"),
        "Ctrl+D",
        _T("Actions", "Put every dock back where it was at first"),
    ),
)
