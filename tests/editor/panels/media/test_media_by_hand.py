"""Audio and reference footage by mouse and by key: added, moved, muted, placed, removed; undo and redo are exact."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFileDialog

from core.errors import UnsupportedError
from core.io import load, save
from core.media.tracks import AudioTrack, Placement, ReferenceTrack
from editor.gl.viewport_widget import ViewportWidget
from editor.model.media.device import CountedDevice
from editor.model.media.state import Media
from editor.panels.viewport.widget import ViewportPanel
from tests.editor.stage import TURN, WALK, stage
from tests.media_files import counted_movie, counted_wav, number_in, seconds_in, sine_wav

pytest.importorskip("imageio_ffmpeg")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("media")
    return (
        counted_wav(folder / "line.wav", 0.8),
        counted_movie(folder / "take.mp4", 20),
        sine_wav(folder / "b.wav", 0.2),
    )


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "timeline", "media", "history") as made:

        def none():
            raise UnsupportedError("this system has no sound output")

        made.session.feature(Media).player.open_device = none
        yield made


def choose(here, keys, path):
    """Press the keys of an action that asks for a file, and name one."""
    here.user.press(keys)
    here.user.settle()
    dialog = here.window.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit([str(path)])
    dialog.reject()
    here.user.settle()
    media = here.session.feature(Media)
    here.user.wait_until(lambda: not any(media.files.opening(t, media.rate) for t in media.tracks))
    here.user.settle()


def steps(here):
    return here.session.history.position


def exact(here, before, after):
    """Undo and redo give the very projects of before and after."""
    here.user.press("Ctrl+Z")
    assert here.session.document.project.assets == before.assets
    here.user.press("Ctrl+Shift+Z")
    assert here.session.document.project.assets == after.assets


def test_sound_is_added_dragged_muted_nudged_and_removed(here, files):
    media, user = here.session.feature(Media), here.user
    empty = here.session.document.project
    choose(here, "Ctrl+Alt+U", files[0])
    (track,) = media.audio
    assert (track.name, track.clip, track.start) == ("line.wav", WALK, 0.0)
    exact(here, empty, here.session.document.project)
    strip = user.find("mediaStrip")
    assert strip.isVisible()
    # its waveform is drawn where the sound is, once it is decoded
    user.wait_until(lambda: (media.seconds(track) or 0.0) > 0.79, "the sound's length is never known")
    rect = strip.rect_of(media.audio[0])
    image = strip.grab().toImage()
    ratio = image.devicePixelRatio()
    column = [
        image.pixel(int((rect.left() + 30) * ratio), int(y * ratio)) for y in range(2, int(rect.bottom()))
    ]
    assert len(set(column)) > 1
    # drag: whole frames, one step; Escape takes it back
    before = here.session.document.project
    wide = here.window.findChild(type(strip), "mediaStrip")
    scale = (strip.rect_of(track).width()) / 0.8
    start, end = (
        QPointF(rect.left() + 40, rect.center().y()),
        QPointF(rect.left() + 40 + scale * 0.2, rect.center().y()),
    )
    user.drag(wide, start, end)
    assert media.audio[0].start == pytest.approx(6 / 30, abs=1.01 / 30)
    assert media.audio[0].start * 30 == pytest.approx(round(media.audio[0].start * 30))
    exact(here, before, here.session.document.project)
    # mute by a click on its sign, unmute by key
    user.click(strip, strip.switch_of(media.audio[0]).center())
    assert media.audio[0].muted and not media.player.mixer.voices
    user.press("Ctrl+Alt+Q")
    assert not media.audio[0].muted and len(media.player.mixer.voices) == 1
    # nudge, and start at the playhead
    begun = media.audio[0].start
    user.press("Ctrl+Alt+.")
    assert media.audio[0].start == pytest.approx(begun + 1 / 30)
    here.frame(9)
    user.press("Ctrl+Alt+K")
    assert media.audio[0].start == pytest.approx(0.3)
    # Delete in the strip removes the track, not keys
    count = steps(here)
    user.click(strip, strip.rect_of(media.audio[0]).center())
    user.press("Delete", strip)
    assert not media.tracks and steps(here) == count + 1 and not strip.isVisible()
    user.press("Ctrl+Z")
    assert len(media.audio) == 1


def test_reference_is_shown_at_its_frame_and_placed(here, files):
    media, user = here.session.feature(Media), here.user
    panel = here.window.findChild(ViewportPanel)
    choose(here, "Ctrl+Alt+E", files[1])
    (track,) = media.references
    here.frame(7)

    def number():
        shown = panel.model.draw_list().pictures
        return number_in(shown[0].source.pixels) if shown else None

    user.wait_until(lambda: number() == 7)
    here.frame(25)
    assert number() is None  # the footage is over
    here.window.show_panel("media")
    user.settle()
    user.type_into("media_start", "10")
    assert media.references[0].start == pytest.approx(10 / 30)
    user.wait_until(lambda: number() == 15)
    for keys, opacity in (("Ctrl+Alt+Up", 0.7), ("Ctrl+Alt+Down", 0.6)):
        user.press(keys)
        assert media.references[0].opacity == pytest.approx(opacity)
    before = here.session.document.project
    user.press("Ctrl+Alt+C")
    assert media.references[0].placement is Placement.CARD
    assert not panel.model.draw_list().pictures[0].behind
    exact(here, before, here.session.document.project)
    view = here.window.findChild(ViewportWidget)
    user.type_into("media_opacity", "100")
    user.settle()
    left, top, right, bottom = panel.model.draw_list().pictures[0].place
    user.wait_until(lambda: number() == 15)
    image = view.shown_image()
    row = int((top + bottom) / 2)
    middles = {bit: int(left + (bit + 0.5) * (right - left) / 12) for bit in range(6)}
    seen = {bit: image.pixelColor(x, row).green() > 126 for bit, x in middles.items() if x > 0}
    assert len(seen) > 2 and seen == {bit: bool(15 >> bit & 1) for bit in seen}
    user.press("Ctrl+Alt+F")
    assert not panel.model.draw_list().pictures
    user.press("Ctrl+Alt+F")
    here.session.playback.set_clip(TURN)
    user.settle()
    assert not media.tracks
    user.press("Ctrl+Z")


def test_a_missing_file_is_shown_and_another_chosen_keeps_the_rest(here, files, tmp_path):
    media, user = here.session.feature(Media), here.user
    lost = tmp_path / "lost" / "gone.wav"
    track = AudioTrack("audio-1", "gone.wav", str(lost), WALK, 0.25, 0.5)
    project = here.session.document.project.with_assets(track)
    save(project, tmp_path / "shot.posewright")
    here.load(load(tmp_path / "shot.posewright").project)
    user.wait_until(lambda: bool(media.problem(media.audio[0])))
    assert media.problem(media.audio[0]) == "the file is missing"
    here.window.show_panel("media")
    user.settle()
    assert "The file is missing" in user.find("mediaList").topLevelItem(0).text(2)
    user.click("mediaChooseAnother")
    dialog = here.window.findChild(QFileDialog)
    dialog.filesSelected.emit([str(files[2])])
    dialog.reject()
    user.wait_until(lambda: media.seconds(media.audio[0]) is not None)
    found = media.audio[0]
    assert (found.path, found.name, found.start, found.volume) == (str(files[2]), "b.wav", 0.25, 0.5)
    user.press("Ctrl+Z")
    assert media.audio[0] == track
    text = tmp_path / "text.mp4"
    text.write_text("no movie")
    media.add_reference(text)
    user.wait_until(lambda: bool(media.problem(media.references[0])))
    assert "cut off" in media.problem(media.references[0])


def test_without_a_device_a_hint_and_with_one_the_sound_of_the_playhead(here, files):
    media, user = here.session.feature(Media), here.user
    media.add_audio(files[0])
    user.wait_until(lambda: media.seconds(media.audio[0]) is not None and not here.session.jobs.running)
    here.session.playback.seek(0.1)
    user.wait_until(lambda: bool(media.player.problem))
    assert any("no sound output" in message.text for message in here.session.messages.log)
    assert all("no sound output" not in m.text or m.level == 0 for m in here.session.messages.log)
    heard = []
    device = CountedDevice(lambda moment, block: heard.append((moment, block)))
    media.player.open_device = lambda: device
    here.session.switches.set("sound", True)
    here.window.actions_registry.run("media.sound_device")
    user.wait_until(lambda: media.player._device is device)
    device.pump(0.0)
    here.frame(12)
    device.pump(0.2)
    loud = [block for _, block in heard if block.any()]
    assert seconds_in(loud[0][300]) == pytest.approx(0.4 + 300 / 48_000, abs=2e-3)
    heard.clear()
    here.session.switches.set("scrub_sound", False)
    device.pump(1.0)
    heard.clear()
    here.frame(3)
    device.pump(1.2)
    assert not any(np.any(block) for _, block in heard)
    here.session.switches.set("scrub_sound", True)


def test_a_clip_is_deleted_with_its_tracks(here, files):
    media = here.session.feature(Media)
    media.add_audio(files[0])
    clips = here.session.clips
    assert not clips.why_not_delete(WALK)
    clips.delete(WALK)
    assert not here.session.document.project.all(AudioTrack)
    here.user.press("Ctrl+Z")
    assert len(here.session.document.project.all(AudioTrack)) == 1
    assert not here.session.document.project.all(ReferenceTrack)


def test_keys_of_text_fields_stay_theirs(here, files):
    """Delete in a field of the panel edits the field."""
    media = here.session.feature(Media)
    media.add_audio(files[0])
    here.window.show_panel("media")
    here.user.settle()
    field = here.user.find("media_start")
    field.edit()
    here.user.press("Delete")
    assert len(media.audio) == 1
    here.user.press("Esc")
    assert field.focusPolicy() is not Qt.FocusPolicy.NoFocus
