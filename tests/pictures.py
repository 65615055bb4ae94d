"""Pictures of the whole window, for people who judge how it looks: nothing is asserted.

    python -m tests.pictures OUT [--only PART…] [--list]

Thirty screens: workspaces with the sample character, RobotExpressive, Fox and a long capture; dark and light; 1280x720
and 1920x1080 at 200 %. Each set of a theme, a size and a scale is drawn by a process of its own on a virtual screen of
that size. The same script before and after a change gives pictures that can be laid over each other.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tests.shared import SHARED

SAMPLE = "sample"
FILES = {
    "robot": "gltf/RobotExpressive.glb",
    "fox": "gltf/Fox.glb",
    "capture": "bvh/cmu_01_01.bvh",
}
CLIPS = {SAMPLE: "walk", "robot": "Walking", "fox": "Run"}
BONES = {SAMPLE: "upper_arm_l", "robot": "UpperArm.L", "fox": "b_LeftForeArm_010", "capture": "LeftArm"}


HOVERED = {SAMPLE: "thigh_l", "robot": "UpperLeg.R", "fox": "b_LeftForeArm_010", "capture": "LeftUpLeg"}


@dataclass(frozen=True)
class Screen:
    """A window: theme, size in pixels of the screen, and how many of them a logical pixel has."""

    theme: str = "dark"
    size: tuple[int, int] = (1600, 1000)
    scale: float = 1.0


DARK, LIGHT = Screen(), Screen("light")
SMALL, FINE = Screen(size=(1280, 720)), Screen(size=(1920, 1080), scale=2.0)
LIGHT_FINE = Screen("light", (1920, 1080), 2.0)


@dataclass(frozen=True)
class Shot:
    """One picture: a file in a workspace, and what else is done before it is taken, see `VERBS`."""

    screen: Screen
    file: str
    workspace: str
    verbs: tuple[str, ...] = ("select",)

    @property
    def name(self) -> str:
        """Of the picture's file."""
        screen = self.screen
        size = "" if screen.size == (1600, 1000) else f"_{screen.size[0]}x{screen.size[1]}"
        scale = "" if screen.scale == 1.0 else f"_{100 * screen.scale:.0f}"
        more = "_".join(verb for verb in self.verbs if verb != "select") if self.verbs else "plain"
        return f"{screen.theme}{size}{scale}-{self.file}-{self.workspace}{'-' + more if more else ''}"


SHOTS = (
    Shot(DARK, SAMPLE, "pose"),
    Shot(DARK, SAMPLE, "pose", ("card",)),
    Shot(DARK, SAMPLE, "pose", ("select", "rotate", "ghosts")),
    Shot(DARK, SAMPLE, "pose", ("select", "hover")),
    Shot(DARK, "robot", "pose", ("select", "hover")),
    Shot(LIGHT, SAMPLE, "pose", ("select", "hover")),
    Shot(DARK, SAMPLE, "curves"),
    Shot(DARK, SAMPLE, "blend", ("space",)),
    Shot(DARK, SAMPLE, "retarget"),
    Shot(DARK, SAMPLE, "export"),
    Shot(DARK, SAMPLE, "graph"),
    Shot(DARK, SAMPLE, "play"),
    Shot(DARK, SAMPLE, "pose", ("palette",)),
    Shot(DARK, SAMPLE, "pose", ("menu",)),
    Shot(DARK, SAMPLE, "pose", ("preferences",)),
    Shot(DARK, "robot", "pose"),
    Shot(DARK, "robot", "curves"),
    Shot(DARK, "robot", "pose", ("play",)),
    Shot(DARK, "fox", "pose"),
    Shot(DARK, "capture", "pose"),
    Shot(DARK, "capture", "curves"),
    Shot(LIGHT, SAMPLE, "pose", ("select", "rotate", "ghosts")),
    Shot(LIGHT, SAMPLE, "curves"),
    Shot(LIGHT, SAMPLE, "blend", ("space",)),
    Shot(LIGHT, "robot", "pose"),
    Shot(LIGHT, "capture", "pose"),
    Shot(SMALL, SAMPLE, "pose"),
    Shot(SMALL, SAMPLE, "blend", ("space",)),
    Shot(SMALL, "capture", "curves"),
    Shot(FINE, SAMPLE, "pose"),
    Shot(FINE, SAMPLE, "curves"),
    Shot(FINE, SAMPLE, "pose", ("menu",)),
    Shot(LIGHT_FINE, "robot", "pose"),
)


# ------------------------------------------------------------ the child
def _child(out: Path, shots: list[Shot]) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    import core.io
    from editor.model.opening import sample_path
    from editor.model.preferences import Preferences
    from editor.model.session import Session
    from editor.shell import start

    screen = shots[0].screen
    start.prepare(Preferences())
    app = start.application()
    from editor.qt.theme import Theme
    from editor.shell.panels import panel_specs
    from editor.shell.window import MainWindow

    window = MainWindow(Session.create(), Theme(app, screen.theme), panel_specs())
    window.setGeometry(0, 0, round(screen.size[0] / screen.scale), round(screen.size[1] / screen.scale))
    window.show()
    last = ""
    for shot in shots:
        if shot.file != last:
            path = sample_path() if shot.file == SAMPLE else SHARED / "data" / FILES[shot.file]
            window.session.document.replace(core.io.load(path).project, None)
            last = shot.file
        _set_up(window, shot)
        settle(app)
        for verb in shot.verbs:
            VERBS[verb](window, shot)
            settle(app)
        settle(app, 0.8)
        for _ in range(100):  # textures and shades come from the background
            if not window.session.jobs.running:
                break
            settle(app, 0.3)
        clips = window.docks["clips"].body.panel
        for _ in range(60):  # so do the pictures of clips, once all else is done
            if (
                clips is None
                or not clips.isVisible()
                or not (clips.thumbnails._due or clips.thumbnails._busy)
            ):
                break
            settle(app, 0.2)
        settle(app)
        app.primaryScreen().grabWindow(0).save(str(out / f"{shot.name}.png"))
        _undo(window, app)
    window._close_now()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _set_up(window, shot: Shot) -> None:
    session = window.session
    project = session.document.project
    named = CLIPS.get(shot.file)
    clip = project.clip_named(named) if named is not None else project.clips[0]
    window.use_workspace("pose")
    window.use_workspace(shot.workspace)
    window.layouts.reset()
    if session.clip is None or session.clip.id != clip.id:
        session.playback.set_clip(clip.id)
    session.playback.pause()
    session.playback.seek(clip.rate.to_seconds(round(0.4 * clip.frames)))
    session.selection.select(())


def _undo(window, app) -> None:
    """What a shot switched on goes off again."""
    from PySide6.QtWidgets import QMenu

    from editor.model.blending.state import Blending

    window.session.feature(Blending).live.stop()
    window.session.playback.pause()
    for popup in [*app.topLevelWidgets(), *window.findChildren(QMenu)]:
        if popup is not window and popup.isVisible():
            popup.close()
    window.palette_box.hide()
    window.centre_body.panel.first_card.hide()
    window.centre_body.panel.model.hover(None)
    for name in ("ghosts",):
        if window.session.switches[name]:
            window.session.switches.set(name, False)
    settle(app)


def settle(app, seconds: float = 0.4) -> None:
    """Let the window draw, and what is computed in the background arrive."""
    from time import monotonic, sleep

    end = monotonic() + seconds
    while monotonic() < end:
        app.processEvents()
        sleep(0.01)


def _select(window, shot: Shot) -> None:
    window.session.selection.select((BONES[shot.file],))


def _space(window, shot: Shot) -> None:
    from editor.model.blending.state import Blending

    blending = window.session.feature(Blending)
    blending.spaces.open(blending.spaces.all()[-1].id)
    blending.live.start(running=False)


def _hover(window, shot: Shot) -> None:
    """The pointer over the thigh beside what is selected, told as the view would be."""
    from editor.gl import camera as cameras

    model = window.centre_body.panel.model
    name = HOVERED[shot.file]
    bone = model.rig.skeleton.index(name)
    shapes = model.draw_list().bones
    at = 0.7 * shapes.heads[bone] + 0.3 * shapes.tails[bone]
    pixel, _ = cameras.project(model.camera, at, model.controller.size)
    model.hover((float(pixel[0]), float(pixel[1])))


def _menu(window, shot: Shot) -> None:
    action = window.menuBar().actions()[1]
    menu = action.menu()
    menu.popup(window.menuBar().mapToGlobal(window.menuBar().actionGeometry(action).bottomLeft()))


def _later(action: str) -> Callable[[object, Shot], None]:
    """Run an action whose dialog may wait for an answer."""

    def run(window, shot: Shot) -> None:
        from PySide6.QtCore import QTimer

        QTimer.singleShot(0, window, lambda: window.actions_registry.run(action))

    return run


def _run(*actions: str) -> Callable[[object, Shot], None]:
    def run(window, shot: Shot) -> None:
        for action in actions:
            window.actions_registry.run(action)

    return run


def _play(window, shot: Shot) -> None:
    window.session.playback.play()


def _card(window, shot: Shot) -> None:
    window.centre_body.panel.first_card.greet()


VERBS: dict[str, Callable] = {
    "select": _select,
    "space": _space,
    "rotate": _run("tool.rotate"),
    "ghosts": lambda window, shot: window.session.switches.set("ghosts", True),
    "palette": _run("help.palette"),
    "menu": _menu,
    "preferences": _later("edit.preferences"),
    "play": _play,
    "card": _card,
    "hover": _hover,
}


# ------------------------------------------------------------ the parent
def main(words: list[str]) -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument(
        "--only", nargs="*", default=[""], metavar="PART", help="names that contain one of these"
    )
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    chosen = [
        shot
        for shot in SHOTS
        if (shot.name in given.only if given.child else any(part in shot.name for part in given.only))
    ]
    if given.list or given.out is None:
        print("\n".join(shot.name for shot in chosen))
        return 0
    out = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    if given.child:
        _child(out, chosen)
        return 0
    failed = 0
    for screen, group in groupby(sorted(chosen, key=lambda s: str(s.screen)), key=lambda s: s.screen):
        failed += _on_a_screen(out, screen, [shot.name for shot in group])
    print(f"{out}: {len(chosen)} pictures" if not failed else f"{failed} sets failed")
    return int(failed > 0)


def _on_a_screen(out: Path, screen: Screen, names: list[str]) -> bool:
    from pyvirtualdisplay.display import Display

    with (
        Display(visible=False, size=screen.size, extra_args=["-noreset", "+extension", "GLX"]),
        tempfile.TemporaryDirectory() as home,
    ):
        environment = os.environ | {
            "QT_QPA_PLATFORM": "xcb",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "POSEWRIGHT_STILL": "1",
            "QT_SCALE_FACTOR": f"{screen.scale:g}",
            "POSEWRIGHT_CONFIG_DIR": f"{home}/config",
            "POSEWRIGHT_DATA_DIR": f"{home}/data",
        }
        words = [sys.executable, "-m", "tests.pictures", str(out), "--child", "--only", *names]
        return subprocess.run(words, env=environment, timeout=600).returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
