"""Who searches and simulates, as it is said everywhere. It never starts any of them."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

NAMES = (
    QT_TRANSLATE_NOOP("Engines", "current plan"),
    QT_TRANSLATE_NOOP("Engines", "priority rules"),
    QT_TRANSLATE_NOOP("Engines", "tabu search"),
    QT_TRANSLATE_NOOP("Engines", "activity lists"),
    QT_TRANSLATE_NOOP("Engines", "tabu search on the GPU"),
    QT_TRANSLATE_NOOP("Engines", "activity lists on the GPU"),
    QT_TRANSLATE_NOOP("Engines", "exact solver"),
    QT_TRANSLATE_NOOP("Engines", "samples"),
)


def engine_name(name: str) -> str:
    """What a person reads for the name that an engine has in messages."""
    return QCoreApplication.translate("Engines", name)
