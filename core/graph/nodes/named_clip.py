"""A player whose clip is chosen by a name: that of a variable, or of any expression."""

from collections.abc import Mapping, Sequence

from core.clips.clip import Clip
from core.graph.clip_player import ClipOp, Pace
from core.graph.compiler import Compiler
from core.graph.graph import Node, Sheet
from core.graph.language.values import NAME
from core.graph.op import GraphOp, OpPlace, Run
from core.graph.output import Output
from core.graph.packer import WholeArray
from core.graph.sync_member import Phase, Sync, SyncMember

CLIP_NAME = "clip_name"
"""The pin that names the clip."""


class NamedClipOp(SyncMember):
    """Plays the clip that a name says; another name starts that clip at once. No clip of the name: the rest pose.

    Its state is that of a player of any of the clips, and then the number of the clip that plays, counted from 1.

    Parameters
    ----------
    chosen : register of the name
    numbers : name as the plan counts names → number of a clip
    players : of each clip; they share this op's number and state
    """

    FLOATS = 3

    def __init__(self, where: OpPlace, chosen: int, numbers: Mapping[int, int], players: "Players") -> None:
        super().__init__(where, ())
        self.chosen, self.numbers, self.players_of = chosen, numbers, players
        self.group, self.role = players.sync
        self.INTS = 2 + players.ints

    @property
    def logic(self) -> None:
        """Python moves it."""

    def _place(self) -> int:
        """Of the number of the clip that plays."""
        return self.place.ints + self.INTS - 1

    def _wanted(self, run: Run) -> int:
        return self.numbers.get(int(run.value(self.chosen)), -1) + 1

    def _player(self, run: Run) -> ClipOp | None:
        number = int(run.ints[self._place()])
        return self.players_of.player(self, number - 1) if number else None

    # ---------------------------------------------------------------- the step
    def begin_state(self, ints: WholeArray) -> None:
        """Nothing has played yet."""
        ints[self.place.ints] = -1

    def restart(self, run: Run) -> None:
        """Begin the clip that is named."""
        if self._wanted(run) != run.ints[self._place()]:
            self._change(run, 0.0)
            return
        player = self._player(run)
        if player is not None:
            player.restart(run)

    def weigh(self, run: Run, weight: float) -> None:
        """Go over to another clip where another is named."""
        if self._wanted(run) != run.ints[self._place()]:
            self._change(run, self.begins(run))

    def _change(self, run: Run, moment: float) -> None:
        old = self._player(run)
        if old is not None:
            old.gone(run, moment)
        i = self.place.ints
        run.ints[i : i + self.INTS] = 0
        run.ints[i], run.ints[self._place()] = -1, self._wanted(run)
        player = self._player(run)
        if player is None:
            run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0
        else:
            player.restart(run)

    def advance(self, run: Run, weight: float) -> None:
        """Let the clip play."""
        player = self._player(run)
        if player is not None:
            player.advance(run, weight)

    def pose(self, run: Run) -> Output:
        """The clip's pose; the rest pose, flagged, where no clip has the name."""
        player = self._player(run)
        if player is not None:
            return player.pose(run)
        run.flagged.add(self.node)
        return Output(run.rig.skeleton.rest, *self.players_of.table.filled({}, {}))

    def gone(self, run: Run, moment: float) -> None:
        """What is under way ends there."""
        player = self._player(run)
        if player is not None:
            player.gone(run, moment)

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Itself."""
        return [(self, 1.0)]

    def remaining(self, run: Run) -> float:
        """Seconds to the end of its clip."""
        player = self._player(run)
        return float("inf") if player is None else player.remaining(run)

    def period(self, run: Run) -> float:
        """Seconds of a turn of its clip."""
        player = self._player(run)
        return float("inf") if player is None else player.period(run)

    # ---------------------------------------------------------------- in a sync group
    def is_new(self, run: Run) -> bool:
        """As of its clip's player."""
        player = self._player(run)
        return player is None or player.is_new(run)

    def begin_step(self, run: Run) -> None:
        """As of its clip's player."""
        player = self._player(run)
        if player is not None:
            player.begin_step(run)

    def cycle(self, run: Run) -> float:
        """As of its clip's player."""
        player = self._player(run)
        return float("inf") if player is None else player.cycle(run)

    def direction(self, run: Run) -> float:
        """As of its clip's player."""
        player = self._player(run)
        return 1.0 if player is None else player.direction(run)

    def phase(self, run: Run) -> Phase:
        """As of its clip's player."""
        player = self._player(run)
        return Phase(None, 0.0, 0.0) if player is None else player.phase(run)

    def ahead(self, run: Run, seconds: float) -> Phase:
        """As of its clip's player."""
        player = self._player(run)
        return Phase(None, 0.0, 0.0) if player is None else player.ahead(run, seconds)

    def start_at(self, run: Run, seconds: float) -> None:
        """As of its clip's player."""
        player = self._player(run)
        if player is not None:
            player.start_at(run, seconds)

    def until_marker(self, run: Run, turns: float) -> float:
        """As of its clip's player."""
        player = self._player(run)
        return float("inf") if player is None else player.until_marker(run, turns)

    def join(self, run: Run, phase: Phase) -> None:
        """As of its clip's player."""
        player = self._player(run)
        if player is not None:
            player.join(run, phase)

    def go_on(self, run: Run, turns: float, start: float, stop: float) -> None:
        """As of its clip's player."""
        player = self._player(run)
        if player is not None:
            player.go_on(run, turns, start, stop)

    def follow(self, run: Run, phase: Phase, turns: float, start: float, stop: float) -> None:
        """As of its clip's player."""
        player = self._player(run)
        if player is not None:
            player.follow(run, phase, turns, start, stop)


class Players:
    """Makes the player of each clip at its first use: a rig may have many clips.

    Parameters
    ----------
    loop : whether they loop; None is as each clip says
    pace : how they play
    conditions : for each clip the registers of the conditions of its notifies
    """

    def __init__(
        self,
        c: Compiler,
        clips: Sequence[Clip],
        loop: bool | None,
        pace: Pace,
        conditions: Sequence[Sequence[int]],
        sync: Sync,
    ) -> None:
        self.clips, self.loop, self.pace = tuple(clips), loop, pace
        self.conditions, self.table = conditions, c.table
        self.sync = sync
        self.ints = max((sum(n.duration > 0.0 for n in clip.notifies) for clip in clips), default=0)
        self._evaluator = c.evaluator
        self._made: dict[int, ClipOp] = {}

    def player(self, op: GraphOp, number: int) -> ClipOp:
        """The player of a clip, which stands in the place of `op`."""
        if number not in self._made:
            clip = self.clips[number]
            loops = bool(clip.looping if self.loop is None else self.loop) and clip.length > 0.0
            where = OpPlace(op.number, op.node, op.name)
            evaluator, conditions = self._evaluator(clip), self.conditions[number]
            made = ClipOp(where, evaluator, loops, self.pace, self.table, conditions, self.sync)
            made.place = op.place
            self._made[number] = made
        return self._made[number]


def is_named(c: Compiler, sheet: Sheet, node: Node) -> bool:
    """Whether a clip node's clip is chosen by a name."""
    return CLIP_NAME in node.literals or c.link(sheet, node.id, CLIP_NAME) is not None


def named_clip(
    c: Compiler, sheet: Sheet, node: Node, pace: Pace, conditions: Sequence[Sequence[int]], sync: Sync
) -> int:  # fmt: skip
    """The op of a clip node whose clip is chosen by a name, of those of the rig that are no differences."""
    clips = named_clips(c)
    chosen = c.value(sheet, node, CLIP_NAME, NAME, "''")
    numbers = {c.scope.name_index(clip.name): k for k, clip in enumerate(clips)}
    loop = node.parameters.get("loop")
    players = Players(c, clips, None if loop is None else bool(loop), pace, conditions, sync)
    return c.add(lambda at: NamedClipOp(at, chosen, numbers, players), node.id, node.name)


def named_clips(c: Compiler) -> list[Clip]:
    """The clips that can be chosen by name."""
    found = [clip for clip in c.project.clips if clip.rig == c.rig.id and clip.additive is None]
    c.used.update((clip.id, clip) for clip in found)
    return found
