"""Batch runs of notebooks: the graph they form, what each depends on, and the runner."""
