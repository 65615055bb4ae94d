"""A session whose Play shows a run of a light character that was made once, and jobs that wait."""

from functools import cache

from core.locomotion.driven import Driven
from core.locomotion.setup import PRESETS
from core.terrain.terrain import flat_terrain
from editor.model.play.characters import make_character
from editor.model.play.run import Run
from editor.model.play.state import Play
from editor.model.session import Session
from tests.light_character import light

TOLD = ("changed", "stepped", "state_changed")


@cache
def character() -> Driven:
    """Few clips on flat ground, by the usual numbers: the same for all tests, so fork it to drive it."""
    project = light()
    return make_character(project, project.rigs[0], PRESETS["normal"], flat_terrain())


class Waiting:
    """A runner whose work is done and delivered when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()


def light_session() -> Session:
    """The light character with its first clip shown; whoever asks for it closes it."""
    made = Session.create()
    made.document.replace(light(), None)
    made.playback.set_clip(light().clips[0].id)
    return made


def played(session: Session, steps: int = 0) -> Play:
    """Play, on and paused at the end of so many steps; `told` counts what it emits from then on."""
    play, driven = session.feature(Play), character().fork()
    run = Run(driven, driven.terrain, driven.start())
    play.show_run(run)
    for _ in range(steps):
        play.step_once()
    play.told = dict.fromkeys(TOLD, 0)
    for name in TOLD:
        getattr(play, name).connect(lambda _, name=name: play.told.update({name: play.told[name] + 1}))
    return play


def told(play: Play) -> tuple[int, int, int]:
    """How often each of `TOLD` was emitted since the last call."""
    found = tuple(play.told[name] for name in TOLD)
    play.told.update(dict.fromkeys(TOLD, 0))
    return found
