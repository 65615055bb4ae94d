# mypy: disable-error-code="no-untyped-def"
"""Stride and orientation warping (compiled). Twin: `core.graph.nodes.stride`."""

import math

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_additive import alpha_of
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_legs import (
    LONGEST,
    about_up,
    apart,
    bone_of,
    foot_of,
    leg_length,
    lower_hips,
    place_leg,
    reach_leg,
    sink_leg,
    unit_turn,
)
from core.math.kernel_graph_parts import (
    ZERO,
    buffer_size,
    copied,
    input_of,
    new_buffer,
    part,
    put_result,
    result_of,
    row_of,
)
from core.math.kernel_graph_rigid import slerped
from core.math.kernel_turns import mul, plain

NOTHING = 1e-6
"""As `core.graph.nodes.stride.NOTHING`."""
DEEPEST = 0.25
LARGEST_STRIDE = 4.0


@part
def _turn_body(p, wf, op, pose, degrees):
    """Turn hips and legs to the right, and the spine back."""
    d = p[row_of(p, op) + at.O_DATA]
    turns, hips, leg = pose + 3 * p[at.H_BONES], p[d + at.SW_HIPS], p[d + at.SW_LEGS + at.LEGS_ROWS]
    ax, ay, az, aw = 0.0, 0.0, 0.0, 1.0
    for k in range(p[leg + at.LEG_HIPS]):
        t = turns + 4 * p[p[leg + at.LEG_CHAIN] + k]
        ax, ay, az, aw = mul(ax, ay, az, aw, wf[t], wf[t + 1], wf[t + 2], wf[t + 3])
    t = turns + 4 * hips
    nx, ny, nz, nw = mul(ax, ay, az, aw, wf[t], wf[t + 1], wf[t + 2], wf[t + 3])
    ux, uy, uz, uw = about_up(-degrees)
    mx, my, mz, mw = mul(ux, uy, uz, uw, nx, ny, nz, nw)
    x, y, z, w = mul(-ax, -ay, -az, aw, mx, my, mz, mw)
    wf[t], wf[t + 1], wf[t + 2], wf[t + 3] = unit_turn(x, y, z, w)
    count = p[d + at.SW_SPINE_COUNT]
    share = degrees / max(count, 1)
    for k in range(count):
        t = turns + 4 * p[p[d + at.SW_SPINE] + k]
        ox, oy, oz, ow = mul(nx, ny, nz, nw, wf[t], wf[t + 1], wf[t + 2], wf[t + 3])
        ux, uy, uz, uw = about_up(share * (k + 1) - degrees)
        bx, by, bz, bw = mul(ux, uy, uz, uw, ox, oy, oz, ow)
        x, y, z, w = mul(-mx, -my, -mz, mw, bx, by, bz, bw)
        wf[t], wf[t + 1], wf[t + 2], wf[t + 3] = unit_turn(x, y, z, w)
        nx, ny, nz, nw = ox, oy, oz, ow
        mx, my, mz, mw = bx, by, bz, bw


@part
def _stretch(p, q, wf, op, pose, stride, direction):
    """Bring the feet nearer to the hips along a direction, or farther, by the stride."""
    d = p[row_of(p, op) + at.O_DATA]
    legs = d + at.SW_LEGS
    rows, numbers, room = p[legs + at.LEGS_ROWS], p[legs + at.LEGS_NUMBERS], p[legs + at.LEGS_ROOM]
    count, drop = p[legs + at.LEGS_COUNT], 0.0
    way_x, way_z = -math.sin(math.radians(direction)), math.cos(math.radians(direction))
    for k in range(count):
        leg = rows + at.LEG_WIDTH * k
        own = room + p[leg + at.LEG_ROOM]
        place_leg(p, wf, leg, own, pose)
    hips = bone_of(p, rows, room + p[rows + at.LEG_ROOM], at.LEG_HIPS)
    middle_x, middle_z = wf[hips], wf[hips + 2]
    for k in range(count):
        leg = rows + at.LEG_WIDTH * k
        own = room + p[leg + at.LEG_ROOM]
        a, foot = bone_of(p, leg, own, at.LEG_UPPER), foot_of(p, leg, own)
        goal = own + at.LEG_PLACED * p[leg + at.LEG_LENGTH]
        more = (stride - 1.0) * ((wf[foot] - middle_x) * way_x + (wf[foot + 2] - middle_z) * way_z)
        wf[goal], wf[goal + 1], wf[goal + 2] = (
            wf[foot] + more * way_x,
            wf[foot + 1],
            wf[foot + 2] + more * way_z,
        )
        most = max(LONGEST * leg_length(p, wf, leg, own), apart(wf, a, foot))
        flat = math.hypot(wf[goal] - wf[a], wf[goal + 2] - wf[a + 2])
        drop = max(drop, wf[a + 1] - wf[goal + 1] - math.sqrt(max(most * most - flat * flat, 0.0)))
    drop = min(drop, DEEPEST)
    if drop > 0.0:
        lower_hips(p, wf, rows, room + p[rows + at.LEG_ROOM], p[d + at.SW_HIPS], pose, drop)
    for k in range(count):
        leg = rows + at.LEG_WIDTH * k
        own = room + p[leg + at.LEG_ROOM]
        goal, foot = own + at.LEG_PLACED * p[leg + at.LEG_LENGTH], foot_of(p, leg, own)
        turn = (wf[foot + 3], wf[foot + 4], wf[foot + 5], wf[foot + 6])
        sink_leg(p, wf, leg, own, drop)
        to = (wf[goal], wf[goal + 1], wf[goal + 2])
        reach_leg(p, q, wf, leg, numbers + at.LEG_NUMBERS * k, own, pose, to, turn)


@plain
def put_between(f, base, made, share, bones):
    """Bring a pose back toward the one that it was made of, by `core.pose.blend.between`; both at places of f."""
    for k in range(10 * bones):
        if k < 3 * bones or k >= 7 * bones:
            f[made + k] = f[base + k] + share * (f[made + k] - f[base + k])
    for bone in range(bones):
        a, b = base + 3 * bones + 4 * bone, made + 3 * bones + 4 * bone
        f[b], f[b + 1], f[b + 2], f[b + 3] = slerped(
            f[a], f[a + 1], f[a + 2], f[a + 3], f[b], f[b + 1], f[b + 2], f[b + 3], share
        )


@hook
def stride_pose(p, q, si, sf, wi, wf, op):
    """The pose with other steps, by its alpha."""
    base = result_of(p, wi, input_of(p, op, 0))
    d = p[row_of(p, op) + at.O_DATA]
    alpha = alpha_of(p, q, sf, wf, op, base)
    stride = min(max(sf[p[d + at.SW_STRIDE]], 0.0), LARGEST_STRIDE)
    direction, turn = sf[p[d + at.SW_DIRECTION]], sf[p[d + at.SW_TURN]]
    turns, stretches = abs(turn) >= NOTHING, abs(stride - 1.0) >= NOTHING
    if alpha < ZERO or not (turns or stretches):
        put_result(p, wi, op, base)
        return
    out = new_buffer(p, wi)
    copied(wf, base, wf, out, buffer_size(p) + at.MOTION)
    if turns:
        _turn_body(p, wf, op, out, np.fmod(turn, 360.0))
    if stretches:
        # The clip's steps go in its own direction, which has turned with the legs.
        _stretch(p, q, wf, op, out, stride, direction + turn)
    if alpha < 1.0:
        put_between(wf, base, out, alpha, p[at.H_BONES])
    put_result(p, wi, op, out)
