"""Attach and release with no prop selected: the nearest one, and the one that is held, are taken and said."""

from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.io.shot_files import read_prop
from core.math.transform import IDENTITY, Transform
from core.shot.prop import hold_at
from editor.model.shot.choosing import held_meant, prop_meant
from tests.editor.panels.test_shot_by_hand import BOX, KEYS, Scene


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


@pytest.fixture
def box(tmp_path):
    path = tmp_path / "box.obj"
    path.write_text(BOX)
    return read_prop(path)


def put(scene, prop, name: str, place) -> None:
    hold = replace(prop.holds[0], offset=Transform(np.asarray(place, dtype=float), *IDENTITY[1:]))
    scene.shot.put("Add", replace(prop, id=AssetId(f"prop-{name}"), name=name, holds=(hold,)))
    scene.user.settle()


def said(scene) -> str:
    return " ".join(str(message) for message in scene.session.messages.log)


def test_the_only_prop_is_attached_to_a_bone_and_released(scene, box) -> None:
    put(scene, box, "mug", (0.6, 1.4, 0.0))
    scene.session.selection.select(["hand_l"])
    before = scene.shot.matrix(scene.shot.props[0])
    scene.press(KEYS["shot.attach"])
    assert hold_at(scene.shot.props[0], 0.0).bone == "hand_l"
    assert scene.session.selection.bones == ("hand_l",)  # work on the hand goes on
    assert "hand_l holds mug" in said(scene)
    assert np.abs(scene.shot.matrix(scene.shot.props[0]) - before).max() < 1e-9
    scene.steps()
    scene.session.playback.seek(0.5)
    there = scene.shot.matrix(scene.shot.props[0])
    scene.press(KEYS["shot.release"])
    assert [hold.bone for hold in scene.shot.props[0].holds] == ["hand_l", None]
    assert "mug is released" in said(scene)
    assert np.abs(scene.shot.matrix(scene.shot.props[0]) - there).max() < 1e-9
    scene.steps()


def test_of_several_props_the_nearest_to_the_bone_is_attached(scene, box) -> None:
    bone = scene.session.rig
    scene.session.selection.select(["hand_l"])
    hand = scene.shot.bone_matrix(bone.id, "hand_l")[:3, 3]
    put(scene, box, "far", hand + (0.0, -1.0, 0.6))
    put(scene, box, "near", hand + (0.0, 0.0, 0.2))
    assert prop_meant(scene.shot).name == "near" and held_meant(scene.shot) is None
    scene.press(KEYS["shot.attach"])
    holds = {prop.name: hold_at(prop, 0.0).bone for prop in scene.shot.props}
    assert holds == {"far": None, "near": "hand_l"}
    assert "hand_l holds near, the prop nearest to it" in said(scene)
    scene.steps()
    near, far = (next(p for p in scene.shot.props if p.name == name) for name in ("near", "far"))
    scene.shot.put("Hide", replace(near, visible=False))
    assert prop_meant(scene.shot).name == "far"  # what is not seen is not taken
    scene.shot.select(far.id)
    assert prop_meant(scene.shot) is far and held_meant(scene.shot) is far


def test_without_a_bone_or_a_prop_attach_says_what_is_missing(scene, box) -> None:
    assert prop_meant(scene.shot) is None
    steps = scene.session.history.position
    scene.press(KEYS["shot.attach"])
    put(scene, box, "mug", (0.6, 1.4, 0.0))
    scene.press(KEYS["shot.attach"])
    assert "select the bone that is to hold the prop" in said(scene)
    assert scene.session.history.position == steps + 1  # the prop alone
