"""Montages whose blends have profiles of their own each way, and the moments at which a leading one cuts a step."""

from dataclasses import replace

import pytest

from core.clips.clip import SyncMarker
from core.graph.asking import montages_of
from core.graph.graph import BlendKind
from core.graph.instance import Instance
from core.graph.montage import Montage, MontageBlend, Segment, SlotTrack
from core.graph.montage_state import Playing, Way
from core.graph.montage_sync import MontageLeader
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, square, swinging, walker
from tests.core.graph.test_montages import play, steps, told
from tests.pins import Pins

HELD = Pins(__file__)
MASKS = {"half": {"hips": 0.5, "head": 0.2}, "legs": {"foot_l": 1.0, "calf_l": 0.3}, "fifth": {"spine": 0.2}}
FACTOR = {"": 1.0, "half": 0.5, "legs": 1.0, "fifth": 0.2}
"""The largest factor of each: the bones that take longest."""
FADES = (
    MontageBlend(0.2), MontageBlend(0.3, profile="half"), MontageBlend(0.25, profile="legs"),
    MontageBlend(0.5, profile="fifth"),
    MontageBlend(0.15, kind=BlendKind.INERTIALISE), MontageBlend(0.2, kind=BlendKind.INERTIALISE, profile="half"),
)  # fmt: skip


def waving(*pieces: Segment, into=FADES[0], away=FADES[0], **more) -> Montage:
    segments = pieces or (Segment(AssetId("clip-m"), 0.0, 0.0, 1.0),)
    return Montage(AssetId("montage-wave"), "wave", RIG, "Group", (SlotTrack("Upper", segments),),
                   blend_in=into, blend_out=away, **more)  # fmt: skip


def running(made: Montage, *clips) -> Instance:
    draw = Drawing(swinging("idle", 5.0), swinging("m", 60.0), *clips, rig_=replace(walker(), masks=MASKS),
                   assets=(made,), slots=("Group.Upper",))  # fmt: skip
    idle, slot = draw.play("idle"), draw.node("slot", "slot", slot="Group.Upper")
    return draw.run(draw.one(idle, slot, wires=[(idle, slot, "source")]))


@pytest.mark.parametrize(("into", "away", "rate"), square(range(6), range(6), (1.0, 0.8, -1.0)))
def test_it_fades_out_as_long_before_its_end_as_its_slowest_bone_takes(into, away, rate):
    out = FADES[away]
    lead = out.seconds * FACTOR[out.profile] if out.kind is BlendKind.CROSSFADE else out.seconds
    instance = running(waving(into=FADES[into], away=out))
    found = steps(instance, [0.1] * 14, play(rate=rate))
    moments = dict(word.split("@") for word in told(found))
    assert float(moments["blending_out wave"]) == pytest.approx(1.0 / abs(rate) - lead)
    if out.kind is BlendKind.CROSSFADE:
        assert float(moments["ended wave"]) == pytest.approx(1.0 / abs(rate))
    HELD.hold(f"profiles {into}, {away}, {rate}", told(found), [result.numbers for result, _ in found])


@pytest.mark.parametrize("trigger", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("away", range(6))
def test_a_trigger_says_when_it_fades_out_whatever_its_bones_take(away, trigger):
    out = FADES[away]
    found = steps(running(waving(away=out, blend_out_trigger=trigger)), [0.1] * 16, play())
    moments = dict(word.split("@") for word in told(found))
    begin = float(moments["blending_out wave"])
    assert begin == pytest.approx(1.0 - trigger)
    lasts = out.seconds * FACTOR[out.profile] if out.kind is BlendKind.CROSSFADE else 0.0
    assert float(moments["ended wave"]) >= begin + min(lasts, trigger) - 1e-9
    HELD.hold(f"trigger {away}, {trigger}", told(found), [result.numbers for result, _ in found])


# -------------------------------------------------------------------- a montage that leads
MARKED = swinging("marked", 10.0, sync_markers=(SyncMarker("l", 0.25), SyncMarker("r", 0.75)))
ONCE = swinging("once", 10.0, looping=False, sync_markers=MARKED.sync_markers)
PIECES = (
    Segment(AssetId("clip-marked"), 0.0, 0.0, 1.0), Segment(AssetId("clip-marked"), 1.0, 0.5, 1.0, 0.5),
    Segment(AssetId("clip-once"), 2.0, 0.0, 0.5),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after", "places"), [
    (0.1, 0.2, (0.1, 0.2)),
    (0.1, 0.3, (0.1, 0.25, 0.3)),
    (0.3, 0.1, (0.1, 0.25, 0.3)),
    (0.25, 0.75, (0.25, 0.75)),  # on its markers: they are its ends
    (0.2, 0.9, (0.2, 0.25, 0.75, 0.9)),
    (0.8, 1.6, (0.8, 1.0, 1.5, 1.6)),  # over the edge of two pieces, the second at half its pace
    (1.6, 0.7, (0.7, 0.75, 1.0, 1.5, 1.6)),
    (2.1, 2.4, (2.1, 2.4)),  # of what is no loop markers do not count
    (1.9, 2.3, (1.9, 2.0, 2.3)),
    (0.4, 0.4, ()),
])  # fmt: skip
@pytest.mark.parametrize(("start", "stop"), [(0.0, 0.1), (0.03, 0.28), (0.1, 0.1)])
def test_moments_at_which_markers_are_passed(before, after, places, start, stop):
    instance = running(waving(*PIECES, sync_group="feet"), MARKED, ONCE)
    montages = montages_of(instance.plan.ops)
    assert montages is not None
    leader = MontageLeader(Playing(montages.plans[0], 0.0, ways=[Way(start, stop, before, after)]))
    wanted = (
        [start + (place - before) / (after - before) * (stop - start) for place in places]
        if stop > start
        else []
    )
    assert sorted({round(moment, 9) for moment in leader._marked()}) == pytest.approx(sorted(wanted))
