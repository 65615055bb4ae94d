"""The get up node: from the pose that is shown, however it lies, to a standing one (spec: ragdoll, *Get up*)."""

import math
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.errors import AnimError
from core.graph import kept
from core.graph.compiler import Compiler, Kind
from core.graph.curve_table import CurveTable
from core.graph.graph import Node, Sheet
from core.graph.grounds import whole_ground
from core.graph.language.values import FLOAT
from core.graph.names import near
from core.graph.nodes import reading
from core.graph.nodes.bodies import Bodies, bodies_of
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output
from core.math import quat, transform
from core.math.transform import Transform
from core.physics.contacts import Heights
from core.physics.get_up import GetUp, Rise
from core.physics.start import Posture
from core.tracks.evaluate import evaluate_scalar

PREFIX = "get up"
"""What names of clips begin with by which a rig gets up, where none are chosen."""
FASTEST = 4.0
"""Times their own speed that clips are played at most."""
KEPT_RISES = 64

TIME, GOT_UP, PROGRESS, ELAPSED, FADING, START, PLACE, FLOATS = 0, 1, 2, 3, 4, 5, 6, 13
"""Places of its floats: seconds of the clip; what expressions read; seconds since it began, until nothing is left of
the lying pose, of the clip when it began; where the character stands; then how much higher hands and feet are than
in the clip."""
BEGUN, CLIP, INTS = 0, 1, 2
"""Places of its ints: whether it has begun, and with which clip."""


class GetUpOp(PoseOp):
    """Gets up from what the graph showed last when it begins to count; then it stands.

    All that lasts is in the state: numbers of the rise, and the lying pose.
    """

    INTS = INTS
    POSES = 1
    POSE = None
    simulates = True
    VALUES = {"got_up": GOT_UP, "get_up_progress": PROGRESS}

    def __init__(
        self, where: OpPlace, bodies: Bodies, rising: GetUp, table: CurveTable, rate: int, *, moves: bool
    ) -> None:
        super().__init__(where, ())
        self.bodies, self.rising, self.rate, self.moves = bodies, rising, rate, moves
        self._table = table
        self.FLOATS = FLOATS + rising.limbs
        self._rises: dict[bytes, Rise] = {}

    def restart(self, run: Run) -> None:
        """Forget everything."""
        run.ints[self.place.ints : self.place.ints + self.INTS] = 0
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0

    def pose(self, run: Run) -> Output:
        """The pose of this step; in the first it is the one that was shown."""
        if not run.was_relevant[self.number]:
            self.restart(run)
        if run.ints[self.place.ints + BEGUN] == 0:
            rise = self._begun(run)
        else:
            rate = min(max(run.value(self.rate), 0.0), FASTEST)
            rise = self._rise(run)
            if run.dt > 0.0 and rate > 0.0:
                ground = self._height(run, rise.placement)
                rise = self.rising.step(rise, ground, self.span(run) * rate, self._heights(run))
        self._keep(run, rise)
        posture = self.rising.posture(rise)
        motion = transform.IDENTITY
        if self.moves:
            motion = transform.compose(transform.inverse(run.character), posture.placement)
            motion = Transform(motion.translation, quat.normalise(motion.rotation), np.ones(3))
        clip = self.rising.clips[rise.clip]
        curves = {
            name: np.array([evaluate_scalar(track, rise.time)])
            for name, track in clip.curves.items()
            if name in self._table.index
        }
        return Output(posture.local, *self._table.filled(curves, {}), motion)

    def _begun(self, run: Run) -> Rise:
        """The start, from what the graph showed last; from the rest pose where it has shown nothing."""
        history = run.ops[-1].history(run)
        posture = Posture(run.rig.skeleton.rest, run.character)
        if history is not None:
            posture = Posture(history.local, history.place)
        pelvis = self.bodies.pelvis(posture)
        under = Transform(pelvis, quat.IDENTITY, np.ones(3))
        ground = self._height(run, under)
        rise = self.rising.begin(posture, float(run.character.translation[1]) if ground is None else ground)
        lying = Output(rise.lying, np.zeros(len(self._table)), np.zeros(len(self._table), dtype=bool))
        kept.store(run, self.place.poses, lying)
        f, i = self.place.floats, self.place.ints
        run.floats[f + FADING : f + PLACE] = rise.fading, rise.start
        run.ints[i : i + INTS] = 1, rise.clip
        return rise

    def _height(self, run: Run, stands: Transform) -> float | None:
        """Height of the ground in the world under a place; None where nothing is below it."""
        terrain = whole_ground(run.ground)
        if terrain is not None:
            height = float(terrain.under(stands.translation))
            return height if math.isfinite(height) else None
        level = float(run.character.translation[1])
        if run.ground is None:
            return level
        own = transform.apply(transform.inverse(run.character), stands.translation)
        asked = float(run.ground(own)[0])
        return level + asked if math.isfinite(asked) else None

    def _heights(self, run: Run) -> Heights | None:
        """Heights of the ground under places of the world; None on the level."""
        terrain = whole_ground(run.ground)
        if terrain is not None:
            return terrain.under
        if run.ground is None:
            return None
        upright = Transform(np.zeros(3), quat.IDENTITY, np.ones(3))

        def asked(places: FloatArray) -> FloatArray:
            found = (self._height(run, upright._replace(translation=place)) for place in places)
            return np.array([np.nan if height is None else height for height in found])

        return asked

    # ---------------------------------------------------------------- what lasts
    def _keep(self, run: Run, rise: Rise) -> None:
        f, rising = self.place.floats, self.rising
        run.floats[f : f + FADING] = (
            rise.time, float(rising.over(rise)), rising.progress(rise), rise.elapsed,
        )  # fmt: skip
        place = (*rise.placement.translation, *rise.placement.rotation)
        run.floats[f + PLACE : f + self.FLOATS] = (*place, *rise.lifts)
        if len(self._rises) >= KEPT_RISES:
            self._rises.pop(next(iter(self._rises)))
        self._rises[self._key(run)] = rise

    def _key(self, run: Run) -> bytes:
        """What the inertia of a rise follows from."""
        f = self.place.floats
        lying = run.poses[self.place.poses, : 10 * len(run.rig.skeleton)]
        clip = int(run.ints[self.place.ints + CLIP])
        return run.floats[f + FADING : f + PLACE].tobytes() + clip.to_bytes(8, "little") + lying.tobytes()

    def _rise(self, run: Run) -> Rise:
        """The rise as it is kept."""
        f = self.place.floats
        numbers = run.floats[f : f + self.FLOATS].copy()
        stands = Transform(numbers[PLACE : PLACE + 3], numbers[PLACE + 3 : FLOATS], np.ones(3))
        rise = self._rises.get(self._key(run))
        if rise is None:
            clip, lying = int(run.ints[self.place.ints + CLIP]), kept.stored(run, self.place.poses).local
            rise = self.rising.again(
                clip, lying, float(numbers[START]), float(numbers[FADING]), numbers[FLOATS:]
            )
        time, elapsed = float(numbers[TIME]), float(numbers[ELAPSED])
        return replace(rise, time=time, elapsed=elapsed, placement=stands, lifts=numbers[FLOATS:])


# -------------------------------------------------------------------- compiling
def _get_up(c: Compiler, sheet: Sheet, node: Node) -> int:
    rate = c.value(sheet, node, "rate", FLOAT, "1")
    moves = reading.truth(node, "move_character", True)
    clips = _clips(c, sheet, node)
    try:
        if clips:
            bodies = bodies_of(c)
            rising = GetUp(c.rig, bodies.plan, clips)
            return c.add(
                lambda at: GetUpOp(at, bodies, rising, c.table, rate, moves=moves), node.id, node.name
            )
    except AnimError as error:
        c.fault(f"its rig cannot get up: {error}", sheet.id, node.id)
    return c.rest(node.id)


def _clips(c: Compiler, sheet: Sheet, node: Node) -> list[Clip]:
    """The clips that are named, else all whose names begin with `PREFIX`; a fault where there is none."""
    chosen = node.parameters.get("clips") or ()
    names = [str(name) for name in (chosen if isinstance(chosen, tuple) else (chosen,))]
    own = {clip.name: clip for clip in c.project.clips if clip.rig == c.rig.id and clip.additive is None}
    for name in names:
        if name not in own:
            c.fault(
                f"its rig has no clip {name[:60]!r}{near(name[:60], own)}; choose another",
                sheet.id, node.id, "clips",
            )  # fmt: skip
    if not names:
        names = [name for name in own if name.casefold().startswith(PREFIX)]
        if not names:
            c.fault(
                "its rig has no clip to get up by: choose clips, or name them like 'get up back'",
                sheet.id, node.id, "clips",
            )  # fmt: skip
    found = [own[name] for name in names if name in own]
    for clip in found:
        c.used[clip.id] = clip
    return found


KINDS: dict[str, Kind] = {"get_up": _get_up}
