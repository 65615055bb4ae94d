"""Play on characters of other programs: opened as a person opens them, driven, and left as they were."""

from pathlib import Path

import numpy as np
import pytest

from core.io.native.write import to_bytes
from core.locomotion.controls import Key
from core.locomotion.setup import H
from editor.model.play.setups import Kind, PlaySetups
from editor.model.play.state import Play
from editor.model.session import Session

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"


@pytest.fixture
def session(tmp_path):
    made = Session.create(tmp_path / "config", tmp_path / "data")
    yield made
    made.close()


def opened(session, name: str):
    path = DATA / name
    if not path.is_file():
        pytest.skip("the shared rigs are not here")
    session.files.open(path)
    project = session.document.project
    session.playback.set_clip(project.clips[0].id)
    return project


def walk(play) -> None:
    play.controls.press(Key.AHEAD)
    for _ in range(90):
        play.advance(H)
    assert play.run.control.position[2] > 2.0
    assert np.isfinite(play.pose().local.translation).all()
    assert play.run.driven.numbers(play.run.state)["moves"] == "ahead"


@pytest.mark.parametrize("name", ["gltf/RobotExpressive.glb", "gltf/KayKit_Med_MovementBasic.glb"])
def test_a_character_of_another_program_walks_and_its_document_stays(session, name):
    before = to_bytes(opened(session, name))
    play, setups = session.feature(Play), session.feature(PlaySetups)
    assert play.start() and play.on
    walk(play)
    off = {one.name for one in setups.behaviours if not one.on}
    assert "lean" in off and "walk" not in off
    play.leave()
    assert session.display.source is None and not session.history.position
    assert to_bytes(session.document.project) == before


@pytest.mark.parametrize("name", ["fbx/pab_jog.fbx", "clients/blender501_Robot_Walking.fbx"])
def test_a_clip_whose_name_says_nothing_is_chosen_by_hand(session, name):
    project = opened(session, name)
    setups, play = session.feature(PlaySetups), session.feature(Play)
    assert not next(one for one in setups.behaviours if one.name == "walk").on
    setups.choose(Kind.CLIP, "walk", project.clips[0].id)
    before = to_bytes(session.document.project)
    assert play.start() and play.on
    walk(play)
    play.leave()
    assert to_bytes(session.document.project) == before
