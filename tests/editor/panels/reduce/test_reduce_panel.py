"""A person at the panel that reduces keys: try out, compare, keep, undo, give up."""

from threading import Event

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.clips.sample import ClipEvaluator
from core.pose import kinematics
from core.tracks.keys import Interpolation, scalar_track
from editor.panels.reduce import view_model
from tests.editor.stage import WALK, small_project, stage, with_view

ARM = [Channel("arm_l", Property.ROTATE, axis) for axis in range(3)]


def captured():
    """The small project with a walk that has a key on every frame, as motion capture has."""
    project = small_project()
    walk = project.clip_named("walk")
    times = np.arange(31) / 30.0
    dense = {
        channel: scalar_track(times, 20.0 * np.sin(2.0 * times + n), interpolations=Interpolation.LINEAR)
        for n, channel in enumerate(ARM)
    }
    head = Channel("head", Property.ROTATE, 0)
    dense[head] = scalar_track(times, 5.0 * np.cos(times), interpolations=Interpolation.LINEAR)
    return project.with_assets(walk.with_tracks(dense))


@pytest.fixture
def here(qapp, request):
    with stage(
        qapp, *with_view(request, "clips", "bone_tree", "timeline", "reduce"), project=captured
    ) as made:
        made.window.actions_registry.run("clip.reduce_keys")
        wait(made)
        yield made


def panel(here):
    return here.window.docks["reduce"].body.panel


def wait(here) -> None:
    here.user.wait_until(lambda: not panel(here).model.busy and not here.session.jobs.running)
    here.user.settle()


def keys(clip) -> int:
    return sum(len(track) for track in clip.tracks.values())


def far(here, clip, other) -> float:
    """Metres between the bones of two clips at the frames, at most."""
    rig, times = here.session.rig, np.arange(31) / 30.0
    places = [
        kinematics.model_matrices(
            rig.skeleton, ClipEvaluator(rig, c).sample_many(times, wrap=False).local
        )[..., :3, 3]
        for c in (clip, other)
    ]  # fmt: skip
    return float(np.linalg.norm(places[0] - places[1], axis=-1).max())


def test_menu_tries_it_out_and_tells_keys_and_error(here):
    panel(here).model.cancel()
    here.user.choose("Clip", "Reduce keys…")
    wait(here)
    before, shown = here.clip(), here.session.evaluator.clip
    outcome = panel(here).model.outcome
    assert shown is not before and keys(shown) < keys(before)
    assert (outcome.before, outcome.after) == (keys(before), keys(shown))
    assert here.user.find("reduceCounts").whole_text() == f"{keys(before):,} → {keys(shown):,} keys"
    assert here.user.find("reduceShare").text() == f"{100 * keys(shown) / keys(before):.1f} %"
    assert far(here, before, shown) <= 1e-4 and outcome.millimetres <= 0.1
    assert not here.session.history.can_undo


def test_cancel_in_the_status_bar_ends_it_at_once_whatever_its_thread_does(here, monkeypatch):
    go, begun = Event(), Event()

    def slow(*_):
        begun.set()
        go.wait(400.0)
        raise AssertionError("nobody takes what comes of it")

    monkeypatch.setattr(view_model, "reduce_clip", slow)
    model = panel(here).model
    model.set_millimetres(0.2)
    assert begun.wait(400.0) and model.busy
    here.session.jobs.cancel(model.job)
    assert not here.session.jobs.running and not model.busy and not model.active
    assert not here.session.preview.active and not here.session.history.can_undo
    go.set()


def test_another_distance_leaves_no_job_of_the_first_behind(here, monkeypatch):
    go = Event()
    monkeypatch.setattr(view_model, "reduce_clip", lambda *_: go.wait(400.0))
    model = panel(here).model
    model.set_millimetres(0.2)
    first = model.job
    model.set_millimetres(0.3)
    assert here.session.jobs.running == (model.job,) and model.job is not first
    model.cancel()
    assert not here.session.jobs.running
    go.set()


def test_apply_is_one_step_and_undo_gives_all_keys_back(here):
    before, shown = here.clip(), here.session.evaluator.clip
    here.user.click("reduceApply")
    assert same_value(here.clip(), shown) and not here.session.preview.active
    assert here.session.history.position == 1 and "Reduce keys of walk" in here.session.history.labels[0]
    here.user.press("Ctrl+Z")
    assert same_value(here.clip(), before)
    here.user.press("Ctrl+Shift+Z")
    assert same_value(here.clip(), shown)


def test_escape_gives_it_up(here):
    before = here.clip()
    panel(here).setFocus()
    here.user.press("Esc")
    assert here.clip() is before and not here.session.preview.active and not panel(here).model.active
    assert here.user.visible("emptyButton")


@pytest.mark.view
def test_original_and_reduced_are_switched_in_view_and_curves(here):
    before, reduced = here.clip(), here.session.evaluator.clip
    here.user.click("reduceShowOriginal")
    assert here.session.evaluator.clip is before
    here.user.click("reduceShowReduced")
    assert here.session.evaluator.clip is reduced


@pytest.mark.parametrize("key", ["Return", "Enter"])
def test_larger_distance_leaves_fewer_keys(here, key):
    few = keys(here.session.evaluator.clip)
    here.user.type_into("reduceMillimetres", "5")
    wait(here)
    assert keys(here.session.evaluator.clip) < few
    panel(here).setFocus()
    here.user.press(key)
    assert keys(here.clip()) < few and here.session.history.position == 1


def test_keys_stay_where_they_are_until_another_choice_is_made(here):
    before = here.clip()
    own = {c: set(t.times) for c, t in before.tracks.items()}
    here.user.type_into("reduceMillimetres", "5")
    wait(here)
    assert all(set(t.times) <= own[c] for c, t in here.session.evaluator.clip.tracks.items())
    combo = here.user.find("reducePlaces")
    combo.setFocus()
    for _ in range(3):
        here.user.press("Down")
    wait(here)
    assert combo.currentText() == "Keep keys unchanged"
    here.user.click("reduceApply")
    for channel, track in here.clip().tracks.items():
        old = before.tracks[channel]
        assert np.array_equal(old.values[np.isin(old.times, track.times)], track.values)
        assert set(track.interpolations) <= set(old.interpolations)
    here.user.press("Ctrl+Z")
    assert same_value(here.clip(), before)
    assert here.session.preferences.get("key_places") == "exact"


def test_palette_chooses_where_keys_may_stand(here):
    registry = here.window.actions_registry
    found = [a.title for a in registry if "keep keys unchanged" in a.title.lower()]
    assert found == ["Reduced and converted keys: keep keys unchanged"]
    registry.run("keys.places_exact")
    wait(here)
    assert here.user.find("reducePlaces").currentText() == "Keep keys unchanged"


def test_selected_bones_alone_are_reduced_and_followed(here):
    before = here.clip()
    combo = here.user.find("reduceScope")
    combo.setFocus()
    here.user.press("Down")
    wait(here)
    assert panel(here).note.text() == "Select a bone first" and not panel(here).apply.isEnabled()
    here.user.click_row("bones", "head")
    wait(here)
    here.user.click("reduceApply")
    changed = {c for c, t in here.clip().tracks.items() if before.tracks.get(c) is not t}
    assert {c.bone for c in changed} == {"head"}


def test_work_under_way_is_cancelled_and_leaves_no_trace(here, monkeypatch):
    panel(here).model.cancel()
    begun = Event()

    def endless(rig, clip, metres, meshes, channels, progress, places):
        begun.set()
        while True:
            progress.report(0.5, "reducing keys")

    monkeypatch.setattr(view_model, "reduce_clip", endless)
    before = here.clip()
    here.user.settle()
    here.user.click("emptyButton")
    here.user.wait_until(begun.is_set)
    here.user.settle()
    assert here.user.visible("reduceProgress")
    here.user.click("reduceCancel")
    wait(here)
    assert here.clip() is before and not panel(here).model.active and not here.session.preview.active


def test_worst_bone_and_rows_are_clicked(here):
    outcome = panel(here).model.outcome
    assert {name for name, _, _ in outcome.bones} == {c.bone for c in here.clip().tracks}
    assert sum(after for *_, after in outcome.bones) == outcome.after
    for column, counts in (
        (0, [name for name, _, _ in outcome.bones]),
        (1, [f"{before:,}" for _, before, _ in outcome.bones]),
        (2, [f"{after:,}" for *_, after in outcome.bones]),
    ):
        assert here.user.rows("reduceBones", column=column) == counts
    here.user.click("reduceWorst")
    assert here.session.selection.bones == (outcome.bone,)
    assert here.session.playback.time == outcome.time
    here.user.click_row("reduceBones", "head")
    assert here.session.selection.bones == ("head",)


def test_another_edit_ends_it_and_says_so(here):
    here.session.clips.rename(WALK, "stroll")
    here.user.settle()
    assert not panel(here).model.active and not here.session.preview.active
    assert "cancelled" in here.session.messages.latest.text
    assert here.clip().name == "stroll" and keys(here.clip()) == keys(captured().clip_named("walk"))


def test_panel_put_away_ends_it(here):
    here.user.choose("Window", "Reduce keys")
    here.user.wait_until(lambda: not panel(here).model.active)
    assert not here.session.preview.active


def test_clip_without_keys_says_why_nothing_can_be_done(qapp):
    with stage(qapp, "reduce", project=None) as made:
        made.window.show_panel("reduce")
        made.user.settle()
        assert "select a clip" in panel(made).empty._text.text()
        assert made.window.actions_registry.why_disabled("clip.reduce_keys")
