"""Every glTF and BVH file with a golden, sampled through the command line in the file's own units."""

import json

import numpy as np
import pytest

from core.cli.main import main
from tests.core.io.golden import FILES, degrees_between, evaluated_clips, golden, size_of
from tests.shared import shared_files

POSITION = 1e-4  # of the character's size
ROTATION = 0.02  # degrees


def sampled(capsys, path, clip):
    words = ["sample", str(path), "--native", "--times=" + ",".join(map(repr, clip["times"]))]
    # A BVH file names no clip: the golden calls it "animation", we call it after the file.
    if clip["name"] is not None and path.suffix != ".bvh":
        words += ["--clip", clip["name"]]
    assert main(words) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("path", shared_files(*FILES))
def test_sample_goldens_agree(path, capsys):
    told = golden(path)
    joints = told["joints"]
    for clip in evaluated_clips(path):
        found = sampled(capsys, path, clip)
        assert found["duration"] == pytest.approx(clip["duration"], abs=1e-5)
        row = {source: index for index, source in enumerate(found["sources"])}
        numbers = [joint.get("node", index) for index, joint in enumerate(joints)]
        here = [index for index, number in enumerate(numbers) if number in row]
        # A node that only carries a skinned mesh is no bone; everything else must be.
        absent = [joint for index, joint in enumerate(joints) if index not in here]
        assert not any(joint["joint"] for joint in absent)
        assert all(_carries_skinned_mesh(path, joint["node"]) for joint in absent)
        bones = [row[numbers[index]] for index in here]
        positions = np.array(found["positions"])[:, bones]
        rotations = np.array(found["rotations"])[:, bones]
        off = np.linalg.norm(positions - np.array(clip["p"])[:, here], axis=-1)
        turned = degrees_between(rotations, np.array(clip["q"])[:, here])
        assert off.max() <= POSITION * size_of(path), clip["name"]
        assert turned.max() <= ROTATION, clip["name"]


def _carries_skinned_mesh(path, node):
    from core.io.gltf.container import Container

    value = Container(path).root.objects("nodes")[node]
    return value.has("mesh") and value.has("skin")


@pytest.mark.parametrize("path", shared_files(*FILES))
def test_sample_parents_are_the_files(path, capsys):
    """The hierarchy above each bone is the golden's."""
    told = golden(path)
    found = sampled(capsys, path, evaluated_clips(path)[0])
    joints, sources = told["joints"], found["sources"]
    number = {joint.get("node", index): joint for index, joint in enumerate(joints)}
    for bone, parent in enumerate(found["parents"]):
        joint = number.get(sources[bone])
        if joint is None:  # a bone the golden left out: it is still in rest and stands above nothing
            continue
        above = joint["parent"]
        expected = joints[above].get("node", above) if above >= 0 else None
        assert (sources[parent] if parent >= 0 else None) == expected
