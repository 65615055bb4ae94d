"""Blends and additive clips against three.js's AnimationMixer.

Optional: set POSEWRIGHT_CHECK to a folder that holds ``node_modules/three``, with ``node`` on the path.

Where the two programs mean the same: three.js blends two clips by slerp, we by the normalised
weighted sum of the spec. They agree exactly at equal weights, and to 1e-4 at any weights while the
clips differ by a few degrees. three.js puts an additive rotation on from the right, we from the
left: they agree where the pose below is the reference, and where a bone turns about one axis.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.arrays import FloatArray
from core.clips.additive import AdditiveSampler, put_on
from core.clips.clip import WHOLE, Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.sample import ClipEvaluator
from core.ids import AssetId
from core.math import quat
from core.pose.blend import weighted
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from tests.core.blending.clips import NAMES, RIG

TIMES = np.array([0.0, 0.4, 1.0])


@pytest.fixture(scope="module")
def three() -> Path:
    folder = os.environ.get("POSEWRIGHT_CHECK", "")
    if not folder:
        pytest.skip("POSEWRIGHT_CHECK names no folder with node_modules/three")
    if not (Path(folder) / "node_modules" / "three").is_dir():
        pytest.skip(f"there is no node_modules/three in {folder}")
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return Path(folder)


def moving(name: str, seed: int, degrees: float, axis: FloatArray | None = None) -> Clip:
    """Every bone turns by up to so many degrees between three keys, and shifts a little."""
    random = np.random.default_rng(seed)
    tracks: dict[Channel, Any] = {}
    for bone in NAMES:
        turns = random.normal(size=(3, 3)) if axis is None else np.tile(axis, (3, 1))
        turns = turns / np.linalg.norm(turns, axis=1, keepdims=True)
        angles = np.radians(random.uniform(-degrees, degrees, 3))
        q = quat.continuous(quat.from_rotation_vector(turns * angles[:, None]))
        tracks[Channel(bone, Property.ROTATE, WHOLE)] = quaternion_track(TIMES, q)
        for column, values in enumerate(random.normal(size=(3, 3)).T):
            tracks[Channel(bone, Property.TRANSLATE, column)] = scalar_track(
                TIMES, values, interpolations=Interpolation.LINEAR
            )
    return Clip(AssetId(f"clip-{name}"), name, RIG.id, 1.0, tracks=tracks)


def written(clip: Clip) -> dict[str, Any]:
    tracks = {}
    for bone in NAMES:
        rotation = clip.rotation(bone)
        assert rotation is not None
        shifts = [clip.scalar(Channel(bone, Property.TRANSLATE, axis)) for axis in range(3)]
        columns = np.stack([shift.values for shift in shifts if shift is not None], axis=1)
        tracks[bone] = {"times": TIMES.tolist(), "q": rotation.values.tolist(), "t": columns.tolist()}
    return {"name": clip.name, "length": clip.length, "tracks": tracks}


def mixed(three: Path, clips: list[Clip], cases: list[dict[str, Any]]) -> list[tuple[FloatArray, FloatArray]]:
    """Rotations ``(B, 4)`` and translations ``(B, 3)`` that three.js comes to in each case."""
    asked = {"bones": NAMES, "clips": [written(clip) for clip in clips], "cases": cases}
    script = Path(__file__).with_name("three_mixer.mjs")
    done = subprocess.run(
        ["node", str(script), str(three)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [
        (np.array([bone["q"] for bone in case]), np.array([bone["t"] for bone in case]))
        for case in json.loads(done.stdout)
    ]


def require_same(found: Any, expected: tuple[FloatArray, FloatArray]) -> None:
    assert quat.angle_between(found.rotation, expected[0]).max() < 1e-4
    assert np.abs(found.translation - expected[1]).max() < 1e-4


@pytest.mark.parametrize(("degrees", "share"), [(45.0, 0.5), (6.0, 0.3), (6.0, 0.85), (60.0, 0.0)])
def test_two_clips_blend_as_three_blends_them(three: Path, degrees: float, share: float) -> None:
    a, b = moving("a", 1, degrees), moving("b", 2, degrees)
    times = (0.0, 0.15, 0.4, 0.83)
    cases = [{"time": t, "weights": {"a": 1.0 - share, "b": share}} for t in times]
    theirs = mixed(three, [a, b], cases)
    for time, expected in zip(times, theirs, strict=True):
        poses = [ClipEvaluator(RIG, clip).sample_many([time]).pose(0).local for clip in (a, b)]
        require_same(weighted(poses, [1.0 - share, share]), expected)


@pytest.mark.parametrize("weight", [0.0, 0.35, 1.0])
@pytest.mark.parametrize("one_axis", [False, True])
def test_additive_clip_is_put_on_as_three_does(three: Path, weight: float, one_axis: bool) -> None:
    axis = np.array([0.3, 0.5, -0.8]) if one_axis else None
    reference = moving("reference", 3, 50.0, axis)
    added = moving("added", 4, 50.0, axis)
    below = moving("below", 5, 50.0, axis) if one_axis else reference
    declared = Additive(AdditiveSpace.LOCAL, AdditiveBase.FRAME, reference.id, 0.0)
    sampler = AdditiveSampler(RIG, added, {reference.id: reference}, declared=declared)
    times = (0.0, 0.15, 0.83) if one_axis else (0.0,)  # elsewhere the pose below is not the reference
    additive = {"clip": "added", "weight": weight, "reference": "reference"}
    cases = [{"time": t, "weights": {below.name: 1.0}, "additive": additive} for t in times]
    theirs = mixed(three, [reference, added, below], cases)
    for time, expected in zip(times, theirs, strict=True):
        pose = ClipEvaluator(RIG, below).sample_many([time]).local
        delta = sampler.deltas([time])
        result = put_on(RIG.skeleton, pose, delta.local, AdditiveSpace.LOCAL, weight)
        require_same(type(result)(*(part[0] for part in result)), expected)
