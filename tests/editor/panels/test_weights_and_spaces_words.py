"""Sliders of weights and the list of spaces without their panels: rows, names, what is refused, and how it is told."""

from dataclasses import replace

import pytest

from core.rig.rig import VirtualBone
from core.tracks.keys import scalar_track
from editor.model.channels import curve_channel, morph_channel
from editor.panels.spaces.view_model import SpacesModel
from editor.panels.weights.view_model import Weights
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    track = scalar_track([0.0, 1.0], [0.25, 0.75])
    made.edits.put(
        "weights", replace(made.clip, curves={"blink": track, "Brow up": track}, morphs={"face/smile": track})
    )
    made.playback.seek(0.5)
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append((message.text, message.level.name)))
    yield made
    made.close()


# ------------------------------------------------------------ weights
def test_rows_have_the_name_the_mesh_and_the_value_here(session) -> None:
    model = Weights(session)
    rows = {row.channel: row for row in model.rows()}
    assert model.has_rig and set(rows) >= {curve_channel("blink"), curve_channel("Brow up")}
    assert rows[curve_channel("blink")].is_curve
    assert [row.channel.bone for row in model.rows("BL ink")] == ["blink"]
    assert [row.channel.bone for row in model.rows("up brow")] == ["Brow up"] and model.rows("blink up") == ()
    session.selection.select_weights([curve_channel("blink")])
    assert [row.channel.bone for row in model.rows() if row.selected] == ["blink"]


def test_a_curve_is_renamed_unless_the_name_is_taken_or_none(session) -> None:
    model, channel = Weights(session), curve_channel("blink")
    steps = session.history.position
    for name, told in (("blink", []), ("Brow up", [("The clip already has a curve Brow up", "ERROR")])):
        session.said.clear()
        assert not model.rename_curve(channel, name) and session.said == told
    session.said.clear()
    assert not model.rename_curve(channel, "") and session.said[0][1] == "ERROR"
    assert not model.rename_curve(curve_channel("gone"), "new") and session.history.position == steps
    assert model.rename_curve(channel, "wink")
    assert list(session.clip.curves) == ["wink", "Brow up"] and session.selection.weights == (
        curve_channel("wink"),
    )
    assert session.history.undo_label == "Rename curve blink to wink"


def test_a_curve_is_added_under_a_free_name_and_cleared(session) -> None:
    model = Weights(session)
    assert model.add_curve() == curve_channel("curve") and session.history.undo_label == "Add curve curve"
    track = session.clip.curves["curve"]
    assert track.times.tolist() == [0.5] and track.values.tolist() == [0.0]
    again = model.add_curve("blink")
    assert again.bone != "blink" and again.bone in session.clip.curves
    assert tuple(session.selection.weights) == (again,)
    assert model.clear(again) and again.bone not in session.clip.curves
    assert session.history.undo_label == f"Delete all keys of {again.bone}"
    assert not model.clear(again) and not model.clear(morph_channel("face/none"))
    assert "blink" in session.clip.curves
    assert model.clear(morph_channel("face/smile")) and not session.clip.morphs
    session.playback.set_clip(None, session.rig.id)
    session.said.clear()
    assert model.add_curve("x") is None and not model.clear(curve_channel("blink"))
    assert session.said == [("A named curve belongs to a clip: create or select a clip first", "WARNING")]
    assert not model.rename_curve(curve_channel("blink"), "y")


def test_a_slider_is_shown_kept_or_given_up(session) -> None:
    model, channel = Weights(session), curve_channel("blink")
    clip = session.clip
    session.playback.play()
    for value in (0.9, 0.1):
        model.preview(channel, value)
        shown = session.preview.clip.curves["blink"]
        assert not session.playback.playing and len(shown.times) == 3
        assert shown.values[1] == pytest.approx(value)
    assert session.clip is clip
    model.cancel()
    assert session.preview.clip is None and session.clip is clip
    model.preview(channel, 0.4)
    assert model.commit(channel, 0.4) and session.preview.clip is None
    assert session.history.undo_label == "Set blink 0.40 @ f15"
    assert session.clip.curves["blink"].values.tolist() == pytest.approx([0.25, 0.4, 0.75])
    assert model.toggle_key(channel) and len(session.clip.curves["blink"].times) == 2
    assert model.toggle_key(channel) and len(session.clip.curves["blink"].times) == 3


# ------------------------------------------------------------ spaces
def test_spaces_are_told_in_words(session) -> None:
    model = SpacesModel(session)
    session.edits.put("virtual", replace(session.rig, virtual_bones=(VirtualBone("vb", "pelvis", "foot_r"),)))
    assert model.ready and model.rows() == () and not model.can_switch and not model.switch()
    names = [title for title, _ in model.targets()]
    assert names == ["World", *session.rig.skeleton.names, "vb"] and model.targets()[0][1] == model.target
    assert model.space_text(model.target) == "World" and model.space_text("head") == "head"
    for bones, words in (([], "select a bone"), (["head"], "head"), (["head", "hand_l"], "2 bones")):
        session.selection.select(bones)
        assert model.selected() == words and model.can_switch == bool(bones)
    session.selection.select([])
    plain = model.usual()
    session.selection.select(["hand_l"])
    assert model.usual().startswith(f"{plain} (") and model.usual().endswith(")")
    assert model.usual()[len(plain) + 2 :] == model.usual()[len(plain) + 2 :].lower()


def test_a_bone_follows_another_from_here_on_and_is_baked(session) -> None:
    model = SpacesModel(session)
    session.selection.select(["hand_l", "head"])
    model.target = "head"
    assert model.switch()
    (row,) = model.rows()
    assert row.span.space == "head"
    assert row.span.bone == "hand_l" and row.span.start == pytest.approx(0.5)
    session.selection.select(["foot_r"])
    session.playback.play()
    session.playback.seek(0.1)
    model.target = "world"
    model.show(row.span)
    assert session.selection.bones == ("hand_l",) and session.playback.time == pytest.approx(0.5)
    assert not session.playback.playing and model.target == "head"
    assert model.bake(row.span) and model.rows() == ()
    session.playback.set_clip(None, session.rig.id)
    assert not model.ready and model.rows() == () and not model.switch()
    session.document.replace(type(session.document.project)({}), None)
    assert model.targets() == ()
