"""Setting up the mirror by mouse: the proposal, pairs by hand, the plane, conflicts."""

from dataclasses import replace

import pytest

from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import MirrorSetup
from core.rig.skeleton import Skeleton
from editor.panels.mirror.panel import PANEL
from editor.panels.mirror.view_model import WRONG_SIDE, MirrorLists
from tests.editor.panel_stage import Stage
from tests.editor.user import CTRL, User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.stage.show(360, 640)
        self.user, self.session = User(self.stage.window), self.stage.session

    @property
    def mirror(self) -> MirrorSetup:
        return self.session.rig.mirror

    def forget(self) -> None:
        """A rig that does not know its mirror yet."""
        self.session.edits.put("bare", replace(self.session.rig, mirror=MirrorSetup()))
        self.user.settle()


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_proposal_is_taken_by_one_click_and_one_undo(scene):
    known = scene.mirror
    scene.forget()
    scene.user.click("mirrorPropose")
    assert set(scene.mirror.pairs) == set(known.pairs)
    assert set(scene.mirror.axis_bones) == set(known.axis_bones)
    assert not scene.panel.propose.isEnabled()
    scene.session.undo()
    assert scene.mirror == MirrorSetup()


def test_two_bones_selected_become_a_pair_left_first(scene):
    scene.forget()
    scene.session.selection.select(["hand_r", "hand_l"])
    scene.user.click("mirrorPair")
    assert scene.mirror.pairs == (("hand_l", "hand_r"),)
    assert scene.session.history.labels[-1] == "Pair hand_l and hand_r"


def test_pair_of_one_bone_is_refused_with_a_reason(scene):
    scene.forget()
    scene.session.selection.select(["hand_r"])
    scene.user.click("mirrorPair")
    assert "exactly two bones" in scene.session.messages.latest.text


def test_row_of_a_pair_shows_its_bones_and_can_be_left_out(scene):
    scene.user.click_row("mirrorTree", "Pairs  6", "hand_l")
    assert set(scene.session.selection.bones) == {"hand_l", "hand_r"}
    scene.user.click("mirrorLeaveOut")
    assert ("hand_l", "hand_r") not in scene.mirror.pairs
    lists = MirrorLists(scene.session).lists()
    assert lists.leftovers == ("hand_l", "hand_r")
    assert lists.proposal_differs


def test_pair_is_turned_round_and_bones_are_put_on_the_plane(scene):
    scene.user.click_row("mirrorTree", "Pairs  6", "foot_l")
    scene.user.click("mirrorTurn")
    assert ("foot_r", "foot_l") in scene.mirror.pairs
    scene.session.undo()
    scene.user.settle()
    scene.user.click_row("mirrorTree", "Pairs  6", "foot_l")
    scene.user.click("mirrorAxisBones")
    assert {"foot_l", "foot_r"} <= set(scene.mirror.axis_bones)


def test_axis_is_changed_by_its_letter(scene):
    scene.user.click("mirrorAxisZ")
    assert scene.mirror.axis == 2
    scene.user.press("Ctrl+Z", "mirrorTree")
    assert scene.mirror.axis == 0


def test_filter_leaves_rows_that_hold_the_words(scene):
    scene.panel.search.setFocus()
    scene.user.type("calf")
    shown = [item.text(0) for item in scene.panel._rows() if not item.isHidden()]
    assert shown == ["calf_l"]


def test_empty_project_says_what_to_do(scene):
    scene.session.document.replace(Project(), None)
    scene.user.settle()
    assert scene.panel._empty.isVisible() and not scene.panel.tree.isVisible()


def test_conflicts_are_said_in_one_line_and_all_in_the_tip(scene):
    rig = scene.session.rig
    rest = rig.skeleton.rest
    places = rest.translation.copy()
    for name in ("thigh_r", "upper_arm_r"):
        places[rig.skeleton.index(name), 0] *= -1.0
    odd = Skeleton(rig.skeleton.names, rig.skeleton.parents, Transform(places, rest.rotation, rest.scale))
    scene.session.edits.put("odd rest", replace(rig, skeleton=odd))
    scene.user.settle()
    assert scene.panel._conflicts.isVisible()
    assert "rest on the same side" in scene.panel._conflicts.text()
    others = len(MirrorLists(scene.session).lists().conflicts) - 1
    assert others > 0 and scene.panel._conflicts.text().endswith(f" (and {others} more)")
    assert scene.panel._conflicts.toolTip().count("\n") + 1 == len(
        MirrorLists(scene.session).lists().conflicts
    )


def test_several_rows_are_turned_round_together(scene):
    scene.user.click_row("mirrorTree", "Pairs  6", "foot_l")
    scene.user.click_row("mirrorTree", "Pairs  6", "hand_l", modifiers=CTRL)
    scene.user.click("mirrorTurn")
    assert {("foot_r", "foot_l"), ("hand_r", "hand_l")} <= set(scene.mirror.pairs)
    assert ("calf_l", "calf_r") in scene.mirror.pairs


def test_rows_tell_how_sure_a_pair_is_and_how_far_from_the_reflection_weak_ones_first(scene):
    rig = scene.session.rig
    rest = rig.skeleton.rest
    places = rest.translation.copy()
    places[rig.skeleton.index("hand_r"), 0] -= 0.0123
    places[rig.skeleton.index("thigh_r"), 0] *= -1.0
    odd = Skeleton(rig.skeleton.names, rig.skeleton.parents, Transform(places, rest.rotation, rest.scale))
    scene.session.edits.put("odd rest", replace(rig, skeleton=odd))
    scene.user.settle()
    rows = {item.text(0): item for item in scene.panel._rows() if item.text(1)}
    lists = MirrorLists(scene.session).lists()
    for row in lists.pairs:
        item = rows[row.left]
        assert int(item.text(2).removesuffix(" %")) == round(100 * row.confidence)
        assert f"\n{1000 * row.apart:.1f} mm from" in item.toolTip(1)
    assert "12.3 mm" in rows["hand_l"].toolTip(0)
    weak = [row.confidence >= WRONG_SIDE for row in lists.pairs]
    shown = [lists.pairs[[r.left for r in lists.pairs].index(name)].confidence >= WRONG_SIDE for name in rows]
    assert False in weak and shown == sorted(weak)


def test_filter_of_two_words_leaves_rows_that_hold_both(scene):
    scene.panel.search.setFocus()
    scene.user.type("arm upper")
    assert [item.text(0) for item in scene.panel._rows() if not item.isHidden()] == ["upper_arm_l"]
    scene.user.type(" hand")
    assert all(item.isHidden() for item in scene.panel._rows())


@pytest.mark.parametrize(("count", "text"), [(1, "c0"), (2, "c0 (and 1 more)"), (3, "c0 (and 2 more)")])
def test_one_conflict_is_said_and_the_others_counted(scene, monkeypatch, count, text):
    lists = replace(MirrorLists(scene.session).lists(), conflicts=tuple(f"c{k}" for k in range(count)))
    monkeypatch.setattr(MirrorLists, "lists", lambda _: lists)
    scene.panel._show()
    assert scene.panel._conflicts.text() == text
