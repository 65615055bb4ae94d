"""What the pose panel says of the mirror: pairs, bones on the plane, and those on neither."""

from types import SimpleNamespace

import pytest

from editor.panels.pose.view_model import _mirror_words


def rig(bones: int, pairs: int, on_plane: int, axis: int = 0):
    mirror = SimpleNamespace(pairs=[None] * pairs, axis_bones=[None] * on_plane, axis=axis)
    return SimpleNamespace(skeleton=[None] * bones, mirror=mirror)


@pytest.mark.parametrize(
    "made, words",
    [
        (rig(11, 3, 5), "3 pairs, 5 on the X plane"),
        (rig(12, 3, 4, 2), "3 pairs, 4 on the Z plane, 2 on neither"),
        (rig(3, 1, 0, 1), "1 pair, 0 on the Y plane, 1 on neither"),
        (rig(9, 0, 0), "Not set up: this rig has no mirror pairs yet"),
        (None, ""),
    ],
)
def test_every_bone_is_counted_once(made, words):
    assert _mirror_words(made) == words
