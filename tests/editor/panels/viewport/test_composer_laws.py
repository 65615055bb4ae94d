"""What the composer of the viewport says, against slow plain computations: names, axes, handles, points, colours."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.project.project import Project
from core.rig.skeleton import main_bones
from core.tracks.keys import scalar_track
from editor.gl import camera as cameras
from editor.gl.bone_handles import near_bones
from editor.gl.colors import LIGHT, with_alpha
from editor.gl.cpu_skin import skin_positions
from editor.gl.draw_list import BoneState, Layer, Lines
from editor.model.bone_sets import BoneSets
from editor.model.ragdoll.bodies import Bodies
from editor.panels.viewport import scene_composer
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import Setup, Tool, ToolState
from tests.editor import rigs
from tests.editor.panel_stage import small_session
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS, curved

SIZE = (640.0, 480.0)


def heads(model: ViewportModel) -> dict[str, np.ndarray]:
    names = model.rig.skeleton.names
    return dict(zip(names, model.matrices()[:, :3, 3], strict=True))


def seen(model: ViewportModel, place: np.ndarray) -> tuple[float, float, float]:
    pixels, depth = cameras.project(model.camera, place[None], SIZE)
    return float(pixels[0, 0]), float(pixels[0, 1]), float(depth[0])


# ------------------------------------------------------------ names
def test_names_stand_at_the_heads_the_selected_ones_first_last(session, model) -> None:
    rig = session.rig
    for every, hover, chosen, hidden, listed in (
        (False, None, ["head"], [], []),
        (False, "head", [], [], ["head"]),
        (False, "gone", [], [], []),
        (True, None, [], [], list(rig.skeleton.names)),
        (True, "head", ["spine", "hand_l"], [], ["hand_l", "spine"]),
        (True, None, ["spine", "hand_l"], ["hand_l", "foot_r"], ["spine"]),
    ):
        session.switches.set("names", every)
        session.selection.set_flag("hidden", [])
        session.selection.select(chosen)
        session.selection.set_flag("hidden", hidden)
        session.selection.set_hover(hover)
        names = model.scene.names()
        wanted = [n for n in listed if n in rig.skeleton.names]
        if every:
            front = [n for n in reversed(session.selection.bones) if n not in hidden]
            wanted = [*front, *(n for n in rig.skeleton.names if n not in front and n not in hidden)]
        assert [name for name, _, _ in names] == wanted
        for name, x, y in names:
            assert (x, y) == pytest.approx(seen(model, heads(model)[name])[:2])
    session.document.replace(Project({}), None)
    assert model.scene.names() == () and model.scene.labels() == ()


@pytest.mark.parametrize("flat", [False, True])
def test_names_behind_the_eye_are_left_out_but_in_a_flat_view(session, model, flat) -> None:
    session.switches.set("names", True)
    camera = replace(CAMERAS["from aside"], target=heads(model)["chest"], yaw=0.7, pitch=0.0, distance=0.15,
                     orthographic=flat)  # fmt: skip
    model.controller.set_camera(camera)
    shown = {name for name, _, _ in model.scene.names()}
    ahead = {name for name, place in heads(model).items() if seen(model, place)[2] > 0.0}
    assert shown == (set(heads(model)) if flat else ahead)
    assert 0 < len(ahead) < len(heads(model))


# ------------------------------------------------------------ axes of bones
def test_axes_are_as_long_as_wanted_in_pixels_and_of_unit_turns(session, model) -> None:
    grown = {
        Channel("upper_arm_l", Property.SCALE, axis): scalar_track([0.0], [1.0 + axis]) for axis in range(3)
    }
    session.edits.put("grown", session.clip.with_tracks(grown))
    skeleton = session.rig.skeleton
    assert model.scene._axes(session.rig, model.matrices()) == ()
    session.switches.set("axes", True)
    for camera in CAMERAS.values():
        model.controller.set_camera(camera)
        for chosen in ([], ["upper_arm_l"], ["head", "upper_arm_l"]):
            session.selection.select(chosen)
            (lines,) = model.scene._axes(session.rig, model.matrices())
            bones = [skeleton.index(n) for n in session.selection.bones] or range(len(skeleton))
            assert isinstance(lines, Lines) and lines.width == 2.0 and lines.layer is Layer.FRONT
            row = 0
            for bone in bones:
                matrix = model.matrices()[bone]
                pixel = cameras.metres_per_pixel(camera, matrix[None, :3, 3], SIZE)
                for axis in range(3):
                    way = matrix[:3, axis] / np.linalg.norm(matrix[:3, axis])
                    start, end = np.asarray(lines.points[row], dtype=float)
                    assert start == pytest.approx(matrix[:3, 3], abs=1e-5)
                    assert end - start == pytest.approx(way * 26.0 * float(np.ravel(pixel)[0]), abs=1e-5)
                    assert lines.colors[row] == pytest.approx(model.scene.axis_colors[axis])
                    row += 1
            assert row == len(lines.points)


# ------------------------------------------------------------ the gizmo
@pytest.mark.parametrize(
    ("height", "size"), [(480.0, 84.0), (900.0, 92.0), (120.0, 40.0), (228.0, 40.0), (240.0, 42.0)]
)
def test_handles_are_as_large_as_the_view_allows(session, model, height, size) -> None:
    session.selection.select(["hand_l"])
    model.resize((640.0, height))
    for tool in (Tool.MOVE, Tool.ROTATE, Tool.SCALE):
        model.tools.set(Setup(tool))
        gizmo = model.gizmo()
        assert gizmo.size == pytest.approx(size) and gizmo.mode == tool.value
        assert gizmo.pivot == pytest.approx(heads(model)["hand_l"])


def test_there_are_no_handles_where_nothing_can_be_moved(session, model) -> None:
    session.selection.select(["hand_l"])
    model.tools.set(Setup(Tool.MOVE))
    assert model.gizmo() is not None
    model.tools.set(Setup(Tool.SELECT))
    assert model.gizmo() is None
    model.tools.set(Setup(Tool.MOVE))
    session.playback.play()
    assert model.gizmo() is None
    session.playback.pause()
    session.selection.select([])
    assert model.gizmo() is None
    session.selection.select(["hand_l"])
    session.feature(Bodies).watch(True)
    session.switches.set("bodies", True)
    assert (model.gizmo() is None) == session.feature(Bodies).editing
    session.feature(Bodies).watch(False)
    held = replace(model.gizmo(), size=11.0)
    model.scene.held_gizmo = held
    session.selection.select([])
    assert model.gizmo() is held
    model.scene.held_gizmo = None
    session.document.replace(Project({}), None)
    assert model.gizmo() is None


# ------------------------------------------------------------ where to look
def test_points_to_look_at_are_both_ends_of_the_selected_bones(session, model) -> None:
    curved(session)
    assert model.scene.selected_points().shape == (0, 3)
    session.selection.select(["lower_arm_l", "head"])
    found = model.scene.selected_points()
    assert len(found) == 4
    places = heads(model)
    wanted = [places[name] for name in session.selection.bones]
    assert found[:2] == pytest.approx(np.array(wanted))
    by_name = dict(zip(session.selection.bones, found[2:], strict=True))
    assert by_name["lower_arm_l"] == pytest.approx(
        places["hand_l"], abs=1e-6
    )  # the tip is the next bone's head
    above = by_name["head"] - places["head"]
    up = model.matrices()[session.rig.skeleton.index("head"), :3, 1]
    assert float(above @ up) > 0.01
    drawn = model.draw_list()
    points = model.scene.all_points()
    bones = model.matrices()[main_bones(session.rig.skeleton), :3, 3]
    skinned = [np.asarray(skin_positions(mesh)) for mesh in drawn.meshes]
    assert points == pytest.approx(np.concatenate([bones, *skinned]))
    session.switches.set("mesh", False)
    assert model.scene.all_points() == pytest.approx(bones)
    session.document.replace(Project({}), None)
    assert model.scene.all_points().shape == model.scene.selected_points().shape == (0, 3)


# ------------------------------------------------------------ bones and their colours
def test_bones_are_near_the_pointer_lit_and_coloured_by_their_sets(session, model) -> None:
    scene, names = model.scene, session.rig.skeleton.names
    x, y, _ = seen(model, heads(model)["hand_l"])
    assert scene.draw_list().bones.near is None
    assert scene.point_at((x, y))
    assert scene.point_at((x, y))
    scene.forget()
    shapes = scene.draw_list().bones
    wanted = near_bones(replace(shapes, near=None), model.camera, SIZE, (x, y))
    assert np.array_equal(shapes.near, wanted) and wanted.any() and not wanted.all()
    assert not scene.point_at((x, y))
    assert scene.point_at((3.0, 3.0)) and scene.pointer == (3.0, 3.0)
    scene.forget()
    assert scene.draw_list().bones.near is None and not scene.point_at(None) and scene.pointer is None
    session.selection.select(["head"])
    session.selection.set_hover("spine")
    states = dict(zip(names, scene.draw_list().bones.states, strict=True))
    assert states["head"] != BoneState.NORMAL and states["spine"] not in (BoneState.NORMAL, states["head"])
    sets = session.feature(BoneSets)
    colors = sets.bone_colors()
    scene.set_tints = dict.fromkeys(set(colors.values()), (0.25, 0.5, 0.75, 1.0))
    rows = scene._set_colors(session.rig)
    for name, row in zip(names, rows, strict=True):
        assert tuple(row) == ((0.25, 0.5, 0.75, 1.0) if name in colors else (0.0, 0.0, 0.0, 0.0))
    session.switches.set("bones", False)
    scene.forget()
    assert scene.draw_list().bones is None and not scene.point_at((x, y))
    session.switches.set("bones", True)
    session.switches.set("mesh", False)
    assert scene.draw_list().bones.solid and not scene.point_at((x, y))


def test_boxes_catch_the_bones_whose_heads_lie_in_them(session, model) -> None:
    x, y, _ = seen(model, heads(model)["hand_l"])
    assert "hand_l" in model.bones_in((x - 4.0, y - 4.0), (x + 4.0, y + 4.0))
    assert set(model.bones_in((0.0, 0.0), SIZE)) >= {"head", "hand_l", "foot_r"}
    assert model.bones_in((0.0, 0.0), (4.0, 4.0)) == ()
    session.selection.set_flag("hidden", ["hand_l"])
    assert "hand_l" not in model.bones_in((0.0, 0.0), SIZE)
    session.document.replace(Project({}), None)
    assert model.bones_in((0.0, 0.0), SIZE) == () and model.bones_at((x, y)) == ()


def test_skin_under_a_pixel_tells_its_bone_and_place(session, model) -> None:
    scene, places = model.scene, heads(model)
    middle = 0.5 * (places["calf_l"] + places["foot_l"])
    x, y, _ = seen(model, middle)
    bone, point = scene.skin_at((x, y))
    assert session.rig.skeleton.names[bone] == "calf_l" == scene.body_at((x, y))
    assert seen(model, point)[:2] == pytest.approx((x, y), abs=0.5) and np.linalg.norm(point - middle) < 0.09
    session.selection.set_flag("locked", ["calf_l"])
    assert scene.body_at((x, y)) == ("calf_l" if session.selection.pickable("calf_l") else None)
    session.selection.set_flag("hidden", ["calf_l"])
    assert scene.body_at((x, y)) is None and scene.skin_at((x, y)) is not None
    assert scene.skin_at((2.0, 2.0)) is None
    session.switches.set("mesh", False)
    assert scene.skin_at((x, y)) is None and scene.body_at((x, y)) is None
    session.document.replace(Project({}), None)
    assert scene.skin_at((x, y)) is None


def test_of_a_fine_mesh_its_light_one_is_asked(monkeypatch) -> None:
    fine = partial(rigs.tube_mesh, around=24, along=12)
    monkeypatch.setattr(rigs, "tube_mesh", fine)
    session = small_session()
    model = ViewportModel(session, ToolState())
    model.resize(SIZE)
    model.controller.set_camera(CAMERAS["from aside"])
    scene, places = model.scene, heads(model)
    (mesh,) = scene.draw_list().meshes
    count = len(mesh.geometry.positions)
    assert len(mesh.coarse.positions) < count
    spot = seen(model, 0.5 * (places["calf_l"] + places["foot_l"]))[:2]
    plain = scene.skin_at(spot)
    # What a value a vertex is told of does not fit the light mesh.
    shaded = replace(mesh, occlusion=np.ones(count), region=np.ones(count))
    scene._made = replace(scene.draw_list(), meshes=(shaded,))
    bone, point = scene.skin_at(spot)
    assert session.rig.skeleton.names[bone] == "calf_l" and bone == plain[0]
    assert point == pytest.approx(plain[1])
    picked: list[int] = []
    monkeypatch.setattr(
        scene_composer,
        "pick_mesh",
        lambda meshes, *_: picked.extend(len(m.geometry.positions) for m in meshes),
    )
    assert scene.skin_at(spot) is None and picked == [len(mesh.coarse.positions)]
    model.close()
    session.close()


def test_colours_of_a_theme_are_taken_by_all_that_is_drawn(model) -> None:
    scene = model.scene
    drawn = model.draw_list()
    scene.use_colors(LIGHT)
    assert model.draw_list() is not drawn
    assert scene.axis_colors == (LIGHT.axis_x, LIGHT.axis_y, LIGHT.axis_z) and scene.clay == LIGHT.body
    assert scene.ghosts.tints == scene.trails.tints == (LIGHT.ghost_before, LIGHT.ghost_after)
    assert scene.trails.marks == (LIGHT.bone_selected, LIGHT.text, LIGHT.bone_outline)
    assert scene.trails.ramp == (LIGHT.path_low, LIGHT.text, LIGHT.path_high)
    assert scene.run.color == with_alpha(LIGHT.text, 0.35) and scene.run.tint == with_alpha(
        LIGHT.ghost_before, 0.45
    )
    assert scene.shot.lines == with_alpha(LIGHT.text, 0.7) and scene.shot.chosen == LIGHT.bone_selected
    assert scene.shot.ghost == with_alpha(LIGHT.text, 0.35)
    assert scene.transition.tints[0] == with_alpha(LIGHT.ghost_before, 0.75)


def test_a_pose_that_is_not_keyed_shows_where_the_keys_are(session, model) -> None:
    assert model.draw_list().ghosts == ()
    session.keying.auto = False
    moved = session.evaluator.pose().with_bone(6, translation=np.array([0.3, 0.1, 0.0]))
    session.keying.commit_pose("moved", moved, ["hand_l"])
    (ghost,) = model.draw_list().ghosts
    assert tuple(ghost.tint) == tuple(model.scene.pending_tint)
    session.switches.set("mesh", False)
    assert model.draw_list().ghosts == ()
