"""Stops by the foot ahead and the direction of the feet, their time matched to the way still to go (spec: Stop).

Each stop clip has a map in the graph, metres to its end → its time. It starts where the map says, and its rate is how
fast that goes on as the way to go grows shorter; once there is none it plays to its end by itself.
"""

from collections.abc import Mapping

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.graph.graph import Node, Sheet
from core.locomotion.animation.pen import Pen
from core.locomotion.animation.propose import Moves
from core.rig.rig import Rig
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, scalar_track
from core.tracks.tangents import with_tangents

WAYS = {"left": "max(-foot_x / 90, 0)", "forward": "1 - abs(foot_x) / 90", "right": "max(foot_x / 90, 0)"}
"""Ways of a stop, and the weight of each over Feet Position X."""
GAITS = ("walk", "run")
TIMES = 48
"""Times at which a clip's way is measured."""
LEAST_WAY = 0.05
"""Metres that a stop clip goes at least: one on the spot has no way to match."""
SLOWEST = 0.3
"""m/s below which nothing is stopped from."""
KEY = 2e-5
"""Metres between keys of a map at least: two closer than 1e-5 are one."""


def stop_name(gait: str, way: str, foot: str) -> str:
    """Name of the clip and of its map, such as ``walk stop left RF``."""
    return f"{gait} stop {way} {foot}"


def ways_left(rig: Rig, clip: Clip) -> tuple[FloatArray, FloatArray]:
    """Times ``(N,)`` of a clip in seconds, and the metres ``(N,)`` over the ground that its root has still to go."""
    times = np.linspace(0.0, clip.length, TIMES + 1)
    bone = clip.root_motion.bone
    root = rig.skeleton.index(bone) if bone and bone in rig.skeleton.names else 0
    places = sample_many(rig, clip, times, wrap=False).local.translation[:, root]
    steps = np.hypot(*np.diff(places[:, [0, 2]], axis=0).T)
    return times, np.concatenate([np.cumsum(steps[::-1])[::-1], [0.0]])


def way_map(rig: Rig, clip: Clip) -> ScalarTrack | None:
    """Metres to the clip's end → its time; None for a clip that goes nowhere."""
    times, left = ways_left(rig, clip)
    if left[0] < LEAST_WAY:
        return None
    # At rest the first moment counts: from there on it settles.
    keys: list[tuple[float, float]] = []
    for time, metres in zip(times[::-1].tolist(), left[::-1].tolist(), strict=True):
        if keys and metres - keys[-1][0] < KEY:
            keys[-1] = (keys[-1][0], time)
        else:
            keys.append((metres, time))
    rows = np.array(keys)
    return with_tangents(
        scalar_track(rows[:, 0], rows[:, 1], interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR)
    )


def stop_maps(rig: Rig, moves: Moves) -> dict[str, ScalarTrack]:
    """The maps of a rig's stop clips, by their names."""
    found = {}
    for what, clip in moves.clips.items():
        if " stop " in what and (made := way_map(rig, clip)) is not None:
            found[what] = made
    return found


def stops_of(maps: Mapping[str, ScalarTrack], foot: str) -> dict[str, list[str]]:
    """The ways of each gait that there are stops for with a foot ahead, the one ahead among them."""
    found = {}
    for gait in GAITS:
        ways = [way for way in WAYS if stop_name(gait, way, foot) in maps]
        if "forward" in ways:
            found[gait] = ways
    return found


def longest(maps: Mapping[str, ScalarTrack], foot: str) -> str:
    """Expression of the metres within which a stop can begin, by the gait that is left."""
    most = {
        gait: min(float(maps[stop_name(gait, way, foot)].times[-1]) for way in ways)
        for gait, ways in stops_of(maps, foot).items()
    }
    if len(most) == 1:
        return f"{next(iter(most.values())):.4f}"
    return f"lerp({most['walk']:.4f}, {most['run']:.4f}, min(gait - 1, 1))"


def stop_sheet(pen: Pen, moves: Moves, maps: Mapping[str, ScalarTrack], foot: str) -> Sheet:
    """The three-way stop of one foot ahead: over Feet Position X, and over the gait that was left."""
    wires: list[tuple[Node, Node, str]] = []
    by_gait = []
    for gait, ways in stops_of(maps, foot).items():
        players = [_player(pen, moves, stop_name(gait, way, foot)) for way in ways]
        if len(players) == 1:
            by_gait.append(players[0])
            continue
        weights = {f"weight_{k}": WAYS[way] for k, way in enumerate(ways)}
        many = pen.node("blend_many", f"{gait} stop {foot}", weights, count=len(ways))
        wires += [(player, many, f"pose_{k}") for k, player in enumerate(players)]
        by_gait.append(many)
    last = by_gait[0]
    if len(by_gait) == 2:
        last = pen.node("blend", f"stop {foot}", {"alpha": "clamp(stop_gait - 1, 0, 1)"})
        wires += [(by_gait[0], last, "a"), (by_gait[1], last, "b")]
    return pen.pose(f"stop {foot}", wires, last)


def _player(pen: Pen, moves: Moves, name: str) -> Node:
    pins = {
        "start": f"map('{name}', previous(stop_way))",
        "rate": f"if(previous(stop_way) > 0, max(rate(map('{name}', stop_way)), 0), 1)",
    }
    return pen.node("clip", name, pins, clip=moves.clips[name].id, loop=False)
