"""Panels whose rows are switched, keyed, chosen and taken away: what is shown and painted then, as approved."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from core.clips.clip import Channel
from core.ids import AssetId
from editor.model.ik.state import IkState
from editor.model.selection import Mode
from editor.model.session import Session
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.told_states import Deed, states_of


# ------------------------------------------------------------ set-ups of IK
def _at_row(row: int) -> Deed:
    return lambda session, panel: pointer.hover(panel.list, QPoint(60, 13 + 24 * row))


def _setup(name: str) -> Deed:
    return lambda session, panel: session.feature(IkState).select(name)


IK: dict[str, Deed] = {
    "one is on": lambda session, panel: panel.model.toggle("Left arm"),
    "under the pointer": _at_row(2),
    "its dot is clicked": lambda session, panel: pointer.tap(panel.list, QPoint(13, 13 + 24 * 2)),
    "its name is clicked": lambda session, panel: pointer.tap(panel.list, QPoint(60, 13 + 24 * 2)),
    "out of reach": lambda session, panel: panel.model.set_goal(0, 500.0),
    "half": lambda session, panel: panel.model.set_weight(0.5),
    "a limit": lambda session, panel: panel.model.add_limit(panel.model.bones()[0]),
    "another": _setup("Right arm"),
    "with another name": lambda session, panel: panel.model.rename("reach"),
    "later": lambda session, panel: session.playback.seek(1.5),
    "taken away": lambda session, panel: panel.model.remove(),
    "and back": lambda session, panel: session.undo(),
}


# ------------------------------------------------------------ morphs and curves
def _all_channels(session: Session, panel: QWidget) -> list[Channel]:
    return list(panel._rows)


def _morph(session: Session, panel: QWidget) -> Channel:
    return next(c for c in _all_channels(session, panel) if not panel._is_curve(c))


WEIGHTS: dict[str, Deed] = {
    "a value": lambda session, panel: panel.model.commit(_morph(session, panel), 0.6),
    "later": lambda session, panel: session.playback.seek(0.5),
    "selected": lambda session, panel: panel.select(_morph(session, panel), Mode.REPLACE),
    "two selected": lambda session, panel: panel.select(_all_channels(session, panel)[-1], Mode.ADD),
    "key taken away": lambda session, panel: panel.model.toggle_key(_morph(session, panel)),
    "searched": lambda session, panel: panel.search.setText("spe"),
    "nothing found": lambda session, panel: panel.search.setText("nobody"),
    "all": lambda session, panel: panel.search.setText(""),
    "the curve renamed": lambda session, panel: panel.model.rename_curve(
        next(c for c in _all_channels(session, panel) if panel._is_curve(c)), "gait"
    ),
    "cleared": lambda session, panel: panel.model.clear(_morph(session, panel)),
}


# ------------------------------------------------------------ posing
def _named(words: str) -> Deed:
    def name(session: Session, panel: QWidget) -> None:
        panel._ask_set()
        panel.set_name.setText(words)

    return name


POSE: dict[str, Deed] = {
    "bones": lambda session, panel: session.selection.select(["upper_arm_l", "hand_l"]),
    "a name is asked": _named("arms"),
    "a set": lambda session, panel: panel._save_set(),
    "a name is asked again": lambda session, panel: panel._ask_set(),
    "without a name": lambda session, panel: panel._save_set(),
    "of another": _named("head"),
    "its bone": lambda session, panel: session.selection.select(["head"]),
    "two sets": lambda session, panel: panel._save_set(),
    "the first": lambda session, panel: panel._select_set("arms"),
    "ghosts": lambda session, panel: session.switches.set("ghosts", True),
    "at keys": lambda session, panel: panel.model.set_ghosts("by", "keys"),
    "three before": lambda session, panel: panel.model.set_ghosts("before", 3),
    "mirrored as one goes": lambda session, panel: panel.model.toggle_live(),
    "locked": lambda session, panel: session.selection.set_flag("locked", ["hand_l"]),
    "nothing": lambda session, panel: session.selection.clear(),
    "one set": lambda session, panel: panel.model.delete_set("arms"),
}


# ------------------------------------------------------------ layers
def _row(number: int, part: str) -> Deed:
    def click(session: Session, panel: QWidget) -> None:
        name = panel.model.rows()[number].name
        panel.findChild(QWidget, f"{part}.{name}").click()

    return click


LAYERS: dict[str, Deed] = {
    "one more": lambda session, panel: panel.model.add(None, panel.model.rows()[0].mode),
    "half": lambda session, panel: panel.model.set_weight(0, 0.5),
    "the last is keyed": _row(-1, "keyWeight"),
    "the last is mute": _row(-1, "mute"),
    "the first alone": _row(0, "solo"),
    "the last in hand": _row(-1, "hand"),
    "a branch": lambda session, panel: panel.model.add_branches(0),
    "deeper": lambda session, panel: panel.model.preview_depth(0, 0, 3),
    "no branch": lambda session, panel: panel.model.remove_branch(0, 0),
    "later": lambda session, panel: session.playback.seek(1.0),
    "left": lambda session, panel: panel.model.leave(),
    "undone": lambda session, panel: session.undo(),
}


# ------------------------------------------------------------ the shot
def _twin(session: Session, panel: QWidget) -> None:
    """Another character of the document."""
    session.edits.put("twin", replace(session.rig, id=AssetId("rig-twin"), name="twin"))


SHOT: dict[str, Deed] = {
    "two characters": _twin,
    "the other too": lambda session, panel: panel.model.add_own(panel.model.own_characters()[0][0]),
    "not seen": lambda session, panel: panel.model.toggle_visible(panel.model.rows()[-1].id),
    "as a ghost": lambda session, panel: panel.model.set_ghosted(True),
    "moved": lambda session, panel: panel.model.set_place("position", 0, 0.5),
    "later by frames": lambda session, panel: panel.model.set_offset(12.0),
    "another frame": lambda session, panel: session.playback.seek(1.0),
    "taken back": lambda session, panel: session.undo(),
}

# ------------------------------------------------------------ simulated bones
SIMULATE: dict[str, Deed] = {
    "other bones": lambda session, panel: session.selection.select(["hand_l", "foot_l"]),
    "a range": lambda session, panel: session.playback.set_range(0.2, 0.8),
    "none": lambda session, panel: session.selection.clear(),
    "no clip": lambda session, panel: session.playback.set_clip(None),
}


# ------------------------------------------------------------ a montage that plays
def _stopped_at(seconds: float) -> Deed:
    """It plays from the beginning for so long, and waits there."""

    def deed(session: Session, panel: QWidget) -> None:
        preview = panel.model.preview
        preview.play()
        for _ in range(round(seconds / 0.05)):
            preview.advance(0.05)
        preview.pause()

    return deed


MONTAGE: dict[str, Deed] = {
    "it begins": _stopped_at(0.05),
    "a notify comes": _stopped_at(0.55),
    "the next": _stopped_at(0.7),
    "it ends": _stopped_at(5.0),
    "over the rest pose": lambda session, panel: setattr(panel.model.preview, "over_rest", True),
    "by hand": lambda session, panel: panel.model.preview.seek(0.4),
    "left": lambda session, panel: panel.model.preview.stop(),
}

PANELS: dict[str, tuple[str, str, dict[str, Deed]]] = {
    "ik": ("ik", "rich", IK),
    "weights": ("weights", "rich", WEIGHTS),
    "pose": ("pose", "rich", POSE),
    "layers": ("layers", "rich", LAYERS),
    "shot": ("shot", "rich", SHOT),
    "simulate": ("simulate", "rich", SIMULATE),
    "montage": ("montage", "full", MONTAGE),
}
"""Panel, the stage at which it begins, and what happens to it then."""


@pytest.mark.parametrize("name", list(PANELS))
def test_states_are_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"states-{name}", lambda: states_of(qapp, *PANELS[name]))
    assert not problem, problem
