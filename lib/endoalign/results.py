"""Tidy results: one row a figure, with the facts of the run in the file's metadata."""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from endoalign.config.base import Parameters
from endoalign.paths import outputs_root, profile_folder, project_root

COLUMNS: Final = (
    "notebook",
    "system",
    "task",
    "dataset",
    "protocol",
    "metric",
    "value",
    "ci_low",
    "ci_high",
    "seed",
    "n",
    "note",
)
FACTS_KEY: Final = b"endoalign_run"


@dataclass
class Results:
    """Rows of one notebook: ``add`` figures, then ``save`` them once."""

    notebook: str
    parameters: Parameters
    rows: list[dict[str, object]] = field(default_factory=list)

    def add(
        self,
        *,
        system: str,
        task: str,
        dataset: str,
        protocol: str,
        metric: str,
        value: float,
        interval: tuple[float, float] | None = None,
        n: int | None = None,
        note: str = "",
    ) -> None:
        """Add one figure.

        Args:
            value: the figure; NaN where it is not defined (say why in ``note``).
            interval: 95 % confidence interval, low and high.
            n: number of cases, frames or findings behind the figure.
        """
        low, high = interval or (float("nan"), float("nan"))
        row = (self.notebook, system, task, dataset, protocol, metric, float(value), low, high)
        tail = (self.parameters.seed, n, note)
        self.rows.append(dict(zip(COLUMNS, row + tail, strict=True)))

    def extend(self, rows: Iterable[dict[str, Any]], *, dataset: str) -> None:
        """Add rows that an evaluation made, each a set of arguments of `add`."""
        for row in rows:
            self.add(dataset=dataset, **row)

    def count(self, protocol: str, counts: Mapping[str, int], *, dataset: str, system: str) -> None:
        """Add counts of a corpus (task ``corpus``), one row each."""
        for metric, value in counts.items():
            self.add(
                system=system,
                task="corpus",
                dataset=dataset,
                protocol=protocol,
                metric=metric,
                value=value,
            )

    def table(self) -> pd.DataFrame:
        """All rows so far, columns as in `COLUMNS`."""
        return pd.DataFrame(self.rows, columns=list(COLUMNS)).astype(
            {"n": "Int64", "value": "float64"}
        )

    def save(self, *, corpus: Path | None = None) -> Path:
        """Write `outputs/PROFILE/results/NOTEBOOK.parquet` with the facts of the run.

        Args:
            corpus: folder of the corpus, whose tables' hash becomes one of the facts.
        """
        facts = asdict(RunFacts.gather(self.parameters, corpus))
        table = pa.Table.from_pandas(self.table(), preserve_index=False)
        metadata = {**(table.schema.metadata or {}), FACTS_KEY: json.dumps(facts).encode()}
        path = profile_folder(self.parameters.profile, "results") / f"{self.notebook}.parquet"
        partial = path.with_suffix(".partial")
        pq.write_table(table.replace_schema_metadata(metadata), partial)
        partial.replace(path)
        return path


@dataclass(frozen=True)
class RunFacts:
    """What a figure was made from: commit, parameters, corpus and lock, each as a hash."""

    git_commit: str
    params_hash: str
    corpus_hash: str
    lock_hash: str

    @classmethod
    def gather(cls, parameters: Parameters, corpus: Path | None) -> "RunFacts":
        """Read the facts of this run from the checkout and the corpus."""
        tables = sorted(corpus.glob("*.parquet")) if corpus else []
        lock = project_root() / "requirements.txt"
        return cls(
            git_commit=_git_commit(),
            params_hash=parameters.digest(),
            corpus_hash=_digest(tables),
            lock_hash=_digest([lock] if lock.exists() else []),
        )


def load(profile: str) -> pd.DataFrame:
    """All results of ``profile``, one row a figure, columns as in `COLUMNS`.

    Raises:
        FileNotFoundError: no notebook of the profile has saved results.
    """
    paths = sorted((outputs_root() / profile / "results").glob("*.parquet"))
    if not paths:
        raise FileNotFoundError(f"no results of profile {profile!r}: run `make demo` first")
    return pd.concat([pd.read_parquet(path) for path in paths], ignore_index=True)


def facts(path: Path) -> dict[str, str]:
    """Facts of the run that wrote the results file ``path``."""
    metadata = pq.read_schema(path).metadata or {}
    return dict(json.loads(metadata[FACTS_KEY])) if FACTS_KEY in metadata else {}


def _digest(paths: list[Path]) -> str:
    """First 12 hexadecimal digits of the SHA-256 over the files; empty where there are none."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12] if paths else ""


def _git_commit() -> str:
    """Commit of the checkout, with ``+`` where files differ from it; empty outside git."""
    command = ["git", "-C", str(project_root()), "describe", "--always", "--abbrev=12", "--dirty=+"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()
