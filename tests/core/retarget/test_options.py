"""Options of a retarget that are about the whole body change its result."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.bake import bake
from core.clips.clip import Clip
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.retarget.chain_map import propose_map
from core.retarget.lock import LockOptions
from core.retarget.retarget import Options, carry
from core.retarget.transfer import Stride, TransferOptions
from core.rig.rig import Rig
from core.timing import FrameRate
from tests.core.retarget.figures import figure
from tests.core.retarget.test_lock import FPS, walking

SOURCE = Rig(AssetId("rig-a"), "a", figure())
TARGET = Rig(AssetId("rig-b"), "b", figure(4, 0.8, 40.0))
CHAINS = propose_map(SOURCE.skeleton, TARGET.skeleton)
FRAMES = 24


def clip() -> Clip:
    """Steps in place that slide, whose floor drifts upward; hands rest."""
    local = walking(SOURCE.skeleton, FRAMES)
    local.translation[:, SOURCE.skeleton.index("root"), 1] += np.linspace(0.0, 0.05, FRAMES)
    times = np.arange(FRAMES) / FPS
    tracks = bake(SOURCE.skeleton, times, local, rest_tolerance=None)
    return Clip(AssetId("clip-a"), "steps", SOURCE.id, times[-1], FrameRate.of(FPS), tracks=tracks)


CLIP = clip()


def leaning() -> Transform:
    """A pose to align from in which the back leans."""
    rotation = np.array(SOURCE.skeleton.rest.rotation)
    rotation[SOURCE.skeleton.index("spine_1")] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.5)
    return SOURCE.skeleton.rest._replace(rotation=rotation)


TRANSFER = {"stride": Stride.NONE, "stride_factor": 1.5, "floor_offset": 0.1}
WHOLE = {
    "adjust": {"spine": (20.0, 0.0, 0.0)}, "turns": {"left arm": 0.0},
    "reference": leaning(),
}  # fmt: skip
ELSEWHERE = {
    "arm_reach": "test_planting", "feet": "test_lock", "hands": "test_planting", "floor": "test_lock",
    "limits": "test_contacts", "spans": "test_lock", "flat": "test_planting", "hip_drop": "test_knees",
    "drop_seconds": "test_planting", "knee_limit": "test_knees", "lock": "test_lock", "level_floor": "test_planting",
}  # fmt: skip
"""Options about feet and hands that are held, and the tests of what they do."""


def result(options: Options) -> np.ndarray:
    done = carry(SOURCE, CLIP, TARGET, CHAINS, options)
    return np.concatenate([part.reshape(-1) for part in done.local])


@pytest.fixture(scope="module")
def plain() -> np.ndarray:
    return result(Options())


def test_no_option_is_forgotten() -> None:
    assert {f.name for f in fields(TransferOptions)} - ELSEWHERE.keys() == TRANSFER.keys()
    assert {f.name for f in fields(LockOptions)} <= ELSEWHERE.keys()
    assert {f.name for f in fields(Options)} - {"transfer", *ELSEWHERE} == WHOLE.keys()
    here = Path(__file__).parent
    assert all((here / f"{name}.py").exists() for name in ELSEWHERE.values())


CASES = [("transfer", n) for n in TRANSFER] + [("", n) for n in WHOLE]


@pytest.mark.parametrize(("part", "name"), CASES)
def test_every_option_changes_the_poses(plain: np.ndarray, part: str, name: str) -> None:
    base = Options()
    if part:
        value = TRANSFER[name]
        options = replace(base, **{part: replace(getattr(base, part), **{name: value})})
    else:
        options = replace(base, **{name: WHOLE[name]})
    assert np.abs(result(options) - plain).max() > 1e-4


def test_floor_offset_and_stride_factor_do_as_they_say() -> None:
    base = Options(lock=None)
    before = carry(SOURCE, CLIP, TARGET, CHAINS, base).local.translation
    lifted = carry(SOURCE, CLIP, TARGET, CHAINS, replace(base, transfer=TransferOptions(floor_offset=0.1)))
    root = TARGET.skeleton.index("root")
    moved = (lifted.local.translation - before)[:, [root, TARGET.skeleton.index("hips")]].sum(axis=1)
    assert moved == pytest.approx(np.tile([0.0, 0.1, 0.0], (FRAMES, 1)), abs=1e-6)
    far = carry(SOURCE, CLIP, TARGET, CHAINS, replace(base, transfer=TransferOptions(stride_factor=2.0)))
    travel = [t[-1, root, 2] - t[0, root, 2] for t in (before, far.local.translation)]
    assert travel[1] == pytest.approx(2.0 * travel[0], rel=1e-6)
