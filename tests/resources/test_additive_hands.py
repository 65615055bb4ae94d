"""An additive clip takes off what its base keys and it does not: hands must stay as the base has them."""

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.io import load
from core.math import quat
from resources.sample.locomotion import FILE


@pytest.mark.parametrize("name", ["breathing", "look centre", "lean centre", "lean left", "air lean centre"])
def test_hands_of_additive_clips_are_those_of_idle(name):
    project = load(FILE).project
    rig = project.rigs[0]
    clips = {clip.name: clip for clip in project.clips_of(rig.id)}
    base, added = (sample_many(rig, clips[n], np.zeros(1)).local.rotation[0] for n in ("idle", name))
    fingers = [k for k, bone in enumerate(rig.skeleton.names) if bone.startswith(("pinky", "ring", "index"))]
    apart = quat.to_rotation_vector(quat.multiply(quat.conjugate(base[fingers]), added[fingers]))
    assert len(fingers) >= 12
    assert np.degrees(np.linalg.norm(apart, axis=-1)).max() < 0.1
