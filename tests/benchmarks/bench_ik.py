"""IK solvers: how often, how near and how fast, and what a live drag costs.

    python tests/benchmarks/bench_ik.py [--goals N] [--quick] [--json FILE]

Prints success, steps and residual over random reachable goals per chain length, with and without
joint limits; microseconds a solve of the compiled kernel, the numpy twin and plain Python; and
milliseconds of a limb, a pinned and a full-body drag on the sample character. Nothing is asserted.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.ik import ccd, compiled, fabrik, two_bone
from core.ik.body import PinKind, Reach, pulled
from core.ik.chain import Chain, model_of, take_chain
from core.io import load
from core.math import kernels, quat
from core.rig.rig import JointLimit, LimitKind
from core.rig.roles import find_roles
from tests.core.ik.chains import bent, chain_rig

SAMPLE = Path(__file__).parents[2] / "resources" / "sample" / "mannequin.posewright"
LENGTHS = (2, 3, 4, 5, 6, 8, 10, 15, 20)


def median(call: Callable[[], Any], repeats: int = 9, inner: int = 20) -> float:
    """Microseconds a call: the median over samples of `inner` calls."""
    call()
    samples = []
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(inner):
            call()
        samples.append((time.perf_counter() - began) / inner)
    return float(np.median(samples)) * 1e6


# ---------------------------------------------------------------- how often and how near


def limits_of(bones: int) -> dict[str, JointLimit]:
    """Hinges and cones in turn, as in a limb."""
    found = {}
    for bone in range(bones):
        if bone % 2:
            found[f"b{bone}"] = JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), -20.0, 140.0)
        else:
            found[f"b{bone}"] = JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -60.0, 60.0, 80.0)
    return found


def allowed_poses(bones: int, limits: dict[str, JointLimit], seed: int, count: int) -> Any:
    """Random poses within the limits: goals taken from them are reachable with the limits held."""
    rng = np.random.default_rng(seed)
    rig = chain_rig(bones, limits=limits)
    pose = bent(rig, seed, count, 0.0)
    rotation = np.array(pose.rotation)
    for bone in range(bones):
        limit = limits[f"b{bone}"]
        axis = np.asarray(limit.axis)
        turn = np.radians(rng.uniform(limit.minimum, limit.maximum, count))
        turned = quat.from_axis_angle(np.tile(axis, (count, 1)), turn)
        if limit.kind is LimitKind.CONE_TWIST:
            side = np.cross(rng.normal(size=(count, 3)), axis)
            lean = quat.from_axis_angle(side, np.radians(limit.cone) * np.sqrt(rng.uniform(size=count)))
            turned = quat.multiply(lean, turned)
        rotation[:, bone] = turned
    return rig, pose._replace(rotation=rotation)


def success(goals: int) -> list[dict[str, Any]]:
    """Rows: solver, limits, bones, share reached in 20 and 50 steps, steps, residual."""
    rows = []
    for limited in (False, True):
        for bones in LENGTHS:
            if limited:
                limits = limits_of(bones)
                rig, reachable = allowed_poses(bones, limits, 1, goals)
                start = allowed_poses(bones, limits, 2, goals)[1]
            else:
                limits = {}
                rig = chain_rig(bones)
                reachable, start = bent(rig, 1, goals), bent(rig, 2, goals, 0.3)
            aims = take_chain(rig.skeleton, reachable, "b0", f"b{bones}").joints[:, -1]
            for name, solver in (("CCD", ccd.solve), ("FABRIK", fabrik.solve)):
                row: dict[str, Any] = {"solver": name, "limits": limited, "bones": bones}
                for steps in (20, 50):
                    chain = take_chain(rig.skeleton, start, "b0", f"b{bones}", limits)
                    found = solver(chain, aims, iterations=steps)
                    row[f"in {steps}"] = float((found.distance <= 1e-3).mean())
                    row["steps"] = float(found.iterations.mean())
                    row["median mm"] = float(np.median(found.distance)) * 1e3
                    row["p99 mm"] = float(np.percentile(found.distance, 99)) * 1e3
                rows.append(row)
    return rows


# ---------------------------------------------------------------- how fast


def plain_ccd(joints: list[list[float]], goal: list[float], steps: int) -> None:
    """Textbook CCD on positions in plain Python: the floor everybody knows."""
    for _ in range(steps):
        for b in range(len(joints) - 2, -1, -1):
            p, e = joints[b], joints[-1]
            a = [e[i] - p[i] for i in range(3)]
            g = [goal[i] - p[i] for i in range(3)]
            axis = [a[1] * g[2] - a[2] * g[1], a[2] * g[0] - a[0] * g[2], a[0] * g[1] - a[1] * g[0]]
            size = math.sqrt(sum(v * v for v in axis))
            angle = math.atan2(size, sum(x * y for x, y in zip(a, g, strict=True)))
            if size < 1e-12:
                continue
            axis = [v / size for v in axis]
            c, s = math.cos(angle), math.sin(angle)
            for j in range(b + 1, len(joints)):
                v = [joints[j][i] - p[i] for i in range(3)]
                cross = [
                    axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0],
                ]  # fmt: skip
                dot = sum(x * y for x, y in zip(axis, v, strict=True))
                joints[j] = [p[i] + v[i] * c + cross[i] * s + axis[i] * dot * (1.0 - c) for i in range(3)]


def speeds(quick: bool) -> list[dict[str, Any]]:
    """Microseconds a solve: 10 bones, 20 steps that are all taken (a goal out of reach)."""
    rig = chain_rig(10)
    start = bent(rig, 1, 1, 0.3)
    aim = np.array([[0.9, 0.5, 0.3]])
    chain = take_chain(rig.skeleton, start, "b0", "b10")
    local, joints = chain.local.copy(), chain.joints.copy()
    give = np.ones(10)

    def fresh() -> Chain:
        chain.local[...], chain.joints[...] = local, joints
        return chain

    kernel = compiled.kernel()
    assert kernel is not None
    kinds, limits = compiled.packed_limits(chain)
    distance, taken = np.empty(1), np.empty(1, np.int32)
    arrays = (
        chain.base_rotation,
        chain.local,
        chain.joints,
        chain.offsets,
        chain.rest,
        kinds,
        limits,
        aim,
        give,
    )

    def kernel_ccd() -> None:
        fresh()
        kernel.ccd(*arrays, 1e-9, 20, math.pi, False, distance, taken)

    def kernel_fabrik() -> None:
        fresh()
        kernel.fabrik(*arrays, 1e-9, 20, distance, taken)

    points = joints[0].tolist()
    repeats, inner = (3, 3) if quick else (9, 10)
    rows = [
        {"what": "CCD, 10 bones × 20 steps", "kernel": median(kernel_ccd, 9, 300),
         "numpy": median(lambda: ccd.solve_numpy(fresh(), aim, 1e-9, 20, give), 3, 2),
         "python": median(lambda: plain_ccd([p[:] for p in points], aim[0].tolist(), 20), repeats, inner)},
        {"what": "FABRIK, 10 bones × 20 steps", "kernel": median(kernel_fabrik, 9, 300),
         "numpy": median(lambda: fabrik.solve_numpy(fresh(), aim, 1e-9, 20, give), 3, 2), "python": None},
    ]  # fmt: skip
    count = 1000
    rng = np.random.default_rng(0)
    places = [np.zeros((count, 3)), *(rng.normal(size=(count, 3)) for _ in range(4))]

    def twin() -> None:
        placed = two_bone.reach(*places)
        two_bone.turns(places[0], places[1], places[2], placed)

    rows.append(
        {"what": "two-bone, each of 1,000 at once", "kernel": median(lambda: two_bone.solved(*places), 9, 20) / count,
         "numpy": median(twin, 5, 5) / count, "python": None}
    )  # fmt: skip
    many = take_chain(rig.skeleton, bent(rig, 1, count, 0.3), "b0", "b10")
    aims = take_chain(rig.skeleton, bent(rig, 2, count), "b0", "b10").joints[:, -1]
    kept = many.local.copy(), many.joints.copy()

    def batch() -> None:
        many.local[...], many.joints[...] = kept
        ccd.solve(many, aims)

    def batch_twin() -> None:
        many.local[...], many.joints[...] = kept
        ccd.solve_numpy(many, aims, 1e-3, 50, give)

    rows.append({"what": "CCD to 1 mm, each of 1,000 poses", "kernel": median(batch, 5, 2) / count,
                 "numpy": median(batch_twin, 1, 1) / count, "python": None})  # fmt: skip
    return rows


def drags() -> list[dict[str, Any]]:
    """Milliseconds of one move of the hand on the sample character."""
    project = load(SAMPLE).project
    rig, roles = project.rigs[0], find_roles(project.rigs[0].skeleton)
    local = rig.skeleton.rest

    def at(bone: str) -> Any:
        return model_of(rig.skeleton, local, rig.skeleton.index(bone)).translation

    hand, down = at("hand_l"), at("pelvis") + [0.0, -0.15, 0.0]
    feet = {"foot_l": PinKind.BOTH, "foot_r": PinKind.BOTH}
    cases = {
        "limb: hand": lambda: pulled(rig, roles, local, "hand_l", hand + [-0.1, 0.05, 0.1], Reach.LIMB),
        "pelvis, both feet pinned": lambda: pulled(rig, roles, local, "pelvis", down, Reach.BONE, feet),
        "full body: hand": lambda: pulled(rig, roles, local, "hand_l", hand + [0.1, -0.05, 0.3], Reach.BODY),
    }
    rows = []
    for name, call in cases.items():
        took = median(call, 7, 5) / 1000.0
        rows.append({"drag": name, "ms": took, "per second": 1000.0 / took})
    return rows


def main(arguments: list[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--goals", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help="fewer goals and repeats")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    options = parser.parse_args(arguments)
    if kernels.load() is None:
        print("the compiled kernels cannot be used here", file=sys.stderr)
        return 1
    reached = success(1000 if options.quick else options.goals)
    print(
        f"{'solver':8}{'limits':8}{'bones':>6}{'in 20':>9}{'in 50':>9}{'steps':>8}{'median':>10}{'p99 mm':>10}"
    )
    for row in reached:
        print(
            f"{row['solver']:8}{'held' if row['limits'] else 'none':8}{row['bones']:6}{row['in 20']:9.2%}"
            f"{row['in 50']:9.2%}{row['steps']:8.2f}{row['median mm']:10.4f}{row['p99 mm']:10.3f}"
        )
    fast = speeds(options.quick)
    print(f"\n{'µs a solve':36}{'kernel':>10}{'numpy':>12}{'plain Python':>14}")
    for row in fast:
        plain = "" if row["python"] is None else f"{row['python']:.0f}"
        print(f"{row['what']:36}{row['kernel']:10.2f}{row['numpy']:12.2f}{plain:>14}")
    live = drags()
    print(f"\n{'one move of a live drag':36}{'ms':>10}{'a second':>12}")
    for row in live:
        print(f"{row['drag']:36}{row['ms']:10.2f}{row['per second']:12.0f}")
    if options.json:
        rows = {"reached": reached, "speeds": fast, "drags": live}
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
