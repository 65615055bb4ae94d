"""What a person's parts weigh and how far they turn: the numbers behind a proposed body plan.

Shares of the mass follow the usual tables of body segments (hips 14.2 %, belly 13.9, chest 21.6 …). Ranges are
in degrees from a body that stands with its arms 45° below the horizontal, elbows and knees straight and the foot
at a right angle to the shin; `core.rig.propose_bodies` moves them to the rig's own rest pose.
"""

from enum import StrEnum

from core.rig.roles import Role


class Part(StrEnum):
    """A part of a body that a ragdoll has a rigid body for."""

    PELVIS = "pelvis"
    BELLY = "belly"
    CHEST = "chest"
    NECK = "neck"
    HEAD = "head"
    UPPER_ARM = "upper_arm"
    LOWER_ARM = "lower_arm"
    HAND = "hand"
    THIGH = "thigh"
    CALF = "calf"
    FOOT = "foot"
    BALL = "ball"


ROLES = {
    Part.UPPER_ARM: Role.UPPER_ARM,
    Part.LOWER_ARM: Role.LOWER_ARM,
    Part.HAND: Role.HAND,
    Part.THIGH: Role.THIGH,
    Part.CALF: Role.CALF,
    Part.FOOT: Role.FOOT,
    Part.BALL: Role.TOE,
}

PERSON_MASS, PERSON_HEIGHT = 75.0, 1.80

SHARES = {
    Part.PELVIS: 0.142,
    Part.BELLY: 0.139,
    Part.CHEST: 0.216,
    Part.NECK: 0.012,
    Part.HEAD: 0.069,
    Part.UPPER_ARM: 0.028,
    Part.LOWER_ARM: 0.016,
    Part.HAND: 0.006,
    Part.THIGH: 0.100,
    Part.CALF: 0.0465,
    Part.FOOT: 0.0120,
    Part.BALL: 0.0025,
}

HEIRS = {
    Part.BELLY: Part.CHEST,
    Part.CHEST: Part.PELVIS,
    Part.NECK: Part.HEAD,
    Part.HEAD: Part.CHEST,
    Part.HAND: Part.LOWER_ARM,
    Part.LOWER_ARM: Part.UPPER_ARM,
    Part.BALL: Part.FOOT,
    Part.FOOT: Part.CALF,
    Part.CALF: Part.THIGH,
}
"""Which part weighs more where a rig lacks one."""

Range = tuple[float, float]

RANGES: dict[Part, tuple[Range, ...]] = {
    Part.BELLY: ((-25.0, 55.0), (-30.0, 30.0), (-35.0, 35.0)),
    Part.CHEST: ((-25.0, 45.0), (-25.0, 25.0), (-35.0, 35.0)),
    Part.NECK: ((-40.0, 40.0), (-30.0, 30.0), (-45.0, 45.0)),
    Part.HEAD: ((-35.0, 35.0), (-25.0, 25.0), (-45.0, 45.0)),
    Part.UPPER_ARM: ((-65.0, 130.0), (-50.0, 80.0), (-95.0, 60.0)),
    Part.LOWER_ARM: ((-4.0, 145.0),),
    Part.HAND: ((-70.0, 75.0), (-30.0, 30.0), (-75.0, 80.0)),
    Part.THIGH: ((-135.0, 35.0), (-55.0, 35.0), (-55.0, 50.0)),
    Part.CALF: ((-3.0, 152.0),),
    Part.FOOT: ((-60.0, 55.0), (-45.0, 45.0), (-40.0, 40.0)),
    Part.BALL: ((-70.0, 35.0),),
}
"""Bend, sideways and twist on the left side. Positive bends: trunk and arms forward, elbow and knee closed, thigh
back, foot and toes down. Positive sideways: trunk to the right, arm up, thigh inward."""

THICKNESS = {
    Part.PELVIS: 0.60,
    Part.BELLY: 0.55,
    Part.CHEST: 0.40,
    Part.NECK: 0.50,
    Part.HEAD: 0.42,
    Part.UPPER_ARM: 0.17,
    Part.LOWER_ARM: 0.15,
    Part.HAND: 0.22,
    Part.THIGH: 0.17,
    Part.CALF: 0.12,
    Part.FOOT: 0.25,
    Part.BALL: 0.30,
}
"""Radius as a part of the length, where no mesh tells it."""
