"""What an EndoVLM training is fed: cases, batches of them, augmented and masked frames."""

import numpy as np
import pandas as pd
import pytest
import torch

from endoalign.corpus.validation import CorpusError
from endoalign.training.endovlm_augmentation import EndovlmAugmentation
from endoalign.training.endovlm_batches import CaseLoader, drawn
from endoalign.training.endovlm_cases import gather_cases
from endoalign.training.endovlm_settings import EndovlmTrainingSettings
from endoalign.vocabulary import REGIONS

SIDE = 8


def tables():
    """Three cases; frames of c1 are scattered, one of c2 is not retained, c9 is not asked for."""
    frames = pd.DataFrame(
        {
            "case_id": ["c1", "c0", "c9", "c1", "c2", "c2", "c1"],
            "retained": pd.array([True, True, True, None, False, True, True], dtype="boolean"),
        }
    )
    propositions = pd.DataFrame(
        {
            "case_id": ["c2", "c0", "c2", "c1"],
            "proposition": ["no mass", "a polyp", "no mass", "normal"],
            "region": ["rectum", "antrum", "cardia", "rectum"],
            "status": [0, 1, 0, 0],
        }
    )
    return propositions, frames


REPORTS = {"c0": "zero", "c1": "one", "c2": "two", "c9": "nine"}


class Numbered:
    """Pictures that tell their row."""

    size = SIDE

    def __len__(self):
        return 7

    def read(self, rows):
        pixels = torch.tensor(np.asarray(rows), dtype=torch.uint8)
        return pixels[:, None, None, None].expand(-1, 3, SIDE, SIDE).contiguous()


def settings(**changes):
    return EndovlmTrainingSettings(**{"batch_size": 3, **changes})


def test_cases_bring_frames_propositions_and_reports_together():
    cases = gather_cases(*tables(), REPORTS)
    assert cases.case_ids == ["c0", "c1", "c2"]
    assert [cases.frames_of(case).tolist() for case in range(3)] == [[1], [0, 3, 6], [5]]
    assert cases.propositions == ["a polyp", "normal", "no mass", "no mass"]
    assert [cases.places_of(case).tolist() for case in range(3)] == [[0], [1], [2, 3]]
    assert [REGIONS[place] for place in cases.regions] == ["antrum", "rectum", "rectum", "cardia"]
    assert cases.abnormal.tolist() == [True, False, False, False]
    assert cases.reports == ["zero", "one", "two"]
    assert gather_cases(*tables(), None).reports == ["a polyp", "normal", "no mass"]


def test_cases_without_frames_or_report_are_named():
    propositions, frames = tables()
    with pytest.raises(CorpusError, match=r"'c0' .* no usable frame .*\(1 such cases of 3\)"):
        gather_cases(propositions, frames.drop(index=1).reset_index(drop=True), REPORTS)
    with pytest.raises(CorpusError, match=r"'c1' .* no report text; or set global_text"):
        gather_cases(propositions, frames, {**REPORTS, "c1": " ", "c2": None})


def test_a_batch_holds_whole_cases_and_each_text_once():
    cases = gather_cases(*tables(), REPORTS)
    loader = CaseLoader(cases, Numbered(), settings(), seed=1, process=0)
    (batch,) = loader.epoch(0)
    order = loader.order.batches(1, 0)[0]
    assert batch.frame_counts.tolist() == [len(cases.frames_of(case)) for case in order]
    assert batch.items.tolist() == [row for case in order for row in cases.frames_of(case)]
    assert batch.pixels[:, 0, 0, 0].tolist() == batch.items.tolist()
    places = [place for case in order for place in cases.places_of(case)]
    told = [batch.texts[place] for place in batch.propositions]
    assert told == [cases.propositions[place] for place in places]
    assert [batch.texts[place] for place in batch.reports] == [cases.reports[c] for c in order]
    assert len(set(batch.texts)) == len(batch.texts) == 6
    assert batch.regions.tolist() == cases.regions[places].tolist()
    assert batch.repeated_share == 0.5
    assert batch.proposition_counts.sum() == 4


def test_processes_share_the_cases_of_a_batch():
    cases = gather_cases(*tables(), REPORTS)
    seen = []
    for process in range(3):
        chosen = settings(batch_size=1, num_processes=3)
        (batch,) = CaseLoader(cases, Numbered(), chosen, seed=1, process=process).epoch(0)
        seen.append(sorted(batch.items.tolist()))
    assert sorted(seen) == [[0, 3, 6], [1], [5]]


def test_capped_frames_are_drawn_by_seed_and_epoch():
    frames = np.arange(100, 140)
    some = drawn(frames, 10, 1, 0)
    assert len(set(some)) == 10 and (np.diff(some) > 0).all() and set(some) <= set(frames)
    assert drawn(frames, 10, 1, 0).tolist() == some.tolist()
    assert drawn(frames, 10, 1, 1).tolist() != some.tolist()
    assert drawn(frames, 40, 1, 0).tolist() == frames.tolist()
    often = np.concatenate([drawn(frames, 10, 1, epoch) for epoch in range(200)])
    counts = np.bincount(often - 100, minlength=40)
    assert counts.min() > 25 and counts.max() < 80  # 50 each on average


def pictures(count=40, side=16):
    draw = torch.Generator().manual_seed(0)
    return torch.randint(0, 256, (count, 3, side, side), dtype=torch.uint8, generator=draw)


def test_without_augmentation_pictures_stay():
    still = EndovlmAugmentation(zoom=0.0, rotation=0.0, flip=False, colour_jitter=0.0)
    found = still.apply(pictures(), seed=1, epoch=0, items=np.arange(40))
    assert torch.equal(found, pictures().float())


def test_flips_are_flips():
    """Each picture is one of the four mirror images, each for about a quarter of them."""
    flips = EndovlmAugmentation(zoom=0.0, rotation=0.0, flip=True, colour_jitter=0.0)
    found = flips.apply(pictures(), seed=1, epoch=0, items=np.arange(40))
    whole = pictures().float()
    kinds = [whole, whole.flip(-1), whole.flip(-2), whole.flip(-1, -2)]
    near = torch.stack([(found - kind).abs().amax(dim=(1, 2, 3)) < 0.5 for kind in kinds])
    assert (near.sum(dim=0) == 1).all()
    assert (near.sum(dim=1) >= 4).all()


def test_a_quarter_turn_is_a_quarter_turn(monkeypatch):
    turn = EndovlmAugmentation(zoom=0.0, rotation=90.0, flip=False, colour_jitter=0.0)
    ones = np.ones((40, 6))
    monkeypatch.setattr("endoalign.training.endovlm_augmentation.uniform", lambda *_: ones)
    found = turn.apply(pictures(), seed=1, epoch=0, items=np.arange(40))
    whole = pictures().float()
    turned = [torch.rot90(whole, times, dims=(2, 3)) for times in (1, 3)]
    assert min((found - one).abs().max() for one in turned) < 0.5


def test_zoom_keeps_to_its_bounds():
    zoom = EndovlmAugmentation(zoom=0.25, rotation=0.0, flip=False, colour_jitter=0.0)
    white = torch.full((300, 3, 16, 16), 255, dtype=torch.uint8)
    found = zoom.apply(white, seed=1, epoch=0, items=np.arange(300))
    share = (found[:, 0] / 255).mean(dim=(1, 2))  # smaller pictures have a black surround
    assert share.min() > 0.7**2 and share.max() <= 1 + 1e-6
    assert 0.3 < (share < 0.999).float().mean() < 0.7


def test_a_frame_looks_the_same_whenever_it_is_asked_for():
    strong = EndovlmAugmentation()
    rows = np.array([7, 3, 11])
    together = strong.apply(pictures(3), seed=1, epoch=2, items=rows)
    alone = strong.apply(pictures(3)[1:2], seed=1, epoch=2, items=rows[1:2])
    torch.testing.assert_close(together[1:2], alone)
    other = strong.apply(pictures(3), seed=1, epoch=3, items=rows)
    assert (other - together).abs().amax(dim=(1, 2, 3)).min() > 1
    assert together.min() >= 0 and together.max() <= 255
