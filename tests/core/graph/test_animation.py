"""A character's animation mode: assets played as graphs give what their own players give."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.graph.animation import axis_variables, character_playing, chosen_animation, graph_of, opening
from core.graph.montage import Montage, MontageBlend, Segment, SlotTrack
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.project.project import Project
from core.project.references import without
from tests.core.graph.builders import swinging, walker

WALK, RUN = swinging("walk", 0.0), swinging("run", 30.0)
SPACE = BlendSpace(
    AssetId("space-1"), "gait", WALK.rig,
    (SpaceAxis("speed m/s", 1.0, 3.0, unit="m/s"),),
    (SpaceSample(WALK.id, (1.0,)), SpaceSample(RUN.id, (3.0,))), SpaceKind.LINE,
)  # fmt: skip
WAVE = Montage(
    AssetId("montage-1"), "greet", WALK.rig,
    tracks=(SlotTrack("Arm", (Segment(RUN.id, 0.0, 0.0, RUN.length),)),),
    blend_in=MontageBlend(0.0), blend_out=MontageBlend(0.0),
)  # fmt: skip


def project(animation: AssetId | None = None) -> Project:
    rig = replace(walker(), animation=animation)
    return Project({asset.id: asset for asset in (rig, WALK, RUN, SPACE, WAVE)})


def test_clip_played_is_the_clip_sampled():
    character = character_playing(WALK, project())
    seen = [character.step(0.05).pose.local for _ in range(5)]
    wanted = sample_many(walker(), WALK, np.arange(1, 6) * 0.05)
    for k, local in enumerate(seen):
        assert np.allclose(local.rotation, wanted.local.rotation[k], atol=1e-9)


def test_axes_of_a_blend_space_are_its_variables_with_range_and_unit():
    (variable,) = axis_variables(SPACE)
    assert (variable.name, variable.minimum, variable.maximum, variable.unit) == (
        "speed_m_s",
        1.0,
        3.0,
        "m/s",
    )
    assert variable.default == (1.0,)
    character = character_playing(SPACE, project())
    character.set("speed_m_s", 3.0)
    alone = character_playing(RUN, project())
    assert np.allclose(
        character.step(0.1).pose.local.rotation, alone.step(0.1).pose.local.rotation, atol=1e-9
    )


def test_montage_is_played_over_the_rest_pose_by_its_opening():
    character = character_playing(WAVE, project())
    result = character.step(0.1, commands=opening(WAVE))
    alone = character_playing(RUN, project()).step(0.1)
    assert [m.name for m in result.montages] == ["greet"]
    assert np.allclose(result.pose.local.rotation, alone.pose.local.rotation, atol=1e-9)


def test_animation_of_another_rig_is_refused_by_name():
    other = replace(walker(), id=AssetId("rig-other"), name="other", animation=WALK.id)
    with pytest.raises(ValidationError, match="'walk' is made for another rig"):
        chosen_animation(other, project().with_assets(other))


def test_animation_mode_is_kept_by_files_and_cleared_with_its_asset():
    read = from_bytes(to_bytes(project(SPACE.id)))
    assert read.rigs[0].animation == SPACE.id
    assert chosen_animation(read.rigs[0], read).name == "gait"
    assert without(read, [SPACE.id]).project.rigs[0].animation is None


def test_a_graph_is_its_own():
    graph = graph_of(WALK)
    assert graph_of(graph) is graph
