"""One training loop for dual encoders: from a table of pairs to a checkpoint."""
