"""Edits of whole clips carry notifies, sync markers, markers, contacts and named curves along with the motion."""

import numpy as np
import pytest

from core.clips import edits
from core.clips.clip import Channel, Clip, Marker, Notify, Property, SyncMarker
from core.clips.contacts import contact_names, contact_spans, with_contacts
from core.clips.edits import KeepTime
from core.clips.loop_tools import cycled
from core.ids import AssetId
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import scalar_track
from core.tracks.tangents import with_tangents

LENGTH = 2.0
TIMES = np.array([0.0, 0.5, 1.25, 2.0])


@pytest.fixture
def clip() -> Clip:
    """A loop with a mark of every kind, a contact, a named curve and a morph."""
    wave = with_tangents(scalar_track(TIMES, [0.0, 3.0, -1.0, 0.0]), LENGTH)
    made = Clip(
        AssetId("clip-1"), "walk", AssetId("rig-1"), LENGTH, FrameRate.of(30), True,
        {Channel("hip", Property.TRANSLATE, 1): wave}, {"speed": wave}, {"face/smile": wave},
        notifies=(Notify("early", 0.25, 0.125), Notify("late", 1.75)),
        sync_markers=(SyncMarker("left", 0.5), SyncMarker("right", 1.5)),
        markers=(Marker("note", 1.0),),
    )  # fmt: skip
    return with_contacts(made, "contact_left_foot", [(0.5, 1.0)])


def marks(clip: Clip) -> dict[str, list[tuple[str, float]]]:
    """Name and time of every mark, by kind, in the order they are kept in."""
    kinds = {"notify": clip.notifies, "sync": clip.sync_markers, "marker": clip.markers}
    return {kind: [(m.name, round(m.time, 6)) for m in some] for kind, some in kinds.items()}


def moved(clip: Clip, to) -> dict[str, list[tuple[str, float]]]:
    """What `marks` should be where every time goes through a function."""
    return {
        kind: sorted(((name, round(to(time), 6)) for name, time in some), key=lambda row: row[1])
        for kind, some in marks(clip).items()
    }


def columns(clip: Clip) -> dict[str, object]:
    """Tracks, curves and morphs by a name."""
    tracks = {f"{c.bone} {c.property} {c.axis}": t for c, t in clip.tracks.items()}
    curves = {f"curve {n}": t for n, t in clip.curves.items()}
    return tracks | curves | {f"morph {n}": t for n, t in clip.morphs.items()}


def same_curves(clip: Clip, done: Clip, to, loop: float | None = None) -> None:
    """Every column of the result is at ``to(time)`` what the clip's is at the time."""
    times = np.linspace(0.05, 1.95, 39) + 0.003
    before, after = columns(clip), columns(done)
    assert after.keys() == before.keys()
    for name, track in before.items():
        ours = evaluate_scalar(after[name], np.array([to(t) for t in times]), loop)
        assert np.allclose(ours, evaluate_scalar(track, times, loop), atol=1e-6), name


@pytest.mark.parametrize("seconds", [0.4, 1.1, -0.3])
def test_cyclic_shift_moves_every_mark_and_curve_round_the_seam(clip: Clip, seconds: float) -> None:
    def to(time: float) -> float:
        return (time - seconds) % LENGTH

    done = cycled(clip, seconds)
    assert marks(done) == moved(clip, to)
    assert {n.name: n.duration for n in done.notifies} == {"early": 0.125, "late": 0.0}
    assert contact_names(done) == ("contact_left_foot",)
    same_curves(clip, done, to, LENGTH)


@pytest.mark.parametrize(("factor", "offset"), [(2.0, 0.0), (0.5, 0.0), (1.0, 0.25), (1.5, -0.5)])
def test_retiming_moves_every_mark_and_curve(clip: Clip, factor: float, offset: float) -> None:
    def to(time: float) -> float:
        return time * factor + offset

    done = edits.retimed(clip, factor, offset)
    assert marks(done) == moved(clip, to)
    assert [n.duration for n in done.notifies] == [0.125 * factor, 0.0]
    assert done.length == LENGTH * factor
    same_curves(clip, done, to)


def test_reversing_turns_every_mark_and_curve_round(clip: Clip) -> None:
    open_end = edits.with_looping(clip, False)
    done = edits.reversed_clip(open_end)

    def to(time: float) -> float:
        return LENGTH - time

    wanted = moved(open_end, to)
    wanted["notify"] = [("late", 0.25), ("early", LENGTH - 0.25 - 0.125)]  # a span ends where it began
    assert marks(done) == wanted
    assert np.allclose(contact_spans(done, "contact_left_foot"), [(1.0, 1.5)])
    same_curves(open_end, done, to)


def test_reversing_a_loop_turns_its_contacts_round(clip: Clip) -> None:
    done = edits.reversed_clip(with_contacts(clip, "contact_left_foot", [(0.0, 0.5), (1.5, 2.0)]))
    assert np.allclose(contact_spans(done, "contact_left_foot"), [(0.0, 0.5), (1.5, 2.0)])
    assert contact_names(done) == ("contact_left_foot",)


def test_trimming_keeps_what_is_inside_and_moves_it(clip: Clip) -> None:
    done = edits.trimmed(clip, 0.45, 1.55)
    assert marks(done) == {
        "notify": [],
        "sync": [("left", 0.05), ("right", 1.05)],
        "marker": [("note", 0.55)],
    }
    assert np.allclose(contact_spans(done, "contact_left_foot"), [(0.05, 0.55)])
    times = np.linspace(0.46, 1.54, 20)
    for name, track in columns(clip).items():
        ours = evaluate_scalar(columns(done)[name], times - 0.45)
        assert np.allclose(ours, evaluate_scalar(track, times), atol=1e-6), name


def test_another_rate_keeps_seconds_or_frames_of_every_mark(clip: Clip) -> None:
    slower = edits.with_rate(clip, FrameRate.of(15), KeepTime.FRAMES)
    assert marks(slower) == moved(clip, lambda time: 2.0 * time)
    assert contact_spans(slower, "contact_left_foot") == ((1.0, 2.0),)
    assert marks(edits.with_rate(clip, FrameRate.of(15), KeepTime.SECONDS)) == marks(clip)


@pytest.mark.parametrize(
    "edit",
    [
        lambda c: edits.with_length(c, 3.0),
        lambda c: edits.with_looping(c, False),
        lambda c: edits.renamed(c, "run"),
        lambda c: edits.duplicated(c, ["walk"]),
    ],
    ids=["length", "looping", "renamed", "duplicated"],
)
def test_edits_of_a_setting_leave_marks_contacts_and_curves_alone(clip: Clip, edit) -> None:
    done = edit(clip)
    assert marks(done) == marks(clip)
    assert contact_spans(done, "contact_left_foot") == contact_spans(clip, "contact_left_foot")
    assert columns(done).keys() == columns(clip).keys()
    assert all(np.array_equal(t.times, columns(done)[n].times) for n, t in columns(clip).items())
