"""What is written over the view: clip and frame, tool, keys, frame rate, what is displayed instead."""

from dataclasses import replace

import pytest

from core.clips.clip import Channel, ChannelKind, Property
from editor.model.blocking import Blocking
from editor.model.playback import Playback, PlayMode
from editor.panels.viewport.heads_up import HeadsUp, heads_up, traffic_text
from editor.tools.state import Setup, Space, Tool
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    yield made
    made.close()


def curve(name: str) -> Channel:
    return Channel(name, Property.TRANSLATE, 0, ChannelKind.CURVE)


def shown(session, setup: Setup | None = None, status: str = "", view: str = "") -> HeadsUp:
    return heads_up(session, setup or Setup(), status, view)


def test_clip_and_frame_of_how_many_and_none_without_a_clip(session):
    session.playback.seek(20.5 / 30.0)
    assert (shown(session).title, shown(session).frame) == ("swing", "frame 20.5 / 60")
    session.playback.set_clip(None, session.rig.id)
    found = shown(session)
    assert found.title == "No clip" and "/" not in found.frame


@pytest.mark.parametrize("tool, words", [
    (Tool.SELECT, "Select"), (Tool.MOVE, "Move · world"), (Tool.ROTATE, "Rotate · world"),
])  # fmt: skip
def test_the_tool_with_its_space_or_what_the_gesture_says(session, tool, words):
    setup = Setup(tool) if tool is Tool.SELECT else Setup(tool).with_space(Space.WORLD)
    plain = replace(setup, snap=False)
    assert shown(session, plain).tool == words
    assert shown(session, replace(setup, snap=True)).tool == words + (
        "" if tool is Tool.SELECT else " · snap"
    )
    assert shown(session, plain, "Rotate head 12°").tool == "Rotate head 12°"
    assert shown(session, view="Front").view == "Front"


@pytest.mark.parametrize(
    ("measured", "speed", "mode", "behind"),
    [
        (0.0, 1.0, PlayMode.REAL_TIME, False),
        (30.0, 1.0, PlayMode.REAL_TIME, False),
        (27.5, 1.0, PlayMode.REAL_TIME, False),
        (26.5, 1.0, PlayMode.REAL_TIME, True),
        (26.5, 0.5, PlayMode.REAL_TIME, False),
        (26.5, 1.0, PlayMode.EVERY_FRAME, False),
        (50.0, 4.0, PlayMode.REAL_TIME, True),
        (56.0, 4.0, PlayMode.REAL_TIME, False),
    ],
)
def test_frames_a_second_below_nine_tenths_of_the_wanted_are_behind(
    session, monkeypatch, measured, speed, mode, behind
):
    monkeypatch.setattr(Playback, "measured_fps", property(lambda playback: measured))
    session.playback.speed, session.playback.mode = speed, mode
    lines = shown(session)
    assert lines.behind is behind
    assert lines.rate == (f"{measured:.0f} fps" if measured else "")


def test_keys_are_set_at_once_or_changes_are_pending(session):
    session.keying.auto = True
    assert shown(session).key_state == "auto key"
    session.keying.auto = False
    assert shown(session).key_state == "auto key off" and shown(session).pending == 0
    for count, bone in enumerate(("head", "hand_l"), start=1):
        pose = session.evaluator.pose()
        number = session.rig.skeleton.index(bone)
        session.keying.commit_pose(
            "moved", pose.with_bone(number, translation=pose.translations[number] + 0.1), [bone]
        )
        found = shown(session)
        assert found.pending == count
        assert found.key_state == f"{count} pending change" + ("s" if count > 1 else "")
    session.pending.put_weights(session.rig, {curve("smile"): 0.5, curve("frown"): 0.25})
    assert shown(session).pending == 4 and shown(session).key_state == "4 pending changes"


def test_the_blocking_view_says_what_it_holds(session):
    assert shown(session).blocking == ""
    session.feature(Blocking).set(True)
    session.feature(Blocking).hold_for(4)
    session.playback.seek(7.0 / 30.0)
    assert shown(session).blocking.endswith("holds f4")


def test_traffic_is_told_where_it_is_counted():
    from editor.gl.frame_view import FrameTraffic

    assert traffic_text(None) == ""
    counted = FrameTraffic(calls=7, draws=3, uploaded=2500, read_back=400, waits=1)
    assert traffic_text(counted) == "7 calls · 3 draws · 2.5 kB up · 0.4 kB read back · 1 waits"
