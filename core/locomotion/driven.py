"""A character that is driven over a terrain, with its poses: what runs, recordings and bakes hold on to."""

from collections.abc import Mapping
from dataclasses import replace

from core.graph.compiler import Assets
from core.graph.instance import Instance
from core.locomotion import character
from core.locomotion.character import CharacterSetup, CharacterState
from core.locomotion.input import Input
from core.locomotion.matching.driver import make_matcher
from core.locomotion.matching.setup import Drive
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import Setup
from core.locomotion.state import State
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.terrain.terrain import Terrain


class Driven:
    """A set-up on a terrain. One thread at a time: `fork` makes another for a thread of its own.

    Parameters
    ----------
    setup : see `core.locomotion.character.character_setup`
    terrain : what it is driven over
    """

    def __init__(self, setup: CharacterSetup, terrain: Terrain) -> None:
        self.setup, self.terrain = setup, terrain

    @classmethod
    def of(
        cls,
        project: Assets,
        rig: Rig,
        setup: Setup,
        terrain: Terrain,
        chosen: PlaySetup | None = None,
        drive: Drive = Drive.RULES,
    ) -> "Driven":
        """A rig of a project, with what the project has for it and what was chosen by hand.

        Raises
        ------
        GraphError
            What is wrong with a graph of the rig.
        ValidationError
            It is to be driven by motion matching, and has no hips, feet or clips for it.
        """
        made = character.character_setup(project, rig, setup, chosen)
        if drive is Drive.MATCHING:
            numbers = None if chosen is None else chosen.matching
            made = made.with_matching(make_matcher(project, rig, made.moves, numbers))
        return cls(made, terrain)

    @property
    def drive(self) -> Drive:
        """How its poses are chosen."""
        return Drive.RULES if self.setup.matcher is None else Drive.MATCHING

    def fork(self) -> "Driven":
        """The same, with graphs of its own: states of one step on in the other to the same bytes."""
        setup = self.setup
        feet = None if setup.feet is None else Instance(setup.feet)
        falls = None if setup.falls is None else setup.falls.fork()
        matcher = None if setup.matcher is None else setup.matcher.fork()
        made = replace(setup, _instance=Instance(setup.plan), _feet=feet, falls=falls, matcher=matcher)
        return Driven(made, self.terrain)

    def on(self, setup: Setup, terrain: Terrain) -> "Driven":
        """The same character with other numbers of the controller, on another terrain."""
        return Driven(self.fork().setup.with_controller(setup), terrain)

    @property
    def rig(self) -> Rig:
        """Whose poses they are."""
        return self.setup.rig

    @property
    def missing(self) -> tuple[str, ...]:
        """Clips, spaces and bones that the rig lacks."""
        return self.setup.missing

    def start(self, place: tuple[float, float, float] = (0.0, 0.0, 0.0), yaw: float = 0.0) -> CharacterState:
        """The state in which it stands at a place; `yaw` in degrees about +Y."""
        return character.begin(self.setup, self.terrain, place, yaw)

    def step(self, state: CharacterState, given: Input) -> CharacterState:
        """The state 1/60 s later."""
        return character.step(self.setup, self.terrain, state, given)

    def pose(self, state: CharacterState) -> Pose:
        """The pose of a state, the character's own motion taken out; see `standing`."""
        posed = character.pose(self.setup, state)
        return Pose(self.rig.id, *posed.local, curves=posed.curves)

    def instance_at(self, state: CharacterState) -> Instance:
        """The instance of its graph as it stands in a state: to be asked, until the next step."""
        self.setup._instance.restore(state.graph)
        return self.setup._instance

    def numbers(self, state: CharacterState) -> Mapping[str, str | float]:
        """What its graphs say: active state of each machine by the machine's name, and what is played."""
        return {**state.result.states, "rate": state.played.rate, "stride": state.played.stride}


def standing(state: State) -> Transform:
    """Where a character stands: what puts its pose into the world."""
    return character.placement_of(state)
