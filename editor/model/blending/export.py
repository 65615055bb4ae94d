"""Blends baked into clips of the project."""

import itertools
from collections.abc import Sequence

import numpy as np

from core.blending.space_bake import baked_path, baked_point
from core.blending.space_player import SpacePlayer
from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import ValidationError
from core.ids import new_id
from editor.model.i18n import tr
from editor.model.session import Session


def export_path(session: Session) -> Clip:
    """The recorded path as a new clip; without one the point held for a cycle. One step."""
    live = session.blending.live
    player, space = live.player, live.space
    if player is None or space is None:
        raise ValidationError(live.why)
    names = _names(session)
    path = live.path
    if path is not None and path.points.shape[1] == len(space.axes):
        clip = baked_path(
            player, path, new_id("clip"), unique_name(tr("{name} path", name=space.name), names)
        )
    else:
        clip = _held(player, live.point, names)
    session.edits.put(tr("Bake {name} to clip {clip}", name=space.name, clip=clip.name), clip)
    session.messages.info(tr("Baked to the clip “{name}”", name=clip.name))
    return clip


def export_grid(session: Session) -> int:
    """A clip for each point of the grid; how many. One step."""
    live = session.blending.live
    player, space = live.player, live.space
    if player is None or space is None:
        raise ValidationError(live.why)
    columns = []
    for axis in space.axes:
        values = np.linspace(axis.minimum, axis.maximum, axis.divisions + 1)
        columns.append(values[:-1] if axis.wrap else values)
    names, clips = list(_names(session)), []
    for point in itertools.product(*columns):
        clip = _held(player, tuple(float(v) for v in point), names)
        names.append(clip.name)
        clips.append(clip)
    session.edits.put(tr("Bake the grid of {name}", name=space.name), *clips)
    session.messages.info(tr("Baked {count} clips", count=len(clips)))
    return len(clips)


def _held(player: SpacePlayer, point: Sequence[float], names: Sequence[str]) -> Clip:
    where = " ".join(f"{axis.name} {value:.4g}" for axis, value in zip(player.space.axes, point, strict=True))
    return baked_point(player, point, new_id("clip"), unique_name(f"{player.space.name} {where}", names))


def _names(session: Session) -> tuple[str, ...]:
    rig = session.rig
    return tuple(c.name for c in session.document.project.clips_of(rig.id)) if rig is not None else ()
