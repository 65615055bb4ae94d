"""A set-up of a character, kept in the document: which clip and blend space does what when it is driven.

What a set-up does not name is found by name (`core.locomotion.animation.propose`); bones are chosen on the rig
itself (`core.rig.rig.Rig.roles`), for whatever works on its body.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.arrays import frozen_mapping
from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.graph.compiler import Assets
from core.graph.graph import Graph
from core.ids import AssetId, Reference, Targets, redirected
from core.locomotion.matching.setup import Matching
from core.rig.rig import Rig

Choice = Mapping[str, AssetId | None]
"""What it is for → the asset chosen, or None where it is to be left out."""


@dataclass(frozen=True, slots=True)
class PlaySetup:
    """What was chosen by hand for one rig. An asset of the project.

    Parameters
    ----------
    clips : key of `core.locomotion.animation.propose.NAMES` → clip; None leaves out what it drives. Keys that this
        version does not know are kept, and do nothing
    spaces : name of `core.locomotion.animation.propose.SPACES` → blend space, or None
    graph : the graph that it moves by; None draws one from the clips where any are chosen, else takes the rig's
        graph ``Locomotion``
    matching : numbers and ranges of motion matching, where the character is driven by it

    Raises
    ------
    ValidationError
        It has no name, or a choice is for nothing.
    """

    id: AssetId
    name: str
    rig: AssetId
    clips: Choice = field(default_factory=dict)
    spaces: Choice = field(default_factory=dict)
    graph: AssetId | None = None
    matching: Matching = field(default_factory=Matching)

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValidationError("set-up: expected a name")
        for kind in ("clips", "spaces"):
            chosen = getattr(self, kind)
            if not all(chosen):
                raise ValidationError(f"set-up {self.name!r}: {kind}: expected to be told what each is for")
            object.__setattr__(self, kind, frozen_mapping(chosen))

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig, clips and blend spaces."""
        clips = [Reference(clip, Clip, what) for what, clip in self.clips.items() if clip is not None]
        spaces = [
            Reference(space, BlendSpace, what) for what, space in self.spaces.items() if space is not None
        ]
        graphs = [] if self.graph is None else [Reference(self.graph, Graph, "graph")]
        return (Reference(self.rig, Rig, "rig"), *clips, *spaces, *graphs)

    def with_targets(self, targets: Targets) -> "PlaySetup | None":
        """The same with references redirected (see `Asset.with_targets`); None where its rig is gone.

        What is gone is no longer chosen: it is found by name again.
        """
        rig = redirected(self.rig, targets)
        if rig is None:
            return None
        return replace(
            self,
            rig=rig,
            clips=_redirected(self.clips, targets),
            spaces=_redirected(self.spaces, targets),
            graph=None if self.graph is None else redirected(self.graph, targets),
        )

    @property
    def draws(self) -> bool:
        """Whether its choices need a graph of their own."""
        return self.graph is None and bool(self.clips or self.spaces)

    def with_clip(self, what: str, clip: AssetId | None) -> "PlaySetup":
        """The same with another clip, or None to leave out what it drives."""
        return replace(self, clips={**self.clips, what: clip})

    def with_space(self, what: str, space: AssetId | None) -> "PlaySetup":
        """The same with another blend space, or None to leave it out."""
        return replace(self, spaces={**self.spaces, what: space})

    def without(self, what: str) -> "PlaySetup":
        """The same with a clip and blend space found by name again."""
        return replace(
            self,
            clips={key: chosen for key, chosen in self.clips.items() if key != what},
            spaces={key: chosen for key, chosen in self.spaces.items() if key != what},
        )


def _redirected(chosen: Choice, targets: Targets) -> Choice:
    found = {
        what: (asset, None if asset is None else redirected(asset, targets)) for what, asset in chosen.items()
    }
    return {what: after for what, (before, after) in found.items() if before is None or after is not None}


def setups_of(project: Assets, rig: AssetId) -> tuple[PlaySetup, ...]:
    """The set-ups that a project holds for a rig, in order; where none is asked for, the first is taken."""
    return tuple(found for found in project.all(PlaySetup) if found.rig == rig)


def setup_named(project: Assets, rig: Rig, name: str) -> PlaySetup:
    """The set-up of a name.

    Raises
    ------
    MissingReferenceError
        There is none of that name; lists those that there are.
    """
    found = setups_of(project, rig.id)
    for one in found:
        if one.name == name:
            return one
    have = ", ".join(repr(one.name) for one in found) or "none"
    raise MissingReferenceError(f"no set-up of {rig.name!r} is called {name!r}; there are: {have}")
