"""How long the mesh's edges should be, place by place."""

import numpy as np

from resources.sample import skeleton as sk
from resources.sample.shape.fields import Array

BASE, GROWTH = 0.0165, 0.13

# Centre, radius in metres, edge length in metres.
SPOTS: tuple[tuple[Array, float, float], ...] = (
    (sk.HAND.point(0.055, 0.010, 0.0), 0.055, 0.0064),
    (sk.HAND.point(0.120, 0.005, 0.0), 0.050, 0.0048),
    (sk.HAND.point(0.085, 0.060, 0.030), 0.030, 0.0052),
    (sk.FOOT.point(0.165, 0.005, 0.015), 0.055, 0.0062),
    (sk.FOOT.point(0.040, 0.000, 0.040), 0.060, 0.0115),
    (sk.FOOT.point(-0.040, 0.000, 0.020), 0.040, 0.0085),
    (np.array([0.0, 1.665, 0.085]), 0.030, 0.0058),
    (np.array([0.032, 1.695, 0.080]), 0.016, 0.0052),
    (np.array([0.076, 1.690, -0.015]), 0.035, 0.0066),
    (np.array([0.0, 1.690, 0.0]), 0.110, 0.0105),
    (np.array([0.0, 1.540, -0.020]), 0.050, 0.0125),
    (sk.ELBOW, 0.060, 0.0105),
    (sk.WRIST, 0.030, 0.0090),
    (sk.SHOULDER, 0.090, 0.0130),
    (sk.KNEE, 0.070, 0.0125),
    (sk.ANKLE, 0.050, 0.0110),
    (sk.HIP, 0.130, 0.0150),
    *((sk.finger_points(finger)[-1], 0.009, 0.0032) for finger in (*sk.FINGERS, "thumb")),
    *((sk.FOOT.point(*tip), 0.010, 0.0046) for tip in sk.TOE_TIPS.values()),
)


def edge_length(points: Array) -> Array:
    """Wanted edge length in metres at each point: the finest spot near it decides."""
    length = np.full(len(points), BASE)
    for centre, radius, fine in SPOTS:
        away = np.maximum(np.linalg.norm(points - centre, axis=1) - radius, 0.0)
        length = np.minimum(length, fine + GROWTH * away)
    return length
