"""Gastroscopies of the world: their truth, cases, views and files."""
