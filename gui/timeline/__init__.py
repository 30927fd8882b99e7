"""The timeline of a run. Never a plan edit."""
