import dataclasses
import hashlib
import subprocess
import sys

import numpy as np
import pytest

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.lens import frame_rays, rotation_towards
from endoalign.world.renderer.placement import head_centre
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.render import render_scene
from endoalign.world.renderer.stage import set_stage
from endoalign.world.renderer.view import DISTRACTORS, View
from endoalign.world.truth import Lesion

POLYP = Lesion("L1", "descending_colon", 30.0, 6.0, "0-Is", 0.8, "red", ("smooth",), 5)
CLEAR = View("descending_colon", (POLYP,), "clear", None, 3, 9)
FULL = PROCESSORS["centre_f"]

HASHES = """
import hashlib
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.view import View
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.truth import Lesion
polyp = Lesion("L1", "descending_colon", 30.0, 6.0, "0-Is", 0.8, "red", ("smooth",), 5)
view = View("descending_colon", (polyp,), "clear", None, 3, 9)
frame = render_frame(view, PROCESSORS["centre_d"], 48)
digest = hashlib.sha256(frame.rgb.tobytes() + frame.lesion_mask.tobytes())
print(digest.hexdigest())
"""


def _digest(frame):
    return hashlib.sha256(frame.rgb.tobytes() + frame.lesion_mask.tobytes()).hexdigest()


def test_same_seed_same_bytes_in_two_runs_and_two_processes():
    first, second = (render_frame(CLEAR, PROCESSORS["centre_d"], 48) for _ in range(2))
    assert _digest(first) == _digest(second)
    other = subprocess.run(
        [sys.executable, "-c", HASHES], capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == _digest(first)


def test_another_seed_is_another_picture():
    first = render_frame(CLEAR, FULL, 32)
    second = render_frame(dataclasses.replace(CLEAR, seed=4), FULL, 32)
    assert (first.rgb != second.rgb).any()


@pytest.mark.parametrize("name", ["centre_a", "centre_e", "centre_f"])
def test_shapes_types_and_the_black_border(name):
    frame = render_frame(CLEAR, PROCESSORS[name], 40)
    shape = (40, round(40 * PROCESSORS[name].aspect))
    assert frame.rgb.shape == (*shape, 3)
    assert frame.rgb.dtype == np.uint8
    assert frame.lesion_mask.shape == frame.depth_cm.shape == frame.content.shape == shape
    assert frame.lesion_mask.dtype == np.uint8
    assert frame.depth_cm.dtype == np.float32
    assert (frame.depth_cm[frame.content] > 0).all()
    assert not frame.depth_cm[~frame.content].any()
    assert not frame.lesion_mask[~frame.content].any()


def test_visible_is_the_share_of_the_content():
    neighbour = dataclasses.replace(POLYP, lesion_id="L2", seed=6, size_cm=0.5)
    view = dataclasses.replace(CLEAR, lesions=(POLYP, neighbour))
    frame = render_frame(view, PROCESSORS["centre_a"], 64)
    for number, share in enumerate(frame.visible, start=1):
        count = sum(int(value == number) for value in frame.lesion_mask[frame.content])
        assert share == pytest.approx(count / frame.content.sum())
    assert frame.visible[0] > 0.02
    assert set(np.unique(frame.lesion_mask)) <= {0, 1, 2}


@pytest.mark.parametrize("region", COLON_REGIONS)
def test_every_segment_renders_without_a_lesion(region):
    frame = render_frame(View(region, (), "none", None, 1, 2), FULL, 40)
    assert not frame.lesion_mask.any()
    assert frame.visible == ()
    assert frame.rgb.std() > 12
    assert np.isfinite(frame.depth_cm).all()


def _seen_from_above(lesion, seed):
    """Mask, depth and rays of a lesion looked at along its own axis from 1.6 cm."""
    view = dataclasses.replace(CLEAR, region="rectum", lesions=(lesion,), seed=seed)
    stage = set_stage(view, FULL)
    record = stage.lesions[0]
    normal = np.array([record[f"w{axis}"] for axis in "xyz"], float)
    eye = head_centre(record) + 1.6 * normal
    rotation = rotation_towards(-normal, np.array([0.1, 0.2, 0.97]), 0.0)
    camera = stage.camera._replace(
        x=eye[0], y=eye[1], z=eye[2], rotation=rotation, half_view=0.6, distortion=0.0
    )
    content = np.ones((96, 96), bool)
    _, depth, mask = render_scene(
        stage.wall, stage.lesions, stage.tool, stage.mucosa, camera, content
    )
    return mask > 0, depth, frame_rays(camera, 96, 96), normal


@pytest.mark.parametrize(
    "paris, size", [("0-Is", 0.6), ("0-Is", 1.0), ("0-Isp", 0.8), ("0-IIa", 1)]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_depth_and_mask_recover_the_size(paris, size, seed):
    words = ("flat",) if paris == "0-IIa" else ("smooth",)
    lesion = dataclasses.replace(
        POLYP, region="rectum", paris=paris, size_cm=size, descriptors=words, seed=seed
    )
    mask, depth, rays, normal = _seen_from_above(lesion, seed)
    points = (rays * depth[..., None])[mask]
    points -= (points @ normal)[:, None] * normal
    side = np.cross(normal, (0.3, 0.5, 0.8))
    side /= np.linalg.norm(side)
    other = np.cross(normal, side)
    widths = [
        np.ptp(points @ (np.cos(turn) * side + np.sin(turn) * other))
        for turn in np.linspace(0, np.pi, 36)
    ]
    assert max(widths) == pytest.approx(size, rel=0.1)


def test_framings_do_what_they_say():
    shares = {}
    for framing in ("clear", "far", "off_centre", "behind_fold"):
        frames = [
            render_frame(dataclasses.replace(CLEAR, framing=framing, seed=seed), FULL, 40)
            for seed in range(6)
        ]
        shares[framing] = np.median([frame.visible[0] for frame in frames])
    assert shares["clear"] > 0.05
    assert 0 < shares["far"] < 0.5 * shares["clear"]
    assert shares["behind_fold"] < shares["clear"]


@pytest.mark.parametrize("distractor", DISTRACTORS)
def test_every_distractor_is_visible(distractor):
    clean = render_frame(CLEAR, FULL, 64).rgb.astype(float)
    spoilt = render_frame(dataclasses.replace(CLEAR, distractor=distractor), FULL, 64).rgb
    assert (np.abs(spoilt - clean).max(axis=2) > 12).mean() > 0.01


@pytest.mark.parametrize("size", [15, 2049])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(ValueError, match=f"size {size} px"):
        render_frame(CLEAR, FULL, size)


def test_unknown_regions_are_refused():
    with pytest.raises(ValueError, match="'stomach' is not drawn"):
        render_frame(View("stomach", (), "none", None, 1), FULL, 32)
