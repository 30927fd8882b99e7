"""An XER file as tables: %T names one, %F its columns, %R a row, %E ends the file. It never reads meaning into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from engine.errors import FormatError
from engine.model import Ticks

# What is read of each table; the rest of a file is passed over.
WANTED: Mapping[str, tuple[str, ...]] = {
    "PROJECT": (
        *("proj_id", "proj_short_name", "clndr_id", "plan_start_date", "plan_end_date", "last_recalc_date"),
        *("export_flag", "orig_proj_id", "critical_path_type", "critical_drtn_hr_cnt"),
    ),
    "CALENDAR": (
        *("clndr_id", "clndr_name", "default_flag", "base_clndr_id", "clndr_data"),
        *("day_hr_cnt", "week_hr_cnt", "month_hr_cnt"),
    ),
    "SCHEDOPTIONS": (
        *("proj_id", "sched_calendar_on_relationship_lag", "sched_retained_logic", "sched_progress_override"),
        *("sched_float_type", "sched_open_critical_flag", "sched_use_expect_end_flag"),
        "sched_use_project_end_date_for_float",
    ),
    "PROJWBS": ("wbs_id", "proj_id", "parent_wbs_id", "seq_num", "wbs_short_name", "wbs_name", "proj_node_flag"),
    "TASK": (
        *("task_id", "proj_id", "wbs_id", "clndr_id", "phys_complete_pct", "complete_pct_type", "task_type"),
        *("duration_type", "status_code", "task_code", "task_name", "remain_drtn_hr_cnt", "target_drtn_hr_cnt"),
        *("act_work_qty", "remain_work_qty", "act_equip_qty", "remain_equip_qty", "priority_type"),
        *("act_start_date", "act_end_date", "early_start_date", "early_end_date", "restart_date", "reend_date"),
        *("target_start_date", "target_end_date", "expect_end_date", "suspend_date", "resume_date"),
        *("cstr_type", "cstr_date", "cstr_type2", "cstr_date2"),
    ),
    "TASKPRED": ("task_id", "pred_task_id", "pred_type", "lag_hr_cnt"),
    "RSRC": ("rsrc_id", "rsrc_name", "rsrc_short_name", "rsrc_type", "clndr_id", "def_qty_per_hr"),
    "RSRCRATE": ("rsrc_id", "max_qty_per_hr", "start_date"),
    "ROLES": ("role_id", "role_name", "role_short_name"),
    "TASKRSRC": (
        *("task_id", "rsrc_id", "role_id", "remain_qty", "act_reg_qty", "act_ot_qty"),
        *("target_qty_per_hr", "remain_qty_per_hr"),
    ),
    "ACTVTYPE": ("actv_code_type_id", "actv_code_type"),
    "ACTVCODE": ("actv_code_id", "actv_code_type_id", "actv_code_name", "short_name"),
    "TASKACTV": ("task_id", "actv_code_type_id", "actv_code_id"),
    "UDFTYPE": ("udf_type_id", "table_name", "udf_type_label"),
    "MEMOTYPE": ("memo_type_id", "memo_type"),
    "TASKMEMO": ("task_id", "memo_type_id", "task_memo"),
    "UDFVALUE": ("udf_type_id", "fk_id", "udf_date", "udf_number", "udf_text", "udf_code_id"),
}
_MOST_ROWS = 500_000
_MOST_LINES = 3_000_000
_MOST_LINES_A_ROW = 10_000
_MOST_LINE = 1 << 24
_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: values by column, and the line it stands on. Errors name the column and the line."""

    columns: Mapping[str, int]
    values: tuple[str, ...]
    line: int

    def text(self, column: str) -> str:
        """The value, or an empty text where the file has none."""
        at = self.columns.get(column)
        return self.values[at] if at is not None else ""

    def number(self, column: str, default: float = 0.0) -> float:
        """The value as a number; commas of other locales are understood."""
        text = self.text(column)
        if not text:
            return default
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            value = float("nan")
        if not abs(value) < 1e12:
            raise FormatError(f"“{text}” in column {column} is not a number that can be used.", line=self.line)
        return value

    def ticks(self, column: str) -> Ticks | None:
        """The value as an instant, None where there is none."""
        text = self.text(column)
        if not text:
            return None
        found = _instant(text)
        if found is None:
            raise FormatError(f"“{text}” in column {column} is not a date.", line=self.line)
        return found

    def hours(self, column: str, default: float = 0.0) -> Ticks:
        """The value in hours as ticks."""
        return round(self.number(column, default) * 3600)


@dataclass(slots=True)
class Tables:
    """The rows of each table that is read, in the order of the file."""

    rows: dict[str, list[Row]] = field(default_factory=dict)

    def of(self, table: str) -> list[Row]:
        """The rows of one table; none where the file has no such table."""
        return self.rows.get(table, [])


def read_tables(lines: Iterable[str]) -> Tables:
    """The tables of a file's lines. Raises FormatError with the line for what is no XER or is cut off."""
    reader = _Reader()
    first = True
    for number, line in enumerate(lines, 1):
        if first and not line.startswith("ERMHDR"):
            raise FormatError("This is no XER file: it does not begin with ERMHDR.", line=1)
        if len(line) > _MOST_LINE or number > _MOST_LINES:
            raise FormatError("The file has more lines, or longer ones, than any that P6 writes.", line=number)
        first = False
        reader.take(number, line.rstrip("\r\n"))
    if first:
        raise FormatError("The file is empty.", line=1)
    if not reader.is_ended:
        raise FormatError("The file is cut off: it does not end with %E.", line=reader.line)
    return reader.tables


class _Reader:
    """Takes one line after the other."""

    def __init__(self) -> None:
        self.tables = Tables()
        self.line = 0
        self.is_ended = False
        self._table = ""
        self._wanted: tuple[str, ...] = ()
        self._columns: dict[str, int] = {}
        self._places: list[int] = []
        self._open: list[str] = []
        self._opened = 0
        self._count = 0
        self._same: dict[str, str] = {}

    def take(self, number: int, line: str) -> None:
        self.line = number
        mark = line[:2]
        if mark == "%R":
            self._close()
            self._open, self._opened = [line], number
        elif mark == "%T":
            self._close()
            self._table = line[2:].strip()
            self._wanted, self._columns, self._places = WANTED.get(self._table, ()), {}, []
        elif mark == "%F":
            self._close()
            self._name_columns(line)
        elif mark == "%E":
            self._close()
            self.is_ended = True
        elif self._open:  # a text of several lines
            self._open.append(line)
            if len(self._open) > _MOST_LINES_A_ROW:
                raise FormatError(f"A row goes on over more than {_MOST_LINES_A_ROW:,} lines.", line=number)

    def _name_columns(self, line: str) -> None:
        there = {name.strip(): at for at, name in enumerate(line.split("\t")[1:], 1)}
        found = [(name, there[name]) for name in self._wanted if name in there]
        self._columns = {name: at for at, (name, _) in enumerate(found)}
        self._places = [place for _, place in found]

    def _close(self) -> None:
        if not self._open:
            return
        number, line = self._opened, "\n".join(self._open)
        self._open = []
        if not self._places:
            if self._wanted:
                raise FormatError(f"Table {self._table} has no row of column names (%F).", line=number)
            return
        self._count += 1
        if self._count > _MOST_ROWS:
            raise FormatError(f"The file has more than {_MOST_ROWS:,} rows.", line=number)
        cells = line.split("\t")
        same = self._same
        values = tuple(same.setdefault(cell, cell) for cell in self._pick(cells))
        self.tables.rows.setdefault(self._table, []).append(Row(self._columns, values, number))

    def _pick(self, cells: list[str]) -> Iterator[str]:
        count = len(cells)
        return (cells[place].strip() if place < count else "" for place in self._places)


@lru_cache(maxsize=65_536)
def _instant(text: str) -> Ticks | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return round((found.replace(tzinfo=None) - _EPOCH).total_seconds())
