"""A person makes, arranges, plays and undoes montages by mouse and by keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QToolButton, QWidget

from core.arrays import same_value
from core.clips.sample import sample_many
from core.graph import montage_edits as edits
from core.graph.montage import Montage, Section
from core.graph.montage_problems import Part
from core.ids import AssetId
from core.io import load
from editor.model.display.override import DisplayLevel
from editor.model.drag_kinds import CLIP
from editor.model.graph.editor import GraphEditor
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.model.montage.rows import HEAD, RULER, RowKind
from editor.model.montage.shown import Grip
from editor.model.opening import sample_path
from tests.editor.stage import RIG, TURN, WALK, small_project, stage, with_view
from tests.editor.user import RIGHT, SHIFT


def combo() -> Montage:
    """Two clips in two sections: walk 0–1 s, turn 1–1.5 s."""
    project = small_project()
    clips = [project.assets[WALK], project.assets[TURN]]
    made = edits.new_montage(AssetId("montage-combo"), "combo", RIG, clips)
    assert [s.name for s in made.sections] == ["walk", "turn"]
    return made


@pytest.fixture
def here(qapp, request):
    project = small_project().with_assets(combo())
    with stage(qapp, *with_view(request, "clips", "montage"), project=lambda: project) as made:
        made.window.resize(1280, 720)
        made.window.show_panel("montage")
        panel(made).setMinimumHeight(300)
        made.user.settle()
        yield made
        made.session.feature(MontagePreview).stop()


def panel(here):
    return here.window.findChild(QWidget, "montagePanel")


def shown(here):
    return panel(here).model.shown


def now(here) -> Montage:
    return here.session.feature(Montages).require()


def at(here, time: float, kind=RowKind.TRACK, name=None) -> tuple[int, int]:
    """A place in a row at a time."""
    row = next(r for r in shown(here).rows() if r.kind is kind and name in (None, r.name))
    return round(shown(here).x(time)), round(shown(here).top(row) + row.height / 2)


def head(here, time: float, links=False) -> tuple[int, int]:
    return round(shown(here).x(time)), round(RULER + (30 if links else 10))


def frame(here, time: float) -> float:
    return shown(here).rate.snap(time)


def drop(here, clip, place):
    """What Qt sends when a row of the clip list is dragged over and let go."""
    data = QMimeData()
    data.setData(CLIP, clip.encode())
    canvas = here.user.find("montageCanvas")
    left, copy, none = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    spot = QPointF(*place)
    for event in (
        QDragEnterEvent(spot.toPoint(), copy, data, left, none),
        QDragMoveEvent(spot.toPoint(), copy, data, left, none),
        QDropEvent(spot, copy, data, left, none),
    ):
        here.app.sendEvent(canvas, event)
    here.user.settle()


def test_a_segment_is_dragged_trimmed_and_undone_exactly(here):
    user, before = here.user, here.session.document.project
    user.drag("montageCanvas", at(here, 1.2), at(here, 1.7))
    assert [round(s.place, 6) for s in now(here).tracks[0].segments] == [0.0, 1.5]
    user.drag("montageCanvas", at(here, 0.995), at(here, 0.6))
    trimmed = now(here).tracks[0].segments[0]
    assert trimmed.end == pytest.approx(frame(here, 0.6), abs=0.034)
    assert here.session.history.labels[-2:] == ("Move turn", "Trim walk")
    here.session.undo()
    here.session.undo()
    assert same_value(here.session.document.project, before)


def test_escape_takes_a_drag_back(here):
    user, before = here.user, now(here)
    user.drag("montageCanvas", at(here, 1.2), at(here, 1.9), release=False)
    assert here.session.feature(Montages).current.tracks[0].segments[1].place > 1.2
    user.press("Esc")
    assert here.session.feature(Montages).current is before
    user.release_mouse(at(here, 1.9))
    assert now(here) is before


def test_the_right_button_takes_a_drag_back(here):
    user, before, there = here.user, now(here), at(here, 1.35)
    user.drag("montageCanvas", at(here, 1.2), there, release=False)
    user.press_mouse("montageCanvas", there, RIGHT)
    assert here.session.feature(Montages).current is before
    user.release_mouse(there, RIGHT)
    user.release_mouse(there)
    assert now(here) is before and here.session.history.position == 0


def test_a_clip_dragged_in_lands_where_it_is_dropped(here):
    drop(here, WALK, at(here, 1.5))
    segments = now(here).tracks[0].segments
    assert [s.clip for s in segments] == [WALK, TURN, WALK]
    assert segments[2].place == pytest.approx(1.5, abs=1e-6)
    drop(here, "clip-gone", at(here, 1.0))
    assert len(now(here).tracks[0].segments) == 3


def test_a_section_is_added_named_linked_by_a_drag_looped_and_deleted(here):
    user = here.user
    user.click("montageCanvas", (round(shown(here).x(0.5)), 6))  # scrub there
    user.press("M", "montageCanvas")
    user.type_into("montageName", "swing")
    assert [s.name for s in now(here).sections] == ["walk", "swing", "turn"]
    assert [s.next for s in now(here).sections] == ["swing", "turn", ""]
    user.drag("montageCanvas", head(here, 1.45, links=True), head(here, 0.2))
    assert now(here).sections[2].next == "walk"
    user.drag("montageCanvas", head(here, 1.45, links=True), (round(shown(here).x(1.4)), round(HEAD + 80)))
    assert now(here).sections[2].next == ""
    user.click("montageCanvas", head(here, 0.7))
    assert here.session.feature(Montages).picked == (Item(Part.SECTION, 1),)
    user.press("L", "montageCanvas")
    assert now(here).sections[1].next == "swing"
    user.press("L", "montageCanvas")
    assert now(here).sections[1].next == "turn"
    user.drag("montageCanvas", head(here, 0.7), head(here, 0.8))
    assert now(here).sections[1].start == pytest.approx(frame(here, 0.6), abs=0.035)
    user.press("Del", "montageCanvas")
    assert [(s.name, s.next) for s in now(here).sections] == [("walk", "turn"), ("turn", "")]


def test_the_section_that_a_link_would_lead_to_lights_up(here):
    left, top, right, _ = shown(here).section_box(0)
    x, y = round((left + right) / 2), round(top + 3)

    def tint():
        return here.user.picture("montageCanvas")[y, x, :3].astype(int)

    seen = [tint()]
    here.user.drag(
        "montageCanvas", head(here, 1.45, links=True), head(here, 0.2), during=lambda: seen.append(tint())
    )
    assert np.abs(seen[1] - seen[0]).max() > 10
    assert np.array_equal(tint(), seen[0])


def test_blend_ramps_and_trigger_are_dragged(here):
    user, montage = here.user, now(here)
    into, out, gone = shown(here).blend_xs()
    row = next(r for r in shown(here).rows() if r.kind is RowKind.BLEND)
    y = round(shown(here).top(row) + 6)
    canvas = user.find("montageCanvas")
    for x, grip, words in (
        (into, Grip.BLEND_IN, "Drag: how long it blends in"),
        (out, Grip.RAMP, "Drag: blends out from here to the end"),
        (gone, Grip.BLEND_OUT, "Drag: how long it blends out"),
    ):
        height = next(h for h in range(canvas.height()) if shown(here).hit(x, h).grip is grip)
        user.move(canvas, (round(x), height + 2))
        assert canvas.toolTip() == words
    user.drag("montageCanvas", (round(into), y), (round(shown(here).x(0.5)), y))
    assert now(here).blend_in.seconds == pytest.approx(0.5, abs=0.035)
    user.drag("montageCanvas", (round(out), y), (round(shown(here).x(1.1)), y))
    assert now(here).blend_out.seconds == pytest.approx(0.4, abs=0.035)
    assert now(here).blend_out_trigger == -1.0
    x = round(shown(here).blend_xs()[1])
    user.drag("montageCanvas", (x, 16), (round(shown(here).x(0.8)), 16))
    assert now(here).blend_out_trigger == pytest.approx(0.7, abs=0.035)
    user.click("montageCanvas", (round(shown(here).blend_xs()[1]), 16), double=True)
    assert now(here).blend_out_trigger == -1.0
    for _ in range(4):
        here.session.undo()
    assert same_value(now(here), montage)


@pytest.mark.view
def test_play_shows_the_montage_over_the_clip_and_a_looped_section_repeats(here):
    user, preview = here.user, here.session.feature(MontagePreview)
    user.click("montageCanvas", head(here, 0.3))
    assert preview.on and here.session.display.has(DisplayLevel.SOURCE)
    assert [o.title for o in here.session.display.shown] == ["combo"]
    user.click("montageLoop")
    assert preview.running and preview.looped == "walk"
    for _ in range(70):
        preview.advance(0.05)
        assert preview.position <= 1.0 + 1e-9
    assert preview.running
    user.click("montagePlay")
    assert not preview.running
    user.press("Esc", "montageCanvas")
    assert not preview.on and here.session.display.shown == ()


@pytest.mark.view
def test_playing_follows_the_chain_and_ends_by_itself(here, monkeypatch):
    preview = here.session.feature(MontagePreview)
    # time goes on by hand, however slow the machine is
    monkeypatch.setattr(preview, "tick", lambda now: False)
    here.user.press("P", "montageCanvas")
    seen = []
    for _ in range(60):
        if not preview.running:
            break
        preview.advance(0.05)
        seen.append(preview.position)
    assert not preview.running and max(seen) > 1.2
    assert preview.weight == 0.0 and preview.on  # it has faded out; the clip is what is left


def test_scrubbing_shows_the_clips_pose_at_full_weight(here):
    preview = here.session.feature(MontagePreview)
    here.user.drag("montageCanvas", (round(shown(here).x(0.2)), 6), (round(shown(here).x(0.5)), 6))
    project = here.session.document.project
    wanted = sample_many(project.rigs[0], project.assets[WALK], [preview.position])
    assert preview.position == pytest.approx(0.5, abs=0.02)
    assert np.allclose(preview.pose().rotations, wanted.local.rotation[0], atol=1e-12)


def test_notifies_are_added_named_dragged_between_lanes_trimmed_and_copied(here):
    user = here.user
    user.click("montageCanvas", at(here, 0.2, RowKind.NOTIFIES), double=True)
    user.type_into("montageName", "hit")
    assert [(n.name, n.duration) for n in now(here).notifies] == [("hit", 0.0)]
    here.session.feature(MontagePreview).seek(0.6)
    panel(here).model.verbs.add_notify("trail", duration=0.3, lane="Sounds")
    user.settle()
    x, y = at(here, 0.895, RowKind.NOTIFIES, "Sounds")
    user.click("montageCanvas", (x, y), double=True)
    assert user.find("montageName").text() == "trail", "its end is a part of it"
    user.press("Esc")
    user.drag("montageCanvas", (x, y), (round(shown(here).x(1.2)), y))
    trail = next(n for n in now(here).notifies if n.name == "trail")
    assert trail.time == pytest.approx(0.6) and trail.duration == pytest.approx(0.6, abs=0.035)
    x, y = at(here, 0.8, RowKind.NOTIFIES, "Sounds")
    user.drag("montageCanvas", (x, y), (x, at(here, 0.8, RowKind.NOTIFIES, "")[1]))
    assert {n.lane for n in now(here).notifies} == {""}
    user.press("Ctrl+D", "montageCanvas")
    assert len(now(here).notifies) == 3
    user.press("Del", "montageCanvas")
    assert len(now(here).notifies) == 2


def test_the_flag_where_it_fades_is_there_where_it_fades_by_itself(here):
    color = np.array(QColor(here.theme.tokens.preview_point).getRgb()[:3])

    def flag() -> bool:
        x = round(shown(here).blend_xs()[1])
        ruler = here.user.picture("montageCanvas")[: round(RULER), x - 6 : x + 7, :3].astype(int)
        return bool((np.abs(ruler - color).sum(axis=2) < 60).any())

    verbs, seen = panel(here).model.verbs, [flag()]
    for auto in (False, True):
        verbs.change("fades", replace(now(here), auto_blend_out=auto))
        here.user.settle()
        seen.append(flag())
    assert seen == [True, False, True]


def test_the_scroll_bar_scrolls_the_rows(here):
    here.user.find("montageCanvas").setFixedHeight(140)
    here.user.settle()
    bar = here.user.find("montageScroll")
    assert bar.maximum() > 0 and bar.isVisible()
    here.user.click(bar, (bar.width() // 2, bar.height() - 12))
    assert shown(here).scroll == bar.value() > 0


def test_the_button_of_a_track_goes_below_the_ruler_with_it(here):
    canvas = here.user.find("montageCanvas")
    canvas.setFixedHeight(140)
    here.user.settle()
    button = canvas.findChild(QToolButton, "slotPlace.0")
    assert button.isVisible()
    here.user.wheel("montageCanvas", -3, modifiers=SHIFT)
    row = next(row for row in shown(here).rows() if row.kind is RowKind.TRACK)
    assert shown(here).top(row) < HEAD - 10, "the row has gone under the ruler"
    assert not button.isVisible()


def test_a_box_selects_and_keys_walk_and_nudge(here):
    user, montages = here.user, here.session.feature(Montages)
    y = round(HEAD + 2)
    left, right = round(shown(here).x(0.5)), round(shown(here).x(1.51))
    edge = []
    user.drag(
        "montageCanvas", (right, y), (left, y + 30),
        during=lambda: edge.append(user.picture("montageCanvas")[y + 5 : y + 25, left - 8 : left + 8, :3]),
    )  # fmt: skip
    outside, inside = edge[0][:, :4].astype(int), edge[0][:, -4:].astype(int)
    assert np.abs(inside - outside).sum(axis=2).min() > 10, "a segment is tinted where the box is"
    assert set(montages.picked) == {Item(Part.SEGMENT, 0, 0), Item(Part.SEGMENT, 1, 0)}
    montages.pick()
    user.press("Tab", "montageCanvas")
    assert montages.picked == (Item(Part.SECTION, 0),)
    for _ in range(3):
        user.press("Tab", "montageCanvas")
    assert montages.picked == (Item(Part.SEGMENT, 1, 0),)
    user.press("Alt+Right", "montageCanvas")
    assert now(here).tracks[0].segments[1].place == pytest.approx(1.0 + 1 / 30)
    user.press("Ctrl+C", "montageCanvas")
    here.session.feature(MontagePreview).seek(3.0)
    user.press("Ctrl+V", "montageCanvas")
    assert len(now(here).tracks[0].segments) == 3


def test_details_change_what_is_selected(here):
    user, montages = here.user, here.session.feature(Montages)
    montages.pick(Item(Part.SEGMENT, 0, 0))
    user.settle()
    user.type_into("segmentRate", "2")
    assert now(here).tracks[0].segments[0].last == pytest.approx(0.5)
    montages.pick(Item(Part.SECTION, 1))
    user.settle()
    user.type_into("sectionName", "spin")
    assert now(here).sections[1].name == "spin"
    montages.pick()
    user.settle()
    user.type_into("montage.blend_in", "0.1")
    assert now(here).blend_in.seconds == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("field", "typed", "piece"), [("segmentBegin", "6", (0.2, 1.0)), ("segmentEnd", "15", (0.0, 0.5))]
)
def test_the_piece_of_a_clip_is_typed_in_its_frames(here, field, typed, piece):
    here.session.feature(Montages).pick(Item(Part.SEGMENT, 0, 0))
    here.user.settle()
    here.user.type_into(field, typed)
    segment = now(here).tracks[0].segments[0]
    assert (segment.begin, segment.end) == pytest.approx(piece)


def test_a_montage_of_clips_without_curves_says_so(here):
    here.session.feature(Montages).pick()
    here.user.settle()
    assert panel(here).details.findChild(QWidget, "montageCurves").text() == "none"


def test_what_is_wrong_is_told_at_its_place(here):
    montages = here.session.feature(Montages)
    montages.put("late", edits.replace(now(here), sections=(*now(here).sections, Section("late", 9.0))))
    here.user.settle()
    model = panel(here).model
    assert model.problem_of(Item(Part.SECTION, 2)).warning
    assert here.user.find("montageWrong").text() == "1 warning"
    assert "Section 'late' begins where the montage is over" in here.user.find("montageWrong").toolTip()


def test_the_slot_without_a_graph_says_so_and_nothing_changes(here):
    before = here.session.document.project
    here.user.click("slotPlace.0")
    assert here.session.document.project is before


def test_the_slot_of_the_sample_is_shown_in_its_graph(qapp):
    sample = load(sample_path()).project
    with stage(qapp, "montage", "graph", project=lambda: sample) as here:
        here.window.show_panel("montage")
        panel(here).setMinimumHeight(260)
        here.user.settle()
        here.user.click("slotPlace.0")
        canvas = here.session.feature(GraphEditor).canvas
        graph = sample.assets[canvas.state.graph]
        node = next(n for s in graph.sheets for n in s.nodes if n.id in canvas.state.selection)
        assert node.kind == "slot" and node.parameters["slot"] == "DefaultGroup.UpperBody"


def test_first_use_from_the_empty_panel(qapp):
    with stage(qapp, "clips", "montage", project=small_project) as here:
        here.window.show_panel("montage")
        here.user.settle()
        here.user.click("emptyButton")
        made = now(here)
        assert made.name == "walk" and [s.clip for s in made.tracks[0].segments] == [WALK]
        here.session.undo()
        here.user.settle()
        assert here.session.feature(Montages).committed is None
        assert here.user.visible("emptyButton")


def test_the_right_button_picks_what_it_opens_the_menu_of(here):
    montages = here.session.feature(Montages)
    here.user.click("montageCanvas", at(here, 0.3))
    here.user.settle()
    (first,) = montages.picked
    here.user.click("montageCanvas", at(here, 1.25), button=Qt.MouseButton.RightButton)
    here.user.settle()
    (second,) = montages.picked
    assert second != first
    here.user.press("Esc")
