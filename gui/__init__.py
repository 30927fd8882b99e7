"""The window owns what a person sees and touches. It never computes a date."""
