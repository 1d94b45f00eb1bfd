"""Strict typed parameters of every notebook, one module a notebook."""
