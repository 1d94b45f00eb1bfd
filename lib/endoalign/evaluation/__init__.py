"""Metrics against known truth: pure functions."""
