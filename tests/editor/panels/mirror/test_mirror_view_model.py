"""The mirror lists without their panel: pairs are of two bones, told by side, each one step."""

import pytest

from core.errors import ValidationError
from editor.panels.mirror.view_model import MirrorLists
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.mark.parametrize("first, second", [("hand_l", "foot_r"), ("foot_r", "hand_l")])
def test_a_pair_is_told_by_its_sides_and_taken_from_where_its_bones_were(session, first, second):
    model = MirrorLists(session)
    before = session.rig
    assert model.pair(first, second)
    pairs = session.rig.mirror.pairs
    assert ("hand_l", "foot_r") in pairs and session.history.labels[-1] == "Pair hand_l and foot_r"
    assert [p for p in pairs if "hand_l" in p or "foot_r" in p] == [("hand_l", "foot_r")]
    session.undo()
    assert session.rig is before


def test_one_bone_is_no_pair(session):
    before = session.rig
    with pytest.raises(ValidationError, match="two different bones"):
        MirrorLists(session).pair("hand_l", "hand_l")
    assert session.rig is before


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_axis_is_changed_in_one_step(session, axis):
    model = MirrorLists(session)
    old = session.rig.mirror
    changed = model.set_axis(axis)
    assert bool(changed) is (old.axis != axis) and session.rig.mirror.axis == axis
    assert session.rig.mirror.pairs == old.pairs
    if changed:
        assert session.history.labels[-1] == f"Mirror axis {'XYZ'[axis]}"
