"""The controller: one pure step from state and input to state (spec: locomotion, *Controller*).

No clock, no chance and no order of threads has a part in it: the same set-up, terrain and inputs give the same bytes.
"""

import math
from dataclasses import replace
from typing import NamedTuple

from core.locomotion.capsule import Capsule
from core.locomotion.dampers import wrap
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.root import Root, averaged, followed
from core.locomotion.rotation import Facing, set_of, turned, weighted
from core.locomotion.setup import H, Setup
from core.locomotion.speed import flown, walked
from core.locomotion.state import LONG, Place, State
from core.terrain.terrain import Terrain

SPRINT_WITHIN = 50.0
"""Degrees between input and view within which *looking* sprints."""
NEAR_GAIT = 0.1
"""m/s above a gait's speed that still count as that gait."""
LANDED = 0.5
"""Seconds after a landing with more friction: this share of it with input, `LANDED_STILL` without."""
LANDED_STILL = 3.0
LOST = 100.0
"""Metres under the lowest piece at which the character is put back on safe ground."""
WAY = 0.1
"""m/s from which the travel is the way along which the ground is averaged."""
WEDGED = 0.0002
"""Metres a step below which one that touches something and does not rise counts as standing."""


WEDGED_FOR = 15
"""Steps in the air before that counts."""


class _Moved(NamedTuple):
    place: Place
    velocity: Place
    in_air: bool
    normal: Place
    piece: int
    impact: float | None


class _Chosen(NamedTuple):
    """What the step decided before it moved."""

    wish: tuple[float, float]
    crouching: bool
    allowed: Gait
    jumps: bool
    jump_left: int
    turn: float


def start(
    setup: Setup, terrain: Terrain, place: tuple[float, float, float] = (0.0, 0.0, 0.0), yaw: float = 0.0
) -> State:
    """A character that stands on the terrain at (or above or below) a place; in the air where there is no ground."""
    height = float(terrain.under(place))
    x, y, z = place[0], height if math.isfinite(height) else place[1], place[2]
    capsule = Capsule(setup, terrain, setup.height)
    place = capsule.freed((x, y, z))
    stood = capsule.snapped((place[0], place[1] + setup.step, place[2]), 2.0 * setup.step)
    at = wrap(yaw)
    state = State(
        yaw=at, smooth_yaw=at, target_yaw=at, view_yaw=at, position=place, safe=place, in_air=stood is None
    )
    state = replace(state, way_yaw=at, root_height=place[1])
    if stood is None:
        return state
    return replace(
        state,
        position=stood.place,
        safe=stood.place,
        ground_normal=stood.normal,
        ground_piece=stood.piece,
        root_height=averaged(capsule, stood.place, at) + 0.0,
    )


def step(setup: Setup, terrain: Terrain, state: State, given: Input, turn: float = 0.0) -> State:
    """The state 1/60 s later.

    Parameters
    ----------
    given : the input, already quantised by its type
    turn : degrees about +Y by which animation turns a standing character in this step (turn in place, rotate in
        place); without effect while it moves or is in the air
    """
    wish = given.wish
    crouching = _stance(setup, terrain, state, given)
    allowed = allowed_gait(given, wish, crouching)
    top = setup.crouch if crouching else (setup.walk, setup.run, setup.sprint)[allowed - 1]
    jump_left = max(state.jump_left - 1, 0)
    if given.jump and not state.jump_held:
        jump_left = math.ceil(setup.buffer / H - 1e-9) + 1
    edge = state.in_air and not state.jumped and state.air_for < math.ceil(setup.coyote / H - 1e-9)
    jumps = jump_left > 0 and not crouching and (not state.in_air or edge)
    capsule = Capsule(setup, terrain, setup.crouch_height if crouching else setup.height)
    v = (state.velocity[0], state.velocity[2])
    in_air = state.in_air or jumps
    if in_air:
        flat = flown(setup, v, wish, top)
        upward = setup.jump if jumps else state.velocity[1]
        moved = _fly(capsule, state, flat, upward)
    else:
        flat = walked(setup, v, wish, top, landing_drag(state.ground_for, wish))
        moved = _walk(capsule, state, flat)
    moved, returned = _kept(terrain, state, moved)
    turn = turn if math.isfinite(turn) else 0.0
    chosen = _Chosen(wish, crouching, allowed, jumps, 0 if jumps else jump_left, turn)
    return _told(capsule, state, given, moved, chosen, returned)


# ------------------------------------------------------------------------- what is allowed
def _stance(setup: Setup, terrain: Terrain, state: State, given: Input) -> bool:
    """Whether it crouches: as asked on the ground, as before in the air; until there is room to stand."""
    if state.crouching and (state.in_air or not given.crouch):
        low = Capsule(setup, terrain, setup.crouch_height)
        return state.in_air or not low.roomy(state.position, setup.height)
    return state.crouching or (given.crouch and not state.in_air)


def allowed_gait(given: Input, wish: tuple[float, float], crouching: bool) -> Gait:
    """The fastest gait that the input and the circumstances admit."""
    if given.gait is not Gait.SPRINT:
        return given.gait
    barred = crouching or given.mode is RotationMode.AIMING or not (wish[0] or wish[1])
    if not barred and given.mode is RotationMode.LOOKING:
        heading = math.degrees(math.atan2(wish[0], wish[1]))
        barred = abs(wrap(heading - given.yaw)) >= SPRINT_WITHIN
    return Gait.RUN if barred else Gait.SPRINT


def gait_done(setup: Setup, speed: float, allowed: Gait) -> Gait:
    """What is done, by the speed."""
    if speed < setup.walk + NEAR_GAIT:
        return Gait.WALK
    if speed < setup.run + NEAR_GAIT or allowed is not Gait.SPRINT:
        return Gait.RUN
    return Gait.SPRINT


def landing_drag(ground_for: int, wish: tuple[float, float]) -> float:
    """The share of friction that brakes, k of the specification: some for a while after a landing."""
    if ground_for * H >= LANDED:
        return 0.0
    return LANDED if wish[0] or wish[1] else LANDED_STILL


# ------------------------------------------------------------------------- movement
def _walk(capsule: Capsule, state: State, flat: tuple[float, float]) -> _Moved:
    place = capsule.freed(state.position)
    x, z = place[0], place[2]
    normal = state.ground_normal
    if flat[0] or flat[1]:
        way = capsule.walk(place, (flat[0] * H, flat[1] * H), normal)
        place, normal = way.place, way.normal
        if way.blocked:
            flat = ((place[0] - x) / H, (place[2] - z) / H)
    stood = capsule.snapped(place, capsule.setup.step)
    velocity = (flat[0], 0.0, flat[1])
    if stood is None:
        return _Moved(place, velocity, True, (0.0, 1.0, 0.0), -1, None)
    return _Moved(stood.place, velocity, False, stood.normal, stood.piece, None)


def _fly(capsule: Capsule, state: State, flat: tuple[float, float], upward: float) -> _Moved:
    setup = capsule.setup
    later = max(upward - setup.gravity * H, -setup.fall_limit)
    place = capsule.freed(state.position)
    move = (flat[0] * H, 0.5 * (upward + later) * H, flat[1] * H)
    flown_to = capsule.fly(place, move, (flat[0], later, flat[1]))
    v, landed = flown_to.velocity, flown_to.landed
    still = flown_to.touched and v[1] <= 0.0 and math.dist(flown_to.place, state.position) < WEDGED
    if landed is None and still and state.air_for > WEDGED_FOR:
        return _Moved(flown_to.place, (0.0, 0.0, 0.0), False, (0.0, 1.0, 0.0), -1, -v[1])
    if landed is None:
        return _Moved(flown_to.place, v, True, (0.0, 1.0, 0.0), -1, None)
    place, normal = landed.place, landed.normal
    if math.hypot(*flown_to.rest) > 1e-6:
        way = capsule.walk(place, flown_to.rest, normal)
        place, normal = way.place, way.normal
    return _Moved(place, (v[0], 0.0, v[2]), False, normal, landed.piece, -v[1])


def _kept(terrain: Terrain, state: State, moved: _Moved) -> tuple[_Moved, int]:
    """Back to safe ground from far below everything."""
    if moved.place[1] >= min(terrain.low, 0.0) - LOST:
        return moved, state.returned
    return _Moved(state.safe, (0.0, 0.0, 0.0), False, (0.0, 1.0, 0.0), -1, 0.0), state.returned + 1


# ------------------------------------------------------------------------- the state
def _root(capsule: Capsule, state: State, moved: _Moved, way_yaw: float, speed: float) -> Root:
    """The height shown; on the ground that of the ground around."""
    before = Root(state.root_height, state.root_offset, state.root_drift)
    resting = moved.place == state.position and way_yaw == state.way_yaw and not before.offset
    if resting and not moved.in_air and not state.in_air:
        return before
    goal = moved.place[1] if moved.in_air else averaged(capsule, moved.place, way_yaw)
    changed = moved.in_air or state.in_air
    return followed(before, goal, speed, moved.place[1] - state.position[1] if changed else None)


def _told(
    capsule: Capsule, state: State, given: Input, moved: _Moved, chosen: _Chosen, returned: int
) -> State:
    setup = capsule.setup
    wish, mode, jumps = chosen.wish, given.mode, chosen.jumps
    speed = math.hypot(moved.velocity[0], moved.velocity[2])
    amount = setup.gait_amount(speed)
    moving = bool((wish[0] or wish[1]) and speed >= 0.01) or speed > 0.5
    view_speed = abs(wrap(given.yaw - state.view_yaw)) / H
    gait = gait_done(setup, speed, chosen.allowed)
    travel = math.degrees(math.atan2(moved.velocity[0], moved.velocity[2])) if speed >= 0.01 else state.yaw
    yaws = turned(
        setup,
        Facing(
            state.yaw, state.smooth_yaw, state.target_yaw, given.yaw, view_speed, travel, amount, gait, mode,
            moving, moved.in_air, state.set_weights, chosen.turn,
        ),
    )  # fmt: skip
    hips = set_of(setup, state.hips, -wrap(travel - yaws.yaw)) if moving else state.hips
    way_yaw = travel if speed >= WAY else state.way_yaw
    if returned == state.returned:
        root = _root(capsule, state, moved, way_yaw, speed)
    else:
        root = Root(moved.place[1], 0.0, 0.0)
    landed = state.in_air and not moved.in_air
    left = moved.in_air and not state.in_air
    return State(
        step=state.step + 1,
        position=_plain(moved.place),
        velocity=_plain(moved.velocity),
        acceleration=(
            (moved.velocity[0] - state.velocity[0]) / H + 0.0, (moved.velocity[2] - state.velocity[2]) / H + 0.0
        ),
        wish=(wish[0] + 0.0, wish[1] + 0.0),
        yaw=yaws.yaw + 0.0,
        smooth_yaw=yaws.smooth + 0.0,
        target_yaw=yaws.target + 0.0,
        yaw_speed=wrap(yaws.yaw - state.yaw) / H + 0.0,
        view_yaw=given.yaw,
        view_pitch=given.pitch,
        view_speed=view_speed,
        gait=gait,
        allowed=chosen.allowed,
        gait_amount=amount,
        mode=mode,
        crouching=chosen.crouching,
        in_air=moved.in_air,
        moving=moving,
        jumped=moved.in_air and (jumps or state.jumped),
        hips=hips,
        set_weights=weighted(state.set_weights, hips),
        ground_normal=_plain(moved.normal),
        ground_piece=moved.piece,
        impact=state.impact if moved.impact is None else max(moved.impact, 0.0),
        moving_for=0 if moving != state.moving else min(state.moving_for + 1, LONG),
        air_for=0 if left or jumps else (min(state.air_for + 1, LONG) if moved.in_air else 0),
        ground_for=0 if landed or moved.in_air else min(state.ground_for + 1, LONG),
        jump_left=chosen.jump_left,
        jump_held=given.jump,
        root_height=root.height + 0.0,
        root_offset=root.offset + 0.0,
        root_drift=root.drift + 0.0,
        way_yaw=way_yaw + 0.0,
        safe=state.safe if moved.in_air else _plain(moved.place),
        returned=returned,
    )  # fmt: skip


def _plain(v: Place) -> Place:
    """Without negative zeros, which compare equal and have other bytes."""
    return v[0] + 0.0, v[1] + 0.0, v[2] + 0.0
