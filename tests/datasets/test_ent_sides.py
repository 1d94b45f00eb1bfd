import pandas as pd

from endoalign.datasets.ent_sides import without_sides


def test_sides_are_taken_out_and_all_else_is_kept():
    texts = ["Right ear: cerumen", "bright light, LEFT nasal cavity", "throat", ""]
    table = pd.DataFrame({"description": texts, "class": list("abcd")})
    found = without_sides(table)
    assert found["description"].tolist() == [
        "ear: cerumen",
        "bright light, nasal cavity",
        "throat",
        "",
    ]
    assert found["class"].tolist() == list("abcd")
    assert table["description"].tolist() == texts


def test_missing_descriptions_stay_missing():
    table = pd.DataFrame({"description": ["left ear", None, float("nan")]})
    assert without_sides(table)["description"].isna().tolist() == [False, True, True]
