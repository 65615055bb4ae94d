"""Every verb of the timing, blocking, layer, set, space, shot, media and path menus, in the window: by its key, or by
the palette where it has none, and by the mouse in its menu. Both do the same; undo and redo by keys are exact."""

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from core.project.project import Project
from editor.actions.action import Action
from editor.model.blocking import Blocking
from editor.model.bone_sets import BoneSets
from editor.model.key_filter import KeyFilter
from editor.model.preferences import DEFAULTS as PREFERENCES
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.model.switches import DEFAULTS as SWITCHES
from editor.model.timing_state import TimingState
from tests.editor import verb_stages
from tests.editor.stage import stage
from tests.editor.user import SHIFT

TRIES = 2
"""Times that a menu is opened anew."""


@pytest.fixture
def here(qapp):
    with stage(qapp, "bone_tree", "timeline", "media", "shot") as made:
        yield made


def ways(session: Session) -> dict[str, object]:
    """Preferences and switches, but for what the palette notes."""
    return {name: value for name, value in session.preferences._values.items() if name != "used_actions"}


def as_usual(session: Session) -> None:
    """Preferences and switches as they come with the program."""
    for name in session.preferences._values.keys() - {"switches"}:
        session.preferences.set(name, PREFERENCES.get(name, session.preferences.get(name)))
    for name, on in SWITCHES.items():
        session.switches.set(name, on)


def state(session: Session) -> tuple[object, ...]:
    """What verbs change beside the document."""
    shot, selection = session.feature(Shot), session.selection
    return (
        ways(session), selection.bones, {c: tuple(k) for c, k in selection.keys.items()}, frozenset(selection.solo),
        session.playback.time, getattr(session.clip, "name", ""), session.playback.below,
        session.evaluator.layers.result,
        shot.through, shot.locked, None if shot.camera is None else shot.camera.id,
        session.feature(BoneSets).in_hand, session.feature(KeyFilter).only, session.feature(Blocking).on,
        session.feature(TimingState).buffer is not None,
    )  # fmt: skip


def same_assets(one: Project, other: Project) -> bool:
    """The very same assets."""
    a, b = one.assets, other.assets
    return a.keys() == b.keys() and all(a[id] is b[id] for id in a)


class Done:
    """A verb done in one way: what came of it, and what is wrong with it."""

    def __init__(self, here, group: str, action: Action, do) -> None:
        session = here.session
        first = verb_stages.prepared(session, here.window.actions_registry, group, action.id)
        here.user.settle()
        before, steps, was = session.document.project, session.history.position, state(session)
        do(here, action)
        here.user.wait_until(lambda: not session.edit_jobs.busy, "the edit did not end")
        after = session.document.project
        self.state, self.problems = state(session), []
        self.label = session.history.labels[-1] if after is not before else ""
        self.changed = {id for id in first & after.assets.keys() if after.assets[id] is not before.assets[id]}
        self.gone = first - after.assets.keys()
        self.made = len(after.assets) - len(before.assets)
        if after is before:
            self.problems += ["nothing happened"] if self.state == was else []
            return
        if session.history.position != steps + 1:
            self.problems.append(f"{session.history.position - steps} steps")
        self._undone_and_redone(here, before, after)

    def _undone_and_redone(self, here, before: Project, after: Project) -> None:
        here.user.press("Esc")  # a name could be typed now
        here.user.find("bones").setFocus()
        here.user.press("Ctrl+Z")
        if not same_assets(here.session.document.project, before):
            self.problems.append("undo is not exact")
        here.user.press("Ctrl+Shift+Z")
        if not same_assets(here.session.document.project, after):
            self.problems.append("redo is not exact")


def by_key(here, action: Action) -> None:
    """Press its key over the bone tree; the palette where it has none."""
    here.user.find("bones").setFocus()
    if action.shortcut:
        here.user.press(action.shortcut[-1])
        return
    here.user.press("F3")
    here.user.type(action.title)
    here.user.press("Return")


def by_mouse(here, action: Action) -> None:
    """Click its entry in the menus; sets are added to the selection by a click on their chip."""
    if not action.menu:
        name = here.session.feature(BoneSets).names[int(action.id[-1]) - 1]
        here.user.click(f"set_{name}", modifiers=SHIFT)
        return
    for _ in range(TRIES):
        try:
            here.user.choose(*action.menu.split("/"), action.title)
            return
        except AssertionError:  # a submenu that did not open on a busy machine: closed, and opened anew
            while (menu := QApplication.activePopupWidget()) is not None:
                menu.close()
                here.user.settle()
    here.user.choose(*action.menu.split("/"), action.title)


@pytest.mark.parametrize("group", verb_stages.GROUPS)
def test_each_verb_does_the_same_by_key_and_by_mouse_and_is_undone_exactly(here, group: str) -> None:
    wrong = {}
    for action in verb_stages.verbs(group):
        found = []
        for way in (by_key, by_mouse):
            found.append(Done(here, group, action, way))
            as_usual(here.session)
        key, mouse = found
        problems = [f"key: {p}" for p in key.problems] + [f"mouse: {p}" for p in mouse.problems]
        if (key.label, key.made, key.state) != (mouse.label, mouse.made, mouse.state):
            problems.append(f"differ: {key.label!r} {mouse.label!r}, {key.made} {mouse.made}")
        elif (key.changed, key.gone) != (mouse.changed, mouse.gone):
            problems.append(f"other assets: {key.changed} {mouse.changed}")
        if problems:
            wrong[action.id] = problems
    assert wrong == {}, "\n".join(f"{id}: {what}" for id, what in wrong.items())


@pytest.mark.parametrize("id", ["media.add_audio", "media.add_reference", "shot.camera_import", "shot.prop_import",
                                "shot.character_add"])  # fmt: skip
def test_verbs_that_ask_for_a_file_do_so_by_key_and_by_mouse(here, id: str) -> None:
    for way in (by_key, by_mouse):
        way(here, here.window.actions_registry[id])
        here.user.settle()
        (dialog,) = [d for d in here.window.findChildren(QFileDialog) if d.isVisible()]
        dialog.reject()
        here.user.settle()
