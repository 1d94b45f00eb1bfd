"""The report parser beside a spaCy rule pipeline built from the same lexicon, on the same notes.

Speed as reports a second of one core (the best of several passes, so that other work of the machine
counts least) and precision and recall of findings against hand labels, where labels are given.

The spaCy pipeline is what a user would write first: ``spacy.blank`` + ``sentencizer`` +
``entity_ruler`` over the lexicon's terms + a negation component of the NegEx kind (a cue denies
what follows in its sentence up to a stop word). A sentence's entities of one kind and polarity make
one finding; its region is the sentence's first site.

spaCy is no dependency of the project. Run in an environment that has it::

    PYTHONPATH=lib python benchmarks/parser_speed.py --notes NOTES.jsonl --labels LABELS.json
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span

from endoalign.evaluation.extraction import Counts, FindingRecord, count_report
from endoalign.reports import ReportParser
from endoalign.reports.lexicon import load_lexicon
from endoalign.reports.roles import term_roles

LABELS_OF = {
    "lesion": "LESION",
    "other": "OTHER",
    "normal": "NORMAL",
    "site": "SITE",
    "deny_before": "DENY",
    "stop": "STOP",
}
KINDS = {"LESION": "lesion", "OTHER": "other", "NORMAL": "normal"}

Read = Callable[[str], list[FindingRecord]]

Span.set_extension("denied", default=False, force=True)


@Language.component("denials")
def denials(doc: Doc) -> Doc:
    for sentence in doc.sents:
        denied = False
        for entity in sentence.ents:
            if entity.label_ == "DENY":
                denied = True
            elif entity.label_ == "STOP":
                denied = False
            elif denied:
                entity._.denied = True
    return doc


def build_spacy(language: str) -> tuple[Language, dict[str, str]]:
    pipeline = spacy.blank(language)
    pipeline.add_pipe("sentencizer")
    ruler = pipeline.add_pipe("entity_ruler", config={"phrase_matcher_attr": "LOWER"})
    patterns, regions = [], {}
    for phrase, roles in term_roles(load_lexicon(language)).items():
        for category, value in roles:
            if category in LABELS_OF:
                patterns.append({"label": LABELS_OF[category], "pattern": phrase})
            if category == "site" and isinstance(value, tuple) and value:
                regions[phrase] = value[0]
    ruler.add_patterns(patterns)
    pipeline.add_pipe("denials")
    return pipeline, regions


def read_with_spacy(language: str) -> Read:
    pipeline, regions = build_spacy(language)

    def read(text: str) -> list[FindingRecord]:
        found = []
        for sentence in pipeline(text).sents:
            sites = [regions[t] for e in sentence.ents if (t := e.text.lower()) in regions]
            groups: dict[tuple[str, bool], list[Span]] = {}
            for entity in sentence.ents:
                if entity.label_ in KINDS:
                    groups.setdefault((entity.label_, entity._.denied), []).append(entity)
            for (label, denied), entities in groups.items():
                found.append(
                    FindingRecord(
                        start=entities[0].start_char,
                        end=entities[-1].end_char,
                        kind=KINDS[label],
                        regions=tuple(sites[:1]),
                        negated=denied,
                    )
                )
        return found

    return read


def read_with_endoalign(language: str) -> Read:
    parser = ReportParser.from_lexicon(language)

    def read(text: str) -> list[FindingRecord]:
        return [
            FindingRecord(f.start, f.end, f.kind, f.regions[:1], negated=f.negated.value)
            for f in parser.parse(text).findings
        ]

    return read


def reports_per_second(read: Read, texts: list[str], passes: int) -> float:
    seconds = []
    for _ in range(passes):
        start = time.process_time()
        for text in texts:
            read(text)
        seconds.append(time.process_time() - start)
    return len(texts) / min(seconds)


def label_record(label: dict[str, Any]) -> FindingRecord:
    return FindingRecord(
        start=label["start"],
        end=label["end"],
        kind=label["kind"],
        regions=tuple(label["regions"]),
        negated=label["negated"],
    )


def findings_against(read: Read, texts: dict[str, str], notes: list[dict[str, Any]]) -> Counts:
    total = Counts()
    for note in notes:
        labels = [label_record(label) for label in note["findings"]]
        total += count_report(read(texts[note["name"]]), labels)["finding"]
    return total


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--notes", type=Path, required=True, help="JSONL with name and text")
    arguments.add_argument("--labels", type=Path, help="JSON of labelled findings")
    arguments.add_argument("--part", default="dev", help="part of the labels: dev or heldout")
    arguments.add_argument("--language", default="en")
    arguments.add_argument("--passes", type=int, default=5)
    options = arguments.parse_args()

    lines = options.notes.read_text(encoding="utf-8").splitlines()
    texts = {note["name"]: note["text"] for note in map(json.loads, lines)}
    labelled = (
        json.loads(options.labels.read_text(encoding="utf-8"))["notes"] if options.labels else []
    )
    notes = [note for note in labelled if note["part"] == options.part]
    speed = {}
    for name, build in (("endoalign", read_with_endoalign), ("spacy", read_with_spacy)):
        read = build(options.language)
        speed[name] = reports_per_second(read, list(texts.values()), options.passes)
        line = f"{name:10s} {speed[name]:8.0f} reports/s"
        if notes:
            counts = findings_against(read, texts, notes)
            line += f"  findings precision {counts.precision:.3f} recall {counts.recall:.3f}"
        print(line)
    print(f"ratio      {speed['endoalign'] / speed['spacy']:8.1f}")


if __name__ == "__main__":
    main()
