"""Left arm, hand, leg and foot of the mannequin as fields."""

import numpy as np

from resources.sample import skeleton as sk
from resources.sample.shape.fields import Array, Field, Loft, blend, ellipsoid, near, rounded_cone, smooth_max

# Along the bone in parts of its length; then outer, inner, front, back radius in metres; front offset.
UPPER_ARM = (
    (-0.02, 0.0500, 0.0500, 0.0560, 0.0540, 0.000),
    (0.08, 0.0560, 0.0530, 0.0600, 0.0575, 0.000),
    (0.20, 0.0570, 0.0490, 0.0580, 0.0555, 0.000),
    (0.36, 0.0505, 0.0450, 0.0525, 0.0515, 0.000),
    (0.55, 0.0440, 0.0430, 0.0490, 0.0475, 0.000),
    (0.76, 0.0405, 0.0410, 0.0425, 0.0430, 0.000),
    (0.92, 0.0400, 0.0400, 0.0380, 0.0390, 0.000),
    (1.00, 0.0395, 0.0395, 0.0370, 0.0380, 0.000),
)
LOWER_ARM = (
    (0.00, 0.0395, 0.0395, 0.0370, 0.0380, 0.000),
    (0.10, 0.0410, 0.0405, 0.0400, 0.0385, 0.001),
    (0.22, 0.0415, 0.0410, 0.0420, 0.0385, 0.002),
    (0.36, 0.0385, 0.0385, 0.0405, 0.0365, 0.002),
    (0.55, 0.0325, 0.0325, 0.0360, 0.0330, 0.001),
    (0.78, 0.0250, 0.0250, 0.0305, 0.0290, 0.000),
    (0.94, 0.0212, 0.0212, 0.0285, 0.0275, 0.000),
    (1.00, 0.0205, 0.0205, 0.0285, 0.0275, 0.000),
)
THIGH = (
    (-0.02, 0.0690, 0.060, 0.0760, 0.0780, 0.004),
    (0.12, 0.0770, 0.076, 0.0830, 0.0850, 0.004),
    (0.30, 0.0760, 0.0780, 0.0830, 0.0820, 0.004),
    (0.50, 0.0700, 0.0730, 0.0770, 0.0740, 0.003),
    (0.70, 0.0615, 0.0650, 0.0680, 0.0640, 0.001),
    (0.86, 0.0540, 0.0580, 0.0595, 0.0565, 0.000),
    (0.96, 0.0520, 0.0545, 0.0560, 0.0530, 0.000),
    (1.00, 0.0515, 0.0535, 0.0550, 0.0525, 0.000),
)
CALF = (
    (0.00, 0.0510, 0.0530, 0.0545, 0.0525, 0.000),
    (0.08, 0.0500, 0.0520, 0.0510, 0.0550, 0.000),
    (0.16, 0.0510, 0.0520, 0.0475, 0.0625, 0.000),
    (0.27, 0.0530, 0.0535, 0.0450, 0.0690, 0.000),
    (0.40, 0.0500, 0.0500, 0.0430, 0.0660, 0.000),
    (0.58, 0.0415, 0.0405, 0.0400, 0.0520, 0.000),
    (0.76, 0.0335, 0.0330, 0.0365, 0.0400, 0.000),
    (0.90, 0.0310, 0.0310, 0.0355, 0.0375, -0.002),
    (1.00, 0.0320, 0.0320, 0.0370, 0.0390, -0.002),
)

# On the foot's frame: ahead; outer and inner half width, height above the middle, depth below it, middle.
FOOT_OUTLINE = (
    (-0.046, 0.0290, 0.0290, 0.028, 0.031, 0.031),
    (-0.030, 0.0320, 0.0325, 0.034, 0.034, 0.034),
    (0.000, 0.0335, 0.0345, 0.040, 0.036, 0.036),
    (0.030, 0.0355, 0.0365, 0.041, 0.034, 0.034),
    (0.060, 0.0400, 0.0385, 0.035, 0.030, 0.030),
    (0.095, 0.0475, 0.0420, 0.026, 0.024, 0.024),
    (0.120, 0.0505, 0.0440, 0.020, 0.020, 0.020),
    (0.138, 0.0470, 0.0400, 0.014, 0.016, 0.016),
)
TOE_RADII = {"big": (0.0150, 0.0125), "index": (0.0112, 0.0095), "middle": (0.0108, 0.0092),
             "ring": (0.0104, 0.0088), "little": (0.0102, 0.0085)}  # fmt: skip
FINGER_RADII = {
    "index": (0.0102, 0.0088, 0.0080, 0.0068),
    "middle": (0.0104, 0.0090, 0.0082, 0.0069),
    "ring": (0.0098, 0.0084, 0.0077, 0.0065),
    "pinky": (0.0088, 0.0074, 0.0068, 0.0058),
    "thumb": (0.0150, 0.0120, 0.0102, 0.0078),
}


Stations = tuple[tuple[float, ...], ...]


def _along(head: Array, tail: Array, front: Array, stations: Stations, dome: tuple[float, float]) -> Loft:
    length = float(np.linalg.norm(tail - head))
    y = (tail - head) / length
    side = sk.unit(np.cross(y, front))
    side = side if side @ (sk.LEFT + 0.5 * sk.UP) > 0 else -side
    f = np.cross(side, y)
    f = f if f @ front > 0 else -f
    table = [(s[0] * length, *s[1:]) for s in stations]
    return Loft(head, np.stack([side, y, f]), table, power=2.1, dome=dome)


def arm_field() -> Field:
    """Upper and lower arm with the deltoid, without the hand."""
    upper = _along(sk.SHOULDER, sk.ELBOW, sk.FRONT, UPPER_ARM, (0.062, 0.09))
    lower = _along(sk.ELBOW, sk.WRIST, sk.FRONT, LOWER_ARM, (0.09, 0.04))
    tip = sk.ELBOW + 0.006 * sk.unit(sk.UPPER_ARM_DIRECTION - sk.LOWER_ARM_DIRECTION)
    point = ellipsoid(tip - 0.022 * sk.FRONT, (0.020, 0.020, 0.018))
    return blend(0.03, blend(0.02, upper, lower), point)


def leg_field() -> Field:
    """Thigh and calf, without the foot."""
    upper = _along(sk.HIP, sk.KNEE, sk.FRONT, THIGH, (0.15, 0.12))
    lower = _along(sk.KNEE, sk.ANKLE, sk.FRONT, CALF, (0.12, 0.05))
    cap = ellipsoid(sk.KNEE + np.array([0.0, 0.006, 0.032]), (0.026, 0.036, 0.022))
    return blend(0.04, blend(0.02, upper, lower), cap)


def finger_field(finger: str) -> Field:
    """One left finger from its knuckle to the tip."""
    points, radii = sk.finger_points(finger), FINGER_RADII[finger]
    parts = [rounded_cone(points[i], points[i + 1], radii[i], radii[i + 1]) for i in range(3)]
    # The last radius is reached at the end of the bone; pull the ball back so that the tip ends there.
    back = sk.unit(points[2] - points[3]) * radii[3]
    parts[2] = rounded_cone(points[2], points[3] + back, radii[2], radii[3])
    return blend(0.003, *parts)


def hand_field() -> Field:
    """Left hand: palm with the ball of the thumb and of the little finger, and five fingers."""
    h = sk.HAND
    rays = []
    for finger in sk.FINGERS:
        a, b, c = sk.KNUCKLES[finger][0]
        base = h.point(0.012, 0.50 * b, 0.3 * c)
        rays.append(rounded_cone(base, h.point(a - 0.004, b, c + 0.001), 0.0165, 0.0122))
    palm = blend(0.022, *rays)
    thenar = rounded_cone(h.point(0.014, 0.012, 0.006), h.point(0.052, 0.040, 0.020), 0.0175, 0.0150)
    heel = rounded_cone(h.point(0.016, -0.014, 0.006), h.point(0.060, -0.030, 0.006), 0.0155, 0.0125)
    palm = blend(0.020, palm, thenar, heel)
    wrist = ellipsoid(h.point(0.004, 0.0, 0.0), (0.034, 0.0285, 0.0205), h.axes)
    palm = blend(0.026, palm, wrist)
    fingers = [finger_field(f) for f in sk.FINGERS]

    def four(p: Array) -> Array:
        return np.asarray(np.min([f(p) for f in fingers], axis=0))

    hand = blend(0.010, palm, four)
    return near(blend(0.018, hand, finger_field("thumb")), h.point(0.09, 0.01, 0.0), 0.13)


def foot_field() -> Field:
    """Left foot with a flat sole and five toes that are told apart by grooves."""
    ahead, outward, up = sk.FOOT.axes
    body = Loft(sk.FOOT.origin, np.stack([outward, ahead, up]), FOOT_OUTLINE, power=2.3, dome=(0.020, 0.040))
    toes = []
    for toe in sk.TOES:
        (a, b, c), tip, (r0, r1) = sk.TOE_ROOTS[toe], np.array(sk.TOE_TIPS[toe]), TOE_RADII[toe]
        end = tip - [r1, 0.0, 0.0]
        toes.append(rounded_cone(sk.FOOT.point(a - 0.036, 0.78 * b, c), sk.FOOT.point(*end), r0, r1))
    heel = ellipsoid(sk.FOOT.point(-0.022, 0.0, 0.050), (0.030, 0.046, 0.040))
    instep = rounded_cone(
        sk.FOOT.point(0.0, -0.002, 0.074), sk.FOOT.point(0.085, -0.010, 0.030), 0.034, 0.020
    )
    foot = blend(0.030, body, heel)
    foot = blend(0.035, foot, instep)
    foot = blend(0.010, foot, blend(0.005, *toes))

    def field(p: Array) -> Array:
        return smooth_max(foot(p), -p[:, 1], 0.008)

    return near(field, sk.FOOT.point(0.07, 0.0, 0.04), 0.19)
