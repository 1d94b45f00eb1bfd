"""Prompts of the classes (equation 1), from the house's file and from the user's."""

import pytest
import torch
import yaml

from endoalign.models.encode import encode_texts
from endoalign.models.ent_prompts import EntClasses, class_text_features, load_classes
from endoalign.models.registry import build_encoder

OWN = {
    "template": "A photo of a {class}, {description}.",
    "literal": "Image description",
    "classes": {
        "left": {"mirror": False, "description": "the left one"},
        "any {class}": {"mirror": True, "description": "with {description} in it", "phrase": "any"},
    },
}

B = OWN["classes"]["left"]


def written(tmp_path, held):
    file = tmp_path / "own.yaml"
    file.write_text(held if isinstance(held, str) else yaml.safe_dump(held, sort_keys=False))
    return file


def test_the_papers_seven_classes_to_the_letter():
    classes = load_classes("entrep")
    # ids of the challenge
    assert classes.names == (
        "nose-right", "nose-left", "ear-right", "ear-left", "vc-open", "vc-closed", "throat",
    )  # fmt: skip
    for name, prompt in zip(classes.names, classes.prompts("literal"), strict=True):
        assert prompt == "A photo of a " + name + ", Image description."  # equation 1
    for name, prompt in zip(classes.names, classes.prompts("description"), strict=True):
        assert prompt.startswith(f"A photo of a {name}, ")
        assert "Image description" not in prompt
    assert len(set(classes.descriptions)) == len(classes) == 7


def test_flip_table_of_the_paper():
    """Section 4.1: horizontal flips for throat, vc-open and vc-closed only."""
    classes = load_classes("entrep")
    may = {name for name, mirror in zip(classes.names, classes.mirror, strict=True) if mirror}
    assert may == {"throat", "vc-open", "vc-closed"}


def test_otoscopy_has_no_sides():
    classes = load_classes("otoscopy")
    assert len(classes) == 4
    assert all(classes.mirror)
    assert "A photo of a normal ear drum, Image description." in classes.literal


def test_the_users_own_file(tmp_path):
    classes = load_classes(written(tmp_path, OWN))
    assert classes.names == ("left", "any {class}")
    assert classes.mirror == (False, True)
    # braces in the words themselves stay
    assert classes.descriptions[1] == "A photo of a any, with {description} in it."
    assert load_classes(str(written(tmp_path, OWN))) == classes


def test_places_in_the_other_order(tmp_path):
    held = OWN | {"template": "{description}: {class}"}
    assert load_classes(written(tmp_path, held)).descriptions[0] == "the left one: left"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"template": "A photo of a {class}."}, r"own.yaml: template: .*\{class\} and"),
        ({"clases": {}}, "own.yaml: clases"),
        ({"classes": {"one": {"mirror": True, "description": "x"}}}, "own.yaml: classes"),
        ({"classes": {"a": {"mirror": "no", "description": "x"}, "b": B}}, "classes.a.mirror"),
        ({"classes": {"a": {"description": "x"}, "b": B}}, "own.yaml: classes.a.mirror"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_as_it_should_be(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        load_classes(written(tmp_path, OWN | change))


@pytest.mark.parametrize("text", ["a: [", "", "- x"])
def test_no_sound_file(tmp_path, text):
    with pytest.raises(ValueError, match=r"own\.yaml"):
        load_classes(written(tmp_path, text))


def test_a_class_that_stands_twice(tmp_path):
    text = "template: '{class} {description}'\nliteral: x\nclasses:\n"
    text += "  a: {description: one, mirror: true}\n  a: {description: two, mirror: true}\n"
    with pytest.raises(ValueError, match=r"own\.yaml, line 5: .*key 'a' stands twice"):
        load_classes(written(tmp_path, text))


def test_unknown_set():
    with pytest.raises(ValueError, match=r"'entrepp' is neither .* the nearest is 'entrep'"):
        load_classes("entrepp")


def test_ids_and_an_unknown_class():
    classes = load_classes("entrep")
    assert classes.ids(["throat", "nose-right"]) == [6, 0]
    assert classes.ids([]) == []
    with pytest.raises(
        ValueError, match=r"row 1: 'nose_left' is no class .* nearest is 'nose-left'"
    ):
        classes.ids(["throat", "nose_left"])


def test_features_are_those_of_the_prompts():
    encoder = build_encoder("tiny-vit", weights="random")
    classes = EntClasses(("a", "b"), (True, True), ("one text", "another"), ("third", "fourth"))
    found = class_text_features(encoder, classes, "description")
    assert torch.equal(found, encode_texts(encoder, ["third", "fourth"]))
    torch.testing.assert_close(found.norm(dim=1), torch.ones(2))
