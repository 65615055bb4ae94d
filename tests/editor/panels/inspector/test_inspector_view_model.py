"""The inspector without its widget: what it says of the active bone, and that an edit is one step in its space."""

import numpy as np
import pytest

from core.clips.clip import Property
from editor.panels.inspector.view_model import Inspector
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.keying.auto = True
    yield made
    made.close()


@pytest.fixture
def model(session) -> Inspector:
    return Inspector(session)


def test_every_bone_is_told_with_its_parent_and_how_many_others_are_selected(session, model):
    assert model.reading() is None
    skeleton = session.rig.skeleton
    for number, name in enumerate(skeleton.names):
        others = [n for n in skeleton.names if n != name][:number]
        session.selection.select([*others, name])
        found = model.reading()
        above = skeleton.parent(number)
        assert found.bone == name and found.parent == (skeleton.names[above] if above >= 0 else "")
        assert found.others == number and not found.locked
    session.selection.set_flag("locked", [name])
    assert model.reading().locked


@pytest.mark.parametrize("part", list(Property))
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_number_is_shown_kept_in_one_step_and_read_again(session, model, part, axis):
    session.selection.select(["upper_arm_l"])
    column = {Property.TRANSLATE: 0, Property.ROTATE: 1, Property.SCALE: 2}[part]
    before, clip, position = model.reading().values, session.clip, session.history.position
    wanted = float(before[column][axis]) + 0.25
    model.preview(part, axis, wanted)
    assert model.reading().values[column][axis] == pytest.approx(wanted) and session.clip is clip
    model.cancel()
    session.preview.clear()
    assert model.reading().values[column][axis] == pytest.approx(before[column][axis])
    assert model.commit(part, axis, wanted)
    after = model.reading().values
    assert session.history.position == position + 1 and session.preview.pose is None
    for row in range(3):
        for k in range(3):
            value = wanted if (row, k) == (column, axis) else before[row][k]
            assert np.isclose(after[row][k], value, atol=1e-6), (row, k)
    session.undo()
    assert session.clip is clip
