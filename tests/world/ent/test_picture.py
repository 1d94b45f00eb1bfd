import dataclasses

import numpy as np
import pytest

from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.classes import FINDINGS, mirrored_class, side_of, site_of
from endoalign.world.ent.devices import DEVICES
from endoalign.world.ent.ear import sample_ear
from endoalign.world.ent.nose import sample_nose
from endoalign.world.ent.picture import EntView, radiance_of, render_ent
from endoalign.world.ent.sight import sample_sight
from endoalign.world.ent.trace import trace_scene
from endoalign.world.renderer.content_area import content_area

VIEW = EntView("ear-right", (), 0.6, "rigid_a", 5, 8)
LATERAL = [name for name in ENT_CLASSES if side_of(name) is not None]


def light(view, height=48):
    return radiance_of(view, content_area(DEVICES[view.device], height))


@pytest.mark.parametrize("device", ["rigid_b", "video_a", "video_c"])
@pytest.mark.parametrize("name", LATERAL)
def test_the_mirror_image_of_one_side_is_the_other(name, device):
    view = dataclasses.replace(VIEW, ent_class=name, device=device)
    other = dataclasses.replace(view, ent_class=mirrored_class(name))
    assert np.array_equal(light(view), light(other)[:, ::-1])
    assert not np.allclose(light(view), light(other), rtol=0.05)


def straight(site):
    """The usual view of a site, not tilted and lit from the lens."""
    sight = sample_sight(site, np.random.default_rng(0))
    return sight._replace(x=0.0, y=0.0, z=0.0, rotation=np.eye(3), light_x=0.0, light_y=0.0)


def place_of(scene, without, site):
    """Centre (right, up; 1 is half the height) of what ``scene`` shows and ``without`` does not."""
    content = np.ones((96, 96), dtype=bool)
    shown = trace_scene(scene, straight(site), content).sum(axis=2)
    change = np.abs(shown - trace_scene(without, straight(site), content).sum(axis=2))
    rows, columns = np.nonzero(change > 0.3 * change.max())
    return (columns.mean() - 47.5) / 48, (47.5 - rows.mean()) / 48


@pytest.mark.parametrize("seed", range(6))
def test_a_right_drum_has_its_handle_at_one_oclock_and_its_cone_at_five(seed):
    ear = sample_ear(np.random.default_rng(seed), (), 0.5)
    dull = ear._replace(light=0.0)
    right, up = place_of(ear, dull, "ear")
    assert right > 0.05 and up < -0.1
    hour = np.degrees(np.arctan2(right, up)) % 360 / 30  # clockwise from 12
    assert 4.0 < hour < 6.0
    bare = dull._replace(handle=0.0, handle_show=0.0)
    right, up = place_of(dull, bare, "ear")
    assert right > 0.03 and up > 0.1


@pytest.mark.parametrize("seed", range(4))
def test_a_right_nose_has_its_turbinates_on_the_left_and_its_septum_on_the_right(seed):
    nose = sample_nose(np.random.default_rng(seed), (), 0.5)
    right, up = place_of(nose, nose._replace(inferior=0.05), "nose")
    assert right < -0.1 and up < 0.0  # inferior turbinate: lateral and low
    right, up = place_of(nose, nose._replace(middle_low=1.5), "nose")
    assert right < 0.0 < up  # middle turbinate: higher
    right, _ = place_of(nose, nose._replace(septum=nose.septum + 0.2), "nose")
    assert right > 0.1


@pytest.mark.parametrize("name", ["vc-open", "throat"])
def test_symmetric_sites_have_no_side_that_a_pose_prefers(name):
    """Averaged over poses, the left half is as bright as the right one."""
    mean = np.mean(
        [
            light(dataclasses.replace(VIEW, ent_class=name, anatomy_seed=k, view_seed=k), 32)
            for k in range(40)
        ],
        axis=(0, 3),
    )
    half = mean.shape[1] // 2
    left, right = mean[:, :half].mean(), mean[:, half:].mean()
    assert abs(left - right) / (left + right) < 0.08


@pytest.mark.parametrize(
    ("name", "finding"),
    [(name, f) for name in ENT_CLASSES for f in FINDINGS[site_of(name)]],
)
def test_every_finding_changes_its_picture(name, finding):
    healthy = dataclasses.replace(VIEW, ent_class=name)
    shown = dataclasses.replace(healthy, findings=(finding,))
    difference = np.abs(render_ent(healthy, 48).astype(int) - render_ent(shown, 48))
    assert (difference.max(axis=2) > 20).sum() > 8


def test_the_gap_of_open_cords_is_dark_and_that_of_closed_ones_is_not():
    dark = {}
    for name in ("vc-open", "vc-closed"):
        view = dataclasses.replace(VIEW, ent_class=name, view_seed=3)
        content = content_area(DEVICES["rigid_a"], 64)
        shown = radiance_of(view, content).mean(axis=2)
        dark[name] = (shown[content] < 0.1 * np.median(shown[content])).mean()
    assert dark["vc-open"] > 0.02 > dark["vc-closed"]


@pytest.mark.parametrize("device", DEVICES)
def test_size_border_and_repeatability(device):
    view = dataclasses.replace(VIEW, device=device, view_seed=4)
    picture = render_ent(view, 48)
    assert picture.shape == (48, 64, 3)
    assert picture.dtype == np.uint8
    assert np.array_equal(picture, render_ent(view, 48))
    corners = picture[[0, 0, -1, -1], [0, -1, 0, -1]]
    if DEVICES[device].shape == "round":
        assert corners.max() == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ent_class": "ear"}, "unknown ENT class 'ear'"),
        ({"findings": ("nodules",)}, "ear-right cannot show 'nodules'"),
        ({"device": "scope"}, "unknown device 'scope'; known: rigid_a"),
        ({"severity": 1.2}, "severity 1.2"),
        ({"severity": float("nan")}, "severity nan"),
    ],
)
def test_what_cannot_be_shown_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        render_ent(dataclasses.replace(VIEW, **changes), 48)


@pytest.mark.parametrize("height", [31, 1081])
def test_heights_have_bounds(height):
    with pytest.raises(ValueError, match=f"height {height} px must lie in 32 to 1080"):
        render_ent(VIEW, height)
