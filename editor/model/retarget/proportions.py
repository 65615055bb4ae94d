"""Clips of one skeleton on other proportions: bones' modes, retarget sources, and which a clip was made on."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import core.io
from core.clips.clip import Clip
from core.clips.edits import checked_name, unique_name
from core.errors import AnimError, ValidationError
from core.math.transform import Transform
from core.progress import Progress
from core.project.project import Asset
from core.retarget.modes import baked_proportions, proposed_modes
from core.rig.rig import RetargetMode, Rig
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.jobs import Job
from editor.model.session import Session

MODES: Mapping[RetargetMode, tuple[str, str, str]] = {
    RetargetMode.ANIMATION: ("animation", "anim", "Takes the clip's translation as it is"),
    RetargetMode.SKELETON: ("skeleton", "skel", "Keeps the character's own translation: bone lengths stay"),
    RetargetMode.ANIMATION_SCALED: (
        "animation scaled", "scaled", "Scales the clip's translation by the ratio of bone lengths",
    ),
    RetargetMode.ANIMATION_RELATIVE: (
        "animation relative", "relative", "Adds the difference of the two rest poses to the clip",
    ),
    RetargetMode.ORIENT_AND_SCALE: (
        "orient and scale", "orient", "Rotates and scales the clip's translation to the character's own bone",
    ),
}  # fmt: skip
"""Title, short title and what it does, of each mode."""


def mode_of(rig: Rig, bone: str) -> RetargetMode:
    """A bone's mode; *skeleton* where none is set."""
    return rig.retarget_modes.get(bone, RetargetMode.SKELETON)


# ---------------------------------------------------------------- modes


def acting(session: Session) -> str:
    """Whether modes change the clip shown, in words; "" without one.

    Clips that name no retarget source play as they are, as in Unreal: their own rest and the character's are one.
    """
    clip = session.clip
    if clip is None:
        return ""
    if clip.retarget_source is None:
        return tr(
            "No mode changes {clip}: it was made on the character's own rest pose and plays as it is",
            clip=clip.name,
        )
    return tr("Modes act on {clip}: it was made on {source}", clip=clip.name, source=clip.retarget_source)


def set_mode(
    session: Session, mode: RetargetMode, bones: Iterable[str] | None = None, below: bool = False
) -> bool:
    """Give bones a mode (the selected ones by default), with all below them where wanted; one step."""
    rig = _rig(session)
    names = list(session.selection.bones if bones is None else bones)
    if not names:
        raise ValidationError(tr("select bones first"))
    if below:
        mask = rig.skeleton.descendants([rig.skeleton.index(name) for name in names])
        names = list(dict.fromkeys([*names, *np.array(rig.skeleton.names)[mask].tolist()]))
    what = names[0] if len(names) == 1 else trn("{count} bone", "{count} bones", len(names))
    modes = {**rig.retarget_modes, **dict.fromkeys(names, mode)}
    label = tr("Translation mode of {what}: {mode}", what=what, mode=tr(MODES[mode][0]))
    done = session.edits.put(label, replace(rig, retarget_modes=modes))
    if session.clip is not None and session.clip.retarget_source is None:
        session.messages.info(acting(session), tr("Choose in the Proportions panel what a clip was made on"))
    return done


def propose_modes(session: Session) -> bool:
    """Give every bone the mode that suits it; one step."""
    rig = _rig(session)
    return session.edits.put(
        tr("Propose translation modes"), replace(rig, retarget_modes=proposed_modes(rig.skeleton))
    )


# ---------------------------------------------------------------- sources


def add_source(session: Session, name: str, rest: Transform) -> str:
    """Add a rest pose that clips may have been made on; returns its name; one step.

    A rig whose bones have no modes yet gets those proposed, or the source would do nothing sensible.
    """
    rig = _rig(session)
    made = unique_name(checked_name(name), list(rig.retarget_sources))
    modes = rig.retarget_modes or proposed_modes(rig.skeleton)
    changed = replace(rig, retarget_sources={**rig.retarget_sources, made: rest}, retarget_modes=modes)
    session.edits.put(tr("Add retarget source {name}", name=made), changed)
    return made


def add_pose(session: Session) -> str:
    """Add the pose shown as a retarget source."""
    _rig(session)
    return add_source(session, tr("pose"), session.evaluator.pose().local)


def add_file(session: Session, path: Path) -> Job[Transform]:
    """Add the rest pose of a file's character; its bones are found by name, and those it lacks are told."""
    rig = _rig(session)
    missing: list[str] = []

    def work(progress: Progress) -> Transform:
        found = core.io.load(path, progress).project.rigs
        if not found:
            raise ValidationError(tr("{name} holds no character", name=path.name))
        rest, lost = rest_from(rig, found[0])
        missing.extend(lost)
        return rest

    def use(rest: Transform) -> None:
        name = add_source(session, path.stem, rest)
        if missing:
            count = trn("{count} bone", "{count} bones", len(missing))
            session.messages.warn(
                tr("{name}: {count} missing in the file keep this character's rest pose: {bones}",
                   name=name, count=count, bones=", ".join(missing[:5]) + (" …" if len(missing) > 5 else ""))
            )  # fmt: skip

    def failed(error: Exception) -> None:
        session.messages.error(str(error))

    return session.jobs.run(tr("Read {name}", name=path.name), work, use, failed)


def rest_from(rig: Rig, other: Rig) -> tuple[Transform, list[str]]:
    """Another character's rest for a rig's bones, and the bones that it lacks.

    Raises
    ------
    ValidationError
        It shares less than half of the bones: it is another skeleton.
    """
    parts = [np.array(part) for part in rig.skeleton.rest]
    missing = []
    for bone, name in enumerate(rig.skeleton.names):
        found = other.skeleton.find(name)
        if found is None:
            missing.append(name)
            continue
        for part, own in zip(parts, other.skeleton.rest, strict=True):
            part[bone] = own[found]
    if 2 * len(missing) > len(rig.skeleton):
        raise ValidationError(
            tr(
                "{other} has a different skeleton than {rig} ({count} missing): retarget its clips instead",
                other=other.name, rig=rig.name, count=trn("{count} bone", "{count} bones", len(missing)),
            )
        )  # fmt: skip
    return Transform(*parts), missing


def rename_source(session: Session, old: str, new: str) -> bool:
    """Give a source another name, in its clips too; one step."""
    rig = _rig(session)
    name = checked_name(new)
    if old not in rig.retarget_sources or name == old:
        return False
    made = unique_name(name, [other for other in rig.retarget_sources if other != old])
    sources = {made if key == old else key: rest for key, rest in rig.retarget_sources.items()}
    changed: list[Asset] = [replace(rig, retarget_sources=sources)]
    changed += [replace(clip, retarget_source=made) for clip in made_on(session, old)]
    return session.edits.put(tr("Rename retarget source {old} to {new}", old=old, new=made), *changed)


def delete_source(session: Session, name: str) -> bool:
    """Delete a source; one step.

    Raises
    ------
    ValidationError
        Clips were made on it; the message says which.
    """
    rig = _rig(session)
    users = made_on(session, name)
    if users:
        names = ", ".join(f"“{clip.name}”" for clip in users[:3]) + (" …" if len(users) > 3 else "")
        raise ValidationError(
            trn(
                "{clips} was made on “{name}”: choose another source for it, or bake it",
                "{clips} were made on “{name}”: choose another source for them, or bake them",
                len(users),
                clips=names,
                name=name,
            )
        )
    sources = {key: rest for key, rest in rig.retarget_sources.items() if key != name}
    return session.edits.put(
        tr("Delete retarget source {name}", name=name), replace(rig, retarget_sources=sources)
    )


def made_on(session: Session, name: str) -> list[Clip]:
    """Clips of the character that were made on a source."""
    rig = _rig(session)
    return [c for c in session.document.project.clips_of(rig.id) if c.retarget_source == name]


# ---------------------------------------------------------------- clips


def choose_source(session: Session, name: str | None, clips: Iterable[Clip] | None = None) -> bool:
    """Say which rest pose clips (the one shown by default) were made on; None is the rig's own; one step."""
    rig, shown = _rig(session), session.clip
    chosen = [shown] if clips is None and shown is not None else list(clips or ())
    if name is not None and name not in rig.retarget_sources:
        raise ValidationError(tr("there is no retarget source “{name}”", name=name))
    changed = [replace(clip, retarget_source=name) for clip in chosen if clip.retarget_source != name]
    if not changed:
        return False
    what = changed[0].name if len(changed) == 1 else trn("{count} clip", "{count} clips", len(changed))
    title = name or tr("the character's own rest")
    return session.edits.put(tr("{what} made on {source}", what=what, source=title), *changed)


def bake(session: Session) -> bool:
    """Bake the clip shown to the character's own proportions; one step. Whether it is done already."""
    rig, clip = _rig(session), session.clip
    if clip is None or clip.retarget_source is None:
        raise ValidationError(tr("the clip was made on the character's own rest: there is nothing to bake"))
    label = tr("Bake {clip} to own proportions", clip=clip.name)
    return session.edit_jobs.run(label, lambda progress: Made(label, (baked_proportions(rig, clip),)))


def _rig(session: Session) -> Rig:
    rig = session.rig
    if rig is None:
        raise AnimError(tr("open or import a character first"))
    return rig
