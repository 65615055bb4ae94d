"""Every interaction of the window that must be quick, by injected mouse and key events, beside what it may cost.

    xvfb-run -s "-screen 0 1280x720x24 +extension GLX" python -m tests.benchmarks.bench_latency [--only WORD] [--parts]

The clip is 65 bones × 9 cubic channels × 4,000 frames (2.3 million keys); then the same with 10,000 frames. Times
run from the input to the end of its picture (`tests.benchmarks.hand`); "own" is what the window's thread worked of
the median, which other programs disturb less. "longest turn" is the longest time that the
window's thread did not look at its queue. With `--parts` each row is followed by the milliseconds of each part of the
program (`tests.benchmarks.parts`). Nothing is asserted.
"""

# ruff: noqa: E402
import argparse
import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.temporary import own_folder

os.environ.setdefault("QT_QPA_PLATFORM", "xcb")
FOLDER = str(own_folder("bench"))
os.environ["POSEWRIGHT_CONFIG_DIR"] = os.environ["POSEWRIGHT_DATA_DIR"] = FOLDER

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from tests.benchmarks.hand import Spent, swing
from tests.benchmarks.latency_gestures import (
    blend_point,
    bone_drag,
    click,
    key_drags,
    many_keys,
    pan_and_zoom,
    scrub,
    select_bones,
    visible_rows,
)
from tests.benchmarks.latency_window import Bench, Table
from tests.benchmarks.parts import Parts


# ---------------------------------------------------------------- opening, saving, many
def opened(bench: Bench, path: Path, name: str, target: float, fails: float) -> None:
    """Open a file through the window; parsing alone is told beside it."""
    import core.io

    hand, window = bench.hand, bench.window
    parsing = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        core.io.load(path)
        parsing = min(parsing, time.perf_counter() - start)
    gc.collect()
    bench.session.document.replace(type(bench.session.document.project)(), None)
    hand.rest(0.2)
    with bench.rows("open") as note:
        hand.longest = 0.0
        there = bench.session.document
        whole = hand.timed(
            lambda: window.documents.open(path), "curves", "view", done=lambda: bool(there.project.clips)
        )
        hand.rest(0.3)
        note(f"open {name}", [whole], target, fails)
        beyond = (whole.wall - parsing) * 1e3
        print(f"{'  of which parsing alone':52}{parsing * 1e3:7.1f}{'':23}   beyond it {beyond:.0f} ms")


def memory() -> str:
    """Resident size now and at most, in MB."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return f"{now:.0f} MB now, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most"


def many_clips(bench: Bench) -> None:
    """Two hundred clips: scroll the list, switch, edit, save."""
    from tests.big_documents import big_project

    hand, session = bench.hand, bench.session
    bench.show("pose", "clips")
    bench.load(big_project(65, 300, 200, 3, 1))
    view = bench.find("clips")
    middle = QPointF(view.width() / 2, view.height() / 2)
    with bench.rows("clips") as note:
        hand.over(view.viewport(), middle)
        steps = [-1.0] * 10 + [1.0] * 9
        turns = [hand.timed(lambda s=s: hand.wheel(view.viewport(), middle, s), "clips") for s in steps]
        bench.session.playback.set_clip(session.document.project.clips[0].id)
        note("200 clips: scroll their list", turns, 16, 60)
        spent = []
        for n in range(8):
            place = QPointF(60, 36 - 24 * (n % 2))
            hand.over(view.viewport(), place)
            spent.append(
                hand.timed(lambda place=place: click(hand, view.viewport(), place), "view", "timeline")
            )
            hand.rest(0.4)  # no double clicks
        note("200 clips: switch to another", spent[1:], 50, 100)
    bone_drag(bench, "limb_0_04", ", 200 clips")
    with bench.rows("save") as note:
        start, worked = time.perf_counter(), time.thread_time()
        session.files.save(Path(FOLDER) / "many.posewright")
        hand.until(lambda: not session.files.saving, "the file", 1e-3)
        note(
            "200 clips: save (in the background)",
            [Spent(time.perf_counter() - start, time.thread_time() - worked)],
            5000,
            10000,
        )


def large_rig(bench: Bench) -> None:
    """Three hundred bones."""
    from tests.big_documents import big_project

    bench.show("pose", "timeline")
    bench.load(big_project(300, 600, 1, 2, 1))
    bench.session.switches.set("trails", True)
    bone_drag(bench, "limb_0_20", ", 300 bones, a trail")
    bench.session.switches.set("trails", False)
    scrub(bench, ", 300 bones")
    panel, hand = bench.find("view"), bench.hand
    places = swing(QPointF(panel.view.width() / 2, panel.view.height() / 2), bench.moves, 150.0, 100.0)
    with bench.rows("hover") as note:
        spent = []
        for place in places:
            start, worked = time.perf_counter(), time.thread_time()
            hand.over(panel.view, place)
            spent.append(Spent(time.perf_counter() - start, time.thread_time() - worked))
        note("hover over bones (picking), 300 bones", spent, 33, 60)
        tree = bench.find("tree")
        spent = []
        for row in range(5):
            rows = visible_rows(tree)  # choosing one may scroll the tree
            rect = rows[row % len(rows)]
            place = QPointF(rect.left() + 6, rect.center().y())
            bench.session.selection.clear()  # a click on what is selected draws nothing anew
            hand.rest(0.4)  # no double clicks
            spent.append(hand.timed(lambda place=place: click(hand, tree.viewport(), place), "view"))
        note("select a bone in the tree, 300 bones", spent, 50, 150)


def file_scene(bench: Bench, path: Path) -> None:
    """Any file with a character and a clip: a bone deep in it is posed, and its curves are shown."""
    import core.io

    project = core.io.load(path).project
    clip = max(project.clips, key=lambda clip: len(clip.tracks))
    skeleton = next(rig for rig in project.rigs if rig.id == clip.rig).skeleton
    keyed = {channel.bone for channel in clip.tracks if channel.is_bone} & set(skeleton.names)
    depth = [0] * len(skeleton)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        depth[bone] = depth[parent] + 1 if parent >= 0 else 0
    bone = max(
        sorted(keyed), key=lambda name: (depth[skeleton.index(name)] <= 6, depth[skeleton.index(name)])
    )
    name = f", {path.name}: {len(skeleton)} bones"
    bench.show("pose", "timeline")
    bench.load(project, clip.name)
    bone_drag(bench, bone, name)
    scrub(bench, name)
    bench.show("curves")
    select_bones(bench, name)
    bench.select(bone)
    pan_and_zoom(bench, f"the curves of {bone}{name}", 16, 60)


# ---------------------------------------------------------------- all of it
def sample_scenes(bench: Bench) -> None:
    """The sample character: bones, ghosts, blend space."""
    from dataclasses import replace

    from core.io.native.read import read
    from core.progress import Progress
    from editor.model.opening import sample_path
    from tests.big_documents import finer_mesh

    project = read(sample_path(), Progress()).project
    bench.show("pose", "timeline")
    bench.load(project, "walk")
    bone_drag(bench, "upper_arm_l", ", 15,576 vertices")
    mesh = project.meshes_of(project.rigs[0].id)[0]
    bench.load(replace(project, assets={**project.assets, mesh.id: finer_mesh(mesh, 20_000)}), "walk")
    bench.session.switches.set("ghosts", True)
    bench.hand.rest(0.2)
    scrub(bench, " with ±5 ghosts, 20,000 vertices")
    bench.session.switches.set("ghosts", False)
    bench.load(project, "walk")
    bench.show("blend", "blend_space")
    blend_point(bench)


def shot_scenes(bench: Bench) -> None:
    """The sample character as it is, then with three keyed layers, 1080p footage behind it and a camera."""
    from core.io.native.read import read
    from core.math import quat
    from core.progress import Progress
    from editor.model.media.state import Media
    from editor.model.opening import sample_path
    from tests.media_files import counted_movie

    project, session, run = (
        read(sample_path(), Progress()).project,
        bench.session,
        bench.window.actions_registry.run,
    )
    bench.show("pose", "timeline")
    bench.load(project, "walk")
    bone_drag(bench, "upper_arm_l", ", plain")
    scrub(bench, ", plain")
    bones = ("upper_arm_l", "lower_arm_l", "spine_03")
    for number, mode in enumerate(("additive", "override", "additive")):
        assert run(f"layer.new_{mode}")
        for frame in range(0, 30, 6):
            session.playback.seek(frame / 30)
            pose = session.evaluator.pose()
            for bone in bones:
                index = session.rig.skeleton.index(bone)
                turn = quat.from_axis_angle([0.0, 0.0, 1.0], 0.1 * np.sin(frame + number + 1))
                pose = pose.with_bone(index, rotation=quat.multiply(turn, pose.rotations[index]))
            assert session.keying.commit_pose("Rotate", pose, bones)
    bone_drag(bench, "upper_arm_l", ", three layers")
    scrub(bench, ", three layers")
    media = session.feature(Media)
    media.add_reference(counted_movie(Path(FOLDER) / "large.mp4", 60, size=(1920, 1080)))
    bench.hand.until(lambda: all(media.seconds(t) is not None for t in media.tracks), "the footage", 1e-3)
    assert run("view.camera_new")
    bench.hand.rest(0.5)
    bone_drag(bench, "upper_arm_l", ", layers, footage, camera")
    scrub(bench, ", layers, footage, camera")


def big_scenes(bench: Bench, frames: int, short: bool) -> None:
    """The long clip."""
    from tests.big_documents import big_project

    name = f", {frames:,} frames"
    path = Path(FOLDER) / f"big{frames}.posewright"
    import core.io

    core.io.save(big_project(65, frames), path)
    bench.show("curves")
    opened(bench, path, f"65 bones × 9 channels × {frames:,} frames", 500, 2000)
    print(f"{'memory with that clip open':56}{memory():>40}   target 450 MB, fails 1 GB")
    select_bones(bench, name)
    bench.select("limb_0_04")
    bench.find("curves").model.view.fit_all()
    pan_and_zoom(bench, f"9 curves × {frames:,} keys", 16, 60)
    if not short:
        key_drags(bench)
    bench.select()
    pan_and_zoom(bench, f"585 curves × {frames:,} keys", 50, 60)
    many_keys(bench, frames)
    bone_drag(bench, "limb_0_04", name)
    scrub(bench, name)


def bvh_scene(bench: Bench) -> None:
    """A long BVH."""
    path = Path(FOLDER) / "big10000.bvh"
    command = [sys.executable, "-m", "tests.big_documents", str(path), "--frames", "10000"]
    subprocess.run(command, check=True)
    bench.show("curves")
    opened(bench, path, "BVH, 65 bones, 10,000 frames", 1500, 3000)
    print(f"{'memory with that clip open':56}{memory():>40}")


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--only", default="", help="some of sample, shot, big, huge, bvh, clips, rig, with commas between"
    )
    options.add_argument(
        "--open", type=Path, help="a file whose character and clip are measured in place of all"
    )
    options.add_argument("--moves", type=int, default=40)
    options.add_argument("--parts", action="store_true", help="milliseconds of each part of the program, too")
    given = options.parse_args()
    parts = Parts() if given.parts else None
    if parts is not None:
        parts.watch()
    from core.math import kernels
    from editor.model.preferences import Preferences
    from editor.shell.start import prepare

    # What the program does in the background on its very first start; later starts find it done.
    subprocess.run([sys.executable, "-m", "core.math.warm"], check=False)
    prepare(Preferences())
    kernels.load()  # what they cost in the background of a start `bench_start` tells
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    bench = Bench(app, Table(), given.moves, parts)
    scenes: dict[str, Callable[[], None]] = {
        "sample": lambda: sample_scenes(bench),
        "shot": lambda: shot_scenes(bench),
        "big": lambda: big_scenes(bench, 4000, short=False),
        "huge": lambda: big_scenes(bench, 10_000, short=True),
        "bvh": lambda: bvh_scene(bench),
        "clips": lambda: many_clips(bench),
        "rig": lambda: large_rig(bench),
    }
    if given.open is not None:
        scenes = {given.open.name: lambda: file_scene(bench, given.open)}
    for name, scene in scenes.items():
        if not given.only or name in given.only.split(","):
            print(f"-- {name}", flush=True)
            scene()
    bench.stage.close()


if __name__ == "__main__":
    main()
