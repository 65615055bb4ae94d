"""Postures of the sample to start falls from, and terrains to fall on."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from core.clips.sample import sample_many
from core.io import load
from core.math import quat
from core.math.transform import Transform
from core.physics.ragdoll import PICTURE, Ragdoll
from core.physics.start import Posture
from core.rig.propose_bodies import propose_bodies
from core.terrain.pieces import Bumps, Plane, Slope, Stairs
from core.terrain.terrain import Terrain
from resources.sample.locomotion import FILE

TERRAINS = {
    "flat": Terrain((Plane(),)),
    "bumps": Terrain((Plane(), Bumps(at=(0.0, 0.0, 6.0), size=(16.0, 11.0), amplitude=0.18))),
    "slope": Terrain((Plane(), Slope(25.0, at=(0.0, 0.0, 1.1), length=6.0, width=10.0))),
    "stairs": Terrain((Plane(), Stairs(at=(0.0, 0.0, 1.1), count=12, width=10.0))),
}


@lru_cache(maxsize=1)
def project():
    return load(FILE).project


@lru_cache(maxsize=8)
def ragdoll(terrain: str = "flat") -> Ragdoll:
    rig = project().rigs[0]
    return Ragdoll(rig, propose_bodies(rig, project().meshes_of(rig.id)), TERRAINS[terrain])


def placed(x=0.0, y=0.0, z=0.0, yaw=0.0) -> Transform:
    return Transform(np.array([x, y, z]), quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(yaw)), np.ones(3))


def postures(rig, clip, time, at=(0.0, 0.0, 0.0), speed=0.0, yaw=0.0, seconds=PICTURE):
    """Two postures of a clip, `seconds` apart, of a character that travels ahead at a speed."""
    poses = sample_many(rig, clip, [time, time + seconds])
    ahead = np.array([np.sin(np.radians(yaw)), 0.0, np.cos(np.radians(yaw))])
    found = []
    for k in (0, 1):
        place = np.array(at) + (k - 1) * seconds * speed * ahead
        local = Transform(poses.translations[k], poses.rotations[k], poses.scales[k])
        found.append(Posture(local, placed(*place, yaw)))
    return found


def fall(name="run", time=0.2, terrain="flat", height=0.0, speed=3.6):
    """A ragdoll and the start of a fall from a clip of the sample."""
    doll = ragdoll(terrain)
    clip = next(clip for clip in project().clips if clip.name == name)
    return doll, doll.start(*postures(doll.rig, clip, time, (0.0, height, 0.0), speed))


def middles(doll, state):
    """Middles of all capsules in the world, ``(n, 3)``."""
    at = doll.bodies(state)
    ends = [(np.array(b.capsule.start) + np.array(b.capsule.end)) / 2 for b in doll.plan.bodies]
    return at.translation + quat.rotate(at.rotation, np.array(ends))


def start_speeds(doll, state, short=1e-5):
    """Velocities ``(n, 3)`` of the middles of all capsules at the start: where everything is a moment later."""
    later = replace(
        state,
        position=doll.world.moved(state.position, state.velocity, short),
        mounts=state.start.mounts_at(doll.frames, short),
    )
    return (middles(doll, later) - middles(doll, state)) / short
