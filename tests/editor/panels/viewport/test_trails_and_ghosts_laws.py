"""Trails and ghosts by plain computations: which frames, which dot is caught, sizes and colours, what is kept."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.tracks.keys import scalar_track
from editor.gl import camera as cameras
from editor.gl.draw_list import Lines, Points
from editor.panels.viewport.ghosts import GhostOptions, ghost_times
from editor.panels.viewport.trails import Dot, Trails, _keyed, dot_text, trail_times
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import ToolState
from tests.editor.panel_stage import small_session
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS, curved

SIZE = (640.0, 480.0)
FRAME = 1.0 / 30.0


@pytest.fixture
def session():
    made = small_session()
    curved(made)
    made.playback.seek(25.0 * FRAME)
    made.selection.select(["hand_l"])
    made.switches.set("trails", True)
    yield made
    made.close()


@pytest.fixture
def model(session):
    made = ViewportModel(session, ToolState())
    made.resize(SIZE)
    made.controller.set_camera(CAMERAS["from aside"])
    yield made
    made.close()


@pytest.fixture
def trails(model) -> Trails:
    return model.scene.trails


# ------------------------------------------------------------ which frames
@pytest.mark.parametrize(
    ("length", "span", "now", "first", "last", "more"),
    [
        (2.0, None, 25.0, 0, 60, False),
        (2.0, None, 25.4, 0, 60, True),
        (2.0, None, 25.00001, 0, 60, False),
        (2.0, (0.41, 1.32), 25.0, 13, 39, False),
        (2.0, (0.4, 1.3), 25.0, 12, 39, False),
        (2.0, (0.41, 1.32), 5.5, 13, 39, False),  # the playhead is outside
        (8.0, None, 100.0, 0, 240, False),  # up to 240 frames all of them
        (8.0 + FRAME, None, 100.0, 40, 160, False),
        (12.0, None, 30.0, 0, 90, False),
        (12.0, None, 340.0, 280, 360, False),
        (12.0, None, 100.6, 41, 161, True),
    ],
)
def test_trails_show_the_range_and_of_long_clips_what_is_near(
    session, length, span, now, first, last, more
) -> None:
    session.edits.put("long", replace(session.clip, length=length))
    if span is not None:
        session.playback.set_range(*span)
    session.playback.seek(now * FRAME)
    times = trail_times(session)
    wanted = np.arange(first, last + 1) * FRAME
    if more:
        wanted = np.sort(np.append(wanted, session.playback.time))
    assert times == pytest.approx(wanted)


def test_a_frame_is_keyed_by_the_bone_or_the_two_above_it(session) -> None:
    rig, skeleton = session.rig, session.rig.skeleton
    times = np.arange(0.0, 2.0, 0.1)

    def keyed(tracks: dict[str, list[float]], bone: str) -> list[float]:
        made = {Channel(b, Property.ROTATE, 0): scalar_track(k, np.zeros(len(k))) for b, k in tracks.items()}
        clip = replace(session.clip, tracks=made)
        return [float(t) for t in times[_keyed(clip, rig, skeleton.index(bone), times)]]

    tracks = {"pelvis": [0.1], "spine": [0.3, 0.5], "chest": [0.7], "head": [0.0, 1.0, 1.9], "hand_r": [1.5]}
    for bone, found in {
        "pelvis": [0.1], "spine": [0.1, 0.3, 0.5], "chest": [0.1, 0.3, 0.5, 0.7],
        "head": [0.0, 0.3, 0.5, 0.7, 1.0, 1.9], "upper_arm_l": [0.3, 0.5, 0.7], "lower_arm_l": [0.7], "hand_l": [],
        "hand_r": [1.5], "calf_l": [0.1],
    }.items():  # fmt: skip
        assert keyed(tracks, bone) == pytest.approx(found), bone
    assert (
        keyed({}, "head") == []
        and keyed({"head": [5.0]}, "head") == []
        and keyed({"head": [-1.0]}, "head") == []
    )
    assert keyed({"head": [0.30002]}, "head") == [] and keyed({"head": [0.3000001]}, "head") == pytest.approx(
        [0.3]
    )


# ------------------------------------------------------------ what is caught
@pytest.mark.parametrize("camera", CAMERAS)
def test_the_nearest_dot_within_reach_is_caught_a_keyed_one_a_little_before(
    session, model, trails, camera
) -> None:
    session.selection.select(["hand_l", "foot_r"])
    look = CAMERAS[camera]
    drawn = trails._trails(session.rig)
    pixels, depth = cameras.project(look, drawn.places.reshape(-1, 3), SIZE)
    assert (depth > 0.0).all()
    rng = np.random.default_rng(2)
    caught = 0
    for spot in pixels[rng.integers(0, len(pixels), 80)] + rng.normal(size=(80, 2)) * 5.0:
        away = np.hypot(*(pixels - spot).T) - 1.5 * drawn.keyed.reshape(-1)
        best = int(np.argmin(away))
        dot = trails.dot_at(session.rig, look, SIZE, (float(spot[0]), float(spot[1])))
        assert (dot is None) == (away[best] > 7.0)
        if dot is not None:
            bone, frame = divmod(best, len(drawn.times))
            assert (dot.bone, dot.time) == (drawn.bones[bone], drawn.times[frame])
            assert dot.place == pytest.approx(drawn.places[bone, frame])
            inner = slice(max(frame - 1, 0), frame + 2)
            path, times = drawn.places[bone, inner], drawn.times[inner]
            plain = np.linalg.norm(path[-1] - path[0]) / (times[-1] - times[0])
            assert not 0 < frame < len(drawn.times) - 1 or dot.speed == pytest.approx(plain, rel=0.02)
            caught += 1
    assert 20 < caught < 80
    flat = replace(CAMERAS["flat"], target=np.array([0.0, 1.0, -9.0]), yaw=0.0, pitch=0.0, distance=2.0)
    for behind, seen in ((flat, True), (replace(flat, orthographic=False), False)):
        at, depth = cameras.project(behind, drawn.places[0, 5:6], SIZE)
        assert depth[0] < 0.0
        found = trails.dot_at(session.rig, behind, SIZE, (float(at[0, 0]), float(at[0, 1])))
        assert (found is not None) == seen


@pytest.mark.parametrize(("frame", "speed", "text"), [(10.0, 1.234, "frame 10 · 1.23 m/s"),
    (10.25, 0.0, "frame 10.25 · 0.00 m/s"), (0.0, 12.0, "frame 0 · 12.00 m/s"), (10.5, 0.006, "frame 10.5 · 0.01 m/s"),
    (100.0, 1.0, "frame 100 · 1.00 m/s")])  # fmt: skip
def test_what_is_written_beside_a_dot(session, frame, speed, text) -> None:
    assert dot_text(session, Dot("hand_l", frame * FRAME, np.zeros(3), speed)) == text


# ------------------------------------------------------------ how they look
def picture(trails: Trails, session) -> tuple[Lines, Points, dict[float, tuple[float, np.ndarray]]]:
    """Lines, dots, and for each time the size and the colour of its dot."""
    shapes = trails.shapes(session.rig)
    drawn = trails._trails(session.rig)
    found = {}
    for point, size, tint in zip(shapes[1].points, shapes[1].sizes, shapes[1].colors, strict=True):
        number = int(np.linalg.norm(drawn.places[0] - point, axis=1).argmin())
        found[float(drawn.times[number])] = float(size), np.array(tint)
    return shapes[0], shapes[1], found


def test_dots_are_larger_at_keys_now_and_under_the_pointer(session, trails) -> None:
    now = session.playback.time
    drawn = trails._trails(session.rig)
    keyed = set(drawn.times[drawn.keyed[0]].tolist())
    assert len(keyed) >= 21
    trails.hovered = Dot("hand_l", 5.0 * FRAME, np.zeros(3), 1.0)
    lines, points, dots = picture(trails, session)
    selected, bright, _ = trails.marks
    assert lines.width == 1.5 and len(lines.points) == len(dots) - 1
    assert list(points.sizes) == sorted(points.sizes)  # the larger ones on top
    span = max(abs(t - now) for t in dots)
    for time, (size, tint) in dots.items():
        at_key = time in keyed
        if abs(time - 5.0 * FRAME) < 1e-9:
            assert size == 11.0 and tint == pytest.approx(selected)
        elif time == pytest.approx(now):
            assert size == 9.0 and tint == pytest.approx(selected)
        elif at_key:
            assert size == 7.5 and tint[:3] == pytest.approx(bright[:3]) and tint[3] == 1.0
        else:
            side = trails.tints[0] if time <= now else trails.tints[1]
            assert size == 3.5 and tint[:3] == pytest.approx(side[:3])
            assert tint[3] == pytest.approx(1.0 - 0.72 * abs(time - now) / span)
    trails.hovered = Dot("head", 5.0 * FRAME, np.zeros(3), 1.0)  # of another trail
    assert picture(trails, session)[2][5.0 * FRAME][0] == 3.5


def test_a_window_makes_dots_larger_the_nearer_they_are(session, trails) -> None:
    trails.window = (0.5, 0.25)
    dots = picture(trails, session)[2]
    selected = trails.marks[0]
    inside = {t: d for t, d in dots.items() if abs(t - 0.5) < 0.24}
    assert all(size > 3.5 and tint == pytest.approx(selected) for size, tint in inside.values())
    sizes = [size for _, (size, _) in sorted(inside.items(), key=lambda item: abs(item[0] - 0.5))]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == pytest.approx(11.0)
    outside = {t: size for t, (size, _) in dots.items() if abs(t - 0.5) > 0.26}
    assert set(outside.values()) == {3.5, 7.5, 9.0}


def test_a_stroke_is_drawn_from_two_points_on(session, trails) -> None:
    for count, lines in ((0, 1), (1, 1), (2, 2), (4, 2)):
        trails.stroke = np.arange(count * 3, dtype=float).reshape(-1, 3) if count else None
        shapes = [s for s in trails.shapes(session.rig) if isinstance(s, Lines)]
        assert len(shapes) == lines
        if lines == 2:
            assert shapes[1].points == pytest.approx(
                np.stack([trails.stroke[:-1], trails.stroke[1:]], axis=1)
            )
            assert shapes[1].width == 1.5 and np.reshape(shapes[1].colors, (-1, 4))[0] == pytest.approx(
                trails.marks[0]
            )


def test_speed_and_bends_are_told_by_a_ramp(session, trails) -> None:
    drawn = trails._trails(session.rig)
    low, middle, high = (np.array(color) for color in trails.ramp)
    session.switches.set_trail_colors("speed")
    colors = trails._colors(drawn, 0.0)
    inner = drawn.places[0]
    speeds = np.linalg.norm(np.gradient(inner, drawn.times, axis=0), axis=1)
    share = np.clip(speeds / speeds.max(), 0.0, 1.0)
    for number in range(2, len(share) - 2):
        s = share[number]
        plain = low + 2.0 * s * (middle - low) if s < 0.5 else middle + (2.0 * s - 1.0) * (high - middle)
        assert colors[0, number] == pytest.approx(plain, abs=0.05)
    session.switches.set_trail_colors("time")
    colors = trails._colors(drawn, float(drawn.times[7]))
    assert colors.shape == (1, len(drawn.times), 4)
    assert colors[0, 7] == pytest.approx(trails.tints[0]) and colors[0, 8] == pytest.approx(trails.tints[1])


def test_trails_are_kept_while_nothing_they_show_differs(session, trails) -> None:
    rig = session.rig
    first = trails._trails(rig)
    assert trails._trails(rig) is first
    session.playback.seek(26.0 * FRAME)  # another frame of the same ones
    assert trails._trails(rig) is first
    session.selection.select(["hand_l", "foot_r"])
    second = trails._trails(rig)
    assert second is not first and second.bones == ("hand_l", "foot_r")
    session.playback.set_range(0.2, 1.0)
    third = trails._trails(rig)
    assert third is not second and len(third.times) == 25
    session.switches.set("trails", False)
    assert trails._trails(rig) is None and trails.shapes(rig) == () and trails.path(rig) is None
    assert trails.dot_at(rig, CAMERAS["flat"], SIZE, (1.0, 1.0)) is None
    session.switches.set("trails", True)
    session.selection.select([])
    assert trails.shapes(rig) == ()


# ------------------------------------------------------------ ghosts
@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({}, (5, 5, 1, False)),
        ({"before": 0, "after": 0, "step": 0, "by": "keys"}, (0, 0, 1, True)),
        ({"before": -1, "after": 51, "step": 50, "by": "frames"}, (0, 50, 50, False)),
        ({"before": 2.9, "after": True, "step": "x", "by": "other"}, (2, 5, 1, False)),
        ({"before": 50, "after": 1, "step": 51}, (50, 1, 50, False)),
    ],
)
def test_options_of_ghosts_are_held_to_what_makes_sense(stored, read) -> None:
    values = {f"ghosts_{name}": value for name, value in stored.items()}
    options = GhostOptions.read(SimpleNamespace(get=lambda name, default=None: values.get(name, default)))
    assert (options.before, options.after, options.step, options.by_keys) == read


@pytest.mark.parametrize(
    ("now", "options", "frames", "near"),
    [
        (25.0, (2, 3, 1, False), [23, 24, 28, 27, 26], [-0.5, -1.0, 1 / 3, 2 / 3, 1.0]),
        (25.0, (2, 1, 4, False), [17, 21, 29], [-0.5, -1.0, 1.0]),
        (1.0, (3, 0, 1, False), [0], [-1.0]),
        (59.0, (0, 3, 1, False), [60], [1.0]),
        (0.0, (1, 1, 60, False), [60], [1.0]),
        (25.0, (2, 2, 1, True), [21, 24, 30, 27], [-0.5, -1.0, 0.5, 1.0]),
        (24.0, (1, 1, 1, True), [21, 27], [-1.0, 1.0]),  # not the key at the playhead
        (1.0, (4, 0, 1, True), [0], [-1.0]),
        (25.0, (0, 0, 1, True), [], []),
    ],
)
def test_ghosts_stand_at_steps_or_keys_the_furthest_first(session, now, options, frames, near) -> None:
    session.selection.select(["upper_arm_l"])
    session.playback.seek(now * FRAME)
    times, found = ghost_times(session, GhostOptions(*options))
    assert times == pytest.approx(np.array(frames) * FRAME) and found == pytest.approx(np.array(near))


def test_ghosts_of_a_loop_go_on_at_its_other_end(session) -> None:
    session.clips.set_looping(session.clip.id, True)
    session.playback.in_place = True
    session.playback.seek(1.0 * FRAME)
    times, near = ghost_times(session, GhostOptions(3, 1, 1))
    assert times == pytest.approx(np.array([58.0, 59.0, 0.0, 2.0]) * FRAME) and len(near) == 4
    session.playback.in_place = False
    assert ghost_times(session, GhostOptions(3, 1, 1))[0] == pytest.approx(np.array([0.0, 2.0]) * FRAME)


def test_ghosts_fade_with_their_distance_and_are_kept(session, model) -> None:
    session.switches.set("ghosts", True)
    for name, value in (("before", 2), ("after", 2)):
        session.preferences.set(f"ghosts_{name}", value)
    ghosts = model.draw_list().ghosts
    before, after = (np.array(tint) for tint in model.scene.ghosts.tints)
    alphas = [ghost.tint[3] for ghost in ghosts]
    assert (
        len(ghosts) == 4
        and [tuple(g.tint[:3]) for g in ghosts] == [tuple(before[:3])] * 2 + [tuple(after[:3])] * 2
    )
    assert alphas[1] == alphas[3] > alphas[0] == alphas[2] > 0.0
    model.scene.forget()
    assert all(a is b for a, b in zip(model.draw_list().ghosts, ghosts, strict=True))
    session.playback.seek(26.0 * FRAME)
    assert model.draw_list().ghosts[0] is not ghosts[0]
    session.switches.set("ghosts", False)
    assert model.draw_list().ghosts == ()
