"""A jump on the spot in three parts: take-off up to the highest point, the hang, and the landing.

The height is the pelvis's: the root stays on the ground. Take-off ends and landing begins as the hang begins;
in the air the pelvis follows a fall at 9.8 m/s².
"""

from core.clips.clip import Clip, Notify
from resources.sample.clips.idle import FEET
from resources.sample.motion.acting import (
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
from resources.sample.motion.keying import RATE, ClipBuilder

START, HANG, LAND = 23, 30, 40
LEAVES, TOUCHES = 16.0, 8.0
APEX = 0.36

# fmt: off
HANG_ARM = (26.0, 0.0, -2.0, -10.0, 46.0, 26.0, 4.0, 5.0)
HANG_FEET = {"l": (0.100, 0.430, 0.075, 6.0, -30.0), "r": (-0.095, 0.405, -0.085, -4.0, -36.0)}

START_BODY = (
    Body(0.0),
    Body(3.0, (0.010, -0.040, -0.008), (3.0, 1.0, 1.0), (5.0, 0.0, -1.0), (2.0, 0.0, 0.0)),
    Body(8.0, (0.034, -0.215, -0.048), (25.0, 2.0, 2.6), (23.0, -1.0, -3.4), (-2.0, 0.0, 0.0)),
    Body(10.0, (0.035, -0.196, -0.044), (24.0, 2.0, 2.8), (22.0, -1.0, -3.8), (-6.0, 0.0, 0.0)),
    Body(12.0, (0.035, -0.138, -0.030), (18.0, 2.0, 2.9), (15.0, -1.0, -4.0), (-10.0, 0.0, 0.0)),
    Body(14.0, (0.035, -0.052, -0.010), (8.0, 2.2, 3.0), (4.0, -1.2, -4.2), (-13.0, 0.0, 0.0)),
    Body(LEAVES, (0.035, 0.052, 0.006), (0.0, 2.4, 3.0), (-6.0, -1.5, -4.2), (-13.0, 0.0, 0.0)),
    Body(18.0, (0.035, 0.200, 0.010), (-1.0, 2.4, 3.0), (-6.0, -1.5, -4.2), (-9.0, 0.0, 0.0)),
    Body(20.0, (0.035, 0.300, 0.008), (2.0, 2.4, 3.0), (0.0, -1.5, -4.2), (-4.0, 0.0, 0.0)),
    Body(START, (0.035, APEX, 0.004), (6.0, 2.5, 3.0), (7.0, -1.5, -4.2), (1.0, 0.0, 0.0)),
)
START_ARM: tuple[ArmRow, ...] = (
    (0.0, None),
    (4.0, (-12.0, 0.0, 34.0, -4.0, 14.0, 28.0, 6.0, 0.0)),
    (9.0, (-33.0, 0.0, 32.0, 0.0, 22.0, 20.0, 12.0, 2.0)),
    (12.0, (-12.0, 0.0, 36.0, -2.0, 30.0, 20.0, 8.0, 1.0)),
    (LEAVES, (72.0, 4.0, 30.0, -8.0, 52.0, 24.0, -2.0, 9.0)),
    (18.5, (74.0, 2.0, 20.0, -10.0, 50.0, 24.0, -4.0, 10.0)),
    (START, HANG_ARM),
)
LAND_BODY = (
    Body(0.0, (0.035, APEX, 0.004), (6.0, 2.5, 3.0), (7.0, -1.5, -4.2), (1.0, 0.0, 0.0)),
    Body(3.0, (0.035, 0.311, 0.000), (3.0, 2.5, 3.0), (5.0, -1.5, -4.2), (8.0, 0.0, 0.0)),
    Body(5.5, (0.035, 0.195, -0.004), (1.0, 2.5, 3.0), (4.0, -1.5, -4.2), (13.0, 0.0, 0.0)),
    Body(TOUCHES, (0.035, 0.012, -0.010), (4.0, 2.4, 3.0), (7.0, -1.5, -4.2), (12.0, 0.0, 0.0)),
    Body(9.0, (0.035, -0.070, -0.017), (9.0, 2.4, 3.0), (11.0, -1.4, -4.0), (10.0, 0.0, 0.0)),
    Body(10.5, (0.035, -0.160, -0.030), (16.0, 2.2, 2.8), (17.0, -1.4, -3.8), (7.0, 0.0, 0.0)),
    Body(12.5, (0.034, -0.222, -0.044), (22.0, 2.0, 2.8), (23.0, -1.2, -3.6), (5.0, 0.0, 0.0)),
    Body(15.0, (0.032, -0.235, -0.049), (24.0, 2.0, 2.6), (26.0, -1.0, -3.4), (4.0, 0.0, 0.0)),
    Body(20.0, (0.026, -0.165, -0.034), (17.0, 1.6, 2.0), (18.0, -1.0, -2.6), (1.0, 0.0, 0.0)),
    Body(26.0, (0.012, -0.045, -0.006), (4.5, 0.8, 1.0), (4.0, -0.5, -1.2), (-2.0, 0.0, 0.0)),
    Body(31.0, (0.003, -0.002, 0.003), (-0.8, 0.2, 0.2), (-2.0, 0.0, -0.2), (-1.5, 0.0, 0.0)),
    Body(LAND),
)
LAND_ARM: tuple[ArmRow, ...] = (
    (0.0, HANG_ARM),
    (4.0, (22.0, 0.0, -22.0, -10.0, 40.0, 24.0, -6.0, 9.0)),
    (8.0, (14.0, 0.0, -12.0, -10.0, 30.0, 24.0, -10.0, 8.0)),
    (13.0, (6.0, 0.0, 25.0, -6.0, 30.0, 28.0, 10.0, -2.0)),
    (18.0, (8.0, 0.0, 29.0, -5.0, 34.0, 29.0, 8.0, -2.0)),
    (27.0, (-4.0, 0.0, 35.0, -4.0, 18.0, 30.0, 2.0, -1.0)),
    (33.0, (-5.0, 0.0, 34.0, -4.0, 11.0, 30.0, 4.0, 0.0)),
    (LAND, None),
)
# fmt: on


def _flat(side: str, frame: float, up: float, pitch: float) -> FootRow:
    (x, _, z), out = FEET[side]
    return frame, float(x), up, float(z), out if side == "l" else -out, pitch


def _late(rows: tuple[ArmRow, ...], by: float) -> tuple[ArmRow, ...]:
    """The right arm a little later, so that the two do not move as one; first and last stay."""
    return (rows[0], *((frame + by, values) for frame, values in rows[1:-1]), rows[-1])


def build_start() -> Clip:
    """The clip ``jump start``."""
    builder = ClipBuilder("jump start", START, False)
    key_body(builder, START_BODY)
    key_arms(builder, {"l": START_ARM, "r": _late(START_ARM, 0.4)})
    key_hands(builder, ((0.0, 0.0), (8.0, 0.9), (LEAVES, -0.6), (START, -0.4)))
    paths = {}
    for side in "lr":
        rows = [home(side, 0.0), _flat(side, 11.0, 0.0, 0.0), _flat(side, 13.5, 0.0, -22.0)]
        rows += [_flat(side, LEAVES, 0.0, -49.0), _flat(side, 17.5, 0.090, -46.0)]
        rows += [_flat(side, 19.5, 0.240, -44.0), (float(START), *HANG_FEET[side])]
        paths[side] = FootPath(side, rows)
    frames = [
        0.0,
        2.0,
        4.0,
        6.0,
        8.0,
        9.0,
        10.0,
        11.0,
        12.0,
        13.0,
        13.5,
        14.0,
        15.0,
        15.5,
        LEAVES,
        16.5,
        17.0,
        17.5,
    ]
    key_feet(builder, paths, [*frames, 18.5, 19.5, 21.0, START])
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 1.0), (LEAVES - 0.5, 1.0), (LEAVES, 0.0), (START, 0.0)])
    builder.notifies.append(Notify("take_off", LEAVES / RATE))
    return builder.build()


def build_loop() -> Clip:
    """The clip ``jump loop``."""
    builder = ClipBuilder("jump loop", HANG, True)
    start = START_BODY[-1]
    up, lean, arm = (0.0, 0.005, 0.012, 0.007), (0.0, 1.0, 2.0, 1.2), (0.0, 3.0, 5.0, 2.5)
    for number in range(5):
        k, frame = number % 4, number * HANG / 4
        hips = (start.hips[0] - lean[k], start.hips[1], start.hips[2])
        trunk = (start.trunk[0] + 1.5 * lean[k], start.trunk[1], start.trunk[2])
        shift = (start.shift[0], start.shift[1] - up[k], start.shift[2])
        key_body(builder, [Body(frame, shift, hips, trunk, start.gaze)])
        arms: dict[str, list[ArmRow]] = {}
        for side, much in (("l", arm[k]), ("r", arm[(k + 3) % 4] - arm[3] if number % 4 else 0.0)):
            values = list(HANG_ARM)
            values[0], values[2], values[4] = values[0] - much, values[2] - 1.4 * much, values[4] - much
            arms[side] = [(frame, tuple(values))]
        key_arms(builder, arms)
    key_hands(builder, ((0.0, -0.4), (HANG / 2, -0.55), (HANG, -0.4)))
    paths = {}
    for side, way in (("l", -1.0), ("r", 1.0)):
        x, rise, z, yaw, pitch = HANG_FEET[side]
        rows = [
            (frame, x, rise - 0.012 * k, z + 0.045 * way * k, yaw, pitch - 5.0 * way * k)
            for frame, k in (
                (0.0, 0.0),
                (HANG * 0.28, 0.6),
                (HANG * 0.52, 1.0),
                (HANG * 0.8, 0.45),
                (HANG, 0.0),
            )
        ]
        paths[side] = FootPath(side, rows)
    key_feet(builder, paths, [HANG * k / 6 for k in range(7)])
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 0.0), (HANG, 0.0)])
    return builder.build()


def build_land() -> Clip:
    """The clip ``jump land``, which ends as ``idle`` begins."""
    builder = ClipBuilder("jump land", LAND, False)
    key_body(builder, LAND_BODY)
    key_arms(builder, {"l": LAND_ARM, "r": _late(LAND_ARM, 0.5)})
    key_hands(builder, ((0.0, -0.4), (6.0, -0.6), (14.0, 0.4), (28.0, 0.1), (LAND, 0.0)))
    paths = {}
    for side in "lr":
        rows = [(0.0, *HANG_FEET[side]), _flat(side, 3.0, 0.290, -30.0), _flat(side, 6.0, 0.118, -24.0)]
        rows += [_flat(side, TOUCHES, 0.0, -20.0), _flat(side, 9.5, 0.0, 0.0), home(side, LAND)]
        paths[side] = FootPath(side, rows)
    frames = [0.0, 1.5, 3.0, 4.5, 6.0, 7.0, TOUCHES, 8.75, 9.5, 10.5, 11.5, 12.5, 14.0, 16.0, 18.0, 20.0]
    key_feet(builder, paths, [*frames, 22.0, 24.0, 26.0, 28.0, 31.0, 35.0, LAND])
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 0.0), (TOUCHES - 0.1, 0.0), (TOUCHES, 1.0), (LAND, 1.0)])
    builder.notifies.append(Notify("landed", TOUCHES / RATE))
    return builder.build()
