import json

import pytest

from endoalign.corpus.labels import load_labels
from endoalign.corpus.validation import CorpusError
from endoalign.paths import project_root
from endoalign.vocabulary import DESCRIPTORS, FINDING_KINDS, PARIS_TYPES, REGIONS

OURS = project_root() / "tests" / "reports" / "labels" / "lower_gi_findings.json"


def test_our_own_labels_keep_to_the_vocabularies():
    notes = load_labels(OURS).notes
    assert {note.part for note in notes} == {"dev", "heldout"}
    assert len({note.name for note in notes}) == len(notes)
    for note in notes:
        assert note.examination or (note.why_not and not note.findings)
        for index, finding in enumerate(note.findings):
            assert finding.start < finding.end
            assert finding.kind in FINDING_KINDS
            assert set(finding.regions) <= set(REGIONS)
            assert set(finding.descriptors) <= set(DESCRIPTORS)
            assert finding.paris is None or finding.paris in PARIS_TYPES
            assert finding.repeats is None or finding.repeats < index


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Invalid JSON"),
        (json.dumps({"source": "x"}), "notes: Field required"),
        (json.dumps({"source": "x", "notes": [], "nots": 1}), "nots: Extra inputs"),
    ],
)
def test_wrong_files_are_told(tmp_path, text, told):
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(CorpusError, match=told):
        load_labels(path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(CorpusError, match=r"absent\.json: cannot be read"):
        load_labels(tmp_path / "absent.json")
