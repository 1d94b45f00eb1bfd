"""Pairs of a frame and a text: what every stage of recovery writes and every training reads."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pandas as pd
import pandera.pandas as pa

from endoalign.corpus.columns import pattern, real, text, whole
from endoalign.corpus.files import read_parquet, write_parquet, write_text
from endoalign.corpus.manifest import frame_path
from endoalign.corpus.validation import CorpusError, validated

PROMPTS: Final = {"present": "polyp present", "absent": "no finding"}
"""The two case-level prompts of stage I, word for word as in the paper."""

STAGES: Final = ("I", "II", "III", "IV", "naive", "oracle")
"""What the pairs train: EndoCLIP-I, -II, -III (anchors); IV are the matches that EndoCLIP trains on
beside the anchors; ``naive`` and ``oracle`` are controls. A variant adds a word: ``IV-bags``."""

PAIRS: Final = pa.DataFrameSchema(
    {
        "frame_id": text("id of the frame"),
        "case_id": text("id of the case"),
        "finding_id": text("id of the finding, empty where the text is a prompt", nullable=True),
        "text": pattern("a text that is not blank", r"(?s:.*\S.*)"),
        "stage": pattern(
            f"one of {', '.join(STAGES)}, or one of them with -VARIANT",
            f"({'|'.join(STAGES)})(-[a-z0-9_]+)*",
        ),
        "score": real("cosine similarity, margin or empty", -2, 2, nullable=True),
        "seed": whole("seed of the random choices"),
    },
    strict=True,
    coerce=True,
)


def make_pairs(rows: pd.DataFrame, *, stage: str, seed: int) -> pd.DataFrame:
    """Return rows with ``frame_id``, ``case_id`` and ``text`` as a table of pairs (`PAIRS`).

    ``finding_id`` and ``score`` are taken where the rows have them, else left empty. Sorted by
    case, finding and frame.

    Raises:
        CorpusError: a column or value does not fit `PAIRS`.
    """
    table = rows.assign(stage=stage, seed=seed)
    for name in ("finding_id", "score"):
        if name not in table:
            table[name] = pd.Series(None, index=table.index, dtype=object)
    table = table[[name for name in PAIRS.columns if name in table]]
    table = table.sort_values(["case_id", "finding_id", "frame_id"], kind="stable")
    return validated(table, PAIRS, f"pairs of stage {stage}")


def combine(*tables: pd.DataFrame) -> pd.DataFrame:
    """Return several tables of pairs as one; anchors and matches together train EndoCLIP.

    Raises:
        CorpusError: a frame stands with the same text of the same finding in two of them.
    """
    table = pd.concat(tables, ignore_index=True) if tables else _empty()
    key = ["frame_id", "finding_id", "text"]
    twice = table[table.duplicated(key)]
    if len(twice):
        pair = twice.iloc[0]
        raise CorpusError(
            f"pairs of stages {', '.join(table['stage'].unique())}: frame {pair['frame_id']!r} and "
            f"{pair['text']!r} are paired twice; combine tables that share no pair"
        )
    return validated(table, PAIRS, "combined pairs")


def write_pairs(
    pairs: pd.DataFrame, folder: Path, name: str, frames: pd.DataFrame, corpus_folder: Path
) -> Path:
    """Write ``NAME.parquet``, and ``NAME.csv`` as OpenCLIP's own trainer reads it by default.

    The CSV has the columns ``filepath`` (absolute) and ``title``, separated by tabs
    (``--dataset-type csv``; OpenCLIP 3.3 needs no further option). Each file appears whole or not
    at all, the Parquet file last.

    Args:
        pairs: table of pairs (`PAIRS`).
        name: name of the files, without an ending.
        frames: the corpus's frames table, with ``frame_id`` and ``path``.
        corpus_folder: the corpus folder, whose manifest says where the frames lie.

    Returns:
        The Parquet file.

    Raises:
        CorpusError: the table does not fit `PAIRS`, or a frame is none of ``frames``.
    """
    path = folder / f"{name}.parquet"
    pairs = validated(pairs, PAIRS, path.name)
    stored = frames.set_index("frame_id")["path"].reindex(pairs["frame_id"])
    if stored.isna().any():
        raise CorpusError(f"{path.name}: {stored.index[stored.isna()][0]!r} is no frame of frames")
    corpus_folder = corpus_folder.resolve()
    files = [str(frame_path(corpus_folder, str(relative)).resolve()) for relative in stored]
    table = pd.DataFrame({"filepath": files, "title": pairs["text"].to_numpy()})
    write_text(table.to_csv(sep="\t", index=False), path.with_suffix(".csv"))
    write_parquet(pairs, path)
    return path


def load_pairs(path: Path, made_by: str = "notebooks 02 to 04 make the pairs") -> pd.DataFrame:
    """Read a table of pairs; raises `CorpusError` where it is missing, damaged or unfit."""
    return validated(read_parquet(path, made_by), PAIRS, path.name)


def _empty() -> pd.DataFrame:
    columns: Sequence[str] = list(PAIRS.columns)
    return pd.DataFrame({name: pd.Series(dtype=object) for name in columns})
