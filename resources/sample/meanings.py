"""What each clip tells the graph by its curves: gait, direction, foot IK, turning, blocks."""

from core.clips.clip import Clip
from resources.sample.motion.keying import RATE
from resources.sample.motion.locomotion_curves import Keys, Meaning, like, with_meaning
from resources.sample.spaces import DIRECTIONS_OF

GAITS = {"run": 2.0, "sprint": 3.0}
"""By the first word of the clip's name; 1 for the rest."""


def _gait(name: str) -> float:
    return GAITS.get(name.split()[0], 1.0)


def _in_air(frames: float, leaves: float = 0.0, touches: float | None = None) -> Keys:
    """Foot IK of a clip that leaves the ground at a frame, and touches it again at another."""
    keys = [(0.0, 1.0), (leaves - 2.0, 1.0), (leaves, 0.0)] if leaves > 2.0 else [(0.0, 0.0)]
    keys += [(frames, 0.0)] if touches is None else [(touches, 0.0), (touches + 2.0, 1.0), (frames, 1.0)]
    return keys


def _meaning(clip: Clip) -> Meaning:
    name, frames = clip.name, clip.length * RATE
    if name.startswith("turn"):
        return Meaning(turns=True)
    if name == "jump start":
        return Meaning(ik=_in_air(frames, 16.0), blocks={"LandBlock": [(0.0, 1.0), (frames, 0.0)]})
    if name == "jump loop":
        return Meaning(ik=_in_air(frames))
    if name == "jump land":
        return Meaning(ik=_in_air(frames, touches=8.0))
    return Meaning(_gait(name), DIRECTIONS_OF.get(name, 0.0))


def with_meanings(clips: tuple[Clip, ...]) -> tuple[Clip, ...]:
    """Clips with their locomotion curves; what is added to others gets those of its base."""
    whole = {clip.id: with_meaning(clip, _meaning(clip)) for clip in clips if clip.additive is None}
    return tuple(
        whole[clip.id] if clip.additive is None else like(clip, whole[clip.additive.base_clip])  # type: ignore[index]
        for clip in clips
    )
