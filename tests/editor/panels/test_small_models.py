"""View models of small panels on a session: what they show and do in many states, held by pins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Property
from core.ids import AssetId
from core.math.transform import Transform
from core.project.project import Project
from core.rig.spaces import WORLD, Follow
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Prop
from core.tracks.keys import scalar_track
from editor.model.shot.state import Shot
from editor.panels.additive.view_model import AdditiveModel
from editor.panels.pose.view_model import Goal, PoseHelper
from editor.panels.shot.view_model import ASPECTS, ShotModel
from editor.panels.spaces.view_model import SpacesModel
from tests.editor.actions import rich
from tests.editor.panel_stage import small_session
from tests.editor.verb_stages import _held, _prop
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    yield made
    made.close()


# ------------------------------------------------------------ additive
def _additive(session) -> tuple[object, ...]:
    found = session.clip.additive
    return (None,) if found is None else (found.space, found.base, found.base_clip, found.base_time)


def test_a_clip_is_declared_additive_in_every_way(session) -> None:
    other = replace(session.clip, id=AssetId("clip-other"), name="other")
    third = replace(session.clip, id=AssetId("clip-third"), name="third", rig=AssetId("rig-away"))
    away = replace(session.rig, id=AssetId("rig-away"), name="away")
    for asset in (other, away, third):
        session.edits.put("more", asset)
    model = AdditiveModel(session)
    assert [clip.id for clip in model.others()] == [other.id]
    with PINS.together("additive") as note:
        model.set_base(AdditiveBase.CLIP)
        model.set_base_clip(other.id)
        model.set_base_frame(3.0)
        assert _additive(session) == (None,) and session.history.undo_label == "more"
        for space, base in itertools.product(AdditiveSpace, AdditiveBase):
            model.set_space(None)
            note(_additive(session))
            model.set_space(space)
            note(_additive(session))
            model.set_base(base)
            note(_additive(session))
            model.set_base_frame(10.0)
            note(_additive(session))
            model.set_base_clip(other.id)
            note(_additive(session), list(session.said))
            for again in AdditiveBase:
                model.set_base(again)
                note(_additive(session), session.history.undo_label)
            session.playback.seek(1.1)
            figures = model.figures()
            note([(f.title, f.heads, f.tails, f.marked) for f in figures])
        model.set_space(None)
        assert model.figures() is None
    session.playback.set_clip(None, session.rig.id)
    model.set_space(AdditiveSpace.LOCAL)
    model.set_base(AdditiveBase.REST)
    model.set_base_clip(other.id)
    model.set_base_frame(2.0)
    assert model.others() == () and model.figures() is None and model.clip is None


def test_bones_that_differ_are_marked_from_half_a_degree_and_a_millimetre_on(session) -> None:
    rig, model = session.rig, AdditiveModel(session)
    for degrees, metres, marked in (
        (0.4, 0.0, False), (0.6, 0.0, True), (0.0, 0.0009, False), (0.0, -0.0011, True), (0.0, 0.0, False),
    ):  # fmt: skip
        tracks = {
            Channel("lower_arm_l", Property.ROTATE, 1): scalar_track([0.0], [degrees]),
            Channel("lower_arm_l", Property.TRANSLATE, 0): scalar_track([0.0], [0.28 + metres]),
        }
        declared = Additive(AdditiveSpace.LOCAL, AdditiveBase.REST)
        session.edits.put("differs", replace(session.clip, tracks=tracks, additive=declared))
        base, difference, result = model.figures()
        # the line from a bone to its child is the bone
        wanted = [name == "hand_l" and marked for name in rig.skeleton.names]
        assert result.marked.tolist() == difference.marked.tolist() == wanted and not base.marked.any()


# ------------------------------------------------------------ shot
def test_the_list_of_the_shot_and_what_is_told_of_the_selected_one() -> None:
    session, actions = rich.at_stage("plain")
    _prop(session, actions)
    shot, model = session.feature(Shot), ShotModel(session)
    session.edits.put("bare", replace(session.rig, id=AssetId("rig-bare"), name="bare"))
    turned = Transform(np.array([1.0, 1.5, 2.0]), np.array([0.0, 0.6, 0.0, 0.8]), np.ones(3))
    shot.add(
        ShotCamera(AssetId("camera-a"), "first", turned, 50.0),
        ShotCamera(AssetId("camera-b"), "flat", height=2.0),
    )
    clip = replace(session.clip, id=AssetId("clip-bare"), name="bare walk", rig=AssetId("rig-bare"))
    session.edits.put("bare clip", clip)
    shot.add(
        ShotCharacter(
            AssetId("character-a"), "bare", "", AssetId("rig-bare"), clip.id, offset=0.5, place=turned
        )
    )
    shot.add(ShotCharacter(AssetId("character-b"), "gone", "/nowhere/gone.glb"))
    begun = session.history.position

    def told() -> tuple[object, ...]:
        item = model.selected
        return (
            [replace(row, problem=str(bool(row.problem))) for row in model.rows()], model.place(), model.lens(),
            model.fov(), model.lens_keyed(), model.aspect(), model.holds(), model.clip_names(), model.clip_name(),
            model.offset(), model.own_characters(), session.history.undo_label, None if item is None else item.id,
            getattr(item, "sensor", None), getattr(item, "ghosted", None),
        )  # fmt: skip

    acts = {
        "hide": lambda id: model.toggle_visible(id),
        "hide and show": lambda id: (model.toggle_visible(id), model.toggle_visible(id)),
        **{f"{part} {axis}": lambda id, part=part, axis=axis: model.set_place(part, axis, 12.5)
           for part in ("position", "rotation") for axis in range(3)},
        "fov": lambda id: model.set_fov(40.0), "square": lambda id: model.set_aspect("1:1"),
        "wide": lambda id: model.set_aspect("2.39:1"), "no shape": lambda id: model.set_aspect("7:3"),
        "clip": lambda id: model.set_clip("bare walk"), "rest": lambda id: model.set_clip(""),
        "offset": lambda id: model.set_offset(12.0), "ghosted": lambda id: model.set_ghosted(True),
        "keyed": lambda id: shot.key_camera(),
        "keyed elsewhere": lambda id: (shot.key_camera(), session.playback.seek(1.4), model.set_fov(25.0),
                                       session.playback.seek(1.0)),
    }  # fmt: skip
    of_cameras = {"square", "wide", "keyed", "keyed elsewhere"}
    of_characters = {"offset", "ghosted"}
    only = {
        ShotModel: {"hide", "hide and show", *of_cameras, *of_characters}, Prop: of_cameras | of_characters,
        ShotCamera: of_characters, ShotCharacter: of_cameras,
    }  # fmt: skip
    with PINS.together("shot") as note:
        for item in (None, *[one.id for one in shot.all()]):
            for name, act in acts.items():
                while session.history.position > begun:
                    session.undo()
                session.playback.seek(1.0 / 3.0)
                shot.select(item)
                kind = ShotModel if item is None else type(session.document.project.assets[item])
                if name in only.get(kind, ()):
                    continue
                act(item)
                note(name, *told())
    shot.select(AssetId("camera-a"))
    for name, _ in ASPECTS:
        model.set_aspect(name)
        assert model.aspect() == name
    model.add_own(AssetId("rig-bare"))
    added = shot.characters[-1]
    assert (added.name, added.rig, added.clip, added.file) == ("bare 2", "rig-bare", "clip-bare", "")
    session.edits.put("third", replace(session.rig, id=AssetId("rig-third"), name="third"))
    model.add_own(AssetId("rig-third"))
    assert shot.characters[-1].clip is None
    session.close()


def test_holds_of_a_prop_are_told_in_order() -> None:
    session, actions = rich.at_stage("plain")
    _held(session, actions)
    model = ShotModel(session)
    assert [(h.start, h.holder, h.now) for h in model.holds()] == [
        ("always", session.bone_label("hand_l"), True)
    ]
    shot = session.feature(Shot)
    session.playback.seek(20.0 / 30.0)
    shot.release()
    with PINS.together("holds") as note:
        for frame in (0, 19, 20, 40):
            session.playback.seek(frame / 30.0)
            note(model.holds())
    session.close()


# ------------------------------------------------------------ spaces
def test_spans_of_spaces_and_how_they_are_switched(session) -> None:
    model = SpacesModel(session)
    with PINS.together("spaces") as note:

        def told() -> None:
            rows = [(r.bone, r.space, r.frames, r.here) for r in model.rows()]
            note(rows, model.selected(), model.usual(), model.can_switch, session.history.undo_label, model.target,
                 list(session.said))  # fmt: skip

        told()
        for bones, how, target, bake in itertools.product(
            (("hand_l",), ("foot_r", "hand_l"), ()), (None, *Follow), (WORLD, "head", "hand_l"), (True, False)
        ):
            if (bake or not bones) and (how is not None or target != WORLD):
                continue
            while session.history.can_undo:
                session.undo()
            session.said.clear()
            session.playback.seek(0.5)
            session.selection.select(bones)
            model.how, model.target = how, target
            model.state.set_way("bake", bake)
            note(model.switch())
            told()
            session.playback.seek(1.2)
            told()
            for row in model.rows()[:1]:
                model.show(row.span)
                told()
                if how is None and target == WORLD:
                    note(model.bake(row.span))
                    told()
    assert model.targets()[0] == ("World", WORLD) and len(model.targets()) == 1 + len(session.rig.skeleton)
    session.playback.set_clip(None, session.rig.id)
    assert model.rows() == () and not model.ready and not model.can_switch and not model.switch()
    assert model.space_text("head") == "head" and model.space_text(WORLD) == "World"


# ------------------------------------------------------------ pose
def test_the_pose_helper_shows_what_hinders_and_blends() -> None:
    session, _ = rich.at_stage("plain")
    model = PoseHelper(session)
    begun = session.history.position
    with PINS.together("pose helper") as note:
        for goal, frame, bones in itertools.product(
            Goal, (0, 10, 20, 60), ((), ("upper_arm_l",), ("head",), ("upper_arm_l", "hand_l"))
        ):
            while session.history.position > begun:
                session.undo()
            session.selection.select(bones)
            session.playback.seek(frame / 30.0)
            model.goal = goal
            note(model.shown(), model.rest_share())
            for share in (0.0, 0.4, -0.2) if frame == 10 else ():
                model.blend_to(share)
                note(session.evaluator.pose().rotations, session.history.undo_label)
            if frame == 10 and model.begin():
                model.move(0.7)
                model.cancel()
                assert model.blend is None
        note(*model.ghosts())
        for name, value in (("before", 3), ("after", 0), ("step", 7), ("by", "keys")):
            model.set_ghosts(name, value)
            note(*model.ghosts())
        for name in ("arms", "arms", ""):
            note(model.save_set(name), model.shown().sets)
        session.selection.select(["head"])
        model.select_set("arms", add=True)
        note(list(session.selection.bones))
        model.select_set("arms")
        note(list(session.selection.bones))
        model.delete_set("arms")
        note(model.shown(), session.history.undo_label)
    session.document.replace(Project({}), None)
    assert not model.begin() and not model.shown().rig and model.shown().goal_hint
    session.close()
