"""Delete in the pose library, in the real window: elsewhere it deletes the selected keys."""

import pytest

from core.pose.library import LibraryPose
from editor.model.posing import library
from editor.panels.pose_library.grid import PoseGrid
from tests.editor.stage import Stage, stage
from tests.editor.user import CTRL


@pytest.fixture
def here(qapp):
    with stage(qapp, "pose_library", "timeline", "clips") as made:
        made.window.show_panel("pose_library")
        for name in "abc":
            library.save_pose(made.session, name)
        made.user.settle()
        yield made


def names(here: Stage) -> str:
    return "".join(
        sorted(p.name for p in here.session.document.project.assets.values() if isinstance(p, LibraryPose))
    )


def keys(here: Stage) -> int:
    return sum(len(track) for track in here.session.clip.tracks.values())


def test_delete_removes_the_chosen_poses_and_no_key(here):
    grid = here.window.findChild(PoseGrid)
    here.user.click(grid, grid.rect_of(0).center(), modifiers=CTRL)  # the one saved last is chosen as well
    here.session.selection.select_keys({c: range(len(t)) for c, t in here.session.clip.tracks.items()})
    assert here.session.selection.keys
    before = keys(here)
    grid.setFocus()
    here.user.press("Del")
    assert names(here) == "b" and keys(here) == before
    here.user.press("Ctrl+Z")
    assert names(here) == "abc"
