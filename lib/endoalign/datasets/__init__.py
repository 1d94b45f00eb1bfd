"""Public data sets, one module each, by the layout in which they are published."""
