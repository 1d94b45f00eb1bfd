import statistics
from collections import Counter, defaultdict

import pytest

from endoalign.vocabulary import COLON_REGIONS, DESCRIPTORS, LESION_COLOURS, PARIS_POLYPS
from endoalign.world.cases import sample_cases
from endoalign.world.centres import CENTRES

TEXTURES = {"smooth", "rough", "granular", "nodular", "lobulated", "villous"}
# Written down again from the brief of the parser: cm from the anal verge.
RANGES = {
    "rectum": (0, 15),
    "sigmoid_colon": (15, 40),
    "descending_colon": (40, 55),
    "splenic_flexure": (55, 62),
    "transverse_colon": (62, 95),
    "hepatic_flexure": (95, 102),
    "ascending_colon": (102, 120),
    "ileocecal": (120, 130),
    "terminal_ileum": (130, 145),
}


@pytest.fixture(scope="module")
def cases():
    return sample_cases(4000, 2000, seed=7, language="mixed")


@pytest.fixture(scope="module")
def lesions(cases):
    return [lesion for case in cases for lesion in case.lesions]


def test_counts_of_lesions_a_case(cases):
    counts = Counter(len(case.lesions) for case in cases)
    assert counts[0] == 2000
    assert counts[1] == 0.56 * 4000
    assert counts[2] + counts[3] == 0.44 * 4000
    assert set(counts) == {0, 1, 2, 3}
    several = [len(case.lesions) for case in cases if len(case.lesions) > 1]
    assert statistics.mean(several) == pytest.approx(2.2, abs=0.01)


def test_ids_are_unique_and_tell_of_their_case(cases, lesions):
    assert [case.case_id for case in cases] == [f"case_{k:06d}" for k in range(len(cases))]
    for case in cases:
        expected = tuple(f"{case.case_id}/L{k + 1}" for k in range(len(case.lesions)))
        assert tuple(lesion.lesion_id for lesion in case.lesions) == expected
    assert len({case.seed for case in cases}) > 0.999 * len(cases)
    assert len({lesion.seed for lesion in lesions}) > 0.999 * len(lesions)


def test_patients_have_one_or_two_cases_in_one_split_and_centre(cases):
    visits = defaultdict(list)
    for case in cases:
        visits[case.patient_id].append((case.split, case.source, case.language))
    sizes = Counter(len(each) for each in visits.values())
    assert set(sizes) == {1, 2}
    assert 0.02 < sizes[2] / len(visits) < 0.08
    assert all(len(set(each)) == 1 for each in visits.values())


def test_splits_are_exact_and_alike_in_each_kind_of_case(cases):
    splits = Counter(case.split for case in cases)
    assert splits == {"train": 4200, "validation": 600, "test": 1200}
    for count in range(4):
        kind = [case.split for case in cases if len(case.lesions) == count]
        assert kind.count("test") == pytest.approx(0.2 * len(kind), abs=1.5)


def test_centres_keep_to_their_parts_and_weights(cases):
    assert all(case.split in CENTRES[case.source].parts for case in cases)
    assert {case.source for case in cases if case.split == "test"} == set(CENTRES)
    train = Counter(case.source for case in cases if case.split == "train")
    assert train["centre_a"] / train["centre_g"] == pytest.approx(1.5 / 0.8, rel=0.25)


def test_language_follows_each_centre_where_mixed(cases):
    for name, centre in CENTRES.items():
        mine = [case.language for case in cases if case.source == name]
        assert mine.count("zh") / len(mine) == pytest.approx(centre.chinese_share, abs=0.1)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_language_alone(language):
    assert {case.language for case in sample_cases(20, 5, seed=1, language=language)} == {language}


def test_sites_lie_inside_their_regions(lesions):
    for lesion in lesions:
        low, high = RANGES[lesion.region]
        assert low < lesion.distance_cm < high
        assert 0.0 <= lesion.clock < 12.0
    shares = Counter(lesion.region for lesion in lesions)
    assert set(shares) == set(COLON_REGIONS)
    assert {name for name, _ in shares.most_common(2)} == {"sigmoid_colon", "rectum"}


def test_sizes_are_as_in_the_paper(lesions):
    sizes = [lesion.size_cm for lesion in lesions]
    low, median, high = statistics.quantiles(sizes, n=4)
    assert low == pytest.approx(0.4, abs=0.05)
    assert median == pytest.approx(0.6, abs=0.05)
    assert high == pytest.approx(0.8, abs=0.05)
    assert min(sizes) >= 0.2
    assert 2.0 < max(sizes) <= 3.0


def test_no_lesion_contradicts_itself(lesions):
    for lesion in lesions:
        found = set(lesion.descriptors)
        assert lesion.descriptors == tuple(sorted(found))
        assert found <= set(DESCRIPTORS)
        assert len(found & TEXTURES) == 1
        assert len(found & {"well_defined_margin", "ill_defined_margin"}) <= 1
        assert len(found & {"narrow_base", "broad_base"}) <= 1
        assert ("flat" in found) == (lesion.paris == "0-IIa")
        assert not {"smooth", "erosion"} <= found
        assert not {"smooth", "ulceration"} <= found
        assert lesion.colour in LESION_COLOURS
        assert lesion.paris in PARIS_POLYPS
        if lesion.paris == "0-IIa":
            assert "broad_base" in found
            assert "lobulated" not in found
        if lesion.paris == "0-Ip":
            assert "narrow_base" in found
            assert lesion.size_cm >= 0.6


def test_rare_descriptors_are_rare_but_there(lesions):
    shares = Counter(name for lesion in lesions for name in lesion.descriptors)
    assert set(shares) == set(DESCRIPTORS)
    assert 0.007 <= shares["villous"] / len(lesions) <= 0.03
    assert 0.024 <= shares["lobulated"] / len(lesions) <= 0.06
    assert min(shares.values()) / len(lesions) > 0.007


def test_stalks_belong_to_larger_polyps(lesions):
    def share(paris, large):
        group = [lesion.paris for lesion in lesions if (lesion.size_cm >= 1.0) == large]
        return group.count(paris) / len(group)

    assert share("0-Ip", large=True) > 4 * share("0-Ip", large=False)
    assert share("0-Is", large=False) > 1.5 * share("0-Is", large=True)


def test_lesions_of_one_case_are_often_alike_and_near(cases):
    pairs = [case.lesions[:2] for case in cases if len(case.lesions) > 1]

    def alike(key):
        return sum(key(a) == key(b) for a, b in pairs) / len(pairs)

    assert 0.4 < alike(lambda lesion: lesion.paris) < 0.65
    assert 0.4 < alike(lambda lesion: lesion.colour) < 0.65
    assert 0.4 < alike(lambda lesion: (TEXTURES & set(lesion.descriptors)).pop()) < 0.65
    assert 0.25 < alike(lambda lesion: lesion.region) < 0.5
    near = [abs(a.distance_cm - b.distance_cm) < 2.6 for a, b in pairs if a.region == b.region]
    assert 0.4 < statistics.mean(near) < 0.8


def test_two_lesions_of_one_region_can_both_be_seen(cases):
    for case in cases:
        for k, first in enumerate(case.lesions):
            for second in case.lesions[k + 1 :]:
                gap = abs(first.clock - second.clock)
                if first.region == second.region:
                    assert min(gap, 12.0 - gap) >= 1.5 - 1e-9


def test_seed_fixes_everything():
    first = sample_cases(30, 10, seed=3, language="mixed")
    assert first == sample_cases(30, 10, seed=3, language="mixed")
    assert first != sample_cases(30, 10, seed=4, language="mixed")


def test_none_and_one():
    assert sample_cases(0, 0, seed=0, language="en") == ()
    (positive,) = sample_cases(1, 0, seed=0, language="en")
    assert len(positive.lesions) == 1
    (normal,) = sample_cases(0, 1, seed=0, language="en")
    assert normal.lesions == ()


def test_a_split_may_stand_alone():
    cases = sample_cases(8, 2, seed=0, language="en", split_shares={"test": 1.0})
    assert {case.split for case in cases} == {"test"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"language": "fr"}, r"unknown language 'fr'.*en, zh, mixed"),
        ({"n_positive": -1}, r"must be >= 0, got -1"),
        ({"split_shares": {"dev": 1.0}}, r"unknown split 'dev'.*train, validation, test"),
        ({"split_shares": {"train": 0.5}}, r"add up to 1"),
        ({"split_shares": {}}, r"add up to 1"),
        ({"split_shares": {"train": 1.5, "test": -0.5}}, r">= 0"),
        ({"split_shares": {"train": float("nan")}}, r"add up to 1"),
    ],
)
def test_bad_input_is_named(change, message):
    arguments = {"n_positive": 2, "n_normal": 1, "language": "en"} | change
    n_positive, n_normal = arguments.pop("n_positive"), arguments.pop("n_normal")
    with pytest.raises(ValueError, match=message):
        sample_cases(n_positive, n_normal, seed=0, **arguments)
