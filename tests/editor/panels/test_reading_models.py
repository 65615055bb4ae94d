"""Panels that read and edit numbers of bones, bodies, clips, weights and variables, without widgets; by pins."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.edits import KeepTime
from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import RetargetMode, VirtualBone
from core.tracks.keys import scalar_track
from editor.model.channels import curve_channel
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.check import RangeCheck
from editor.panels.bodies.view_model import BodiesModel, short
from editor.panels.bone_tree.view_model import FLAGS, BoneTree, Show
from editor.panels.clips.view_model import ClipList
from editor.panels.inspector.view_model import Inspector, Space
from editor.panels.retarget.view_model import axes_of, lines_of, units_of
from editor.panels.variables.view_model import pad_axes, set_axes, share_of, value_of
from editor.panels.weights.view_model import Weights
from tests.editor.actions import rich
from tests.editor.panel_stage import small_session
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    made.playback.seek(25.0 / 30.0)
    yield made
    made.close()


# ------------------------------------------------------------ inspector
def test_every_number_of_a_bone_is_previewed_kept_and_given_up(session) -> None:
    model, begun = Inspector(session), session.history.position
    with PINS.together("inspector") as note:
        for space, bone, auto in itertools.product(Space, ("lower_arm_l", "pelvis", "hand_l"), (True, False)):
            for part, axis in itertools.product(Property, range(3)):
                while session.history.position > begun:
                    session.undo()
                session.keying.auto = auto
                model.space = space
                session.selection.select(["head", bone])
                note(model.reading(), model.key_state(part, axis))
                model.preview(part, axis, 1.25)
                note(model.reading().values, session.preview.pose is None)
                model.preview(part, axis, 0.75)
                note(model.reading().values)
                if axis == 1:
                    model.cancel()
                    note(model.reading().values)
                note(model.commit(part, axis, 400.0 if part is Property.ROTATE else 0.5))
                note(
                    model.reading(),
                    session.history.undo_label,
                    model.key_state(part, axis),
                    list(session.keying.pending),
                )
        session.keying.auto = True
        model.space = Space.LOCAL
        session.selection.select([])
        assert model.reading() is None and not model.commit(Property.ROTATE, 0, 1.0)
        assert not model.toggle_keys(Property.ROTATE)


def test_keys_of_a_property_are_set_and_taken_away(session) -> None:
    model = Inspector(session)
    with PINS.together("toggled keys") as note:
        for bone, part, frame in itertools.product(("lower_arm_l", "head"), Property, (20.0, 25.0)):
            session.selection.select([bone])
            session.playback.seek(frame / 30.0)
            for _ in range(2):
                note(model.toggle_keys(part), session.history.undo_label,
                     [(str(c.bone), c.property, c.axis, t.times) for c, t in session.clip.tracks.items()])  # fmt: skip
        session.selection.set_flag("locked", ["head"])
        note(model.toggle_keys(Property.ROTATE), model.reading().locked, list(session.said))
        note(model.commit(Property.ROTATE, 1, 20.0), session.history.undo_label)
        session.selection.set_flag("locked", [])
        session.playback.set_clip(None, session.rig.id)
        session.selection.select(["head"])
        note(
            model.toggle_keys(Property.ROTATE),
            model.commit(Property.ROTATE, 1, 20.0),
            model.reading(),
            list(session.said),
        )


# ------------------------------------------------------------ bone tree
def test_bones_are_listed_by_words_and_filters_with_those_above_them(session) -> None:
    virtual = (VirtualBone("vb_hand", "hand_r", "hand_l"), VirtualBone("vb_foot", "pelvis", "foot_r"))
    session.edits.put("virtual", replace(session.rig, virtual_bones=virtual))
    arm = {Channel("head", Property.ROTATE, 0): scalar_track([0.5], [1.0])}
    session.edits.put("more", session.clip.with_tracks(arm))
    tree = BoneTree(session)
    with PINS.together("bone tree") as note:
        note(tree.names, tree.parents, [tree.label(name) for name in tree.names])
        session.selection.select(["hand_l", "spine"])
        for words, show, frame in itertools.product(("", "arm", "L arm", "vb", "none"), Show, (15, 20, 25)):
            session.playback.seek(frame / 30.0)
            note(tree.forget_marks())
            found = tree.listing(words, show)
            note(found.children, found.matches, [tree.mark(name) for name in tree.names])
        session.keying.auto = False
        moved = session.evaluator.pose().with_bone(6, translation=np.array([0.3, 0.1, 0.0]))
        session.keying.commit_pose("moved", moved, ["hand_l"])
        note(tree.forget_marks(), tree.listing("", Show.CHANGED).children, tree.mark("hand_l"))
        for bone, flag in itertools.product(("hand_l", "head", "head"), FLAGS):
            tree.toggle(bone, flag)
            note([name for name in tree.names if tree.flag(name, flag)])
        for bones in (("head",), ("head", "vb_hand"), ("vb_hand", "head"), ()):
            tree.select(bones)
            note(list(session.selection.bones), tree.listing("", Show.SELECTED).children)
        for bone in ("head", "vb_hand", None):
            tree.hover(bone)
            note(session.selection.hover)
        session.selection.select(["hand_l", "spine"])
        for bone, mode, below in itertools.product(("hand_l", "thigh_r"), RetargetMode, (False, True)):
            tree.set_mode(bone, mode, below)
            note([tree.mode(name) for name in session.rig.skeleton.names])
    session.document.replace(type(session.document.project)({}), None)
    assert tree.names == tree.parents == tree.virtual_bones == () and tree.listing().children == {-1: ()}
    assert tree.mode("head") is RetargetMode.SKELETON


# ------------------------------------------------------------ bodies
def test_bodies_are_listed_with_ranges_and_what_leaves_them(session) -> None:
    model = BodiesModel(session)
    assert (
        model.rows() == model.axes() == ()
        and model.total() == ""
        and model.passes_through() == model.may_collide() == ()
    )
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.feature(Bodies).watch(True)
    with PINS.together("bodies") as note:
        for bone, frame in itertools.product(("pelvis", "lower_arm_l", "head", "foot_r"), (0, 20)):
            session.selection.select([bone])
            session.playback.seek(frame / 30.0)
            note(model.rows(), model.total(), model.axes(), model.passes_through(), model.may_collide(),
                 None if model.active is None else model.is_root(model.active))  # fmt: skip
        note(model.verdict(), model.check_rows())
    check = session.feature(RangeCheck)
    excess = SimpleNamespace(bone="lower_arm_l", axis=2, beyond=12.5)
    rows = (
        SimpleNamespace(clip=session.clip.id, name="swing", time=0.5, excess=excess),
        SimpleNamespace(clip=AssetId("gone"), name="gone", time=0.5, excess=replace_bone(excess, "head")),
        SimpleNamespace(clip=AssetId("gone"), name="gone", time=0.7, excess=excess),
    )
    for found, stale, count, words in (
        (rows, False, 5, ("2 of 5 clips leave 2 ranges", "warning")),
        (rows[:1], False, 1, ("1 of 1 clip leave 1 range", "warning")),
        ((), False, 2, ("All ranges hold (2 clips)", "caption")),
        (rows, True, 5, ("Bodies or clips have changed since: check again", "caption")),
        (None, False, 0, ("Not checked yet", "caption")),
    ):  # fmt: skip
        model.check = SimpleNamespace(rows=found, stale=stale, checked=count)
        assert model.verdict() == words
    model.check = SimpleNamespace(rows=rows)
    assert [(r.clip, r.joint, r.beyond, r.frame) for r in model.check_rows()] == [
        ("swing", "lower_arm_l twist", 12.5, "15"), ("gone", "head twist", 12.5, ""),
        ("gone", "lower_arm_l twist", 12.5, ""),
    ]  # fmt: skip
    assert check is session.feature(RangeCheck)


def replace_bone(excess: SimpleNamespace, bone: str) -> SimpleNamespace:
    return SimpleNamespace(bone=bone, axis=excess.axis, beyond=excess.beyond)


def test_numbers_of_narrow_columns() -> None:
    table = {
        0.0: "0",
        1.2345: "1.23",
        99.94: "99.9",
        99.96: "100",
        100.0: "100",
        -100.4: "-100",
        12345.6: "12,346",
    }
    assert {value: short(value) for value in table} == table


# ------------------------------------------------------------ clips
def test_clips_are_listed_and_every_setting_changed() -> None:
    session, _ = rich.at_stage("layer")
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    model, begun = ClipList(session), session.history.position
    clip = model.settings().id
    with PINS.together("clips") as note:

        def told() -> None:
            rows = [
                replace(row, id=AssetId("-"))
                for words in ("", "swing", "o th", "none")
                for row in model.rows(words)
            ]
            note(rows, replace(model.settings(), id=AssetId("-")), list(said), session.history.undo_label)
            said.clear()

        told()
        for act in (
            lambda: bool(model.new()), lambda: bool(model.duplicate(clip)), lambda: model.rename(clip, "other"),
            lambda: model.rename(clip, "walk"), lambda: model.rename(clip, ""), lambda: model.delete(clip),
            lambda: model.set_frames(clip, 90.0), lambda: model.set_frames(clip, -1.0),
            lambda: model.rate_asks(clip, 30.0),
            lambda: model.rate_asks(clip, 24.0), lambda: model.set_rate(clip, 24.0, KeepTime.SECONDS),
            lambda: model.set_rate(clip, 24.0, KeepTime.FRAMES), lambda: model.set_looping(clip, False),
            lambda: model.set_root_motion(clip, {"enabled": True}),
            lambda: model.set_root_motion(clip, {"bone": "spine"}),
            lambda: model.set_root_motion(clip, {"bone": "gone"}),
            lambda: model.show(AssetId("clip-2")),
        ):  # fmt: skip
            while session.history.position > begun:
                session.undo()
            model.show(clip)
            note(act())
            told()
    assert model.has_rig
    session.document.replace(type(session.document.project)({}), None)
    assert model.rows() == () and model.settings() is None and not model.has_rig
    session.close()


# ------------------------------------------------------------ weights
def test_weights_are_previewed_keyed_and_named() -> None:
    session, _ = rich.at_stage("plain")
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    model, begun = Weights(session), session.history.position
    speed = curve_channel("speed")
    with PINS.together("weights") as note:

        def told() -> None:
            rows = [(r.name, r.place, r.value, r.state, r.selected, r.is_curve) for r in model.rows()]
            note(rows, len(model.rows("SP ee")), len(model.rows("none")), session.preview.clip is None, list(said),
                 session.history.undo_label)  # fmt: skip
            said.clear()

        for auto, frame in itertools.product((True, False), (10, 30)):
            for act in (
                lambda: model.preview(speed, 0.25), lambda: (model.preview(speed, 0.3), model.preview(speed, 0.6))[0],
                lambda: (model.preview(speed, 0.3), model.cancel())[1], lambda: model.commit(speed, 0.4),
                lambda: model.toggle_key(speed), lambda: (model.toggle_key(speed), model.toggle_key(speed))[1],
                lambda: model.add_curve().bone, lambda: model.add_curve("speed").bone, lambda: model.clear(speed),
                lambda: model.clear(curve_channel("gone")), lambda: model.rename_curve(speed, "pace"),
                lambda: model.rename_curve(speed, "speed"), lambda: model.rename_curve(speed, " "),
                lambda: (model.add_curve("pace"), model.rename_curve(speed, "pace"))[1],
                lambda: model.rename_curve(curve_channel("gone"), "pace"),
            ):  # fmt: skip
                session.preview.clear()
                while session.history.position > begun:
                    session.undo()
                session.keying.auto = auto
                session.playback.seek(frame / 30.0)
                note(act())
                told()
                model.cancel()
    session.playback.set_clip(None, session.rig.id)
    assert (
        model.add_curve("none") is None and not model.clear(speed) and not model.rename_curve(speed, "other")
    )
    model.preview(speed, 0.2)
    assert session.preview.clip is None
    session.close()


# ------------------------------------------------------------ variables
class Played:
    """A run whose variables are given."""

    def __init__(self) -> None:
        graph = SimpleNamespace(id="g")
        kinds = ((Kind.FLOAT, Role.INPUT, -2.0, 6.0), (Kind.INT, Role.INPUT, 0.0, 10.0),
                 (Kind.VECTOR, Role.INPUT, -1.0, 1.0),
                 (Kind.FLOAT, Role.INPUT, 0.0, 2e6), (Kind.FLOAT, Role.INPUT, 0.0, 1e6),
                 (Kind.FLOAT, Role.INPUT, 3.0, 3.0),
                 (Kind.BOOL, Role.INPUT, 0.0, 1.0),
                 *((Kind.FLOAT, role, 0.0, 1.0) for role in Role if role is not Role.INPUT))  # fmt: skip
        made = [
            SimpleNamespace(name=f"v{n}", kind=kind, role=role, minimum=low, maximum=high)
            for n, (kind, role, low, high) in enumerate(kinds)
        ]
        self.played = SimpleNamespace(variables=[(graph, variable) for variable in made])
        self.values: dict[str, object] = {"v0": 0.0, "v1": 4, "v2": (0.5, -0.5, 1.0)}
        self.sets: list[tuple[str, object]] = []

    def value(self, variable: Variable, graph) -> object:
        return self.values.get(variable.name, "nothing")

    def set(self, name: str, value: object, graph) -> None:
        self.values[name] = value
        self.sets.append((name, value))


def test_the_pad_sets_inputs_with_a_range() -> None:
    run = Played()
    axes = pad_axes(run)
    assert [axis.title for axis in axes] == ["v0", "v1", "v2.x", "v2.y", "v2.z", "v4"]
    assert [value_of(run, axis) for axis in axes] == [0.0, 4.0, 0.5, -0.5, 1.0, 0.0]
    assert [share_of(run, axis) for axis in axes] == [0.25, 0.4, 0.75, 0.25, 1.0, 0.0]
    assert share_of(run, None) == 0.5 and [share_of(run, axes[0], v) for v in (-9.0, 2.0, 9.0)] == [
        0.0,
        0.5,
        1.0,
    ]
    set_axes(run, [(axes[0], 0.5), (axes[1], 0.44)])
    assert run.sets == [("v0", 2.0), ("v1", 4)] and isinstance(run.values["v1"], int)
    run.sets.clear()
    set_axes(run, [(axes[2], 0.0), (axes[4], 0.25)])
    assert run.sets == [("v2", [-1.0, -0.5, -0.5])]
    run.values["v2"] = None
    set_axes(run, [(axes[3], 0.75), (axes[0], 0.0)])
    assert run.sets[1:] == [("v0", -2.0), ("v2", [0.0, 0.5, 0.0])] or run.sets[1:] == [
        ("v2", [0.0, 0.5, 0.0]), ("v0", -2.0)
    ]  # fmt: skip
    assert [value_of(run, axis) for axis in axes[2:5]] == [0.0, 0.5, 0.0]


# ------------------------------------------------------------ a retarget's report
def report(**more: object) -> SimpleNamespace:
    return SimpleNamespace(
        **({"slip": None, "deviation": (0.0, ""), "seconds": 1.234, "frames": 61, "notes": ()} | more)
    )


def slip(before: float, after: float, drop: float = 0.0, contacts: int = 2) -> SimpleNamespace:
    limbs = (SimpleNamespace(limb="left leg", contacts=1, before=before, after=after),
             SimpleNamespace(limb="right leg", contacts=3, before=2.0, after=0.04))  # fmt: skip
    return SimpleNamespace(
        before=before, after=after, worst_after=1.26, contacts=contacts, limbs=limbs, drop=drop
    )


def test_a_report_in_lines() -> None:
    with PINS.together("report") as note:
        for made in (
            report(), report(slip=slip(5.0, 1.0)), report(slip=slip(1.0, 1.0, 0.0123)),
            report(slip=slip(1.0, 1.1, 1e-4)),
            report(slip=slip(5.0, 1.0, contacts=0)), report(deviation=(44.96, "thigh_l")),
            report(deviation=(45.0, "foot")),
            report(frames=1, notes=("feet were held", "")),
        ):  # fmt: skip
            note(lines_of(made))


@pytest.mark.parametrize(
    ("metres", "turn", "units", "axis"),
    [
        (0.01, (0.0, 0.0, 0.0, 1.0), "centimetres", "Y up"), (1.0, (-(0.5**0.5), 0.0, 0.0, 0.5**0.5), "metres", "Z up"),
        (0.0254, (0.0, 0.0, 0.5**0.5, 0.5**0.5), "inches", "X up"), (0.3048, (1.0, 0.0, 0.0, 0.0), "feet", "-Y up"),
        (0.001, (0.5**0.5, 0.0, 0.0, 0.5**0.5), "millimetres", "-Z up"),
        (0.02, (0.0, 0.0, 0.0, 1.0), "0.02 m per unit", "Y up"),
        (0.010009, (0.0, 1.0, 0.0, 0.0), "centimetres", "Y up"),
        (0.01002, (0.0, 0.0, 1.0, 0.0), "0.01002 m per unit", "-Y up"),
    ],
)  # fmt: skip
def test_units_and_axes_of_a_file(metres, turn, units, axis) -> None:
    rig = SimpleNamespace(source=SimpleNamespace(metres_per_unit=metres, to_y_up=np.array(turn)))
    assert (units_of(rig), axes_of(rig)) == (units, axis)
