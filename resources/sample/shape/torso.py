"""Trunk, neck and head of the mannequin as fields."""

import numpy as np

from resources.sample.shape.fields import Field, Loft, blend, carve, ellipsoid, mirrored, near, rounded_cone

# y, half width, half width, front of the axis, back of the axis, axis z. Feet to neck.
TRUNK = (
    (0.900, 0.122, 0.122, 0.078, 0.092, -0.012),
    (0.945, 0.148, 0.148, 0.094, 0.102, -0.012),
    (0.990, 0.151, 0.151, 0.098, 0.099, -0.011),
    (1.040, 0.143, 0.143, 0.097, 0.088, -0.008),
    (1.090, 0.134, 0.134, 0.094, 0.079, -0.005),
    (1.140, 0.132, 0.132, 0.095, 0.078, -0.006),
    (1.190, 0.138, 0.138, 0.101, 0.086, -0.008),
    (1.240, 0.149, 0.149, 0.109, 0.096, -0.012),
    (1.290, 0.160, 0.160, 0.116, 0.104, -0.016),
    (1.340, 0.168, 0.168, 0.119, 0.107, -0.021),
    (1.390, 0.166, 0.166, 0.112, 0.105, -0.026),
    (1.430, 0.148, 0.148, 0.096, 0.097, -0.030),
    (1.465, 0.113, 0.113, 0.076, 0.082, -0.033),
    (1.495, 0.078, 0.078, 0.060, 0.064, -0.033),
)

NECK = (
    (-0.08, 0.062, 0.062, 0.062, 0.062, 0.0),
    (0.00, 0.0585, 0.0585, 0.0600, 0.0600, 0.0),
    (0.06, 0.0555, 0.0555, 0.0570, 0.0580, 0.0),
    (0.12, 0.0550, 0.0550, 0.0560, 0.0580, 0.0),
    (0.20, 0.0560, 0.0560, 0.0560, 0.0580, 0.0),
)

FACE = (
    (1.594, 0.0390, 0.0390, 0.0380, 0.064, 0.050),
    (1.622, 0.0545, 0.0545, 0.0605, 0.074, 0.029),
    (1.645, 0.0615, 0.0615, 0.0730, 0.080, 0.017),
    (1.670, 0.0660, 0.0660, 0.0820, 0.085, 0.008),
    (1.700, 0.0695, 0.0695, 0.0890, 0.085, 0.001),
    (1.722, 0.0685, 0.0685, 0.0905, 0.080, -0.003),
)


def head_field() -> Field:
    """Skull and a face that is only hinted at: brow, nose, sockets, lips and chin, jaw line."""
    model = np.eye(3)
    skull = ellipsoid((0.0, 1.7125, -0.0130), (0.0765, 0.0890, 0.0960))
    face = Loft((0.0, 0.0, 0.0), model, FACE, power=2.1, dome=(0.024, 0.075))
    head = blend(0.05, skull, face)
    nose = rounded_cone((0.0, 1.704, 0.0870), (0.0, 1.665, 0.0990), 0.0080, 0.0120)
    chin = ellipsoid((0.0, 1.591, 0.0780), (0.020, 0.013, 0.011))
    lips = ellipsoid((0.0, 1.6285, 0.0815), (0.021, 0.0115, 0.0095))
    head = blend(0.030, head, nose)
    head = blend(0.024, head, lips, chin)
    socket = ellipsoid((0.0330, 1.698, 0.1010), (0.0235, 0.0120, 0.0182))
    head = carve(0.034, head, socket, mirrored(socket))
    lid = ellipsoid((0.0310, 1.6955, 0.0720), (0.0160, 0.0120, 0.0105))
    head = blend(0.020, head, lid, mirrored(lid))
    ear_axes = np.array([[0.94, 0.0, 0.34], [0.0, 0.985, -0.17], [-0.34, 0.17, 0.925]])
    ear = ellipsoid((0.0760, 1.690, -0.0150), (0.0080, 0.0300, 0.0170), ear_axes)
    head = blend(0.012, head, ear, mirrored(ear))
    return near(head, (0.0, 1.68, 0.0), 0.16)


def neck_field() -> Field:
    """A column from between the collar bones up into the skull, leaning forward as necks do."""
    foot, top = np.array([0.0, 1.485, -0.036]), np.array([0.0, 1.640, -0.010])
    along = (top - foot) / np.linalg.norm(top - foot)
    side = np.array([1.0, 0.0, 0.0])
    return Loft(foot, np.stack([side, along, np.cross(side, along)]), NECK, dome=(0.05, 0.05))


def side_lobes() -> Field:
    """What the left half of the trunk carries: chest, trapezius, collar, shoulder blade, buttock."""
    slope = np.array([[0.94, 0.34, 0.0], [-0.34, 0.94, 0.0], [0.0, 0.0, 1.0]])
    chest = ellipsoid((0.076, 1.362, 0.046), (0.086, 0.060, 0.032), slope)
    trapezius = rounded_cone((0.022, 1.535, -0.046), (0.160, 1.462, -0.038), 0.032, 0.030)
    blade = ellipsoid((0.086, 1.368, -0.086), (0.066, 0.125, 0.027))
    buttock = ellipsoid((0.076, 0.915, -0.062), (0.078, 0.088, 0.056))
    lobes = blend(0.06, chest, blade, buttock)
    return blend(0.06, lobes, trapezius)


def trunk_field() -> Field:
    """The middle of the trunk, the same on both sides."""
    return Loft((0.0, 0.0, 0.0), np.eye(3), TRUNK, power=2.25, dome=(0.06, 0.12))
