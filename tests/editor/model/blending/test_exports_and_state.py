"""Blends baked into clips, masks that are painted, aiming, and what another document leaves of blending."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.blending.blend_space import SpaceAxis
from core.blending.layer_stack import LayerStack
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.errors import ValidationError
from editor.model.blending import export
from editor.model.blending.layers import LayerEdits
from editor.model.blending.state import Blending
from editor.model.session import Session
from tests.editor.model.blending.layer_stage import one_step
from tests.editor.model.blending.test_spaces import HIGH, LOW, Scene
from tests.editor.panel_stage import small_session


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def layers(session) -> LayerEdits:
    return session.feature(Blending).layers


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.session.close()


def names(session: Session) -> list[str]:
    return [clip.name for clip in session.document.project.clips_of(session.rig.id)]


def test_the_point_becomes_a_clip_named_after_its_place(scene):
    session = scene.session
    session.feature(Blending).live.set_point((1.25,))
    one_step(session, lambda: export.export_path(session), "Bake Blend 1D to clip Blend 1D Speed 1.25")
    assert names(session)[-1] == "Blend 1D Speed 1.25"
    assert session.messages.latest.text == "Baked to the clip “Blend 1D Speed 1.25”"
    export.export_path(session)
    assert names(session)[-1] == "Blend 1D Speed 1.25 2"


def test_a_recorded_path_becomes_a_clip_of_the_space_it_was_recorded_in(scene):
    session, live = scene.session, scene.session.feature(Blending).live
    live.set_point((1.0,))
    live.record()
    live.tick(10.0)
    for n in range(1, 5):
        live.set_point((1.0 + 0.25 * n,))
        live.tick(10.0 + 0.25 * n)
    live.record()
    one_step(session, lambda: export.export_path(session), "Bake Blend 1D to clip Blend 1D path")
    made = next(clip for clip in session.document.project.clips if clip.name == "Blend 1D path")
    assert made.length == pytest.approx(1.0, abs=0.05)
    space = scene.space
    scene.spaces.new("plane")
    for n, clip in enumerate((LOW, HIGH)):
        scene.spaces.add(clip, (90.0 * n, 1.0 + n))
    scene.spaces.add(LOW, (-90.0, 2.0))
    export.export_path(session)
    assert names(session)[-1].startswith("Blend 2D Direction") and scene.space is not space


def test_a_grid_has_a_clip_at_each_point_and_none_twice_where_an_axis_goes_round(scene):
    session = scene.session
    before = len(names(session))
    one_step(session, lambda: export.export_grid(session), "Bake the grid of Blend 1D")
    assert names(session)[before:] == [f"Blend 1D Speed {n}" for n in range(5)]
    assert session.messages.latest.text == "Baked 5 clips"
    scene.spaces.new("plane")
    axis = replace(scene.space.axes[0], divisions=2)
    scene.spaces.set_axis(0, axis)
    scene.spaces.set_axis(1, SpaceAxis("Speed", 0.0, 2.0, 1))
    for n, clip in enumerate((LOW, HIGH)):
        scene.spaces.add(clip, (90.0 * n, 1.0 + n))
    scene.spaces.add(LOW, (-90.0, 2.0))
    before = len(names(session))
    export.export_grid(session)
    assert names(session)[before:] == [
        f"Blend 2D Direction {angle} Speed {speed}" for angle in (-180, 0) for speed in (0, 2)
    ]


def test_a_grid_of_as_many_points_as_allowed_is_baked_and_one_more_is_not(scene, monkeypatch):
    monkeypatch.setattr(export, "MOST_CLIPS", 5)
    assert export.export_grid(scene.session)
    scene.spaces.set_axis(0, replace(scene.space.axes[0], divisions=5))
    with pytest.raises(ValidationError, match="has 6 points, and 5 clips are baked at once at the most"):
        export.export_grid(scene.session)


def test_what_cannot_play_cannot_be_exported(scene):
    scene.spaces.new("line")
    for work in (export.export_grid, export.export_path):
        with pytest.raises(ValidationError, match="no sample"):
            work(scene.session)


def test_a_mask_is_painted_while_the_character_has_it_told_once(session, layers):
    blending, told = session.feature(Blending), []
    blending.paint_changed.connect(told.append)
    assert blending.painted is None and blending.brush == 1.0
    layers.new_mask(None, "arm")
    for mask in ("arm", "arm", None):
        blending.paint(mask)
        assert blending.painted == mask
    assert len(told) == 2
    blending.paint("gone")
    assert blending.painted is None


def test_a_drag_aims_while_an_aim_offset_is_shown_and_aiming_is_on(scene):
    blending = scene.session.feature(Blending)
    blending.aiming = True
    blending.live.start()
    assert not blending.aims  # it is no aim offset
    scene.spaces.new("aim")
    assert not blending.aims
    low = scene.session.document.project.get(Clip, LOW)
    additive = Additive(AdditiveSpace.MODEL, AdditiveBase.REST)
    scene.session.edits.put("additive", replace(low, additive=additive))
    scene.spaces.add(LOW, (0.0, 0.0))
    if scene.spaces.problem is not None:
        scene.spaces.convert_refused()
    assert blending.live.start() and blending.aims
    blending.aiming = False
    assert not blending.aims


def test_another_document_opens_no_space_and_plays_none(scene):
    blending, second = scene.session.feature(Blending), scene.spaces.new("plane")
    scene.spaces.open(scene.spaces.all()[0].id)
    scene.spaces.open(second.id)
    scene.session.document.replace(scene.session.document.project, None)
    assert scene.spaces.committed is scene.spaces.all()[0] and not blending.live.on
    assert scene.session.document.project.all(LayerStack) == ()


def test_a_path_to_the_seam_of_an_axis_that_goes_round_is_noted_there(scene):
    live = scene.session.feature(Blending).live
    scene.spaces.new("plane")
    for n, clip in enumerate((LOW, HIGH)):
        scene.spaces.add(clip, (90.0 * n, 1.0 + n))
    scene.spaces.add(LOW, (-90.0, 2.0))
    live.set_point((170.0, 2.0))
    live.record()
    live.tick(10.0)
    live.tick(10.2)
    live.set_point((180.0, 2.0))
    live.record()
    assert live.recorder.path.points.tolist() == [[170.0, 2.0], [180.0, 2.0]]
