"""What the media panel says of the tracks. Free of Qt."""

from dataclasses import dataclass
from math import isfinite

from core.ids import AssetId
from core.media.tracks import AudioTrack, Track
from core.timing import frame_text, rate_text
from editor.model.i18n import sentence, tr, trn
from editor.model.media.state import Media

AUDIO_FILES = "*.wav *.mp3 *.flac *.ogg *.m4a *.aac *.aif *.aiff *.opus *.wma"
VIDEO_FILES = "*.mp4 *.mov *.m4v *.mkv *.webm *.avi *.mpg *.mpeg *.wmv *.gif *.mxf"
PICTURE_FILES = "*.png *.jpg *.jpeg *.tif *.tiff *.bmp *.tga *.exr *.webp *.dpx"


def filters(audio: bool) -> list[str]:
    """Name filters of what can be chosen."""
    every = tr("All files") + " (*)"
    if audio:
        return [tr("Audio and video") + f" ({AUDIO_FILES} {VIDEO_FILES})", every]
    return [
        tr("Videos and images") + f" ({VIDEO_FILES} {PICTURE_FILES})",
        tr("Videos") + f" ({VIDEO_FILES})",
        tr("Images") + f" ({PICTURE_FILES})",
        every,
    ]


@dataclass(frozen=True, slots=True)
class Row:
    """A track as the list shows it."""

    id: AssetId
    name: str
    start: str
    about: str
    audio: bool
    on: bool
    wrong: bool


def rows(media: Media) -> list[Row]:
    """The tracks of the clip shown, in order."""
    return [
        Row(
            track.id,
            track.name,
            frame_text(track.start * media.rate),
            about(media, track),
            isinstance(track, AudioTrack),
            not track.muted if isinstance(track, AudioTrack) else track.shown,
            bool(media.problem(track)),
        )
        for track in media.tracks
    ]


def about(media: Media, track: Track) -> str:
    """What is known of the file of a track, or what is wrong with it."""
    problem = media.problem(track)
    if problem:
        return sentence(problem)
    seconds = media.seconds(track)
    if seconds is None:
        return tr("Reading…")
    if isinstance(track, AudioTrack):
        sound = media.files.sound(track)
        cut = tr(", the first hour is played") if sound is not None and sound.cut else ""
        return tr("{seconds} s of sound", seconds=f"{seconds:.3g}") + cut
    footage = media.files.footage(track, media.rate)
    assert footage is not None
    size = f"{footage.size[0]} × {footage.size[1]}"
    if not isfinite(seconds):
        return tr("image, {size}", size=size)
    count = len(footage.times)
    length = seconds - float(footage.times[0])
    rate = rate_text(round(count / length, 3)) if length > 0.0 else "?"
    text = trn("{count} image, {size}, {rate} a second", "{count} images, {size}, {rate} a second", count,
               size=size, rate=rate)  # fmt: skip
    return text + (tr(", the rest is not shown") if footage.cut else "")
