"""What an export will write, told to people: files and what they hold, their size, and what is left out. Free of Qt."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.clips.clip import Clip, Property
from core.io.format import writes_frames
from core.io.prepare.settings import Keys, Rest, RestScale, Root
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import frame_text
from editor.model.i18n import tr, trn
from editor.model.origins import Origins
from editor.shell.export.plan import Plan, Target, within

MOST_LISTED = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the preview.

    Parameters
    ----------
    level : 0 for a file, 1 for what it holds
    text, amount, more : what, how much of it, and further words
    """

    level: int
    text: str
    amount: str = ""
    more: str = ""


def rows(plan: Plan) -> list[Row]:
    """Every file with what it holds."""
    found: list[Row] = []
    for target in plan.targets:
        images = [name for name in target.beside if not name.endswith(".bin")]
        own = [name for name in target.names if name not in images]
        found.append(Row(0, ", ".join(own), size_text(estimate(plan, target))))
        found += [Row(1, name, "", tr("image file")) for name in images]
        found += [_rig_row(rig) for rig in plan.rigs]
        found += [_mesh_row(mesh) for mesh in plan.meshes]
        found += [_clip_row(plan, clip) for clip in target.clips]
    return found


def _rig_row(rig: Rig) -> Row:
    return Row(1, rig.name, trn("{count} bone", "{count} bones", len(rig.skeleton)), tr("skeleton"))


def _mesh_row(mesh: Mesh) -> Row:
    morphs = trn("{count} morph", "{count} morphs", len(mesh.morphs)) if mesh.morphs else tr("mesh")
    return Row(1, mesh.name, trn("{count} vertex", "{count} vertices", len(mesh.positions)), morphs)


def _clip_row(plan: Plan, clip: Clip) -> Row:
    frames, seconds = _length(plan, clip)
    amount = tr("{frames} frames · {seconds} s", frames=frame_text(frames), seconds=f"{seconds:.3g}")
    return Row(1, clip.name, amount, _keys(plan, clip, frames))


def _length(plan: Plan, clip: Clip) -> tuple[float, float]:
    """Frames (at the rate written) and seconds."""
    start, end = within(clip, plan.span) if plan.span is not None else (0.0, clip.length)
    rate = plan.choice.rate or clip.rate.fps
    return (end - start) * rate, end - start


def _keys(plan: Plan, clip: Clip, frames: float) -> str:
    if _sampled(plan):
        return trn("{count} key", "{count} keys", _channels(plan, clip) * (int(frames + 1e-6) + 1))
    if plan.choice.keys is Keys.REDUCED:
        return tr("keys within {mm} mm", mm=f"{plan.choice.millimetres:g}")
    own = sum(len(track.times) for track in (*clip.tracks.values(), *clip.morphs.values()))
    return trn("{count} key", "{count} keys", own) + (tr(", cubic") if plan.choice.keys is Keys.CUBIC else "")


def _sampled(plan: Plan) -> bool:
    """Whether a key stands on every frame."""
    return plan.choice.keys is Keys.FRAMES or writes_frames(plan.options()) or plan.format.every_frame


def _channels(plan: Plan, clip: Clip) -> int:
    """How many channels are keyed once sampled: whole bones in some formats, what moves elsewhere."""
    if plan.format.every_frame:
        return plan.format.whole_channels(len(plan.rig.skeleton))
    moved = {(c.bone, c.property) for c in clip.tracks}
    return sum(4 if part is Property.ROTATE else 3 for _, part in moved) + len(clip.morphs)


def estimate(plan: Plan, target: Target) -> float:
    """About how many bytes a file will have, with what is written beside it."""
    size = plan.format.size(plan.choice.suffix)
    total = 1500.0 + size.bone * sum(len(rig.skeleton) for rig in plan.rigs)
    for mesh in plan.meshes:
        total += (size.vertex + 12.0 * len(mesh.morphs)) * len(mesh.positions) + size.triangle * len(
            mesh.triangles
        )
    for clip in target.clips:
        frames = _length(plan, clip)[0] + 1.0
        own = 2.0 * sum(len(track.times) for track in clip.tracks.values())
        whole = _channels(plan, clip) * frames
        if not plan.format.curves:
            own = 2.5 * whole  # it samples between frames, too
        total += size.sample * (whole if _sampled(plan) else own)
    return total


def size_text(count: float) -> str:
    """Bytes for people, as roughly as they are known."""
    for unit in ("B", "kB", "MB"):
        if count < 1000.0:
            return tr("about {size} {unit}", size=f"{float(f'{count:.2g}'):g}", unit=unit)
        count /= 1000.0
    return tr("about {size} {unit}", size=f"{float(f'{count:.2g}'):g}", unit="GB")


def losses(plan: Plan, origins: Origins | None = None) -> list[str]:
    """What the files will lack, and what is in them that a person may not expect: told before all else."""
    choice, clips, lines = plan.choice, plan.clips, []
    if not plan.format.scene and plan.project.meshes_of(plan.rig.id):
        lines.append(tr("Meshes are left out: {format} has none.", format=choice.format.title))
    extras = [clip for clip in clips if clip.curves or clip.notifies or clip.markers or clip.sync_markers]
    if extras and (not plan.format.extras or not choice.extras):
        lines.append(tr("Curves, notifies and markers are left out."))
    if origins is None:
        return lines
    lines += [
        tr("Left out when {name} was imported: {what}.", name=one.path.name, what=short_list(one.left_out))
        for one in origins.all
        if one.left_out
    ]
    made = origins.made_here(clips)
    if made:
        names = short_list([clip.name for clip in made])
        lines.append(
            trn("Made here, not in the imported file: clip {names}.",
                "Made here, not in the imported file: clips {names}.", len(made), names=names)
        )  # fmt: skip
    return lines


def short_list(items: Sequence[str]) -> str:
    """The first few of many."""
    return ", ".join(items[:MOST_LISTED]) + (" …" if len(items) > MOST_LISTED else "")


def notes(plan: Plan) -> list[str]:
    """What the files will hold otherwise than the document."""
    choice, clips = plan.choice, plan.clips
    lines = _kind_notes(plan)
    if not clips:
        lines.append(tr("No clip: the rest pose alone."))
    if choice.keys is Keys.CUBIC and not plan.format.curves:
        lines.append(tr("{format} has no curves: cubic keys are sampled.", format=choice.format.title))
    if choice.root is Root.IN_PLACE:
        lines.append(tr("The root stays in place."))
    elif choice.root is Root.EXTRACTED:
        name = plan.prepare(plan.targets[0]).root_name if plan.targets else ""
        lines.append(tr("Root motion goes to a bone of its own, {name}.", name=name))
    if choice.rest is Rest.SKIN:
        lines.append(tr("The rest pose is the bind pose of the meshes."))
    if choice.one_root and any((rig.skeleton.parents < 0).sum() > 1 for rig in plan.rigs):
        lines.append(tr("Several roots get one bone above them."))
    if choice.scale is RestScale.FOLDED:
        lines.append(tr("Scale of the rest pose is folded into offsets and meshes."))
    return lines


def _kind_notes(plan: Plan) -> list[str]:
    """What the format itself brings with it."""
    options, kind, lines = plan.options(), plan.format, []
    if kind.one_clip and len(plan.targets) > 1:
        lines.append(
            tr("A {format} file holds one clip: there will be one file for each.", format=kind.short)
        )
    if kind.every_frame and not kind.can_read:
        lines.append(tr("Metres, +Y up, a row on every frame; it is not read back."))
    if kind.skin_alone and not plan.meshes:
        lines.append(tr("No mesh; a skin is written all the same, so that programs find the skeleton."))
    if kind.metres_y_up and (options.metres_per_unit != 1.0 or options.up_axis != "+Y"):
        lines.append(
            tr("{format} is in metres and +Y up by its own law: other programs will show it otherwise.",
               format=kind.title)
        )  # fmt: skip
    return lines
