"""What a player says of itself at a time: what is left, its turn, its phase, its next marker; alone and in a group."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceKind, SpaceSample
from core.graph.instance import Instance
from core.graph.peek import _still
from core.graph.sync_member import Phase, SyncMember
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, square, swinging, walker
from tests.core.graph.test_players_alike import CLIPS, SIDE, SPEED, space
from tests.pins import Pins

HELD = Pins(__file__)
ENDS = tuple(swinging(f"end{k}", 10.0 * k, looping=False) for k in (1, 2))
STILL = replace(swinging("still"), length=0.0, tracks={}, curves={})
SPACES = (
    space("walk", "run"), space("lean", "once", id="space-2"),
    BlendSpace(AssetId("space-3"), "ends", RIG, space("walk").axes,
               tuple(SpaceSample(clip.id, (1.0 * k,)) for k, clip in enumerate(ENDS)), SpaceKind.LINE),
)  # fmt: skip
PLAYERS = ("walk", "run", "lean", "once", "still", "space-1", "space-2", "space-3")
PHASES = (
    Phase(None, 0.0, 0.35), Phase(("l", "r"), 0.25, 0.6), Phase(("r", "l"), 0.75, 0.1), Phase(("x", "y"), 0.5, 0.9),
)  # fmt: skip
RATES = ("1", "-0.7", "0", "2.5")


def playing(what: str, rate: str, group: str = "") -> tuple[Instance, SyncMember]:
    draw = Drawing(*CLIPS, *ENDS, STILL, variables=(SPEED, SIDE), rig_=walker(), assets=SPACES)
    more = {"group": group} if group else {}
    if what.startswith("space"):
        node = draw.node("blend_space", "it", {"x": "0.4", "rate": rate}, space=what, **more)
    else:
        node = draw.node("clip", "it", {"rate": rate, "start": "0.15"}, clip=f"clip-{what}", **more)
    beside = draw.node("clip", "beside", {"rate": "0.8"}, clip="clip-trot", **more)
    mix = draw.node("blend", "", {"alpha": "0.3"})
    instance = draw.run(draw.one(beside, node, mix, wires=[(beside, mix, "a"), (node, mix, "b")]))
    op = instance.plan.op_named("it")
    assert isinstance(op, SyncMember)
    return instance, op


def told(instance: Instance, op: SyncMember) -> list:
    run = _still(instance)
    return [
        op.remaining(run), op.period(run), op.cycle(run), op.direction(run), phase(op.phase(run)),
        [phase(op.ahead(run, seconds)) for seconds in (0.0, 0.3, -0.5)],
        [op.until_marker(run, turns) for turns in (0.5, -0.5, 0.0, 2.0)], op.is_new(run),
    ]  # fmt: skip


def phase(found: Phase) -> list:
    return [found.markers or "none", found.between, found.whole]


@pytest.mark.parametrize(("what", "rate", "group"), square(PLAYERS, RATES, ("", "feet")))
def test_a_player_tells_where_it_is(what, rate, group):
    instance, op = playing(what, rate, group)
    with HELD.together(f"{what}, {rate}, {group}") as note:
        for dt in (0.0, 0.1, 0.1, 0.08, 0.0, 0.9, 0.4):
            instance.step(dt)
            note(told(instance, op))


@pytest.mark.parametrize("what", PLAYERS)
def test_a_player_goes_where_it_is_told(what):
    with HELD.together(f"{what}, told") as note:
        for seconds in (0.0, 0.4, 1.3, -0.2):
            for found in PHASES:
                instance, op = playing(what, "1", "feet")
                instance.step(0.1)
                run = _still(instance)
                op.start_at(run, seconds)
                note(told(instance, op), instance.state.floats.copy(), instance.state.ints.copy())
                op.join(run, found)
                note(told(instance, op), instance.state.floats.copy(), instance.state.ints.copy())


def test_a_player_without_length_counts_for_nothing_in_a_group_s_mean():
    for what in ("still", "trot"):
        draw = Drawing(*CLIPS, STILL, variables=(SPEED, SIDE), rig_=walker())
        walk, other = (
            draw.node("clip", name, {}, clip=f"clip-{name}", group="feet") for name in ("walk", what)
        )
        mix = draw.node("blend", "", {"alpha": "0.4"})
        instance = draw.run(draw.one(walk, other, mix, wires=[(walk, mix, "a"), (other, mix, "b")]))
        for _ in range(3):
            instance.step(0.1)
        place = instance.plan.op_named("walk").place.floats
        assert instance.state.floats[place] == pytest.approx(0.3)
        assert np.isfinite(instance.state.floats).all()
