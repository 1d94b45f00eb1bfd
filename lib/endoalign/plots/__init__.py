"""Figures: one module a kind of figure, each a function that returns a matplotlib figure."""
