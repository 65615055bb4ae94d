"""Props held by bones: from now on, always, over a range, released; where they are then, and what cannot hold."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.math.transform import IDENTITY
from core.shot.prop import Hold, Prop
from core.timing import TIME_EPSILON
from editor.model.session import Session
from editor.model.shot.state import Shot
from tests.editor.panel_stage import small_session
from tests.editor.verb_stages import _prop

BOX = AssetId("prop-a")


@pytest.fixture
def session() -> Iterator[Session]:
    """A character, its clip of two seconds, and a prop in the world."""
    made = small_session(mesh=False)
    _prop(made, None)
    yield made
    made.close()


def last(session: Session) -> str:
    return session.history.labels[-1]


def holds(shot: Shot) -> list[tuple[float, str | None]]:
    return [(round(hold.start, 6), hold.bone) for hold in shot.props[0].holds]


@pytest.fixture
def ready(session) -> Shot:
    """The prop is selected, after the left hand was."""
    shot = session.feature(Shot)
    session.selection.select(["hand_l"])
    shot.select(BOX)
    return shot


def stays(session: Session, shot: Shot, do: Callable[[], object]) -> None:
    """Something after which the prop is where it was, now."""
    before = shot.matrix(shot.props[0])
    do()
    np.testing.assert_allclose(shot.matrix(shot.props[0]), before, atol=1e-9)


def test_a_prop_is_attached_from_now_on_and_stays_where_it_is(session, ready):
    session.playback.seek(0.5)
    stays(session, ready, ready.attach)
    assert holds(ready) == [(0.0, None), (0.5, "hand_l")] and last(session) == "Attach box to hand_l"
    assert ready.props[0].holds[1].rig == session.rig.id
    session.playback.seek(1.0)
    stays(session, ready, ready.release)
    assert holds(ready) == [(0.0, None), (0.5, "hand_l"), (1.0, None)] and last(session) == "Release box"
    stays(session, ready, lambda: ready.attach(ready.props[0]))
    assert holds(ready) == [(0.0, None), (0.5, "hand_l"), (1.0, "hand_l")]


@pytest.mark.parametrize("verb, bone", [("attach", "hand_l"), ("release", None)])
def test_at_the_start_the_first_hold_is_another_and_later_ones_stay(session, ready, verb, bone):
    session.playback.seek(1.0)
    ready.attach()
    session.playback.seek(0.0)
    stays(session, ready, getattr(ready, verb))
    assert holds(ready) == [(0.0, bone), (1.0, "hand_l")]
    assert ready.props[0].holds[0].start == 0.0


def test_a_prop_is_held_always_by_the_bone_selected_last(session, ready):
    session.playback.seek(0.5)
    ready.attach()
    stays(session, ready, ready.attach_always)
    assert holds(ready) == [(0.0, "hand_l")] and last(session) == "Attach box to hand_l"


@pytest.mark.parametrize("span, found", [
    ((0.5, 1.0), [(0.0, None), (0.5, "hand_l"), (1.0, None)]), ((0.0, 1.0), [(0.0, "hand_l"), (1.0, None)]),
])  # fmt: skip
def test_a_prop_is_held_over_the_play_range_and_left_where_the_bone_leaves_it(session, ready, span, found):
    session.playback.set_range(*span)
    session.playback.seek(0.75)
    stays(session, ready, ready.attach_range)
    assert holds(ready) == found and last(session) == "Attach box to hand_l"
    session.playback.seek(span[1] - 1e-4)
    held = ready.matrix(ready.props[0])
    session.playback.seek(span[1])
    left = ready.matrix(ready.props[0])
    np.testing.assert_allclose(left, held, atol=2e-3)
    session.playback.seek(1.5)
    assert np.array_equal(ready.matrix(ready.props[0]), left)


def test_over_a_range_there_has_to_be_a_clip(session, ready):
    session.playback.set_clip(None, session.rig.id)
    with pytest.raises(ValidationError, match="create or select a clip first"):
        ready.attach_range()


def test_what_cannot_hold_is_said(session, ready):
    ready._last_bone = None
    session.selection.select(())
    with pytest.raises(ValidationError, match="Select the bone that is to hold the prop, then the prop"):
        ready.attach()
    assert ready.bone is None and ready.holder_matrix() is None


def test_the_bone_that_would_hold_is_the_active_one_else_the_last_one(session, ready):
    assert ready.bone == "hand_l"
    session.selection.select(["head", "foot_l"])
    assert ready.bone == "foot_l"
    session.selection.select(())
    assert ready.bone == "foot_l"
    np.testing.assert_allclose(ready.holder_matrix(), ready.bone_matrix(session.rig.id, "foot_l"))


def test_a_prop_held_by_somebody_else_comes_to_the_bone(session, ready):
    other = replace(session.rig, id=AssetId("rig-other"), name="other")
    held = replace(ready.props[0], holds=(Hold(0.0, IDENTITY, "hand_l", other.id),))
    session.edits.put("Held", other, held)
    ready.attach_always()
    np.testing.assert_allclose(ready.matrix(ready.props[0]), ready.holder_matrix(), atol=1e-12)


def test_a_hold_is_removed_by_its_number(session, ready):
    session.playback.seek(0.5)
    ready.attach()
    ready.remove_hold(1)
    assert holds(ready) == [(0.0, None)] and last(session) == "Remove an attachment of box"
    assert isinstance(ready.selected, Prop)


@pytest.mark.parametrize("verb", ["attach", "release"])
@pytest.mark.parametrize("time, count", [(TIME_EPSILON, 1), (3.0 * TIME_EPSILON, 2)])
def test_the_start_is_as_near_as_times_are_told_apart(session, ready, verb, time, count):
    session.playback.seek(time)
    getattr(ready, verb)()
    assert len(ready.props[0].holds) == count


@pytest.mark.parametrize(
    "start, bones", [(TIME_EPSILON, ["hand_l", None]), (3.0 * TIME_EPSILON, [None, "hand_l", None])]
)
def test_a_range_from_the_start_takes_the_place_of_the_first_hold(session, ready, start, bones):
    session.playback.set_range(start, 1.0)
    ready.attach_range()
    assert [hold.bone for hold in ready.props[0].holds] == bones
