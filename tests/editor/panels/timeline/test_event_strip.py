"""Notifies, sync markers and contacts made on the timeline by mouse and keys."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor

from core.clips.clip import Clip, Notify, SyncMarker
from core.clips.contacts import contact_spans, with_contacts
from editor.panels.timeline.event_paint import color_of
from editor.panels.timeline.event_strip import LANE
from editor.panels.timeline.panel import PANEL
from editor.tools.clip_events import FEET, Kind, Lane, on_lane
from tests.editor.panel_stage import Stage
from tests.editor.portraits.brush import noted
from tests.editor.user import ALT, CTRL, RIGHT, SHIFT, User

NOTIFIES, SYNC, LEFT = Lane(Kind.NOTIFY), Lane(Kind.SYNC), Lane(Kind.CONTACT, FEET[0])


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(PANEL.create(self.stage.context), time=True)
        self.stage.show(900, 360)
        self.user = User(self.stage.window)
        self.session = self.stage.session
        self.strip = self.panel.events

    def lanes(self) -> "Scene":
        """Show every lane."""
        self.stage.actions.run("time.event_lanes")
        self.user.settle()
        return self

    def at(self, lane: Lane, frame: float) -> tuple[float, float]:
        return self.panel.model.view.view_x(frame / 30.0), self.strip._lanes.index(lane) * LANE + LANE / 2 + 1

    def frames(self, lane: Lane) -> list[tuple[str, float, float]]:
        return [
            (e.name, round(e.time * 30.0, 6), round(e.end * 30.0, 6))
            for e in on_lane(self.session.clip, lane)
        ]

    def put(self, **changes) -> None:
        self.session.edits.put("made", replace(self.session.clip, **changes))
        self.user.settle()


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_lanes_are_there_with_events_or_on_request(scene):
    assert not scene.strip.isVisible()
    scene.put(notifies=(Notify("step", 0.5),))
    assert scene.strip.isVisible() and scene.strip._lanes == (NOTIFIES,)
    scene.lanes()
    assert scene.strip._lanes == (NOTIFIES, SYNC, LEFT, Lane(Kind.CONTACT, FEET[1]))


@pytest.mark.parametrize("lane", [NOTIFIES, SYNC])
def test_double_click_adds_one_whose_name_is_typed_at_once(scene, lane):
    user, session = scene.lanes().user, scene.session
    before = session.clip
    user.click(scene.strip, scene.at(lane, 12.2), double=True)
    user.type("left_down")
    user.press("Return")
    assert scene.frames(lane) == [("left_down", 12.0, 12.0)]
    assert len(session.history.labels) == 2  # adding, naming
    assert scene.strip.hasFocus()
    user.press("Ctrl+Z")
    user.press("Ctrl+Z")
    assert session.clip is before


@pytest.mark.parametrize(
    ("id", "lane"), [("notify", NOTIFIES), ("sync_marker", SYNC), ("contact_left_foot", LEFT)]
)
def test_action_adds_one_at_the_playhead_and_its_lane_appears(scene, id, lane):
    scene.session.playback.seek(0.5)
    assert scene.stage.actions.run(f"events.add_{id}")
    scene.user.settle()
    assert scene.strip.isVisible() and lane in scene.strip._lanes
    assert scene.frames(lane)[0][1] == 15.0


def test_moment_dragged_moves_in_one_step_and_snaps_to_frames(scene):
    scene.put(notifies=(Notify("step", 0.5),))
    user, count = scene.user, len(scene.session.history.labels)
    user.drag(scene.strip, scene.at(NOTIFIES, 15), scene.at(NOTIFIES, 24.3))
    assert scene.frames(NOTIFIES) == [("step", 24.0, 24.0)]
    assert scene.session.history.labels[count:] == ("Move step",)
    user.drag(scene.strip, scene.at(NOTIFIES, 24), scene.at(NOTIFIES, 30.4), modifiers=CTRL)
    assert scene.frames(NOTIFIES)[0][1] == pytest.approx(30.4, abs=0.2)
    user.press("Ctrl+Z")
    assert scene.frames(NOTIFIES) == [("step", 24.0, 24.0)]


def test_drag_given_up_with_escape_leaves_nothing(scene):
    scene.put(sync_markers=(SyncMarker("down", 0.5),))
    before = scene.session.clip
    scene.user.drag(
        scene.strip, scene.at(SYNC, 15), scene.at(SYNC, 40), during=lambda: scene.user.press("Esc")
    )
    assert scene.session.clip is before and not scene.session.preview.active


def test_event_dragged_past_the_clip_stays_within(scene):
    scene.put(notifies=(Notify("trail", 1.0, 0.5),))
    scene.user.drag(scene.strip, scene.at(NOTIFIES, 37), (scene.strip.width() - 2, scene.at(NOTIFIES, 0)[1]))
    assert scene.frames(NOTIFIES) == [("trail", 45.0, 60.0)]


def test_a_span_shows_its_name_within_it_cut_where_it_is_short(scene):
    def words() -> str:
        with noted() as log:
            scene.strip.repaint()
        return "\n".join(line for line in log.taken() if "event_marks._bar: drawText" in line)

    scene.put(notifies=(Notify("footstep dust", 0.2, 1.0),))
    assert "'footstep dust'" in words()
    scene.put(notifies=(Notify("footstep dust", 0.2, 0.1),))
    assert "'footstep dust'" not in words() and "drawText" in words()


def test_span_is_trimmed_at_both_ends(scene):
    scene.put(notifies=(Notify("trail", 0.5, 0.5),))
    user = scene.user
    user.drag(scene.strip, scene.at(NOTIFIES, 15), scene.at(NOTIFIES, 10))
    assert scene.frames(NOTIFIES) == [("trail", 10.0, 30.0)]
    user.drag(scene.strip, scene.at(NOTIFIES, 30), scene.at(NOTIFIES, 45))
    assert scene.frames(NOTIFIES) == [("trail", 10.0, 45.0)]
    assert scene.session.history.labels[-1] == "Trim trail"


def test_contact_drawn_moved_and_trimmed_is_a_stepped_curve(scene):
    user = scene.lanes().user
    user.click(scene.strip, scene.at(LEFT, 10), double=True)
    assert scene.frames(LEFT) == [(LEFT.title, 10.0, 16.0)]
    user.drag(scene.strip, scene.at(LEFT, 16), scene.at(LEFT, 30))
    user.drag(scene.strip, scene.at(LEFT, 20), scene.at(LEFT, 25))
    assert contact_spans(scene.session.clip, FEET[0]) == ((pytest.approx(0.5), pytest.approx(35 / 30)),)
    user.press("Del")
    assert contact_spans(scene.session.clip, FEET[0]) == () and LEFT in scene.strip._lanes


def test_several_chosen_are_moved_copied_pasted_and_deleted_together(scene):
    scene.put(notifies=(Notify("a", 0.2), Notify("b", 0.5)))
    user, session = scene.user, scene.session
    user.click(scene.strip, scene.at(NOTIFIES, 6))
    user.drag(scene.strip, scene.at(NOTIFIES, 15), scene.at(NOTIFIES, 18), modifiers=SHIFT)
    assert scene.frames(NOTIFIES) == [("a", 9.0, 9.0), ("b", 18.0, 18.0)]
    session.playback.seek(1.0)
    user.press("Ctrl+C")
    user.press("Ctrl+V")
    assert scene.frames(NOTIFIES)[2:] == [("a", 30.0, 30.0), ("b", 39.0, 39.0)]
    user.press("Del")
    assert scene.frames(NOTIFIES) == [("a", 9.0, 9.0), ("b", 18.0, 18.0)]


def test_notify_gets_a_colour_and_a_length_by_its_menu(scene):
    scene.put(notifies=(Notify("step", 0.5, 0.0, {"volume": "2"}),))
    user = scene.user
    user.click(scene.strip, scene.at(NOTIFIES, 15), RIGHT)
    user.choose_in_popup("Colour")
    user.choose_in_popup("Red")
    notify = scene.session.clip.notifies[0]
    assert notify.data == {"volume": "2", "color": "#e05656"}
    assert color_of(on_lane(scene.session.clip, NOTIFIES)[0]) == "#e05656"
    user.click(scene.strip, scene.at(NOTIFIES, 15), RIGHT)
    user.choose_in_popup("Make it a span")
    assert scene.session.clip.notifies[0].duration == pytest.approx(0.2)


def test_sync_markers_of_a_name_and_contacts_of_a_lane_get_a_colour_of_choice(scene, tmp_path):
    import core.io

    scene.put(sync_markers=(SyncMarker("down", 0.2), SyncMarker("down", 1.2), SyncMarker("up", 0.7)))
    scene.session.edits.put("made", with_contacts(scene.session.clip, FEET[0], [(0.1, 0.5), (1.0, 1.4)]))
    user, session = scene.user, scene.session
    user.settle()
    own = {e.name: color_of(e) for e in on_lane(session.clip, SYNC)}
    for lane, frame, name in ((SYNC, 6, "Red"), (LEFT, 9, "Green")):
        user.click(scene.strip, scene.at(lane, frame), RIGHT)
        user.choose_in_popup("Colour")
        user.choose_in_popup(name)
    clip = session.clip
    assert dict(clip.event_colors) == {"down": "#e05656", FEET[0]: "#5bbf6a"}
    assert {(e.name, color_of(e)) for e in on_lane(clip, SYNC)} == {("down", "#e05656"), ("up", own["up"])}
    assert {color_of(e) for e in on_lane(clip, LEFT)} == {"#5bbf6a"}
    picture = scene.strip.grab().toImage()
    x, y = scene.at(LEFT, 9)
    seen, wanted = picture.pixelColor(int(x), int(y)), QColor("#5bbf6a")
    assert abs(seen.green() - wanted.green()) < 40 and seen.green() > seen.red() + 30
    # a drag keeps it; the markers of a name share it, a marker renamed takes it along
    user.drag(scene.strip, scene.at(SYNC, 6), scene.at(SYNC, 9))
    user.click(scene.strip, scene.at(SYNC, 9), double=True)
    user.press("Ctrl+A")
    user.type("left")
    user.press("Return")
    assert dict(session.clip.event_colors) == {"down": "#e05656", FEET[0]: "#5bbf6a", "left": "#e05656"}
    core.io.save(session.document.project, tmp_path / "kept.posewright")
    back = core.io.load(tmp_path / "kept.posewright").project.get(Clip, session.clip.id)
    assert back.event_colors == session.clip.event_colors
    user.click(scene.strip, scene.at(LEFT, 9), RIGHT)
    user.choose_in_popup("Colour")
    user.choose_in_popup("From name")
    assert FEET[0] not in session.clip.event_colors
    for _ in range(5):
        session.undo()
    assert dict(session.clip.event_colors) == {}


def test_empty_name_is_refused(scene):
    scene.put(notifies=(Notify("step", 0.5),))
    user = scene.user
    user.click(scene.strip, scene.at(NOTIFIES, 15), double=True)
    user.type(" ")
    user.press("Return")
    assert scene.frames(NOTIFIES)[0][0] == "step" and "name" in scene.session.messages.latest.text


def test_what_was_made_is_in_the_document_that_is_read_back(scene, tmp_path):
    import core.io

    scene.lanes()
    for id in ("notify", "sync_marker", "contact_right_foot"):
        scene.stage.actions.run(f"events.add_{id}")
    scene.user.settle()
    clip = scene.session.clip
    core.io.save(scene.session.document.project, tmp_path / "made.posewright")
    read = core.io.load(tmp_path / "made.posewright").project.get(type(clip), clip.id)
    assert read.notifies == clip.notifies and read.sync_markers == clip.sync_markers
    assert contact_spans(read, FEET[1]) == contact_spans(clip, FEET[1]) != ()


def lane_named(name: str) -> Lane:
    return Lane(Kind.NOTIFY, name=name)


def test_state_and_branching_are_added_by_actions(scene):
    scene.lanes().session.playback.seek(0.5)
    assert scene.stage.actions.run("events.add_state")
    scene.user.press("Return")
    assert scene.frames(NOTIFIES)[0][2] > 15.0
    assert scene.stage.actions.run("events.add_branching")
    scene.user.press("Return")
    assert [n.rule.branching for n in scene.session.clip.notifies].count(True) == 1
    assert scene.stage.actions.run("events.branching")
    assert not any(n.rule.branching for n in scene.session.clip.notifies)


def test_overlapping_bars_are_stacked_and_the_lane_grows(scene):
    scene.put(notifies=(Notify("a", 0.2, 0.5), Notify("b", 0.4, 0.5), Notify("c", 1.0, 0.2)))
    rects = {e.name: scene.strip.rect_of(e) for e in scene.strip.events()}
    assert rects["b"].top() - rects["a"].top() == LANE and rects["c"].top() == rects["a"].top()
    assert scene.strip.height() == 2 * LANE + 3
    scene.user.drag(scene.strip, rects["b"].center().toPoint().toTuple(), scene.at(NOTIFIES, 46))
    assert scene.strip.height() == LANE + 3  # they lie beside each other now


def test_names_of_lanes_stand_where_the_lanes_do(scene):
    scene.put(notifies=(Notify("a", 0.2, 0.5), Notify("b", 0.4, 0.5), Notify("c", 1.0, lane="feet")))
    with noted() as brush:
        scene.strip.repaint()
    lines = brush.taken()
    (first,), (below,) = ([line for line in lines if name in line] for name in ("'Notifies'", "'feet'"))
    assert f"@8,1,168,{2 * LANE} " in first and f"@8,{2 * LANE + 1},168,{LANE} " in below
    assert scene.strip.rect_of(scene.strip.events()[2]).top() > 2 * LANE


def test_notify_goes_to_another_lane_by_action_and_by_drag(scene):
    user = scene.user
    scene.put(notifies=(Notify("a", 0.2), Notify("b", 1.0)))
    user.click(scene.strip, scene.at(NOTIFIES, 30))
    assert scene.stage.actions.run("events.new_lane")
    user.settle()
    new = lane_named(scene.session.clip.notifies[1].lane)
    assert new.name and scene.strip._lanes == (NOTIFIES, new)
    user.drag(scene.strip, scene.at(new, 30), scene.at(NOTIFIES, 36))
    assert [(n.name, n.lane) for n in scene.session.clip.notifies] == [("a", ""), ("b", "")]
    user.press("Ctrl+Z")
    assert [n.lane for n in scene.session.clip.notifies] == ["", new.name]


def test_box_selects_keys_duplicate_and_nudge(scene):
    user = scene.user
    scene.put(notifies=(Notify("a", 0.2), Notify("b", 0.6)))
    y = scene.at(NOTIFIES, 0)[1]
    user.drag(scene.strip, (scene.at(NOTIFIES, 27)[0], y), (scene.at(NOTIFIES, 1)[0], y))
    assert {e.name for e in scene.strip.chosen} == {"a", "b"}
    user.press("Alt+Right")
    assert [f for _, f, _ in scene.frames(NOTIFIES)] == [7.0, 19.0]
    user.press("Ctrl+D")
    assert [f for _, f, _ in scene.frames(NOTIFIES)] == [7.0, 19.0, 19.0, 31.0]
    user.press("Ctrl+Z")
    user.press("Ctrl+Z")
    assert [f for _, f, _ in scene.frames(NOTIFIES)] == [6.0, 18.0]


def test_alt_drag_copies(scene):
    scene.put(notifies=(Notify("a", 0.5, 0.2),))
    scene.user.drag(scene.strip, scene.at(NOTIFIES, 18), scene.at(NOTIFIES, 36), modifiers=ALT)
    assert [f for _, f, _ in scene.frames(NOTIFIES)] == [15.0, 33.0]
