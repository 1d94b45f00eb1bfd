from dataclasses import asdict, fields, replace

import pandas as pd
import pytest

from endoalign.corpus.truth import Truth, load_truth, mask_path, write_truth
from endoalign.corpus.validation import CorpusError
from endoalign.world.truth import Lesion, StatedFinding


def _truth():
    lesion = Lesion("L1", "rectum", 8.0, 3.0, "0-Is", 0.6, "red", ("smooth",), 5)
    finding = StatedFinding(
        0, 9, "lesion", "rectum", 1, None, 0.6, None, ("smooth",), False, ("L1",)
    )
    none = replace(finding, region=None, size_cm=None, descriptors=(), lesion_ids=())
    return Truth(
        cases=pd.DataFrame(
            {"case_id": ["c1"], "complete": [True], "reach": ["ileocecal"], "operation": [None]}
        ),
        findings=pd.DataFrame(
            [
                {"finding_id": f"c#{k}", "case_id": "c", **asdict(stated)}
                for k, stated in enumerate((finding, none))
            ]
        ),
        lesions=pd.DataFrame([{"case_id": "c", **asdict(lesion)}]),
        links=pd.DataFrame([{"finding_id": "c#0", "frame_id": "c/1", "representative": True}]),
        frame_labels=pd.DataFrame(
            [
                {
                    "frame_id": "c/1",
                    "polyp_present": True,
                    "region": "rectum",
                    "mask_path": "m/1.png",
                },
                {"frame_id": "c/2", "polyp_present": False, "region": None, "mask_path": None},
            ]
        ),
    )


def test_truth_of_the_world_comes_back(tmp_path):
    write_truth(_truth(), tmp_path)
    loaded = load_truth(tmp_path)
    assert loaded.findings["descriptors"].tolist() == [["smooth"], []]
    assert loaded.findings["lesion_ids"].tolist() == [["L1"], []]
    assert loaded.findings["region"].isna().tolist() == [False, True]
    assert loaded.lesions.iloc[0][["lesion_id", "paris", "seed"]].tolist() == ["L1", "0-Is", 5]
    assert loaded.links["representative"].tolist() == [True]
    assert loaded.frame_labels["polyp_present"].tolist() == [True, False]
    assert {path.name for path in (tmp_path / "truth").iterdir()} == {
        f"{field.name}.parquet" for field in fields(Truth)
    }
    assert mask_path(tmp_path, "m/1.png") == tmp_path / "truth" / "m" / "1.png"


def test_nothing_is_written_where_one_table_is_wrong(tmp_path):
    truth = _truth()
    wrong = replace(truth, frame_labels=truth.frame_labels.assign(region="colon"))
    with pytest.raises(CorpusError, match=r"truth/frame_labels\.parquet: column 'region', row 0"):
        write_truth(wrong, tmp_path)
    assert not (tmp_path / "truth").exists()


def test_where_there_is_no_truth_the_error_says_who_has_one(tmp_path):
    with pytest.raises(CorpusError, match="only corpora of the world have truth"):
        load_truth(tmp_path)
