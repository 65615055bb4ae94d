"""The bar that is dragged live: goals draw the handle, another scale ends a drag, a refused press starts none."""

import pytest

from editor.qt.drag_bar import DragBar, Scale
from editor.qt.theme import Theme
from tests.editor.user import User

SCALE = Scale(-150.0, 150.0, (-100.0, 0.0, 100.0), (-100.0, 0.0, 100.0), step=1.0, snap=5.0, magnet=3.0)


@pytest.fixture
def scene(qapp):
    ready = {"yes": True}
    theme = Theme(qapp)
    bar = DragBar(theme, "bar", SCALE, lambda: ready["yes"])
    theme.dress(bar)
    bar.resize(300, 40)
    user = User(bar)
    yield bar, user, ready
    bar.close()


def test_near_a_goal_the_handle_is_exactly_at_it(scene) -> None:
    bar, user, _ = scene
    told = []
    bar.dragged.connect(told.append)
    x = bar.x_of(100.0)
    for at in (x - 2.0, x + 2.0):
        user.drag(bar, (bar.x_of(0.0), 10.0), (at, 10.0))
        assert told[-1] == 100.0
    user.drag(bar, (bar.x_of(0.0), 10.0), (x - 12.0, 10.0))
    assert told[-1] < 95.0


def test_another_scale_during_a_drag_cancels_it(scene) -> None:
    bar, user, _ = scene
    told = []
    bar.cancelled.connect(lambda: told.append("cancelled"))
    bar.released.connect(lambda: told.append("released"))
    user.drag(bar, (bar.x_of(0.0), 10.0), (bar.x_of(50.0), 10.0), release=False)
    bar.set_scale(Scale(0.0, 1.0, (0.0, 1.0), (0.0, 1.0)))
    assert told == ["cancelled"] and not bar.held and bar.share == 0.0
    user.release_mouse((40.0, 10.0))
    assert told == ["cancelled"]


def test_a_refused_press_starts_no_drag(scene) -> None:
    bar, user, ready = scene
    ready["yes"] = False
    told = []
    for signal in (bar.dragged, bar.released, bar.cancelled):
        signal.connect(lambda *_: told.append(1))
    user.drag(bar, (bar.x_of(0.0), 10.0), (bar.x_of(100.0), 10.0))
    assert told == [] and not bar.held
