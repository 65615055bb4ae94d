"""Projects: assets by id and what refers to what."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import (
    WHOLE,
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Clip,
    Property,
    channel_label,
)
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.project.project import Project
from core.project.references import check
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import quaternion_track, scalar_track

RIG = Rig(
    AssetId("rig-1"),
    "figure",
    Skeleton(
        ("root",), np.array([-1]), Transform(np.zeros((1, 3)), np.array([[0, 0, 0, 1.0]]), np.ones((1, 3)))
    ),
)
WALK = Clip(AssetId("clip-1"), "walk", RIG.id, 1.0)


def test_assets_are_found_by_id_and_kind() -> None:
    project = Project().with_assets(RIG, WALK)
    assert project.get(Clip, WALK.id) is WALK
    assert project.clip_named("walk") is WALK
    assert project.clips_of(RIG.id) == (WALK,)
    with pytest.raises(MissingReferenceError, match="no rig has the id 'clip-1'"):
        project.get(Rig, WALK.id)
    with pytest.raises(MissingReferenceError, match="there are: walk"):
        project.clip_named("run")


def test_replacing_an_asset_keeps_its_place() -> None:
    project = Project().with_assets(RIG, WALK, replace(WALK, id=AssetId("clip-2"), name="run"))
    renamed = project.with_assets(replace(WALK, name="stroll"))
    assert [asset.name for asset in renamed.assets.values()] == ["figure", "stroll", "run"]
    assert [asset.name for asset in project.assets.values()] == ["figure", "walk", "run"]


def test_reference_to_what_is_gone_is_named() -> None:
    project = Project().with_assets(RIG, WALK)
    with pytest.raises(MissingReferenceError, match="'walk' refers to 'rig-1'"):
        check(project.without(RIG.id))


def test_base_of_an_additive_clip_counts_as_used() -> None:
    lean = replace(
        WALK,
        id=AssetId("clip-2"),
        name="lean",
        additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, WALK.id),
    )
    assert Project().with_assets(RIG, WALK, lean).references(WALK.id) == (lean,)


def test_bone_with_two_kinds_of_rotation_is_refused() -> None:
    turn = quaternion_track([0.0], [[0, 0, 0, 1]])
    angle = scalar_track([0.0], [0.0])
    with pytest.raises(ValidationError, match="Euler and quaternion"):
        replace(
            WALK,
            tracks={
                Channel("root", Property.ROTATE, WHOLE): turn,
                Channel("root", Property.ROTATE, 0): angle,
            },
        )
    with pytest.raises(ValidationError, match="root translate x cannot hold"):
        replace(WALK, tracks={Channel("root", Property.TRANSLATE, 0): turn})
    assert channel_label(Channel("root", Property.ROTATE, WHOLE)) == "root rotate quaternion"


@pytest.mark.parametrize("length", [-1.0, float("nan"), float("inf")])
def test_clip_of_impossible_length_is_refused(length: float) -> None:
    with pytest.raises(ValidationError, match="length"):
        replace(WALK, length=length)


def test_with_tracks_shares_what_did_not_change() -> None:
    channel, other = Channel("root", Property.TRANSLATE, 0), Channel("root", Property.TRANSLATE, 1)
    clip = WALK.with_tracks({channel: scalar_track([0.0], [1.0]), other: scalar_track([0.5], [2.0])})
    changed = clip.with_tracks({channel: None})
    assert channel not in changed.tracks
    assert changed.tracks[other] is clip.tracks[other]
    assert clip.last_key() == 0.5
