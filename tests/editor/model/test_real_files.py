"""The main job without a window, on real files: open, key a pose, undo, save, open again."""

from pathlib import Path

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Clip
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.model.messages import Level
from editor.model.session import Session
from tests.shared import SHARED

FILES = sorted(
    p
    for kind in ("gltf/*.gltf", "gltf/*.glb", "bvh/*.bvh")
    for p in (SHARED / "data").glob(kind)
    if p.is_file()
)


def key_a_pose(session: Session, bone: str) -> None:
    session.playback.seek(session.playback.length * 0.37)
    pose, index = session.evaluator.pose(), session.rig.skeleton.index(bone)
    wanted = quat.multiply(quat.normalise([0.1, 0.2, 0.05, 1.0]), pose.rotations[index])
    before = session.document.project
    assert session.keying.commit_pose("Rotate", pose.with_bone(index, rotation=wanted), [bone])
    error = np.degrees(quat.angle_between(session.evaluator.pose().rotations[index], wanted))
    assert error < 0.02
    session.undo()
    assert same_value(session.document.project, before)
    session.redo()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_open_key_save_and_open_again(path: Path, tmp_path: Path) -> None:
    session = Session.create()
    session.files.open(path)
    assert all(m.level is not Level.ERROR for m in session.messages.log), session.messages.log
    key_a_pose(session, session.rig.skeleton.names[0])
    key_a_pose(session, session.rig.skeleton.names[-1])
    before = session.document.project
    session.files.save(tmp_path / "again.posewright")
    session.files.open(tmp_path / "again.posewright")
    assert same_value(dict(session.document.project.assets), dict(before.assets))
    session.close()


@pytest.mark.parametrize("length", [0.0, 1.0])
def test_a_rig_of_one_bone_without_a_mesh_is_keyed_played_and_saved(tmp_path: Path, length: float) -> None:
    rest = Transform(np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]]), np.ones((1, 3)))
    rig = Rig(AssetId("rig-1"), "骨", Skeleton(("骨",), np.array([-1]), rest))
    session = Session.create()
    session.document.replace(
        Project({rig.id: rig, "clip-1": Clip(AssetId("clip-1"), "c", rig.id, length)}), None
    )
    key_a_pose(session, "骨")
    session.playback.play()
    session.playback.tick(0.0)
    session.playback.tick(0.3)
    assert session.evaluator.matrices().shape == (1, 4, 4)
    session.files.save(tmp_path / "骨.posewright")
    assert not session.document.dirty
    session.close()
