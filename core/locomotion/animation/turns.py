"""Turning on the spot, in the graph (spec: locomotion, *Turn in place*, *Rotate in place*).

A turn in place is a montage in the slot `SLOT`, a section for each turn, with a notify state that ends it when the
character moves. The update sheet starts it, and says in each step by how much its curve `CURVE` has gone on, as the
variable ``turned``. Rotating in place while aiming is a state that loops.
"""

from collections.abc import Mapping

import numpy as np

from core.blending.easing import EaseShape, Easing
from core.clips.clip import Clip, Notify, NotifyRule
from core.graph.graph import BlendKind, Node
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId
from core.locomotion.animation.pen import Pen
from core.locomotion.animation.propose import Moves
from core.rig.rig import Rig
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack

SLOT = "DefaultGroup.TurnInPlace"
MONTAGE = "turn in place"
CURVE = "TurnYaw"
FROM, HALF_TURN, ALWAYS_LEFT = 45.0, 130.0, 175.0
"""Degrees of view from which it turns, from which by 180°, and from which always to the left."""
SLOW_VIEW, LONGEST_WAIT = 50.0, 0.75
"""Degrees a second of view above which it waits; seconds it waits at 180°, none at `FROM`."""
RATE, BLEND = 1.2, 0.2
AIM_FROM, AIM_TO = 50.0, 35.0
"""Degrees of view beyond which an aiming character turns, and within which it stops."""
AIM_RATE = "ease_to(lerp(1.15, 3, clamp(unlerp(180, 460, view_speed), 0, 1)), 0.15)"
"""The rate of that over the speed of the view."""
TURNS = tuple(
    f"{stance}turn {side} {angle}"
    for stance in ("", "crouch ")
    for angle in (90, 180)
    for side in ("left", "right")
)
"""The sections of the montage; their numbers, from 1, are the values of ``turn_kind``."""
ROTATIONS = tuple(f"{stance}rotate {side}" for stance in ("", "crouch ") for side in ("left", "right"))


def turn_angle(clip: Clip) -> float:
    """Degrees to the left that a clip turns by its curve; 0 for one without."""
    track = clip.curves.get(CURVE)
    if not isinstance(track, ScalarTrack) or clip.length <= 0.0:
        return 0.0
    return float(evaluate_scalar(track, np.array([clip.length]))[0])


def turns_of(moves: Moves) -> dict[str, float]:
    """The turns that there are clips with a curve for, and the degrees to the left of each."""
    found = {name: turn_angle(moves.clips[name]) for name in TURNS if name in moves}
    made = {name: angle for name, angle in found.items() if abs(angle) > 1.0}
    for stance in ("", "crouch "):  # a stance needs both sides; half turns go by quarters where they lack
        if not {f"{stance}turn left 90", f"{stance}turn right 90"} <= set(made):
            made = {name: angle for name, angle in made.items() if name.startswith("crouch ") != bool(stance)}
    return made


def rotations_of(moves: Moves) -> dict[str, float]:
    """The same of the loops; one side alone is none."""
    found = {name: turn_angle(moves.clips[name]) for name in ROTATIONS if name in moves}
    return {
        name: angle
        for name, angle in found.items()
        if abs(angle) > 1.0 and {name.replace("left", "right"), name.replace("right", "left")} <= set(found)
    }


def turn_montage(rig: Rig, moves: Moves, asset: AssetId | None = None) -> Montage | None:
    """The montage, its sections in the order of `TURNS`; None where nothing turns."""
    names = list(turns_of(moves))
    if not names:
        return None
    group, _, slot = SLOT.partition(".")
    segments, sections, notifies, at = [], [], [], 0.0
    rule = NotifyRule(condition="not moving and not in_air", blend_out=BLEND)
    for name in names:
        clip = moves.clips[name]
        segments.append(Segment(clip.id, at, 0.0, clip.length))
        sections.append(Section(name, at))
        notifies.append(Notify("turning", at, clip.length, rule=rule))
        at += clip.length
    smooth = Easing(EaseShape.SMOOTH)
    return Montage(
        asset or AssetId(f"montage-turn-{rig.id}"), MONTAGE, rig.id, group, (SlotTrack(slot, tuple(segments)),),
        tuple(sections), MontageBlend(BLEND, smooth), MontageBlend(BLEND, smooth, BlendKind.INERTIALISE),
        blend_out_trigger=0.0, notifies=tuple(notifies), root_motion=False,
    )  # fmt: skip


def turn_maps(moves: Moves) -> dict[str, ScalarTrack]:
    """Maps of the loops, seconds → degrees."""
    made = {}
    for name in rotations_of(moves):
        track = moves.clips[name].curves[CURVE]
        assert isinstance(track, ScalarTrack)
        made[name] = track
    return made


def rotated(moves: Moves, name: str) -> str:
    """Expression of the degrees to the left that a loop has turned since it began."""
    clip, whole = moves.clips[name], rotations_of(moves)[name]
    turns = f"floor(time('{name}') / {clip.length:.9g})"
    return f"({whole:.9g} * {turns} + map('{name}', time('{name}') - {clip.length:.9g} * {turns}))"


def _wanted(moves: Moves, turns: Mapping[str, float], loops: Mapping[str, float]) -> str:
    """Expression of whether the view is so far off that a standing character turns."""
    quiet = f"looking and view_speed < {SLOW_VIEW:g} and abs(aim_yaw) > {FROM:g}"
    if not loops:
        quiet = f"(({quiet}) or (aiming and abs(aim_yaw) > {AIM_FROM:g}))"
    able = " and not crouch" if not any(name.startswith("crouch") for name in turns) else ""
    if not any(name.startswith("turn") for name in turns):
        able += " and crouch"
    return f"({quiet} and not moving and not in_air{able})"


def turn_actions(pen: Pen, moves: Moves) -> list[Node]:
    """The chain of the update sheet that turns the character; without clips it is empty."""
    turns, loops = turns_of(moves), rotations_of(moves)
    chain: list[Node] = []

    def put(variable: str, value: str, when: str = "") -> None:
        pins = {"value": value} | ({"when": when} if when else {})
        chain.append(pen.node("set", "", pins, variable=variable))

    # How far the curve of what turns has gone since the last step, as a share of what was asked.
    if turns:
        reads = f"if(playing('{MONTAGE}'), raw_curve('{MONTAGE}', '{CURVE}'), turn_whole)"
        put("turn_whole", "0", "moving or in_air")
        put("turn_now", f"if(turn_whole == 0, 0, {reads})")
        put("turned", "if(turn_whole == 0, 0, (turn_now - turn_made) * turn_angle / turn_whole)")
        put("turn_made", "turn_now")
        put("turn_whole", "0", f"not playing('{MONTAGE}')")
    elif loops:
        put("turned", "0")
    for name, angle in loops.items():
        way = "max" if angle > 0.0 else "min"
        put("turned", f"{way}(delta({rotated(moves, name)}), 0)", f"state('moves') == '{name}'")
    if not turns:
        return chain
    # A new turn: after a wait that is longer the farther it is, or at once against the one that plays.
    wanted = _wanted(moves, turns, loops)
    wait = f"if(aiming, 0, {LONGEST_WAIT:g} * (abs(aim_yaw) - {FROM:g}) / {180.0 - FROM:g})"
    opposite = f"(aim_yaw * turn_angle > 0 and abs(aim_yaw) < {HALF_TURN:g})"
    begins = f"{wanted} and if(playing('{MONTAGE}'), {opposite}, held({wanted} and not playing('{MONTAGE}')) >= {wait})"
    left = f"(aim_yaw < 0 or abs(aim_yaw) > {ALWAYS_LEFT:g})"
    kinds = {name: TURNS.index(name) + 1 for name in turns}
    half = f"abs(aim_yaw) > {HALF_TURN:g}"
    halves = [stance for stance in ("", "crouch ") if f"{stance}turn left 180" in turns]
    if not halves:
        half = "false"
    elif len(halves) == 1 and any(name.startswith("crouch") for name in turns):
        half += " and crouch" if halves[0] else " and not crouch"
    kind = f"1 + if({left}, 0, 1) + if({half}, 2, 0) + if(crouch, 4, 0)"
    put("turn_kind", f"if({begins}, {kind}, 0)")
    put("turn_angle", f"if({left}, abs(aim_yaw), -abs(aim_yaw))", "turn_kind > 0")
    put("turn_made", "0", "turn_kind > 0")
    rate = f"if(aiming, {AIM_RATE}, {RATE:g})" if not loops else f"{RATE:g}"
    for name, number in kinds.items():
        put("turn_whole", f"{turns[name]:.9g}", f"turn_kind == {number}")
        pins = {"rate": rate, "when": f"turn_kind == {number}"}
        chain.append(pen.node("play_montage", name, pins, montage=MONTAGE, section=name))
    return chain
