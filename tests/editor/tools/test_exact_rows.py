"""Rows of the dope sheet and their keys, to the number: what is opened, hidden, alone, selected; keys that differ."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.channels import morph_channel
from core.clips.clip import Channel, Property
from core.timing import TIME_EPSILON
from core.tracks.keys import TangentMode, scalar_track
from editor.tools import rows
from editor.tools.curves.lanes import curve_channel
from editor.tools.rows import Level, keys_of, rows_for, top_of
from tests.editor.rigs import small_clip, small_rig
from tests.editor.uneven import FOOT, HEAD, SWING, uneven
from tests.pins import Pins

PINS = Pins(__file__)
CURVE, MORPH = curve_channel("speed"), morph_channel("face/smile")
OPEN = frozenset({
    (), ("upper_arm_l",), ("upper_arm_l", "ROTATE"), ("head",), ("head", "ROTATE"), ("", "curves"), ("hand_l",),
})  # fmt: skip


@pytest.fixture(scope="module")
def tracks():
    """Uneven keys, a curve and a morph; the arm's X and Y share their times, which are those of Z but for some."""
    made = dict(uneven(small_clip(small_rig())).tracks)
    shared = np.array([0.0, 0.2, 0.5, 1.0, 1.9])
    for axis in range(2):
        key = Channel("upper_arm_l", Property.ROTATE, axis)
        made[key] = replace(
            scalar_track(shared, np.arange(5.0)), modes=np.full(5, int(TangentMode.LINEAR), np.uint8)
        )
        made[key] = replace(made[key], times=shared)
    made[CURVE] = scalar_track([0.1, 0.5, 1.5], [0.0, 1.0, 0.0])
    made[MORPH] = scalar_track([0.5], [1.0])
    return made


WAYS = {
    "closed": (None, frozenset(), {}), "summary": (None, frozenset({()}), {}), "all open": (None, OPEN, {}),
    "bones": (["upper_arm_l", "head", "spine"], OPEN, {}), "no bones": ([], OPEN, {}),
    "weights": (["head"], OPEN, {"weights": frozenset({MORPH})}),
    "both weights": (["spine"], OPEN | {("", "morphs")}, {"weights": frozenset({MORPH, CURVE})}),
    "hidden": (None, OPEN, {"hidden": frozenset({("head",), ("", "curves")})}),
    "alone": (None, OPEN, {"solo": frozenset({("head",), ("", "morphs"), ("gone",)})}),
    "alone and hidden": (None, OPEN, {"solo": frozenset({("head",), ("foot_l",)}), "hidden": frozenset({("head",)})}),
    "alone elsewhere": (None, OPEN, {"solo": frozenset({("gone",)})}),
}  # fmt: skip


@pytest.mark.parametrize("way", list(WAYS))
def test_rows(tracks, way: str) -> None:
    bones, opened, more = WAYS[way]
    found = rows_for(tracks, bones, opened, "Title", **more)
    for row in found:
        told = [row.level, row.label, row.wanted, row.axis, row.opens, row.is_open, row.channels]
        PINS.hold(f"{way}: {'/'.join(row.key) or 'summary'}", told)
    assert [top_of(row.key) for row in found if row.level > Level.BONE] == [
        row.key[:2] if row.key[0] == "" else row.key[:1] for row in found if row.level > Level.BONE
    ]


SELECTED = {
    SWING: np.array([0, 3, 9]), HEAD: [1], Channel("upper_arm_l", Property.ROTATE, 0): np.array([4]),
    CURVE: np.array([2]), FOOT: np.zeros(0, np.int64),
}  # fmt: skip


@pytest.mark.parametrize(
    ("start", "end"), [(0.0, 2.0), (0.2, 1.0), (0.21, 0.99), (0.5, 0.5), (3.0, 4.0), (-1.0, 0.0)]
)
def test_keys_of_rows(tracks, start: float, end: float) -> None:
    for row in rows_for(tracks, None, OPEN, "Title"):
        found = keys_of(tracks, row, start, end, SELECTED)
        shown = np.array([True, False, True, False, True])
        kept = found.of_types(shown)
        PINS.hold(
            f"{start} to {end}: {'/'.join(row.key) or 'summary'}",
            [found.times, found.full, found.selected, found.modes, found.types],
            [kept.times, kept.full, kept.selected, kept.modes, kept.types, kept is found],
        )
        assert found.of_types(np.ones(5, bool)) is found


def test_keys_that_are_hardly_apart_are_one(tracks) -> None:
    x, y = (Channel("chest", Property.ROTATE, axis) for axis in range(2))
    near, far = 0.4 * TIME_EPSILON, 2.0 * TIME_EPSILON
    for away, count in ((near, 2), (far, 3)):
        both = {x: scalar_track([0.5, 1.0], [0.0, 1.0]), y: scalar_track([0.5 + away, 1.0], [0.0, 1.0])}
        (row,) = rows_for(both, ["chest"], frozenset(), "Title")
        assert len(keys_of(both, row, 0.0, 2.0, {}).times) == count
    assert rows.STRENGTH[rows.BY_STRENGTH].tolist() == [0, 1, 2, 3, 4]
