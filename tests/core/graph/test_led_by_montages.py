"""Players that come into a group inside of a step while a montage leads it: by pins, and by kernel and twin."""

import pytest

from core.graph.commands import Command, Do
from core.graph.graph import SyncSetting, TargetStart, Tempo
from core.graph.instance import Instance
from core.graph.montage import Section
from tests.core.graph.builders import Drawing, square, walker
from tests.core.graph.test_named_players import told
from tests.core.graph.test_players_alike import CLIPS, SIDE, SPEED, space, wave
from tests.pins import Pins

HELD = Pins(__file__)
PIECES = {
    "marked": (("run", 0.0, 0.0, 1.0, 1.0), ("walk", 1.0, 0.25, 0.9, 0.5)),
    "plain": (("lean", 0.2, 0.0, 0.8, 2.0),),
    "gap": (("run", 0.0, 0.0, 0.4, 1.0), ("run", 0.7, 0.3, 0.9, 1.0)),
}
WHOM = ("run", "space-1", "once", "lean")
CUTS = (0.1, 0.05)


def running(
    pieces: str, whom: str, start: TargetStart = TargetStart.STATE, *, automatic=0.23, role="can_lead", **more
) -> Instance:
    """Both states of a machine have a player of the group; the second comes by itself at a moment inside a step."""
    montage = wave(*PIECES[pieces], **more)
    draw = Drawing(*CLIPS, variables=(SPEED, SIDE), rig_=walker(), slots=("Group.Upper",),
                   assets=(space("walk", "run"), montage),
                   sync_groups=(SyncSetting("feet", Tempo.LEADER),))  # fmt: skip
    first = draw.node("clip", "first", {"rate": "0.9"}, clip="clip-walk", group="feet", role=role)
    options = {"group": "feet", "role": role}
    if whom.startswith("space"):
        second = draw.node("blend_space", "second", {"x": "0.4", "rate": "1.1"}, space=whom, **options)
    else:
        second = draw.node("clip", "second", {"rate": "1.1"}, clip=f"clip-{whom}", **options)
    states = {"a": draw.pose_sheet("a", [first], [], first), "b": draw.pose_sheet("b", [second], [], second)}
    timing = {"seconds": 0.14, "start": start, "start_at": 0.2}
    arrows = [
        ("a", "b", None, {"automatic": automatic, **timing}),
        ("b", "a", None, {"automatic": 0.4, **timing}),
    ]
    machine = draw.node("machine", "m", sheet=draw.machine(states, arrows).id)
    slot = draw.node("slot", "slot", slot="Group.Upper", always_update=True)
    return draw.run(draw.one(machine, slot, wires=[(machine, slot, "source")]))


def played(instance: Instance, dt: float, *commands: Command, until: float = 1.6) -> tuple[list, list]:
    """Events by their moments, and what steps tell at tenths of a second."""
    events, tenths = [], []
    for number in range(round(until / dt)):
        result = instance.step(dt, {"speed": 1.0, "side": 1.0}, commands=commands if number == 0 else ())
        events += [
            (e.name, str(e.kind), round(number * dt + e.moment, 6), e.clip)
            for e in result.events
            if str(e.kind) != "tick"
        ]
        if (number + 1) % round(0.1 / dt) == 0:
            tenths.append(told(result))
    return sorted(events), tenths


@pytest.mark.parametrize(
    ("pieces", "whom", "rate"), square(PIECES, ("run", "space-1", "once", "lean"), (1.0, 0.7, -1.0))
)
def test_who_comes_inside_a_step_takes_the_phase_of_the_montage(pieces, whom, rate):
    found = [played(running(pieces, whom), dt, Command(Do.PLAY, "wave", rate=rate)) for dt in CUTS]
    HELD.hold(f"{pieces}, {whom}, {rate}", *found)


@pytest.mark.parametrize(
    ("start", "role", "pieces"), square(TargetStart, ("always", "never", "blended_in"), PIECES)
)
def test_targets_begin_at_a_leading_montage_as_they_are_to(start, role, pieces):
    found = played(running(pieces, "run", start, role=role), 0.1, Command(Do.PLAY, "wave"))
    HELD.hold(f"{start}, {role}, {pieces}", found)


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one"), ("two", "two")])
def test_a_leading_montage_that_jumps_takes_the_others_along(order):
    sections = (Section("one", 0.0, order[1]), Section("two", 0.45, order[0]))
    instance = running("marked", "run", sections=sections)
    found = played(instance, 0.1, Command(Do.PLAY, "wave", section=order[0]), until=2.5)
    HELD.hold(f"sections {order}", found)
