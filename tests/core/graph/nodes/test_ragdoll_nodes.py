"""The nodes ragdoll and get up: a machine that falls on stairs and gets up, the same bytes again, and what they read."""

from functools import lru_cache

import numpy as np
import pytest

from core.graph.instance import Instance
from core.graph.record import Recording
from core.physics import engine
from tests.core.graph.nodes.falling import DT, STAIRS, places, plan, walked

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")
HIT = 30


@lru_cache(maxsize=1)
def fallen():
    """Onto the stairs, down, at rest, and up again."""
    recording = Recording.of(plan())
    return recording, walked(recording, 500, hits=(HIT,))


def states(found):
    return [next(iter(result.states.values())) for result, _ in found]


def test_a_machine_falls_rests_gets_up_and_moves_on():
    _, found = fallen()
    names = states(found)
    order = [name for k, name in enumerate(names) if k == 0 or names[k - 1] != name]
    assert order == ["Moves", "Falls", "Rises", "Moves"]
    assert names.index("Falls") == HIT
    fall = names.count("Falls") * DT
    assert 0.5 < fall < 4.0
    assert not any(result.flagged for result, _ in found)
    heads = [places(result, stands)[:, 1].max() for result, stands in found]
    lying = found[names.index("Rises") - 1]
    assert heads[0] > 1.5 and places(*lying)[:, 1].max() < 1.6  # it lies, on stairs of 18 cm
    assert heads[-1] - found[-1][1].translation[1] > 1.5


def test_no_bone_jumps_where_the_states_change():
    _, found = fallen()
    names = states(found)
    shown = [places(result, stands) for result, stands in found]
    walking = max(np.linalg.norm(shown[k] - shown[k - 1], axis=1).max() for k in range(2, HIT))
    for number in range(HIT, len(names)):
        moved = float(np.linalg.norm(shown[number] - shown[number - 1], axis=1).max())
        if names[number] != names[number - 1]:
            limit = {"Falls": 1.3 * walking, "Rises": 0.001, "Moves": 0.05}[names[number]]
            assert moved < limit, (number, names[number])
        assert moved < 0.25


def test_going_back_into_the_fall_and_playing_on_gives_the_same_bytes():
    recording, found = fallen()
    names = states(found)
    hashes = list(recording.hashes)
    middle = HIT + 25
    assert names[middle] == "Falls"
    for number in (middle, names.index("Rises") + 20, len(found)):
        result = recording.goto(number)
        assert recording.differs is None
        assert result.numbers.tobytes() == found[number - 1][0].numbers.tobytes()
    recording.goto(middle)
    again = Recording(Instance(plan()), recording.plan_hash)
    later = walked(again, 500, hits=(HIT,))
    assert again.hashes == hashes
    assert later[-1][0].numbers.tobytes() == found[-1][0].numbers.tobytes()


def test_a_snapshot_goes_on_in_another_instance_to_the_same_bytes():
    first = Recording.of(plan())
    walked(first, HIT + 40, hits=(HIT,))
    stands = first.steps[-1].character
    other = Recording(Instance(plan()))
    other.instance.restore(first.instance.snapshot())
    one, two = (walked(r, 30, stands=stands) for r in (first, other))
    assert first.instance.snapshot().same_bits(other.instance.snapshot())
    assert one[-1][0].numbers.tobytes() == two[-1][0].numbers.tobytes()
