"""Motion put on another character, poses kept, a character that is driven or run, clips packed: worked at by hand.

As in `test_working_states`: what is shown, painted, said and done, step by step, as approved.
"""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.qt.choice import ChoiceBox
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.acts import (
    answered,
    asked,
    bones,
    chosen,
    click,
    clip_shown,
    control,
    drag,
    entry,
    index_of,
    key,
    moved,
    number,
    picked,
    renamed,
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
from tests.editor.turning import turn_until_shown

ESCAPE, RETURN, DELETE = Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Delete


# ------------------------------------------------------------ retarget
def _spans(session: Session, panel: QWidget) -> None:
    """The first contact ends earlier, as dragged on the timeline."""
    state = session.feature(Retargeting)
    first, *rest = state.computation.spans
    state.edits.set_spans([replace(first, last=first.last - 5), *rest], "Contacts")


def _two_clips(session: Session, panel: QWidget) -> None:
    """The other character has one more clip."""
    (step,) = [clip for clip in session.document.project.clips if clip.name == "step"]
    session.edits.put("Another clip", replace(step, id=AssetId("clip-hop"), name="hop"))
    session.feature(Retargeting).use_rig(step.rig)


RETARGET: dict[str, Deed] = {
    "a chain": row("chainMap", 6),
    "half of its turn": number("chainShare", "50"),
    "turned about Y": number("chainAdjust.1", "20"),
    "a drag given up": drag("chainAdjust.2", 60, "escape"),
    "another bone": renamed("chainMap", "lower_arm_l", 6, column=1),
    "a bone that is not there": renamed("chainMap", "wing", 6, column=2),
    "let be": renamed("chainMap", "head", 4, column=1, end=ESCAPE),
    "no bones to write": row("chainMap", 4, column=3, double=True),
    "bones picked": click("retarget.pick"),
    "no more": click("retarget.pick"),
    "taken out": click("retarget.remove_chain"),
    "taken back": undo,
    "a chain of two bones": then(bones("head"), click("retarget.add_chain")),
    "proposed": click("retarget.propose"),
    "as it is": chosen("retargetScale", "As it is"),
    "a floor given up": drag("retarget.floor", 50, "escape"),
    "hands held": click("retarget.hands"),
    "no feet held": click("retarget.feet"),
    "feet held": click("retarget.feet"),
    "contacts by hand": _spans,
    "found again": click("retargetFindAnew"),
    "in its place": click("retargetPlace"),
    "kept": click("retargetCommit"),
    "another source": entry("retargetSource", "small"),
    "two clips of it": _two_clips,
    "all of them": click("retargetAll"),
    "no source": entry("retargetSource", "Clear source"),
    "from the first page": click("source.small"),
    "nothing shown": clip_shown(None),
}


# ------------------------------------------------------------ the set-up of play
def _part(kind: int, number: int, words: str, end: Qt.Key = RETURN) -> Deed:
    """Words typed into the list of what plays a part."""

    def deed(session: Session, panel: QWidget) -> None:
        row("setupTable", kind, number, column=1)(session, panel)
        turn_until_shown()
        (box,) = [found for found in panel.findChildren(ChoiceBox, "setupChoice") if found.isVisible()]
        if end == ESCAPE:
            QTest.keyClick(box.lineEdit(), ESCAPE)
            return
        at = box.findText(words)
        assert at >= 0, f"{words} is not offered"
        box.setCurrentIndex(at)
        box.activated.emit(at)

    return deed


def _folded(number: int) -> Deed:
    return lambda session, panel: panel.table.collapse(index_of(panel.table, (number,)))


PLAY_SETUP: dict[str, Deed] = {
    "driven by matching": click("matchingDrive"),
    "a weight": number("matching_feet_place", "2"),
    "in percent": number("matching_pull_most", "80"),
    "paces": typed("matching_paces", "0.5, 2"),
    "no numbers": typed("matching_bends", "left"),
    "steps as they are": click("matching_warp"),
    "as it came": click("matchingReset"),
    "kept by name": answered(entry("setupMenu", "Save as…"), "mine"),
    "another name": answered(entry("setupMenu", "Rename…"), "yours"),
    "no other name": answered(entry("setupMenu", "Rename…"), "theirs", "reject"),
    "clips that are searched": click("matchingClips"),
    "bones folded": _folded(1),
    "a part by hand": then(
        lambda session, panel: panel.table.expand(index_of(panel.table, (1,))), _part(1, 5, "foot_l")
    ),
    "nothing chosen": _part(1, 0, "", ESCAPE),
    "behaviours folded": _folded(0),
    "found by words": typed("setupSearch", "toe", None),
    "found where it is folded": typed("setupSearch", "breath", None),
    "found nowhere": typed("setupSearch", "nobody", None),
    "all": typed("setupSearch", "", None),
    "what is missing": click("setupOnlyMissing"),
    "everything": click("setupOnlyMissing"),
    "its numbers": click("setupPageMatching"),
    "its parts": click("setupPageParts"),
    "everything by name": chosen("setupChoiceBox", "Everything by name"),
    "the one kept": chosen("setupChoiceBox", "yours"),
    "the graph": click("setupAddGraph"),
    "taken back": undo,
    "deleted": entry("setupMenu", "Delete"),
    "narrow": wide(260, 400),
    "nothing shown": lambda session, panel: session.playback.set_clip(None, None),
}


# ------------------------------------------------------------ kept poses
def _no_pictures(session: Session, panel: QWidget) -> None:
    """Pictures come from the graphics card, and late."""
    panel.grid._image = lambda id: None


def _on_card(number: int, held: Qt.KeyboardModifier = pointer.NONE) -> Deed:
    return lambda session, panel: (
        panel.grid.setFocus(),
        pointer.tap(panel.grid, panel.grid.rect_of(number).center(), held),
    )


def _across(number: int, by: int, end: str = "release") -> Deed:
    """A drag over a card."""
    return lambda session, panel: moved(panel.grid, panel.grid.rect_of(number).center(), QPoint(by, 2), end)


def _half_way(session: Session, panel: QWidget) -> None:
    """A drag that goes on."""
    at = panel.grid.rect_of(1).center()
    pointer.press(panel.grid, at)
    for by in (2, 80):
        pointer.mouse(
            panel.grid, QEvent.Type.MouseMove, at + QPoint(by, 0), Qt.MouseButton.NoButton, pointer.LEFT
        )


def _given_up(session: Session, panel: QWidget) -> None:
    pointer.key(panel.grid, ESCAPE)
    pointer.let_go(panel.grid, panel.grid.rect_of(1).center())


def _card_menu(number: int, pick: str = "") -> Deed:
    def deed(session: Session, panel: QWidget) -> None:
        found = asked(panel.grid, panel.grid.rect_of(number).center())
        if pick:
            picked(found, pick)

    return deed


def _slide(by: int, end: str = "release") -> Deed:
    """The handle of the first pose's weight is dragged."""

    def deed(session: Session, panel: QWidget) -> None:
        (slider, _), *_ = panel.weights._rows.values()
        share = slider.value() / max(slider.maximum(), 1)
        at = QPoint(round(6 + share * (slider.width() - 12)), slider.height() // 2)
        moved(slider, at, QPoint(by, 0), end)

    return deed


def _masks(session: Session, panel: QWidget) -> None:
    session.edits.put("masks", replace(session.rig, masks={"upper": {"head": 1.0, "hand_l": 0.5}}))


POSES: dict[str, Deed] = {
    "without pictures": _no_pictures,
    "the whole body": then(bones(), click("savePose")),
    "of one bone": then(bones("head"), seek(20.0 / 30.0), click("savePose")),
    "the first is clicked": _on_card(0),
    "under the pointer": lambda session, panel: pointer.hover(panel.grid, panel.grid.rect_of(1).center()),
    "half of the second": _across(1, 80),
    "more than all": _across(1, 200),
    "a little shake": _across(1, 3),
    "under way": _half_way,
    "given up": _given_up,
    "the right button ends it": _across(1, 80, "right"),
    "two": _on_card(0, CTRL),
    "one again": _on_card(0, CTRL),
    "all between": _on_card(2, SHIFT),
    "the menu": _card_menu(2),
    "the menu of one that was not chosen": then(_on_card(0), _card_menu(2)),
    "renamed": answered(_card_menu(0, "Rename…"), "wave"),
    "tags": answered(_card_menu(0, "Tags…"), "arm, left"),
    "tags of another": answered(_card_menu(2, "Tags…"), "left"),
    "found by a tag": click("tag_left"),
    "all tags": click("tag_left"),
    "found by name": typed("poseSearch", "wav", None),
    "none found": typed("poseSearch", "nobody", None),
    "all found": typed("poseSearch", "", None),
    "replaced": then(_on_card(0), seek(40.0 / 30.0), click("updatePose")),
    "replaced by the menu": _card_menu(1, "Replace with current pose"),
    "further apart": number("poseSpacing", "25"),
    "a clip of two": then(_on_card(0), _on_card(1, CTRL), click("clipFromPoses")),
    "taken back": undo,
    "an asset": click("makePoseAsset"),
    "weighed": _slide(60),
    "weighed and given up": _slide(60, "escape"),
    "at another time": seek(0.0),
    "baked": lambda session, panel: click(_named(panel, "bake_"))(session, panel),
    "no asset": lambda session, panel: click(_named(panel, "deleteAsset_"))(session, panel),
    "masks": _masks,
    "through a mask": chosen("poseMask", "upper"),
    "applied": _on_card(1),
    "deleted by the key": key("poseGrid", DELETE),
    "by the menu": _card_menu(0, "Delete"),
    "narrow": wide(240, 300),
    "the last": _card_menu(0, "Delete"),
    "the pose shown": click("emptyButton"),
}


def _named(panel: QWidget, begin: str) -> str:
    """The name of the control that begins so."""
    return next(w.objectName() for w in panel.findChildren(QWidget) if w.objectName().startswith(begin))


# ------------------------------------------------------------ variables
def _variable_menu(name: str, pick: str = "") -> Deed:
    """The right button on a variable."""

    def deed(session: Session, panel: QWidget) -> None:
        found = asked(control(panel, f"variable.{name}"), QPoint(4, 12))
        if pick:
            picked(found, pick)

    return deed


def _pad(by: QPoint, end: str = "release") -> Deed:
    return lambda session, panel: moved(panel.pad, panel.pad.rect().center(), by, end)


def _pad_key(code: Qt.Key, held: Qt.KeyboardModifier = pointer.NONE) -> Deed:
    def deed(session: Session, panel: QWidget) -> None:
        panel.pad.setFocus()
        QTest.keyClick(panel.pad, code, held)

    return deed


def _pressed(code: Qt.Key) -> Deed:
    """The field of the key is clicked, then a key pressed."""

    def deed(session: Session, panel: QWidget) -> None:
        click("variableKey")(session, panel)
        pointer.key(control(panel, "variableKey"), code)

    return deed


def _gamepad(problem: str) -> Deed:
    """A gamepad is wanted on a machine that has none, or one."""

    def deed(session: Session, panel: QWidget) -> None:
        panel._gamepad.start = lambda: problem
        panel._gamepad._gamepad = None if problem else SimpleNamespace(name="Pad 1", close=lambda: None)
        entry("variableMore", "Use a gamepad")(session, panel)

    return deed


def _more(session: Session, panel: QWidget) -> None:
    """Variables of other kinds."""
    graph = panel.run.graph
    more = (
        Variable("jump", Kind.BOOL, minimum=0.0, maximum=1.0, role=Role.TRIGGER),
        Variable("wave", Kind.BOOL, minimum=0.0, maximum=1.0),
        Variable("look_place", Kind.VECTOR, default=(0.0, 1.5, 3.0), minimum=-100.0, maximum=100.0),
    )
    session.edits.put("More variables", replace(graph, variables=(*graph.variables, *more)))


VARIABLES: dict[str, Deed] = {
    "more of them": _more,
    "a number": click("variable.speed"),
    "another name": typed("variableName", "pace of it"),
    "no name": typed("variableName", ""),
    "a name that is taken": typed("variableName", "crouch"),
    "a unit": typed("variableUnit", "km/h"),
    "from": number("variableLow", "1"),
    "from beyond": number("variableLow", "9"),
    "at first": number("variableDefault0", "2"),
    "whole": chosen("variableKind", "Whole number"),
    "a key is wanted": click("variableKey"),
    "none": lambda session, panel: pointer.key(panel.settings.keys, ESCAPE),
    "a key": _pressed(Qt.Key.Key_K),
    "toggles": chosen("variableWay", "Toggle"),
    "no key": click("variableClearKeys"),
    "closed": click("variable.pace_of_it"),
    "a vector": click("variable.look_place"),
    "up at first": number("variableDefault1", "3"),
    "its y": number("value.look_place.y", "2.5"),
    "its z by a drag": drag("value.look_place.z", -20),
    "a trigger": click("variable.jump"),
    "lasts": number("variableBuffer", "0.5"),
    "on": click("switch.crouch"),
    "its own": then(click("variable.pace_of_it"), chosen("variableRole", "Own (update sheet)")),
    "its menu": _variable_menu("pace_of_it"),
    "an input": chosen("variableRole", "Input"),
    "back to its default": _variable_menu("look_place", "Back to its default"),
    "down": _variable_menu("crouch", "Move down"),
    "up": _variable_menu("crouch", "Move up"),
    "the menu at the top": _variable_menu("pace_of_it"),
    "at the bottom": _variable_menu("look_place"),
    "named by the menu": lambda session, panel: (
        _variable_menu("wave", "Rename")(session, panel),
        typed_into_focus("greet", RETURN),
    ),
    "deleted though in use": _variable_menu("pace_of_it", "Delete"),
    "and back": undo,
    "a list": entry("variableAdd", "List"),
    "its members": typed("variableMembers", "slow, fast , still"),
    "the third": lambda session, panel: _third(session, panel),
    "deleted": lambda session, panel: _variable_menu(panel._chosen[1], "Delete")(session, panel),
    "one more of its own": entry("variableAdd", "Own variable"),
    "up and down": chosen("padUp", "look_place.y"),
    "the pad": _pad(QPoint(30, -20)),
    "given up": _pad(QPoint(-30, 20), "escape"),
    "to 0": lambda session, panel: pointer.twice(panel.pad, QPoint(180, 60)),
    "an arrow": _pad_key(Qt.Key.Key_Right),
    "a small step": _pad_key(Qt.Key.Key_Up, SHIFT),
    "Home": _pad_key(Qt.Key.Key_Home),
    "springs": click("padSprings"),
    "and is let go": _pad(QPoint(30, -20)),
    "nothing up": chosen("padUp", "–"),
    "right alone": _pad(QPoint(30, -20)),
    "nothing at all": chosen("padAcross", "–"),
    "across again": chosen("padAcross", "look_place.x"),
    "the vector gone": then(click("variable.look_place"), chosen("variableKind", "On / off")),
    "no gamepad": _gamepad("no gamepad is there"),
    "a gamepad": _gamepad(""),
    "low": wide(300, 420),
    "stopped": lambda session, panel: panel.run.stop(),
}


def _third(session: Session, panel: QWidget) -> None:
    """The last of a list's members is chosen in its row."""
    (box,) = [w for w in panel.findChildren(QWidget) if w.objectName().startswith("list.") and w.isVisible()]
    box.setCurrentIndex(2)


# ------------------------------------------------------------ packed clips
def _edited(session: Session, panel: QWidget) -> None:
    session.clips.set_length(session.clip.id, 2.5)


def _ticked(number: int) -> Deed:
    """The box of a clip."""

    def deed(session: Session, panel: QWidget) -> None:
        rows = panel.settings.clips
        place = rows.visualItemRect(rows.item(number))
        pointer.tap(rows.viewport(), QPoint(place.left() + 10, place.center().y()))

    return deed


def _headed(column: int) -> Deed:
    """A click on a heading of the table of bones."""

    def deed(session: Session, panel: QWidget) -> None:
        header = panel.bones.header()
        at = QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)
        pointer.tap(header.viewport(), at)

    return deed


def _scrubbed(session: Session, panel: QWidget) -> None:
    port = panel.graph.viewport()
    moved(port, QPoint(120, 40), QPoint(100, 0))


def _by_key(session: Session, panel: QWidget) -> None:
    """The key of the comparison, tapped."""
    panel.context.actions.run("compile.compare")
    panel.held.drop()


COMPILE: dict[str, Deed] = {
    "compiled": click("compileShowB"),
    "ten times": chosen("compileFactor", "×10"),
    "in colours": click("compileColour"),
    "by the key": _by_key,
    "a bone": row("compileBones", 1, column=1),
    "under the pointer": lambda session, panel: pointer.hover(panel.bones, QPoint(60, 80)),
    "the next": key("compileBones", Qt.Key.Key_Down),
    "twice": row("compileBones", 0, double=True),
    "by name": _headed(0),
    "by frame": _headed(2),
    "by error": _headed(1),
    "scrubbed": _scrubbed,
    "no bone": bones(),
    "another error": number("compileMillimetres", "2"),
    "further out": number("compileShell", "10"),
    "steps": click("compileMore"),
    "resampled": click("compileResample"),
    "at fifteen": number("compileRate", "15"),
    "all bits": click("compile_quantise"),
    "every track": click("compile_drop_still"),
    "not resampled": click("compileResample"),
    "no steps": click("compileMore"),
    "ticked": chosen("compileWhich", "Ticked clips"),
    "another ticked": _ticked(1),
    "that one alone": _ticked(0),
    "packed too": click("compileStart"),
    "the other": row("compileLines", 1, column=1),
    "it changes": _edited,
    "all clips": chosen("compileWhich", "All clips"),
    "low": wide(300, 500),
    "no clip": clip_shown(None),
}

PANELS: dict[str, tuple[str, str, dict[str, Deed]]] = {
    "retarget": ("retarget", "after", RETARGET),
    "play_setup": ("play_setup", "full", PLAY_SETUP),
    "pose_library": ("pose_library", "plain", POSES),
    "variables": ("variables", "after", VARIABLES),
    "compile": ("compile", "after", COMPILE),
}
"""Panel, the stage at which it begins, and what happens to it then."""


@pytest.mark.parametrize("name", list(PANELS))
def test_work_in_a_panel_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"work-{name}", lambda: states_of(qapp, *PANELS[name], by_hand=True))
    assert not problem, problem
