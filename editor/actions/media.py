"""Audio and reference footage beside the clip."""

from collections.abc import Callable
from dataclasses import dataclass

from core.media.tracks import AudioTrack, ReferenceTrack
from editor.actions.action import Action
from editor.actions.reasons import needs_clip
from editor.model.i18n import tr
from editor.model.media.state import Media
from editor.model.session import Session

STEP = 0.1
"""How much more opaque one press makes a reference."""


def _needs_track(session: Session) -> str:
    media = session.feature(Media)
    if needs_clip(session) or media.chosen_track is not None:
        return needs_clip(session)
    return (
        tr("choose a track in the timeline first") if media.tracks else tr("add audio or a reference first")
    )


def _needs_reference(session: Session) -> str:
    found = _needs_track(session)
    media = session.feature(Media)
    if found or isinstance(media.chosen_track, ReferenceTrack):
        return found
    return tr("choose a reference first")


def _on_track(work: Callable[[Session, AudioTrack | ReferenceTrack], object]) -> Callable[[Session], object]:
    def run(session: Session) -> None:
        track = session.feature(Media).chosen_track
        if track is not None:
            work(session, track)

    return run


def _start_here(session: Session, track: AudioTrack | ReferenceTrack) -> None:
    session.feature(Media).set(track.id, tr("Start"), start=session.playback.time)


def _opacity(change: float) -> Callable[[Session, AudioTrack | ReferenceTrack], object]:
    def run(session: Session, track: AudioTrack | ReferenceTrack) -> None:
        if isinstance(track, ReferenceTrack):
            value = min(max(round(track.opacity + change, 6), 0.0), 1.0)
            session.feature(Media).set(track.id, tr("Opacity"), opacity=value)

    return run


@dataclass(frozen=True, slots=True)
class _Verb:
    """An action on the track chosen."""

    id: str
    title: str
    work: Callable[[Session, AudioTrack | ReferenceTrack], object]
    keys: tuple[str, ...]
    section: str
    tip: str
    enabled: Callable[[Session], str] = _needs_track


def _verbs() -> tuple[_Verb, ...]:
    return (
        _Verb(
            "toggle", tr("Mute or hide the track"), lambda s, t: s.feature(Media).toggle(t.id),
            ("Ctrl+Alt+Q",), "track",
            tr("Mute the chosen sound or hide the chosen reference, or back"),
        ),
        _Verb(
            "start_here", tr("Start the track at the playhead"), _start_here, ("Ctrl+Alt+K",), "time",
            tr("Let the chosen sound or reference begin at the playhead"),
        ),
        _Verb(
            "earlier", tr("Start the track a frame earlier"), lambda s, t: s.feature(Media).nudge(t.id, -1.0),
            ("Ctrl+Alt+,",), "time", "",
        ),
        _Verb(
            "later", tr("Start the track a frame later"), lambda s, t: s.feature(Media).nudge(t.id, 1.0),
            ("Ctrl+Alt+.",), "time", "",
        ),
        _Verb(
            "place", tr("Reference behind or as a card"), lambda s, t: s.feature(Media).swap_placement(t.id),
            ("Ctrl+Alt+C",), "look", tr("Show the chosen reference behind the character, or as a card in front"),
            _needs_reference,
        ),
        _Verb(
            "more_opaque", tr("Reference more opaque"), _opacity(STEP), ("Ctrl+Alt+Up",), "look", "", _needs_reference
        ),
        _Verb(
            "less_opaque", tr("Reference less opaque"), _opacity(-STEP), ("Ctrl+Alt+Down",), "look", "",
            _needs_reference,
        ),
        _Verb(
            "read_again", tr("Read the file again"), lambda s, t: s.feature(Media).read_again(t.id), (), "file",
            tr("Read the file of the chosen track again, for example after it was replaced"),
        ),
        _Verb(
            "remove", tr("Remove the track"), lambda s, t: s.feature(Media).remove(t.id), (), "file",
            tr("Remove the chosen sound or reference from the clip; the file stays"),
        ),
    )  # fmt: skip


def actions() -> list[Action]:
    """The actions of Clip › Media; the panel of that name chooses files."""
    menu = tr("Clip") + "/" + tr("Media")
    return [
        Action(
            "media.add_audio", tr("Add audio…"), None, ("Ctrl+Alt+U",), menu=menu, section="add", enabled=needs_clip,
            icon="audio", tip=tr("Put a sound file, or the sound of a video, beside the clip"),
        ),
        Action(
            "media.add_reference", tr("Add reference…"), None, ("Ctrl+Alt+E",), menu=menu, section="add",
            enabled=needs_clip, icon="media",
            tip=tr("Show a video, a numbered sequence of images or one image with the character"),
        ),
        *(
            Action(
                f"media.{verb.id}", verb.title, _on_track(verb.work), verb.keys, menu=menu, section=verb.section,
                enabled=verb.enabled, tip=verb.tip,
            )
            for verb in _verbs()
        ),
        Action(
            "media.choose_another", tr("Choose another file…"), None, (), menu=menu, section="file",
            enabled=_needs_track, tip=tr("Give the chosen track another file; its start and settings stay"),
        ),
        Action(
            "media.sound", tr("Play sound"), lambda s: s.switches.toggle("sound"), ("Ctrl+Alt+Y",), menu=menu,
            section="all", checked=lambda s: s.switches["sound"],
            tip=tr("Let the sound of the clip be heard in playback and scrubbing"),
        ),
        Action(
            "media.scrub_sound", tr("Scrub with sound"), lambda s: s.switches.toggle("scrub_sound"), (), menu=menu,
            section="all", checked=lambda s: s.switches["scrub_sound"],
            tip=tr("Let each frame be heard while the playhead is dragged"),
        ),
        Action(
            "media.reference", tr("Show references"), lambda s: s.switches.toggle("reference"), ("Ctrl+Alt+F",),
            menu=menu, section="all", checked=lambda s: s.switches["reference"],
            tip=tr("Show the reference footage of the clip in the view"),
        ),
        Action(
            "media.sound_device", tr("Look for a sound device"), lambda s: s.feature(Media).player.try_again(), (),
            menu=menu, section="all", tip=tr("Look for a sound output again, for example after one was plugged in"),
        ),
    ]  # fmt: skip
