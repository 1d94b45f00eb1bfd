"""The report writer: a case in, its text and the truth of every statement out."""
