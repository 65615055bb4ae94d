"""IK set-ups on the rig, and in native files."""

from dataclasses import replace

import pytest

from core.errors import AnimError, MissingReferenceError, ValidationError
from core.io import load, save
from core.io.native.rig_schema import KIND
from core.project.project import Project
from core.rig.ik_proposals import propose_setups
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkSpace, IkTarget
from tests.editor.rigs import small_rig

FULL = IkSetup(
    "arm", "upper_arm_l", "hand_l", IkSolver.TWO_BONE, IkTarget(IkSpace.BONE, "pelvis", (0.1, 0.2, 0.3)),
    IkTarget(IkSpace.WORLD, None, (1.0, 2.0, 3.0)), True, 0.5, EndRotation.GOAL, 0.1, 0.9, 1.2,
    {"lower_arm_l": 0.25}, 30.0, False, 2e-3, 12, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 45.0,
)  # fmt: skip


def test_setups_survive_a_native_file(tmp_path):
    rig = replace(small_rig(), ik_setups=(FULL, *propose_setups(small_rig())))
    path = tmp_path / "ik.posewright"
    save(Project({rig.id: rig}), path)
    assert load(path).project.rigs[0].ik_setups == rig.ik_setups


def test_rig_document_of_version_one_is_read_without_setups():
    upgraded = KIND.schema.upgraded({"schema": "posewright.rig", "version": 1, "name": "old"})
    assert upgraded["version"] == KIND.schema.version
    assert upgraded["ik_setups"] == []
    assert upgraded["post_graph"] is None


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"tip": "nowhere"}, MissingReferenceError),
        ({"stiffness": {"nowhere": 1.0}}, MissingReferenceError),
        ({"goal": IkTarget(IkSpace.BONE, "nowhere")}, MissingReferenceError),
        ({"root": "hand_l", "tip": "upper_arm_l"}, ValidationError),
        ({"name": "a/b"}, ValidationError),
        ({"weight": 1.5}, ValidationError),
    ],
)
def test_setup_that_does_not_fit_is_refused_by_name(change, error):
    with pytest.raises(error):
        replace(small_rig(), ik_setups=(replace(FULL, **change),))


def test_two_setups_of_one_name_are_refused():
    with pytest.raises(AnimError, match="two IK set-ups"):
        replace(small_rig(), ik_setups=(FULL, FULL))
