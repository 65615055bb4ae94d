"""Rows of a montage's panel, notifies and curves of its clips, and where its slots are in graphs: by plain numbers."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from core.clips.clip import Notify
from core.graph.montage_edits import new_montage
from core.ids import AssetId
from core.tracks.keys import scalar_track
from editor.model.montage.rows import (
    BLEND,
    CURVE,
    HEAD,
    LANE,
    LINKS,
    RULER,
    SECTIONS,
    TRACK,
    RowKind,
    clip_notifies,
    curve_names,
    lanes_of,
    rows_of,
)
from editor.model.montage.slot_places import places_of
from tests.editor.rigs import small_project

CURVE_TRACK = scalar_track([0.0, 1.0], [0.0, 1.0])
NOTIFIES = (
    Notify("a", 0.25),
    Notify("b", 0.5, 0.25),
    Notify("c", 1.0, 5.0),
    Notify("d", 1.5),
    Notify("e", 1.75),
)
CLIP = replace(
    small_project(mesh=False).clips[0], notifies=NOTIFIES, curves={"speed": CURVE_TRACK, "reach": CURVE_TRACK}
)
CLIPS = {CLIP.id: CLIP}
PLAIN = new_montage(AssetId("montage"), "montage", CLIP.rig, [CLIP], "DefaultGroup.Arms")


def with_segment(**values: object):
    """The montage with its one segment changed."""
    track = PLAIN.tracks[0]
    return replace(PLAIN, tracks=(replace(track, segments=(replace(track.segments[0], **values),)),))


def test_the_head_is_ruler_sections_and_links() -> None:
    assert HEAD == RULER + SECTIONS + LINKS and min(RULER, SECTIONS, LINKS) > 10.0


def test_lanes_are_the_unnamed_one_and_the_others_by_name() -> None:
    made = replace(
        PLAIN,
        notifies=(
            Notify("a", 0.0, lane="z"),
            Notify("b", 0.0),
            Notify("c", 0.0, lane="b"),
            Notify("d", 0.5, lane="z"),
        ),
    )
    assert lanes_of(made) == ("", "b", "z") and lanes_of(PLAIN) == ("",)


# ---------------------------------------------------------------- of the clips
def found(montage, clips=CLIPS) -> list[tuple]:
    return [(n.notify.name, n.time, n.duration) for n in clip_notifies(montage, clips)]


def test_notifies_of_a_clip_that_is_played_whole_are_at_their_times() -> None:
    assert found(PLAIN) == [
        ("a", 0.25, 0.0),
        ("b", 0.5, 0.25),
        ("c", 1.0, 1.0),
        ("d", 1.5, 0.0),
        ("e", 1.75, 0.0),
    ]


def test_notifies_are_played_as_far_as_their_segment_goes() -> None:
    made = with_segment(place=3.0, begin=0.5, end=1.5, rate=2.0)
    assert found(made) == [("b", 3.0, 0.125), ("c", 3.25, 0.25), ("d", 3.5, 0.0)]


def test_clips_that_are_missing_have_none() -> None:
    assert found(PLAIN, {}) == [] and curve_names(PLAIN, {}) == ()


def test_notifies_of_all_tracks_are_in_the_order_of_time() -> None:
    later = with_segment(place=0.125).tracks[0]
    made = replace(PLAIN, tracks=(later, replace(PLAIN.tracks[0], slot="Legs")))
    assert [time for _, time, _ in found(made)] == sorted(
        [n.time for n in NOTIFIES] + [n.time + 0.125 for n in NOTIFIES]
    )


def test_curves_of_the_montage_come_first_and_each_once() -> None:
    made = replace(PLAIN, curves={"weight": CURVE_TRACK, "reach": CURVE_TRACK})
    assert curve_names(made, CLIPS) == ("weight", "reach", "speed")


# ---------------------------------------------------------------- rows
def test_rows_lie_below_each_other() -> None:
    made = replace(
        PLAIN, tracks=(PLAIN.tracks[0], replace(PLAIN.tracks[0], slot="Legs", segments=())),
        notifies=(Notify("x", 0.0, lane="sounds"),), curves={"weight": CURVE_TRACK},
    )  # fmt: skip
    rows = rows_of(made, CLIPS, {"": 0, "sounds": 3, "clips": 2})
    assert [(r.kind, r.height, r.title, r.track, r.name) for r in rows] == [
        (RowKind.TRACK, TRACK, PLAIN.tracks[0].slot, 0, ""), (RowKind.TRACK, TRACK, "Legs", 1, ""),
        (RowKind.BLEND, BLEND, "Weight", -1, ""), (RowKind.NOTIFIES, LANE, "Notifies", -1, ""),
        (RowKind.NOTIFIES, 3.0 * LANE, "sounds", -1, "sounds"),
        (RowKind.CLIP_NOTIFIES, 2.0 * LANE, "Notifies of clips", -1, ""),
        (RowKind.CURVE, CURVE, "weight", -1, "weight"), (RowKind.CURVE, CURVE, "speed", -1, "speed"),
        (RowKind.CURVE, CURVE, "reach", -1, "reach"),
    ]  # fmt: skip
    assert rows[0].top == 0.0
    assert all(below.top == above.bottom == above.top + above.height for above, below in pairwise(rows))


@pytest.mark.parametrize("depths", [{}, {"": 0, "clips": 0}, {"": 1, "clips": 1}])
def test_a_lane_is_one_bar_high_at_the_least(depths) -> None:
    rows = rows_of(PLAIN, CLIPS, depths)
    heights = {row.kind: row.height for row in rows}
    assert heights[RowKind.NOTIFIES] == heights[RowKind.CLIP_NOTIFIES] == LANE


def test_without_notifies_of_clips_there_is_no_row_for_them() -> None:
    assert RowKind.CLIP_NOTIFIES not in [row.kind for row in rows_of(PLAIN, {}, {})]


# ---------------------------------------------------------------- slots in graphs
def node(id: str, kind: str, **parameters: str) -> SimpleNamespace:
    return SimpleNamespace(id=id, kind=kind, parameters=parameters)


def sheet(id: str, *nodes: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(id=id, name=id.upper(), nodes=nodes)


def test_slot_nodes_are_found_in_the_order_of_graphs_and_sheets() -> None:
    graphs = [
        SimpleNamespace(id="g1", name="one", sheets=(
            sheet("s1", node("n1", "slot", slot="Arms"), node("n2", "slot", slot="Legs"),
                  node("n3", "clip", slot="Arms")),
            sheet("s2", node("n4", "slot"), node("n5", "slot", slot="Arms")),
        )),
        SimpleNamespace(id="g2", name="two", sheets=(sheet("s3", node("n6", "slot", slot="Arms")),)),
    ]  # fmt: skip
    assert [(p.graph, p.sheet, p.node, p.title) for p in places_of("Arms", graphs)] == [
        ("g1", "s1", "n1", "one › S1"), ("g1", "s2", "n5", "one › S2"), ("g2", "s3", "n6", "two › S3"),
    ]  # fmt: skip
    assert places_of("Head", graphs) == () and places_of("Arms", []) == ()
