"""What is written over views and in tables: heads-up lines, rows of a set-up, seams, motion; by pins and tables."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.locomotion.animation.behaviours import SPACE
from core.tracks.keys import scalar_track
from editor.model.blocking import Blocking
from editor.model.play.setups import By, Kind, Part
from editor.model.time_axis import TimeAxis
from editor.panels.curves.motion import MOST_FRAMES, MotionCurves, motion_text
from editor.panels.play_setup.view_model import BY_NAME, KEEP, LEAVE_OUT, SetupRows
from editor.panels.timeline.seam_meter import SeamMeter
from editor.panels.viewport.heads_up import heads_up
from editor.tools.state import Setup, Space, Tool
from tests.editor.actions import rich
from tests.editor.panel_stage import small_session
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def session():
    made = small_session(mesh=False)
    times = np.arange(0.0, 2.01, 0.1)
    tracks = {
        Channel("upper_arm_l", Property.ROTATE, axis): scalar_track(
            times, 40.0 * np.sin((axis + 1.0) * times)
        )
        for axis in range(3)
    }
    tracks[Channel("pelvis", Property.TRANSLATE, 2)] = scalar_track([0.0, 2.0], [0.0, 0.5])
    made.edits.put("curved", made.clip.with_tracks(tracks))
    yield made
    made.close()


# ------------------------------------------------------------ over the view
def test_lines_over_the_view(session) -> None:
    with PINS.together("heads up") as note:
        for tool, space, snap in itertools.product(Tool, Space, (False, True)):
            note(heads_up(session, Setup(tool, space, snap=snap), "", "front"))
        for frame, status in itertools.product((0.0, 12.5, 60.0), ("", "turning 10°")):
            session.playback.seek(frame / 30.0)
            note(heads_up(session, Setup(Tool.MOVE), status, ""))
        session.feature(Blocking).set(True)
        session.playback.seek(1.03)
        note(heads_up(session, Setup(Tool.MOVE), "", ""))
        session.feature(Blocking).set(False)
        session.keying.auto = False
        for bone, number in (("hand_l", 6), ("head", 3)):
            moved = session.evaluator.pose().with_bone(number, translation=np.array([0.3, 0.1, 0.0]))
            session.keying.commit_pose("moved", moved, [bone])
            shown = heads_up(session, Setup(Tool.MOVE), "", "")
            note(shown, shown.key_state)
        session.keying.auto = True
        note(heads_up(session, Setup(Tool.MOVE), "", "").key_state)
        session.playback.set_clip(None, session.rig.id)
        note(heads_up(session, Setup(Tool.SELECT), "", ""))


def test_the_layer_in_hand_is_named_after_its_clip() -> None:
    session, _ = rich.at_stage("layer")
    PINS.hold("heads up of a layer", heads_up(session, Setup(Tool.MOVE), "", ""))
    session.close()


# ------------------------------------------------------------ motion
def test_speed_and_acceleration_of_the_bone_selected_last(session) -> None:
    motion = MotionCurves(session)
    axis = TimeAxis(-0.2, 300.0, 800.0, session.playback.rate)
    session.selection.select(["head", "hand_l"])
    assert motion.shown(axis) is None
    session.switches.set("curves_motion", True)
    found = motion.shown(axis)
    assert found.bone == "hand_l" and motion.shown(axis) is found
    assert (
        found.times == pytest.approx(np.arange(61) / 30.0)
        and len(found.speed) == len(found.acceleration) == 61
    )
    places = []
    for time in (0.5 - 1 / 30, 0.5, 0.5 + 1 / 30):
        session.playback.seek(time)
        places.append((session.evaluator.world() @ session.evaluator.matrices()[6])[:3, 3])
    speed, acceleration = found.at(0.5)
    assert speed == pytest.approx(np.linalg.norm(places[2] - places[0]) * 15.0, rel=1e-3)
    assert acceleration == pytest.approx(
        np.linalg.norm(places[2] - 2.0 * places[1] + places[0]) * 900.0, rel=0.05
    )
    with PINS.together("motion") as note:
        note(found.speed, found.acceleration, *motion_text(found, 0.5), *motion_text(found, 0.517))
        for bones, start, scale, in_place in itertools.product(
            (("hand_l",), ("hand_l", "pelvis"), ()), (-0.2, 0.9, 5.0), (300.0, 3000.0), (True, False)
        ):
            session.selection.select(bones)
            session.playback.in_place = in_place
            made = motion.shown(TimeAxis(start, scale, 800.0, session.playback.rate))
            note(None if made is None else (made.bone, made.times, made.speed, made.acceleration))
        session.playback.set_range(0.41, 1.13)
        session.selection.select(["hand_l"])
        note(motion.shown(axis).times)
        session.playback.set_range(None)
        session.edits.put("long", replace(session.clip, length=90.0))
        long = motion.shown(TimeAxis(0.0, 8.0, 800.0, session.playback.rate))
        note(long.times, MOST_FRAMES)
    session.playback.set_clip(None, session.rig.id)
    assert motion.shown(axis) is None


# ------------------------------------------------------------ seams
def test_how_a_loop_closes_in_words(session) -> None:
    meter, skeleton = SeamMeter(), session.rig.skeleton
    clip = replace(session.clip, looping=True)
    with PINS.together("seams") as note:
        for made in (
            session.clip, clip, clip, replace(clip, length=1.0), replace(clip, length=0.0),
            clip.with_tracks({Channel("head", Property.ROTATE, 1): scalar_track([0.0, 2.0], [0.0, 123.4])}),
            clip.with_tracks({Channel("pelvis", Property.TRANSLATE, 2): scalar_track([0.0, 2.0], [0.0, 0.00004])}),
            replace(clip, tracks={Channel("head", Property.ROTATE, 1): scalar_track([0.0, 2.0], [5.0, 5.0])}),
            replace(clip, tracks={Channel("head", Property.ROTATE, 1): scalar_track([0.0, 1.9], [5.0, 5.009])}),
            replace(clip, tracks={Channel("gone", Property.ROTATE, 1): scalar_track([0.0, 2.0], [0.0, 9.97])}),
        ):  # fmt: skip
            note(meter.read(made, skeleton), SeamMeter().read(made, skeleton), meter.read(made, None))
    assert meter.read(None) == ("", "", True)


# ------------------------------------------------------------ set-ups
class Setups:
    """A set-up whose parts are given."""

    def __init__(self) -> None:
        self.made = (
            Part(Kind.BONE, "hips", "pelvis", By.NAME), Part(Kind.BONE, "head", "", By.MISSING),
            Part(Kind.SPACE, "Walk", "walk 2D", By.HAND), Part(Kind.CLIP, "Idle", "", By.LEFT_OUT),
            Part(Kind.CLIP, "Run", "", By.MISSING),
        )  # fmt: skip
        self.searched = (
            Part(Kind.RANGE, "walk", "walk", By.NAME), Part(Kind.RANGE, "run", "run", By.HAND, "no loop"),
            Part(Kind.RANGE, "gone", "gone", By.MISSING), Part(Kind.RANGE, "out", "", By.LEFT_OUT, "by hand"),
        )  # fmt: skip
        self.behaviours = [
            SimpleNamespace(name="Walk", on=True, lacks=()), SimpleNamespace(name="Jump", on=False, lacks=("jump",)),
            SimpleNamespace(name="Lean", on=False, lacks=(f"{SPACE}lean", "a", "b")),
        ]  # fmt: skip
        self.chosen: list[tuple[object, ...]] = []

    def parts(self):
        return self.made

    def ranges(self):
        return self.searched

    def candidates(self, kind):
        return ((f"{kind}-1", "one"),)

    def choose(self, *words) -> None:
        self.chosen.append(words)


def test_rows_of_a_set_up_and_what_can_be_chosen() -> None:
    setups = Setups()
    rows = SetupRows(setups)
    with PINS.together("set-up") as note:
        for words, missing in itertools.product(("", "RUN", "missing", "walk 2d", "none"), (False, True)):
            rows.words, rows.only_missing = words, missing
            note(
                [
                    (g.id, g.title, g.open, [(r.title, r.text, r.token, r.tip) for r in g.rows])
                    for g in rows.groups()
                ]
            )
        for part in (*setups.made, *setups.searched):
            note(rows.choices(part))
            for choice in (BY_NAME, KEEP, LEAVE_OUT, "clip-1"):
                rows.choose(part, choice)
        note(setups.chosen)
        setups.behaviours, setups.made, setups.searched = setups.behaviours[:1], setups.made[:1], ()
        rows.words, rows.only_missing = "", False
        note([(g.id, g.title, len(g.rows)) for g in rows.groups()])
