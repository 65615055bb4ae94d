import sys

import pytest

from editor.model.screen import missing_screen, words

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has displays to name")


@linux
@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "neither DISPLAY nor WAYLAND_DISPLAY"),
        ({"QT_QPA_PLATFORM": "xcb"}, "neither DISPLAY nor WAYLAND_DISPLAY"),
        ({"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/nowhere"}, "/nowhere/wayland-9"),
        ({"DISPLAY": ":1"}, ""),
        ({"QT_QPA_PLATFORM": "offscreen"}, ""),
        ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, ""),
    ],
)
def test_missing_screen_is_told_from_the_environment(environment, said):
    assert (said in missing_screen(environment)) if said else missing_screen(environment) == ""


def test_words_name_the_reason_and_every_way_out():
    text = words("why not", "python3 dev.py run", ".venv/bin/posewright")
    for hint in ("why not", "ssh -X", "xvfb-run", "python3 dev.py run", ".venv/bin/posewright --help"):
        assert hint in text
