"""The table of targets of the ragdoll, reached over the sample's clips and random falls.

``python -m tests.core.physics.targets [--falls 200] [--rigs FILE …] [--json OUT]``
"""

import argparse
import json
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.clips.sample import sample_many
from core.io import load
from core.math import quat
from core.math.transform import Transform
from core.physics.powered import Aim, towards
from core.physics.ragdoll import PICTURE, Push, Ragdoll
from core.physics.start import Posture, world_of
from core.rig.propose_bodies import capsule_ends, propose_bodies
from core.terrain.pieces import Bumps, Plane, Slope, Stairs
from core.terrain.terrain import Terrain
from resources.sample.locomotion import FILE
from tests.core.physics.falls import placed, start_speeds

SECONDS, LONGEST, AFTER = 5.0, 12.0, 2.5
"""Seconds of a fall at least and at most, and how much longer than until it is at rest."""
FINER = 10.0
"""Speeds of the start are measured from poses so much closer than a step: the way between is a straight line then."""


class Fall(NamedTuple):
    """What one fall measured; lengths in metres, angles in degrees."""

    what: str
    start: float
    start_speed: float
    start_coarse: float
    limits: list[float]
    limits_rest: float
    ground: list[float]
    ground_rest: float
    own: float
    own_rest: float
    rest: float
    drift: float
    rise: float
    ended: bool
    step: list[float]


def terrains(size: float) -> dict[str, Terrain]:
    """Grounds for a character of some height against a person's; it starts at the origin and runs along +Z."""
    s = size
    return {
        "flat": Terrain((Plane(),)),
        "bumps": Terrain((Plane(), Bumps(at=(0, 0, 6.5 * s), size=(20 * s, 12 * s), amplitude=0.2 * s, cell=0.2 * s,
                                         shortest=0.8 * s, longest=3 * s, rim=s))),
        "slope": Terrain((Plane(), Slope(25.0, at=(0, 0, 1.2 * s), length=7 * s, width=14 * s))),
        "stairs": Terrain((Plane(), Stairs(at=(0, 0, 1.2 * s), rise=0.18 * s, run=0.28 * s, count=20, width=14 * s))),
    }  # fmt: skip


def postures(rig, clip, at, place, yaw, speed, seconds):
    poses = sample_many(rig, clip, [at, at + seconds])
    root = poses.translations[:, 0].copy()
    ahead = np.array([np.sin(np.radians(yaw)), 0.0, np.cos(np.radians(yaw))])
    found = []
    for k in (0, 1):
        where = np.array(place) + (k - 1) * seconds * speed * ahead
        local = Transform(poses.translations[k], poses.rotations[k], poses.scales[k])
        local.translation[0] -= [root[1, 0], 0.0, root[1, 2]]  # root motion stays a motion, not a place
        found.append(Posture(local, placed(*where, yaw)))
    return found


def one(doll: Ragdoll, what, finer, before, now, seconds, pushes) -> Fall:
    skeleton, plan = doll.rig.skeleton, doll.plan
    radii = np.array([b.capsule.radius for b in plan.bodies])
    speeds = []
    for earlier, apart in ((finer, seconds / FINER), (before, seconds)):
        state = doll.start(earlier, now, apart)
        a, b = (sum(capsule_ends(plan, skeleton, world_of(skeleton, p))) / 2 for p in (earlier, now))
        speeds.append(float(np.linalg.norm(start_speeds(doll, state) - (b - a) / apart, axis=1).max()))
    shown = world_of(skeleton, now)
    back = world_of(skeleton, Posture(doll.local(state, now.placement), now.placement))
    moved = float(np.abs(back.translation - shown.translation).max())
    limits, ground, rest, own, drifts, step = [], [], None, 0.0, [], []
    energies, last = [], None
    for number in range(round(LONGEST / PICTURE)):
        if number * PICTURE >= max(SECONDS, AFTER + PICTURE * (LONGEST / PICTURE if rest is None else rest)):
            break
        began = time.perf_counter()
        state = doll.step(state, pushes=pushes if number == 0 else ())
        doll.local(state, now.placement)
        step.append(time.perf_counter() - began)
        energies.append(sum(doll.world.energy()))
        limits.append(float(np.degrees(doll.beyond(state).max(initial=0.0))))
        contacts = doll.world.contacts()
        own_now = -min([c.distance for c in contacts if min(c.first, c.second) >= 0], default=0.0)
        own = max(own, own_now)
        if number % 4 == 0:
            starts, ends = capsule_ends(plan, skeleton, doll.world_pose(state))
            hits = doll.terrain.nearest(starts, ends, radii)
            ground.append(max(0.0, -float(hits.gap[hits.piece >= 0].min(initial=0.0))))
            places = np.concatenate((starts, ends))
            if last is not None:
                drifts.append(float(np.linalg.norm(places - last, axis=1).max()) / (4 * PICTURE))
            last = places
        if state.at_rest and rest is None:
            rest = number
    rise = max(e - energies[0] for e in energies) / max(abs(energies[0]), 1e-9)
    tail = 30
    return Fall(
        what, moved, *speeds, limits[30:], max(limits[-tail:]), ground[1:], max(ground[-8:]), own, own_now,
        np.inf if rest is None else rest * PICTURE, max(drifts[-15:]), rise, state.ended, step,
    )  # fmt: skip


def falls(rig, plan, clips, count, seed, size, dolls) -> Iterator[Fall]:
    random = np.random.default_rng(seed)
    names = list(dolls)
    for number in range(count):
        clip = clips[number % len(clips)] if number < len(clips) else clips[random.integers(len(clips))]
        ground = names[number % len(names)]
        seconds = 1.0 / 240.0
        at = float(random.uniform(0.0, max(clip.length - seconds, 0.0)))
        yaw = float(random.uniform(-30.0, 30.0)) if number % 3 else float(random.uniform(-180.0, 180.0))
        height = float(random.choice([0.0, random.uniform(0.0, 1.0), random.uniform(0.0, 3.0)])) * size
        speed = float(random.choice([0.0, random.uniform(0.0, 4.0)])) * np.sqrt(size)
        low, now = postures(rig, clip, at, (0.0, 0.0, 0.0), yaw, speed, seconds)
        fine, _ = postures(
            rig, clip, at + seconds - seconds / FINER, (0.0, 0.0, 0.0), yaw, speed, seconds / FINER
        )
        starts, ends = capsule_ends(plan, rig.skeleton, world_of(rig.skeleton, now))
        radii = np.array([b.capsule.radius for b in plan.bodies])
        sunk = float((np.minimum(starts[:, 1], ends[:, 1]) - radii).min())
        lift = height + max(0.0, -sunk) * (number % 2)
        finer, before, now = (
            p._replace(placement=placed(*(p.placement.translation + [0, lift, 0]), yaw))
            for p in (fine, low, now)
        )
        bone = plan.bones[random.integers(len(plan))]
        # as hard as a person is pushed: no more than 8 m/s for a hand, 60 N·s for the body
        hard = min(60.0 * plan.mass / 75.0, 8.0 * plan.body(bone).mass) * np.sqrt(size)
        way = random.normal(size=3)
        push = way / np.linalg.norm(way) * random.uniform(0.0, hard)
        pushes = [Push(bone, tuple(push))] if number % 2 else []
        yield one(
            dolls[ground], f"{clip.name} {at:.2f} {ground} {lift:.2f}", finer, before, now, seconds, pushes
        )


def powered(doll, clip, speed=0.0) -> tuple[float, float]:
    """Mean and largest error in degrees of bodies that follow a clip with the root carried, over its length."""
    seconds = PICTURE
    count = max(3, round(clip.length / seconds) - 2)
    times = np.arange(-1, count + 2) * seconds
    poses = sample_many(doll.rig, clip, np.clip(times, 0.0, clip.length))
    shown = [
        Posture(Transform(t, r, s), placed(0.0, 0.0, speed * at))
        for t, r, s, at in zip(poses.translations, poses.rotations, poses.scales, times, strict=True)
    ]
    state = doll.start(shown[1], shown[2], seconds)
    errors = []
    for k in range(2, len(shown) - 1):
        drive = towards(doll, state, (shown[k - 1], shown[k], shown[k + 1]), Aim(1.0, 6.0, 1.0))
        state = doll.step(state, drive)
        want = world_of(doll.rig.skeleton, shown[k + 1]).rotation[doll.frames.bones]
        errors.append(np.degrees(quat.angle_between(doll.bodies(state).rotation, want)))
    return float(np.mean(errors)), float(np.max(errors))


def table(found: list[Fall], size: float) -> dict[str, str]:
    limits = np.concatenate([f.limits for f in found])
    ground = np.concatenate([f.ground for f in found]) / size
    step = np.concatenate([f.step for f in found]) * 1e3
    rises = np.array([f.rise for f in found])
    worst = max(found, key=lambda f: max(f.limits))
    speeds, coarse = (np.array([getattr(f, name) for f in found]) for name in ("start_speed", "start_coarse"))
    return {
        "falls": f"{len(found)}, ended {sum(f.ended for f in found)}",
        "start moves a bone (≤ 0.1 mm)": f"{max(f.start for f in found) * 1e3:.6f} mm",
        "start speed of a body (≤ 0.1 m/s)": (
            f"median {np.median(speeds):.3f}, p95 {np.percentile(speeds, 95):.3f}, worst {speeds.max():.3f} m/s"
        ),
        "the same told from poses 1/240 s apart, whose way is no straight line": (
            f"median {np.median(coarse):.3f}, p95 {np.percentile(coarse, 95):.3f}, worst {coarse.max():.3f} m/s"
        ),
        "limits p99 (≤ 5°)": f"{np.percentile(limits, 99):.2f}°, worst {limits.max():.1f}° ({worst.what})",
        "limits at rest (≤ 0.5°)": (
            f"p99 {np.percentile([f.limits_rest for f in found], 99):.2f}°,"
            f" worst {max(f.limits_rest for f in found):.2f}°"
        ),
        "ground p99 (≤ 10 mm)": f"{np.percentile(ground, 99) * 1e3:.1f} mm, worst {ground.max() * 1e3:.1f} mm",
        "ground at rest (≤ 2 mm)": (
            f"p99 {np.percentile([f.ground_rest for f in found], 99) / size * 1e3:.2f} mm,"
            f" worst {max(f.ground_rest for f in found) / size * 1e3:.2f} mm"
        ),
        "own body": (
            f"worst {max(f.own for f in found) / size * 1e3:.1f} mm,"
            f" at rest {max(f.own_rest for f in found) / size * 1e3:.2f} mm"
        ),
        "at rest (≤ 3 s)": (
            f"median {np.median([f.rest for f in found]):.2f} s,"
            f" p95 {np.percentile([f.rest for f in found], 95):.2f} s,"
            f" worst {max(f.rest for f in found):.2f} s, later than 3 s: {sum(f.rest > 3.0 for f in found)}"
        ),
        f"at rest over √size, size {size:.2f} (≤ 3 s)": (
            f"worst {max(f.rest for f in found) / np.sqrt(size):.2f} s,"
            f" later than 3 s: {sum(f.rest > 3.0 * np.sqrt(size) for f in found)}"
        ),
        "bones a second and a half later (≤ 1 mm/s)": (
            f"median {np.median([f.drift for f in found]) / size * 1e3:.2f}, p95 "
            f"{np.percentile([f.drift for f in found], 95) / size * 1e3:.2f}, worst "
            f"{max(f.drift for f in found) / size * 1e3:.2f} mm/s"
        ),
        "energy rise after the push (≤ 0.5 %)": f"worst {max(rises.max(), 0.0) * 100:.3f} %",
        "4 steps + pose (≤ 2 ms)": f"median {np.median(step):.2f} ms, p95 {np.percentile(step, 95):.2f} ms",
    }


def measure(file: str, count: int, seed: int) -> tuple[dict[str, str], list[Fall]]:
    project = load(file).project
    rig = project.rigs[0]
    plan = propose_bodies(rig, project.meshes_of(rig.id))
    size = float((plan.mass / 75.0) ** (1.0 / 3.0))
    dolls = {name: Ragdoll(rig, plan, ground) for name, ground in terrains(size).items()}
    clips = [c for c in project.clips if c.additive is None and c.rig == rig.id]
    found = list(falls(rig, plan, clips, count, seed, size, dolls))
    rows = table(found, size)
    for name in ("run", "walk", "idle", "wave", "Running", "Walking", "Idle"):
        clip = next((c for c in clips if c.name == name), None)
        if clip is not None:
            doll = Ragdoll(rig, plan, Terrain((Plane(at=(0.0, -5.0 * size, 0.0)),)))
            mean, worst = powered(doll, clip)
            rows[f"powered, {name} (mean ≤ 1°)"] = f"mean {mean:.2f}°, worst {worst:.1f}°"
    return rows, found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--falls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--rigs", nargs="*", default=[str(FILE)])
    parser.add_argument("--json")
    parser.add_argument("--worst", type=int, default=0)
    given = parser.parse_args()
    every = {}
    for file in given.rigs:
        rows, found = measure(file, given.falls, given.seed)
        every[file] = rows
        print(f"\n## {file.rsplit('/', 1)[-1]}\n\n| measure | reached |\n| --- | --- |")
        for name, value in rows.items():
            print(f"| {name} | {value} |")
        for what, key in (
            ("limits", lambda f: max(f.limits)), ("limits at rest", lambda f: f.limits_rest),
            ("ground", lambda f: max(f.ground)), ("ground at rest", lambda f: f.ground_rest),
            ("rest", lambda f: f.rest), ("drift", lambda f: f.drift), ("rise", lambda f: f.rise),
            ("start speed", lambda f: f.start_speed), ("own", lambda f: f.own),
        ):  # fmt: skip
            for fall in sorted(found, key=key, reverse=True)[: given.worst]:
                print("  worst", what, f"{key(fall):.4f}", fall.what)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as out:
            json.dump(every, out, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main()
