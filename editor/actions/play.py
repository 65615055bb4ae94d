"""Actions of Play: driving the character over a terrain, going back in the run, baking it."""

from collections.abc import Callable

from core.locomotion.matching.setup import Drive
from core.locomotion.setup import PRESETS
from editor.actions.action import Action
from editor.model.i18n import tr
from editor.model.play.baking import PlayBaking
from editor.model.play.clock import SPEEDS
from editor.model.play.grounds import TERRAINS
from editor.model.play.overlays import OVERLAYS
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from editor.model.session import Session


def _play(session: Session) -> Play:
    return session.feature(Play)


def _can(session: Session) -> str:
    return _play(session).choices.why_not()


def _on(session: Session) -> str:
    return "" if _play(session).on else tr("the character is not played")


def _has_setup(session: Session) -> str:
    return "" if _play(session).choices.setup is not None else tr("the character is driven by names alone")


def _own_matching(session: Session) -> str:
    own = session.feature(PlaySetups).matching_is_own
    return "" if own else tr("the numbers of motion matching are those it comes with")


def _drawn(session: Session) -> str:
    return "" if session.feature(PlaySetups).drawn else tr("the character's graph is in the document")


def _recorded(session: Session) -> str:
    run = _play(session).run
    return "" if run is not None and len(run) else tr("nothing is recorded yet: play first")


def _speed(session: Session, by: int) -> None:
    play = _play(session)
    at = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - play.clock.speed))
    play.clock.speed = SPEEDS[min(max(at + by, 0), len(SPEEDS) - 1)]
    play.state_changed.emit(None)


def _go(session: Session, by: int) -> None:
    play = _play(session)
    if play.run is not None:
        play.goto(play.run.at + by)


def _preset(name: str) -> Callable[[Session], object]:
    return lambda s: _play(s).choices.choose_preset(name)


def _terrain(key: str) -> Callable[[Session], object]:
    return lambda s: _play(s).choices.choose_terrain(key)


def _overlay(name: str) -> Callable[[Session], object]:
    return lambda s: _play(s).overlays.toggle(name)


def _is_preset(name: str) -> Callable[[Session], bool]:
    return lambda s: _play(s).choices.preset == name


def _drive(drive: Drive) -> Callable[[Session], object]:
    return lambda s: _play(s).choices.choose_drive(drive)


def _is_drive(drive: Drive) -> Callable[[Session], bool]:
    return lambda s: _play(s).choices.drive is drive


def _is_terrain(key: str) -> Callable[[Session], bool]:
    return lambda s: _play(s).choices.terrain_id == key


def _is_drawn(name: str) -> Callable[[Session], bool]:
    return lambda s: _play(s).overlays[name]


def actions() -> list[Action]:
    """Declared once, for menu, palette and shortcuts."""
    top = tr("Playback")  # one menu less: the bar fits a window 1280 wide
    menu, recording = f"{top}/{tr('Play')}", f"{top}/{tr('Played run')}"
    terrain, drawn = f"{top}/{tr('Terrain')}", f"{top}/{tr('Play overlays')}"
    titles = {"normal": tr("normal"), "responsive": tr("responsive"), "sluggish": tr("sluggish")}
    return [
        Action(
            "play.enter", tr("Play the character"), menu=menu, section="play", icon="gamepad", enabled=_can,
            checked=lambda s: _play(s).on,
            tip=tr("Drive the character over a terrain with W A S D, mouse or gamepad; Esc leaves, nothing is changed"),
        ),
        Action(
            "play.leave", tr("Leave play mode"), lambda s: _play(s).leave(), menu=menu, section="play", enabled=_on,
            tip=tr("Show the clip again; what is recorded stays until the next restart"),
        ),
        Action(
            "play.pause", tr("Play: run or pause"), lambda s: _play(s).toggle(), menu=menu, section="play",
            enabled=_on, checked=lambda s: _play(s).running,
        ),
        Action(
            "play.step", tr("Play: one step"), lambda s: _play(s).step_once(), menu=menu, section="play", enabled=_on,
            tip=tr("Pause, and go on by 1/60 s"),
        ),
        Action(
            "play.restart", tr("Play: restart"), lambda s: _play(s).restart(), menu=menu, section="play",
            enabled=_on, tip=tr("Put the character where the terrain begins; the recording begins again"),
        ),
        Action(
            "play.slower", tr("Play in slower motion"), lambda s: _speed(s, -1), menu=menu, section="speed",
            enabled=_can,
        ),
        Action(
            "play.faster", tr("Play in faster motion"), lambda s: _speed(s, 1), menu=menu, section="speed",
            enabled=_can,
        ),
        *(
            Action(
                f"play.preset_{name}", tr("Controller: {preset}", preset=titles[name]), _preset(name), menu=menu,
                section="preset", checked=_is_preset(name),
            )
            for name in PRESETS
        ),
        Action(
            "play.matching_numbers", tr("Motion matching: weights and settings"), menu=menu, section="drive",
            enabled=_can, tip=tr("Show the numbers of motion matching in the Play set-up, to change them"),
        ),
        Action(
            "play.matching_reset", tr("Motion matching: reset weights and settings"),
            lambda s: s.feature(PlaySetups).reset_matching(), menu=menu, section="drive", enabled=_own_matching,
            tip=tr("Take the numbers that it comes with; which clips are searched stays"),
        ),
        Action(
            "play.matching_open", tr("Motion matching set-up from a file…"), menu=menu, section="drive", enabled=_can,
            tip=tr("Take weights, times and ranges (posewright.matching) into the character's set-up"),
        ),
        Action(
            "play.matching_save", tr("Save the motion matching set-up…"), menu=menu, section="drive", enabled=_can,
            tip=tr("Write the weights, times and ranges of motion matching to a file, to change them there"),
        ),
        Action(
            "play.drive_rules", tr("Play by rules"), _drive(Drive.RULES), menu=menu, section="drive",
            checked=_is_drive(Drive.RULES), tip=tr("Poses by the graph Locomotion: states, blend spaces, transitions"),
        ),
        Action(
            "play.drive_matching", tr("Play by motion matching"), _drive(Drive.MATCHING), menu=menu, section="drive",
            checked=_is_drive(Drive.MATCHING),
            tip=tr("Poses by the frame of all clips nearest to pose and path; turns and jumps by rules"),
        ),
        Action(
            "play.rewind", tr("Rewind the run by 1 s"), lambda s: _go(s, -60), menu=recording, enabled=_recorded,
            tip=tr("Pause, and go back in what is recorded"),
        ),
        Action(
            "play.back", tr("Play: one recorded step back"), lambda s: _go(s, -1), menu=recording,
            enabled=_recorded,
        ),
        Action(
            "play.go_on", tr("Play: go on from here"), lambda s: _play(s).go_on_from_here(), menu=recording,
            enabled=_recorded, tip=tr("Drop what is recorded after this step"),
        ),
        Action(
            "play.bake", tr("Bake the run to a clip"), lambda s: s.feature(PlayBaking).new_clip(), menu=recording,
            section="out", enabled=_recorded,
            tip=tr("The chosen span, or all that is recorded, as a new clip with root motion"),
        ),
        Action(
            "play.export", tr("Export the played run…"), menu=recording, section="out", enabled=_recorded,
            tip=tr("The chosen span, or all that is recorded, as a file"),
        ),
        Action("play.save_inputs", tr("Save the played inputs…"), menu=recording, section="inputs", enabled=_recorded),
        Action("play.open_inputs", tr("Play recorded inputs…"), menu=recording, section="inputs", enabled=_can),
        Action(
            "play.setup_save", tr("Save the Play set-up as…"), menu=menu, section="setup", enabled=_can,
            tip=tr("Keep which clips and blend spaces drive the character, by a name, in the document"),
        ),
        Action(
            "play.setup_rename", tr("Rename the Play set-up…"), menu=menu, section="setup", enabled=_has_setup
        ),
        Action(
            "play.setup_delete", tr("Delete the Play set-up"), lambda s: s.feature(PlaySetups).delete(), menu=menu,
            section="setup", enabled=_has_setup,
        ),
        Action(
            "play.add_graph", tr("Add the graph of Play to the document"),
            lambda s: s.feature(PlaySetups).add_graph(), menu=menu, section="setup", enabled=_drawn,
            tip=tr("Where a character has no graph Locomotion, one is drawn from its clips: see it live, change it"),
        ),
        *(
            Action(
                f"play.terrain_{key}", tr("Terrain: {name}", name=title), _terrain(key), menu=terrain,
                checked=_is_terrain(key),
            )
            for key, (title, _) in TERRAINS.items()
        ),
        Action("play.terrain_file", tr("Terrain from a file…"), menu=terrain, section="file"),
        *(
            Action(
                f"play.show_{name}", tr("Play overlay: {name}", name=one.title), _overlay(name), menu=drawn,
                tip=one.tip, icon=one.icon, checked=_is_drawn(name),
            )
            for name, one in OVERLAYS.items()
        ),
    ]  # fmt: skip
