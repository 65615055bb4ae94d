"""A blend space tried out: its clock, point and trail, paths, what ends it, and how often each is told."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.blending.blend_space import Smoothing, SpaceAxis, SpaceKind
from core.blending.space_player import SpacePlayer, SpaceState
from core.clips.clip import Clip, RootMotion
from core.ids import AssetId
from core.math import transform
from editor.model.blending import blend_clock as clocks
from editor.model.blending import live as module
from editor.model.blending.blend_clock import BlendClock
from editor.model.blending.live import LiveBlend
from editor.model.blending.state import Blending
from editor.model.messages import Level
from tests.editor.model.blending.test_spaces import HIGH, LOW, STRANGER, Scene


@pytest.fixture
def scene() -> Iterator[Scene]:
    """Clips at 1 and 2 on the axis Speed from 0 to 4."""
    made = Scene()
    yield made
    made.session.close()


@pytest.fixture
def live(scene) -> LiveBlend:
    made = scene.session.feature(Blending).live
    made.told = []
    for name in ("changed", "moved", "state_changed"):
        getattr(made, name).connect(lambda _, name=name: made.told.append(name))
    return made


def look(live: LiveBlend) -> list[str]:
    """What was told since the last look."""
    found, live.told[:] = list(live.told), []
    return found


def smooth(scene: Scene, seconds: float = 1.0) -> None:
    axis = replace(scene.space.axes[0], smoothing=Smoothing.LINEAR, smoothing_time=seconds)
    scene.spaces.set_axis(0, axis)


# ---------------------------------------------------------------- what is shown
def test_title_and_detail_say_which_space_and_where_the_point_is(scene, live):
    live.set_point((1.5,))
    assert live.title == "Blend 1D" and live.detail == "Speed 1.5 m/s"
    scene.spaces.new("plane")
    live.set_point((-45.0, 2.0))
    assert live.title == "Blend 2D" and live.detail == "Direction -45°  Speed 2 m/s"
    live.set_point((-0.0, 2.0))
    assert live.detail == "Direction 0°  Speed 2 m/s"
    scene.session.playback.set_clip(STRANGER)
    assert live.title == live.detail == "" and live.point == () and live.space is None


@pytest.mark.parametrize("unit, text", [("", ""), ("°", "°"), ("%", "%"), ("m/s", " m/s")])
def test_units_stand_after_a_space_but_signs_do_not(unit, text):
    assert module._unit(SpaceAxis("a", 0.0, 1.0, 4, unit=unit)) == text


@pytest.mark.parametrize("low, high, start", [
    (0.0, 4.0, 0.0), (-2.0, 2.0, 0.0), (1.0, 4.0, 1.0), (-4.0, -1.0, -4.0), (-4.0, 0.0, 0.0),
])  # fmt: skip
def test_a_point_begins_at_nothing_where_the_axis_has_it_else_at_its_start(scene, live, low, high, start):
    scene.spaces.remove(1)
    scene.spaces.set_axis(0, replace(scene.space.axes[0], minimum=low, maximum=high))
    assert live.point == (start,)


def test_a_point_is_held_within_the_axes_told_and_kept_for_each_space(scene, live):
    first = scene.space.id
    for value, kept in ((9.0, 4.0), (-1.0, 0.0), (4.0, 4.0), (1.25, 1.25)):
        live.set_point((value,))
        assert live.point == (kept,) and "moved" in look(live)
    live.set_point((1.25,))
    live.set_point((1.0, 2.0))
    live.set_point(())
    assert look(live) == [] and live.point == (1.25,)
    scene.spaces.new("plane")
    look(live)
    live.set_point((200.0, 2.0))
    assert live.point == (-160.0, 2.0)
    live.set_point((180.0, 2.0))
    assert abs(live.point[0]) == 180.0
    scene.spaces.open(first)
    assert live.point == (1.25,)
    two = (scene.space.axes[0], scene.space.axes[0])
    scene.spaces.preview(replace(scene.space, axes=two, samples=(), kind=SpaceKind.GRID))
    assert live.point == (0.0, 0.0)


def test_weights_are_those_of_the_point_and_none_without_samples(scene, live):
    live.set_point((1.25,))
    assert live.weights == pytest.approx([0.75, 0.25]) and live.field is not None
    live.start(running=False)
    live.set_point((1.5,))
    assert live.weights == pytest.approx([0.5, 0.5])
    live.stop()
    scene.spaces.new("plane")
    assert (
        live.weights.shape == (0,) and live.field is None and live.player is None and "no sample" in live.why
    )
    assert live.normalised == 0.0


def test_without_a_space_it_says_what_to_create(scene, live):
    scene.spaces.delete()
    assert live.player is None and live.why == "create a blend space first" and live.pose() is None
    assert live.weights.shape == (0,) and live.field is None and live.shown_point == ()
    assert not live.start() and scene.session.messages.latest.text == "create a blend space first"
    assert scene.session.messages.latest.level is Level.WARNING and not live.on
    live.set_point((1.0,))
    assert look(live) == ["moved"]  # the space that went


def test_a_player_is_made_again_when_a_clip_of_it_differs_alone(scene, live):
    first = live.player
    assert live.why == "" and live.player is first
    scene.session.edits.put("stranger", replace(scene.session.document.project.assets[STRANGER], name="x"))
    assert live.player is first
    scene.spaces.preview(scene.space.with_moved(1, (3.0,)))
    second = live.player
    assert second is not first
    scene.spaces.preview(None)
    low = scene.session.document.project.get(Clip, LOW)
    scene.session.edits.put("low", replace(low, name="slow"))
    assert live.player is not first and live.player is not second


# ---------------------------------------------------------------- on and off
def test_it_is_shown_told_and_put_away_once(scene, live):
    session = scene.session
    session.playback.play()
    assert live.start() and live.on and live.running and not session.playback.playing
    assert session.display.source is live and look(live).count("state_changed") == 1
    assert live.start(running=False) and live.on and not live.running and look(live) == ["state_changed"]
    live.toggle()
    assert live.running and look(live) == ["state_changed"]
    live.toggle()
    assert live.on and not live.running
    look(live)
    live.stop()
    live.stop()
    assert not live.on and session.display.source is None and look(live) == ["state_changed"]
    live.toggle()
    assert live.running


def test_a_clip_from_outside_is_put_away_and_that_does_not_end_it(scene, live):
    session = scene.session
    session.playback.set_transient_clip(replace(session.clip, id=AssetId("outside")))
    live.start()
    assert live.on and session.playback.transient_clip is None


@pytest.mark.parametrize("end", [
    lambda s: s.session.playback.seek(0.5), lambda s: s.session.playback.set_clip(HIGH),
    lambda s: s.session.selection.select_keys({next(iter(s.session.clip.tracks)): np.array([0])}),
    lambda s: s.session.preview.set_clip(replace(s.session.clip, name="dragged")),
    lambda s: setattr(s.session.evaluator.layers, "result", True),
    lambda s: s.spaces.remove(0) and s.spaces.remove(0),
    lambda s: s.session.document.replace(s.session.document.project, None),
])  # fmt: skip
def test_what_is_done_with_the_clip_ends_it(scene, live, end):
    live.start()
    live.record()
    end(scene)
    assert not live.on and not live.recorder.recording and not live.recorder.replaying


def test_edits_of_the_space_are_shown_while_it_is_on(scene, live):
    scene.spaces.move(1, (3.0,))
    assert look(live).count("changed") == 0
    live.start()
    look(live)
    scene.spaces.move(1, (2.5,))
    told = look(live)
    assert "changed" in told and "moved" in told and live.on


# ---------------------------------------------------------------- the clock
def test_the_clock_counts_from_the_second_look_at_the_speed_of_playback(scene, live):
    scene.session.playback.speed = 0.5
    live.start()
    look(live)
    assert not live.tick(10.0) and look(live) == []
    assert live.tick(10.2) and live.clock.now == pytest.approx(0.1) and look(live) == ["changed", "moved"]
    assert live.tick(10.3) and live.clock.now == pytest.approx(0.15)
    assert live.tick(99.0) and live.clock.now == pytest.approx(0.15 + 0.5 * clocks.LONGEST_STEP)
    live.toggle()
    assert not live.tick(99.1)
    live.toggle()
    assert not live.tick(99.2) and live.tick(99.3) and live.clock.now == pytest.approx(0.325)
    scene.session.playback.speed = 1.0


def test_a_clock_that_does_not_run_does_not_tick(live):
    assert not live.tick(1.0) and not live.tick(1.1) and live.clock.now == 0.0


def test_a_pose_is_sampled_once_a_moment(live):
    live.start()
    first = live.pose()
    assert live.pose() is first
    live.tick(1.0)
    live.tick(1.1)
    assert live.pose() is not first
    assert live.normalised == pytest.approx(0.1)


def test_a_point_without_smoothing_is_followed_at_once_and_with_it_in_time(scene, live):
    live.set_point((1.0,))
    live.start()
    look(live)
    live.set_point((2.0,))
    assert live.shown_point == (2.0,) and look(live) == ["changed", "moved"]
    smooth(scene)
    look(live)
    live.set_point((1.0,))
    assert live.shown_point == (2.0,) and look(live) == ["moved"]
    assert live.weights == pytest.approx([0.0, 1.0])
    live.toggle()
    look(live)
    live.set_point((1.5,))
    assert live.shown_point == (1.5,) and look(live) == ["changed", "moved"]
    live.toggle()
    live.tick(20.0)
    live.set_point((1.75,))
    assert live.shown_point == (1.5,)
    live.stop()
    assert live.shown_point == live.point == (1.75,) and live.weights == pytest.approx([0.25, 0.75])
    live.set_point((1.25,))
    assert live.shown_point == live.point == (1.25,)


@pytest.mark.parametrize("smoothing, seconds, speed, at_once", [
    (Smoothing.NONE, 1.0, 0.0, True), (Smoothing.LINEAR, 0.0, 0.0, True), (Smoothing.LINEAR, 0.5, 0.0, False),
    (Smoothing.NONE, 0.0, 2.0, False),
])  # fmt: skip
def test_nothing_smooths_without_a_time_or_a_speed(scene, smoothing, seconds, speed, at_once):
    axis = replace(scene.space.axes[0], smoothing=smoothing, smoothing_time=seconds)
    space = replace(scene.space, axes=(axis,), weight_speed=speed)
    assert module._follows_at_once(space) is at_once


def test_the_trail_lasts_a_while_and_goes_when_it_is_put_away(scene, live):
    live.start()
    for n in range(11):
        live.tick(10.0 + 0.25 * n)
    assert live.clock.now == pytest.approx(2.5) and clocks.TRAIL == 1.5
    times = [time for time, _ in live.clock.trail]
    assert times == pytest.approx([1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5])
    live.stop()
    assert not live.clock.trail


def test_the_character_walks_from_where_it_began_unless_it_plays_in_place(scene, live):
    session = scene.session
    for clip in (LOW, HIGH):
        asset = session.document.project.get(Clip, clip)
        session.edits.put("root", replace(asset, root_motion=RootMotion(True, bone="pelvis")))
    live.set_point((1.0,))
    session.playback.in_place = False
    live.start()
    for n in range(3):
        live.tick(10.0 + 0.25 * n)
    assert live.world()[2, 3] == pytest.approx(0.5)
    session.playback.in_place = True
    assert np.array_equal(live.world(), np.eye(4))
    live.tick(10.75)
    session.playback.in_place = False
    assert live.world()[2, 3] == pytest.approx(0.5)
    live.stop()
    live.start()
    assert live.clock.stands is transform.IDENTITY
    session.playback.in_place = True


def test_the_cycle_goes_on_where_it_was_when_the_space_changes_and_anew_in_another(scene, live):
    live.start()
    live.set_point((1.0,))
    for n in range(3):
        live.tick(10.0 + 0.25 * n)
    at = live.normalised
    assert at == pytest.approx(0.5)
    scene.spaces.move(1, (3.0,))
    assert live.normalised == pytest.approx(at) and live.weights == pytest.approx([1.0, 0.0])
    scene.spaces.new("line")
    scene.spaces.add(HIGH, (2.0,))
    live.start()
    assert live.normalised == pytest.approx(0.0)


def test_a_clock_of_its_own_begins_with_the_point(scene, live):
    clock, player = BlendClock(), live.player
    first = clock.sampled(player, (1.5,))
    assert clock.state.weights == pytest.approx([0.5, 0.5]) and clock.sampled(player, (2.0,)) is first
    clock.advance(player, (2.0,), 0.25, False)
    assert clock.now == 0.25 and clock.sampled(player, (2.0,)) is not first
    assert clock.stands is transform.IDENTITY and clock.state.point == (2.0,)
    moving = replace(clock.state, velocity=(3.0,))
    clock.state = moving
    clock.settle(player, (1.0,))
    assert clock.state.weights == pytest.approx([1.0, 0.0]) and clock.state.velocity == (0.0,)
    assert clock.state.clock == moving.clock
    clock.carry_over(player, None, (1.0,))
    assert clock.state is None
    clock.carry_over(None, player, (2.0,))
    assert clock.state.weights == pytest.approx([0.0, 1.0])


def test_a_clock_goes_on_only_from_a_moment_of_the_same_space(scene, live):
    player = live.player
    scene.spaces.preview(replace(scene.space.with_moved(1, (3.0,)), name="moved"))
    moved = live.player
    scene.spaces.preview(None)
    other = SpacePlayer(
        scene.session.rig, replace(scene.space, id=AssetId("space-other")), scene.spaces.clips()
    )
    for before, has_state, goes_on in (
        (moved, True, True), (moved, False, False), (None, True, False), (None, False, False), (other, True, False),
        (other, False, False),
    ):  # fmt: skip
        clock = BlendClock()
        clock.advance(player, (1.0,), 0.25, False)
        at = clock.state.clock
        assert at > 0.0
        if not has_state:
            clock.state = None
        clock.carry_over(before, player, (2.0,))
        assert clock.state.clock == (at if goes_on else player.start((2.0,)).clock)
        assert clock.state.weights == pytest.approx([0.0, 1.0])


def test_a_cycle_of_more_marks_is_entered_at_the_same_share():
    def player(intervals: int) -> SimpleNamespace:
        space = SimpleNamespace(id="space", kept=lambda point: point)
        return SimpleNamespace(
            space=space, group=SimpleNamespace(intervals=intervals), field=lambda point: point
        )

    clock = BlendClock()
    clock.state = SpaceState(clock=3.0, weights=np.ones(1), point=(1.0,), velocity=(2.0,))
    clock.carry_over(player(2), player(4), (5.0,))
    assert clock.state.clock == 6.0 and clock.state.point == (5.0,) and clock.state.velocity == (0.0,)


# ---------------------------------------------------------------- paths
def test_a_path_is_recorded_while_the_clock_runs_and_replayed_from_its_start(scene, live):
    live.set_point((1.0,))
    live.record()
    assert live.recorder.recording and live.on and look(live).count("state_changed") == 2
    live.tick(10.0)
    for n in range(1, 5):
        live.set_point((1.0 + 0.25 * n,))
        live.tick(10.0 + 0.25 * n)
    look(live)
    live.record()
    assert not live.recorder.recording and look(live) == ["state_changed"]
    assert live.recorder.path.times[-1] == pytest.approx(1.0)
    live.replay()
    assert live.recorder.replaying and live.running
    live.tick(20.0)
    live.tick(20.25)
    assert live.point == pytest.approx((1.25,), abs=0.25) and live.point != (2.0,)
    live.replay()
    assert not live.recorder.replaying and live.on


def test_without_a_path_there_is_nothing_to_replay(scene, live):
    live.replay()
    message = scene.session.messages.latest
    assert (message.level, message.text) == (Level.INFO, "No path yet")
    assert message.next_step == "Press record, then drag the point"
    assert not live.on and look(live) == ["state_changed"]


def test_what_cannot_be_shown_is_neither_recorded_nor_replayed(scene, live):
    live.record()
    live.tick(10.0)
    live.tick(10.2)
    live.record()
    live.stop()
    scene.spaces.new("line")
    live.record()
    live.replay()
    assert not live.recorder.recording and not live.recorder.replaying and not live.on
