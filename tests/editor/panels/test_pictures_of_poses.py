"""Pictures of poses and clips in the panels: the colours, sides and sizes that were drawn are those that are shown."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QImage, QPainter

from core.evaluation.clip_pipeline import parts_of
from core.pose import kinematics
from core.pose.pose import rest_pose
from core.rig.mesh import MorphTarget
from editor.gl.colors import DARK
from editor.model.posing.library import poses_of
from editor.model.session import Session
from editor.panels.blend_space.ground import SLIP_FULL, GroundPainter
from editor.panels.clips.thumbnails import ClipThumbnails
from editor.panels.pose_library.thumbnails import PITCH, YAW, Thumbnails
from editor.panels.timeline.pose_pictures import Asked, PosePictures
from editor.qt.theme import Theme
from tests.editor.actions import rich
from tests.editor.rigs import tube_mesh

RED, GREEN, BLUE, NOTHING = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)
DRAWN = np.array([[RED, GREEN, NOTHING], [BLUE, RED, GREEN]], np.uint8)
"""Two rows of three pixels, the upper one first."""


def shown(image: QImage) -> list[list[tuple[int, ...]]]:
    return [[image.pixelColor(x, y).getRgb() for x in range(image.width())] for y in range(image.height())]


@pytest.fixture
def session(qapp) -> Iterator[Session]:
    made = rich.session()
    yield made
    made.close()


@pytest.fixture
def keeper(qapp) -> Iterator[QObject]:
    made = QObject()
    yield made
    made.deleteLater()


def test_picture_of_a_key_pose(session: Session, keeper: QObject) -> None:
    pictures = PosePictures(session, keeper)
    asked = Asked(session.document.project, session.clip, (0.5,))
    pictures._asked, told = asked, []
    pictures.ready.connect(lambda: told.append(1))
    pictures._take(asked, [({0.5: b"a"}, {b"a": DRAWN}, True)])
    assert shown(pictures.picture(0.5).toImage()) == [[tuple(p) for p in row] for row in DRAWN.tolist()]
    assert pictures.picture(0.6) is None and told
    pictures.close()


def test_pictures_of_poses_wait_while_the_clip_plays(session: Session, keeper: QObject, qtbot) -> None:
    pictures = PosePictures(session, keeper)
    session.playback.play()
    pictures.ask(session.clip, np.array([0.0, 0.5]))
    qtbot.waitUntil(lambda: pictures._names != {}, timeout=60_000)
    pictures._timer.stop()
    pictures._draw_some()  # as after the quiet that it waited for
    assert pictures.picture(0.5) is None
    session.playback.pause()
    qtbot.waitUntil(lambda: pictures.picture(0.5) is not None, timeout=60_000)
    pictures.close()


def test_poses_asked_for_later_get_pictures_too(session: Session, keeper: QObject, qtbot) -> None:
    pictures = PosePictures(session, keeper)
    asked = Asked(session.document.project, session.clip, (0.5,))
    pictures._asked = asked
    pictures._take(asked, [({0.5: b"a"}, {b"a": DRAWN}, False)])  # there was time for some of them
    assert pictures._timer.isActive()
    pictures._timer.stop()
    pictures._draw_some()
    qtbot.waitUntil(lambda: pictures._names.get(0.5, b"a") != b"a", timeout=60_000)
    pictures.close()


def test_picture_of_a_clip(session: Session, keeper: QObject) -> None:
    pictures = ClipThumbnails(session, keeper)
    pictures._made(session.clip, parts_of(session.document.project, session.clip), [DRAWN])
    (_, pixmap) = pictures._known[session.clip.id]
    assert shown(pixmap.toImage()) == [[tuple(p) for p in row] for row in DRAWN.tolist()]
    pictures.close()


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_picture_of_a_kept_pose_is_seen_from_its_side(
    session: Session, keeper: QObject, ratio: float
) -> None:
    pictures, seen = Thumbnails(keeper), []

    def render(drawn: object, camera: object, size: object, colors: object, ratio: float) -> np.ndarray:
        seen.append((camera, size, colors, ratio))
        return DRAWN

    (pose,) = poses_of(session)
    made = pictures._rendered(SimpleNamespace(render=render), pose, session.rig, (), DARK, ratio)  # type: ignore[arg-type]
    ((camera, _, colors, given),) = seen
    assert (camera.yaw, camera.pitch) == pytest.approx((YAW, PITCH)) and (colors, given) == (DARK, ratio)
    assert made.devicePixelRatio() == ratio
    assert shown(made.toImage()) == [[tuple(p) for p in row] for row in DRAWN.tolist()]


def test_picture_of_a_kept_pose_shows_morphs_as_the_file_has_them(session: Session, keeper: QObject) -> None:
    plain = tube_mesh(session.rig)
    morphs = tuple(
        MorphTarget(name, np.zeros_like(plain.positions), default_weight=weight)
        for name, weight in (("smile", 0.25), ("blink", 0.0))
    )
    pose = rest_pose(session.rig)
    matrices = kinematics.model_matrices(session.rig.skeleton, pose.local)
    pictures = Thumbnails(keeper)
    (drawn,) = pictures._instances(session.rig, (replace(plain, morphs=morphs),), matrices, pose)
    assert drawn.morph_weights.tolist() == [0.25, 0.0]


@pytest.mark.parametrize(("share", "token"), [(0.0, "ok"), (0.5, "warning"), (1.0, "error"), (3.0, "error")])
def test_slip_goes_from_green_to_red(qapp, share: float, token: str) -> None:
    theme = Theme(qapp)
    values = np.array([[share * SLIP_FULL, np.nan], [0.0, 0.0]])  # by column of the first axis
    image = GroundPainter(SimpleNamespace(), theme)._heat_of(values)  # type: ignore[arg-type]
    color = QColor(image.pixelColor(0, 1))  # the second axis runs upwards
    wanted = theme.color(token)
    near: Callable[[int, int], bool] = lambda a, b: abs(a - b) <= 1  # noqa: E731
    assert all(near(a, b) for a, b in zip(color.getRgb()[:3], wanted.getRgb()[:3], strict=True))
    assert image.pixelColor(0, 0).alpha() == 0 and image.pixelColor(1, 1).alpha() == 255


def test_only_the_slip_lets_the_ground_through(qapp) -> None:
    """Marks and lines that are painted over it are not pale."""
    theme, space = Theme(qapp), object()
    model = SimpleNamespace(
        slip=SimpleNamespace(space=space, values=np.zeros((2, 2))), spaces=SimpleNamespace(committed=space)
    )
    image = QImage(40, 40, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    try:
        frame = SimpleNamespace(left=0.0, top=0.0, width=40.0, height=40.0)
        GroundPainter(model, theme)._ground(painter, frame, False)  # type: ignore[arg-type]
        assert painter.opacity() == 1.0
    finally:
        painter.end()
    field, ok = theme.color("field").getRgb()[:3], theme.color("ok").getRgb()[:3]
    mixed = [0.45 * a + 0.55 * b for a, b in zip(field, ok, strict=True)]
    assert image.pixelColor(20, 20).getRgb()[:3] == pytest.approx(mixed, abs=2)
