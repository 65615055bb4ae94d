"""What setting keys says: bones, morphs and named curves in words, and why nothing was keyed."""

from core.clips.clip import Channel, Clip
from core.clips.keying import KeyWhich
from editor.model.i18n import tr, trn


def named(bones: list[str], weights: tuple[Channel, ...] = ()) -> str:
    """Bones, morphs and named curves in words: by name where there is one, else counted."""
    parts = []
    if bones or not weights:
        parts.append(bones[0] if len(bones) == 1 else trn("{count} bone", "{count} bones", len(bones)))
    if weights:
        count = len(weights)
        parts.append(
            weights[0].bone
            if count == 1
            else trn("{count} morph or curve", "{count} morphs and curves", count)
        )
    return ", ".join(parts)


def nothing_keyed(
    clip: Clip, which: KeyWhich, bones: list[str], weights: tuple[Channel, ...], frame: str
) -> str:
    """Why setting keys changed nothing."""
    what = named(bones, () if bones else weights)
    if which is KeyWhich.CHANGED:
        return tr("No key set: the pose is the clip's own at frame {frame}", frame=frame)
    if which is KeyWhich.EXISTING and not any(channel.bone in bones for channel in clip.tracks):
        return tr("No key set: there are no channels of {what} yet", what=what)
    return tr("No key set: the keys of {what} at frame {frame} are these already", what=what, frame=frame)
