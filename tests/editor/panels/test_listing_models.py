"""Panels that list: the compile report, mirror lists, the pose library and blend spaces, by pins."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.rig.rig import MirrorSetup
from core.rig.skeleton import Skeleton
from editor.model.blending.state import Blending
from editor.model.compile_state import Compiling
from editor.model.posing.state import PosingState
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.panels.compile.view_model import Column, CompileModel, size_text
from editor.panels.mirror.view_model import MirrorLists
from editor.panels.pose_library.view_model import DRAG_PIXELS, PoseLibrary
from editor.tools.blending.plot import Part
from editor.tools.pointer import Modifiers
from tests.editor.actions import rich
from tests.editor.panel_stage import small_session
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    yield made
    made.close()


# ------------------------------------------------------------ compiling
def _report(**more: object) -> SimpleNamespace:
    made = {
        "raw": 12_000, "motion": 1_500, "file": 2_400, "ratio": 8.0, "file_ratio": 5.0, "rounds": 1, "random": 2e-6,
        "checked": 12_345, "mean": 1.5e-6, "seconds": 0.123, "steps": (("channels", 6_000), ("keys", 6_000),
                                                                       ("more", 6_400), ("fewer", 1_500)),
    }  # fmt: skip
    return SimpleNamespace(**(made | more))


def _compiled(session, **more: object) -> SimpleNamespace:
    skeleton, clip = session.rig.skeleton, session.clip
    rng = np.random.default_rng(1)
    metres = rng.uniform(0.0, 1e-4, (61, len(skeleton)))
    errors = SimpleNamespace(
        largest=metres.max(axis=0),
        moments=metres.argmax(axis=0) / 30.0,
        times=np.arange(61) / 30.0,
        metres=metres,
    )
    return SimpleNamespace(
        report=_report(**more), order=SimpleNamespace(clip=clip), errors=errors, holds=True,
        clip=SimpleNamespace(skeleton=skeleton), options=SimpleNamespace(metres=1e-4),
    )  # fmt: skip


class Compiles:
    """Stands in for the session: what came of compiling is given."""

    def __init__(self, session, result) -> None:
        self._session, self.state = session, SimpleNamespace(result=result, fresh=result)

    def __getattr__(self, name: str) -> object:
        return getattr(self._session, name)

    def feature(self, kind: type) -> object:
        assert kind is Compiling
        return self.state


def test_the_compile_report_in_words_rows_and_a_graph(session) -> None:
    stands = Compiles(session, _compiled(session))
    model = CompileModel(stands)
    with PINS.together("compile") as note:
        note(model.summary(), model.steps(), model.bone, model.graph().frames, model.graph().millimetres)
        for column, down in itertools.product(Column, (True, False)):
            model.sort(column, down)
            found = model.rows()
            note(found)
            values = [(row.name.casefold(), row.millimetres, row.frame)[column] for row in found]
            assert values == sorted(values, reverse=down)
        model.pick(found[3])
        note(
            session.playback.time,
            list(session.selection.bones),
            model.bone,
            model.graph().bone,
            model.graph().bound,
        )
        for frame in (-3.0, 12.0, 500.0):
            model.go_to_frame(frame)
            note(session.playback.time)
        stands.state.fresh = None
        stands.state.result = _compiled(session, rounds=3)
        note(model.summary())
        stands.state.result = None
    assert (
        model.summary() is None
        and model.steps() == model.rows() == ()
        and model.bone is model.graph() is None
    )
    tips = [step.tip.split()[1:3] for step in CompileModel(Compiles(session, _compiled(session))).steps()[1:]]
    assert tips == [["saves", "6.0"], ["saves", "0"], ["adds", "400"], ["saves", "4.9"]]


def test_sizes_in_words() -> None:
    table = {0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 999_949: "999.9 kB", 999_999: "1000.0 kB",
             1_000_000: "1.00 MB",
             2_345_000: "2.35 MB"}  # fmt: skip
    assert {size: size_text(size) for size in table} == table


# ------------------------------------------------------------ mirror
def test_mirror_lists_show_and_take_every_edit(session) -> None:
    model, begun = MirrorLists(session), session.history.position
    session.selection.select(["hand_l", "foot_r"])
    with PINS.together("mirror") as note:
        note(model.lists())
        for act in (
            lambda: model.pair("hand_l", "foot_l"), lambda: model.pair("chest", "spine"), model.pair_selected,
            lambda: model.to_axis(("hand_l", "thigh_l")), lambda: model.leave_out(("calf_l", "head")),
            lambda: model.swap_sides("hand_l", "hand_r"), lambda: model.swap_sides("hand_r", "hand_l"),
            lambda: model.set_axis(2), model.take_proposal, lambda: model.leave_out(session.rig.skeleton.names),
        ):  # fmt: skip
            for again in (False, True):
                if not again:
                    while session.history.position > begun:
                        session.undo()
                note(act(), model.lists(), session.history.undo_label)
        model.show("head", "spine")
        note(list(session.selection.bones))
        session.selection.select(["head"])
        model.tried(model.pair_selected)
        note(list(session.said))
    session.document.replace(type(session.document.project)({}), None)
    assert model.lists() is None
    with pytest.raises(ValidationError, match="no character"):
        model.set_axis(1)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_left_one_of_a_pair_without_a_side_in_its_name_lies_ahead(session, axis) -> None:
    """Two fins, apart along one axis."""
    places = np.zeros((3, 3))
    places[1, axis], places[2, axis] = 0.5, -0.5
    rest = Transform(places, np.tile([0.0, 0.0, 0.0, 1.0], (3, 1)), np.ones((3, 3)))
    skeleton = Skeleton(("body", "fin one", "fin two"), np.array([-1, 0, 0], np.int32), rest)
    mirror = MirrorSetup(axis, (), ())
    made = replace(session.rig, id=AssetId("rig-fish"), name="fish", skeleton=skeleton, mirror=mirror)
    session.edits.put("fish", made)
    session.playback.set_clip(None, made.id)
    for pair in (("fin one", "fin two"), ("fin two", "fin one")):
        model = MirrorLists(session)
        model.pair(*pair)
        assert session.rig.mirror.pairs == (("fin one", "fin two"),)
        model.leave_out(("fin one",))


# ------------------------------------------------------------ poses
def test_the_pose_library_lists_blends_and_keeps(session) -> None:
    model = PoseLibrary(session)
    assert model.empty_library and model.cards() == () and model.has_rig
    with PINS.together("pose library") as note:

        def told() -> None:
            cards = [(c.name, c.tags, c.partial, c.chosen, c.active) for c in model.cards()]
            assets = [(a.name, a.weights) for a in model.assets()]
            note(cards, assets, model.tags(), model.masks(), list(session.said), session.history.undo_label,
                 session.evaluator.pose().rotations)  # fmt: skip
            session.said.clear()

        session.playback.seek(20.0 / 30.0)
        first = model.save("bent")
        session.selection.select(["upper_arm_l", "hand_l"])
        session.playback.seek(40.0 / 30.0)
        second, third = model.save(), model.save("last")
        session.selection.select([])
        told()
        session.playback.seek(0.0)
        for act in (
            lambda: model.choose(first), lambda: model.choose(third, through=True),
            lambda: model.choose(second, add=True),
            lambda: model.choose(second, add=True), lambda: model.choose(first, through=True),
            lambda: model.press(second), lambda: model.drag(DRAG_PIXELS / 2.0), lambda: model.release(True),
            lambda: model.press(third), lambda: model.release(False), lambda: model.press(first),
            lambda: model.drag(-40.0), model.cancel, lambda: model.drag(3.0), lambda: model.release(True), model.cancel,
            lambda: model.press(AssetId("gone")), lambda: model.tag(second, "arm, left  bent"),
            lambda: model.rename(second, "other"), lambda: model.rename(second, " "), lambda: model.update(third),
            lambda: model.choose(first), lambda: model.choose(second, add=True), model.make_asset, model.new_clip,
        ):  # fmt: skip
            note(act())
            told()
        for words in ("bent", "arm", "nothing", ""):
            model.words = words
            told()
        session.playback.set_clip(AssetId("clip-small"))
        for asset in model.assets():
            for weight in asset.weights:
                model.weigh(weight.name, 0.3)
                model.weigh(weight.name, 0.6)
                model.unweigh()
                told()
                model.weigh(weight.name, 0.4)
                model.weighed()
                told()
            model.bake_asset(asset.id)
            told()
            model.delete_asset(asset.id)
            told()
        model.delete([first, third])
        told()
        note(len(session.feature(PosingState).poses))
    assert not model.empty_library


# ------------------------------------------------------------ blend spaces
def test_a_blend_space_is_shown_nudged_and_changed() -> None:
    session, _ = rich.at_stage("blend")
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    model = BlendSpaceModel(session)
    told_changed: list[None] = []
    told_moved: list[None] = []
    model.changed.connect(told_changed.append)
    model.moved.connect(told_moved.append)
    with PINS.together("blend space") as note:

        def told() -> None:
            names = [name for _, name in model.names()]
            note(names, model.rows(), [name for _, name in model.base_clips()], model.slip_at(), model.selected,
                 model.hovered, model.part, model.live.point, list(said), session.history.undo_label,
                 bool(told_changed), bool(told_moved))  # fmt: skip
            told_changed.clear(), told_moved.clear(), said.clear()

        told()
        for act in (
            lambda: model.drop("clip-2", (40.0,)), lambda: model.drop("clip-small", (10.0,)),
            lambda: model.drop("gone", (0.0,)), lambda: model.select(1), lambda: model.select(1),
            lambda: model.hover(0, Part.RING), lambda: model.hover(0, Part.RING), lambda: model.set_value(0, 20.0),
            *(lambda held=held: model.nudge((1, 0), held) for held in
              (Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL)),
            lambda: model.nudge((-1, 0), Modifiers.NONE), lambda: model.move_sample(0, 0, 25.0),
            lambda: model.set_rate(0, 1.5), lambda: model.set_rate(0, -1.0),
            lambda: model.change_axis(0, name="pace", maximum=80.0),
            lambda: model.change_axis(0, maximum=-900.0), lambda: model.change_axis(3, name="none"),
            lambda: model.set_triangles(True), lambda: model.set_triangles(False), lambda: model.set_snap(True),
            lambda: model.set_snap(False), model.toggle_slip, model.toggle_slip, model.analyse,
            model.remove_selected, model.remove_selected, lambda: model.select(7), model.remove_selected, model.cancel,
        ):  # fmt: skip
            note(act())
            told()
    session.feature(Blending).live.stop()
    model.close()
    told_changed.clear()
    session.playback.set_clip(None, session.rig.id)
    assert not told_changed
    session.close()
