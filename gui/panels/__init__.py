"""Docks beside the chart. Never the owner of a figure."""
