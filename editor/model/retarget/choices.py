"""What a person chooses of a retarget, and what the core makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.retarget.contacts import ContactSpan
from core.retarget.lock import LockOptions
from core.retarget.retarget import Options
from core.retarget.transfer import Stride, TransferOptions


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of the panel.

    Parameters
    ----------
    scale : by what the way of root and hips is scaled
    stride : on top of that, over the ground
    floor : metres that the whole character is lifted
    feet, hands : which limbs are held where the source's stand
    ground : whether standing feet are put on the floor
    flat : whether feet that stand on heel and ball are laid flat
    drop : 0..1, how far the hips go down or up for legs to reach where their feet stand
    knee : degrees that knees may bend more for that, before the foot gives way
    reach : 0..1, how far hands are drawn to where the source's are, whatever the lengths of the arms
    level : whether the slow rise and fall of a capture's floor is taken out
    curves : whether the finished clip gets its contacts as named curves
    turns : chain → share of the turn that brings its rest to agree with the target's, 1 as found
    adjust : chain → degrees about the target's axes that its rest is turned by on top
    """

    scale: Stride = Stride.HIP_HEIGHT
    stride: float = 1.0
    floor: float = 0.0
    feet: bool = True
    hands: bool = False
    ground: bool = True
    flat: bool = True
    drop: float = 1.0
    knee: float = 45.0
    reach: float = 0.0
    level: bool = False
    curves: bool = False
    turns: Mapping[str, float] = field(default_factory=dict)
    adjust: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    def options(self, spans: tuple[ContactSpan, ...] | None = None) -> Options:
        """The core's options; `spans` are contacts edited by hand."""
        lock = None
        if self.feet or self.hands:
            lock = LockOptions(
                self.feet, self.hands, self.ground, spans=spans, flat=self.flat, hip_drop=self.drop,
                knee_limit=self.knee,
            )  # fmt: skip
        moved = TransferOptions(self.scale, self.stride, self.floor, arm_reach=self.reach)
        return Options(moved, lock, adjust=self.adjust, turns=self.turns, level_floor=self.level)
