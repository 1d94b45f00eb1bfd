import numpy as np
import pytest

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.renderer.anatomy import build_mucosa, build_wall, patient_tone
from endoalign.world.renderer.segments import SEGMENTS, segment_of


def test_every_colon_region_is_drawn_in_order():
    assert tuple(SEGMENTS) == COLON_REGIONS


def test_an_unknown_region_is_named():
    with pytest.raises(ValueError, match=r"'antrum' is not drawn.*rectum"):
        segment_of("antrum")


def test_segments_differ_as_the_textbook_says():
    walls = {
        region: [build_wall(region, np.random.default_rng(seed)) for seed in range(30)]
        for region in COLON_REGIONS
    }

    def mean(region, field):
        return np.mean([getattr(wall, field) for wall in walls[region]])

    assert max(COLON_REGIONS, key=lambda region: mean(region, "radius")) == "ileocecal"
    assert min(COLON_REGIONS, key=lambda region: mean(region, "radius")) == "terminal_ileum"
    assert max(COLON_REGIONS, key=lambda region: mean(region, "triangle")) == "transverse_colon"
    assert min(mean("hepatic_flexure", "bend"), mean("splenic_flexure", "bend")) > 2 * mean(
        "descending_colon", "bend"
    )
    assert [r for r in COLON_REGIONS if mean(r, "end") < 50] == ["ileocecal"]
    assert min(COLON_REGIONS, key=lambda region: mean(region, "fold_spacing")) == "sigmoid_colon"


def test_villi_and_veins_belong_to_their_segments():
    rng = np.random.default_rng(0)
    tone = patient_tone(rng)
    surfaces = {
        region: build_mucosa(region, tone, build_wall(region, rng), rng) for region in COLON_REGIONS
    }
    assert [r for r in COLON_REGIONS if surfaces[r].villi > 0] == ["terminal_ileum"]
    assert [r for r in COLON_REGIONS if surfaces[r].vessel_blue > 0] == ["rectum"]
    assert [r for r in COLON_REGIONS if surfaces[r].shade > 0] == [
        "hepatic_flexure",
        "splenic_flexure",
    ]


def test_patients_differ_in_tone():
    tones = np.array([patient_tone(np.random.default_rng(seed)) for seed in range(200)])
    share = tones[:, 1] / tones[:, 0]
    assert np.ptp(share) > 0.1
    assert (tones[:, 0] > tones[:, 1]).all()
