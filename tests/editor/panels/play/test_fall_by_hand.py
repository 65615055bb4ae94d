"""A person lets the character fall on the stairs, hits it with the mouse, goes back into the fall: equal bytes."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.locomotion.driven import standing
from core.locomotion.fall import Phase
from core.math import transform
from core.pose import kinematics
from core.project.project import Project
from editor.gl import camera as cameras
from editor.model.play.state import Play
from editor.panels.viewport.play_driver import PlayDriver
from tests.editor.panels.play.played import enter, held, light, run_for, whole
from tests.editor.stage import stage

PANELS = ("viewport", "clips", "play", "play_run")
GET_UPS = ("get up back", "get up front", "get up side")


def falling() -> Project:
    """The sample's character with a few clips, those to get up by among them, and no graph."""
    few = light(*GET_UPS)
    return few.with_assets(*whole().meshes_of(few.rigs[0].id))


@pytest.fixture
def here(qapp, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)  # time goes on by `run_for` alone
    with stage(qapp, *PANELS, project=falling) as made:
        yield made
        made.session.feature(Play).stop()


def tap(here, key: Qt.Key) -> None:
    with held(here, key):
        run_for(here, 1 / 60)


def phase(play) -> Phase:
    return play.run.state.fall.phase


def test_drop_on_the_stairs_get_up_and_play_again_from_the_middle_of_the_fall(here):
    play = enter(here)
    play.choices.choose_terrain("stairs")
    here.user.wait_until(lambda: play.choices.terrain.name == "stairs" and not play.preparing)
    run_for(here, 0.2)
    with held(here, Qt.Key.Key_W):
        run_for(here, 1.2)
    before = play.run.control.position[1]
    tap(here, Qt.Key.Key_X)
    assert phase(play) is Phase.FALLING
    begun = len(play.run)
    seen = {Phase.FALLING}
    for _ in range(40):
        run_for(here, 0.25)
        seen.add(phase(play))
        if phase(play) is Phase.STANDING:
            break
    assert seen == {Phase.FALLING, Phase.RISING, Phase.STANDING}
    assert (
        play.run.control.position[1] > -0.01 and before > 0.1
    )  # it fell on the stairs, and stands on something
    end = len(play.run)
    middle = begun + 20
    wanted = [play.run.recording.state_at(n).to_bytes() for n in range(middle, end + 1, 10)]
    play.goto(middle)
    assert phase(play) is Phase.FALLING
    again = play.run.state
    found = []
    for number in range(middle, end + 1):
        if (number - middle) % 10 == 0:
            found.append(again.to_bytes())
        if number < end:
            again = play.run.driven.step(again, play.run.recording.inputs[number])
    assert found == wanted
    run_for(here, 0.5)  # the view plays what is recorded
    assert play.run.at == middle + 30
    assert play.run.state.to_bytes() == wanted[3]


def test_click_on_the_chest_pushes_it_and_it_comes_back(here):
    play = enter(here)
    run_for(here, 0.3)
    view = here.user.find("viewport")
    panel = next(w for w in (view, *parents(view)) if hasattr(w, "model"))
    head, chest = (here.session.rig.skeleton.index(name) for name in ("head", "spine_05"))

    def placed(bone: int) -> np.ndarray:
        state, pose = play.run.control, play.run.pose
        model = kinematics.model_matrices(here.session.rig.skeleton, pose.local)
        return (transform.to_matrix(standing(state)) @ model[bone])[:3, 3]

    still = placed(head)
    size = panel.view.view_size
    at, _ = cameras.project(panel.model.camera, placed(chest), size)
    here.user.click(panel.view, (float(at[0]), float(at[1])))
    moved = 0.0
    for _ in range(20):
        run_for(here, 1 / 60)
        moved = max(moved, float(np.linalg.norm(placed(head) - still)))
    assert play.run.recording.inputs and any(given.blow for given in play.run.recording.inputs)
    assert moved > 0.02 and phase(play) is Phase.STANDING
    run_for(here, 2.0)
    assert np.linalg.norm(placed(head) - still) < 0.03


def test_pull_that_is_escaped_deals_no_blow(here):
    play = enter(here)
    run_for(here, 0.2)
    view = here.user.find("viewport")
    panel = next(w for w in (view, *parents(view)) if hasattr(w, "model"))
    place = np.array(play.run.control.position) + (0.0, 1.3, 0.0)
    at, _ = cameras.project(panel.model.camera, place, panel.view.view_size)
    start = float(at[0]), float(at[1])
    here.user.drag(panel.view, start, (start[0] + 60, start[1]), release=False)
    assert panel.model.gestures.current is not None
    panel.model.cancel()
    here.user.release_mouse((start[0] + 60, start[1]))
    run_for(here, 0.1)
    assert not any(given.blow for given in play.run.recording.inputs)


def parents(widget):
    while (widget := widget.parentWidget()) is not None:
        yield widget
