"""The set-up of the character shown: what does what in it, what is missing, and choosing it by hand (undoable)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.locomotion.animation.behaviours import Behaviour, behaviours
from core.locomotion.animation.graphs import locomotion_graph
from core.locomotion.animation.propose import NAMES, SPACES, Moves, propose
from core.locomotion.character_graphs import graph_of
from core.locomotion.matching.ranges import proposed_tag, searchable
from core.locomotion.matching.setup import MATCHED, Choice, Matching, Tag
from core.locomotion.matching.setup_file import read_matching
from core.locomotion.play_setup import PlaySetup
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.roles import LEFT, MIDDLE, RIGHT, Role, part_named, part_of, rig_roles
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.play.choices import PlayChoices
from editor.model.play.state import Play

BONES = (
    part_of(Role.HIPS, MIDDLE),
    part_of(Role.HEAD, MIDDLE),
    *(part_of(role, side) for side in (LEFT, RIGHT) for role in (Role.THIGH, Role.CALF, Role.FOOT, Role.TOE)),
)
"""The parts of the body that a driven character needs."""


class Kind(StrEnum):
    """What a part of a set-up is."""

    CLIP = "clip"
    SPACE = "space"
    BONE = "bone"
    RANGE = "range"


TAGS = {
    Tag.STAND: tr("stand"), Tag.MOVE: tr("move"), Tag.START: tr("start"), Tag.STOP: tr("stop"),
    Tag.PIVOT: tr("pivot"), Tag.TURN: tr("turn"), Tag.CROUCH_STAND: tr("crouch, stand"),
    Tag.CROUCH_MOVE: tr("crouch, move"), Tag.JUMP: tr("jump"), Tag.FALL: tr("fall"), Tag.LAND: tr("land"),
    Tag.GET_UP: tr("get up"), Tag.OTHER: tr("other"),
}  # fmt: skip
"""What clips are for in motion matching."""


class By(StrEnum):
    """How a part was found."""

    NAME = "name"
    HAND = "hand"
    LEFT_OUT = "left out"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a set-up.

    Parameters
    ----------
    what : key of a clip or blend space (`core.locomotion.animation.propose`), or part of the body; name of a clip
        that motion matching may search
    name : of the clip, blend space or bone, "" where there is none; of a clip to search what it is for
    off : why it is not used though it is there, or ""
    """

    kind: Kind
    what: str
    name: str
    by: By
    off: str = ""

    @property
    def title(self) -> str:
        """What it is called."""
        if self.kind is not Kind.BONE:
            return self.what
        role, side = part_named(self.what)
        sides = {LEFT: tr("left {part}"), MIDDLE: "{part}", RIGHT: tr("right {part}")}
        return sides[side].format(part=str(role).replace("_", " "))


class PlaySetups:
    """Reads and edits the set-up that the character is driven by.

    The first choice makes a set-up in the document; bones are chosen on the rig.

    Attributes
    ----------
    changed : the character, its set-up, or what there is to choose from differs
    """

    def __init__(self, play: Play, document: Document, edits: Edits) -> None:
        self._choices: PlayChoices = play.choices
        self._document, self._edits = document, edits
        self._found: tuple[tuple[object, ...], Moves] | None = None
        self._tags: dict[AssetId, tuple[Rig, Clip, Tag]] = {}
        self.changed: Event[None] = Event()
        play.state_changed.connect(lambda _: self.changed.emit(None))
        document.changed.connect(lambda _: self.changed.emit(None))
        document.replaced.connect(lambda _: self.changed.emit(None))

    # ------------------------------------------------------------ what there is
    @property
    def _project(self) -> Project:
        return self._document.project

    @property
    def moves(self) -> Moves | None:
        """What was found for the character; None where there is none."""
        rig, setup = self._choices.rig, self._choices.setup
        if rig is None:
            return None
        key = (rig, self._project, setup)
        if self._found is None or any(a is not b for a, b in zip(self._found[0], key, strict=True)):
            self._found = key, propose(rig, self._project, setup)
        return self._found[1]

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """What the character does, and what is off."""
        moves = self.moves
        return () if moves is None else behaviours(moves)

    def parts(self) -> tuple[Part, ...]:
        """Bones, blend spaces and clips, in this order."""
        rig, moves, setup = self._choices.rig, self.moves, self._choices.setup
        if rig is None or moves is None:
            return ()
        roles, made = rig_roles(rig), []
        for part in BONES:
            name = roles.one(*part_named(part)) or ""
            made.append(Part(Kind.BONE, part, name, _by(name, part in rig.roles, False)))
        chosen = {} if setup is None else {**setup.clips, **setup.spaces}
        found: Mapping[str, Clip | BlendSpace]
        for kind, known, found in (
            (Kind.SPACE, SPACES, moves.spaces),
            (Kind.CLIP, tuple(NAMES), moves.clips),
        ):
            for what in known:
                name = found[what].name if what in found else ""
                out = what in chosen and chosen[what] is None
                made.append(Part(kind, what, name, _by(name, what in chosen, out)))
        return tuple(made)

    def candidates(self, kind: Kind) -> tuple[tuple[str, str], ...]:
        """Id and name of everything that can be chosen; of bones both are the name."""
        rig = self._choices.rig
        if rig is None:
            return ()
        if kind is Kind.RANGE:
            return tuple((tag, TAGS[tag]) for tag in MATCHED)
        if kind is Kind.BONE:
            return tuple((name, name) for name in rig.skeleton.names)
        assets = self._project.all(Clip) if kind is Kind.CLIP else self._project.all(BlendSpace)
        return tuple((asset.id, asset.name) for asset in assets if asset.rig == rig.id)

    def graph_title(self) -> str:
        """Which graph moves the character."""
        rig = self._choices.rig
        if rig is None:
            return ""
        graph = graph_of(self._project, rig, self._choices.setup)
        return tr("drawn from the clips") if graph is None else graph.name

    @property
    def drawn(self) -> bool:
        """Whether the graph is drawn from the clips, and is none of the document."""
        rig = self._choices.rig
        return rig is not None and graph_of(self._project, rig, self._choices.setup) is None

    # ------------------------------------------------------------ choosing
    def choose(self, kind: Kind, what: str, chosen: str | None) -> None:
        """Choose an asset by id, or a bone by name, for a part; "" finds it by name again, None leaves it out."""
        rig = self._choices.rig
        if rig is None:
            return
        if kind is Kind.BONE:
            self._choose_bone(rig, what, chosen or "")
            return
        if kind is Kind.RANGE:
            self._choose_range(what, chosen)
            return
        setup = self._or_new(rig)
        if chosen == "":
            after = setup.without(what)
        elif kind is Kind.CLIP:
            after = setup.with_clip(what, None if chosen is None else AssetId(chosen))
        else:
            after = setup.with_space(what, None if chosen is None else AssetId(chosen))
        if after != setup:
            self._put(tr("Set-up: {what}", what=what), after)

    def _choose_bone(self, rig: Rig, part: str, bone: str) -> None:
        roles = {key: name for key, name in rig.roles.items() if key != part}
        if bone:
            roles[part] = bone
        if roles != dict(rig.roles):
            self._edits.put(tr("Bone of the body: {part}", part=part), replace(rig, roles=roles))

    def _or_new(self, rig: Rig) -> PlaySetup:
        setup = self._choices.setup
        if setup is not None:
            return setup
        return PlaySetup(AssetId(new_id("play_setup")), self.free_name(tr("Set-up")), rig.id)

    def _put(self, label: str, setup: PlaySetup) -> None:
        self._edits.put(label, setup)
        self._choices.choose_setup(setup.id)

    @property
    def matching(self) -> Matching:
        """The numbers of motion matching."""
        setup = self._choices.setup
        return Matching() if setup is None else setup.matching

    def set_matching(self, label: str, **changed: object) -> None:
        """Change numbers of motion matching, as one undo step.

        Parameters
        ----------
        label : of what is changed
        changed : members of `Matching`

        Raises
        ------
        ValidationError
            One is out of its bounds.
        """
        values: dict[str, Any] = dict(changed)
        self._put_matching(tr("Motion matching: {what}", what=label), replace(self.matching, **values))

    def reset_matching(self) -> None:
        """Take the numbers that motion matching comes with; what is said of clips stays."""
        self._put_matching(tr("Reset motion matching"), Matching(choices=self.matching.choices))

    @property
    def matching_is_own(self) -> bool:
        """Whether a number of motion matching is another than it comes with."""
        return self.matching != Matching(choices=self.matching.choices)

    def read_matching(self, path: Path) -> None:
        """Take the numbers of motion matching from a file into the set-up.

        Raises
        ------
        FormatError
            Naming the file and the field.
        """
        self._put_matching(tr("Motion matching set-up"), read_matching(path))

    def _put_matching(self, label: str, numbers: Matching) -> None:
        rig = self._choices.rig
        if rig is not None and numbers != self.matching:
            self._put(label, replace(self._or_new(rig), matching=numbers))

    def ranges(self) -> tuple[Part, ...]:
        """What each clip that motion matching could search is for; last what is said of clips that are not there."""
        rig, numbers = self._choices.rig, self.matching
        if rig is None:
            return ()
        clips = searchable(rig, self._project.all(Clip))
        made = []
        for clip in clips:
            said = numbers.choice(clip.name)
            tag = said.tag if said is not None and said.tag is not None else self._proposed(rig, clip)
            made.append(
                Part(
                    Kind.RANGE, clip.name, TAGS[tag], _said(said), off="" if tag in MATCHED else NOT_SEARCHED
                )
            )
        there = {clip.name for clip in clips}
        lost = (choice.clip for choice in numbers.choices if choice.clip not in there)
        return (*made, *(Part(Kind.RANGE, name, "", By.MISSING) for name in lost))

    def _proposed(self, rig: Rig, clip: Clip) -> Tag:
        """What a clip is for by itself; of the same clip it is worked out once."""
        known = self._tags.get(clip.id)
        if known is None or known[0] is not rig or known[1] is not clip:
            known = self._tags[clip.id] = rig, clip, proposed_tag(rig, clip)
        return known[2]

    def _choose_range(self, clip: str, chosen: str | None) -> None:
        """Say what a clip is for: a tag; "" by its name, None leaves it out. Its range stays."""
        numbers = self.matching
        before = numbers.choice(clip) or Choice(clip)
        tag = before.tag if chosen is None else Tag(chosen) if chosen else None
        after = replace(before, tag=tag, on=chosen is not None)
        choices = [choice for choice in numbers.choices if choice.clip != clip]
        if after != Choice(clip) and any(found.name == clip for found in self._project.all(Clip)):
            choices.append(after)
        label = tr("Motion matching: {what}", what=clip)
        self._put_matching(label, replace(numbers, choices=tuple(choices)))

    # ------------------------------------------------------------ set-ups by name
    def free_name(self, wanted: str) -> str:
        """A name that no set-up of the character has."""
        names = {setup.name for setup in self._choices.setups}
        name, count = wanted, 2
        while name in names:
            name, count = f"{wanted} {count}", count + 1
        return name

    def save_as(self, name: str) -> None:
        """Keep what is chosen as a set-up of another name, and drive the character by it.

        Raises
        ------
        ValidationError
            There is one of that name, or it is empty.
        """
        rig, setup = self._choices.rig, self._choices.setup
        if rig is None:
            return
        base, name = setup or PlaySetup(AssetId("none"), tr("Set-up"), rig.id), self._checked(name)
        self._put(tr("New set-up {name}", name=name), replace(base, id=new_id("play_setup"), name=name))

    def rename(self, name: str) -> None:
        """Give the set-up another name; raises `ValidationError` where that is taken or empty."""
        setup = self._choices.setup
        if setup is not None and name.strip() != setup.name:
            name = self._checked(name)
            self._put(tr("Rename set-up to {name}", name=name), replace(setup, name=name))

    def delete(self) -> None:
        """Delete the set-up."""
        setup = self._choices.setup
        if setup is not None:
            self._edits.commit(tr("Delete set-up {name}", name=setup.name), self._project.without(setup.id))

    def _checked(self, name: str) -> str:
        name = name.strip()
        if not name:
            raise ValidationError(tr("A set-up needs a name"))
        if any(setup.name == name for setup in self._choices.setups):
            raise ValidationError(tr("There is a set-up called {name} already", name=name))
        return name

    def add_graph(self) -> None:
        """Put the graph that is drawn from the clips into the document, to be seen live and changed."""
        rig, moves, setup = self._choices.rig, self.moves, self._choices.setup
        if rig is None or moves is None or not self.drawn:
            return
        graph = locomotion_graph(rig, moves, new_id("graph"))
        after = self._project.with_assets(graph)
        if setup is not None:
            after = after.with_assets(replace(setup, graph=graph.id))
        self._edits.commit(tr("Add the graph {name}", name=graph.name), after)


NOT_SEARCHED = tr("The graph plays it by rules; choose what it is for to have it searched")


def _said(choice: Choice | None) -> By:
    if choice is None or choice == Choice(choice.clip):
        return By.NAME
    return By.HAND if choice.on else By.LEFT_OUT


def _by(name: str, chosen: bool, left_out: bool) -> By:
    if left_out:
        return By.LEFT_OUT
    if not name:
        return By.MISSING
    return By.HAND if chosen else By.NAME
