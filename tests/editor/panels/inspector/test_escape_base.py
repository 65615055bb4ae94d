"""What a scrub began with is forgotten when it is taken back or kept: the next one begins with what is shown then."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.math import quat
from editor.panels.inspector.view_model import Inspector, Space
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.selection.select(["upper_arm_l"])
    made.playback.seek(0.0)
    yield made
    made.close()


@pytest.fixture
def inspector(session):
    made = Inspector(session)
    made.space = Space.MODEL  # keys the whole bone, so that what it began with would show
    return made


def place(session) -> np.ndarray:
    arm = session.rig.skeleton.index("upper_arm_l")
    return session.evaluator.pose().rotations[arm]


@pytest.mark.parametrize("end", ["cancel", "commit"])
def test_next_number_begins_with_what_is_shown_then(session, inspector, end: str) -> None:
    session.keying.auto = False
    inspector.preview(Property.SCALE, 0, 1.5)
    inspector.cancel() if end == "cancel" else inspector.commit(Property.SCALE, 0, 1.5)
    if end == "commit":
        session.keying.drop_pending()
    session.playback.seek(40.0 / 30.0)
    before = place(session)
    inspector.preview(Property.TRANSLATE, 1, 1.25)
    assert quat.angle_between(place(session), before) < 1e-7
    inspector.cancel()
    assert np.array_equal(place(session), before)


def test_a_scrub_goes_on_from_where_it_began_however_far_it_went(session, inspector) -> None:
    inspector.space = Space.LOCAL
    before = session.evaluator.pose()
    for value in (10.0, 170.0, 300.0, 20.0):
        inspector.preview(Property.ROTATE, 1, value)
    shown = inspector.reading().values[Property.ROTATE]
    assert shown == pytest.approx([0.0, 20.0, 0.0], abs=1e-6)
    inspector.cancel()
    after = session.evaluator.pose()
    assert all(np.array_equal(a, b) for a, b in zip(before.local, after.local, strict=True))


def test_each_number_is_of_its_own_part_and_axis_in_metres_degrees_and_factors(session, inspector) -> None:
    inspector.space = Space.LOCAL
    session.selection.select(["head"])
    session.keying.auto = True
    typed = {Property.TRANSLATE: 0.3, Property.ROTATE: 33.0, Property.SCALE: 1.3}
    for part, value in typed.items():
        for axis in range(3):
            assert inspector.commit(part, axis, value + axis)
            track = session.clip.tracks[Channel("head", part, axis)]
            assert track.values.tolist() == [value + axis]
            assert inspector.reading().values[part][axis] == pytest.approx(value + axis)
    assert session.history.labels[:2] == ("Move head X 0.3 m @ f0", "Move head Y 1.3 m @ f0")
    assert session.history.labels[-1] == "Scale head Z 3.3 @ f0"
