"""Which of a rig's clips and blend spaces do what in locomotion: told by their names; what is missing is listed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.graph.compiler import Assets
from core.ids import AssetId
from core.ik.leg import body_legs
from core.locomotion.play_setup import Choice, PlaySetup
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles

A = TypeVar("A")

SIDES = ("LF", "RF")
NAMES: Mapping[str, tuple[str, ...]] = {
    "idle": ("idle", "idle a", "unarmed idle", "standing", "stand"),
    "walk": ("walk", "walking", "walking a", "walk forward", "walking b"),
    "run": ("run", "running", "running a", "run forward", "jog", "jogging", "running b"),
    "sprint": ("sprint", "sprinting", "fast run", "running c"),
    "crouch idle": ("crouch idle", "crouching idle", "crouch"),
    "crouch walk": ("crouch walk", "crouching", "crouched walking", "sneak", "sneaking", "walking sneak"),
    "jump start": ("jump start", "jump full short", "jump"),
    "fall": ("fall", "falling", "falling idle", "jump loop", "jump idle"),
    "fast fall": ("fast fall",),
    "flail": ("flail",),
    "land": ("land", "jump land", "landing", "jump end"),
    "roll": ("roll", "land roll", "falling to roll"),
    "get up back": ("get up back", "get up from back", "getting up", "stand up", "standing up"),
    "get up front": ("get up front", "get up from front", "get up stomach", "getting up front"),
    "get up side": ("get up side", "get up fetal", "get up left"),
    "breathing": ("breathing",),
    "reach": ("reach", "reach pose", "land reach"),
    "turn left 90": ("turn left 90", "left turn", "turn left", "left turn 90"),
    "turn right 90": ("turn right 90", "right turn", "turn right", "right turn 90"),
    "turn left 180": ("turn left 180", "left turn 180"),
    "turn right 180": ("turn right 180", "right turn 180"),
    **{
        f"crouch turn {side} {angle}": (f"crouch turn {side} {angle}",)
        for angle in (90, 180)
        for side in ("left", "right")
    },
    **{
        f"{stance}rotate {side}": (f"{stance}rotate {side}",)
        for stance in ("", "crouch ")
        for side in ("left", "right")
    },
    "land light": ("land light",),
    "land heavy": ("land heavy",),
    **{
        f"{stance}step {side}": (f"{stance}step {side}",)
        for stance in ("", "crouch ")
        for side in ("left", "right")
    },
    **{f"pivot {foot}": (f"pivot {foot.lower()}",) for foot in SIDES},
    **{f"{gait} jump {foot}": (f"{gait} jump {foot.lower()}",) for gait in ("walk", "run") for foot in SIDES},
    **{
        f"{gait} stop {way} {foot}": (f"{gait} stop {way} {foot.lower()}",)
        for gait in ("walk", "run")
        for way in ("forward", "left", "right")
        for foot in SIDES
    },
    "walk left": ("walk left", "walking left", "strafe left", "left strafe walking"),
    "walk right": ("walk right", "walking right", "strafe right", "right strafe walking"),
    "walk back": ("walk back", "walking backwards", "walk backward", "walking back", "walk backwards"),
    "run left": ("run left", "running strafe left", "left strafe"),
    "run right": ("run right", "running strafe right", "right strafe"),
    "run back": ("run back", "running backwards", "running backward", "run backward"),
}
"""What there can be → names that it goes by, lower case, the likeliest first."""
ADDED = (
    "breathing", "land light", "land heavy", "step left", "step right", "crouch step left", "crouch step right",
)  # fmt: skip
"""Of these, the clips that are differences put on what else plays; the rest are whole poses."""
BEHAVIOURS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "stop by the foot ahead": tuple(
        tuple(f"{gait} stop forward {foot}" for foot in SIDES) for gait in ("walk", "run")
    ),
    "pivot": (("pivot LF", "pivot RF"),),
    "turn in place": (("turn left 90", "turn right 90"),),
    "turn in place, crouched": (("crouch turn left 90", "crouch turn right 90"),),
    "rotate in place": (("rotate left", "rotate right"),),
    "rotate in place, crouched": (("crouch rotate left", "crouch rotate right"),),
    "jump by the foot ahead": tuple(
        tuple(f"{gait} jump {foot}" for foot in SIDES) for gait in ("walk", "run")
    ),
    "flail": (("flail",),),
    "land prediction": (("reach",),),
    "landing on the move": (("land light", "land heavy"),),
    "roll": (("roll",),),
    "getting up": (("get up back",), ("get up front",), ("get up side",)),
    "step in place": (("step left", "step right"),),
    "breathing": (("breathing",),),
}
"""What a character does where it has the clips: any one of the lists of each."""
SPACES = ("forward", "backward", "crouch", "lean", "air lean", "aim", "look")
"""Names of the blend spaces that are used."""
NEEDED = ("idle", "walk")
"""What nothing goes without: the rest pose stands in."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What was found for a rig.

    Parameters
    ----------
    clips : key of `NAMES` → clip
    spaces : name of `SPACES` → blend space
    missing : what was not, clips, spaces and bones, in the order of the lists, then the behaviours that are off
    """

    rig: AssetId
    clips: Mapping[str, Clip] = field(default_factory=dict)
    spaces: Mapping[str, BlendSpace] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    def __contains__(self, name: str) -> bool:
        return name in self.clips

    def has(self, names: Iterable[str]) -> bool:
        """Whether all of some clips are there."""
        return all(name in self.clips for name in names)


def plain(name: str) -> str:
    """A clip's name in lower case words, without a prefix such as ``Armature|``."""
    name = re.split(r"[|:/]", name)[-1]
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    words = re.sub(r"[^a-z0-9]+", " ", name.lower()).split()
    return " ".join(word for word in words if word not in ("anim", "animation", "armature", "mixamo", "com"))


def propose(rig: Rig, project: Assets, chosen: PlaySetup | None = None) -> Moves:
    """What a project has for a rig: what a set-up chose, the rest by the names of clips and blend spaces."""
    named: dict[str, Clip] = {}
    for clip in project.all(Clip):
        if clip.rig == rig.id:
            named.setdefault(plain(clip.name), clip)
    clips = {}
    for what, names in NAMES.items():
        added = what in ADDED
        fitting = (named[name] for name in names if name in named)
        found = next((clip for clip in fitting if (clip.additive is not None) == added), None)
        if found is not None:
            clips[what] = found
    own = {space.name: space for space in project.all(BlendSpace) if space.rig == rig.id}
    spaces = {name: own[name] for name in SPACES if name in own}
    if chosen is not None:
        of_rig = {clip.id: clip for clip in project.all(Clip) if clip.rig == rig.id}
        clips = _with_choice(clips, chosen.clips, of_rig, NAMES)
        spaces = _with_choice(spaces, chosen.spaces, {space.id: space for space in own.values()}, SPACES)
    missing = [f"clip {name}" for name in NAMES if name not in clips]
    missing += [f"blend space {name}" for name in SPACES if name not in spaces]
    roles = rig_roles(rig)
    missing += [f"bone {role}" for role in (Role.HIPS, Role.HEAD) if roles.one(role) is None]
    missing += ["bones of legs with feet"] if body_legs(rig) is None else []
    missing += [
        f"behaviour {name}"
        for name, ways in BEHAVIOURS.items()
        if not any(all(clip in clips for clip in way) for way in ways)
    ]
    return Moves(rig.id, clips, spaces, tuple(missing))


def _with_choice(
    found: Mapping[str, A], chosen: Choice, assets: Mapping[AssetId, A], known: Iterable[str]
) -> dict[str, A]:
    """What was found with what was chosen in its place, in the order of the lists."""
    made = dict(found)
    for what, asset in chosen.items():
        if asset is None:
            made.pop(what, None)
        elif asset in assets:
            made[what] = assets[asset]
    return {what: made[what] for what in known if what in made}
