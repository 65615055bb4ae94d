"""Clips that are played in slots without a montage of their own: one is made on the fly for each clip and slot."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.graph.commands import Command
from core.graph.montage_plan import MontagePlan
from core.graph.names import near

Make = Callable[[Clip, str], MontagePlan]
"""Makes the montage that plays a clip in a slot."""


class ClipMontages:
    """Montages of single clips, each made at its first use.

    Parameters
    ----------
    clips : of the graph's rig, in the order of the project; the last one of a name is meant by it
    slots : ``group.slot`` of the graph
    """

    def __init__(self, clips: Sequence[Clip], slots: Sequence[str], make: Make) -> None:
        self.clips, self.slots, self._make = tuple(clips), tuple(slots), make
        self.by_name: Mapping[str, int] = {clip.name: k for k, clip in enumerate(clips)}
        self.ints = max((sum(n.duration > 0.0 for n in clip.notifies) for clip in clips), default=0)
        self._made: dict[int, MontagePlan] = {}

    def number(self, clip: str, slot: str) -> int:
        """A number of clip and slot, the same in every run."""
        return self.by_name[clip] * len(self.slots) + self.slots.index(slot)

    def plan(self, number: int) -> MontagePlan:
        """The montage of that number."""
        if number not in self._made:
            clip, slot = divmod(number, len(self.slots))
            self._made[number] = self._make(self.clips[clip], self.slots[slot])
        return self._made[number]

    def check(self, command: Command) -> None:
        """Refuse what cannot be played.

        Raises
        ------
        MissingReferenceError
            No clip or slot of that name.
        ValidationError
            A clip without length, times that are not finite or below 0; an additive clip without its base.
        """
        if command.target not in self.by_name:
            raise MissingReferenceError(
                f"the graph's rig has no clip {command.target!r}{near(command.target, self.by_name)}"
            )
        if command.slot not in self.slots:
            raise MissingReferenceError(
                f"the graph has no slot {command.slot!r}{near(command.slot, self.slots)}"
            )
        times = [command.blend_in, command.blend_out]
        if not np.isfinite(times).all() or min(times) < 0.0 or command.loops < 0:
            raise ValidationError(
                f"clip {command.target!r}: expected fades and loops of 0 or more, got {times} s, {command.loops} loops"
            )
        if self.clips[self.by_name[command.target]].length <= 0.0:
            raise ValidationError(f"clip {command.target!r} has no length and cannot be played in a slot")
        self.plan(self.number(command.target, command.slot))
