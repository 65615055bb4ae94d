"""What stands still while a dialog is about it."""

import pytest

from tests.editor.stage import stage


@pytest.mark.parametrize(("action", "stands"), [("file.playblast", True), ("help.about", False)])
def test_a_playblast_is_set_up_while_nothing_plays(qapp, action: str, stands: bool) -> None:
    with stage(qapp, "clips") as here:
        here.session.playback.play()
        here.window.actions_registry.run(action)
        assert here.session.playback.playing is not stands


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_playblast_begins_with_the_colours_of_the_window(qapp, theme: str) -> None:
    with stage(qapp, "clips", theme=theme) as here:
        here.window.actions_registry.run("file.playblast")
        dialog = here.user.find("playblast")
        assert dialog._task is not None and dialog._task.light is (theme == "light")
