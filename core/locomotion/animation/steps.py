"""One step in place where a foot was left behind, put on top of the standing pose (spec: *Dynamic step*).

A foot that is held off its place by more than `OFF` while the character stands is lifted, brought home and put down:
a short additive clip in the slot `SLOT` lifts it, which ends its hold.
"""

from core.graph.graph import Node
from core.locomotion.animation.pen import Pen
from core.locomotion.animation.propose import Moves

SLOT = "DefaultGroup.Step"
OFF, STANDS, APART = 0.08, 0.3, 0.4
"""Metres that a foot is off; seconds that it has stood; seconds between two steps."""
RATE, BLEND = 1.5, 0.1
STANCES = {"stand": "", "crouch": "crouch "}
"""States in which steps are made, and what the names of their clips begin with."""


def steps_of(moves: Moves) -> dict[str, str]:
    """The states with a step for each foot, and what its clips' names begin with."""
    return {
        state: prefix
        for state, prefix in STANCES.items()
        if moves.has((f"{prefix}step left", f"{prefix}step right"))
    }


def step_actions(pen: Pen, moves: Moves, standing: str) -> list[Node]:
    """The chain of the update sheet that starts steps; without clips it is empty.

    Parameters
    ----------
    standing : expression of whether nothing else moves the character
    """
    stances = steps_of(moves)
    if not stances:
        return []
    chain = []
    where = " or ".join(f"state('moves') == '{state}'" for state in stances)
    off = f"({standing} and ({where}) and max(foot_off_left, foot_off_right) > {OFF:g})"
    now = f"held({off}) > {STANDS:g} and timer(step_kind > 0) > {APART:g}"
    kind = (
        f"if({now}, 1 + if(foot_off_left > foot_off_right, 0, 1) + if(state('moves') == 'crouch', 2, 0), 0)"
    )
    chain.append(pen.node("set", "", {"value": kind}, variable="step_kind"))
    for state, prefix in stances.items():
        for number, side in enumerate(("left", "right")):
            name = f"{prefix}step {side}"
            value = 1 + number + (2 if state == "crouch" else 0)
            pins = {
                "rate": f"{RATE:g}",
                "in": f"{BLEND:g}",
                "out": f"{BLEND:g}",
                "when": f"step_kind == {value}",
            }
            chain.append(pen.node("play_clip", name, pins, clip=moves.clips[name].id, slot=SLOT))
    return chain
