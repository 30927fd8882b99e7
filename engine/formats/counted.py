"""Sentences with a count in them, right for one thing too. They never know what is counted."""

from __future__ import annotations


def counted(count: int, one: str, many: str) -> str:
    """`one` where there is one thing, else `many` with the number for its {count}."""
    return one if count == 1 else many.format(count=f"{count:,}")
