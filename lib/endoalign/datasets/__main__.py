"""``python -m endoalign.datasets list | check NAME PATH | near-duplicates NAME PATH NAME PATH``."""

import argparse
import sys
from pathlib import Path
from typing import Any

from endoalign.corpus.files import write_text
from endoalign.datasets.check import SHOWN, check, report
from endoalign.datasets.fingerprints import fingerprints
from endoalign.datasets.mixing import left_out, summary, warning_of
from endoalign.datasets.near_duplicates import MAX_DISTANCE, Limits, near_duplicates
from endoalign.datasets.registry import adapter, load, names
from endoalign.progress import Progress
from endoalign.strict_yaml import read_yaml


def main(arguments: list[str] | None = None) -> int:
    """Command line; returns 0 where nothing is amiss, 1 where something is, 2 if called wrong."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m endoalign.datasets", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="all data sets: counts, licence and page")
    listing.set_defaults(run=_list)
    one = commands.add_parser("check", help="what is there, what is missing or odd")
    one.add_argument("name", help="of the data set, such as kvasir-seg")
    one.add_argument("path", type=Path, help="the folder it was downloaded to")
    one.add_argument("--options", type=Path, help="YAML file of the adapter's options")
    one.set_defaults(run=_check)
    two = commands.add_parser("near-duplicates", help="frames that two data sets share")
    for which in ("a", "b"):
        two.add_argument(f"name_{which}", metavar="NAME", help="of a data set")
        two.add_argument(f"path_{which}", metavar="PATH", type=Path, help="its folder")
    two.add_argument("--max-distance", type=int, default=MAX_DISTANCE, help="bits of 64")
    two.add_argument("--table", type=Path, help="CSV file to write all pairs to")
    two.set_defaults(run=_near_duplicates)
    return parser


def _list(_options: argparse.Namespace) -> int:
    for name in names():
        card = adapter(name).card
        counts = ", ".join(f"{count:,} {what}" for what, count in card.expected.items())
        print(f"{name:<16} {card.title}\n{'':<16} {counts or 'no counts are published'}")
        print(f"{'':<16} {card.licence}; {card.page}")
    return 0


def _check(options: argparse.Namespace) -> int:
    result = check(options.name, options.path.expanduser(), **_adapter_options(options.options))
    print(report(result))
    return 0 if result.complete else 1


def _near_duplicates(options: argparse.Namespace) -> int:
    limits = Limits(max_distance=options.max_distance)
    a = load(options.name_a, options.path_a.expanduser())
    b = load(options.name_b, options.path_b.expanduser())
    tables = [fingerprints(one, Progress(one.card.name)) for one in (a, b)]
    found = near_duplicates(*tables, limits=limits)
    if options.table is not None:
        write_text(found.to_csv(index=False), options.table)
    print("\n".join(filter(None, map(left_out, (a, b), tables))))
    print(summary(found).to_string(index=False))
    if found.empty:
        print(f"{a.card.name} and {b.card.name} share no frame.")
        return 0
    print(found.head(SHOWN).to_string(index=False))
    print(warning_of(found, a.card.name, b.card.name))
    return 1


def _adapter_options(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    values = read_yaml(path)
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ValueError(f"{path}: not a mapping of option names to values")
    return values


if __name__ == "__main__":
    sys.exit(main())
