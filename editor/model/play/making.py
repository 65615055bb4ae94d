"""Making a driven character in the background: the newest wish counts, older ones come to nothing."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from core.errors import UnsupportedError
from core.locomotion.character import CharacterState
from core.locomotion.driven import Driven
from core.locomotion.matching.setup import Drive
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import Setup
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.terrain.terrain import Terrain
from editor.model.graph_run.gamepad import sdl
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.play.characters import make_character

SPAWN = (0.0, 0.0, 0.0)
"""Where a character begins on every terrain, facing +Z."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What is to be driven.

    Parameters
    ----------
    chosen : set-up by hand; None finds clips by name
    known : the same character on another terrain or with another preset, which is quicker to make; None makes it
        from the document
    drive : how its poses are chosen
    """

    project: Project
    rig: Rig
    chosen: PlaySetup | None
    controller: Setup
    terrain: Terrain
    known: Driven | None = None
    drive: Drive = Drive.RULES

    def made(self) -> Driven:
        """The character; raises `AnimError` where the rig has no clip that could be driven."""
        if self.known is not None:
            return self.known.on(self.controller, self.terrain)
        return make_character(self.project, self.rig, self.controller, self.terrain, self.chosen, self.drive)


class CharacterMaking:
    """Makes characters on a worker's thread.

    Parameters
    ----------
    told : called when it begins or ends

    Attributes
    ----------
    busy, failed : whether one is being made; whether the last one could not be
    """

    def __init__(self, jobs: Jobs, messages: Messages, told: Callable[[], object]) -> None:
        self._jobs, self._messages, self._told = jobs, messages, told
        self._ticket = 0
        self.busy = self.failed = False

    def make(self, wish: Wish, done: Callable[[Driven, CharacterState], object]) -> None:
        """Make it, and hand it over with the state it begins with; one asked for before is dropped."""
        self._ticket += 1
        ticket, self.busy, self.failed = self._ticket, True, False
        self._told()

        def work(progress: Progress) -> tuple[Driven, CharacterState]:
            with suppress(UnsupportedError):
                sdl()  # imported here, it does not hold the window up
            made = wish.made()
            return made, made.start(SPAWN)

        def ready(found: tuple[Driven, CharacterState]) -> None:
            if ticket == self._ticket:
                self.busy = False
                done(*found)

        def failed(error: Exception) -> None:
            if ticket == self._ticket:
                self.busy, self.failed = False, True
                self._told()
                self._messages.warn(str(error))

        self._jobs.run(tr("Prepare the character to play"), work, ready, failed)

    def cancel(self) -> None:
        """What is being made comes to nothing."""
        if self.busy:
            self._ticket += 1
            self.busy = False
            self._told()
