"""A table is held to its schema; what is wrong is said in one sentence."""

import difflib

import numpy as np
import pandas as pd
import pandera.errors
import pandera.pandas as pa


class CorpusError(ValueError):
    """A table or a corpus that is not as it should be; the message says where and what is right."""


def validated(table: pd.DataFrame, schema: pa.DataFrameSchema, file: str) -> pd.DataFrame:
    """Return the table with the schema's columns, order and types, lists of texts as lists.

    Raises `CorpusError` that names ``file``, the column, the first bad row (counted from 0, with
    its id) and what would be right.
    """
    _check_columns(list(table.columns), list(schema.columns), file)
    table = table[list(schema.columns)].reset_index(drop=True)
    for name, column in schema.columns.items():
        if column.dtype is not None and str(column.dtype) == "object":
            table[name] = pd.Series(list(map(_as_list, table[name])), dtype=object)
    try:
        return schema.validate(table, lazy=True)
    except pandera.errors.SchemaErrors as error:
        raise CorpusError(_first_failure(error.failure_cases, table, schema, file)) from None


def nearest(name: str, known: list[str]) -> str:
    """Return ``" (nearest: …)"`` for the known name most like ``name``, or nothing."""
    found = difflib.get_close_matches(name.lower(), [other.lower() for other in known], n=1)
    originals = [other for other in known if found and other.lower() == found[0]]
    return f" (nearest: {originals[0]!r})" if originals else ""


def _check_columns(found: list[str], expected: list[str], file: str) -> None:
    for name in expected:
        if name not in found:
            raise CorpusError(
                f"{file}: column {name!r} is missing{nearest(name, found)}; "
                f"columns found: {', '.join(map(str, found)) or 'none'}"
            )
    for name in found:
        if name not in expected:
            raise CorpusError(
                f"{file}: column {name!r} is unknown{nearest(str(name), expected)}; "
                f"columns of this table: {', '.join(expected)}"
            )


def _as_list(value: object) -> object:
    """Return what Parquet (arrays) and callers (tuples) give for a list as a list."""
    return list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else value


def _first_failure(
    failures: pd.DataFrame, table: pd.DataFrame, schema: pa.DataFrameSchema, file: str
) -> str:
    """Word the failure of the topmost row; columns come first, failures without a row last."""
    failures = failures.sort_values(
        "schema_context", kind="stable"
    )  # Column before DataFrameSchema
    failure = failures.sort_values("index", kind="stable", na_position="last").iloc[0]
    row = None if pd.isna(failure["index"]) else int(failure["index"])
    where = "" if row is None else f", row {row} ({table.columns[0]} {table.iloc[row, 0]!r})"
    if failure["schema_context"] == "DataFrameSchema":
        return f"{file}{where}: must hold: {failure['check']}"
    name = str(failure["column"])
    value = failure["failure_case"] if row is None else table[name].iloc[row]
    value = value.item() if isinstance(value, np.generic) else value
    wrong = f"{value!r} given twice" if failure["check"] == "field_uniqueness" else f"{value!r}"
    return f"{file}: column {name!r}{where}: {wrong}; right is: {schema.columns[name].description}"
