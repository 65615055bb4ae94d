"""The states of the machine ``moves``: each a sheet that plays a clip, a blend space, or a few of them."""

from collections.abc import Mapping

from core.blending.blend_space import BlendSpace
from core.graph.graph import Node
from core.locomotion.animation.pen import Machine
from core.locomotion.animation.propose import SIDES, Moves
from core.locomotion.animation.speeds import clip_way
from core.locomotion.animation.stops import stop_sheet, stops_of
from core.locomotion.animation.turns import AIM_RATE, CURVE, rotations_of
from core.rig.rig import Rig
from core.tracks.keys import ScalarTrack

FEET = "feet"
"""The sync group of all that walks."""
FOOT_AHEAD = ("ahead", "back", "pivot LF", "pivot RF")
"""States in which the foot ahead, its direction and the gait are read."""
LEAPS = ("leap", "jump LF", "jump RF")
PIVOT_RATE = "lerp(1.5, 1.9, clamp(unlerp(100, 180, wish_angle), 0, 1))"
"""Of a pivot's clip, over the angle that it turns by, as it stands when it begins."""
TOUCHED = ("land", "touch", "touch_down")
"""Names of the notify of a landing clip at which the feet touch; else `TOUCHES` seconds after its begin."""
TOUCHES = 8.0 / 30.0


class _Drawing:
    def __init__(self, rig: Rig, moves: Moves, machine: Machine) -> None:
        self.rig, self.moves, self.machine, self.pen = rig, moves, machine, machine.pen

    def clip(self, state: str, what: str, pins: dict[str, str] | None = None, **options: bool | str) -> None:
        """A state that plays a clip, where there is one."""
        if what in self.moves:
            player = self.pen.node("clip", what, pins or {}, clip=self.moves.clips[what].id, **options)
            self.machine.state(state, self.pen.pose(state, (), player))

    def space(self, state: str, space: BlendSpace, *pins: str) -> None:
        """A state that plays a blend space by expressions of its axes."""
        literals = dict(zip("xy", pins, strict=False)) | {"rate": "rate"}
        player = self.pen.node("blend_space", space.name, literals, space=space.id, group=FEET)
        self.machine.state(state, self.pen.pose(state, (), player))

    def standing(self) -> None:
        """Idle is a still pose where a breath is put over it."""
        if "idle" not in self.moves:
            self.machine.state("stand", self.pen.pose("stand", (), self.pen.node("rest", "rest")))
            return
        self.clip("stand", "idle", {"rate": "0"} if "breathing" in self.moves else {})

    def moving(self) -> None:
        moves, spaces = self.moves, self.moves.spaces
        if "forward" in spaces:
            self.space("ahead", spaces["forward"], "direction", "gait")
        elif "walk" in moves:
            self.clip("ahead", "walk", {"rate": "rate"}, group=FEET)
        if "backward" in spaces:
            self.space("back", spaces["backward"], "direction", "min(gait, 2)")
        if "crouch" in spaces:
            self.space("crouch", spaces["crouch"], "speed")
        elif "crouch idle" in moves:
            self.clip("crouch", "crouch idle")

    def stops(self, maps: Mapping[str, ScalarTrack]) -> None:
        if all(stops_of(maps, foot) for foot in SIDES):
            for foot in SIDES:
                self.machine.state(f"stop {foot}", stop_sheet(self.pen, self.moves, maps, foot))

    def pivots(self) -> None:
        """Pivots, turned so that they face as their clips do, whatever the controller's yaw makes of it meanwhile."""
        if not self.moves.has(f"pivot {foot}" for foot in SIDES):
            return
        for foot in SIDES:
            name = f"pivot {foot}"
            clip = self.moves.clips[name]
            player = self.pen.node(
                "clip",
                name,
                {"rate": f"latch(state('moves') == 'ahead', {PIVOT_RATE})"},
                clip=clip.id,
                loop=False,
            )
            last, wires = player, []
            if name in pivot_maps(self.moves):
                turned = f"angle_diff(yaw, latch(state('moves') != '{name}', yaw))"
                beside = f"axis_angle(vec(0, 1, 0), wrap(map('{name}', time('{name}')) - {turned}))"
                last = self.pen.node(
                    "transform_bone", "face", {"rotation": beside}, bone=self.rig.skeleton.names[0],
                    rotation_way="add", rotation_space="model",
                )  # fmt: skip
                wires = [(player, last, "pose")]
            self.machine.state(name, self.pen.pose(name, wires, last))

    def rotations(self) -> None:
        for name in rotations_of(self.moves):
            self.clip(name, name, {"rate": AIM_RATE}, loop=True)

    def jumps(self) -> None:
        """Take-offs: out of a walk or run by the foot ahead, standing by a clip of its own."""
        moves, pen = self.moves, self.pen
        if "fall" not in moves:
            return
        if "jump start" in moves:
            self.clip("leap", "jump start", {"start": "0.5"})
        gaits = [gait for gait in ("walk", "run") if moves.has(f"{gait} jump {foot}" for foot in SIDES)]
        for foot in SIDES if gaits else ():
            players = []
            for gait in gaits:
                clip = moves.clips[f"{gait} jump {foot}"]
                leaves = [notify.time for notify in clip.notifies if notify.name == "take_off"]
                pins = {
                    "rate": "lerp(1.2, 1.5, clamp(speed / 6, 0, 1))",
                    "start": f"{(leaves or [0.0])[0]:.6g}",
                }
                players.append(pen.node("clip", clip.name, pins, clip=clip.id, loop=False))
            last, wires = players[0], []
            if len(players) == 2:
                last = pen.node("blend", f"jump {foot}", {"alpha": "clamp(stop_gait - 1, 0, 1)"})
                wires = [(players[0], last, "a"), (players[1], last, "b")]
            self.machine.state(f"jump {foot}", pen.pose(f"jump {foot}", wires, last))

    def falling(self) -> None:
        """Falling, that goes over into flailing by speed, and into the reach for the ground before a landing."""
        if "fall" not in self.moves:
            return
        pen = self.pen
        last = pen.node("clip", "fall", clip=self.moves.clips["fall"].id)
        wires: list[tuple[Node, Node, str]] = []
        for what, alpha in (
            ("fast fall", "smoothstep(5, 9, fall_speed)"),
            ("flail", "smoothstep(7, 15, fall_speed)"),
            ("reach", "land_alpha * (1 - curve('LandBlock'))"),
        ):
            if what not in self.moves:
                continue
            more = pen.node("clip", what, clip=self.moves.clips[what].id)
            mixed = pen.node("blend", f"to {what}", {"alpha": alpha})
            wires += [(last, mixed, "a"), (more, mixed, "b")]
            last = mixed
        self.machine.state("fall", pen.pose("fall", wires, last))

    def landings(self) -> None:
        if "land" in self.moves:
            clip = self.moves.clips["land"]
            marks = [notify.time for notify in clip.notifies if notify.name in TOUCHED]
            touch = min([*marks, TOUCHES if "contact_l" in clip.curves else 0.0][:1])
            self.clip("land", "land", {"start": f"{touch:g}"})
        if "roll" in self.moves:
            right, ahead, seconds = clip_way(self.rig, self.moves.clips["roll"])
            pace = (right * right + ahead * ahead) ** 0.5 / seconds if seconds > 0.0 else 0.0
            rate = f"clamp(speed / {pace:.4g}, 0.8, 1.6)" if pace > 0.1 else "1"
            self.clip("roll", "roll", {"rate": rate}, loop=False)


def pivot_maps(moves: Moves) -> dict[str, ScalarTrack]:
    """Maps of the pivots, seconds → degrees to the left that the root has turned."""
    found = {}
    for foot in SIDES:
        clip = moves.clips.get(f"pivot {foot}")
        track = None if clip is None else clip.curves.get(CURVE)
        if isinstance(track, ScalarTrack):
            found[f"pivot {foot}"] = track
    return found


def draw_states(rig: Rig, moves: Moves, machine: Machine, maps: Mapping[str, ScalarTrack]) -> None:
    """All states that a rig has clips for; `stand` is where it begins.

    Parameters
    ----------
    maps : of the stop clips (`core.locomotion.animation.stops.stop_maps`)
    """
    drawing = _Drawing(rig, moves, machine)
    drawing.standing()
    drawing.moving()
    drawing.stops(maps)
    drawing.pivots()
    drawing.rotations()
    drawing.jumps()
    drawing.falling()
    drawing.landings()
