"""SettingsDialog: by which choices a plan is scheduled, as one step that can be undone. It never schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from PySide6.QtCore import QCoreApplication, QTime
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
)

from engine.model import LagCalendar, PlanSettings, ProgressRule, Ticks
from engine.session.edits import Edit
from engine.session.plan_edits import SetSettings, SetStart
from engine.session.state import State
from gui.bridge import Bridge
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.instant_field import InstantField
from gui.theme import METRICS

translate = QCoreApplication.translate

_HOUR = 3600
_MOST_DAYS = 9999.0


class SettingsDialog(FormDialog):
    """The settings of a plan on a calendar."""

    def __init__(self, bridge: Bridge, state: State, parent: QWidget) -> None:
        title = translate("SettingsDialog", "Settings of the plan")
        super().__init__(bridge, title, translate("SettingsDialog", "Change the settings of the plan"), parent)
        self._state = state
        settings = state.plan.settings
        self.is_from_finish = _choice(
            ((False, self.tr("its start, as early as possible")), (True, self.tr("its finish, as late as possible"))),
            settings.is_from_finish,
        )
        self.start = InstantField(self.tr("Start of the plan"))
        self.start.show_instant(state.plan.start)
        self.finish = InstantField(self.tr("Finish of the plan"))
        self.finish.show_instant(state.schedule.project_finish if settings.finish is None else settings.finish)
        self.honors_dates = _choice(
            ((True, self.tr("dates win over links")), (False, self.tr("links win over dates"))), settings.honors_dates
        )
        self.lag_calendar = _choice(
            (
                (LagCalendar.SUCCESSOR, self.tr("the successor's calendar")),
                (LagCalendar.PREDECESSOR, self.tr("the predecessor's calendar")),
                (LagCalendar.PROJECT, self.tr("the plan's calendar")),
                (LagCalendar.ALWAYS, self.tr("24 hours a day")),
            ),
            settings.lag_calendar,
        )
        self.progress_rule = _choice(
            (
                (ProgressRule.RETAINED_LOGIC, self.tr("waits for its predecessors")),
                (ProgressRule.PROGRESS_OVERRIDE, self.tr("goes on at once")),
            ),
            settings.progress_rule,
        )
        self.has_status = QCheckBox(self.tr("S&tatus date"))
        self.has_status.setChecked(settings.status is not None)
        self.status = InstantField(self.tr("Status date"))
        self.status.show_instant(state.plan.start if settings.status is None else settings.status)
        self.is_frozen = QCheckBox(self.tr("Fro&zen until"))
        self.is_frozen.setChecked(settings.frozen_until is not None)
        self.is_frozen.setToolTip(self.tr("The optimizer leaves every task that starts earlier where it is"))
        self.frozen = InstantField(self.tr("Frozen until"))
        self.frozen.show_instant(state.plan.start if settings.frozen_until is None else settings.frozen_until)
        self.moves_remaining = QCheckBox(self.tr("What &remains is moved to the status date"))
        self.moves_remaining.setChecked(settings.moves_remaining_to_status)
        self.is_longest_path = _choice(
            ((False, self.tr("its float is at most")), (True, self.tr("it lies on the longest path"))),
            settings.is_longest_path,
        )
        day = settings.hours_per_day * _HOUR
        self.critical_days = _number(settings.critical_float / day, -_MOST_DAYS, _MOST_DAYS, self.tr(" d"))
        self.near_days = _number(settings.near_critical_float / day, -_MOST_DAYS, _MOST_DAYS, self.tr(" d"))
        self.hours_per_day = _number(settings.hours_per_day, 0.1, 24, self.tr(" h"))
        self.hours_per_week = _number(settings.hours_per_week, 0, 168, self.tr(" h"))
        self.days_per_month = _number(settings.days_per_month, 0, 31, self.tr(" d"))
        self.default_start = QTimeEdit(_clock(settings.default_start))
        self.default_finish = QTimeEdit(_clock(settings.default_finish))
        self._fill()
        self._offer()

    def edits(self) -> list[Edit]:
        """The settings, and the start, where they are others."""
        plan, settings = self._state.plan, self.settings()
        found: list[Edit] = []
        if self.start.instant != plan.start - plan.start % 60:
            found.append(SetStart(self.start.instant))
        if settings != plan.settings:
            found.append(SetSettings(settings))
        return found

    def settings(self) -> PlanSettings:
        """As they are chosen here. Floats that are not touched keep the seconds they had."""
        before = self._state.plan.settings
        is_back = bool(self.is_from_finish.currentData())
        day = self.hours_per_day.value() * _HOUR
        return replace(
            before,
            is_from_finish=is_back,
            finish=self.finish.instant if is_back else before.finish,
            honors_dates=self.honors_dates.currentData(),
            lag_calendar=self.lag_calendar.currentData(),
            progress_rule=self.progress_rule.currentData(),
            moves_remaining_to_status=self.moves_remaining.isChecked(),
            status=self.status.instant if self.has_status.isChecked() else None,
            frozen_until=self._fence(),
            is_longest_path=self.is_longest_path.currentData(),
            critical_float=round(self.critical_days.value() * day),
            near_critical_float=round(self.near_days.value() * day),
            hours_per_day=self.hours_per_day.value(),
            hours_per_week=self.hours_per_week.value(),
            days_per_month=self.days_per_month.value(),
            default_start=_seconds(self.default_start),
            default_finish=_seconds(self.default_finish),
        )

    def _fence(self) -> Ticks | None:
        """Until when it is frozen; one that is not touched keeps its seconds."""
        before, now = self._state.plan.settings.frozen_until, self.frozen.instant
        if not self.is_frozen.isChecked():
            return None
        return before if before is not None and before - before % 60 == now else now

    def _fill(self) -> None:
        page, columns = QWidget(), QHBoxLayout()
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(4 * METRICS.grid_px)
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(self._group(self.tr("Schedule"), self._schedule_rows()))
        left.addWidget(self._group(self.tr("Progress"), self._progress_rows()))
        left.addStretch(1)
        right.addWidget(self._group(self.tr("Critical"), self._critical_rows()))
        right.addWidget(self._group(self.tr("Units and times of day"), self._unit_rows()))
        right.addStretch(1)
        columns.addLayout(left)
        columns.addLayout(right)
        page.setLayout(columns)
        self.stack(columns)
        self.lay_out(page)

    def _schedule_rows(self) -> list[tuple[str | QWidget, QWidget]]:
        return [
            (self.tr("The &plan is dated from"), self.is_from_finish),
            (self.tr("&Start"), self.start),
            (self.tr("F&inish"), self.finish),
            (self.tr("Where they do not &agree,"), self.honors_dates),
            (self.tr("&Lags are counted by"), self.lag_calendar),
        ]

    def _progress_rows(self) -> list[tuple[str | QWidget, QWidget]]:
        return [
            (self.has_status, self.status),
            ("", self.moves_remaining),
            (self.tr("A task that &began early"), self.progress_rule),
            (self.is_frozen, self.frozen),
        ]

    def _critical_rows(self) -> list[tuple[str | QWidget, QWidget]]:
        return [
            (self.tr("A task is &critical when"), self.is_longest_path),
            (self.tr("&Float at most"), self.critical_days),
            (self.tr("&Nearly critical at most"), self.near_days),
        ]

    def _unit_rows(self) -> list[tuple[str | QWidget, QWidget]]:
        return [
            (self.tr("A &day is"), self.hours_per_day),
            (self.tr("A &week is"), self.hours_per_week),
            (self.tr("A &month is"), self.days_per_month),
            (self.tr("A date witho&ut a time starts at"), self.default_start),
            (self.tr("and finis&hes at"), self.default_finish),
        ]

    def _group(self, title: str, rows: Sequence[tuple[str | QWidget, QWidget]]) -> QGroupBox:
        group, form = QGroupBox(title), QFormLayout()
        form.setHorizontalSpacing(3 * METRICS.grid_px)
        form.setVerticalSpacing(METRICS.grid_px)
        for name, widget in rows:
            form.addRow(name, widget)
        group.setLayout(form)
        return group

    def _offer(self) -> None:
        """What can be entered depends on what is chosen."""

        def update() -> None:
            self.finish.setEnabled(bool(self.is_from_finish.currentData()))
            self.status.setEnabled(self.has_status.isChecked())
            self.frozen.setEnabled(self.is_frozen.isChecked())
            self.critical_days.setEnabled(not self.is_longest_path.currentData())

        self.is_from_finish.currentIndexChanged.connect(update)
        self.is_longest_path.currentIndexChanged.connect(update)
        self.has_status.toggled.connect(update)
        self.is_frozen.toggled.connect(update)
        update()


def _choice(choices: Sequence[tuple[bool | Enum, str]], chosen: bool | Enum) -> QComboBox:
    combo = QComboBox()
    for value, text in choices:
        combo.addItem(text, value)
    combo.setCurrentIndex([value for value, _ in choices].index(chosen))
    return combo


def _number(value: float, least: float, most: float, unit: str) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(least, most)
    box.setDecimals(2)
    box.setSuffix(unit)
    box.setValue(value)
    return box


def _clock(seconds: int) -> QTime:
    return QTime(0, 0).addSecs(seconds)


def _seconds(field: QTimeEdit) -> int:
    return QTime(0, 0).secsTo(field.time())
