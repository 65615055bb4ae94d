"""Operations of the curve editor: what they leave alone, what they say, and the unit of a tolerance."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.progress import Progress
from core.rig.rig import Rig
from core.tracks.keys import scalar_track
from editor.tools.curves.operations import PLACES, Setting, operations
from tests.editor.rigs import small_project

TIMES = np.arange(31) / 30.0
WAVE = np.sin(TIMES * 9.0)
FREE = PLACES.index(next(p for p in PLACES if p.name == "OWN"))


def setting(channel: Channel, size: float, rig: Rig | None = None) -> Setting:
    """A wave of a size on a channel alone, all of its keys selected."""
    project = small_project(mesh=False)
    clip = replace(project.clips[0], tracks={channel: scalar_track(TIMES, WAVE * size)}, length=1.0)
    return Setting(clip, {channel: np.arange(len(TIMES))}, rig or project.rigs[0])


def kept(made: Setting, tolerance: float) -> int:
    """How many keys reducing leaves on the only track."""
    reduce = next(o for o in operations() if o.id == "reduce")
    values = {p.id: p.value for p in reduce.parameters} | {"tolerance": tolerance, "places": float(FREE)}
    outcome = reduce.apply(made, values, Progress())
    (track,) = outcome.clip.tracks.values()
    share = 100.0 * len(track) / len(TIMES)
    words = "key" if len(track) == 1 else "keys"
    assert outcome.note == f"{len(TIMES)} → {len(track)} {words} ({share:.1f} %)"
    return len(track)


def test_a_tolerance_is_degrees_of_an_angle_and_centimetres_of_a_place():
    turn, move = (Channel("head", p, 0) for p in (Property.ROTATE, Property.TRANSLATE))
    assert kept(setting(move, 0.5), 1.0) == kept(setting(turn, 50.0), 1.0)
    assert kept(setting(move, 0.5), 0.1) > kept(setting(move, 0.5), 10.0)


def test_centimetres_are_those_of_the_world_below_a_scaled_bone():
    move = Channel("head", Property.TRANSLATE, 0)
    made = setting(move, 0.5)
    skeleton = made.rig.skeleton
    rest = skeleton.rest._replace(
        scale=np.where(np.arange(len(skeleton))[:, None] == 0, 10.0, skeleton.rest.scale)
    )
    large = replace(made.rig, skeleton=replace(skeleton, rest=rest))
    assert kept(setting(move, 0.05, large), 1.0) == kept(made, 1.0)
    assert kept(setting(move, 0.5, large), 1.0) > kept(made, 1.0)


@pytest.mark.parametrize("prop", [Property.TRANSLATE, Property.SCALE])
def test_tracks_of_bones_that_the_character_lacks_are_reduced_in_their_own_unit(prop):
    assert kept(setting(Channel("tail", prop, 0), 0.5), 1.0) == kept(
        setting(Channel("head", prop, 0), 0.5), 1.0
    )
