"""A person merges, extracts, splits and reduces layers, by key and by mouse; what is shown stays, undo is exact."""

import numpy as np
import pytest

from core.arrays import same_value
from core.blending.layer_stack import LayerMode
from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.math import quat
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.blending.state import Blending
from editor.panels.curves.widget import CurvesPanel
from tests.editor.panels.layers.test_layer_in_hand import WALK, pose_bone
from tests.editor.panels.layers.test_layers_panel import add, stack, turned
from tests.editor.rigs import small_rig, tube_mesh
from tests.editor.stage import stage

ARM = Channel("upper_arm_l", Property.ROTATE, 2)
SPINE = Channel("spine", Property.ROTATE, 1)


def project() -> Project:
    """A clip in which an arm and the spine swing."""
    rig = small_rig()
    times = np.array([0.0, 0.2, 0.5, 0.8, 1.0])
    tracks = {
        ARM: scalar_track(times, np.array([0.0, 30.0, -10.0, 25.0, 0.0])),
        SPINE: scalar_track(times, np.array([0.0, 5.0, 12.0, -5.0, 0.0])),
    }
    clip = Clip(AssetId(WALK), "walk", rig.id, 1.0, tracks=tracks)
    return Project({asset.id: asset for asset in (rig, tube_mesh(rig), clip)})


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "layers", "timeline", "curves", project=project) as made:
        made.window.layouts.use("blend")
        for panel in ("timeline", "curves", "layers"):
            made.window.show_panel(panel)
        yield made


def fresh(here) -> None:
    here.session.document.replace(project(), None)
    here.session.playback.set_clip(WALK)
    here.session.playback.set_range(None)
    here.session.keying.auto = True
    here.frame(0)
    here.user.settle()


def shown(here) -> np.ndarray:
    """Rotations at every frame, as the viewport shows them."""
    return here.session.evaluator.sample_many(np.arange(31) / 30.0).rotations


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(quat.angle_between(one, other).max() < 1e-6)


def undone_and_redone(here, before: Project) -> None:
    after = here.session.document.project
    here.user.press("Ctrl+Z")
    assert same_value(dict(here.session.document.project.assets), dict(before.assets))
    here.user.press("Ctrl+Shift+Z")
    assert same_value(dict(here.session.document.project.assets), dict(after.assets))


def merging(here) -> None:
    user, session = here.user, here.session
    for degrees in (12.0, 20.0):
        user.press("Ctrl+Alt+A")
        pose_bone(here, "upper_arm_l", degrees)
    seen, before = shown(here), session.document.project
    user.press("Ctrl+Alt+J")
    assert [layer.mode for layer in stack(here).layers] == [LayerMode.ADDITIVE] and same(shown(here), seen)
    assert session.playback.below is None, "the layer in hand is gone"
    undone_and_redone(here, before)
    user.click(f"layerMore.{stack(here).layers[0].name}")
    user.choose_in_popup("Merge down")
    assert stack(here) is None and same(shown(here), seen) and len(session.document.project.clips) == 1
    user.press("Ctrl+Z")
    user.press("Ctrl+Alt+Shift+J")
    assert stack(here) is None and same(shown(here), seen)


def extracting(here) -> None:
    user, session = here.user, here.session
    seen, before = shown(here), session.document.project
    session.selection.select_keys({ARM: np.array([2])})
    user.press("Ctrl+Alt+X")
    assert len(session.document.project.get(Clip, AssetId(WALK)).tracks[ARM]) == 4 and same(shown(here), seen)
    layer = stack(here).layers[0]
    assert layer.curve is not None and layer.keyed
    undone_and_redone(here, before)
    user.press("Ctrl+Z")
    user.click("addLayer" if user.visible("addLayer") else "emptyButton")
    session.playback.set_range(0.2, 0.8)
    session.selection.select(["spine"])
    user.choose_in_popup("Extract range to a layer")
    assert len(session.document.project.get(Clip, AssetId(WALK)).tracks[SPINE]) == 4
    assert ARM not in session.document.project.get(Clip, stack(here).layers[0].clip).tracks
    assert same(shown(here), seen)
    here.user.click(f"hand.{stack(here).layers[0].name}")
    here.frame(15)
    assert pose_bone(here, "spine", 40.0) and turned(here, "spine") == pytest.approx(40.0, abs=1e-4)
    here.frame(3)
    user.press("Ctrl+Alt+Shift+X")
    assert "layer is in hand" in session.messages.latest.text


def splitting(here) -> None:
    user, session = here.user, here.session
    seen, before = shown(here), session.document.project
    user.press("Ctrl+Alt+D")
    base = session.document.project.get(Clip, AssetId(WALK))
    assert {len(track) for track in base.tracks.values()} == {2} and same(shown(here), seen)
    undone_and_redone(here, before)
    user.press("Ctrl+Z")
    session.selection.select_keys({ARM: np.array([2])})
    user.settle()
    add(here, "Split base and delta")
    base = session.document.project.get(Clip, AssetId(WALK))
    assert list(base.tracks[ARM].times) == [0.0, 0.5, 1.0] and same(shown(here), seen)
    assert len(base.tracks[SPINE]) == 5, "the spine had no key selected"


def reducing(here) -> None:
    user, session = here.user, here.session
    user.press("Ctrl+Alt+D")
    layer = stack(here).layers[0]
    seen = shown(here)
    keys = sum(len(t) for t in session.document.project.get(Clip, layer.clip).tracks.values())
    before = session.document.project
    user.press("Ctrl+Alt+R")
    left = sum(len(t) for t in session.document.project.get(Clip, layer.clip).tracks.values())
    assert left < keys and "largest change" in session.messages.latest.text
    assert quat.angle_between(shown(here), seen).max() < 0.01
    undone_and_redone(here, before)
    user.press("Ctrl+Z")
    user.click(f"layerMore.{layer.name}")
    user.choose_in_popup("Reduce keys")
    assert sum(len(t) for t in session.document.project.get(Clip, layer.clip).tracks.values()) == left


def result_in_the_curve_editor(here) -> None:
    user, session = here.user, here.session
    user.press("Ctrl+Alt+A")
    session.selection.select(["upper_arm_l"])
    here.frame(15)
    pose_bone(here, "upper_arm_l", 40.0)
    lanes = here.window.findChild(CurvesPanel).model.lanes
    assert {len(curve.values) for curve in lanes.curves()} == {1}
    user.press("Ctrl+Alt+Shift+L")
    curves = {curve.lane.channel: curve for curve in lanes.curves()}
    assert ARM in curves and len(curves[ARM].values) == 31
    assert curves[ARM].values[15] == pytest.approx(40.0, abs=1e-4)
    clip = session.clip
    assert lanes.editable({ARM: np.array([0])}) == {} and session.clip is clip
    user.click("curvesResult")
    assert {len(curve.values) for curve in lanes.curves()} == {1}
    assert not session.feature(Blending).layers.layered.result


@pytest.mark.parametrize(
    "jobs", [(merging, extracting), (splitting, reducing, result_in_the_curve_editor)], ids=["merge", "split"]
)
def test_layer_verbs(here, jobs):
    for job in jobs:
        fresh(here)
        job(here)
