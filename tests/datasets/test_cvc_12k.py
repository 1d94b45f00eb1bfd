import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.clinicdb_sequences import (
    PUBLISHED_TEST,
    PUBLISHED_TRAIN,
    SEQUENCES,
    STILLS,
)
from endoalign.datasets.cvc_12k import disjoint
from endoalign.datasets.registry import load
from endoalign.datasets.shared_patients import shared_patients
from endoalign.world.layouts import cvc_12k
from endoalign.world.layouts.pictures import LabelledPicture

NAME = "cvc-12k"


def sequence(start):
    return f"cvc-clinicdb/sequence-{start:03d}"


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cvc_12k")
    picture = LabelledPicture(np.zeros((4, 5, 3), np.uint8), np.eye(4, 5, dtype=bool))
    cvc_12k.write(
        [picture] * STILLS,
        folder,
        sequences=SEQUENCES,
        train=PUBLISHED_TRAIN,
        test=PUBLISHED_TEST,
    )
    return folder


def test_the_published_lists_share_seven_sequences():
    assert len(PUBLISHED_TRAIN) == len(set(PUBLISHED_TRAIN)) == 20
    assert len(PUBLISHED_TEST) == len(set(PUBLISHED_TEST)) == 9
    assert set(PUBLISHED_TRAIN) | set(PUBLISHED_TEST) <= set(SEQUENCES)
    shared = {51, 429, 178, 253, 343, 68, 200}
    assert set(PUBLISHED_TRAIN) & set(PUBLISHED_TEST) == shared


def test_shared_sequences_are_seven_published_and_none_disjoint(full):
    contents = load(NAME, full)
    assert shared_patients(contents, "published") == sorted(
        map(sequence, (51, 68, 178, 200, 253, 343, 429))
    )
    assert shared_patients(contents, "disjoint") == []
    counts = contents.counts()
    assert counts["published shared sequences"] == 7
    assert counts["disjoint shared sequences"] == 0


def test_everything_is_as_published(full):
    result = check(NAME, full)
    assert result.complete
    assert any("7 patients or sequences are in training" in note for note in result.remarks)


def test_splits_hold_whole_sequences(full):
    contents = load(NAME, full)
    for protocol, train in (
        ("published", PUBLISHED_TRAIN),
        ("disjoint", disjoint(PUBLISHED_TEST)["train"]),
    ):
        splits = contents.splits[contents.splits["protocol"] == protocol]
        for part, starts in (("train", train), ("test", PUBLISHED_TEST)):
            numbers = {f"{NAME}/{n}" for s in starts for n in range(s, s + SEQUENCES[s])}
            found = splits.loc[splits["part"] == part, "frame_id"]
            assert set(found) == numbers
            assert not found.duplicated().any()


def test_disjoint_uses_every_sequence_once():
    parts = disjoint(PUBLISHED_TEST)
    assert sorted(parts["train"] + parts["test"]) == sorted(SEQUENCES)
    assert len(parts["train"]) == 20


@pytest.mark.parametrize("protocol", ["published", "disjoint"])
def test_cases_are_split_by_the_protocol(full, protocol):
    cases = load(NAME, full, protocol=protocol).cases.set_index("case_id")["split"]
    assert set(cases.index[cases == "test"]) == set(map(sequence, PUBLISHED_TEST))


def test_an_unknown_protocol_is_refused(full):
    with pytest.raises(ValueError, match="'random' of cvc-12k: one of published, disjoint"):
        load(NAME, full, protocol="random")


@pytest.fixture
def few(tmp_path):
    """The first three stills, without a list."""
    for part in ("Original", "Ground Truth"):
        (tmp_path / part).mkdir()
        for number in (1, 2, 3):
            Image.new("L", (4, 3)).save(tmp_path / part / f"{number}.tif")
    return tmp_path


def list_problems(folder):
    return [p for p in load(NAME, folder).problems if p.path.startswith("videolist")]


def lines(train=PUBLISHED_TRAIN, test=PUBLISHED_TEST):
    return [f"CVC-ClinicVideoDB/indexed {s} {SEQUENCES[s]} -1" for s in (*train, *test)]


def test_without_a_list_the_published_one_is_used(few):
    contents = load(NAME, few)
    assert contents.counts()["published shared sequences"] == 7
    assert set(contents.splits["frame_id"]) == {f"{NAME}/{n}" for n in (1, 2, 3)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_list_may_come_from_another_system(few, encoding):
    (few / "videolist.txt").write_bytes("\r\n".join(lines()).encode(encoding))
    assert list_problems(few) == []


def test_a_list_of_other_sequences_is_used_and_told(few):
    test = (*PUBLISHED_TEST[:-1], 278)
    (few / "VideoList.txt").write_text("\n".join(lines(test=test)))
    contents = load(NAME, few)
    assert contents.counts()["published shared sequences"] == 6
    assert contents.problems[-1].what == "other sequences than in the published list"


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ("CVC-ClinicVideoDB/indexed 51", "is not NAME FIRST LENGTH -1"),
        ("CVC-ClinicVideoDB/indexed a b -1", "is not NAME FIRST LENGTH -1"),
        ("CVC-ClinicVideoDB/indexed 51 18 -1", "no sequence of 18 stills from 51 on"),
        ("CVC-ClinicVideoDB/indexed 613 5 -1", "no sequence of 5 stills from 613 on"),
    ],
)
def test_a_faulty_list_is_not_taken(few, bad, what):
    (few / "videolist.txt").write_text("\n".join([*lines(), bad]))
    problems = list_problems(few)
    assert problems[0].path == "videolist.txt:30"
    assert what in problems[0].what
    assert problems[1].what == "not taken for its faulty lines; the published lists are used"
    assert load(NAME, few).counts()["published shared sequences"] == 7


@pytest.mark.parametrize("count", [0, 1, 20])
def test_a_list_too_short_to_test_is_not_taken(few, count):
    (few / "videolist.txt").write_text("\n".join(lines()[:count]))
    assert [p.what for p in list_problems(few)] == [
        f"not taken as it names {count} sequences; the published lists are used"
    ]


def test_the_writer_refuses_what_it_cannot_write(tmp_path):
    with pytest.raises(ValueError, match="sequence from still 2 on"):
        cvc_12k.write([], tmp_path, sequences={1: 5}, train=[2], test=[])
    with pytest.raises(ValueError, match="beyond 0 stills"):
        cvc_12k.write([], tmp_path, sequences={1: 5}, train=[1], test=[])
    assert list(tmp_path.iterdir()) == []
