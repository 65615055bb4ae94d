"""Actions: declared once, keys without doubles, reasons why not, and what each does."""

import pytest

from core.errors import ValidationError
from editor.actions.action import Action, Scope
from editor.actions.every import registry
from editor.actions.key_presets import PRESETS
from editor.actions.registry import Registry, normal
from editor.model.graph.editor import GraphEditor
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.actions import rich
from tests.editor.rigs import small_project

DEFAULT_KEYS = {  # design: Default keys
    "Q": "tool.select", "W": "tool.move", "E": "tool.rotate", "R": "tool.scale",
    "S": "key.set", "Shift+S": "key.set_all", "Alt+I": "key.delete",
    "Space": "playback.toggle", "Left": "playback.back", "Right": "playback.forward",
    ",": "playback.previous_key", ".": "playback.next_key",
    "Shift+Left": "playback.start", "Shift+Right": "playback.end",
    "F": "view.frame", "A": "view.frame_all", "Home": "view.frame_all", "Ctrl+A": "select.all",
    "Ctrl+C": "edit.copy_pose", "Ctrl+V": "edit.paste_pose",
    "H": "select.hide", "Alt+H": "select.unhide", "Shift+H": "select.isolate",
    "[": "select.parent", "]": "select.child",
    "Ctrl+Space": "view.maximise", "Ctrl+Z": "edit.undo", "Ctrl+Shift+Z": "edit.redo",
    "F3": "help.palette", "Ctrl+Shift+P": "help.palette", "Esc": "key.drop_pending",
}  # fmt: skip


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


@pytest.fixture
def actions(session: Session) -> Registry:
    return registry(session)


def test_default_keys_are_those_of_the_design(actions: Registry) -> None:
    for keys, action in DEFAULT_KEYS.items():
        found = actions.by_keys(keys, Scope.VIEW)
        assert found is not None and found.id == action, keys


def test_time_panels_copy_keys_with_the_keys_that_copy_poses_elsewhere(actions: Registry) -> None:
    found = {
        keys: actions.by_keys(keys, Scope.TIME) for keys in ("Ctrl+C", "Ctrl+V", "F", "A", "Ctrl+A", "Del")
    }
    assert [a.id if a else "" for a in found.values()] == [
        "keys.copy", "keys.paste", "time.fit", "time.fit_all", "select.all_keys", "keys.delete",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        (Scope.VIEW, Scope.VIEW, True),
        (Scope.WINDOW, Scope.TIME, True),
        (Scope.TIME, Scope.WINDOW, True),
        (Scope.VIEW, Scope.TIME, False),
    ],
)
def test_duplicate_keys_heard_at_one_place_are_refused(
    session: Session, first: Scope, second: Scope, refused: bool
) -> None:
    actions = Registry(session, [Action("a", "A", shortcut=("Ctrl+Shift+K",), scope=first)])
    other = Action("b", "B", shortcut=("shift+ctrl+k",), scope=second)
    if refused:
        with pytest.raises(ValidationError, match="'a'"):
            actions.add(other)
    else:
        actions.add(other)


def test_duplicate_ids_are_refused(session: Session) -> None:
    with pytest.raises(ValidationError, match="twice"):
        Registry(session, [Action("a", "A"), Action("a", "B")])


def test_normal_spelling_of_keys() -> None:
    assert normal("Shift+Ctrl+Z") == normal("ctrl+SHIFT+z") != normal("Ctrl+Z")
    assert normal("Ctrl++") == "ctrl++" and normal(",") == "," and normal("K, Left") == normal("k, left")


def test_every_action_has_a_title_and_ends_in_a_reason_or_runs(session: Session, actions: Registry) -> None:
    for action in actions.all:
        assert action.title and "." in action.id
        reason = actions.why_disabled(action.id)
        if action.run is not None and not reason:
            actions.run(action.id)
        assert actions.tooltip(action.id)


def test_every_action_is_harmless_in_an_empty_document() -> None:
    session = Session.create()
    actions = registry(session)
    for action in actions.all:
        actions.run(action.id)
    assert all(message.level is not Level.ERROR for message in session.messages.log)
    session.close()


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("edit.undo", "there is nothing to undo"),
        ("key.delete", "select a bone first"),
        ("keys.delete", "select keys first"),
        ("keys.paste", "copy keys first"),
        ("clip.next", "there is no other clip"),
        ("clip.trim", "set a play range first"),
        ("key.drop_pending", "no pending changes"),
        ("file.open", "not available here"),
    ],
)
def test_disabled_actions_say_why(session: Session, actions: Registry, id: str, reason: str) -> None:
    assert reason in actions.why_disabled(id)
    assert not actions.run(id)
    assert reason in session.messages.latest.text
    assert reason[1:] in actions.tooltip(id)


def test_delete_clip_in_use_says_who_uses_it(session: Session, actions: Registry) -> None:
    from dataclasses import replace

    from core.clips.clip import Additive, AdditiveBase, AdditiveSpace

    base = session.clip.id
    session.clips.new("lean")
    session.edits.put(
        "x", replace(session.clip, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, base))
    )
    session.playback.set_clip(base)
    assert "used by “lean”" in actions.why_disabled("clip.delete")


def test_run_of_a_refused_edit_is_a_message_not_a_crash(session: Session) -> None:
    def refuse(session: Session) -> None:
        raise ValidationError("that cannot be")

    actions = Registry(session, [Action("a.b", "A", refuse)])
    assert not actions.run("a.b")
    assert session.messages.latest.text == "that cannot be"


def test_bound_handlers_come_and_go(session: Session, actions: Registry) -> None:
    done: list[int] = []
    unbind = actions.bind("view.frame", lambda: done.append(1), enabled=lambda: "" if not done else "enough")
    assert actions.run("view.frame") and not actions.run("view.frame") and done == [1]
    assert actions.why_disabled("view.frame") == "enough"
    unbind()
    assert actions.why_disabled("view.frame") == "not available here"
    with pytest.raises(ValidationError):
        actions.bind("no.such", lambda: None)


def test_the_users_keys_are_kept_and_clashes_named(session: Session, actions: Registry) -> None:
    actions.set_shortcuts("edit.undo", ["Ctrl+Backspace"])
    assert actions.by_keys("Ctrl+Z", Scope.WINDOW) is None
    with pytest.raises(ValidationError, match="Redo"):
        actions.set_shortcuts("edit.undo", ["Ctrl+Y"])
    actions.set_shortcuts("file.quit", [])
    again = registry(Session.create())
    assert again.shortcuts("edit.undo") == ("Ctrl+Backspace",) and again.shortcuts("file.quit") == ()
    actions.set_shortcuts("edit.undo", None)
    assert actions.shortcuts("edit.undo") == ("Ctrl+Z",)
    again.session.close()


def test_menus_part_their_sections(actions: Registry) -> None:
    rows = actions.in_menu("Edit")
    assert rows[0].id == "edit.undo" and None in rows and rows[-1] is not None
    assert actions.menus[:2] == ("File", "Edit") and "View/Show" in actions.menus
    assert [a.id for a in actions.in_toolbar("tools")] == [
        "tool.select",
        "tool.move",
        "tool.rotate",
        "tool.scale",
    ]


def test_checked_follows_the_session(session: Session, actions: Registry) -> None:
    assert actions.is_checked("key.auto") is True and actions.is_checked("edit.undo") is None
    actions.run("key.auto")
    assert actions.is_checked("key.auto") is False
    actions.run("playback.ping_pong")
    assert actions.is_checked("playback.ping_pong") and not actions.is_checked("playback.loop")
    actions.run("view.light")
    assert session.preferences.get("theme") == "light" and actions.is_checked("view.light")


def test_the_main_job_by_actions_alone(session: Session, actions: Registry) -> None:
    session.selection.select(["upper_arm_l"])
    for step in ("playback.forward", "key.set_whole", "edit.copy_pose", "playback.end", "edit.paste_pose"):
        assert actions.run(step), (step, session.messages.latest)
    assert session.history.labels == ("Set key upper_arm_l @ f1", "Paste pose @ f60")
    for step in ("edit.undo", "edit.undo", "edit.redo", "clip.duplicate", "clip.reverse", "clip.delete"):
        assert actions.run(step), (step, session.messages.latest)
    assert not actions.run("edit.redo")


def test_set_key_actions_differ_in_what_they_key_on_an_unchanged_pose(
    session: Session, actions: Registry
) -> None:
    session.selection.select(["head"])
    bones = len(session.rig.skeleton)
    before = set(session.clip.tracks)
    assert actions.run("key.set_changed") and session.history.labels == ()
    assert "No key set" in session.messages.latest.text
    assert actions.run("key.set") and session.history.labels == ("Set key head @ f0",)
    assert {c.bone for c in set(session.clip.tracks) - before} == {"head"}
    assert len(set(session.clip.tracks) - before) == 9
    assert actions.run("key.set_all")
    assert {c.bone for c in session.clip.tracks} == set(session.rig.skeleton.names)
    assert session.history.labels[-1] == f"Set key {bones} bones @ f0"


@pytest.mark.parametrize("preset", list(PRESETS))
def test_preset_names_actions_that_are_there_and_no_keys_twice(actions: Registry, preset: str) -> None:
    assert set(PRESETS[preset]) <= {action.id for action in actions}
    actions.use_preset(preset)
    heard: dict[tuple[str, Scope], str] = {}
    everywhere = [scope for scope in Scope if scope is not Scope.GRAPH]
    for action in actions:
        for keys in actions.shortcuts(action.id):
            # The graph canvas has a keyboard of its own, before that of the window.
            for scope in everywhere if action.scope is Scope.WINDOW else (action.scope,):
                other = heard.setdefault((normal(keys), scope), action.id)
                assert other == action.id, (keys, other, action.id)


def test_preset_changes_keys_and_keeps_own_changes_with_each(actions: Registry) -> None:
    actions.set_shortcuts("tool.move", ["Ctrl+Alt+Shift+F9"])
    actions.use_preset("blender")
    assert actions.shortcuts("tool.move") == ("G",)
    found = actions.by_keys("S", Scope.VIEW)
    assert found is not None and found.id == "tool.scale"
    actions.set_shortcuts("tool.move", ["Ctrl+Alt+Shift+F10"])
    actions.use_preset("default")
    assert actions.shortcuts("tool.move") == ("Ctrl+Alt+Shift+F9",)
    actions.use_preset("blender")
    assert actions.shortcuts("tool.move") == ("Ctrl+Alt+Shift+F10",)
    actions.set_shortcuts("tool.move", None)
    assert actions.shortcuts("tool.move") == ("G",)


def test_unknown_preset_is_refused_and_a_forgotten_one_is_the_default(actions: Registry) -> None:
    with pytest.raises(ValidationError, match="blender"):
        actions.use_preset("softimage")
    actions.session.preferences.set("key_preset", "softimage")
    assert actions.preset == "default"


def test_comment_colour_wants_a_comment_frame(qapp) -> None:
    made, actions = rich.at_stage("graph")
    assert actions.why_disabled("graph.comment_color") == "select a comment frame first"
    actions.run("graph.comment")
    made.feature(GraphEditor).canvas.select_all()
    assert not actions.why_disabled("graph.comment_color")
    actions.run("graph.comment_color")
    assert made.history.labels[-1] == "Colour comment"
    made.close()


def test_connecting_what_is_connected_is_said_and_makes_no_step(qapp) -> None:
    made, actions = rich.at_stage("graph")
    position = made.history.position
    actions.run("graph.connect_left")
    assert made.messages.log[-1].text == "They are connected already" and made.history.position == position
    made.close()
