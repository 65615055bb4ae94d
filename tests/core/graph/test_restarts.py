"""What each node forgets where it begins anew: its own numbers and no others, by pins."""

import numpy as np
import pytest

from core.graph.inertial import FLOATS, INTS, Inertial
from core.graph.instance import NOTHING_GIVEN, Instance
from core.graph.op import Place
from core.graph.runner import StepArrays
from tests.core.graph.nodes.test_node_stories import NODES, running
from tests.core.graph.test_named_players import alone
from tests.core.graph.test_player_reads import running as in_a_machine
from tests.pins import Pins

HELD = Pins(__file__)


def told(instance: Instance) -> list:
    """What the numbers of each op are after its restart, where all numbers were 1 before."""
    state, found = instance.state, []
    for op in instance.plan.ops:
        state.floats[:], state.ints[:], state.poses[:] = 3.25, 1, 0.5
        run = instance._run(0.05, NOTHING_GIVEN, StepArrays.fresh(len(instance.plan.ops)))
        op.restart(run)
        f, i = op.place.floats, op.place.ints
        own = state.floats[f : f + op.FLOATS].copy(), state.ints[i : i + op.INTS].copy()
        # “never left” is a very large number, which would hide the others.
        found.append((type(op).__name__, np.clip(own[0], -99.0, 99.0), own[1]))
        state.floats[f : f + op.FLOATS], state.ints[i : i + op.INTS] = 3.25, 1
        assert (state.floats == 3.25).all() and (state.ints == 1).all() and (state.poses == 0.5).all(), (
            op.name
        )
    return found


@pytest.mark.parametrize("number", range(len(NODES)), ids=lambda n: f"{NODES[n][0]} {n}")
def test_a_node_forgets_its_own_numbers(number):
    instance = running(*NODES[number])
    instance.step(0.1, {"s": 0.4})
    HELD.hold(f"{NODES[number][0]} {number}", told(instance))


@pytest.mark.parametrize("what", ["walk", "once", "lean", "space-1"])
@pytest.mark.parametrize("reset", ["always", "never"])
def test_players_machines_and_slots_forget_theirs(what, reset):
    instance = in_a_machine(what, "can_lead", "1", reset=reset)
    instance.step(0.1, {"speed": 1.5, "side": 2.0})
    HELD.hold(f"{what}, {reset}", told(instance))


@pytest.mark.parametrize("more", [{}, {"keep_time": True}, {"start": "0.3"}, {"rate": "-1"}], ids=str)
def test_a_player_by_name_forgets_its_clip_s(more):
    instance = alone("walk", named=True, **more)
    instance.step(0.1, {"who": "lean"})
    HELD.hold(f"named, {sorted(more)}", told(instance))


def test_an_inertial_forgets_its_own_numbers_within_its_op_s():
    class Op:
        place = Place(floats=5, ints=2)

    class Run:
        ints, floats = np.full(12, 7), np.full(40, 3.0)

    Inertial(Op(), 1, 2).restart(Run)
    assert np.flatnonzero(Run.ints == 0).tolist() == list(range(3, 3 + INTS))
    assert np.flatnonzero(Run.floats == 0.0).tolist() == list(range(7, 7 + FLOATS))
