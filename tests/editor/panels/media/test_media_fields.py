"""Each field of the media panel by mouse and by key: the same value, one step, undo and redo exact."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtWidgets import QFileDialog

from core.errors import UnsupportedError
from core.media.tracks import CARD, AudioTrack, Placement, ReferenceTrack
from editor.model.media.state import Media
from tests.editor.stage import TURN, WALK, stage
from tests.media_files import sine_wav

SOUND = AudioTrack("audio-1", "b.wav", "b.wav", WALK, 0.2, 0.5)
IMAGE = ReferenceTrack(
    "reference-1", "shot_0001.png", "shot_0001.png", WALK, 0.2, 12.0, True, 0.6, Placement.CARD,
    CARD["x"], CARD["y"], CARD["size"],
)  # fmt: skip
FIELDS = [
    ("audio-1", "start", "12.5", 30.0, "Start"),
    ("audio-1", "volume", "80", 100.0, "Volume"),
    ("reference-1", "start", "-3", 30.0, "Start"),
    ("reference-1", "opacity", "35", 100.0, "Opacity"),
    ("reference-1", "x", "40", 100.0, "Middle, across"),
    ("reference-1", "y", "62.5", 100.0, "Middle, down"),
    ("reference-1", "size", "55", 100.0, "Height"),
    ("reference-1", "rate", "24", 1.0, "Images a second"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    pytest.importorskip("imageio_ffmpeg")
    image = pytest.importorskip("PIL.Image")
    folder = tmp_path_factory.mktemp("media")
    for number in range(1, 9):
        level = np.full((32, 48, 3), 20 * number, np.uint8)
        image.fromarray(level).save(folder / f"shot_{number:04d}.png")
    return str(sine_wav(folder / "b.wav", 0.4)), str(folder / "shot_0001.png")


@pytest.fixture
def here(qapp, files):
    with stage(qapp, "timeline", "media") as made:
        media = made.session.feature(Media)

        def none():
            raise UnsupportedError("this system has no sound output")

        media.player.open_device = none
        for path in files:
            media.files.allow(path)
        made.session.edits.put("Two tracks", replace(SOUND, path=files[0]), replace(IMAGE, path=files[1]))
        made.user.wait_until(lambda: all(media.seconds(track) is not None for track in media.tracks))
        # a sound is as long as what is decoded of it: nothing at first
        made.user.wait_until(lambda: not any(media.files.opening(t, media.rate) for t in media.tracks))
        made.window.show_panel("media")
        made.user.settle()
        yield made


def assets(here):
    return dict(here.session.document.project.assets)


def track(here, id):
    return here.session.feature(Media).track(id)


def pick(here, id):
    """Click the row of a track."""
    rows = here.user.find("mediaList")
    here.user.click_row(rows, track(here, id).name)
    assert here.session.feature(Media).chosen_track.id == id


def exact(here, before, count):
    """The change was one step; undo and redo give the very assets of before and after."""
    after, history = assets(here), here.session.history
    assert history.position == count + 1 and after != before
    here.user.press("Ctrl+Z")
    assert assets(here) == before
    here.user.press("Ctrl+Shift+Z")
    assert assets(here) == after
    here.user.press("Ctrl+Z")
    assert assets(here) == before


@pytest.mark.parametrize(("id", "name", "text", "factor", "title"), FIELDS)
def test_a_field_is_typed_into_dragged_and_taken_back(here, id, name, text, factor, title):
    user, media = here.user, here.session.feature(Media)
    pick(here, id)
    field = user.find(f"media_{name}")
    before, count, old = assets(here), here.session.history.position, getattr(track(here, id), name)
    assert field.value == pytest.approx(old * factor)
    # by key: the number that was typed, nothing else of the track
    user.type_into(field, text)
    assert getattr(track(here, id), name) == pytest.approx(float(text) / factor)
    assert replace(track(here, id), **{name: old}) == before[id]
    assert here.session.history.undo_label == f"{title} of {before[id].name}"
    exact(here, before, count)
    assert field.value == pytest.approx(old * factor)
    # by mouse: shown while it is dragged, kept when it ends, half a unit for each pixel
    middle = QPointF(field.rect().center())
    seen = []

    def during():
        assert assets(here) == before
        seen.append(getattr(track(here, id), name))

    user.drag(field, middle, middle + QPointF(20, 0), during=during)
    assert seen == [getattr(track(here, id), name)] == [pytest.approx((old * factor + 10.0) / factor)]
    assert replace(track(here, id), **{name: old}) == before[id]
    exact(here, before, count)
    # Escape during a drag gives back what was there, and makes no step
    user.drag(field, middle, middle + QPointF(20, 0), release=False)
    assert getattr(track(here, id), name) != old
    user.press("Esc", field)
    user.release_mouse(middle)
    assert assets(here) == before and here.session.history.position == count
    assert media.track(id) == before[id] and field.value == pytest.approx(old * factor)


@pytest.mark.parametrize(
    ("id", "name", "text"),
    [
        ("audio-1", "volume", "401"),
        ("audio-1", "start", "nan"),
        ("reference-1", "opacity", "-1"),
        ("reference-1", "size", "1"),
        ("reference-1", "rate", "1001"),
        ("reference-1", "x", "1/0"),
        ("reference-1", "y", "left"),
    ],
)
def test_a_number_out_of_bounds_is_not_taken(here, id, name, text):
    pick(here, id)
    before, count = assets(here), here.session.history.position
    here.user.type_into(f"media_{name}", text)
    here.user.press("Esc")
    assert assets(here) == before and here.session.history.position == count


@pytest.mark.parametrize("id", ["audio-1", "reference-1"])
def test_with_every_clip_by_mouse_and_by_key(here, id):
    user, media = here.user, here.session.feature(Media)
    pick(here, id)
    box = user.find("mediaEvery")
    assert box.isEnabled() and not box.isChecked()
    before, count = assets(here), here.session.history.position
    for by_key in (False, True):
        assert not box.hasFocus(), "Space still plays after a click"
        if by_key:
            box.setFocus(Qt.FocusReason.TabFocusReason)
            user.press("Space", box)
        else:
            user.click(box, QPointF(9.0, box.height() / 2))
        assert box.isChecked(), "key" if by_key else "mouse"
        assert track(here, id) == replace(before[id], clip=None)
        here.session.playback.set_clip(TURN)
        user.settle()
        assert [shown.id for shown in media.tracks] == [id]
        here.session.playback.set_clip(WALK)
        user.settle()
        exact(here, before, count)
        assert not box.isChecked()


def test_the_place_is_chosen_by_mouse_and_by_key(here):
    user = here.user
    pick(here, "reference-1")
    place = user.find("mediaPlace")
    assert place.currentText() == "Card in front"
    before, count = assets(here), here.session.history.position
    user.click(place)
    user.click_row(place.view(), "Behind the character")
    first = track(here, "reference-1")
    assert first.placement is Placement.BEHIND and place.currentText() == "Behind the character"
    exact(here, before, count)
    assert place.currentText() == "Card in front"
    place.setFocus(Qt.FocusReason.TabFocusReason)
    user.press("Up", place)
    assert track(here, "reference-1") == first
    exact(here, before, count)


def test_a_row_is_muted_and_hidden_by_a_double_click_and_in_the_strip(here):
    user = here.user
    rows, strip = user.find("mediaList"), user.find("mediaStrip")
    for id, word, value in (("audio-1", "muted", True), ("reference-1", "shown", False)):
        before, count = assets(here), here.session.history.position
        user.click_row(rows, before[id].name, double=True)
        assert track(here, id) == replace(before[id], **{word: value})
        exact(here, before, count)
        user.click(strip, strip.switch_of(track(here, id)).center())
        assert track(here, id) == replace(before[id], **{word: value})
        exact(here, before, count)


@pytest.mark.parametrize("key", ["Delete", "Backspace"])
@pytest.mark.parametrize("id", ["audio-1", "reference-1"])
def test_a_track_is_removed_by_its_button_and_by_key_in_the_strip(here, id, key):
    user, strip = here.user, here.user.find("mediaStrip")
    pick(here, id)
    before, count = assets(here), here.session.history.position
    user.click("mediaRemove")
    assert id not in assets(here) and len(assets(here)) == len(before) - 1
    exact(here, before, count)
    user.click(strip, strip.rect_of(track(here, id)).center())
    user.press(key, strip)
    assert id not in assets(here) and len(assets(here)) == len(before) - 1
    exact(here, before, count)


@pytest.mark.parametrize("id", ["audio-1", "reference-1"])
def test_a_drag_in_the_strip_is_of_whole_frames_with_shift_of_any_and_taken_back(here, id):
    user, strip = here.user, here.user.find("mediaStrip")
    before, count = assets(here), here.session.history.position
    rect = strip.rect_of(track(here, id))
    frame = rect.width() / here.session.feature(Media).seconds(track(here, id)) / 30.0
    start = rect.center()
    user.drag(strip, start, start + QPointF(round(frame * 2.4), 0))
    assert track(here, id) == replace(before[id], start=8 / 30)
    exact(here, before, count)
    shift = Qt.KeyboardModifier.ShiftModifier
    user.drag(strip, start, start + QPointF(round(frame * 2.4), 0), modifiers=shift)
    frames = (track(here, id).start - 0.2) * 30
    assert frames == pytest.approx(round(frame * 2.4) / frame, abs=1.01 / frame) and frames != round(frames)
    exact(here, before, count)
    user.drag(strip, start, start + QPointF(40, 0), release=False)
    assert track(here, id).start != 0.2
    user.press("Esc", strip)
    user.release_mouse(start)
    assert assets(here) == before and here.session.history.position == count
    assert track(here, id) == before[id]


@pytest.mark.parametrize(("id", "switch"), [("audio-1", "Mute or unmute"), ("reference-1", "Show or hide")])
def test_the_strip_says_what_its_switch_and_its_bars_do(here, id, switch):
    user, strip = here.user, here.user.find("mediaStrip")
    user.move(strip, strip.switch_of(track(here, id)).center())
    assert strip.toolTip() == switch
    user.move(strip, strip.rect_of(track(here, id)).center())
    assert strip.toolTip().splitlines() == [
        track(here, id).path, "Drag it to another start; Delete removes it from the clip"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("id", "word", "on", "off"),
    [("audio-1", "muted", "audio", "muted"), ("reference-1", "shown", "show", "hide")],
)
def test_the_list_has_the_sign_of_what_is_heard_and_seen(here, id, word, on, off):
    rows, theme = here.user.find("mediaList"), here.theme

    def sign():
        number = [t.id for t in here.session.feature(Media).tracks].index(id)
        return rows.topLevelItem(number).icon(0).pixmap(QSize(16, 16)).toImage()

    def icon(name, token):
        return theme.icon(name, token).pixmap(QSize(16, 16)).toImage()

    assert icon(on, "text") != icon(off, "dim")
    assert sign() == icon(on, "text")
    here.user.click_row(rows, track(here, id).name, double=True)
    assert getattr(track(here, id), word) is (word == "muted")
    assert sign() == icon(off, "dim")
    here.user.press("Ctrl+Z")
    assert sign() == icon(on, "text")


@pytest.mark.parametrize(
    ("id", "own", "other"), [("audio-1", "*.flac", "*.png"), ("reference-1", "*.png", "*.flac")]
)
def test_another_file_is_chosen_among_those_of_the_kind(here, id, own, other):
    pick(here, id)
    here.user.click("mediaChooseAnother")
    dialog = here.window.findChild(QFileDialog)
    first = dialog.nameFilters()[0]
    assert own in first and other not in first
    assert dialog.windowTitle() == f"Another file for {track(here, id).name}"
    assert Path(dialog.directory().path()) == Path(track(here, id).path).parent
    dialog.reject()
    here.user.settle()


@pytest.mark.parametrize("start", [0.0, 0.2, 0.5])
def test_a_waveform_is_drawn_where_its_sound_is_heard(here, start):
    """Within the bar, over all of its length, however far along the clip it begins."""
    media, strip = here.session.feature(Media), here.user.find("mediaStrip")
    media.set("audio-1", "Start", start=start)
    here.user.settle()
    rect = strip.rect_of(track(here, "audio-1"))
    picture = here.user.picture(strip)
    ratio = strip.devicePixelRatioF()
    rows = slice(round((rect.top() + 3) * ratio), round((rect.bottom() - 3) * ratio))
    for share in (0.1, 0.5, 0.9):
        column = picture[rows, round((rect.left() + share * rect.width()) * ratio)]
        assert len(np.unique(column, axis=0)) > 1, f"no waveform at {share:.0%} of the sound"
