import random
import re

from endoalign.world.writer.typo import mistype

ENGLISH = "At 25 cm there was ⟦a 6 mm smooth sessile polyp⟧ without erosion."
CHINESE = "距肛门约25cm⟦乙状结肠见一枚0.6cm息肉，表面光滑⟧，未见糜烂。"


def test_english_slips_touch_one_longer_word_only():
    slips = {mistype(ENGLISH, "en", random.Random(seed)) for seed in range(300)}
    assert len(slips) > 20
    for slip in slips:
        words, meant = slip.split(), ENGLISH.split()
        assert len(words) == len(meant)
        (wrong,) = [(a, b) for a, b in zip(words, meant, strict=True) if a != b]
        bare = re.sub(r"\W", "", wrong[1])
        assert len(bare) >= 5
        assert bare != "without"
        assert wrong[0].strip("⟦⟧.")[0] == bare[0]
        assert wrong[0].strip("⟦⟧.")[-1] == bare[-1]


def test_chinese_slips_are_homophones_and_leave_numbers_and_denials():
    slips = {mistype(CHINESE, "zh", random.Random(seed)) for seed in range(200)}
    assert len(slips) >= 5
    for slip in slips:
        assert len(slip) == len(CHINESE)
        changed = [k for k, (a, b) in enumerate(zip(slip, CHINESE, strict=True)) if a != b]
        assert len(changed) in {1, 2}
        assert not {CHINESE[k] for k in changed} & set("0123456789.未见无⟦⟧")


def test_text_that_cannot_take_an_error_stays():
    assert mistype("Not a mass.", "en", random.Random(0)) == "Not a mass."
    assert mistype("正常。", "zh", random.Random(0)) == "正常。"
    assert mistype("", "en", random.Random(0)) == ""
