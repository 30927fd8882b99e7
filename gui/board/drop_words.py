"""What the tint under a held bar means, in words. It never draws it."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.session.aims import lateness_of
from engine.session.dropping import Drops, Objective
from gui.board.drop_map import Words
from gui.canvas.calendar_ticks import elapsed_text

_T = QT_TRANSLATE_NOOP
# What is less, and what is more, once it is dropped there and what it overlaps has given way: by itself it stays.
_WORDS: dict[Objective | None, tuple[object, object]] = {
    Objective.TARDINESS: (_T("DropMap", "less lateness, once what is there gives way"), _T("DropMap", "more lateness")),
    Objective.MAKESPAN: (
        _T("DropMap", "an earlier finish, once what is there gives way"),
        _T("DropMap", "a later finish"),
    ),
}
_OTHER = (_T("DropMap", "better, once what is there gives way"), _T("DropMap", "worse"))


def words_of(found: Drops) -> Words:
    """What better and worse are of, and how much the best place gains."""
    better, worse = _WORDS.get(found.objective, _OTHER)
    return Words(_tr(better), _tr(worse), _tr(_T("DropMap", "breaks a rule")), _best(found))


def _best(found: Drops) -> str:
    if found.objective is Objective.COST:
        return _tr(_T("DropMap", "the best place"))
    gain = -lateness_of(-found.gain) if found.objective is Objective.TARDINESS else found.gain
    return _tr(_T("DropMap", "the best place: {gain}")).format(gain=elapsed_text(gain))


def _tr(text: object) -> str:
    return QCoreApplication.translate("DropMap", str(text))
