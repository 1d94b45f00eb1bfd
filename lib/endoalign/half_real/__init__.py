"""The half-real corpus: real frames in made-up cases, described by code from masks and pixels."""
