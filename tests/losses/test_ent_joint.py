"""The joint loss against the paper's equations written out in loops."""

import math

import pytest
import torch
from torch.nn.functional import normalize

from endoalign.losses.ent_joint import MU1, MU2, ent_joint_loss


def batch(n=6, m=None, d=5, c=3, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    m = n if m is None else m
    logits = torch.randn(n, c, generator=generator, dtype=dtype)
    labels = torch.randint(0, c, (n,), generator=generator)
    images, texts = (
        normalize(torch.randn(m, d, generator=generator, dtype=dtype), dim=1) for _ in range(2)
    )
    return logits, labels, images, texts


def classification(logits, labels):
    """Cross-entropy, picture by picture."""
    total = 0.0
    for row, label in zip(logits.tolist(), labels.tolist(), strict=True):
        total -= row[label] - math.log(sum(math.exp(value) for value in row))
    return total / len(labels)


def equations_11_to_13(images, texts, scale):
    """To the letter, with v the images and u the texts."""
    v, u, n = images.tolist(), texts.tolist(), len(images)

    def dot(a, b):
        return scale * sum(x * y for x, y in zip(a, b, strict=True))

    v_to_u = u_to_v = 0.0
    for i in range(n):
        v_to_u -= math.log(
            math.exp(dot(v[i], u[i])) / sum(math.exp(dot(v[i], u[j])) for j in range(n))
        )
        u_to_v -= math.log(
            math.exp(dot(u[i], v[i])) / sum(math.exp(dot(u[i], v[j])) for j in range(n))
        )
    return (v_to_u / n + u_to_v / n) / 2


@pytest.mark.parametrize("scale", [1.0, 14.3])
def test_equations_to_the_letter(scale):
    logits, labels, images, texts = batch()
    found = ent_joint_loss(logits, labels, images, texts, torch.tensor(scale), pair_classes=None)
    assert float(found.classification) == pytest.approx(classification(logits, labels))
    assert float(found.contrastive) == pytest.approx(equations_11_to_13(images, texts, scale))
    expected = 1.0 * float(found.classification) + 0.5 * float(found.contrastive)
    assert float(found.total) == pytest.approx(expected)  # equation 14 with the paper's weights
    assert (MU1, MU2) == (1.0, 0.5)


def test_weights():
    given = batch()
    found = ent_joint_loss(*given, torch.tensor(2.0), pair_classes=None, mu1=0.3, mu2=4.0)
    expected = 0.3 * found.classification + 4.0 * found.contrastive
    assert float(found.total) == pytest.approx(float(expected))


def test_class_targets_share_the_mass_in_both_directions():
    logits, labels, images, texts = batch(8)
    found = ent_joint_loss(logits, labels, images, texts, torch.tensor(3.0), pair_classes=labels)
    similarity = 3.0 * images @ texts.T
    total = 0.0
    for table in (similarity, similarity.T):
        for i in range(8):
            same = [j for j in range(8) if labels[j] == labels[i]]
            logs = table[i] - table[i].logsumexp(dim=0)
            total -= float(logs[same].mean()) / 8
    assert float(found.contrastive) == pytest.approx(total / 2)


def test_where_no_class_repeats_both_targets_are_the_same():
    logits, _, images, texts = batch(3, c=3)
    labels = torch.arange(3)
    scale = torch.tensor(5.0)
    by_class = ent_joint_loss(logits, labels, images, texts, scale, pair_classes=labels)
    identity = ent_joint_loss(logits, labels, images, texts, scale, pair_classes=None)
    assert float(by_class.total) == pytest.approx(float(identity.total))


def test_with_one_prompt_a_class_both_targets_are_the_same():
    logits, labels, images, prompts = batch(9, c=3)
    texts, scale = prompts[:3][labels], torch.tensor(5.0, dtype=torch.float64)
    assert len(labels.unique()) < 9
    gradients = []
    for classes in (labels, None):
        moved = images.clone().requires_grad_()
        ent_joint_loss(logits, labels, moved, texts, scale, pair_classes=classes).total.backward()
        gradients.append(moved.grad)
    torch.testing.assert_close(*gradients)


def test_with_texts_of_their_own_they_differ():
    logits, labels, images, texts = batch(9, c=3)
    scale = torch.tensor(5.0)
    by_class = ent_joint_loss(logits, labels, images, texts, scale, pair_classes=labels)
    identity = ent_joint_loss(logits, labels, images, texts, scale, pair_classes=None)
    assert float(by_class.contrastive) != pytest.approx(float(identity.contrastive), rel=1e-3)


def test_other_numbers_of_rows_in_the_two_parts():
    logits, labels, _, _ = batch(4)
    _, classes, images, texts = batch(7)
    found = ent_joint_loss(logits, labels, images, texts, torch.tensor(1.0), pair_classes=classes)
    assert float(found.contrastive) > 0


def test_gradients_reach_everything():
    logits, labels, images, texts = batch()
    scale = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    leaves = [value.requires_grad_() for value in (logits, images, texts)]
    ent_joint_loss(
        leaves[0], labels, leaves[1], leaves[2], scale, pair_classes=labels
    ).total.backward()
    assert all(value.grad.abs().max() > 0 for value in [*leaves, scale])
    assert torch.autograd.gradcheck(
        lambda a, b, c, d: ent_joint_loss(a, labels, b, c, d, pair_classes=labels).total,
        (*leaves, scale),
    )


def test_without_contrast_the_features_are_not_looked_at():
    logits, labels, _, _ = batch()
    nothing = torch.zeros(0, 3)
    found = ent_joint_loss(
        logits, labels, nothing, nothing, torch.tensor(1.0), pair_classes=None, mu2=0
    )
    assert float(found.contrastive) == 0
    assert float(found.total) == float(found.classification)


def test_one_pair_has_no_contrast():
    found = ent_joint_loss(*batch(1), torch.tensor(1.0), pair_classes=None)
    assert float(found.contrastive) == pytest.approx(0, abs=1e-12)


def test_nan_is_told_by_the_value():
    logits, labels, images, texts = batch()
    images[0, 0] = math.nan
    found = ent_joint_loss(logits, labels, images, texts, torch.tensor(1.0), pair_classes=labels)
    assert math.isnan(float(found.total))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"logits": torch.zeros(5, 3)}, "class logits"),
        ({"logits": torch.zeros(0, 3), "labels": torch.zeros(0, dtype=torch.long)}, "class logits"),
        ({"labels": torch.zeros(6)}, "n integers"),
        ({"texts": torch.zeros(6, 4)}, "image features"),
        ({"pair_classes": torch.zeros(5, dtype=torch.long)}, "text_ids"),
    ],
)
def test_shapes_that_do_not_fit(change, message):
    logits, labels, images, texts = batch()
    given = {
        "logits": logits,
        "labels": labels,
        "images": images,
        "texts": texts,
        "pair_classes": labels,
    }
    given |= change
    classes = given.pop("pair_classes")
    with pytest.raises(ValueError, match=message):
        ent_joint_loss(*given.values(), torch.tensor(1.0), pair_classes=classes)
