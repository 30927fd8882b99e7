"""P6's notebooks as notes of activities: plain text, whatever page they were written as. It never runs one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from html.parser import HTMLParser

from engine.formats.xer.tables import Tables

# P6 puts these in the place of the ends of lines, which would end a row of the file.
_LINE_END = "\N{DELETE}\N{DELETE}"
_BREAKS = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table"})
_UNSEEN = frozenset({"script", "style", "title"})


def notes_of(tables: Tables) -> Mapping[str, str]:
    """The notes of each activity by its id: its topics, each below its name where there are several."""
    names = {row.text("memo_type_id"): row.text("memo_type") for row in tables.of("MEMOTYPE")}
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in tables.of("TASKMEMO"):
        if text := plain_text(row.text("task_memo")):
            found[row.text("task_id")].append((names.get(row.text("memo_type_id"), ""), text))
    return {task: _joined(topics) for task, topics in found.items()}


def _joined(topics: list[tuple[str, str]]) -> str:
    if len(topics) == 1:
        return topics[0][1]
    return "\n\n".join(f"{name}:\n{text}" if name else text for name, text in topics)


def plain_text(memo: str) -> str:
    """A page of a notebook without its marks; lines keep their ends."""
    reader = _Reader()
    reader.feed(memo.replace(_LINE_END, "\n"))
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).splitlines())
    return "\n".join(line for line in lines if line)


class _Reader(HTMLParser):
    """Collects the text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(self._unseen - (tag in _UNSEEN), 0)
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)

    def _break(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append("\n")
