"""Words of the chart: the window's own, by the name that the chart knows them. It never computes a date."""

from __future__ import annotations

from gui.plan_words import change_text, duration_text, exact_text, float_text, full_name, instant_text, length_text

__all__ = ["change_text", "duration_text", "exact_text", "float_text", "full_name", "instant_text", "length_text"]
