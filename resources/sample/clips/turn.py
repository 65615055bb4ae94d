"""Turns on the spot by 90 degrees in two steps: eyes and chest go first, then one foot, then the other.

The root turns, by root motion; it ends as ``idle`` begins.
"""

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from resources.sample.clips.idle import standing
from resources.sample.motion.acting import (
    ARM_AT_EASE,
    ArmRow,
    Body,
    FootPath,
    FootRow,
    home,
    key_arms,
    key_body,
    key_feet,
    key_hands,
)
from resources.sample.motion.figure import Turn
from resources.sample.motion.keying import ClipBuilder

FRAMES = 38
QUARTER = 90.0
FIRST = (5.0, 13.0)
SECOND = (15.0, 24.0)
"""Frames in which the foot on the inside of the turn, and then the other one, are off the ground."""

# fmt: off
# Frame, root turned (part of the whole), weight on the first foot (None: as standing), sinking, and, in degrees
# towards the turn: hips, trunk, gaze; last a bow forward.
ROWS = (
    (0.0, 0.000, None, 0.000, 0.0, 0.0, 0.0, 0.0),
    (4.0, 0.020, 0.10, -0.012, 2.0, 6.0, 17.0, 1.0),
    (8.0, 0.200, 0.04, -0.020, 5.0, 11.0, 27.0, 2.0),
    (13.0, 0.475, 0.36, -0.034, 3.0, 9.0, 22.0, 3.0),
    (17.0, 0.640, 0.86, -0.022, 2.0, 5.0, 12.0, 2.0),
    (21.0, 0.850, 0.93, -0.016, 0.0, 0.0, 3.0, 1.0),
    (25.0, 0.965, 0.72, -0.022, -1.0, -3.0, -2.0, 1.5),
    (30.0, 0.998, 0.50, -0.008, -0.5, -1.0, -1.5, 0.5),
    (38.0, 1.000, None, 0.000, 0.0, 0.0, 0.0, 0.0),
)
# Of the arm on the inside and the arm on the outside of the turn, added to how it hangs: frame, swing, spread,
# lower, elbow.
INSIDE = ((6.0, -5.0, 0.0, -2.0, 3.0), (13.0, -9.0, -2.0, -5.0, 8.0), (21.0, 5.0, 0.0, -5.0, 6.0),
          (28.0, 4.0, 0.0, -1.0, 2.0))
OUTSIDE = ((6.0, 4.0, 0.0, -1.0, 4.0), (13.0, 11.0, 3.0, -4.0, 9.0), (21.0, 4.0, 2.0, -6.0, 8.0),
           (29.0, -3.0, 0.0, -1.5, 3.0))
# fmt: on


def _path(side: str, sign: float, span: tuple[float, float]) -> list[FootRow]:
    """A foot stands, swings in a low arc round the root, and stands turned."""
    lift, land = span
    yaw = sign * QUARTER
    rows = [home(side, 0.0), home(side, lift - 1.5), (*home(side, lift)[:5], -16.0)]
    for part, turned, up, pitch in ((0.30, 0.22, 0.050, -20.0), (0.62, 0.72, 0.058, -4.0)):
        frame = lift + part * (land - lift)
        _, x, _, z, foot, _ = home(side, frame, turned * yaw)
        away = 1.06  # out a little, round the standing foot
        rows.append((frame, away * x, up, away * z, foot, pitch))
    rows += [(*home(side, land, yaw)[:5], 3.0), home(side, land + 1.5, yaw), home(side, FRAMES, yaw)]
    return rows


def _weight_shift(
    paths: dict[str, FootPath], first: str, row: tuple[float | None, ...], yaw: float
) -> FloatArray:
    """How far the pelvis moves (root's frame) so that the weight is shared as a row says."""
    share = row[2]
    if share is None:
        return np.zeros(3)
    second = "r" if first == "l" else "l"
    frame = float(row[0] or 0.0)
    places = {side: paths[side].at(frame)[0] for side in "lr"}
    for span, side in ((FIRST, first), (SECOND, second)):
        if span[0] < frame < span[1]:
            places[side] = paths[side].at(span[1])[0]
    over = places[second] + share * (places[first] - places[second])
    angle = np.radians(yaw)
    turned = [
        over[0] * np.cos(angle) - over[2] * np.sin(angle),
        0.0,
        over[2] * np.cos(angle) + over[0] * np.sin(angle),
    ]
    return np.array(turned) - _weight_at_home()


def _weight_at_home() -> FloatArray:
    """Where the weight is in the standing pose: on the line between the feet, below the pelvis."""
    left, right = (np.array(home(side, 0.0)[1:4]) * [1.0, 0.0, 1.0] for side in "lr")
    x = standing().shifts["pelvis"][0]
    return np.asarray(right + (x - right[0]) / (left[0] - right[0]) * (left - right))


def _arm(rows: tuple[tuple[float, ...], ...]) -> tuple[ArmRow, ...]:
    out: list[ArmRow] = [(0.0, None)]
    for frame, swing, spread, lower, elbow in rows:
        ease = ARM_AT_EASE
        out.append(
            (frame, (ease[0] + swing, ease[1] + spread, ease[2] + lower, ease[3], ease[4] + elbow, *ease[5:]))
        )
    return (*out, (float(FRAMES), None))


def _build(name: str, sign: float) -> Clip:
    """``sign`` is 1 for a turn to the left."""
    first, second = ("l", "r") if sign > 0.0 else ("r", "l")
    builder = ClipBuilder(name, FRAMES, False)
    paths = {
        first: FootPath(first, _path(first, sign, FIRST)),
        second: FootPath(second, _path(second, sign, SECOND)),
    }
    body = []
    for row in ROWS:
        frame, part, _, sink, hips, trunk, gaze, bow = (x if x is not None else 0.0 for x in row)
        yaw = sign * QUARTER * part
        x, _, z = _weight_shift(paths, first, row, yaw)
        turned: tuple[Turn, Turn, Turn] = (
            (0.5 * bow, sign * hips, 0.0), (bow, sign * trunk, 0.0), (0.5 * bow, sign * gaze, 0.0)
        )  # fmt: skip
        body.append(Body(frame, (0.8 * x, sink, 0.8 * z), *turned, root=yaw))
    key_body(builder, body)
    key_arms(builder, {first: _arm(INSIDE), second: _arm(OUTSIDE)})
    key_hands(builder)
    frames = {float(f) for f in range(0, FRAMES + 1, 2)}
    for lift, land in (FIRST, SECOND):
        frames |= {lift - 1.5, lift, lift + 0.5, lift + 1.0, land - 1.0, land, land + 0.75, land + 1.5}
    key_feet(builder, paths, sorted(frames))
    for side, (lift, land) in ((first, FIRST), (second, SECOND)):
        builder.curve(
            f"contact_{side}",
            [(0, 1.0), (lift - 0.5, 1.0), (lift, 0.0), (land - 0.1, 0.0), (land, 1.0), (FRAMES, 1.0)],
        )
    return builder.build()


def build_left() -> Clip:
    """The clip ``turn left 90``."""
    return _build("turn left 90", 1.0)


def build_right() -> Clip:
    """The clip ``turn right 90``."""
    return _build("turn right 90", -1.0)
