import pytest

from endoalign.reports.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("A polyp in the rectum.", "en"),
        ("Schatzki’s ring, 3 µm", "en"),
        ("直肠见一枚息肉。", "zh"),
        ("Patient 王, colonoscopy normal throughout.", "en"),
        ("NBI示直肠息肉", "zh"),
    ],
)
def test_script_tells_the_language(text, language):
    assert detect_language(text) == language
