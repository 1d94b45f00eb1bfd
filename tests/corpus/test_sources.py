import pytest
from pydantic import TypeAdapter, ValidationError

from endoalign.corpus.sources import (
    EndoVLMSource,
    FoldersSource,
    IngestSource,
    ReportColumns,
    TablesSource,
)

ADAPTER = TypeAdapter(IngestSource)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"kind": "folders", "frames": "frames"}, FoldersSource),
        ({"kind": "endovlm", "frames": "frames", "jsonl": "a.jsonl"}, EndoVLMSource),
        ({"kind": "tables", "root": "frames", "frames": "f.csv"}, TablesSource),
    ],
)
def test_kind_chooses_the_type_and_paths_may_be_texts(settings, kind):
    source = ADAPTER.validate_python({"name": "a", **settings})
    assert isinstance(source, kind)
    assert source.frames.name == settings["frames"]


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "folder", "frames": "frames"},
        {"frames": "frames"},
        {"kind": "folders", "frames": "frames", "case_form": "stem"},
        {"kind": "folders", "frames": "frames", "case_from": "folder"},
        {"kind": "folders", "frames": "frames", "split": "dev"},
        {"kind": "folders", "frames": "frames", "report_columns": {"text": "note"}},
        {"kind": "folders", "frames": 3},
        {"kind": "folders"},
        {"kind": "folders", "frames": "frames", "name": "a/b"},
        {"kind": "endovlm", "frames": "frames"},
    ],
)
def test_wrong_settings_are_refused(settings):
    with pytest.raises(ValidationError):
        ADAPTER.validate_python({"name": "a", **settings})


def test_columns_default_to_the_names_of_the_tables():
    assert ReportColumns().model_dump() == {key: key for key in ReportColumns.model_fields}
