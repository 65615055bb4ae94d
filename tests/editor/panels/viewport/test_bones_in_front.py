"""Which bones under the pointer are in front of the skin, by depths that are given: a table."""

from types import SimpleNamespace

import numpy as np
import pytest

from editor.gl import camera as cameras
from editor.panels.viewport import front
from editor.panels.viewport.front import BEHIND, bones_in_front
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS
from tests.editor.rigs import small_rig

SIZE = (640.0, 480.0)
RIG = small_rig()
NAMES = RIG.skeleton.names
POINT = np.array([0.1, 1.0, 0.2])


def found(monkeypatch, hits, skin=None, handles=(), hidden=(), camera="from aside", bones=True) -> list[str]:
    """Bones by name and metres behind the skin (or its place), those with a handle before those that are crossed."""
    look = CAMERAS[camera]
    seen = float(cameras.project(look, POINT[None], SIZE)[1][0])
    right, up, ahead = cameras.axes(look)
    heads = np.zeros((len(NAMES), 3))
    for name, deep in handles:
        heads[NAMES.index(name)] = POINT + deep * np.asarray(ahead)
    toward = float(cameras.project(look, (POINT + np.asarray(ahead))[None], SIZE)[1][0]) - seen
    assert abs(abs(toward) - 1.0) < 1e-6
    if toward < 0.0:
        heads = np.where(heads.any(axis=1, keepdims=True), 2.0 * POINT - heads, heads)
    shapes = SimpleNamespace(heads=heads.astype(np.float32)) if bones else None
    monkeypatch.setattr(front, "caught_handles", lambda *_: [NAMES.index(name) for name, _ in handles])
    crossed = [SimpleNamespace(bone=NAMES.index(name), depth=seen + deep) for name, deep in hits]
    monkeypatch.setattr(front, "pick_bones", lambda *_: crossed)
    scene = SimpleNamespace(
        controller=SimpleNamespace(camera=look, size=SIZE), draw_list=lambda: SimpleNamespace(bones=shapes),
        skin_at=lambda _: None if skin is None else (NAMES.index(skin), POINT),
        character=SimpleNamespace(limbs=lambda skeleton: np.arange(len(skeleton))),
        session=SimpleNamespace(selection=SimpleNamespace(pickable=lambda name: name not in hidden)),
    )  # fmt: skip
    return list(bones_in_front(scene, RIG, (100.0, 100.0)))


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize(
    ("hits", "skin", "names"),
    [
        ([], None, []),
        ([("head", 1.0), ("spine", 2.0)], None, ["head", "spine"]),
        ([], "chest", ["chest"]),
        ([("head", -0.1)], "hand_l", ["head", "hand_l"]),  # before the skin: any bone
        ([("head", 0.01)], "hand_l", ["hand_l"]),  # behind it: of that part alone
        ([("lower_arm_l", 0.1)], "hand_l", ["lower_arm_l", "hand_l"]),  # above the skin's bone
        ([("hand_l", 0.1)], "upper_arm_l", ["hand_l", "upper_arm_l"]),  # below it
        ([("hand_l", BEHIND - 0.001)], "hand_l", ["hand_l"]),
        ([("lower_arm_l", BEHIND + 0.001)], "hand_l", ["hand_l"]),  # too far behind
        ([("thigh_r", 0.1), ("pelvis", 0.15), ("thigh_l", 0.05)], "spine", ["pelvis", "spine"]),
        ([("calf_l", 0.1), ("thigh_r", 0.1)], "thigh_l", ["calf_l", "thigh_l"]),
        (
            [("chest", -0.2), ("head", 0.1), ("chest", 0.5)],
            "head",
            ["chest", "head"],
        ),  # the nearest hit counts
    ],
)
def test_bones_that_the_skin_hides_are_left_out(monkeypatch, camera, hits, skin, names) -> None:
    assert found(monkeypatch, hits, skin, camera=camera) == names


def test_handles_come_first_the_nearest_of_them(monkeypatch) -> None:
    handles = [("head", 0.3), ("hand_l", -0.2), ("foot_l", 0.1)]
    assert found(monkeypatch, [("spine", -1.0)], None, handles) == ["hand_l", "foot_l", "head", "spine"]
    assert found(monkeypatch, [("spine", -1.0)], "head", handles) == ["hand_l", "spine", "head"]
    assert found(monkeypatch, [("head", -0.5)], "chest", [("head", 0.15)]) == ["head", "chest"]
    assert found(monkeypatch, [("spine", -1.0)], None, handles, bones=False) == []


def test_what_cannot_be_picked_is_left_out(monkeypatch) -> None:
    assert found(monkeypatch, [("head", 1.0), ("spine", 2.0)], None, hidden=("head",)) == ["spine"]
    assert found(monkeypatch, [], "chest", hidden=("chest",)) == []
