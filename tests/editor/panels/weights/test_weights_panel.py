"""Sliders of morphs and named curves by mouse and keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from core.rig.mesh import MorphTarget
from editor.model.autokey import KeyState
from editor.model.channels import curve_channel, morph_channel
from editor.panels.timeline.panel import PANEL as TIMELINE
from editor.panels.weights.panel import PANEL
from tests.editor.panel_stage import Stage, small_session
from tests.editor.user import CTRL, RIGHT, User

SMILE, FROWN = morph_channel("body/smile"), morph_channel("body/frown")


def with_morphs():
    """The small character, whose mesh has two morphs that no clip holds."""
    session = small_session()
    project = session.document.project
    mesh = project.meshes_of(session.rig.id)[0]
    offsets = np.zeros_like(mesh.positions)
    offsets[:, 1] = 0.1
    morphs = (MorphTarget("smile", offsets), MorphTarget("frown", -offsets, default_weight=0.25))
    made = replace(mesh, name="body", morphs=morphs)
    session.document.replace(project.with_assets(made), None)
    session.clips.new()
    return session


class Scene:
    def __init__(self, qapp, session) -> None:
        self.stage = Stage(qapp, session)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.timeline = self.stage.add(TIMELINE.create(self.stage.context), time=True)
        self.stage.show(700, 420)
        self.user = User(self.stage.window)
        self.session = session

    def morph(self, channel):
        return self.session.clip.morphs.get(channel.bone)


@pytest.fixture
def scene(qapp):
    made = Scene(qapp, with_morphs())
    yield made
    made.stage.close(qapp)


def slide(scene, name: str, start: float, end: float, **how) -> None:
    slider = scene.user.find(f"weight_{name}")
    width = slider.width() - 12
    scene.user.drag(
        slider, (6 + start * width, slider.height() / 2), (6 + end * width, slider.height() / 2), **how
    )


def test_fresh_clip_has_a_slider_for_every_morph_at_its_default(scene):
    rows = scene.panel.model.rows()
    assert [(r.channel, r.value, r.state) for r in rows] == [
        (SMILE, 0.0, KeyState.NONE), (FROWN, 0.25, KeyState.NONE)
    ]  # fmt: skip


def test_slider_dragged_keys_the_morph_in_one_step_and_starts_its_lane(scene):
    session = scene.session
    session.playback.seek(0.5)
    before, seen = session.clip, []
    slide(
        scene,
        "body/smile",
        0.0,
        0.6,
        during=lambda: seen.append(session.evaluator.pose().morphs["body/smile"]),
    )
    assert seen[0] == pytest.approx(0.6, abs=0.05)  # shown while it is dragged
    track = scene.morph(SMILE)
    assert track.times.tolist() == [0.5] and track.values[0] == pytest.approx(seen[0])
    assert session.history.labels[-1].startswith("Set body/smile 0.")
    rows = [row.key for row in scene.timeline.model.rows.all()]
    assert ("", "morphs") in rows
    scene.user.press("Ctrl+Z")
    assert session.clip is before and session.keying.weight(SMILE) == 0.0
    scene.user.press("Ctrl+Shift+Z")
    assert scene.morph(SMILE) is not None


def test_slider_given_up_with_escape_leaves_nothing(scene):
    before = scene.session.clip
    slide(scene, "body/smile", 0.0, 0.6, during=lambda: scene.user.press("Esc"))
    assert scene.session.clip is before and not scene.session.preview.active
    assert scene.session.keying.weight(SMILE) == 0.0


def test_value_typed_is_kept_exactly(scene):
    scene.user.type_into("value.body/frown", "1.375")
    assert scene.morph(FROWN).values.tolist() == [1.375]


def test_a_slider_stands_where_its_number_is(scene):
    slider = scene.user.find("weight_body/frown")
    assert slider.value() == 25
    for text, place in (("0.7", 70), ("0.06", 6), ("1.375", 100)):
        scene.user.type_into("value.body/frown", text)
        assert slider.value() == place
        scene.user.press("Ctrl+Z")
        assert slider.value() == 25


def test_without_auto_key_a_slider_is_pending_until_s_keys_it(scene):
    session = scene.session
    session.keying.auto = False
    slide(scene, "body/smile", 0.0, 0.5)
    assert scene.morph(SMILE) is None and session.keying.weight_state(SMILE) is KeyState.PENDING
    value = session.keying.weight(SMILE)
    assert value == pytest.approx(0.5, abs=0.05)
    session.playback.seek(0.5)
    assert session.keying.weight(SMILE) == value
    scene.user.press("S")
    assert scene.morph(SMILE).times.tolist() == [0.5] and scene.morph(SMILE).values.tolist() == [value]
    assert not session.pending


def test_pending_slider_is_dropped_with_the_pose(scene):
    session = scene.session
    session.keying.auto = False
    slide(scene, "body/smile", 0.0, 0.5)
    assert session.keying.drop_pending() and session.keying.weight(SMILE) == 0.0


def test_s_keys_the_selected_sliders_as_they_are(scene):
    user, session = scene.user, scene.session
    row = scene.panel._rows[SMILE]
    user.click(row.title)
    user.press("S")
    assert scene.morph(SMILE).values.tolist() == [0.0] and scene.morph(FROWN) is None
    assert not session.clip.tracks  # no bone was selected, and none is keyed
    user.click(scene.panel._rows[FROWN].title, modifiers=CTRL)
    session.playback.seek(0.4)
    user.press("S")
    assert scene.morph(FROWN).values.tolist() == [0.25] and len(scene.morph(SMILE)) == 2
    user.press("Alt+I")
    assert scene.morph(FROWN) is None and len(scene.morph(SMILE)) == 1


def test_shift_s_keys_morphs_with_the_rig(scene):
    scene.user.press("Shift+S")
    assert set(scene.session.clip.morphs) == {"body/smile", "body/frown"}
    assert {c.bone for c in scene.session.clip.tracks} == set(scene.session.rig.skeleton.names)


def test_selected_slider_has_its_row_beside_the_selected_bones(scene):
    session = scene.session
    scene.user.type_into("value.body/smile", "1")
    scene.user.type_into("value.body/frown", "1")
    session.selection.select(["head"])
    session.selection.select_weights((FROWN,))
    scene.user.settle()
    assert [r.key for r in scene.timeline.model.rows.all()][-2:] == [
        ("", "morphs"),
        ("", "morphs", "body/frown"),
    ]


def test_named_curve_added_renamed_and_cleared(scene):
    user, session = scene.user, scene.session
    scene.stage.actions.run("weights.add_curve")
    user.settle()
    user.type("wind")
    user.press("Return")
    wind = curve_channel("wind")
    assert list(session.clip.curves) == ["wind"] and session.selection.weights == (wind,)
    slide(scene, "wind", 0.0, 1.0)
    assert session.clip.curves["wind"].values.tolist() == [1.0]
    assert session.evaluator.pose().curves["wind"] == 1.0
    assert not scene.panel.model.rename_curve(wind, " ") and "name" in session.messages.latest.text
    scene.panel.model.clear(wind)
    assert not session.clip.curves


def test_a_new_curve_is_seen_whatever_was_searched_for(scene):
    scene.panel.search.setText("smi")
    scene.user.settle()
    scene.panel.add_curve()
    scene.user.settle()
    assert scene.panel.search.text() == "" and len(scene.panel._rows) == 3


def test_contacts_have_lanes_and_no_sliders(scene):
    scene.stage.actions.run("events.add_contact_left_foot")
    scene.user.settle()
    assert list(scene.session.clip.curves) == ["contact_left_foot"]
    assert [r.name for r in scene.panel.model.rows()] == ["smile", "frown"]


def test_curve_of_another_clip_can_be_started_here(scene):
    session = scene.session
    scene.panel.model.add_curve("wind")
    session.clips.new()
    scene.user.settle()
    assert [r.name for r in scene.panel.model.rows()] == ["smile", "frown", "wind"]
    scene.user.type_into("value.wind", "0.5")
    assert session.clip.curves["wind"].values.tolist() == [0.5]


def test_empty_project_says_what_is_missing_and_closing_leaves_nothing(qapp):
    from editor.model.session import Session

    stage = Stage(qapp, Session.create())
    before = len(stage.session.selection.weights_changed)
    panel = stage.add(PANEL.create(stage.context))
    stage.show(300, 240)
    User(stage.window).settle()
    assert "No character" in panel.empty._text.text()
    stage.remove(panel) if hasattr(stage, "remove") else None
    stage.close(qapp)
    assert len(stage.session.selection.weights_changed) <= before + 1


def choose(scene, channel, entry: str) -> None:
    scene.user.click(scene.panel._rows[channel].title, button=RIGHT)
    scene.user.choose_in_popup(entry)
    scene.user.settle()


def test_entries_of_the_menu_of_a_weight_do_what_they_say_to_that_weight(scene):
    session = scene.session
    session.selection.select_weights((FROWN,))
    choose(scene, SMILE, "Set key")
    assert scene.morph(SMILE).values.tolist() == [0.0] and scene.morph(FROWN) is None
    assert session.selection.weights == (SMILE,)
    choose(scene, SMILE, "Delete key")
    assert scene.morph(SMILE) is None
    scene.user.type_into("value.body/frown", "0.75")
    session.playback.seek(0.5)
    choose(scene, FROWN, "Set to 0")
    assert scene.morph(FROWN).values.tolist() == [0.75, 0.0]
    session.playback.seek(0.25)
    scene.user.settle()
    choose(scene, FROWN, "Delete all its keys")
    assert scene.morph(FROWN) is None
    scene.user.press("Ctrl+Z")
    assert len(scene.morph(FROWN)) == 2


def test_a_click_beside_the_handle_of_a_slider_keys_its_value_at_once(scene):
    slider = scene.user.find("weight_body/smile")
    scene.user.click(slider, (slider.width() * 0.8, slider.height() / 2))
    value = scene.session.keying.weight(SMILE)
    assert value > 0.0 and scene.morph(SMILE).values.tolist() == [value]
    assert scene.user.find("value.body/smile").value == pytest.approx(value)


def test_a_double_click_on_a_curve_renames_it_and_headings_part_morphs_and_curves(scene):
    scene.panel.model.add_curve("wind")
    scene.user.settle()
    wind = curve_channel("wind")
    scene.user.click(scene.panel._rows[wind].title, double=True)
    scene.user.press("Ctrl+A")
    scene.user.type("gust")
    scene.user.press("Return")
    assert list(scene.session.clip.curves) == ["gust"]
    words = [
        part.text()
        for part in scene.panel.findChildren(QLabel)
        if part.text() in ("Curves", "Morphs", "body")
    ]
    assert words.count("Curves") == 1 and words[-1] == "Curves" and len(words) == 2


def test_the_search_stays_in_sight_until_it_is_cleared_however_few_it_finds(scene, monkeypatch):
    monkeypatch.setattr("editor.panels.weights.widget.MANY", 1)
    panel = scene.panel
    panel.refresh()
    assert not panel.search.isHidden()
    panel.search.setText("smi")
    assert [row.channel for row in panel.model.rows("smi")] == [SMILE] and not panel.search.isHidden()
    monkeypatch.setattr("editor.panels.weights.widget.MANY", 8)
    panel.search.setText("")
    assert panel.search.isHidden()
