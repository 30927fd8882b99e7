"""WHAT HAPPENED: columns of spans and arithmetic on them. Never a device."""
