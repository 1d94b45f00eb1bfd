"""The tables of a corpus: schemas, load, write, ingest, and the one door to its truth."""
