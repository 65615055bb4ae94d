"""The playblast's sound box by mouse and by key: what is checked is asked of the recording and heard in the film."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from core.media.probe import probe
from core.media.sound import open_sound
from core.media.tracks import AudioTrack
from core.progress import Progress
from editor.model.media.state import Media
from editor.shell.playblast import run
from editor.shell.playblast.worker import work
from tests.editor.stage import WALK, stage
from tests.media_files import sine_wav

pytest.importorskip("imageio_ffmpeg")


@pytest.fixture
def here(qapp, tmp_path, monkeypatch):
    """A window with a clip that has a sound; recordings are made in this process, by the same function."""
    monkeypatch.setattr(run.helper, "run", lambda module, folder, what, progress: work(folder, progress))
    sound = AudioTrack("audio-1", "b.wav", str(sine_wav(tmp_path / "b.wav", 1.0)), WALK)
    with stage(qapp, "viewport") as made:
        made.session.document.replace(made.session.document.project.with_assets(sound), None)
        made.session.playback.set_clip(WALK)
        made.user.settle()
        yield made


def opened(here, path):
    """The sound box of the dialog, which would write this file."""
    here.user.press("Ctrl+Alt+P")
    here.user.type_into("playblastPath", str(path), enter=False)
    return here.user.find("playblastSound")


def asked(here):
    """Whether the recording that would start has sound."""
    return here.user.find("playblast")._task.sound


def by_mouse(here, box):
    here.user.click(box, QPointF(9.0, box.height() / 2))


def by_key(here, box):
    """Tab until the box is reached, then Space."""
    for _ in range(40):
        if box.hasFocus():
            break
        here.user.press("Tab")
    assert box.hasFocus(), "Tab does not reach it"
    here.user.press("Space", box)


@pytest.mark.parametrize("change", [by_mouse, by_key])
def test_the_box_says_whether_the_film_has_sound_and_is_remembered(here, tmp_path, change):
    before, count = here.session.document.project.assets, here.session.history.position
    box = opened(here, tmp_path / "a.mp4")
    first = box.isChecked()
    assert box.isEnabled() and asked(here) is first
    change(here, box)
    assert box.isChecked() is not first and asked(here) is not first
    change(here, box)
    assert asked(here) is first
    assert here.session.document.project.assets == before and here.session.history.position == count


def test_a_film_with_sound_is_heard(here, tmp_path):
    user, path = here.user, tmp_path / "a.mp4"
    box = opened(here, path)
    if not box.isChecked():
        by_mouse(here, box)
    span = user.find("playblastSpan")
    span.setFocus()
    while span.currentText() != "Frames":
        user.press("Down")
    user.type_into("playblastFirst", "0")
    user.type_into("playblastLast", "3")
    user.click("playblastStart")
    user.wait_until(lambda: not here.session.jobs.running, "the recording did not end")
    user.settle()
    assert probe(path).sound
    sound = open_sound(path)
    sound.decode(Progress())
    loudest = float(np.abs(np.array(sound.samples[: sound.count], np.float64)).max())
    sound.close()
    assert loudest > 0.1
    user.press("Esc")


def test_without_sound_the_box_is_disabled_and_says_why(here, tmp_path):
    box = opened(here, tmp_path / "a.gif")
    assert not box.isEnabled() and box.toolTip() == "Only MP4 has sound"
    here.user.type_into("playblastPath", str(tmp_path / "a.mp4"), enter=False)
    assert box.isEnabled()
    here.user.press("Esc")
    media = here.session.feature(Media)
    media.toggle(media.audio[0].id)
    box = opened(here, tmp_path / "a.mp4")
    assert not box.isEnabled() and "not muted" in box.toolTip() and asked(here) is False
