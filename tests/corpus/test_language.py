import pytest

from endoalign.corpus.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("12 3.5 --", "en"),
        ("A 5 mm polyp in the sigmoid colon.", "en"),
        ("乙状结肠见一枚息肉，大小约0.5cm。", "zh"),
        ("进镜至回盲部，NBI 及 ME 观察未见异常", "zh"),
        ("Patient Wang (王) underwent colonoscopy without complications.", "en"),
        ("Póliepe sésile", "en"),
    ],
)
def test_script_decides(text, language):
    assert language_of(text) == language
