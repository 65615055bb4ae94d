"""Moves that lead from one way of standing or going to another: stops, starts, turns, jumps.

Such a move has a root that goes a given way, a trunk that passes over from one motion to the other with some
acting on top, and feet that are planted, or step from place to place. The pelvis sinks where a leg would
otherwise be too short. Places are in the space the root starts in, in metres; turns in degrees.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Notify
from core.math import quat
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack
from resources.sample import skeleton as sk
from resources.sample.clips.crouch_idle import FEET as CROUCH_FEET
from resources.sample.clips.crouch_idle import SLOW, crouching
from resources.sample.clips.idle import FEET, hand_closing, standing
from resources.sample.motion import stance
from resources.sample.motion.acting import Body, FootPath, FootRow, key_feet
from resources.sample.motion.feet import BALL, curve
from resources.sample.motion.figure import FIGURE, Posing, Turn
from resources.sample.motion.gait import Gait, GaitFeet, hand_pose, trunk_pose
from resources.sample.motion.keying import RATE, ClipBuilder
from resources.sample.motion.stance import NECK, SPINE

LEGS = ("thigh", "calf", "foot", "ball")
STRETCHED = 0.985
"""Part of its length that a leg reaches in a move."""
SOFTENING = 2.0
"""Frames by which the sinking of the pelvis is spread."""

SWING = (
    (0.13, 0.05, 0.22, 0.94, 0.75, 0.0), (0.28, 0.20, 0.80, 0.75, 0.30, 150.0),
    (0.55, 0.60, 1.0, 0.20, 0.0, 130.0), (0.80, 0.91, 0.45, -0.05, 0.0, 0.0),
)  # fmt: skip
"""A step on its way: part of its time, of its way, of its height, of the pitch it left in, toes bent by it, and degrees
by which the heel is up at least for each metre of height, as a folded leg has it."""

RootAt = Callable[[float], tuple[float, float, float, float]]
"""Frame to x, y, z and yaw of the root."""
TrunkAt = Callable[[float], Posing]
"""Frame to the pose of all but the legs, in the root's frame."""
ArmOffset = tuple[float, float, float, float, float]
"""Frame, then swing, spread, lower and elbow beyond what the arm does anyhow, of a left arm."""


def _without_legs(pose: Posing) -> Posing:
    out = Posing()
    out.turns = {name: q for name, q in pose.turns.items() if not name.startswith(LEGS)}
    out.shifts = dict(pose.shifts)
    return out


def standing_trunk(_: float = 0.0) -> Posing:
    """All but the legs as ``idle`` begins."""
    pose = _without_legs(standing())
    for side, amount in zip("lr", hand_closing(0.0), strict=True):
        stance.fingers(pose, side, amount)
    return pose


def crouching_trunk(_: float = 0.0) -> Posing:
    """All but the legs as ``crouch idle`` begins."""
    pose = _without_legs(crouching())
    for side, amount in (("l", 1.2 + 0.1 * SLOW(0.0)), ("r", 1.3)):
        stance.fingers(pose, side, amount)
    return pose


def gait_trunk(gait: Gait, phase: float) -> Posing:
    """All but the legs of a gait."""
    return trunk_pose(gait, phase).update(hand_pose(gait, phase))


def mixed(a: Posing, b: Posing, weight: float) -> Posing:
    """A pose between two; what one of them leaves out is at rest there."""
    out = Posing()
    for name in dict.fromkeys((*a.turns, *b.turns)):
        first, second = (p.turns.get(name, quat.IDENTITY) for p in (a, b))
        out.turns[name] = quat.slerp(first, second, weight)
    for name in dict.fromkeys((*a.shifts, *b.shifts)):
        out.shifts[name] = (1.0 - weight) * a.shifts.get(name, np.zeros(3)) + weight * b.shifts.get(
            name, np.zeros(3)
        )
    return out


class Footsteps:
    """One foot's way through a move, put together step by step."""

    def __init__(self, side: str) -> None:
        self.side = side
        self.sign = 1.0 if side == "l" else -1.0
        self.rows: list[FootRow] = []
        self.down: list[tuple[float, float]] = []
        """Frames from which to which the foot bears weight."""
        self._turning = False

    @property
    def last(self) -> FootRow:
        """The row the foot has come to."""
        return self.rows[-1]

    def follow(
        self,
        gait: Gait,
        phase: float,
        until: float,
        root: RootAt,
        *,
        plant: tuple[float, float] | None = None,
    ) -> "Footsteps":
        """Go on as a gait does from a phase; a planted foot stays where it is.

        Parameters
        ----------
        plant
            Where else than in the gait it is planted: x, and yaw to the left.
        """
        feet = GaitFeet(gait)
        held: FootRow | None = None
        for frame in np.unique(np.append(np.arange(0.0, until, 1.0), until)):
            at = phase + frame / gait.frames
            x, up, z, yaw, pitch, toes = feet.row(self.side, at)
            if feet.planted(self.side, at):
                if held is None:
                    held = (x + root(frame)[0], z + root(frame)[2], yaw)
                    held = (plant[0], held[1], plant[1]) if plant else held
                    self.down.append((frame, frame))
                self.down[-1] = (self.down[-1][0], frame)
                self.rows.append((frame, held[0], 0.0, held[1], held[2], pitch, toes))
            else:
                held = None
                self.rows.append((frame, x + root(frame)[0], up, z + root(frame)[2], yaw, pitch, toes))
        return self

    def stand(self, frame: float, x: float, z: float, yaw: float) -> "Footsteps":
        """Be planted flat."""
        self.rows.append((frame, x, 0.0, z, yaw, 0.0, 0.0))
        self.down.append((frame, frame))
        return self

    def stay(self, frame: float) -> "Footsteps":
        """Stay planted until a frame, flat in the end."""
        _, x, _, z, yaw, pitch, toes = (*self.last, 0.0)[:7]
        if abs(pitch) > 0.5 and frame - self.last[0] > 3.0:
            self.rows.append((self.last[0] + 2.5, x, 0.0, z, yaw, 0.0, 0.0))
        if frame > self.last[0]:
            self.rows.append((frame, x, 0.0, z, yaw, 0.0, 0.0))
        self.down[-1] = (self.down[-1][0], frame)
        return self

    def step(  # noqa: PLR0913 - a step by its numbers
        self, lift: float, land: float, x: float, z: float, yaw: float,
        *, height: float = 0.08, heel: float = -30.0, toes_up: float = 5.0, wide: float = 0.0,
    ) -> "Footsteps":  # fmt: skip
        """Lift at a frame, and land flat at a place.

        Parameters
        ----------
        heel
            Pitch in which the foot leaves the ground, heel up; kept where it is in the air already.
        toes_up
            Pitch in which it lands.
        wide
            Metres by which it swings outward half-way.
        """
        frame, x0, up0, z0, yaw0, pitch0, _ = (*self.last, 0.0)[:7]
        on_ground = up0 <= 0.0
        if on_ground:
            if lift - frame > 3.0:
                self.rows.append((lift - 2.5, x0, 0.0, z0, yaw0, min(0.0, pitch0), 0.0))
            if lift > frame:
                self.rows.append((lift, x0, 0.0, z0, yaw0, heel, 0.0))
            if not self._turning:
                self.down[-1] = (self.down[-1][0], max(lift, frame))
            self._turning = False
            pitch0 = heel if lift > frame else pitch0
        span = land - max(lift, frame)
        begin = max(lift, frame)
        for u, gone, rise, tilt, bent, folded in SWING if on_ground else SWING[1:]:
            out = wide * self.sign * float(np.sin(np.pi * u))
            pitch = tilt * pitch0 + (1.0 - tilt) * (toes_up if u > 0.6 else 0.0)
            pitch = min(pitch, -folded * height) if folded else pitch
            up = max(rise * height, (1.0 - u) * up0)
            toes = max(0.0, -bent * pitch - max(0.0, -pitch) * max(0.0, 1.0 - up / 0.10))
            self.rows.append(
                (begin + u * span, x0 + gone * (x - x0) + out, up, z0 + gone * (z - z0),
                 yaw0 + gone * (yaw - yaw0), pitch, 6.0 if u > 0.6 else toes)
            )  # fmt: skip
        self.rows.append((land, x, 0.0, z, yaw, toes_up, 0.0))
        if abs(toes_up) > 0.5:
            self.rows.append((land + 2.0, x, 0.0, z, yaw, 0.0, 0.0))
        self.down.append((land, land))
        return self

    def twist(self, start: float, until: float, yaw: float, heel: float = -25.0) -> "Footsteps":
        """Turn a planted foot on its ball; it does not count as planted meanwhile."""
        _, x, _, z, before, pitch, _ = (*self.last, 0.0)[:7]
        self.rows.append((start, x, 0.0, z, before, min(pitch, 0.0), 0.0))
        ball = np.array([x, z]) + self._to_ball(before)
        for part, tilt in ((0.35, 0.7), (0.7, 1.0), (1.0, 1.0)):
            now = before + part * (yaw - before)
            x, z = ball - self._to_ball(now)
            self.rows.append((start + part * (until - start), float(x), 0.0, float(z), now, tilt * heel, 0.0))
        self.down[-1] = (self.down[-1][0], start)
        self._turning = True
        return self

    def _to_ball(self, yaw: float) -> FloatArray:
        """From the ankle to the ball of a foot turned so far to the left: x and z."""
        way = (BALL - sk.ANKLE) * [self.sign, 1.0, 1.0]
        c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
        return np.array([c * way[0] + s * way[2], c * way[2] - s * way[0]])

    def join(self, gait: Gait, phase: float, frames: float, start: float, root: RootAt) -> "Footsteps":
        """Go on as a gait does from a frame, to be at a phase in the last one."""
        feet = GaitFeet(gait)
        for frame in np.unique(np.append(np.arange(start, frames, 1.0), frames)):
            at = phase + (frame - frames) / gait.frames
            x, up, z, yaw, pitch, toes = feet.row(self.side, at)
            x, z, yaw = placed(root(float(frame)), (x, z, yaw))
            self.rows.append((float(frame), x, up, z, yaw, pitch, toes))
            if feet.planted(self.side, at) and self.down:
                self.down[-1] = (self.down[-1][0], float(frame))
        return self

    def contact(self, frames: float) -> list[tuple[float, float]]:
        """Keys of the contact curve."""
        keys: list[tuple[float, float]] = []
        for start, end in self.down:
            if start > frames:
                break
            if start <= 0.0:
                keys.append((0.0, 1.0))
            else:
                keys += [(0.0, 0.0)] if not keys else []
                keys += [(start - 0.1, 0.0), (start, 1.0)]
            if end < frames - 0.01 and start < frames - 0.5:
                keys += [(max(end - 0.5, start + 0.1), 1.0), (max(end, start + 0.2), 0.0)]
        keys = keys or [(0.0, 0.0)]
        if keys[-1][0] < frames:
            keys.append((frames, keys[-1][1]))
        return keys


def home_of(side: str, crouched: bool = False) -> tuple[float, float, float]:
    """x, z and yaw to the left of a foot as ``idle`` or ``crouch idle`` has it."""
    (x, _, z), out = (CROUCH_FEET if crouched else FEET)[side]
    return float(x), float(z), out if side == "l" else -out


def placed(
    root: tuple[float, float, float, float], place: tuple[float, float, float]
) -> tuple[float, float, float]:
    """A foot's x, z and yaw, given in the root's frame, where the root is."""
    x, z, yaw = place
    c, s = np.cos(np.radians(root[3])), np.sin(np.radians(root[3]))
    return float(root[0] + c * x + s * z), float(root[2] + c * z - s * x), yaw + root[3]


@dataclass(slots=True)
class Move:
    """What a move is made of; see the module.

    Parameters
    ----------
    mix
        Keys of the weight of `end` against `start`.
    acting
        Rows put on the trunk; their shift is along the root's axes.
    arms
        Rows put on the arms by side.
    keys
        Frames at which the trunk is keyed.
    slopes
        Whether legs are keyed with the slopes of their paths; a loop in the air goes smoothly without.
    """

    name: str
    frames: int
    start: TrunkAt
    end: TrunkAt
    mix: Sequence[tuple[float, float]]
    root: RootAt
    feet: dict[str, Footsteps]
    acting: Sequence[Body] = ()
    arms: dict[str, Sequence[ArmOffset]] = field(default_factory=dict)
    keys: Iterable[float] = ()
    looping: bool = False
    knee_out: float = 5.0
    leg_keys: float = 1.0
    sink: bool = True
    slopes: bool = True


def build_move(move: Move) -> ClipBuilder:
    """The clip of a move, to add notifies and markers to."""
    builder = ClipBuilder(move.name, move.frames, move.looping)
    paths = {side: FootPath(side, steps.rows) for side, steps in move.feet.items()}
    trunk = _Trunk(move)
    drop = _sinking(move, trunk, paths) if move.sink else np.zeros(move.frames + 1)
    wanted = {float(f) for f in (tuple(move.keys) or range(0, move.frames + 1, 3))} | {
        0.0,
        float(move.frames),
    }
    for frame in sorted(wanted):
        pose = trunk.at(frame)
        x, y, z = pose.shifts["pelvis"]
        pose.shift("pelvis", x, y - float(np.interp(frame, np.arange(move.frames + 1), drop)), z)
        builder.key(frame, pose)
    frames = set(np.arange(0.0, move.frames + 1e-6, move.leg_keys)) | {float(move.frames)}
    for steps in move.feet.values():
        for start, end in steps.down:
            frames |= {f for f in (start, start + 0.5, end, end + 0.5) if 0.0 <= f <= move.frames}
    key_feet(builder, paths, sorted(frames), move.knee_out, move.slopes)
    for side, steps in move.feet.items():
        builder.curve(f"contact_{side}", steps.contact(float(move.frames)))
        word = "left" if side == "l" else "right"
        landings = [start for start, _ in steps.down if 0.0 < start <= move.frames]
        builder.notifies += [Notify(f"{word}_down", frame / RATE) for frame in landings]
    return builder


class _Trunk:
    """The trunk of a move at any frame, root and acting included."""

    def __init__(self, move: Move) -> None:
        self._move = move
        self._mix = curve(tuple(move.mix), loop=False)
        self._shift = [_track([(b.frame, b.shift[k]) for b in move.acting]) for k in range(3)]
        self._turns = {
            part: [_track([(b.frame, getattr(b, part)[k]) for b in move.acting]) for k in range(3)]
            for part in ("hips", "trunk", "gaze")
        }
        self._arms = {
            side: [_track([(row[0], row[1 + k]) for row in rows]) for k in range(4)]
            for side, rows in move.arms.items()
        }
        self._root = any(any(abs(v) > 0.0 for v in move.root(f)) for f in np.linspace(0.0, move.frames, 9))

    def at(self, frame: float) -> Posing:
        move = self._move
        weight = float(evaluate_scalar(self._mix, frame))
        pose = mixed(move.start(frame), move.end(frame), min(max(weight, 0.0), 1.0))
        x, y, z = pose.shifts["pelvis"]
        dx, dy, dz = (_value(track, frame) for track in self._shift)
        pose.shift("pelvis", x + dx, y + dy, z + dz)
        self._act(pose, frame)
        for side, tracks in self._arms.items():
            swing, spread, lower, elbow = (_value(track, frame) for track in tracks)
            sign = 1.0 if side == "l" else -1.0
            pose.add(f"upper_arm_{side}", -swing, -spread * sign, -lower * sign)
            bend = FIGURE.flexed(f"lower_arm_{side}", elbow)
            before = pose.turns.get(f"lower_arm_{side}", quat.IDENTITY)
            pose.turns[f"lower_arm_{side}"] = quat.multiply(before, bend)
        if self._root:
            rx, ry, rz, yaw = move.root(frame)
            pose.shift("root", rx, ry, rz)
            pose.set("root", 0.0, yaw, 0.0)
        return pose

    def _act(self, pose: Posing, frame: float) -> None:
        hips, trunk, gaze = (self._turn(part, frame) for part in ("hips", "trunk", "gaze"))
        if any(hips):
            pose.add("pelvis", *hips)
        if any(trunk):
            for bone, share in zip(SPINE, stance.SPINE_SHARES, strict=True):
                pose.add(bone, *(share * t for t in trunk))
        if any(gaze) or any(trunk) or any(hips):
            lost = [0.8 * (t + h) for t, h in zip(trunk, hips, strict=True)]
            for bone in NECK:
                pose.add(bone, *((g - t) / 3.0 for g, t in zip(gaze, lost, strict=True)))

    def _turn(self, part: str, frame: float) -> Turn:
        x, y, z = (_value(track, frame) for track in self._turns[part])
        return x, y, z


def _track(rows: Sequence[tuple[float, float]]) -> ScalarTrack | None:
    return curve(tuple(rows), loop=False) if rows else None


def _value(track: ScalarTrack | None, frame: float) -> float:
    return 0.0 if track is None else float(evaluate_scalar(track, frame))


def _sinking(move: Move, trunk: _Trunk, paths: dict[str, FootPath]) -> FloatArray:
    """Metres by which the pelvis sinks at each frame, so that both legs reach."""
    heads, index = FIGURE.heads, FIGURE.index
    need = np.zeros(move.frames + 1)
    for frame in range(move.frames + 1):
        rotation, place = _pelvis(trunk.at(float(frame)))
        delta = quat.multiply(rotation, quat.conjugate(FIGURE.rest_model[index["pelvis"]]))
        for side, path in paths.items():
            hip_bone, knee, foot = (index[f"{n}_{side}"] for n in ("thigh", "calf", "foot"))
            hip = place + quat.rotate(delta, heads[hip_bone] - heads[index["pelvis"]])
            whole = np.linalg.norm(heads[knee] - heads[hip_bone]) + np.linalg.norm(heads[foot] - heads[knee])
            away = hip - path.at(float(frame))[0]
            flat, most = float(np.hypot(away[0], away[2])), STRETCHED * float(whole)
            height = np.sqrt(max(most * most - flat * flat, 0.0))
            need[frame] = max(need[frame], float(away[1]) - height)
    return _softened(need)


def _pelvis(pose: Posing) -> tuple[FloatArray, FloatArray]:
    rotations, translations = pose.local()
    return stance.pelvis_model(rotations, translations)


def _softened(need: FloatArray) -> FloatArray:
    """At least as much, without corners: the most within a few frames, then a running mean."""
    reach = round(2 * SOFTENING)
    padded = np.pad(np.maximum(need, 0.0), 2 * reach, mode="edge")
    most = np.array([padded[k : k + 2 * reach + 1].max() for k in range(len(need) + 2 * reach)])
    weights = np.hanning(2 * reach + 3)[1:-1]
    out = np.array([(most[k : k + 2 * reach + 1] * weights).sum() for k in range(len(need))]) / weights.sum()
    out[0], out[-1] = need[0] if need[0] > 0 else 0.0, need[-1] if need[-1] > 0 else 0.0
    return np.asarray(out)
