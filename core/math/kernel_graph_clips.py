# mypy: disable-error-code="no-untyped-def"
"""Poses and root motion of a graph's clips (compiled). Twins: `core.clips.evaluator`, `core.clips.root_motion`."""

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_parts import motion_of, no_motion, part
from core.math.kernel_graph_rigid import composed, inverted, power, read_rigid
from core.math.kernel_modes import WIDTH as MODE_WIDTH
from core.math.kernel_modes import put
from core.math.kernel_sample import _emit, _evaluate
from core.math.kernel_turns import mul, rotate, unit

NEAR_SHARE = 1e-5
"""As `core.pose.proportions.NEAR_SHARE`."""


@part
def clip_row(p, clip):
    """Place in `p` of a clip's row."""
    return p[at.H_CLIPS] + clip * at.CLIP_WIDTH


@part
def _retargeted(p, q, wf, codes, table, bones, place):
    """Change local transforms at a place in wf as each bone's mode says."""
    put(
        p[codes : codes + bones],
        q[table : table + bones * MODE_WIDTH].reshape(bones, MODE_WIDTH),
        NEAR_SHARE,
        wf[place : place + 3 * bones].reshape(1, bones, 3),
        wf[place + 3 * bones : place + 7 * bones].reshape(1, bones, 4),
        wf[place + 7 * bones : place + 10 * bones].reshape(1, bones, 3),
    )


@part
def sample(p, q, wi, wf, clip, t, buffer):
    """Write a clip's pose at a time within it, root motion left in, with its curves, to a place in wf."""
    c, bones, curves = clip_row(p, clip), p[at.H_BONES], p[at.H_CURVES]
    n = wi[p[c + at.C_N] : p[c + at.C_N] + p[c + at.C_N_SIZE]]
    f = wf[p[c + at.C_F] : p[c + at.C_F] + p[c + at.C_F_SIZE]]
    if p[c + at.C_LOOPS] != 0:
        t = min(max(t, 0.0), q[p[c + at.C_NUMBERS] + at.N_LENGTH])
    _evaluate(n, f, t)
    turns, scales = buffer + 3 * bones, buffer + 7 * bones
    _emit(n, f, wf[buffer:turns], wf[turns:scales], wf[scales : scales + 3 * bones])
    if p[c + at.C_MODES] >= 0:
        _retargeted(p, q, wf, p[c + at.C_MODES], p[c + at.C_MODE_TABLE], bones, buffer)
    first = buffer + 10 * bones
    for k in range(2 * curves):
        wf[first + k] = 0.0
    for k in range(p[c + at.C_EXTRA_COUNT]):
        index, lane = p[p[c + at.C_EXTRAS] + 2 * k], p[p[c + at.C_EXTRAS] + 2 * k + 1]
        wf[first + index] = f[lane]
        wf[first + curves + index] = 1.0


@part
def _extracted(p, q, r, x, y, z, qx, qy, qz, qw):
    """The part of a root's model transform that is taken out."""
    k = p[r + at.R_NUMBERS]
    sx, sy, sz, sw = 0.0, 0.0, 0.0, 1.0
    if p[r + at.R_YAW] != 0:
        rest = k + at.T_REST
        tx, ty, tz, tw = mul(qx, qy, qz, qw, -q[rest], -q[rest + 1], -q[rest + 2], q[rest + 3])
        sx, sy, sz, sw = unit(0.0, ty, 0.0, tw)
    kept = k + at.T_KEPT
    return x * q[kept], y * q[kept + 1], z * q[kept + 2], sx, sy, sz, sw


@part
def _down(wf, bones, place, x, y, z, qx, qy, qz, qw, s0, s1, s2, bone):
    """A transform with scale, put together with a bone's local one."""
    t, r, s = place + 3 * bone, place + 3 * bones + 4 * bone, place + 7 * bones + 3 * bone
    mx, my, mz = rotate(qx, qy, qz, qw, s0 * wf[t], s1 * wf[t + 1], s2 * wf[t + 2])
    qx, qy, qz, qw = mul(qx, qy, qz, qw, wf[r], wf[r + 1], wf[r + 2], wf[r + 3])
    return x + mx, y + my, z + mz, qx, qy, qz, qw, s0 * wf[s], s1 * wf[s + 1], s2 * wf[s + 2]


@part
def _root_part(p, q, wi, wf, r, t):
    """Extracted part of the root at a time within the clip."""
    size, place = p[r + at.R_CHAIN_SIZE], p[at.X_SCRATCH]
    n = wi[p[r + at.R_N] : p[r + at.R_N] + p[r + at.R_N_SIZE]]
    f = wf[p[r + at.R_F] : p[r + at.R_F] + p[r + at.R_F_SIZE]]
    _evaluate(n, f, t)
    turns, scales = place + 3 * size, place + 7 * size
    _emit(n, f, wf[place:turns], wf[turns:scales], wf[scales : scales + 3 * size])
    if p[r + at.R_MODES] >= 0:
        _retargeted(p, q, wf, p[r + at.R_MODES], p[r + at.R_MODE_TABLE], size, place)
    whole = (wf[place], wf[place + 1], wf[place + 2], wf[turns], wf[turns + 1], wf[turns + 2], wf[turns + 3],
             wf[scales], wf[scales + 1], wf[scales + 2])  # fmt: skip
    for k in range(1, size):
        x, y, z, qx, qy, qz, qw, s0, s1, s2 = whole
        whole = _down(wf, size, place, x, y, z, qx, qy, qz, qw, s0, s1, s2, k)
    return _extracted(p, q, r, whole[0], whole[1], whole[2], whole[3], whole[4], whole[5], whole[6])


@part
def _travelled(p, q, wi, wf, clip, r, seconds):
    """Motion since playback time 0."""
    c = clip_row(p, clip)
    length, k = q[p[c + at.C_NUMBERS] + at.N_LENGTH], p[r + at.R_NUMBERS]
    loops, position = 0.0, seconds
    if p[c + at.C_LOOPS] != 0:
        loops = np.floor(seconds / length)
        position = seconds - loops * length
    position = min(max(position, 0.0), length)
    here = composed(read_rigid(q, k + at.T_FIRST), _root_part(p, q, wi, wf, r, position))
    if loops == 0.0:
        return here
    return composed(power(read_rigid(q, k + at.T_TURN), np.int64(loops)), here)


@part
def motion_between(p, q, wi, wf, clip, before, after):
    """Root motion between two playback times; the identity where the clip has none."""
    r = p[clip_row(p, clip) + at.C_ROOT]
    if r < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    start = _travelled(p, q, wi, wf, clip, r, before)
    return composed(inverted(start), _travelled(p, q, wi, wf, clip, r, after))


@part
def write_motion(p, wf, buffer, motion):
    """Put a motion into a result."""
    place = motion_of(p, buffer)
    no_motion(wf, place)
    for k in range(7):
        wf[place + k] = motion[k]


@part
def without_root(p, q, wf, clip, buffer):
    """Take root motion out of a pose."""
    r, bones = p[clip_row(p, clip) + at.C_ROOT], p[at.H_BONES]
    if r < 0:
        return
    chain, size, k = p[r + at.R_CHAIN], p[r + at.R_CHAIN_SIZE], p[r + at.R_NUMBERS]
    whole = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    above = whole
    for n in range(size):
        above = whole
        x, y, z, qx, qy, qz, qw, s0, s1, s2 = whole
        whole = _down(wf, bones, buffer, x, y, z, qx, qy, qz, qw, s0, s1, s2, p[chain + n])
    model = (whole[0], whole[1], whole[2], whole[3], whole[4], whole[5], whole[6])
    out = _extracted(p, q, r, model[0], model[1], model[2], model[3], model[4], model[5], model[6])
    stays = composed(read_rigid(q, k + at.T_ANCHOR), composed(inverted(out), model))
    if size > 1:
        s0 = 1.0 / (above[7] if above[7] != 0.0 else 1.0)
        s1 = 1.0 / (above[8] if above[8] != 0.0 else 1.0)
        s2 = 1.0 / (above[9] if above[9] != 0.0 else 1.0)
        ux, uy, uz, uw = -above[3], -above[4], -above[5], above[6]
        x, y, z = rotate(ux, uy, uz, uw, -above[0], -above[1], -above[2])
        mx, my, mz = rotate(ux, uy, uz, uw, s0 * stays[0], s1 * stays[1], s2 * stays[2])
        qx, qy, qz, qw = mul(ux, uy, uz, uw, stays[3], stays[4], stays[5], stays[6])
        stays = (s0 * x + mx, s1 * y + my, s2 * z + mz, qx, qy, qz, qw)
    bone = p[chain + size - 1]
    for n in range(3):
        wf[buffer + 3 * bone + n] = stays[n]
    for n in range(4):
        wf[buffer + 3 * bones + 4 * bone + n] = stays[3 + n]
