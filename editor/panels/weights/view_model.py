"""Morphs and named curves without Qt: what is listed, and what a slider does."""

from dataclasses import dataclass, replace

from core.clips.clip import Channel, ChannelKind, Clip
from core.clips.edits import checked_name, unique_name
from core.clips.keying import with_weight_keys
from core.errors import AnimError
from core.timing import frame_text
from editor.model.autokey import KeyState
from editor.model.channels import curve_channel, split_weights
from editor.model.i18n import tr
from editor.model.session import Session


@dataclass(frozen=True, slots=True)
class Row:
    """One slider.

    Parameters
    ----------
    name : what stands beside it: of a morph without its mesh
    place : the mesh of a morph, "" for a named curve
    """

    channel: Channel
    name: str
    place: str
    value: float
    state: KeyState
    selected: bool

    @property
    def is_curve(self) -> bool:
        """Whether it is a named curve, which can be renamed and deleted."""
        return self.channel.kind is ChannelKind.CURVE


class Weights:
    """Lists the weights of the character shown and edits them as gestures: preview, then commit or cancel."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._base: Clip | None = None

    @property
    def has_rig(self) -> bool:
        """Whether there is a character."""
        return self._session.rig is not None

    def rows(self, words: str = "") -> tuple[Row, ...]:
        """Morphs by mesh, then named curves, whose names hold every word."""
        keying, chosen = self._session.keying, set(self._session.selection.weights)
        wanted = [word.casefold() for word in words.split()]
        return tuple(
            Row(c, *_named(c), keying.weight(c), keying.weight_state(c), c in chosen)
            for c in keying.weight_channels()
            if all(word in c.bone.casefold() for word in wanted)
        )

    # ------------------------------------------------------------ sliders
    def preview(self, channel: Channel, value: float) -> None:
        """Show a value while its slider is dragged."""
        session = self._session
        session.playback.pause()
        clip = session.clip
        if clip is None:
            return
        self._base = self._base or clip
        shown = with_weight_keys(self._base, session.playback.time, *split_weights({channel: value}))
        session.preview.set_clip(shown)

    def commit(self, channel: Channel, value: float) -> bool:
        """Keep a value: a key with auto key on, else pending; one step."""
        self._base = None
        session = self._session
        label = tr("Set {name} {value} @ f{frame}", name=channel.bone, value=f"{value:.2f}",
                   frame=frame_text(session.playback.frame))  # fmt: skip
        try:
            return session.keying.commit_weights(label, {channel: value})
        finally:
            session.preview.clear()

    def cancel(self) -> None:
        """Show what was there before."""
        self._base = None
        self._session.preview.clear()

    def toggle_key(self, channel: Channel) -> bool:
        """Key a weight here as it is; take the key away where there is one."""
        keying = self._session.keying
        if keying.weight_state(channel) is KeyState.KEYED:
            return keying.delete_keys((), (channel,))
        return keying.set_key((), "used", (channel,))

    # ------------------------------------------------------------ named curves
    def add_curve(self, name: str = "") -> Channel | None:
        """Start a named curve with a key of 0 here; one step."""
        session = self._session
        taken = [c.bone for c in session.keying.weight_channels() if c.kind is ChannelKind.CURVE]
        channel = curve_channel(unique_name(checked_name(name or tr("curve")), taken))
        clip = session.clip
        if clip is None:
            session.messages.warn(tr("A named curve belongs to a clip: create or select a clip first"))
            return None
        made = with_weight_keys(clip, session.playback.time, {channel.bone: 0.0}, {})
        session.edits.put(tr("Add curve {name}", name=channel.bone), made)
        session.selection.select_weights((channel,))
        return channel

    def rename_curve(self, channel: Channel, name: str) -> bool:
        """Give a named curve of the clip another name; a name that is taken, or none, is refused."""
        session, clip = self._session, self._session.clip
        if clip is None or channel.bone not in clip.curves or name == channel.bone:
            return False
        try:
            name = checked_name(name)
        except AnimError as error:
            session.messages.error(str(error))
            return False
        if name in clip.curves:
            session.messages.error(
                tr("The clip already has a curve {name}", name=name), tr("Choose another name")
            )
            return False
        curves = {name if old == channel.bone else old: track for old, track in clip.curves.items()}
        done = session.edits.put(
            tr("Rename curve {old} to {new}", old=channel.bone, new=name), replace(clip, curves=curves)
        )
        session.selection.select_weights((curve_channel(name),))
        return done

    def clear(self, channel: Channel) -> bool:
        """Take all keys of a morph or named curve out of the clip; one step."""
        session, clip = self._session, self._session.clip
        if clip is None:
            return False
        if channel.kind is ChannelKind.CURVE:
            curves = {name: track for name, track in clip.curves.items() if name != channel.bone}
            shorter = replace(clip, curves=curves)
        else:
            shorter = replace(clip, morphs={n: t for n, t in clip.morphs.items() if n != channel.bone})
        if len(shorter.curves) == len(clip.curves) and len(shorter.morphs) == len(clip.morphs):
            return False
        return session.edits.put(tr("Delete all keys of {name}", name=channel.bone), shorter)


def _named(channel: Channel) -> tuple[str, str]:
    """A channel's own name, and the mesh it is in."""
    if channel.kind is ChannelKind.CURVE or "/" not in channel.bone:
        return channel.bone, ""
    mesh, _, name = channel.bone.partition("/")
    return name, mesh
