# mypy: disable-error-code="no-untyped-def"
"""The step of an animation graph in one call (compiled). Twin: `core.graph.instance`; arrays: `kernel_graph_layout`.

An inner step goes through its values, its logic (weights and times), its poses, and its end. Where something happens
that is not of every step, or an op has no kernel, the call returns and says what Python has to do before it goes on:
the whole logic of this step, which is then as it was before it, or the pose of one op.
"""

import numpy as np
from numba import boolean, float64, int64, njit, uint64, void

from core.math import kernel_graph_additive as additive
from core.math import kernel_graph_aim as aim
from core.math import kernel_graph_layers as layers
from core.math import kernel_graph_layout as at
from core.math import kernel_graph_machine as machine
from core.math import kernel_graph_mix as mix
from core.math import kernel_graph_modify as modify
from core.math import kernel_graph_plant as plant
from core.math import kernel_graph_play as play
from core.math import kernel_graph_select as select
from core.math import kernel_graph_space as space
from core.math import kernel_graph_stride as stride
from core.math.kernel_graph_call import ARRAYS, address
from core.math.kernel_graph_machine_pose import machine_pose
from core.math.kernel_graph_step import begin, run, write_reads
from core.math.kernel_graph_values import map_value, run_rows

WEIGH, ADVANCE, REMAINING, PERIOD, OFFER = range(5)
LOGIC = {
    "passing": {WEIGH: mix.passing_weigh, OFFER: mix.passing_offer},
    "first": {WEIGH: mix.passing_weigh, OFFER: mix.first_offer},
    "clip": {
        ADVANCE: play.clip_advance,
        REMAINING: play.clip_remaining,
        PERIOD: play.clip_period,
    },
    "blend": {WEIGH: mix.blend_weigh, OFFER: mix.blend_offer},
    "additive": {WEIGH: additive.additive_weigh, OFFER: mix.first_offer},
    "layered": {WEIGH: layers.layered_weigh, OFFER: mix.first_offer},
    "mirror": {WEIGH: mix.passing_weigh, ADVANCE: layers.mirror_advance, OFFER: mix.first_offer},
    "machine": {WEIGH: machine.machine_weigh, OFFER: machine.machine_offer},
    "member clip": {REMAINING: play.clip_remaining, PERIOD: play.clip_period},
    "space": {
        ADVANCE: space.space_advance,
        REMAINING: space.space_remaining,
        PERIOD: space.space_period,
    },
    "member space": {REMAINING: space.space_remaining, PERIOD: space.space_period},
    "select": {WEIGH: select.select_weigh, OFFER: select.select_offer},
    "many": {WEIGH: select.many_weigh, OFFER: select.many_offer},
    "slot": {WEIGH: select.slot_weigh, OFFER: mix.first_offer},
    "nothing": {},
}
"""What is called for the logic of each kind of op; `PoseOp.LOGIC` names an entry."""
PLAYERS = ("clip", "member clip", "space", "member space")
"""Entries whose ops are players themselves, which `OFFER` of the others leads to."""
POSES = {
    "rest": mix.rest_pose,
    "output": mix.output_pose,
    "clip": play.clip_pose,
    "additive_clip": additive.additive_clip_pose,
    "additive": additive.additive_pose,
    "blend": mix.blend_pose,
    "curve": mix.curve_pose,
    "layered": layers.layered_pose,
    "mirror": layers.mirror_pose,
    "machine": machine_pose,
    "space": space.space_pose,
    "select": select.select_pose,
    "many": select.many_pose,
    "slot": select.slot_pose,
    "modifier": modify.modifier_pose,
    "feet": modify.feet_pose,
    "stride": stride.stride_pose,
    "plant": plant.plant_pose,
    "aim": aim.aim_pose,
    "given": modify.given_pose,
    "inertialise": select.inertialise_pose,
}
"""What makes the pose of each kind of op; `PoseOp.POSE` names an entry."""
WHERE = {
    "clip": play.clip_position,
    "additive_clip": play.clip_position,
    "space": space.space_position,
}
"""For entries of `POSES` that read only the state: where in its tracks an op is."""


def addresses() -> tuple[dict[str, list[int]], dict[str, tuple[int, int]], int]:
    """Addresses: of each entry of `LOGIC` in the order of `kernel_graph_layout.O_WEIGH` and on; of `POSES` with those
    of `WHERE`; of maps.
    """
    logic = {
        kind: [address(hooks[k]) if k in hooks else 0 for k in range(5)] for kind, hooks in LOGIC.items()
    }
    for kind in PLAYERS:
        logic[kind][OFFER] = at.PLAYS
    poses = {
        kind: (address(hook), address(WHERE[kind]) if kind in WHERE else 0) for kind, hook in POSES.items()
    }
    return logic, poses, address(map_value)


@njit(int64(*ARRAYS, float64, int64, int64, int64, boolean), cache=True, error_model="numpy")
def step(p, q, si, sf, wi, wf, dt, inners, seed, asks, again):
    """Move an instance on by some inner steps of `dt` seconds.

    Parameters
    ----------
    seed : of the expressions' random numbers
    asks : what Python has a part in: `ANSWERS`, `COMMANDED`
    again : go on where a call stopped

    Returns
    -------
    status : `DONE`, or what Python has to do before the next call
    """
    if not again:
        begin(p, wi, wf)
    return run(p, q, si, sf, wi, wf, dt, inners, seed, asks)


@njit(void(*ARRAYS, float64), cache=True, error_model="numpy")
def fill(p, q, si, sf, wi, wf, dt):
    """Write seconds, triggers and reads into the registers; for plans whose expressions ask Python."""
    write_reads(p, q, si, sf, wi, wf, dt)


@njit(void(*ARRAYS, int64, int64, int64), cache=True, error_model="numpy")
def rows(p, q, si, sf, wi, wf, begin, end, seed):
    """Run some rows of the expressions, between two that Python answers."""
    run_rows(p, q, si, sf, wi, wf, begin, end, seed)


@njit(uint64(float64[::1], int64[::1], uint64[::1]), cache=True, error_model="numpy")
def hashed(numbers, whole, factors):
    """The sum of all words times their factors, modulo 2⁶⁴ (twin: `core.graph.state_hash`)."""
    total, words, count = np.uint64(0), numbers.view(np.uint64), len(numbers)
    for k in range(count):
        total += words[k] * factors[k]
    more = whole.view(np.uint64)
    for k in range(len(more)):
        total += more[k] * factors[count + k]
    return total
