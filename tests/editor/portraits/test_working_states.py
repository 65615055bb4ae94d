"""Panels in which somebody works by hand, step by step: what is shown, painted, said and done then, as approved."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QWidget

from core.ids import AssetId
from core.project.project import Project
from core.rig.rig import MirrorSetup
from editor.model.session import Session
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.acts import (
    asked,
    bones,
    chosen,
    click,
    clip_shown,
    drag,
    entry,
    index_of,
    key,
    number,
    renamed,
    right_row,
    row,
    seek,
    then,
    typed,
    typed_into_focus,
    undo,
    wide,
)
from tests.editor.portraits.pointer import CTRL, SHIFT
from tests.editor.portraits.told_states import Deed, states_of

ESCAPE, RETURN, DELETE, F2 = Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_F2


def nothing_open(session: Session, panel: QWidget) -> None:
    session.document.replace(Project({}), None)


# ------------------------------------------------------------ fewer keys
def _all_locked(session: Session, panel: QWidget) -> None:
    session.selection.set_flag("locked", list(session.rig.skeleton.names))


def _hidden(session: Session, panel: QWidget) -> None:
    """Away and back, as when another tab is looked at."""
    panel.hide()
    QApplication.processEvents()
    panel.show()


REDUCE: dict[str, Deed] = {
    "only selected bones": chosen("reduceScope", "Selected bones"),
    "none is selected": bones(),
    "one is selected": bones("head"),
    "of all bones": chosen("reduceScope", "All bones"),
    "all are locked": _all_locked,
    "unlocked": lambda session, panel: session.selection.set_flag("locked", []),
    "tried out": click("emptyButton"),
    "a larger error": number("reduceMillimetres", "5"),
    "the original": click("reduceShowOriginal"),
    "the reduced": click("reduceShowReduced"),
    "the worst bone": click("reduceWorst"),
    "a bone of the list": row("reduceBones", 1, column=2),
    "of the selected bone": chosen("reduceScope", "Selected bones"),
    "keys stay as they are": chosen("reducePlaces", "Keep keys unchanged"),
    "on frames": chosen("reducePlaces", "Add keys on frames"),
    "of all bones again": chosen("reduceScope", "All bones"),
    "given up by Escape": key("reducePanel", ESCAPE),
    "Escape without it": key("reducePanel", ESCAPE),
    "tried out again": click("emptyButton"),
    "kept by Enter": key("reducePanel", RETURN),
    "once more": click("emptyButton"),
    "given up": click("reduceCancel"),
    "taken back": undo,
    "under way": click("emptyButton"),
    "another clip": clip_shown("clip-2"),
    "its keys": click("emptyButton"),
    "out of sight": _hidden,
    "no clip": clip_shown(None),
}


# ------------------------------------------------------------ bodies
def _no_bodies(session: Session, panel: QWidget) -> None:
    session.edits.put("No bodies", replace(session.rig, body_plan=None))


BODIES: dict[str, Deed] = {
    "the root body": row("bodiesList", 0),
    "a lower arm": row("bodiesList", 5, column=1),
    "heavier": number("bodyMass", "4"),
    "thicker": number("bodyRadius", "80"),
    "longer": number("bodyLength", "150"),
    "a drag given up": drag("bodyLength", 40, "escape"),
    "least angle": number("bodyRange0.min", "-12.5"),
    "largest angle": number("bodyRange0.max", "5"),
    "they pass each other": number("bodyRange0.min", "50"),
    "one side alone": click("bodiesSymmetric"),
    "of one side": number("bodyMass", "1"),
    "through the head": entry("bodyThrough", "head"),
    "through the spine too": entry("bodyThrough", "spine"),
    "not through the head": entry("bodyThrough", "head"),
    "an upper arm": bones("upper_arm_l"),
    "out of its range": seek(40.0 / 30.0),
    "both sides": click("bodiesSymmetric"),
    "taken away": click("bodiesRemove"),
    "added": click("bodiesAdd"),
    "mirrored": click("bodiesMirror"),
    "a bone without a body": then(bones("head"), click("bodiesRemove")),
    "nothing selected": bones(),
    "checked": click("bodiesCheck"),
    "a row": row("bodiesRanges", 0),
    "two rows": row("bodiesRanges", 1, column=2, held=CTRL),
    "widened for these": click("bodiesWidenSelected"),
    "checked again": click("bodiesCheck"),
    "widened for all": click("bodiesWiden"),
    "all hold": click("bodiesCheck"),
    "low": wide(300, 420),
    "the last of the list": bones("foot_r"),
    "none": _no_bodies,
    "proposed": click("emptyButton"),
}


# ------------------------------------------------------------ sounds and references
MEDIA: dict[str, Deed] = {
    "hidden by a double click": row("mediaList", 1, double=True),
    "shown again": row("mediaList", 1, column=2, double=True),
    "starts later": number("media_start", "12.5"),
    "dragged on": drag("media_start", 20),
    "a drag given up": drag("media_opacity", -20, "escape"),
    "the drag before taken back": undo,
    "a drag that the right button ends": drag("media_x", 20, "right"),
    "less of it": number("media_opacity", "35"),
    "a card": chosen("mediaPlace", "Card in front"),
    "once more a card": chosen("mediaPlace", "Card in front"),
    "behind": chosen("mediaPlace", "Behind the character"),
    "with every clip": click("mediaEvery"),
    "the sound": row("mediaList", 0, column=1),
    "mute": row("mediaList", 0, double=True),
    "half as loud": number("media_volume", "50"),
    "dragged louder": drag("media_volume", 30),
    "the keyboard goes down": key("mediaList", Qt.Key.Key_Down),
    "of another clip": clip_shown("clip-2"),
    "with this one alone": then(row("mediaList", 0), click("mediaEvery")),
    "of the first": clip_shown("clip-small"),
    "taken away": then(row("mediaList", 0), click("mediaRemove")),
    "taken back": undo,
    "narrow": wide(300, 500),
}


# ------------------------------------------------------------ left and right
def _conflicting(session: Session, panel: QWidget) -> None:
    """A bone in two pairs, another on the plane as well."""
    lists = session.rig.mirror
    pairs = (("hand_l", "foot_r"), *lists.pairs[:3])
    mirror = MirrorSetup(axis_bones=(*lists.axis_bones, "hand_r"), pairs=pairs)
    session.edits.put("Conflicts", replace(session.rig, mirror=mirror))


def _closed(*path: int) -> Deed:
    return lambda session, panel: panel.tree.collapse(index_of(panel.tree, path))


MIRROR: dict[str, Deed] = {
    "a pair": row("mirrorTree", 0, 0, column=1),
    "two pairs": row("mirrorTree", 0, 2, held=CTRL),
    "swapped": click("mirrorTurn"),
    "on the plane": then(row("mirrorTree", 0, 1), click("mirrorAxisBones")),
    "left out": then(row("mirrorTree", 1, 0), click("mirrorLeaveOut")),
    "two of the rest": then(row("mirrorTree", 0, 3), click("mirrorLeaveOut")),
    "chosen": then(row("mirrorTree", 2, -1), row("mirrorTree", 2, -2, held=CTRL)),
    "a pair again": click("mirrorPair"),
    "three for a pair": then(
        row("mirrorTree", 1, 0), row("mirrorTree", 1, 2, held=SHIFT), click("mirrorPair")
    ),
    "nothing chosen here": lambda session, panel: panel.tree.clearSelection(),
    "bones of the view left out": then(bones("spine"), click("mirrorLeaveOut")),
    "the pairs closed": _closed(0),
    "another plane": click("mirrorAxisZ"),
    "a third": click("mirrorAxisY"),
    "the pairs open": lambda session, panel: panel.tree.expand(index_of(panel.tree, (0,))),
    "found by two words": lambda session, panel: panel.search.setText("ARM low"),
    "found in another group": lambda session, panel: panel.search.setText("spi"),
    "all": lambda session, panel: panel.search.setText(""),
    "proposed": click("mirrorPropose"),
    "in conflict": _conflicting,
    "taken back": undo,
    "the swap taken back": then(undo, undo, undo),
    "narrow": wide(260, 420),
    "nothing open": nothing_open,
}


# ------------------------------------------------------------ clips
def _answers(answer: str, act: Deed) -> Deed:
    """What the window's question is answered with."""

    def deed(session: Session, panel: QWidget) -> None:
        panel.context.window.answer = answer
        act(session, panel)

    return deed


def _below_rows(session: Session, panel: QWidget) -> None:
    """The right button where no clip is."""
    asked(panel.view.viewport(), QPoint(60, panel.view.viewport().height() - 8))


def _details(session: Session, panel: QWidget) -> None:
    click("rootSettings")(session, panel)


def _detail(name: str) -> Deed:
    """A box of the root motion's settings, in the card over them."""

    def deed(session: Session, panel: QWidget) -> None:
        click("rootSettings")(session, panel)
        box = panel.settings.findChild(QWidget, name)
        if isinstance(box, QCheckBox):
            pointer.tap(box, QPoint(8, box.height() // 2))
        else:
            assert isinstance(box, QComboBox)
            box.setCurrentIndex(1)
            box.activated.emit(1)

    return deed


def _many(session: Session, panel: QWidget) -> None:
    clip = session.document.project.clips[0]
    more = [
        replace(clip, id=AssetId(f"clip-m{k}"), name=f"run {k} of a long name that has no room")
        for k in range(8)
    ]
    session.edits.put("Many clips", *more)


def _one_long(session: Session, panel: QWidget) -> None:
    """A length between frames, at a rate with decimals."""
    session.clips.set_length(session.clip.id, 1.01)


def _no_clips(session: Session, panel: QWidget) -> None:
    project = session.document.project
    session.document.replace(Project({rig.id: rig for rig in project.rigs}), None)
    session.playback.set_clip(None, project.rigs[0].id)


CLIPS: dict[str, Deed] = {
    "without pictures, which come late": lambda session, panel: panel.thumbnails.close(),
    "a new one": click("newClip"),
    "renamed by F2": lambda session, panel: (
        key("clips", F2)(session, panel),
        typed_into_focus("run", RETURN),
    ),
    "a double click, and Escape": renamed("clips", "walk", 0, end=ESCAPE),
    "the same name": renamed("clips", "other", 2),
    "one is clicked": row("clips", 0),
    "a copy": click("duplicateClip"),
    "under the pointer": lambda session, panel: pointer.hover(panel.view, QPoint(60, 60)),
    "the menu of a row": right_row("clips", 1),
    "shown by the menu": right_row("clips", 1, pick="Show"),
    "deleted by the menu": right_row("clips", -1, pick="Delete"),
    "renamed by the menu": lambda session, panel: (
        right_row("clips", 1, pick="Rename")(session, panel),
        typed_into_focus("jog", RETURN),
    ),
    "the menu below": _below_rows,
    "longer": number("clipLength", "90"),
    "another rate, given up": _answers("cancel", number("clipRate", "24")),
    "frames kept": _answers("frames", number("clipRate", "24")),
    "seconds kept": _answers("seconds", entry("clipRates", "29.97 fps")),
    "between frames": _one_long,
    "once": click("clipLoop"),
    "moves by its root": click("rootMotion"),
    "parts of it": _details,
    "without the turn": _detail("root.yaw"),
    "posed at rest": _detail("rootPose"),
    "deleted": click("deleteClip"),
    "taken back": undo,
    "many": _many,
    "found": typed("clipSearch", "run 3", None),
    "none found": typed("clipSearch", "nobody", None),
    "another is shown": clip_shown("clip-m5"),
    "hidden by words": typed("clipSearch", "run 7", None),
    "renamed where it is hidden": lambda session, panel: panel.rename_shown(),
    "and given up": lambda session, panel: pointer.key(
        panel.view.indexWidget(panel.view.currentIndex()), ESCAPE
    ),
    "low": wide(460, 300),
    "narrow": wide(240, 500),
    "rests": clip_shown(None),
    "no clips": _no_clips,
    "the first": click("emptyButton"),
}

PANELS: dict[str, tuple[str, str, dict[str, Deed]]] = {
    "reduce": ("reduce", "rich", REDUCE),
    "bodies": ("bodies", "rich", BODIES),
    "media": ("media", "rich", MEDIA),
    "mirror": ("mirror", "bare", MIRROR),
    "clips": ("clips", "plain", CLIPS),
}
"""Panel, the stage at which it begins, and what happens to it then."""


@pytest.mark.parametrize("name", list(PANELS))
def test_work_in_a_panel_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"work-{name}", lambda: states_of(qapp, *PANELS[name], by_hand=True))
    assert not problem, problem
