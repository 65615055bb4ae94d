"""Blend spaces and layer stacks through the native file."""

import pytest

from core.arrays import same_value
from core.blending.blend_space import (
    BlendSpace,
    MotionRule,
    Smoothing,
    SpaceAxis,
    SpaceKind,
    SpaceSample,
)
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.blending.layers import BranchFilter, CurveRule
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.project.project import Project
from core.project.references import check
from core.tracks.keys import scalar_track
from tests.core.blending.clips import RIG, walking

WALK, RUN = walking("walk", 1.2, 1.5), walking("run", 0.8, 4.0)
PLANE = BlendSpace(
    AssetId("space-1"),
    "plane",
    RIG.id,
    (
        SpaceAxis("Direction", -180.0, 180.0, 8, wrap=True, unit="°"),
        SpaceAxis("Speed", 0.0, 6.0, 3, True, False, Smoothing.SPRING, 0.25, "m/s"),
    ),
    (SpaceSample(WALK.id, (0.0, 2.0), 1.25), SpaceSample(RUN.id, (90.0, 4.0))),
    SpaceKind.TRIANGLES,
    aim_offset=False,
    base_clip=WALK.id,
    sync=False,
    weight_speed=2.0,
    root_motion=MotionRule.HEAVIEST,
    notifies=MotionRule.ALL,
)
STACK = LayerStack(
    AssetId("stack-1"),
    "layers",
    RIG.id,
    WALK.id,
    (
        ClipLayer("over", RUN.id, weight=0.5, curve=scalar_track([0.0, 1.0], [0.0, 1.0]), mask="upper"),
        ClipLayer(
            "add",
            RUN.id,
            LayerMode.ADDITIVE,
            branches=(BranchFilter("arm", -1),),
            muted=True,
            solo=True,
            stretch=True,
            own=True,
        ),
        ClipLayer("keyed", RUN.id, keyed=True),
    ),
    True,
    CurveRule.MAXIMUM,
)


def test_spaces_and_stacks_come_back_equal() -> None:
    project = Project({asset.id: asset for asset in (RIG, WALK, RUN, PLANE, STACK)})
    again = from_bytes(to_bytes(project))
    assert again.assets[PLANE.id] == PLANE
    assert same_value(again.assets[STACK.id], STACK)


@pytest.mark.parametrize(("asset", "gone"), [(PLANE, RUN), (STACK, RUN), (STACK, WALK)])
def test_clip_in_use_is_known_to_be(asset: BlendSpace | LayerStack, gone: object) -> None:
    project = Project({a.id: a for a in (RIG, WALK, RUN, asset)})
    check(project)
    assert asset in project.references(gone.id)  # type: ignore[attr-defined]
    with pytest.raises(MissingReferenceError, match=asset.name):
        check(project.without(gone.id))  # type: ignore[attr-defined]


def test_validation_names_the_space() -> None:
    with pytest.raises(ValidationError, match="plane"):
        PLANE.with_sample(SpaceSample(WALK.id, (0.0, 2.0)))


def test_stack_of_version_1_has_layers_of_which_every_channel_counts() -> None:
    from core.io.native.blend_schema import STACK as KIND

    old = {
        "schema": "posewright.layer_stack", "version": 1, "id": "s", "name": "layers", "rig": RIG.id, "clip": WALK.id,
        "layers": [{"name": "over", "clip": RUN.id, "mode": "override", "weight": 1.0}],
    }  # fmt: skip
    new = KIND.schema.upgraded(old)
    assert new["version"] == 2 and new["layers"][0]["keyed"] is False and new["layers"][0]["own"] is False
