"""How sure: the whole network sampled, with calendars and the order on machines. Pure; compiled functions in blocks."""
