"""What a pull takes at every bone, what it says and begins; arcs and paths drawn in the view, without a window."""

from dataclasses import replace

import numpy as np
import pytest

from core.ik.body import Reach
from core.project.project import Project
from editor.gl import camera as cameras
from editor.model.ik.state import IkState
from editor.panels.viewport.pulling import CLEARLY, arc_at, path_at, pick_pivot, pull_at, pulled_at
from editor.panels.viewport.trails import Dot
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.ik.pull import PullAnywhere
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import Pivot, Setup, Tool, ToolState
from tests.core.ik.test_hands import FINGERS
from tests.editor import rigs
from tests.editor.panel_stage import small_session
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS, curved

SIZE = (640.0, 480.0)
SMALL = {
    "palm_l": "hand_l",
    "index_01_l": "hand_l",
    "index_02_l": "hand_l",
    "thumb_01_l": "hand_l",
    "toe_l": "foot_l",
}


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(rigs, "BONES", (*rigs.BONES, *FINGERS))
    made = small_session(mesh=False)
    made.playback.seek(25.0 / 30.0)
    made.said = []
    made.messages.posted.connect(
        lambda message: made.said.append((message.text, message.next_step, message.level))
    )
    yield made
    made.close()


@pytest.fixture
def model(session):
    made = ViewportModel(session, ToolState())
    made.resize(SIZE)
    made.controller.set_camera(replace(CAMERAS["from aside"], yaw=0.2, distance=4.0))
    yield made
    made.close()


def place(model: ViewportModel, bone: str) -> np.ndarray:
    return np.array(model.matrices()[model.rig.skeleton.index(bone), :3, 3])


def seen(model: ViewportModel, point: np.ndarray) -> tuple[float, float]:
    found, _ = cameras.project(model.camera, point, SIZE)
    return float(found[0]), float(found[1])


def on(model: ViewportModel, bone: str) -> tuple[float, float]:
    """A pixel at which a bone is the first under the pointer."""
    x, y = seen(model, place(model, bone))
    spots = [(x + dx, y + dy) for dx in range(-16, 17, 2) for dy in range(-16, 17, 2)]
    return next(p for p in sorted(spots, key=lambda p: np.hypot(p[0] - x, p[1] - y))
                if model.bones_at(p)[:1] == (bone,))  # fmt: skip


def test_each_bone_takes_what_carries_it(session, model) -> None:
    """Fingers and toes their hand or foot, the lowest of the spine and the thighs the hips; others themselves."""
    names = [n for n in session.rig.skeleton.names if not n.endswith("_r") and not n.startswith("palm")]
    expected = {name: SMALL.get(name, name) for name in names}
    expected |= {"spine": "pelvis", "thigh_l": "pelvis"}
    spots = {name: on(model, name) for name in names}
    assert {name: pulled_at(model, spot) for name, spot in spots.items()} == expected
    assert pulled_at(model, (2.0, 2.0)) is None
    for name in ("index_02_l", "toe_l"):
        session.selection.select([name])
        assert pulled_at(model, spots[name]) == name
    session.selection.select(["thigh_l"])  # selected, but nothing carries it
    assert pulled_at(model, spots["thigh_l"]) == "pelvis"
    session.selection.select(["pelvis"])
    for flag in ("hidden", "locked"):
        session.selection.set_flag(flag, ["pelvis", "hand_l"])
        free = {
            name: session.selection.pickable(end)
            for name, end in (("thigh_l", "pelvis"), ("index_02_l", "hand_l"))
        }
        for name, end in (("thigh_l", "pelvis"), ("index_02_l", "hand_l")):
            assert pulled_at(model, spots[name]) == (end if free[name] else name)
        session.selection.set_flag(flag, [])
    session.document.replace(Project({}), None)
    assert model.rig is None and pulled_at(model, spots["head"]) is None


def test_a_finger_is_taken_by_itself_where_it_is_far_from_its_hand_in_the_view(session, model) -> None:
    near = model.camera
    for distance in (4.0, 1.2, 0.8, 0.5, 0.4, 0.3, 0.2):
        model.controller.set_camera(replace(near, target=place(model, "index_02_l"), distance=distance))
        spot = on(model, "index_02_l")
        hand = seen(model, place(model, "hand_l"))
        away = float(np.hypot(hand[0] - spot[0], hand[1] - spot[1]))
        assert pulled_at(model, spot) == ("index_02_l" if away >= CLEARLY else "hand_l"), distance
    assert away > CLEARLY


@pytest.mark.parametrize(
    ("held", "reach"),
    [(Modifiers.NONE, Reach.LIMB), (Modifiers.CTRL, Reach.BODY), (Modifiers.SHIFT, Reach.CHAIN),
     (Modifiers.CTRL | Modifiers.SHIFT, Reach.BODY), (Modifiers.ALT, Reach.LIMB)],
)  # fmt: skip
def test_a_pull_drags_its_bone_in_the_plane_of_the_view(session, model, held, reach) -> None:
    spot = on(model, "hand_l")
    before, clip, steps = place(model, "hand_l"), session.clip, session.history.position
    gesture = pull_at(model, Pointer(*spot, Button.LEFT, held))
    assert isinstance(gesture, PullAnywhere) and gesture._reach is reach
    gesture.begin(Pointer(*spot, Button.LEFT, held))
    end = spot[0] - 30.0, spot[1] - 24.0
    gesture.move(Pointer(*end, Button.LEFT, held))
    moved = place(model, "hand_l")
    want = np.add(seen(model, before), (-30.0, -24.0))
    assert np.hypot(*(np.array(seen(model, moved)) - want)) < 1.5
    depth = cameras.project(model.camera, np.stack([before, moved]), SIZE)[1]
    assert depth[0] == pytest.approx(depth[1], abs=0.02)
    gesture.cancel()
    assert session.clip is clip and session.history.position == steps


def test_a_pull_of_what_is_locked_says_what(session, model) -> None:
    spot = on(model, "hand_l")
    arm = ["upper_arm_l", "lower_arm_l"]
    for locked, some in (
        (arm[:1], "upper_arm_l"), (arm, "lower_arm_l, upper_arm_l"), ([*arm, "head"], "lower_arm_l, upper_arm_l"),
    ):  # fmt: skip
        session.selection.set_flag("locked", locked)
        session.said.clear()
        assert pull_at(model, Pointer(*spot, Button.LEFT)) is None
        ((text, hint, level),) = session.said
        assert (text, hint, level.name) == (f"Locked: {some}", "Unlock in the bone tree to pose", "WARNING")
    session.selection.set_flag("locked", ["spine", "chest", "pelvis", *arm])
    session.said.clear()
    assert pull_at(model, Pointer(*spot, Button.LEFT, Modifiers.SHIFT)) is None
    listed = session.said[0][0].removeprefix("Locked: ").split(", ")
    assert len(listed) == min(3, len({*arm, "spine", "chest", "pelvis"} & set(
        session.feature(IkState).reached("hand_l", Reach.CHAIN)))) and listed == sorted(listed)  # fmt: skip
    session.selection.set_flag("locked", ["head", "calf_l"])
    assert pull_at(model, Pointer(*spot, Button.LEFT)) is not None
    assert pull_at(model, Pointer(2.0, 2.0, Button.LEFT)) is None


def test_handles_come_before_a_pull_unless_it_is_a_mode(session, model) -> None:
    session.selection.select(["hand_l"])
    spot = on(model, "hand_l")
    for tool, taken in ((Tool.SELECT, False), (Tool.MOVE, True), (Tool.ROTATE, False)):
        model.tools.set(Setup(tool))
        for held in (False, True):
            model.pulling = held
            gesture = pull_at(model, Pointer(*spot, Button.LEFT))
            assert (gesture is None) == (taken and not held), (tool, held)


def test_a_pivot_is_picked_beside_a_bone_where_the_pointer_is(session, model) -> None:
    x, y = on(model, "head")
    session.said.clear()
    assert pick_pivot(model, (x, y))
    picked = model.tools.setup.picked
    assert model.tools.setup.pivot is Pivot.POINT and session.said[-1][0] == "Pivot picked on head"
    matrix = model.matrices()[model.rig.skeleton.index("head")]
    point = matrix[:3, :3] @ np.array(picked.point) + matrix[:3, 3]
    assert picked.bone == "head" and seen(model, point) == pytest.approx((x, y), abs=1e-6)
    depth = cameras.project(model.camera, np.stack([point, matrix[:3, 3]]), SIZE)[1]
    assert depth[0] == pytest.approx(depth[1])
    session.document.replace(Project({}), None)
    assert not pick_pivot(model, (x, y)) and session.said[-1][0].startswith("Point at a bone")


def test_an_arc_is_drawn_for_the_path_of_the_bone_selected_last(session, model) -> None:
    curved(session)
    session.switches.set("trails", True)
    session.switches.set("path_draw", True)
    session.selection.select([])
    assert arc_at(model) is None and not session.switches["path_draw"]
    assert session.said[-1][0] == "Select a bone first: its path is laid onto the arc that you draw"
    session.switches.set("path_draw", True)
    session.selection.select(["foot_r", "hand_l"])
    gesture, trails = arc_at(model), model.scene.trails
    assert gesture.status == "Draw path of hand_l"
    bone, times, places = trails.path(session.rig)
    middle = places[len(places) // 2]
    pixels = [seen(model, point) for point in places[:: len(places) // 4]]
    drawn = model.draw_list()
    gesture.begin(Pointer(*pixels[0], Button.LEFT))
    assert trails.stroke is None
    for spot in pixels[1:]:
        gesture.move(Pointer(*spot, Button.LEFT))
    assert model.draw_list() is not drawn and len(trails.stroke) == len(pixels)
    depth = cameras.project(model.camera, np.array([*trails.stroke, middle]), SIZE)[1]
    assert depth == pytest.approx(np.full(len(depth), depth[-1]))
    for point, spot in zip(trails.stroke, pixels, strict=True):
        assert seen(model, point) == pytest.approx(spot, abs=1e-6)
    steps = session.history.position
    up = Pointer(pixels[-1][0], pixels[-1][1] - 20.0, Button.LEFT)
    gesture.move(up)
    gesture.finish(up)
    assert trails.stroke is None and not session.switches["path_draw"]
    assert session.history.position == steps + 1 and session.history.undo_label == "Draw path of hand_l"
    again = arc_at(model)
    again.begin(Pointer(*pixels[0], Button.LEFT))
    again.move(Pointer(*pixels[1], Button.LEFT))
    assert trails.stroke is not None
    again.cancel()
    assert trails.stroke is None and session.history.position == steps + 1


def test_a_dot_of_a_path_goes_with_the_pointer_and_shows_what_follows(session, model) -> None:
    curved(session)
    session.switches.set("trails", True)
    session.selection.select(["hand_l"])
    trails = model.scene.trails
    _, times, places = trails.path(session.rig)
    frame = int(np.argmin(np.abs(times - 0.9)))  # at a key: it goes all the way
    dot = Dot("hand_l", float(times[frame]), places[frame], 1.0)
    start = seen(model, places[frame])
    gesture = path_at(model, dot, start)
    gesture.begin(Pointer(*start, Button.LEFT))
    assert trails.window[0] == dot.time and trails.window[1] > 0.0 and session.playback.time == dot.time
    assert gesture._moved(start) == pytest.approx(np.zeros(3), abs=1e-9)
    end = start[0] - 25.0, start[1] + 11.0
    assert seen(model, places[frame] + gesture._moved(end)) == pytest.approx(end, abs=1e-6)
    gesture.move(Pointer(*end, Button.LEFT))
    steps = session.history.position
    gesture.finish(Pointer(*end, Button.LEFT))
    assert trails.window is None and session.history.position == steps + 1
    assert seen(model, place(model, "hand_l")) == pytest.approx(end, abs=2.0)
