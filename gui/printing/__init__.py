"""Printing: a plan on paper, in a PDF, an SVG or a picture. It never changes a plan."""
