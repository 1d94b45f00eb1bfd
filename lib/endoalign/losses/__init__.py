"""Training objectives: pure functions of features, no parameters of their own."""
