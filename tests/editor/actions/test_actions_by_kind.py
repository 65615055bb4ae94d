"""Every action, by kind: it does something, its step has its name and is undone, locked bones and marks stay."""

import pytest

from core.clips.clip import Clip
from core.rig.set_color import SetColor
from editor.actions.action import Scope
from editor.actions.registry import Registry
from editor.model.events import Event
from editor.model.session import Session
from tests.editor.actions import rich
from tests.editor.actions.labels import LABELS

LOCKED = ("upper_arm_l", "lower_arm_l", "pelvis")
WHOLE = {
    "clip.trim",
    "clip.reverse",
    "clip.loop",
    "curves.cycle",
    "edit.undo",
    "edit.redo",
    "layer.merge_down",
    "layer.merge_all",
}
"""These are about a whole clip, or about a step of before: locked bones go along."""
MARKS = {
    "events.add_notify": {"notifies"}, "events.add_sync_marker": {"sync_markers"}, "time.add_marker": {"markers"},
    "key.set_all": {"curves"}, "key.set_rig": {"curves"}, "weights.set_key": {"curves"}, "ik.match": {"curves"},
    "ik.bake": {"curves"}, "ik.bake_all": {"curves"}, "ik.drop_goal": {"curves"},
    **{f"space.{what}": {"curves"} for what in ("follow", "world", "root")},
    "clip.loop": {"curves"},  # automatic slopes at its ends
    "curves.cycle": {"notifies", "sync_markers", "markers", "curves"},
    "clip.trim": {"notifies", "sync_markers", "markers", "curves"},
    "clip.reverse": {"notifies", "sync_markers", "markers", "curves"},
    "timing.insert_frames": {"notifies", "sync_markers", "markers", "curves"},
    "timing.remove_frames": {"notifies", "sync_markers", "markers", "curves"},
    **{f"events.add_contact_{limb}": {"curves"} for limb in ("left_foot", "right_foot", "left_hand", "right_hand")},
}  # fmt: skip
"""What actions change of a clip beside its tracks; all others leave it bit for bit."""
ELSEWHERE = {
    "shot.look_through", "shot.next_camera", "shot.key_camera", "shot.unkey_camera", "shot.attach",
    "shot.attach_range", "shot.attach_always", "shot.release", "shot.remove",
    "weights.delete_key", "compile.cancel", "compile.compare", "compile.colour", "blend.play", "blend.stop",
    "blend.record", "blend.replay", "blend.bake", "blend.bake_grid", "graph.stop", "graph.use_post", "graph.next_post",
    "graph.no_post", "graph.clear_breaks", "graph.back", "graph.first", "graph.last", "graph.mark", "graph.go_on",
    "graph.compare", "graph.out", "graph.earlier", "graph.later", "montage.stop", "play.leave", "play.pause",
    "play.step", "play.restart", "play.rewind", "play.back", "play.go_on", "play.bake", "retarget.close",
    "retarget.preview", "retarget.propose", "retarget.pick", "retarget.add_chain", "retarget.remove_chain",
    "retarget.contacts", "retarget.commit", "retarget.commit_all", "retarget.bake", "virtual.delete", "bodies.check",
    "bodies.clear", "bodies.mirror", "bodies.remove", "bodies.widen", "play.setup_delete", "play.matching_reset",
    "simulate.bake", "simulate.discard", "space.release", "space.bake",
    *(f"set.{verb}_{number}" for verb in ("select", "add") for number in range(1, 10)),
    *(f"select.color_{color}" for color in SetColor), "select.same_color",
    "set.add_bones", "set.remove_bones", "set.next_color", "set.delete", "set.isolate", "set.carry",
    "media.toggle", "media.start_here", "media.earlier", "media.later",
    "graph.comment_color", "media.place", "media.more_opaque", "media.less_opaque", "media.read_again", "media.remove",
}  # fmt: skip
"""Actions that need a run, a source, bodies, bone sets, a recording or a compiled clip: held by the tests of these."""


ALREADY = {
    "pose.reset_translation", "pose.reset_scale", "key_type.all", "keys.places_own", "ik.reach_bone",
    "play.preset_normal", "play.drive_rules",
    "play.terrain_flat", "playback.loop", "view.dark", "view.scale_100", "layers.curves_override", "graph.play_first",
    "graph.next_graph", "graph.select_all", "graph.walk_right", "graph.walk_down",
}  # fmt: skip
"""Actions whose wish is met at the stage: what is shown or set is so already."""


def enabled(stage: str, before: set[str]) -> list[str]:
    """Actions that this stage is the first to allow."""
    session, actions = rich.at_stage(stage)
    try:
        return [
            a.id
            for a in actions
            if a.run is not None and a.id not in before and not actions.why_disabled(a.id)
        ]
    finally:
        session.close()


@pytest.fixture(scope="module")
def where() -> dict[str, str]:
    """Action → the first stage that allows it."""
    found: dict[str, str] = {}
    for stage in rich.STAGES:
        found |= dict.fromkeys(enabled(stage, set(found)), stage)
    return found


def same_assets(a, b) -> bool:
    return a.keys() == b.keys() and all(a[id] is b[id] for id in a)


def shown(session: Session) -> Clip:
    found = session.document.project.assets.get(session.playback.clip)
    assert isinstance(found, Clip)
    return found


class Seen:
    """What an action did: how many events were told, what was said and copied."""

    def __init__(self, session: Session, actions: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
        self._session, self._actions, self._told = session, actions, 0
        emit = Event.emit

        def noted(event, value) -> None:
            self._told += 1
            emit(event, value)

        monkeypatch.setattr(Event, "emit", noted)

    def run(self, id: str) -> bool:
        """Do an action; whether anything came of it, if only a word."""
        said, copied, self._told = len(self._session.messages.log), self._session.clipboard.text, 0
        project = self._session.document.project
        self._actions.run(id)  # what cannot be done after all is said in words
        return bool(
            self._told
            or len(self._session.messages.log) != said
            or self._session.clipboard.text != copied
            or self._session.document.project is not project
        )


def test_every_action_has_an_effect_and_its_step_a_name_and_is_undone_to_the_bit(where, monkeypatch) -> None:
    idle, names = [], {}
    for id, stage in where.items():
        session, actions = rich.at_stage(stage)
        before, position = session.document.project, session.history.position
        with monkeypatch.context() as patches:
            if not Seen(session, actions, patches).run(id):
                idle.append(id)
        after = session.document.project
        if after is not before and id not in ("edit.undo", "edit.redo"):
            assert session.history.position == position + 1, id
            names[id] = session.history.labels[-1]
            assert session.undo(), id
            assert same_assets(session.document.project.assets, before.assets), id
            assert session.redo(), id
            assert same_assets(session.document.project.assets, after.assets), id
        session.close()
    assert sorted(idle) == sorted(ALREADY), idle
    assert names == LABELS


def test_actions_that_no_stage_allows_are_known(where) -> None:
    """A new action either works at one of the stages, or is listed with those that other tests hold."""
    session, actions = rich.at_stage("plain")
    never = {a.id for a in actions if a.run is not None} - where.keys()
    session.close()
    assert never == ELSEWHERE


def test_no_action_changes_locked_bones_or_marks_that_it_is_not_about(where) -> None:
    wrong = []
    for id, stage in where.items():
        session, actions = rich.at_stage(stage)
        session.selection.set_flag("locked", LOCKED)
        before = shown(session)
        actions.run(id)
        after = session.document.project.assets.get(before.id)
        if isinstance(after, Clip) and after is not before:
            held = [c for c in {**before.tracks, **after.tracks} if c.bone in LOCKED]
            if id not in WHOLE and any(after.tracks.get(c) is not before.tracks.get(c) for c in held):
                wrong.append((id, "locked"))
            for part in ("notifies", "sync_markers", "markers", "curves", "morphs"):
                was, now = getattr(before, part), getattr(after, part)
                same = was == now if isinstance(was, tuple) else dict(was) == dict(now)
                if not same and part not in MARKS.get(id, ()):
                    wrong.append((id, part))
        session.close()
    assert wrong == []


def test_every_action_that_changes_a_document_says_why_not_without_a_character() -> None:
    session = Session.create()
    actions = Registry(session)
    session.close()
    session, actions = rich.at_stage("plain")
    session.document.replace(type(session.document.project)(), None)
    able = [id for id in LABELS if not actions.why_disabled(id)]
    told = {id: actions.why_disabled(id) for id in LABELS}
    session.close()
    assert able == []
    assert all(reason and reason[0].islower() and not reason.endswith(".") for reason in told.values())


def test_every_action_has_an_id_and_a_title_of_its_own_in_its_menu() -> None:
    session, actions = rich.at_stage("plain")
    for action in actions:
        group, _, verb = action.id.partition(".")
        assert group and verb and action.id == action.id.lower(), action.id
        assert action.title.strip() == action.title and action.title[:1] == action.title[:1].upper(), (
            action.id
        )
        assert action.title and not action.title.endswith("."), action.id
    titles = [(a.title, a.menu) for a in actions if a.menu]
    assert len(set(titles)) == len(titles)
    session.close()


def test_brackets_with_alt_set_the_ends_of_the_play_range_where_the_playhead_is() -> None:
    session, actions = rich.at_stage("plain")
    for keys, scope, time, wanted in (
        ("Alt+[", Scope.TIME, 0.5, (0.5, 1.5)),
        ("Alt+]", Scope.VIEW, 1.25, (0.5, 1.25)),
    ):
        session.playback.seek(time)
        action = actions.by_keys(keys, scope)
        assert action is not None and actions.run(action.id)
        assert session.playback.range == pytest.approx(wanted)
    assert session.history.position == 1  # the range is no part of the document
    session.close()
