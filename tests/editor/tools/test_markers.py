"""Markers without a window: one step each with its name, in order of time, names of their own; the drag."""

import pytest

from core.errors import ValidationError
from editor.tools import markers
from editor.tools.markers import DragMarker
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panel_stage import small_session

FRAME, PIXELS = 1.0 / 30.0, 300.0


@pytest.fixture
def session():
    """Markers at 0.5 s and 1.5 s."""
    made = small_session(mesh=False)
    for time in (1.5, 0.5):
        markers.add(made, time)
    yield made
    made.close()


def shown(session) -> list[tuple[str, float]]:
    return [(m.name, round(m.time, 6)) for m in session.clip.markers]


def test_markers_have_names_of_their_own_and_are_in_order_of_time(session):
    session.playback.seek(1.0)
    made = markers.add(session)
    assert made in session.clip.markers and session.history.labels[-1] == "Add marker @ f30"
    assert [t for _, t in shown(session)] == [0.5, 1.0, 1.5] and len({n for n, _ in shown(session)}) == 3
    assert shown(session)[2][0] == "marker"
    assert markers.add(session, -4.0).time == 0.0


def test_a_marker_is_renamed_and_deleted_in_one_step_and_what_is_not_there_is_left(session):
    first, second = session.clip.markers
    assert markers.rename(session, first, "contact") and shown(session)[0] == ("contact", 0.5)
    assert session.history.labels[-1] == f"Rename marker {first.name} to contact"
    made = session.clip.markers[0]
    position = session.history.position
    assert not markers.rename(session, made, "contact") and not markers.rename(session, first, "other")
    assert not markers.delete(session, first) and session.history.position == position
    with pytest.raises(ValidationError):
        markers.rename(session, made, " ")
    assert markers.rename(session, made, second.name)
    assert shown(session)[0][0] not in (second.name, "contact")
    assert markers.delete(session, second) and len(session.clip.markers) == 1
    assert session.history.labels[-1] == f"Delete marker {second.name}"
    session.playback.set_clip(None, session.rig.id)
    assert markers.add(session) is None and not markers.delete(session, made)
    assert not markers.rename(session, made, "x")


class Drag:
    def __init__(self, session, number: int = 0) -> None:
        self.asked: list[bool] = []
        self.gesture = DragMarker(session, session.clip.markers[number], self.time_at)

    def time_at(self, x: float, snap: bool) -> float:
        self.asked.append(snap)
        return round(x / PIXELS * 30.0) / 30.0 if snap else x / PIXELS

    def to(self, frame: float, held: Modifiers = Modifiers.NONE) -> Pointer:
        at = Pointer(frame * FRAME * PIXELS, 3.0, Button.LEFT, held)
        self.gesture.move(at)
        return at


def at(frame: float) -> Pointer:
    return Pointer(frame * FRAME * PIXELS, 3.0, Button.LEFT)


@pytest.mark.parametrize("switch", [True, False])
@pytest.mark.parametrize("held", [Modifiers.NONE, Modifiers.CTRL])
def test_a_dragged_marker_lands_on_frames_unless_snapping_is_off_or_ctrl_inverts_it(session, switch, held):
    session.switches.set("snap", switch)
    drag, before = Drag(session), session.clip
    drag.gesture.begin(at(15.0))
    end = drag.to(50.4, held)
    assert session.preview.clip is not None and session.clip is before
    drag.gesture.finish(end)
    snaps = switch != bool(held)
    assert drag.asked == [snaps] and session.clip.markers[1].time == pytest.approx(
        (50.0 if snaps else 50.4) * FRAME
    )
    assert session.history.labels[-1].startswith("Move marker ") and session.preview.clip is None
    session.undo()
    assert session.clip is before


def test_a_click_goes_to_the_marker_and_a_drag_taken_back_leaves_it(session):
    before, position = session.clip, session.history.position
    drag = Drag(session, 1)
    drag.gesture.begin(at(45.0))
    drag.gesture.move(Pointer(at(45.0).x + 1.0, 3.0))
    drag.gesture.finish(at(45.0))
    assert session.playback.time == pytest.approx(1.5) and not drag.asked
    drag = Drag(session)
    drag.gesture.begin(at(15.0))
    drag.to(20.0)
    drag.to(-20.0)
    assert session.preview.clip.markers[0].time == 0.0
    drag.gesture.cancel()
    assert session.preview.clip is None and session.clip is before and session.history.position == position
