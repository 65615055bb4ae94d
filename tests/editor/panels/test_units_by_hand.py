"""Millimetres and centimetres typed in panels are metres where the work is done."""

import pytest

from editor.model.compile_state import Compiling
from editor.panels.compile.panel import PANEL as COMPILE
from editor.panels.reduce import view_model
from editor.panels.reduce.view_model import ReduceModel, Scope
from tests.editor.actions import rich
from tests.editor.panel_stage import Stage
from tests.editor.user import User


def test_the_error_of_compiling_is_typed_in_millimetres_and_the_shell_in_centimetres(qapp) -> None:
    stage = Stage(qapp, rich.session())
    try:
        stage.add(COMPILE.create(stage.context))
        stage.show(420, 760)
        user = User(stage.window)
        user.type_into("compileMillimetres", "=0.25")
        user.type_into("compileShell", "=7")
        options = stage.session.feature(Compiling).options
        assert (options.metres, options.shell) == (pytest.approx(2.5e-4), pytest.approx(0.07))
        assert user.find("compileMillimetres").value == pytest.approx(0.25)
        assert user.find("compileShell").value == pytest.approx(7.0)
    finally:
        stage.close(qapp)


@pytest.fixture
def reducing(monkeypatch):
    """The model of the panel, and what the core was asked for."""
    session, asked = rich.session(), []
    real = view_model.reduce_clip

    def noted(rig, clip, metres, meshes, channels, *more):
        asked.append((metres, {channel.bone for channel in channels}))
        return real(rig, clip, metres, meshes, channels, *more)

    monkeypatch.setattr(view_model, "reduce_clip", noted)
    model = ReduceModel(session)
    yield session, model, asked
    model.close()
    session.close()


def test_the_distance_of_reducing_is_typed_in_millimetres(reducing) -> None:
    _, model, asked = reducing
    model.set_millimetres(2.5)
    assert model.begin()
    assert asked[-1][0] == pytest.approx(0.0025)
    assert model.outcome is None or model.outcome.millimetres <= 2.5


def test_locked_bones_are_not_reduced(reducing) -> None:
    session, model, asked = reducing
    session.selection.set_flag("locked", ["upper_arm_l"])
    assert model.begin()
    assert asked[-1][1] == {"pelvis", "lower_arm_l"}
    model.cancel()
    model.scope = Scope.ALL
    session.selection.set_flag("locked", ["upper_arm_l", "lower_arm_l", "pelvis"])
    assert not model.begin() and "locked" in session.messages.latest.text
