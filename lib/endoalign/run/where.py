"""``python -m endoalign.run.where --profile PROFILE``: where the files of a run lie."""

import argparse

from endoalign.paths import outputs_root

KINDS = {
    "notebooks": ("executed notebooks", "*.ipynb"),
    "figures": ("figures", "*.png"),
    "results": ("results", "*.parquet"),
}


def describe(profile: str) -> str:
    """One line a kind of file: how many there are and in which folder."""
    lines = []
    for folder, (label, pattern) in KINDS.items():
        place = outputs_root() / profile / folder
        found = [p for p in place.glob(pattern) if ".failed." not in p.name]
        lines.append(f"{label:<20}{len(found):>4}  {place}")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m endoalign.run.where", description=__doc__)
    parser.add_argument("--profile", default="demo", help="folder of params/ that was run")
    print(describe(parser.parse_args().profile))


if __name__ == "__main__":
    main()
