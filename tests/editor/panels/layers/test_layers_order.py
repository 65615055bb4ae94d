"""Layers dropped, moved and named by mouse: each entry of a layer's menu does what it says."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from core.blending.layer_stack import LayerMode
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.project.project import Project
from editor.model.drag_kinds import CLIP
from tests.editor.panels.layers.test_layers_panel import add, held, project, stack
from tests.editor.stage import stage


def with_additive() -> Project:
    """Clips to lay over, one of them additive."""
    from dataclasses import replace

    nod = replace(held("nod", "head", 5.0), additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST))
    return project().with_assets(nod)


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "layers", project=with_additive) as made:
        made.window.layouts.use("blend")
        made.window.show_panel("layers")
        made.user.settle()
        yield made


def drop(here, clip: str) -> None:
    """A clip dragged from the list onto the panel."""
    panel = here.window.docks["layers"].body.panel
    data = QMimeData()
    data.setData(CLIP, clip.encode())
    none, spot = Qt.KeyboardModifier.NoModifier, QPoint(30, 30)
    enter = QDragEnterEvent(spot, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    here.app.sendEvent(panel, enter)
    assert enter.isAccepted(), "the pointer shows that it can be dropped here"
    event = QDropEvent(QPointF(30, 30), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    panel.dropEvent(event)
    here.user.settle()


def names(here) -> list[str]:
    return [layer.name for layer in stack(here).layers]


def choose(here, layer: str, entry: str) -> None:
    here.user.click(f"layerMore.{layer}")
    here.user.choose_in_popup(entry)


def entries(here, button: str) -> dict[str, bool]:
    """What the menu of a button offers, and whether it can be chosen."""
    here.user.click(button)
    found = {action.text(): action.isEnabled() for action in QApplication.activePopupWidget().actions()}
    here.user.press("Esc")
    return found


@pytest.mark.parametrize(("clip", "mode"), [("wave", LayerMode.OVERRIDE), ("nod", LayerMode.ADDITIVE)])
def test_a_dropped_clip_is_a_layer_of_its_kind_in_one_step(here, clip: str, mode: LayerMode) -> None:
    steps = len(here.session.history.labels)
    drop(here, f"clip-{clip}")
    (layer,) = stack(here).layers
    assert (layer.name, layer.clip, layer.mode) == (clip, f"clip-{clip}", mode)
    assert len(here.session.history.labels) == steps + 1


def test_layers_are_moved_up_and_down_by_their_menu_and_back_by_undo(here) -> None:
    for clip in ("wave", "lean", "nod"):
        drop(here, f"clip-{clip}")
    assert names(here) == ["wave", "lean", "nod"]
    choose(here, "lean", "Move down")
    assert names(here) == ["lean", "wave", "nod"]
    choose(here, "lean", "Move up")
    assert names(here) == ["wave", "lean", "nod"]
    choose(here, "lean", "Move up")
    assert names(here) == ["wave", "nod", "lean"]
    assert here.session.history.labels[-1] == "Move layer lean"
    here.user.press("Ctrl+Z")
    assert names(here) == ["wave", "lean", "nod"]


def test_the_highest_layer_cannot_go_up_nor_the_lowest_down(here) -> None:
    for clip in ("wave", "lean"):
        drop(here, f"clip-{clip}")
    lean, wave = entries(here, "layerMore.lean"), entries(here, "layerMore.wave")
    assert (lean["Move up"], lean["Move down"]) == (False, True)
    assert (wave["Move up"], wave["Move down"]) == (True, False)
    assert names(here) == ["wave", "lean"]


def test_stretch_remove_and_go_to_of_the_menu_do_what_they_say(here) -> None:
    add(here, "wave")
    before = stack(here).layers[0].stretch
    choose(here, "wave", "Play at own speed" if before else "Stretch to the clip below")
    assert stack(here).layers[0].stretch is not before
    choose(here, "wave", "Remove layer")
    assert stack(here) is None
    add(here, "wave")
    choose(here, "wave", "Go to its clip")
    assert here.session.playback.clip == "clip-wave"


@pytest.mark.parametrize(
    ("entry", "left"), [("Merge down", ["wave", "nod"]), ("Merge into the clip", ["nod"])]
)
def test_a_layer_is_merged_with_the_one_below_or_with_all_of_them(here, entry: str, left: list[str]) -> None:
    for clip in ("wave", "lean", "nod"):
        drop(here, f"clip-{clip}")
    choose(here, "lean", entry)
    assert names(here) == left
    here.user.press("Ctrl+Z")
    assert names(here) == ["wave", "lean", "nod"]


def test_a_keyed_weight_can_be_made_constant_and_no_other(here) -> None:
    add(here, "wave")
    assert entries(here, "layerMore.wave")["Constant weight"] is False
    here.user.click("keyWeight.wave")
    assert entries(here, "layerMore.wave")["Constant weight"] is True
    choose(here, "wave", "Constant weight")
    assert entries(here, "layerMore.wave")["Constant weight"] is False


def test_the_highest_layer_is_listed_on_top_and_the_clip_below_all(here) -> None:
    for clip in ("wave", "lean", "nod"):
        drop(here, f"clip-{clip}")
    rows = [*(f"layer.{name}" for name in names(here)[::-1]), "hand.clip"]

    def heights() -> list[int]:
        return [here.user.find(row).mapTo(here.window, QPoint()).y() for row in rows]

    assert heights() == sorted(heights())
    choose(here, "nod", "Move down")
    rows[:2] = rows[1::-1]
    assert heights() == sorted(heights())
