"""The curve editor without its widget: lanes, view, pointer and commands on a small arm, held by pins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Marker
from core.tracks.components import Reading
from core.tracks.keys import Extrapolation, Interpolation, TangentMode
from editor.model.session import Session
from editor.model.time_axis import TimeUnit
from editor.panels.curves.commands import CurveCommands
from editor.panels.curves.curve_view import REACH
from editor.panels.curves.space import Layout
from editor.panels.curves.stacks import Bundle, Bundles
from editor.panels.curves.view_model import CurvesModel
from editor.tools.curves.lanes import Lane
from editor.tools.key_edits import Edited
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panels.curves.curve_stage import CLIP, RIG, TURN, X, Y, Z, arm_project
from tests.pins import Pins

PINS = Pins(__file__)
NO, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT
SELECTIONS = {
    "one key": {X: np.array([2])},
    "two of one curve": {X: np.array([2, 3])},
    "of three curves": {X: np.array([1]), Y: np.array([1, 4]), Z: np.array([0, 7])},
    "at the ends": {Y: np.array([0, 7])},
    "quaternions": {TURN: np.array([1, 2])},
    "mixed": {X: np.array([3]), TURN: np.array([2])},
}


class Scene:
    def __init__(self) -> None:
        self.session = Session.create()
        self.session.edit_jobs.grace = 400.0
        self.session.document.replace(arm_project(), None)
        self.session.playback.set_clip(CLIP, RIG)
        self.session.playback.seek(0.5)
        clip = self.session.clip
        self.session.edits.put("marker", replace(clip, markers=(Marker("here", 0.612),)))
        self.begun = self.session.history.position
        self.model = CurvesModel(self.session)
        self.lanes, self.view, self.pointer = self.model.lanes, self.model.view, self.model.pointer
        self.commands = CurveCommands(self.model)
        self.view.resize(800.0, 400.0)
        self.session.selection.select(["arm", "hand"])
        self.lanes.set_flag(
            "hidden", [lane for lane in self.lanes.all() if lane.channel not in (X, Y, Z, TURN)]
        )
        self.view.fit_all()
        self.axes = self.view.axis, self.view.values
        self.said: list[str] = []
        self.session.messages.posted.connect(lambda message: self.said.append(message.text))

    def again(self, keys=None) -> None:
        while self.session.history.position > self.begun:
            self.session.undo()
        self.session.preview.clear()
        self.lanes.buffer = None
        self.lanes.set_flag("chosen", ())
        self.lanes.set_flag("locked", ())
        self.session.selection.select_keys(keys or {})
        self.session.playback.seek(0.5)
        self.view.set_axes(*self.axes)
        self.said.clear()

    def told(self) -> tuple[object, ...]:
        session, clip = self.session, self.session.evaluator.clip
        tracks = []
        for channel in (X, Y, Z, TURN):
            track = clip.tracks.get(channel)
            if track is not None:
                columns = ("times", "values", "in_slopes", "out_slopes", "modes", "interpolations", "in_weights",
                           "out_weights", "before", "after")  # fmt: skip
                tracks.append([getattr(track, name) for name in columns if hasattr(track, name)])
        return (
            tracks, [(str(c.bone), c.axis, k) for c, k in session.selection.keys.items()],
            session.history.undo_label, session.playback.time, self.view.axis.start, self.view.values.low,
            sorted(str(lane.name) for lane in self.lanes.chosen), self.lanes.buffer is not None, list(self.said),
        )  # fmt: skip

    def close(self) -> None:
        self.model.close()
        self.session.close()


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


# ------------------------------------------------------------ lanes
def test_lanes_by_selection_search_and_flags(scene) -> None:
    lanes = scene.lanes

    def names(some) -> list[str]:
        return [f"{lane.group}/{lane.name}" for lane in some]

    with PINS.together("lanes") as note:
        for bones, search in itertools.product(
            ((), ("arm",), ("hand",), ("elbow",)), ("", "rot", "arm x", "nothing")
        ):
            scene.session.selection.select(bones)
            scene.model.set_search(search)
            note(
                names(lanes.all()), names(lanes.visible()), sorted(names(lanes.bright())), len(lanes.curves())
            )
        scene.model.set_search("")
        scene.session.selection.select(["arm"])
        every = lanes.all()
        for flag in ("hidden", "locked", "solo", "chosen"):
            for some in (every[:2], every[1:3], every[1:3]):
                lanes.toggle_flag(flag, some)
                note(
                    sorted(names(getattr(lanes, flag))), names(lanes.visible()), sorted(names(lanes.bright()))
                )
        note(
            list(lanes.editable({X: np.array([1]), Y: np.array([2]), TURN: np.array([0])})), list(scene.said)
        )
        scene.session.selection.set_flag("locked", ["arm"])
        note(list(lanes.unlocked({X: np.array([1]), TURN: np.array([2])})), list(scene.said))


def test_quaternions_are_read_in_another_way(scene) -> None:
    told: list[None] = []
    scene.lanes.curves_changed.connect(told.append)
    with PINS.together("readings") as note:
        for reading in Reading:
            told.clear()
            differs = reading is not scene.lanes.reading
            scene.lanes.set_reading(reading)
            assert scene.lanes.reading is reading and bool(told) == differs
            note([scene.lanes.curve(Lane(TURN, part)).values for part in range(3)])


# ------------------------------------------------------------ view
def test_layouts_fits_and_the_wheel(scene) -> None:
    view = scene.view

    def told() -> tuple[object, ...]:
        places = [view.key_places(curve, slice(0, 3)) for curve in scene.lanes.curves()]
        handles = [(str(h.lane.channel.bone), h.key, h.side, h.place, h.key_place) for h in view.handles()]
        return (view.axis.start, view.axis.scale, view.values.low, view.values.high, view.content(), places, handles,
                view.rise(Lane(X), 10.0), view.snapped(0.61, {}), view.snapped(0.5055, {}))  # fmt: skip

    with PINS.together("view") as note:
        for layout in Layout:
            view.set_layout(layout)
            for keys in (None, *SELECTIONS.values()):
                scene.again(keys)
                view.fit_selection()
                note(*told())
        view.set_layout(Layout.ABSOLUTE)
        for steps, held in itertools.product((1.0, -2.0, 12.0), (NO, SHIFT, CTRL, ALT, SHIFT | CTRL)):
            scene.again(SELECTIONS["two of one curve"])
            view.wheel(300.0, 120.0, steps, held)
            note(*told())
        for size in ((500.0, 200.0), (50.0, 400.0), (900.0, 20.0), (0.0, 0.0), (800.0, 400.0)):
            view.resize(*size)
            note(*told())
        view.weighted = True
        view.refresh_handles()
        note(*told())
        view.fit_values(True)
        scene.session.selection.select([])
        note(*told())
        view.rest(True)
        view.fit_values()
        view.fit_all(keep_time=True)
        note(view.still, view.touched, view.values.low)
        view.rest(False)
        scene.session.edits.put(
            "far", scene.session.clip.with_tracks({X: replace(scene.session.clip.tracks[X])})
        )
        view.come_into_sight()
        note(*told())
    assert view.unit is TimeUnit.FRAMES


# ------------------------------------------------------------ pointer
def key_pixels(scene: Scene) -> list[tuple[float, float]]:
    found = []
    for curve in scene.lanes.curves():
        xs, ys = scene.view.key_places(curve, slice(0, 4))
        found += [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
    return found


def test_what_lies_under_every_place(scene) -> None:
    for name, keys in SELECTIONS.items():
        with PINS.together(f"under: {name}") as note:
            scene.again(keys)
            for curve in scene.lanes.curves():
                note([scene.pointer.value_at(curve, time) for time in (-0.4, 0.0, 0.31, 1.999, 2.7)])
            for (x, y), (dx, dy) in itertools.product(
                key_pixels(scene), ((0.0, 0.0), (REACH - 1.0, 0.0), (0.0, REACH + 0.5), (-20.0, 5.0))
            ):
                key, handle = scene.pointer.key_at(x + dx, y + dy), scene.pointer.handle_at(x + dx, y + dy)
                lane = scene.pointer.lane_at(x + dx, y + dy)
                note(None if key is None else (key[0].name, key[1]), None if handle is None else
                     (handle.lane.name, handle.key, handle.side), None if lane is None else lane.name)  # fmt: skip
            for handle in scene.view.handles():
                found = scene.pointer.handle_at(handle.place[0] + 2.0, handle.place[1] - 2.0)
                note(found.key, found.side)


def test_presses_drags_and_clicks(scene) -> None:
    for held in (NO, SHIFT, CTRL, ALT):
        with PINS.together(f"press: {held.name}") as note:
            for keys, (dx, dy) in itertools.product(
                ({}, SELECTIONS["two of one curve"], SELECTIONS["mixed"]), ((0.0, 0.0), (31.0, -24.0))
            ):
                scene.again(keys)
                handles = [(h.place[0], h.place[1]) for h in scene.view.handles()]
                for x, y in (*key_pixels(scene)[::3], *handles[:2], (400.0, 3.0), (401.0, 200.0)):
                    scene.again(keys)
                    began = scene.pointer.press(Pointer(x, y, Button.LEFT, held))
                    note(type(began).__name__)
                    for share in (0.5, 1.0) if dx else ():
                        scene.model.gestures.move(Pointer(x + share * dx, y + share * dy, Button.LEFT, held))
                    note(None if scene.pointer.outline is None else scene.pointer.outline)
                    scene.model.gestures.release(Pointer(x + dx, y + dy, Button.LEFT, held))
                    note(*scene.told())


def test_panning_scrubbing_and_the_ruler(scene) -> None:
    with PINS.together("pan and ruler") as note:
        for button in (Button.MIDDLE, Button.RIGHT, Button.LEFT, Button.NONE):
            for scrubbing in (False, True):
                scene.again()
                scene.pointer.scrubbing = scrubbing
                note(type(scene.pointer.press(Pointer(300.0, 20.0, button))).__name__)
                scene.model.gestures.move(Pointer(340.0, 55.0, button))
                note(*scene.told())
                note(
                    scene.model.gestures.cancel(),
                    scene.view.axis == scene.axes[0],
                    scene.view.values == scene.axes[1],
                )
            scene.pointer.scrubbing = False
            scene.session.playback.set_range(0.4, 1.2)
            for x in (scene.view.axis.x(0.4), scene.view.axis.x(1.2), 500.0, -900.0):
                scene.pointer.press_ruler(Pointer(x, 5.0, button))
                scene.model.gestures.move(Pointer(x + 40.0, 5.0, button))
                scene.model.gestures.release(Pointer(x + 40.0, 5.0, button))
                note(scene.session.playback.range, scene.session.playback.time)


def test_a_key_is_put_on_a_curve_where_that_can_be(scene) -> None:
    with PINS.together("inserted") as note:
        for snap, lane in itertools.product((True, False), (None, Lane(X), Lane(TURN, 1))):
            scene.again()
            scene.session.switches.set("snap", snap)
            note(scene.pointer.insert_at(333.3, lane), *scene.told())
        scene.again()
        scene.lanes.set_flag("locked", [Lane(X)])
        note(scene.pointer.insert_at(333.3, Lane(X)), *scene.told())


# ------------------------------------------------------------ commands
COMMANDS = {
    **{f"mode {mode.name}": lambda c, mode=mode: c.set_mode(mode) for mode in TangentMode},
    **{f"kind {kind.name}": lambda c, kind=kind: c.set_kind(kind) for kind in Interpolation},
    **{f"before {how.name}": lambda c, how=how: c.set_extrapolation(how, None) for how in Extrapolation},
    **{f"after {how.name}": lambda c, how=how: c.set_extrapolation(None, how) for how in Extrapolation},
    "break": lambda c: c.break_tangents(), "unify": lambda c: c.unify_tangents(),
    "reset weights": lambda c: c.reset_weights(), "delete": lambda c: c.delete(),
    "frame": lambda c: c.commit("frame", c.frame_edit(17.5)), "value": lambda c: c.commit("value", c.value_edit(12.5)),
    "in": lambda c: c.commit("in", c.slope_edit(20.0, -1)), "out": lambda c: c.commit("out", c.slope_edit(-30.0, 1)),
    **{f"each {what}": lambda c, what=what: c.commit(what, c.each_edit(what, lambda v: 1.5 * v + 1.0))
       for what in ("frame", "value", "in", "out")},
    "shown": lambda c: c.show(c.value_edit(3.0)),
    "shown and taken back": lambda c: (c.show(c.value_edit(3.0)), c.revert())[1],
    "copied and pasted": lambda c: (c.copy(), c.paste())[1],
    "pasted backwards": lambda c: (c.copy(), c.paste(True, True))[1],
    "pasted in place": lambda c: (c.copy(), c.paste(False))[1], "duplicate": lambda c: c.duplicate(),
    "select all": lambda c: c.select_all(), "swap": lambda c: c.swap_buffer(),
    "changed and swapped": lambda c: (c.commit("value", c.value_edit(12.5)), c.swap_buffer())[1],
    "link ends": lambda c: c.link_ends(), "cycle": lambda c: c.cycle_to_playhead(),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_on_many_selections(scene, name) -> None:
    with PINS.together(f"command: {name}") as note:
        for keys in ({}, *SELECTIONS.values()):
            scene.again(keys)
            note(COMMANDS[name](scene.commands), *scene.told(), scene.view.still)
        scene.again(SELECTIONS["of three curves"])
        scene.lanes.set_flag("locked", [Lane(Y)])
        note(COMMANDS[name](scene.commands), *scene.told())
        scene.again()
        scene.lanes.set_flag("chosen", [Lane(Z)])
        note(COMMANDS[name](scene.commands), *scene.told())


def test_fields_show_what_the_selected_keys_agree_on(scene) -> None:
    with PINS.together("summaries") as note:
        for keys in ({}, *SELECTIONS.values(), {X: np.array([2]), Y: np.array([2])}):
            scene.again(keys)
            note(scene.commands.summary(), scene.commands.targets()[1], len(scene.commands.channels()))
            scene.lanes.set_flag("chosen", [Lane(TURN, 2)])
            note(scene.commands.summary(), scene.commands.targets()[1], len(scene.commands.channels()))
        note(scene.commands.seam_text())


def test_without_a_clip_nothing_is_done(scene) -> None:
    scene.session.playback.set_clip(None, RIG)
    commands, said = scene.commands, len(scene.session.history.labels)
    assert commands.keys() == {} and commands.targets() == ({}, True) and commands.summary().number == 0
    for name, command in COMMANDS.items():
        assert not command(commands), name
    assert len(scene.session.history.labels) == said and commands.seam_text() == ""
    assert (
        scene.view.snapped(0.123, {}) == 0.123
        and scene.lanes.curves() == ()
        and scene.lanes.curve(Lane(X)) is None
    )


# ------------------------------------------------------------ stacks
def _same_bundle(made: Bundle, fresh: Bundle) -> None:
    times = np.linspace(-0.2, 2.2, 57)
    assert np.allclose(made.at(times), fresh.at(times), atol=1e-5)
    for number in range(3):
        for mine, wanted in zip(made.level(number), fresh.level(number), strict=True):
            assert np.array_equal(mine, wanted)
    for name in ("values", "out", "into"):
        window = made.window(name, 2, 5)
        rows = window.rows[2 - window.first : 5 - window.first]
        assert np.allclose(rows, np.stack([getattr(p, name)[2:5] for p in fresh.parts], axis=1), atol=1e-5)


def test_stacked_curves_that_were_changed_are_as_those_stacked_anew(scene) -> None:
    """Each edit in turn: bundles that are brought up to date hold what new ones do, and tell values of the curves."""
    kept = Bundles()
    scene.again()
    for step in (
        None,
        "kind CONSTANT",
        "kind LINEAR",
        "mode FREE",
        "value",
        "each frame",
        "delete",
        "each value",
    ):
        if step is not None:
            scene.session.selection.select_keys({X: np.array([1, 2]), Y: np.array([3])})
            assert COMMANDS[step](scene.commands) is not False
        curves = scene.lanes.curves()
        for bundle, numbers in kept.of(curves):
            members = [curves[n] for n in numbers]
            assert bundle.curves == members
            _same_bundle(bundle, Bundle(members))
            times = np.linspace(0.0, float(bundle.times[-1]) - 1e-6, 23)
            values = bundle.at(times)
            for column, curve in enumerate(members):
                if curve.line is None and curve.scalar is not None:
                    wanted = [scene.pointer.value_at(curve, time) for time in times]
                    assert values[:, column] == pytest.approx(wanted, abs=2e-3)


def test_an_edit_that_changes_nothing_makes_no_step_and_leaves_the_buffer(scene) -> None:
    scene.again(SELECTIONS["one key"])
    commands, position = scene.commands, scene.session.history.position
    value = float(scene.session.clip.tracks[X].values[2])
    assert commands.commit("value", commands.value_edit(12.5)) and scene.lanes.buffer is not None
    kept = scene.lanes.buffer
    same = Edited(replace(scene.session.clip), scene.session.selection.keys)
    for edited in (commands.value_edit(12.5), same):
        assert not commands.commit("value", edited) and scene.lanes.buffer is kept
    assert scene.session.history.position == position + 1
    assert commands.commit("value", commands.value_edit(value)) and scene.lanes.buffer is not kept
