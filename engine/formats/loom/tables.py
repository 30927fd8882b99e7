"""Tables out of the bytes of a .loom file, each value of the type it should have. It never reads the file itself."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from engine.errors import FormatError
from engine.formats.loom.schema import APPLICATION_ID, SINCE, VERSION

MAGIC = b"SQLite format 3\x00"
HEAD = 100  # bytes of an SQLite header
_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "str": (str,),
    "float": (float,),
    "any": (int, str, float),
    "blob": (bytes,),
}
_Kind = TypeVar("_Kind", bound=Enum)


def is_loom(head: bytes) -> bool:
    """Whether the first HEAD bytes of a file are those of a plan, of whatever version."""
    return head.startswith(MAGIC) and _number(head, 68) == APPLICATION_ID


def check_head(head: bytes, size: int) -> None:
    """Raises FormatError, a sentence's end after the file's name, when the header promises no plan this one reads."""
    if not head:
        raise FormatError("is empty: it is not a plan")
    if not head.startswith(MAGIC):
        what = "cut off in its first bytes" if MAGIC.startswith(head[:16]) else "not a Warploom plan"
        raise FormatError(f"is {what}")
    if len(head) == HEAD and _number(head, 68) != APPLICATION_ID:
        raise FormatError("is an SQLite file of another program, not a Warploom plan")
    if len(head) == HEAD and _number(head, 60) > VERSION:
        raise FormatError(
            f"was written by a newer Warploom (file format {_number(head, 60)}, this one reads up to {VERSION}): "
            "update Warploom to open it; nothing was changed"
        )
    page = _short(head, 16) if len(head) == HEAD else 0
    whole = max(HEAD, _number(head, 28) * (65_536 if page == 1 else page))
    if size < whole:
        raise FormatError(f"is cut off: {size} of its {whole} bytes are there")


def fill(db: sqlite3.Connection, data: bytes) -> None:
    """Put a whole file into a new database in memory. Raises sqlite3.Error, or FormatError when it is damaged."""
    db.deserialize(data)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA query_only = ON")
    db.text_factory = bytes  # what it says of damage may quote bytes that are no text
    found = b" ".join(row[0] for row in db.execute("PRAGMA quick_check(1)")).decode(errors="replace")
    db.text_factory = str
    if found != "ok":
        raise FormatError(f"is damaged: {' '.join(found.split())}")


def version_of(db: sqlite3.Connection) -> int:
    """The version of the tables in a database; a file that names none is of the first."""
    return max(1, int(db.execute("PRAGMA user_version").fetchone()[0]))


def rows(db: sqlite3.Connection, table: str, columns: str, order: str = "position") -> Iterator[tuple[Any, ...]]:
    """Rows of a table in order. `columns` are "name:type": int, str, float, blob or any, and "?" where NULL may be.

    A column that version 1 had not ends in what it meant there, as in "delay:int=0"; one that came with version 3 as in
    "launch_ns:int?=NULL@3". A table that a version had not has no rows.
    """
    version = version_of(db)
    if version < SINCE.get(table, 1):
        return
    found = db.execute("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE 'CREATE TABLE%'", [table]).fetchone()
    if found is None:
        raise FormatError(f"is damaged: its table “{table}” is missing")
    split = [re.split("[:=@]", column) for column in columns.split()]
    names = [_expression(version, *column) for column in split]
    kinds = [column[1] for column in split]
    types = [(*_TYPES[kind.rstrip("?")], *([type(None)] if kind.endswith("?") else [])) for kind in kinds]
    seen: set[tuple[type, ...]] = set()
    for row in db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}"):
        found = tuple(map(type, row))
        if found not in seen:  # most rows are of the types of one before
            for value, allowed, name in zip(row, types, names, strict=True):
                if type(value) not in allowed:
                    raise FormatError(f"is damaged: “{name}” in its table “{table}” is {value!r:.60}")
            seen.add(found)
        yield row


def rows_if_any(db: sqlite3.Connection, table: str, columns: str, order: str = "position") -> Iterator[tuple[Any, ...]]:
    """Rows of a table that only plans have that need it, as rows() gives them; none where a file has it not."""
    known = db.execute("SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table'", [table]).fetchone()
    return rows(db, table, columns, order) if known else iter(())


def _expression(version: int, name: str, _: str, before: str = "", since: str = "2") -> str:
    """What is asked of a table: the column, or in a file of a version that had it not, what that meant."""
    return before if before and version < int(since) else name


def one_of(kind: type[_Kind], value: str) -> _Kind:
    """The member of an enumeration that a file names."""
    found: _Kind | None = _members(kind).get(value)
    if found is None:
        raise FormatError(f"is damaged: “{value:.60}” is no {kind.__name__}")
    return found


@cache
def _members(kind: type[Enum]) -> dict[str, Any]:
    return {member.value: member for member in kind}


def truth(value: int) -> bool:
    """0 or 1 as what it says."""
    if value not in (0, 1):
        raise FormatError(f"is damaged: {value} is neither 0 nor 1")
    return value == 1


def _number(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + 4], "big")


def _short(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + 2], "big")
