"""Several characters in one file: separated into rigs of their own."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import IntArray
from core.clips.clip import Clip
from core.ids import new_id
from core.io.common.naming import unique_names
from core.math.transform import Transform
from core.project.project import Asset, Project
from core.rig.mesh import Mesh
from core.rig.skeleton import Skeleton

LEAST_BONES = 8
"""A skeleton without a skin is a character from this many bones on; fewer are props and controls."""
OBJECTS = "objects"
"""Name of the rig of what belongs to no character."""


@dataclass(frozen=True, slots=True)
class Character:
    """Some of a file's bones (with all above them)."""

    name: str
    bones: tuple[int, ...]


def told_apart(
    parents: IntArray,
    names: Sequence[str],
    joints: Collection[int],
    skins: Sequence[Collection[int]] = (),
    skin_names: Sequence[str] = (),
    labels: Mapping[int, str] | None = None,
) -> list[Character]:
    """The characters among a file's bones; none where the file holds just one.

    Branches that hold joints are characters where they part above all joints: at the top of the file,
    or below a node that is no joint and carries other nodes. (A node that carries joints is an armature:
    what is below it is one character, even with several roots.) A skin or a label makes branches one.
    Branches with neither a skin of several joints nor `LEAST_BONES` joints are no characters by themselves.

    Parameters
    ----------
    parents : ``(B,)``, parents before children
    names : of all bones, as the file has them
    joints : bones that a skin uses, or that the file calls bones
    skins, skin_names : the joints of each skin, and what it is called
    labels : bone → name of the rig that our own writer noted at its roots
    """
    known, marks = set(joints), labels or {}
    branches, trunk = _branches(parents, known)
    if len(branches) < 2 or (trunk and known & set(branches) and not marks):
        return []
    owner = _owners(parents, branches)
    # Some programs attach rigid meshes to bones by a skin of one bone.
    skinned = [{owner[joint] for joint in skin} - {-1} if len(skin) > 1 else set() for skin in skins]
    noted = [{owner[b] for b in marks if marks[b] == name} - {-1} for name in dict.fromkeys(marks.values())]
    sizes = Counter(owner[joint] for joint in known)
    worthy = [
        group
        for group in _joined(branches, [*skinned, *noted])
        if any(group & one for one in (*skinned, *noted)) or sum(sizes[b] for b in group) >= LEAST_BONES
    ]
    if len(worthy) < 2:
        return []
    wanted = []
    for group in worthy:
        name = names[min(group)]
        if min(group) in known:  # a bone: its skin is more likely to be called after the character
            name = next((s for s, one in zip(skin_names, skinned, strict=True) if one & group and s), name)
        wanted.append(
            next((marks[b] for b in sorted(marks) if owner[b] in group), name).strip() or "character"
        )
    members = [{b for b, branch in enumerate(owner) if branch in group} for group in worthy]
    found = [
        Character(name, _with_above(parents, bones))
        for name, bones in zip(unique_names(wanted), members, strict=True)
    ]
    rest = set(range(len(parents))).difference(*(character.bones for character in found))
    return [*found, Character(OBJECTS, _with_above(parents, rest))] if rest else found


def _joined(branches: Sequence[int], same: Sequence[set[int]]) -> list[set[int]]:
    """Branches grouped: those that share a set of `same` are in one group."""
    groups = [{branch} for branch in branches]
    for wanted in same:
        touched = [group for group in groups if group & wanted]
        if touched:
            groups = [*(group for group in groups if not group & wanted), set().union(*touched)]
    return sorted(groups, key=min)


def _branches(parents: IntArray, joints: set[int]) -> tuple[list[int], list[int]]:
    """Where the paths to the joints part, and the nodes above that."""
    holding = set(_with_above(parents, joints))
    children: dict[int, list[int]] = {}
    for bone in sorted(holding):
        children.setdefault(int(parents[bone]), []).append(bone)
    trunk: list[int] = []
    below = children.get(-1, [])
    while len(below) == 1 and below[0] not in joints:
        trunk.append(below[0])
        below = children.get(below[0], [])
    return below, trunk


def _owners(parents: IntArray, branches: Collection[int]) -> list[int]:
    """The branch that each bone is in, −1 for those above or beside."""
    owners = [-1] * len(parents)
    for bone, parent in enumerate(parents):
        owners[bone] = bone if bone in branches else owners[parent] if parent >= 0 else -1
    return owners


def _with_above(parents: IntArray, bones: Collection[int]) -> tuple[int, ...]:
    found: set[int] = set()
    for bone in bones:
        at = int(bone)
        while at >= 0 and at not in found:
            found.add(at)
            at = int(parents[at])
    return tuple(sorted(found))


def made_apart(project: Project, characters: Sequence[Character], names: Sequence[str]) -> Project:
    """A project of one rig, made into one rig a character.

    Parameters
    ----------
    names : of the rig's bones as the file has them; within one character fewer of them repeat
    """
    rig = project.rigs[0]
    parts = [_Part(rig.skeleton, character, names) for character in characters]
    assets: list[Asset] = []
    meshes = list(project.meshes_of(rig.id))
    for part in parts:
        own = replace(rig, id=new_id("rig"), name=part.name, skeleton=part.skeleton)
        hung = [mesh for mesh in meshes if set(mesh.bones) <= part.bones.keys()]
        meshes = [mesh for mesh in meshes if not any(mesh is other for other in hung)]
        assets.append(own)
        assets += [replace(m, rig=own.id, bones=tuple(part.bones[j] for j in m.bones)) for m in hung]
        for clip in project.clips_of(rig.id):
            made = part.clip(clip, hung)
            assets += [replace(made, id=new_id("clip"), rig=own.id)] if made is not None else []
    return Project(settings=project.settings).with_assets(*assets)


class _Part:
    """One character of a file; `bones` maps its old bone names to new ones."""

    def __init__(self, skeleton: Skeleton, character: Character, names: Sequence[str]) -> None:
        chosen = np.array(character.bones)
        place = {int(bone): number for number, bone in enumerate(chosen)}
        fresh = unique_names([names[bone].strip() or skeleton.names[bone] for bone in character.bones])
        self.name = character.name
        self.bones = {skeleton.names[bone]: name for bone, name in zip(character.bones, fresh, strict=True)}
        self.skeleton = Skeleton(
            tuple(fresh),
            np.array([place.get(int(skeleton.parents[bone]), -1) for bone in chosen], np.int32),
            Transform(*(part[chosen] for part in skeleton.rest)),
            skeleton.euler_orders[chosen],
            skeleton.sources[chosen],
        )

    def clip(self, clip: Clip, meshes: Sequence[Mesh]) -> Clip | None:
        """What a clip does to this character; None where that is nothing."""
        tracks = {
            channel._replace(bone=self.bones[channel.bone]): track
            for channel, track in clip.tracks.items()
            if channel.bone in self.bones
        }
        targets = {f"{mesh.name}/{morph.name}" for mesh in meshes for morph in mesh.morphs}
        morphs = {name: track for name, track in clip.morphs.items() if name in targets}
        root = clip.root_motion
        if root.bone is not None:
            root = replace(root, bone=self.bones.get(root.bone))
        if not tracks and not morphs:
            return None
        return replace(clip, tracks=tracks, morphs=morphs, root_motion=root)
