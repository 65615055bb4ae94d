"""The view takes the colours of another theme for all that it draws."""

import pytest

from editor.gl.colors import DARK, LIGHT, rgba
from editor.panels.source_view import panel as source_view
from editor.panels.viewport.panel import PANEL
from tests.editor.panel_stage import Stage


@pytest.fixture
def stage(qapp):
    made = Stage(qapp)
    yield made
    made.close(qapp)


def test_everything_drawn_is_tinted_by_the_theme(stage) -> None:
    panel = stage.add(PANEL.create(stage.context))
    stage.show(300, 200)
    scene = panel.model.scene
    for theme, colors in (("light", LIGHT), ("dark", DARK)):
        stage.theme.use(theme)
        tokens = stage.theme.tokens
        assert panel._colors == colors and scene.clay == colors.body
        assert scene.axis_colors == (colors.axis_x, colors.axis_y, colors.axis_z)
        assert scene.ghosts.tints == scene.trails.tints == (colors.ghost_before, colors.ghost_after)
        assert (
            scene.heat == scene.play.heat == tuple(rgba(t) for t in (tokens.ok, tokens.warning, tokens.error))
        )
        assert scene.pending_tint[:3] == rgba(tokens.pending)[:3]
        assert scene.ik.tints.accent == rgba(tokens.accent) and scene.ik.tints.warning == rgba(tokens.warning)


def test_the_source_is_tinted_by_the_theme(stage) -> None:
    panel = stage.add(source_view.PANEL.create(stage.context))
    stage.show(300, 200)
    for theme, colors in (("light", LIGHT), ("dark", DARK)):
        stage.theme.use(theme)
        assert panel._colors == colors and panel.model.clay == colors.body
