"""Drags in the montage panel on a stand-in for the montages: shown, one step, the selection, Escape, snapping."""

import pytest

from editor.tools.montage.drag import BoxItems, Change, DragMontage, DragView, ScrubMontage
from editor.tools.pointer import Modifiers, Pointer

CTRL, SHIFT, NONE = Modifiers.CTRL, Modifiers.SHIFT, Modifiers.NONE


class Montages:
    def __init__(self):
        self.picked, self.shown, self.steps = ("a", "b"), [], []

    def preview(self, montage):
        self.shown.append(montage)

    def pick(self, *items):
        self.picked = items

    def put(self, label, montage):
        self.steps.append((label, montage))


def at(x, y=0.0, held=NONE):
    return Pointer(50.0 + x, 20.0 + y, modifiers=held)


def drag(picked=None, **more):
    montages, clicks = Montages(), []
    gesture = DragMontage(
        montages,
        "Move section",
        lambda p, snaps: Change((p.x, snaps), picked),
        lambda: clicks.append(1),
        **more,
    )
    gesture.begin(at(0.0))
    return montages, gesture, clicks


def test_a_drag_is_shown_and_is_one_step_with_its_selection():
    montages, gesture, clicks = drag(picked=("c",))
    gesture.move(at(1.0, 1.0))
    assert montages.shown == [] and montages.picked == ("a", "b")
    gesture.move(at(2.0))
    gesture.move(at(0.5))
    assert (
        montages.shown == [(52.0, True), (50.5, True)] and montages.picked == ("c",) and montages.steps == []
    )
    montages.picked = ("d",)
    gesture.finish(at(0.5))
    assert montages.steps == [("Move section", (50.5, True))] and montages.picked == ("c",) and clicks == []


def test_a_drag_that_says_nothing_of_the_selection_leaves_it():
    montages, gesture, _ = drag()
    gesture.move(at(9.0))
    gesture.finish(at(9.0))
    assert montages.picked == ("a", "b") and len(montages.steps) == 1


def test_a_press_alone_is_a_click_and_before_it_nothing_moves():
    montages, gesture, clicks = drag()
    gesture.finish(at(0.0))
    assert clicks == [1] and montages.steps == [] and montages.shown == []
    gesture = DragMontage(montages, "Move", lambda p, snaps: Change(p))
    gesture.move(at(99.0))
    gesture.finish(at(99.0))
    assert montages.shown == [] and montages.steps == []


def test_escape_shows_the_montage_and_the_selection_as_they_were():
    montages, gesture, clicks = drag(picked=("c",))
    gesture.move(at(9.0))
    gesture.cancel()
    assert montages.shown[-1] is None and montages.picked == ("a", "b")
    assert montages.steps == [] and clicks == []


@pytest.mark.parametrize("on", [True, False])
def test_ctrl_inverts_snapping(on):
    montages, gesture, _ = drag(snaps=lambda: on)
    gesture.move(at(9.0))
    gesture.move(at(9.0, held=CTRL))
    gesture.move(at(9.0, held=SHIFT))
    assert [snaps for _, snaps in montages.shown] == [on, not on, on]


def test_scrubbing_catches_frames_but_with_ctrl():
    seen = []

    class Preview:
        seek = staticmethod(seen.append)

    gesture = ScrubMontage(Preview, lambda x: x / 100.0, round)
    gesture.begin(at(20.0))
    gesture.move(at(80.0, held=CTRL))
    gesture.move(at(120.0))
    assert seen == [1, 1.3, 2]


def test_the_view_is_dragged_by_each_way_of_the_pointer():
    seen = []
    gesture = DragView(lambda dx, dy: seen.append((dx, dy)))
    gesture.move(at(7.0))
    gesture.begin(at(0.0))
    gesture.move(at(10.0, -4.0))
    gesture.move(at(13.0, 1.0))
    assert seen == [(10.0, -4.0), (3.0, 5.0)]


@pytest.mark.parametrize("more, kept", [(False, ()), (True, ("a", "b"))])
def test_a_box_selects_what_it_touches_alone_or_too(more, kept):
    montages, boxes, shown = Montages(), [], []

    def find(box):
        boxes.append(box)
        return ("b", "c")

    gesture = BoxItems(montages, find, shown.append, more)
    gesture.move(at(5.0))
    assert boxes == [] and montages.picked == ("a", "b")
    gesture.begin(at(0.0))
    assert montages.picked == kept
    for (x, y), box in (
        ((10.0, 8.0), (50.0, 20.0, 60.0, 28.0)), ((-10.0, -8.0), (40.0, 12.0, 50.0, 20.0)),
        ((-10.0, 8.0), (40.0, 20.0, 50.0, 28.0)),
    ):  # fmt: skip
        gesture.move(at(x, y))
        assert boxes[-1] == shown[-1] == box
    assert montages.picked == (("a", "b", "c") if more else ("b", "c"))
    gesture.finish(at(0.0))
    assert shown[-1] is None and montages.picked == (("a", "b", "c") if more else ("b", "c"))
    gesture.cancel()
    assert montages.picked == ("a", "b") and shown[-1] is None
