"""Clips of a played run and its inputs as files: names, spans, what is told, how far it is, and what is refused."""

from types import SimpleNamespace

import pytest

from core.clips.sample import sample
from core.errors import FormatError
from core.locomotion.controls import Key
from core.locomotion.setup import H
from core.progress import Progress
from editor.model.graph_run import export as run_export
from editor.model.play import inputs, making
from editor.model.play.baking import PlayBaking
from editor.model.play.inputs import PlayInputs
from editor.model.play.state import Play
from tests.editor.model.play.played import Waiting, light_session, played, told
from tests.light_character import light


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(making, "sdl", lambda: None)
    made = light_session()
    yield made
    made.close()


@pytest.fixture
def play(session) -> Play:
    """Twenty steps ahead, paused at the end."""
    made = played(session)
    made.controls.press(Key.AHEAD)
    for _ in range(20):
        made.step_once()
    told(made)
    return made


@pytest.fixture
def baking(session) -> PlayBaking:
    return session.feature(PlayBaking)


def made(session) -> list:
    """Clips that were not there at first, and what was said last."""
    return [clip for clip in session.document.project.clips if clip.id not in light().assets]


# ---------------------------------------------------------------- clips
def test_without_a_run_there_is_nothing_to_bake(session, baking, tmp_path) -> None:
    assert baking.span is None
    baking.new_clip()
    baking.export(tmp_path / "a.glb")
    assert [m.text for m in session.messages.log] == ["Nothing is recorded yet: play first"] * 2
    assert made(session) == [] and session.history.position == 0


def test_a_run_of_no_steps_has_no_span(session, baking) -> None:
    played(session)
    assert baking.span is None


def test_all_is_baked_where_no_span_is_chosen(play, baking) -> None:
    assert baking.span == (0, 20)
    play.set_span((3, 9))
    assert baking.span == (3, 9)


def test_a_clip_of_the_run_is_named_after_its_ground(session, play, baking) -> None:
    for name in ("played flat", "played flat 2", "played flat 3"):
        assert baking.free_name() == name
        baking.new_clip()
        clip = made(session)[-1]
        assert clip.name == name and clip.length == pytest.approx(20 * H)
        assert session.history.labels[-1] == f"New clip {name}"
        assert session.messages.latest.text == f"{name}: 0.33 s of the run as a clip"
    assert session.history.position == 3


def test_a_span_is_baked_from_its_first_step_on(session, play, baking) -> None:
    play.set_span((4, 16))
    play.goto(9)
    baking.new_clip()
    (clip,) = made(session)
    assert clip.length == pytest.approx(12 * H) and play.run.at == 9 and play.run.control.step == 9
    bone = session.rig.skeleton.index("thigh_l")
    for step in (4, 10, 16):
        play.goto(step)
        found = sample(session.rig, clip, (step - 4) * H).pose.rotations[bone]
        assert abs(float(found @ play.run.pose.rotations[bone])) == pytest.approx(1.0, abs=1e-3), step


def test_a_run_that_goes_on_meanwhile_leaves_the_clip_as_it_is(session, play, baking) -> None:
    session.jobs.runner = later = Waiting()
    baking.new_clip()
    play.controls.release_all()
    play.step_once()
    later.deliver()
    assert made(session)[0].length == pytest.approx(20 * H) and len(play.run) == 21


def test_a_clip_whose_character_is_gone_meanwhile_is_dropped(session, play, baking) -> None:
    session.jobs.runner = later = Waiting()
    baking.new_clip()
    session.document.replace(light().without(*light().assets), None)
    later.deliver()
    assert made(session) == [] and len(session.messages.log) == 0


def test_a_file_of_the_run_leaves_the_document(session, play, baking, tmp_path, monkeypatch) -> None:
    written = []
    monkeypatch.setattr(
        run_export, "save_clip", lambda project, clip, path: written.append((project, clip, path))
    )
    project = session.document.project
    baking.export(tmp_path / "walked.glb")
    ((of, clip, path),) = written
    assert of is project and clip.name == "walked" and path == tmp_path / "walked.glb"
    assert session.document.project is project
    assert session.messages.latest.text == f"{path} is written"


def test_progress_of_a_bake_is_told_each_second_of_the_run(session, play, monkeypatch) -> None:
    from core.locomotion import bake
    from editor.model.play.baking import _Part

    part, shares = _Part(play.run, (0, 20)), []
    monkeypatch.setattr(bake, "baked_states", lambda driven, states, id, name: (len(states), name))
    part._driven = SimpleNamespace(step=lambda state, given: state)
    part._inputs = part._inputs * 9
    assert part.clip("long", Progress(lambda share, _: shares.append(share))) == (181, "long")
    assert shares == [0.0, 0.5 * 60 / 180, 0.5 * 120 / 180]


# ---------------------------------------------------------------- inputs
def test_inputs_are_written_only_of_a_run(session, tmp_path) -> None:
    session.feature(PlayInputs).save(tmp_path / "inputs.json")
    assert not (tmp_path / "inputs.json").exists()


def test_inputs_of_a_file_are_played_on_their_ground_with_their_preset(session, play, tmp_path) -> None:
    files, file = session.feature(PlayInputs), tmp_path / "inputs.json"
    files.save(file)
    states = [state.to_bytes() for state in play.run.states(0, 20)]
    play.choices.choose_preset("sluggish")
    play.choices.choose_terrain("bumps")
    preferences = dict(session.preferences.get("play"))
    files.open(file)
    assert play.on and not play.running and (play.run.at, len(play.run)) == (0, 20)
    assert [state.to_bytes() for state in play.run.states(0, 20)] == states
    assert len(play.run.notes) == 21, "every step was seen"
    assert play.choices.preset == "normal" and play.choices.terrain_title == "inputs.json"
    assert play.choices.terrain is play.run.terrain and session.preferences.get("play") == preferences


def test_inputs_are_read_in_the_background_with_how_far_it_is(session, play, tmp_path) -> None:
    files, file = session.feature(PlayInputs), tmp_path / "inputs.json"
    files.save(file)
    session.jobs.runner = later = Waiting()
    run = play.run
    files.open(file)
    (job,) = session.jobs.running
    assert job.title == "Play the inputs of inputs.json" and play.run is run
    later.deliver()
    assert play.run is not run and session.jobs.running == ()


def test_progress_of_inputs_is_told_each_second_of_the_run(session, play, tmp_path, monkeypatch) -> None:
    recorded = SimpleNamespace(
        inputs=tuple(range(150)), setup=play.run.driven.setup.controller, terrain=play.run.terrain,
        place=(1.0, 0.0, 2.0), yaw=30.0,
    )  # fmt: skip
    asked, taken, jobs = [], [], []
    driven = SimpleNamespace(start=lambda place, yaw: (place, yaw))
    run = SimpleNamespace(step=taken.append)
    monkeypatch.setattr(inputs, "read_recording", lambda path: recorded)
    monkeypatch.setattr(inputs, "make_character", lambda *given: asked.append(given) or driven)
    monkeypatch.setattr(inputs, "Run", lambda *given: asked.append(given) or run)
    monkeypatch.setattr(session.jobs, "run", lambda title, work, done: jobs.append(work))
    session.feature(PlayInputs).open(tmp_path / "inputs.json")
    shares = []
    assert jobs[0](Progress(lambda share, _: shares.append(share))) is run
    assert shares == [0.0, 60 / 150, 120 / 150] and taken == list(range(150))
    rig = session.document.project.rigs[0]
    assert asked == [
        (session.document.project, rig, recorded.setup, recorded.terrain, None),
        (driven, recorded.terrain, ((1.0, 0.0, 2.0), 30.0)),
    ]  # fmt: skip


def test_without_a_character_inputs_are_not_played(session, play, tmp_path) -> None:
    files, file = session.feature(PlayInputs), tmp_path / "inputs.json"
    files.save(file)
    session.document.replace(light().without(*light().assets), None)
    files.open(file)
    assert play.run is None and session.jobs.running == ()
    file.write_text("{}")
    with pytest.raises(FormatError, match=r"inputs\.json"):
        files.open(file)
