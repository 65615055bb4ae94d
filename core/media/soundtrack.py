"""The sound of a clip as one file: what a movie of it is given."""

import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.errors import FormatError
from core.media.mix import Ending, Mixer, Transport, Voice
from core.media.sound import RATE, open_sound
from core.media.tracks import AudioTrack, Track
from core.progress import Progress

BLOCK = RATE


def audible(tracks: Sequence[Track]) -> tuple[AudioTrack, ...]:
    """The sounds among some tracks that are not muted."""
    return tuple(t for t in tracks if isinstance(t, AudioTrack) and not t.muted and t.volume > 0.0)


def write_soundtrack(
    path: Path, tracks: Sequence[AudioTrack], start: float, seconds: float, progress: Progress | None = None
) -> None:
    """Write what is heard of a clip from a time on, as a WAV file of 48,000 samples a second.

    Parameters
    ----------
    start : seconds of the clip
    seconds : how long the file gets; where nothing plays it is silent

    Raises
    ------
    FormatError
        A sound is missing or cannot be decoded; names the track's file.
    UnsupportedError
        The extra ``media`` is missing.
    Cancelled
        From `progress`.
    """
    voices: list[Voice] = []
    tell = progress or Progress()
    try:
        for track in tracks:
            sound = open_sound(Path(track.path))
            voices.append(Voice(sound, track.start, track.volume))
            sound.decode(tell)
        mixer = Mixer()
        mixer.set_voices(voices)
        mixer.set_transport(
            Transport(start, 0.0, 1.0, (min(start, 0.0), start + seconds + 1.0), Ending.ONCE, True)
        )
        with wave.open(str(path), "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(RATE)
            count = round(seconds * RATE)
            for first in range(0, count, BLOCK):
                block = mixer.render(min(BLOCK, count - first), first / RATE)
                file.writeframes(np.round(block * 32767.0).astype("<i2").tobytes())
    except OSError as error:
        raise FormatError(path, "", f"cannot be written: {error.strerror or error}") from error
    finally:
        for voice in voices:
            voice.sound.close()
