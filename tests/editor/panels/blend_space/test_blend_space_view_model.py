"""The blend-space panel without its widget: presses, nudges that begin to play, the slip map, what is refused."""

import itertools

import numpy as np
import pytest

from core.errors import ValidationError
from editor.panels.blend_space import view_model
from editor.panels.blend_space.view_model import NUDGE, SLIP_CELLS, BlendSpaceModel
from editor.tools.blending.plot import Hit, Part
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.model.blending.test_spaces import HIGH, LOW, STRANGER, Scene
from tests.editor.panels.test_working_models import Later
from tests.pins import Pins

PINS = Pins(__file__)
NO, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT


@pytest.fixture
def scene():
    made = Scene()
    made.model = BlendSpaceModel(made.session)
    yield made
    made.model.live.stop()
    made.model.close()
    made.session.close()


class Frame:
    """A plot of 100 pixels a unit, on which one sample lies at 100 pixels and its ring is hit below 10."""

    def __init__(self, space) -> None:
        self.space = space

    def sample_at(self, pixel) -> int | None:
        return 0 if abs(pixel[0] - 100.0) < 12.0 else None

    def hit(self, pixel, point) -> Hit:
        sample = self.sample_at(pixel)
        if sample is None:
            return Hit(Part.GROUND)
        return Hit(Part.RING if pixel[1] < 10.0 else Part.DOT, sample)


def test_what_a_press_takes_with_keys_held(scene) -> None:
    frame = Frame(scene.space)
    model = scene.model
    for held, (x, y), part, sample in (
        (NO, (300.0, 50.0), Part.GROUND, None), (NO, (105.0, 5.0), Part.RING, 0), (NO, (105.0, 50.0), Part.DOT, 0),
        (SHIFT, (105.0, 5.0), Part.POINT, None), (ALT, (105.0, 50.0), Part.RING, 0),
        (ALT, (300.0, 5.0), Part.GROUND, None),
    ):  # fmt: skip
        assert model.hit(Pointer(x, y, Button.LEFT, held), frame) == Hit(part, sample)


def test_an_arrow_key_begins_to_play_and_moves_the_point(scene) -> None:
    model, axis = scene.model, scene.space.axes[0]
    assert model.live.player is not None and not model.live.on
    model.live.set_point((1.2,))
    for held, factor in ((NO, 1.0), (SHIFT, 0.1), (CTRL, 10.0)):
        model.live.stop()
        before = model.live.point[0]
        model.nudge((1, 0), held)
        assert model.live.on
        wanted = min(before + NUDGE * factor * axis.extent, axis.maximum)
        assert model.live.point[0] == pytest.approx(wanted)
    model.live.stop()
    model.set_value(0, 1.75)
    assert model.live.on and model.live.point == (1.75,)


def test_the_slip_map_is_measured_told_at_the_point_and_put_away(scene) -> None:
    model, runner = scene.model, Later()
    scene.session.jobs.runner = runner
    told: list[None] = []
    model.changed.connect(told.append)
    assert model.slip_at() is None
    model.toggle_slip()
    assert model.measuring and model.slip is None
    runner.deliver()
    assert not model.measuring and model.slip is not None and told
    (columns,) = model.slip.columns
    axis = scene.space.axes[0]
    assert (columns[0], columns[-1], len(columns)) == (axis.minimum, axis.maximum, SLIP_CELLS + 1)
    with PINS.together("slip") as note:
        note(model.slip.values)
        for point in (axis.minimum, 1.3, 1.71, axis.maximum):
            model.live.set_point((point,))
            note(model.slip_at())
            cell = int(np.argmin(np.abs(columns - point)))
            assert model.slip_at() is None or model.slip_at() == model.slip.values[cell]
    told.clear()
    model.toggle_slip()
    assert model.slip is None and told and model.slip_at() is None
    model.toggle_slip()
    scene.spaces.set_rate(0, 1.5)
    runner.deliver()
    assert model.slip is None and not model.measuring
    model.toggle_slip()
    runner.deliver()
    assert model.slip is not None
    scene.spaces.set_rate(0, 1.25)
    assert model.slip is None


def test_what_cannot_be_measured_is_said(scene, monkeypatch) -> None:
    model, runner = scene.model, Later()
    scene.session.jobs.runner = runner

    def fails(*_: object) -> None:
        raise ValidationError("no feet")

    monkeypatch.setattr(view_model, "slip_field", fails)
    model.toggle_slip()
    runner.deliver()
    assert not model.measuring and model.slip is None and scene.said[-1] == "no feet"


def test_exports_and_refusals(scene) -> None:
    model = scene.model
    clips = len(scene.session.document.project.clips)
    model.export_path()
    made = len(scene.session.document.project.clips) - clips
    model.export_grid()
    with PINS.together("exports") as note:
        note(
            made,
            [(c.name, c.length, len(c.tracks)) for c in scene.session.document.project.clips],
            scene.said,
        )
        for act in (
            lambda: model.drop(STRANGER, (1.0,)), lambda: model.drop(HIGH, (1.5,)),
            lambda: model.move_sample(0, 0, 1.4),
            lambda: model.move_sample(0, 0, 1e9), lambda: model.change("Name", name="other"),
            lambda: model.set_snap(True),
            lambda: model.set_triangles(True), lambda: (model.select(0), model.remove_selected())[1],
        ):  # fmt: skip
            note(
                act(),
                scene.session.history.undo_label,
                [s.place for s in scene.space.samples],
                list(scene.said),
            )
    assert LOW in scene.session.document.project.assets


def test_without_a_space_nothing_is_done(scene) -> None:
    project = scene.session.document.project
    scene.session.document.replace(project.without(scene.space.id), None)
    scene.session.playback.set_clip(LOW)
    model = scene.model
    assert model.space is None and model.rows() == () and model.names() == ()
    for done in (
        model.move_sample(0, 0, 1.0), model.change_axis(0, name="a"), model.change("Name", name="a"),
        model.set_snap(True),
        model.remove_selected(), model.set_triangles(True),
    ):  # fmt: skip
        assert done is False
    before = model.live.point
    for steps, held in itertools.product(((1, 0), (0, -1)), (NO, SHIFT)):
        model.nudge(steps, held)
    assert model.live.point == before
    model.toggle_slip()
    assert not model.measuring and scene.said
