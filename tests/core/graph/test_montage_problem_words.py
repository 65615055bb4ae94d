"""Every problem of a montage in its words: what is wrong, where, whether it only warns, and what is said first."""

from dataclasses import replace

import pytest

from core.clips.clip import Additive, AdditiveSpace
from core.graph.montage import MontageBlend, Section, Segment, SlotTrack
from core.graph.montage_problems import MontageProblem, Part, problems_of
from core.ids import AssetId
from core.project.project import Project
from tests.core.graph.builders import clip
from tests.core.graph.test_montage_problems import project
from tests.core.graph.test_montages import montage

OTHER = replace(clip("other"), rig=AssetId("rig-other"))
BREATH = clip("breath", additive=Additive(AdditiveSpace.LOCAL))
LEAN = clip("lean", additive=Additive(AdditiveSpace.MODEL))


def tracks(*rows: tuple[str, ...], end: float = 1.0) -> dict:
    """Tracks of a slot each: names of clips one after the other."""
    return {"tracks": tuple(
        SlotTrack(slot, tuple(Segment(AssetId(f"clip-{c}"), float(k), 0.0, end) for k, c in enumerate(clips)))
        for slot, *clips in rows
    )}  # fmt: skip


def mixed(number: int, slot: str = "Upper") -> MontageProblem:
    return MontageProblem(
        f"Slot {slot} mixes additive clips with others: give them a track of their own", Part.TRACK, number
    )


def blends(into: float, away: float, **more) -> dict:
    return {"blend_in": MontageBlend(into), "blend_out": MontageBlend(away), **more}


EARLY = MontageProblem("It begins to blend out before it has blended in", Part.BLEND, number=0, warning=True)
EMPTY = "It has no segment: drag a clip onto a track"
LATE = "Section {!r} begins where the montage is over: move it, or add a segment"
CASES: list[tuple[dict, list[MontageProblem]]] = [
    ({}, []),
    ({"tracks": ()}, [MontageProblem(EMPTY)]),
    (tracks(("Upper",)), [MontageProblem(EMPTY)]),
    (tracks(("Upper", "m"), ("Arms",)), [
        MontageProblem("Slot Arms has no segment: drag a clip onto it, or delete the track", Part.TRACK, 1),
    ]),
    (tracks(("Upper", "m", "gone")), [
        MontageProblem("Its clip is missing: choose another, or delete the segment", Part.SEGMENT, 0, 1),
    ]),
    (tracks(("Upper", "m"), ("Arms", "other")), [
        MontageProblem("Clip 'other' is for another rig: retarget it, or choose another", Part.SEGMENT, 1, 0),
    ]),
    (tracks(("Upper", "m"), end=1.5), [
        MontageProblem("Clip 'm' ends at 1 s: its last pose holds from there", Part.SEGMENT, 0, 0, True),
    ]),
    (tracks(("Upper", "m"), end=1.0 + 1e-9), []),
    (tracks(("Upper", "breath", "breath")), []),
    (tracks(("Upper", "m"), ("Arms", "breath", "m")), [mixed(1, "Arms")]),
    (tracks(("Upper", "breath", "lean")), [mixed(0)]),
    (tracks(("Upper", "gone", "breath")), [
        MontageProblem("Its clip is missing: choose another, or delete the segment", Part.SEGMENT, 0, 0),
    ]),
    ({"sections": (Section("one", 0.0), Section("two", 1.0), Section("three", 1.2))}, [
        MontageProblem(LATE.format("two"), Part.SECTION, number=1, warning=True),
        MontageProblem(LATE.format("three"), Part.SECTION, number=2, warning=True),
    ]),
    ({"sections": (Section("one", 0.0), Section("two", 0.999))}, []),
    (blends(0.6, 0.3), []),
    (blends(0.7, 0.3), []),  # it has just blended in
    (blends(0.8, 0.3), [EARLY]),
    (blends(0.8, 0.3, sections=(Section("one", 0.0), Section("two", 0.5))), []),
    (blends(0.8, 0.3, blend_out_trigger=0.1), []),
    (blends(0.3, 0.1, blend_out_trigger=0.8), [EARLY]),
    ({**tracks(("Uper", "m")), "group": "Group"}, [
        MontageProblem(
            "No graph of this rig has the slot 'Group.Uper'; near: Group.Upper, Group.Arms", Part.TRACK, 0, warning=True
        ),
    ]),
    ({**tracks(("Upper", "m", "gone")), "sections": (Section("one", 0.0), Section("two", 3.0))}, [
        MontageProblem("Its clip is missing: choose another, or delete the segment", Part.SEGMENT, 0, 1),
        MontageProblem(LATE.format("two"), Part.SECTION, number=1, warning=True),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "wanted"), CASES, ids=range(len(CASES)))
def test_problems_are_told_in_words_at_their_places_errors_first(changes, wanted):
    made = replace(montage(), **changes)
    found = problems_of(made, project(made, clips=(OTHER, BREATH, LEAN), slots=("Group.Upper", "Group.Arms")))
    assert list(found) == wanted
    assert [str(problem) for problem in found] == [problem.message for problem in wanted]


def test_two_of_one_name_are_told_and_those_of_other_rigs_are_not():
    made = montage()
    twin = replace(made, id=AssetId("montage-2"))
    other = replace(twin, rig=AssetId("rig-other"))
    words = "Another montage of this rig is named 'wave': graphs play the last one"
    assert problems_of(made, project(made, twin)) == (MontageProblem(words, warning=True),)
    assert problems_of(made, project(made, other)) == ()


def test_without_graphs_no_slot_is_missed():
    made = replace(montage(), **tracks(("Nowhere", "m")))
    assert problems_of(made, Project().with_assets(made, clip("m"))) == ()
