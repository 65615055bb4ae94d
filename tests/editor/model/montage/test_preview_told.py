"""A montage tried out: what is told and when, what it plays over, where it stands after edits, and the clock."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Additive, AdditiveSpace
from core.graph.montage_preview import MontagePlayer
from core.ids import AssetId
from editor.model.montage.preview import FLASH, LONGEST_STEP, MontagePreview, _plays_alike
from tests.editor.tools.montage.scene import KICK, SWING, Scene

TOLD = ("changed", "moved", "state_changed")


@pytest.fixture
def scene():
    made = Scene()
    made.told = dict.fromkeys(TOLD, 0)
    for name in TOLD:
        getattr(made.preview, name).connect(
            lambda _, name=name: made.told.update({name: made.told[name] + 1})
        )
    yield made
    made.preview.stop()
    made.session.close()


@pytest.fixture
def preview(scene) -> MontagePreview:
    return scene.preview


def told(scene: Scene) -> tuple[int, int, int]:
    """How often each of `TOLD` was emitted since the last call."""
    found = tuple(scene.told[name] for name in TOLD)
    scene.told.update(dict.fromkeys(TOLD, 0))
    return found


def change(scene: Scene, **values: object) -> None:
    scene.montages.put("change", replace(scene.now, **values))


def swing_alone(scene: Scene) -> dict[str, object]:
    """Tracks and sections without the second clip."""
    track, section = scene.now.tracks[0], scene.now.sections[0]
    return {
        "tracks": (replace(track, segments=track.segments[:1]),),
        "sections": (replace(section, next=""),),
    }


# ---------------------------------------------------------------- at first
def test_at_first_nothing_is_shown(scene, preview) -> None:
    assert (preview.position, preview.weight, preview.looped, preview.title) == (0.0, 0.0, "", "combo")
    assert (
        preview.pose() is None and np.array_equal(preview.world(), np.eye(4)) and preview.flash("hit") == 0.0
    )
    assert not preview.on and not preview.running and preview.detail == "swing"
    preview.advance(1.0)
    assert not preview.tick(1.0) and told(scene) == (0, 0, 0)


def test_without_a_montage_it_says_so(scene, preview) -> None:
    scene.montages.delete()
    told(scene)
    preview.seek(1.0)
    assert scene.said == [] and preview.title == "" and preview.detail == "" and preview.base is None
    assert not preview.play() and not preview.play_from_here()
    assert scene.said == ["The montage cannot be shown: there is no montage"] * 2
    assert not preview.on and preview.problem == "there is no montage"
    preview.toggle()
    assert len(scene.said) == 3 and not preview.on


# ---------------------------------------------------------------- standing
@pytest.mark.parametrize(
    ("time", "position", "section"),
    [(-1.0, 0.0, "swing"), (0.7, 0.7, "swing"), (2.0, 2.0, "kick"), (9.0, 3.0, "kick")],
)
def test_it_stands_within_the_montage_at_full_weight(scene, preview, time, position, section) -> None:
    preview.seek(time)
    assert (preview.position, preview.weight, preview.detail) == (position, 1.0, section)
    assert preview.on and not preview.running and told(scene) == (1, 1, 1)
    preview.seek(time)
    assert told(scene) == (1, 1, 0)


def test_to_scrub_what_plays_pauses_it(scene, preview) -> None:
    preview.play()
    told(scene)
    preview.seek(0.5)
    assert not preview.running and told(scene) == (1, 1, 1)


def test_the_clip_stands_while_it_is_shown(scene, preview) -> None:
    scene.session.playback.play()
    preview.seek(0.5)
    assert preview.on and not scene.session.playback.playing


# ---------------------------------------------------------------- playing
def test_to_play_is_told_and_begins_at_the_start(scene, preview) -> None:
    preview.seek(1.0)
    told(scene)
    assert preview.play() and preview.running and preview.position == 0.0 and preview.looped == ""
    assert told(scene) == (1, 0, 1) and preview.detail == "swing  0%"


def test_a_section_is_played_over_and_over(preview) -> None:
    assert preview.play("kick", loop=True) and preview.looped == "kick" and preview.position == 2.0
    for _ in range(12):
        preview.advance(0.125)
    assert preview.running and 2.0 <= preview.position < 3.0
    preview.play("kick")
    assert preview.looped == "", "played once"


def test_a_section_that_is_not_there_is_the_beginning_and_does_not_loop(preview) -> None:
    assert preview.play("nowhere", loop=True) and preview.looped == "" and preview.position == 0.0


def test_it_is_played_from_where_the_playhead_is(preview) -> None:
    preview.seek(2.5)
    assert preview.play_from_here() and preview.position == 2.5 and preview.detail == "kick  0%"
    preview._position = 9.0
    assert preview.play_from_here() and preview.position <= 3.0


def test_at_its_end_it_stands_where_it_began(scene, preview) -> None:
    preview.seek(2.5)
    preview.play_from_here()
    told(scene)
    for _ in range(40):
        preview.advance(1.0 / 32.0)
        if not preview.running:
            break
    assert not preview.running and preview.position == 2.5 and preview.on
    assert scene.told["state_changed"] == 1 and scene.told["changed"] == scene.told["moved"]
    preview.advance(1.0)
    assert preview.position == 2.5


def test_the_button_plays_from_here_pauses_and_at_the_end_plays_all(preview) -> None:
    preview.seek(1.0)
    preview.toggle()
    assert preview.running and preview.position == 1.0
    preview.toggle()
    assert not preview.running and preview.on
    preview.seek(3.0 - 1e-7)
    preview.toggle()
    assert preview.running and preview.position == 0.0
    preview.seek(3.0 - 1e-5)
    preview.toggle()
    assert preview.running and preview.position == pytest.approx(3.0 - 1e-5)


def test_the_clock_counts_from_its_first_look_at_the_speed_of_the_clip(scene, preview) -> None:
    scene.session.playback.speed = 0.5
    preview.play()
    assert not preview.tick(10.0)
    assert preview.tick(10.05) and preview.position == pytest.approx(0.025)
    assert preview.tick(20.0) and preview.position == pytest.approx(0.025 + 0.5 * LONGEST_STEP)
    preview.pause()
    assert not preview.tick(20.05)
    preview.play_from_here()
    assert not preview.tick(20.1) and preview.tick(20.15)


def test_what_passed_before_it_plays_again_does_not_count(preview) -> None:
    preview.play()
    preview.tick(10.0)
    preview.play()
    assert not preview.tick(10.05) and preview.position == 0.0


def test_a_notify_fades_by_the_clock_of_what_plays(preview) -> None:
    preview.play()
    for _ in range(7):
        preview.advance(0.0625)
    first = preview.flash("hit")
    assert 0.0 < first <= 1.0
    preview.advance(FLASH / 7.0)
    assert preview.flash("hit") == pytest.approx(first - 1.0 / 7.0)
    preview.play()
    assert preview.flash("hit") == 0.0, "nothing has fired yet"


# ---------------------------------------------------------------- what it plays over
def test_it_plays_over_the_clip_of_its_rig_unless_that_is_additive(scene, preview) -> None:
    assert preview.base == SWING
    scene.session.playback.set_clip(KICK)
    assert preview.base == KICK
    scene.session.edits.put("additive", replace(scene.clip(KICK), additive=Additive(AdditiveSpace.LOCAL)))
    assert preview.base is None
    scene.session.playback.set_clip(None, scene.now.rig)
    assert preview.base is None


def test_over_the_rest_pose_is_told_once(scene, preview) -> None:
    preview.over_rest = True
    assert preview.over_rest and preview.base is None and told(scene) == (0, 0, 1)
    preview.over_rest = True
    assert told(scene) == (0, 0, 0)
    preview.over_rest = False
    preview.seek(0.5)
    told(scene)
    preview.over_rest = True
    assert told(scene) == (1, 1, 2) and preview.position == 0.5


def test_the_character_walks_unless_it_plays_in_place(scene, preview) -> None:
    preview.seek(1.0)
    place = preview._stands.translation + np.array([1.0, 0.0, 2.0])
    preview._stands = preview._stands._replace(translation=place)
    scene.session.playback.in_place = False
    assert np.allclose(preview.world()[:3, 3], place)
    scene.session.playback.in_place = True
    assert np.array_equal(preview.world(), np.eye(4))


# ---------------------------------------------------------------- edits meanwhile
def test_edits_of_what_is_not_shown_are_not_told(scene, preview) -> None:
    change(scene, name="other")
    assert told(scene) == (0, 0, 0) and not preview.on


def test_an_edit_while_it_plays_goes_on_from_the_position(scene, preview) -> None:
    preview.play("kick", loop=True)
    preview.advance(0.25)
    told(scene)
    change(scene, sync_group="legs")
    assert preview.running and preview.position == pytest.approx(2.25) and preview.looped == "kick"
    assert told(scene) == (2, 1, 2)


def test_an_edit_while_it_stands_shows_it_there(scene, preview) -> None:
    preview.seek(2.75)
    told(scene)
    change(scene, **swing_alone(scene))
    assert preview.position == 2.0 and preview.on and told(scene) == (1, 1, 1)


def test_a_drag_that_does_not_show_makes_no_other_character(scene, preview) -> None:
    preview.seek(1.0)
    stand = preview._stand
    scene.montages.preview(replace(scene.now, notifies=scene.now.notifies[:1]))
    assert preview._stand is stand and preview._made_of[0] is scene.montages.current
    scene.montages.preview(replace(scene.now, root_motion=not scene.now.root_motion))
    assert preview._stand is not stand


def test_a_drag_that_does_not_show_is_played_by_another_player(scene, preview) -> None:
    preview.play()
    player = preview._player
    assert isinstance(player, MontagePlayer)
    preview.play()
    assert preview._player is player
    scene.montages.preview(replace(scene.now, notifies=scene.now.notifies[:1]))
    assert preview._player is not player and preview.running


@pytest.mark.parametrize(
    ("values", "alike"),
    [
        ({}, True), ({"name": "other"}, True), ({"sync_group": "x"}, True), ({"group": "Other"}, False),
        ({"id": AssetId("other")}, False), ({"root_motion": False}, False), ({"tracks": ()}, False),
        ({"curves": {}}, False),
    ],
)  # fmt: skip
def test_which_changes_show_where_it_stands(scene, values, alike) -> None:
    assert scene.now.root_motion
    assert _plays_alike(replace(scene.now, **values), scene.now) is alike
    assert not _plays_alike(scene.now, None)


def test_with_faults_it_stops_and_the_last_good_one_stays(scene, preview) -> None:
    preview.play()
    preview.advance(0.25)
    pose = preview.pose()
    told(scene)
    track = scene.now.tracks[0]
    segments = (replace(track.segments[0], clip=AssetId("clip-stranger")), *track.segments[1:])
    change(scene, tracks=(replace(track, segments=segments),))
    assert preview.on and not preview.running and preview.pose() is pose and told(scene) == (0, 0, 1)
    assert "stranger" in preview.problem
    assert not preview.play() and scene.said[-1] == f"The montage cannot be shown: {preview.problem}"
    scene.session.undo()
    assert preview.play() and preview.problem == ""


def test_the_montage_that_is_gone_ends_it(scene, preview) -> None:
    preview.seek(1.0)
    scene.montages.delete()
    assert not preview.on


def test_another_montage_is_shown_within_its_length(scene, preview) -> None:
    preview.seek(2.75)
    other = replace(scene.now, id=AssetId("montage-2"), name="short", **swing_alone(scene))
    scene.session.edits.put("other", other)
    scene.montages.open(other.id)
    assert preview.title == "short" and preview.position == 2.0 and preview.on
