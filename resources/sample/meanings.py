"""What each clip tells the graph by its curves: gait, direction, foot IK, turning, blocks."""

from collections.abc import Mapping

from core.clips.clip import Clip
from core.ids import AssetId
from resources.sample.motion.keying import RATE
from resources.sample.motion.locomotion_curves import Keys, Meaning, like, with_meaning
from resources.sample.spaces import DIRECTIONS_OF

GAITS = {"run": 2.0, "sprint": 3.0}
"""By the first word of the clip's name; 1 for the rest."""

ROLLED = 27.0
"""Frame in which the feet are down after a roll."""


def _gait(name: str) -> float:
    return GAITS.get(name.split()[0], 1.0)


def _in_air(frames: float, leaves: float = 0.0, touches: float | None = None) -> Keys:
    """Foot IK of a clip that leaves the ground at a frame, and touches it again at another."""
    keys = [(0.0, 1.0), (leaves - 2.0, 1.0), (leaves, 0.0)] if leaves > 2.0 else [(0.0, 0.0)]
    keys += [(frames, 0.0)] if touches is None else [(touches, 0.0), (touches + 2.0, 1.0), (frames, 1.0)]
    return keys


def _stop(name: str) -> Meaning:
    """A stop goes the way of its cycle; where the feet are apart as far as in it, the foot position is ±1."""
    ways = {"forward": 0.0, "left": -90.0, "right": 90.0}
    return Meaning(_gait(name), ways[name.split()[2]])


def _meaning(clip: Clip) -> Meaning:
    name, frames = clip.name, clip.length * RATE
    whole = [(0.0, 1.0), (frames, 1.0)]
    fades = [(0.0, 1.0), (frames, 0.0)]
    if " stop " in name:
        return _stop(name)
    if name == "sprint start":
        return Meaning([(0.0, 1.0), (frames, 3.0)])
    if name.startswith("pivot"):
        return Meaning(
            2.0, turns=True, blocks={"AimBlock": [(0.0, 0.0), (4.0, 1.0), (16.0, 1.0), (frames, 0.0)]}
        )
    if "turn" in name.split() or "rotate" in name.split():
        return Meaning(turns=True)
    if name == "jump start":
        return Meaning(ik=_in_air(frames, 16.0), blocks={"LandBlock": fades})
    if name == "jump land":
        return Meaning(ik=_in_air(frames, touches=8.0))
    if " jump " in name:
        return Meaning(_gait(name), ik=[(0.0, 1.0), (1.0, 0.0), (frames, 0.0)], blocks={"LandBlock": fades})
    if name == "flail":
        return Meaning(ik=_in_air(frames), blocks={"AimBlock": whole})
    if name in ("jump loop", "fall", "fast fall", "reach"):
        return Meaning(ik=_in_air(frames))
    if name == "roll":
        return Meaning(
            ik=[(0.0, 0.0), (ROLLED, 0.0), (ROLLED + 6.0, 1.0), (frames, 1.0)],
            blocks={
                "AimBlock": [(0.0, 1.0), (ROLLED, 1.0), (frames - 6.0, 0.0), (frames, 0.0)],
                "LandBlock": fades,
            },
        )
    if name.startswith("get up"):
        up = frames - 24.0
        return Meaning(
            ik=[(0.0, 0.0), (up, 0.0), (up + 8.0, 1.0), (frames, 1.0)],
            blocks={
                "AimBlock": [(0.0, 1.0), (up, 1.0), (frames - 4.0, 0.0), (frames, 0.0)],
                "LandBlock": whole,
            },
        )
    return Meaning(_gait(name), DIRECTIONS_OF.get(name, 0.0))


def told(clip: Clip, bases: Mapping[AssetId, Clip]) -> Clip:
    """A clip with its locomotion curves; what is added to others gets those of its base, which has them already."""
    if clip.additive is None:
        return with_meaning(clip, _meaning(clip))
    base = clip.additive.base_clip
    assert base is not None
    return like(clip, bases[base])


def with_meanings(clips: tuple[Clip, ...]) -> tuple[Clip, ...]:
    """Clips with their locomotion curves."""
    whole = {clip.id: told(clip, {}) for clip in clips if clip.additive is None}
    return tuple(whole[clip.id] if clip.additive is None else told(clip, whole) for clip in clips)
