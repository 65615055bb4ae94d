"""The dial of a joint limit: its sector lies where the joint may turn, upright is no turn, to the right is plus."""

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from core.rig.rig import JointLimit, LimitKind
from editor.panels.ik.limit_dial import SIZE, LimitDial
from editor.panels.ik.view_model import LimitRow
from editor.qt.theme import Theme
from tests.editor.user import User


@pytest.mark.parametrize(("least", "most"), [(0.0, 90.0), (-90.0, 0.0), (-30.0, 120.0), (-170.0, -100.0)])
def test_the_sector_is_drawn_from_the_least_turn_to_the_largest(qapp, least, most):
    theme, window = Theme(qapp, "dark"), QWidget()
    window.resize(120, 120)
    dial = LimitDial(theme)
    dial.setParent(window)
    theme.dress(window)
    limit = JointLimit(LimitKind.HINGE, (0.0, 1.0, 0.0), least, most)
    dial.show_row(LimitRow("elbow", limit, (least + most) / 2.0, 0.0, True))
    user = User(window)
    picture = user.picture(dial).astype(int)[:, :, :3]
    scale = picture.shape[0] / SIZE

    def color(turn: float) -> np.ndarray:
        """What is seen half-way to the rim, at a turn."""
        x, y = SIZE / 2 + 11 * np.sin(np.radians(turn)), SIZE / 2 - 11 * np.cos(np.radians(turn))
        return picture[int(y * scale), int(x * scale)]

    middle = (least + most) / 2.0
    field = color(middle + 180.0)
    for turn in (least + 15.0, most - 15.0):
        assert np.abs(color(turn) - field).max() > 10, f"{turn}° is within"
    for turn in (least - 15.0, most + 15.0):
        assert np.abs(color(turn) - field).max() < 4, f"{turn}° is outside"
    window.close()
