"""The sample character's locomotion: planted feet stay put between walk and run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace
from core.blending.foot_slip import slip_field
from core.blending.space_player import SpacePlayer
from core.io import load
from core.rig.rig import Rig

FILE = Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright"


@pytest.fixture(scope="module")
def slips() -> dict[bool, list[float]]:
    """Worst foot's slip in cm/s at five speeds from walk to run, with and without sync markers."""
    project = load(FILE).project
    space = next(s for s in project.all(BlendSpace) if s.name == "locomotion")
    clips = {clip.id: clip for clip in project.clips}
    by_name = {clips[s.clip].name: s.place[0] for s in space.samples}
    found = {}
    for sync in (True, False):
        player = SpacePlayer(project.get(Rig, space.rig), replace(space, sync=sync), clips)
        field = slip_field(player, steps=120)
        speeds = np.linspace(by_name["walk"], by_name["run"], 5)
        found[sync] = [float(np.nanmax(field.at([speed])) * 100.0) for speed in speeds]
    return found


def test_planted_feet_slide_less_than_2_cm_a_second_with_sync_markers(slips: dict[bool, list[float]]) -> None:
    assert max(slips[True]) < 2.0


def test_without_sync_markers_they_slide_more(slips: dict[bool, list[float]]) -> None:
    assert max(slips[False]) > 2.0 * max(slips[True])
