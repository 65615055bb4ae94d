"""One step of a graph's montages: each plays from one moment at which something happens to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from core.clips.clip import Notify
from core.graph.actions import Action
from core.graph.commands import Command, Do
from core.graph.events import EventKind
from core.graph.graph import BlendKind
from core.graph.montage_plan import NO_SECTION, MontagePlan
from core.graph.montage_state import (
    AWAY,
    ELAPSED,
    ENTERED,
    FLOATS,
    FRESH,
    HANDLE,
    HELD,
    INTERRUPTED,
    INTO,
    LOOPS,
    MONTAGE,
    MOST_CUTS,
    MOST_PLAYING,
    NEVER,
    NEXT,
    OUT,
    PAUSED,
    POSITION,
    RATE,
    SECONDS,
    SECTION,
    STARTING,
    TOLERANCE,
    Part,
    Playing,
    Switch,
    Way,
)
from core.graph.notifying import Motion
from core.graph.op import Place, Run
from core.math import transform


class Montages(Protocol):
    """What a step needs of the op of all montages: their plans, and where the numbers of each that plays stand."""

    node: str
    place: Place
    notify_ints: int
    block: int

    def ints_of(self, k: int) -> int: ...
    def floats_of(self, k: int) -> int: ...
    def plan_of(self, run: Run, k: int) -> MontagePlan | None: ...
    def newest(self, run: Run, name: str, handle: int = 0) -> int | None: ...
    def number_of(self, command: Command) -> int: ...
    def plan_numbered(self, number: int) -> MontagePlan: ...
    def playing_blocks(self, run: Run) -> Sequence[int]: ...


class MontagesStep:
    """One step of all montages.

    Parameters
    ----------
    chains : name of an event → what the update sheet does where a branching notify has that name
    """

    def __init__(self, op: Montages, run: Run, chains: Mapping[str, Sequence[Action]]) -> None:
        self.op, self.run, self.chains = op, run, chains
        self.playing: dict[int, Playing] = {}
        self.over: list[Playing] = []
        self.clocks: dict[int, float] = {}
        for k in op.playing_blocks(run):
            plan = op.plan_of(run, k)
            assert plan is not None
            self.add(k, plan, 0.0)
            self.note(k)

    def add(self, k: int, plan: MontagePlan, moment: float) -> None:
        handle = int(self.run.ints[self.op.ints_of(k) + HANDLE])
        self.playing[k] = Playing(plan, moment, handle, [], [transform.IDENTITY for _ in plan.tracks])
        self.clocks[k] = moment

    def note(self, k: int) -> None:
        """From here on its blends run on evenly."""
        f = self.op.floats_of(k)
        elapsed, out, seconds, into = (float(self.run.floats[f + n]) for n in (ELAPSED, OUT, SECONDS, INTO))
        self.playing[k].parts.append(Part(self.clocks[k], elapsed, out, seconds, into))

    def emit(self, k: int, kind: EventKind, name: str, moment: float, *, interrupted: bool = False) -> None:
        found = self.playing[k]
        self.run.emit(
            kind, name, moment, found.weight(moment), found.plan.source.node,
            clip=found.plan.montage.name, time=float(self.run.floats[self.op.floats_of(k) + POSITION]),
            interrupted=interrupted,
        )  # fmt: skip

    # ---------------------------------------------------------------- commands
    def do(self, command: Command, moment: float) -> None:
        """Carry out one command at a moment of the step."""
        run, op = self.run, self.op
        if command.do in (Do.PLAY, Do.PLAY_CLIP):
            self.play(command, moment)
            return
        k = op.newest(run, command.target, command.handle)
        if k is None:
            return
        i, f = op.ints_of(k), op.floats_of(k)
        plan = self.playing[k].plan
        if command.do is Do.STOP:
            own = float(run.floats[f + AWAY])
            self.fade_out(k, own if command.seconds is None else command.seconds, interrupted=True)
        elif command.do is Do.JUMP:
            self.enter(k, plan.section_named(command.section))
        elif command.do is Do.NEXT:
            section = plan.section_named(command.section) if command.section else int(run.ints[i + SECTION])
            run.ints[i + NEXT + section] = plan.section_named(command.to) + 2
        elif command.do in (Do.PAUSE, Do.RESUME):
            run.ints[i + PAUSED] = command.do is Do.PAUSE
        elif command.do is Do.RATE:
            run.floats[f + RATE] = command.rate
            run.ints[i + HELD] = 0

    def play(self, command: Command, moment: float) -> None:
        """Start a montage; with `stop_group` the others of its group fade out over its blend-in time."""
        run, op = self.run, self.op
        number = op.number_of(command)
        plan = op.plan_numbered(number)
        clip = command.do is Do.PLAY_CLIP
        into = command.blend_in if clip else plan.montage.blend_in.seconds
        away = command.blend_out if clip else plan.montage.blend_out.seconds
        if command.stop_group:
            for k, other in list(self.playing.items()):
                if other.plan.montage.group == plan.montage.group:
                    self.fade_out(k, into, interrupted=True)
        k = self.free()
        i, f = op.ints_of(k), op.floats_of(k)
        run.ints[i : i + op.block] = 0
        run.ints[op.place.ints] += 1
        at = command.at
        if at is None:
            first = max(plan.section_named(command.section), 0)
            backwards = command.rate * plan.montage.rate < 0.0
            at = plan.section_end(first) if backwards else plan.sections[first].start
        else:
            at = min(max(at, 0.0), plan.montage.length)
            first = plan.section_at(at)
        loops = command.loops - 1 if clip else 0
        run.ints[i : i + NEXT] = number + 1, run.ints[op.place.ints], 0, 1, 0, 0, first, loops
        run.floats[f : f + FLOATS] = at, command.rate, 0.0, NEVER, 0.0, plan.lasts(into, 0), away
        self.add(k, plan, moment)
        self.note(k)
        self.switch(k, 0, into)
        self.emit(k, EventKind.MONTAGE_STARTED, plan.montage.name, moment)

    def free(self) -> int:
        """A block that nothing plays in; the oldest is cut where there is none."""
        run, op = self.run, self.op
        for k in range(MOST_PLAYING):
            if op.plan_of(run, k) is None:
                return k
        run.flagged.add(op.node)
        oldest = min(range(MOST_PLAYING), key=lambda k: int(run.ints[op.ints_of(k) + HANDLE]))
        self.end(oldest, interrupted=True)
        return oldest

    def switch(self, k: int, way: int, seconds: float) -> None:
        """Let the slots inertialise where a blend goes over at once."""
        found = self.playing[k]
        montage = found.plan.montage
        blend = (montage.blend_in, montage.blend_out)[way]
        if blend.kind is BlendKind.INERTIALISE and seconds > 0.0:
            found.switches.append(Switch(self.clocks[k], seconds, found.plan.profiles[way], blend.easing))

    def fade_out(self, k: int, seconds: float, *, interrupted: bool) -> None:
        """Begin to fade out; one that does already only goes faster.

        Parameters
        ----------
        seconds : of a bone of factor 1
        """
        run, i, f = self.run, self.op.ints_of(k), self.op.floats_of(k)
        asked, seconds = seconds, self.playing[k].plan.lasts(seconds, 1)
        moment = self.clocks[k]
        out, whole = float(run.floats[f + OUT]), float(run.floats[f + SECONDS])
        if out >= 0.0:
            if whole - out > seconds:
                # The rest of the fade, so much faster: the weight goes on from where it is.
                share = out / whole
                run.floats[f + SECONDS] = seconds / (1.0 - share)
                run.floats[f + OUT] = share * run.floats[f + SECONDS]
                self.note(k)
        else:
            self.switch(k, 1, asked)
            run.floats[f + OUT], run.floats[f + SECONDS] = 0.0, seconds
            run.ints[i + INTERRUPTED] = interrupted
            name = self.playing[k].plan.montage.name
            self.emit(k, EventKind.MONTAGE_BLENDING_OUT, name, moment, interrupted=interrupted)
            self.note(k)

    def end(self, k: int, *, interrupted: bool) -> None:
        """It plays no more."""
        run, op = self.run, self.op
        found, moment = self.playing[k], self.clocks[k]
        self.end_notifies(k, found, moment)
        self.emit(k, EventKind.MONTAGE_ENDED, found.plan.montage.name, moment, interrupted=interrupted)
        run.ints[op.ints_of(k) + MONTAGE] = 0
        found.ended = moment
        self.over.append(self.playing.pop(k))

    def end_notifies(self, k: int, found: Playing, moment: float) -> None:
        run, base = self.run, self.op.ints_of(k) + self.op.notify_ints
        weight = found.weight(moment)
        found.plan.notifier.end_all(run, found.plan.source, base, moment, weight)
        for track in found.plan.tracks:
            for segment in track.segments:
                segment.notifier.end_all(run, found.plan.source, base + segment.ints, moment, weight)

    def enter(self, k: int, section: int) -> None:
        """Jump to a section's beginning (its end where it plays backwards)."""
        run, i, f = self.run, self.op.ints_of(k), self.op.floats_of(k)
        found = self.playing[k]
        plan = found.plan
        backwards = self.speed(k) < 0.0
        place = plan.section_end(section) if backwards else plan.sections[section].start
        if place != run.floats[f + POSITION]:  # else it plays on evenly into the section
            self.end_notifies(k, found, self.clocks[k])
            run.floats[f + POSITION], run.ints[i + FRESH] = place, ENTERED
        run.ints[i + SECTION], run.ints[i + HELD] = section, 0
        self.emit(k, EventKind.MONTAGE_SECTION, plan.sections[section].name, self.clocks[k])

    # ---------------------------------------------------------------- playing
    def speed(self, k: int) -> float:
        """Seconds of the montage a second."""
        run, i = self.run, self.op.ints_of(k)
        if run.ints[i + PAUSED] or run.ints[i + HELD]:
            return 0.0
        return float(run.floats[self.op.floats_of(k) + RATE]) * self.playing[k].plan.montage.rate

    def go(self) -> None:
        """Let each play to the step's end, in the order in which they were started."""
        run = self.run
        for _ in range(MOST_CUTS * MOST_PLAYING):
            waiting = [
                (self.clocks[k], found.handle, k)
                for k, found in self.playing.items()
                if self.clocks[k] < run.dt - TOLERANCE
            ]
            if not waiting:
                break
            self.advance(
                min(waiting)[2]
            )  # the one that is furthest behind: what one starts meets the others in time
        else:
            run.flagged.add(self.op.node)  # sections without end in a step: the rest of it is lost
        for k, found in self.playing.items():
            f = self.op.floats_of(k)
            found.position = float(run.floats[f + POSITION])
            found.section = found.plan.sections[int(run.ints[self.op.ints_of(k) + SECTION])].name

    def advance(self, k: int) -> None:
        """Play on to the next moment at which something happens."""
        run, i, f = self.run, self.op.ints_of(k), self.op.floats_of(k)
        found = self.playing[k]
        if run.ints[i + FRESH] == ENTERED:
            self.fire_first(k)
            return
        plan, clock, speed = found.plan, self.clocks[k], self.speed(k)
        section, position = int(run.ints[i + SECTION]), float(run.floats[f + POSITION])
        goal = plan.sections[section].start if speed < 0.0 else plan.section_end(section)
        to_goal = (goal - position) / speed if speed != 0.0 else float("inf")
        to_out = self.until_out(k, section, position, speed)
        branch = self.next_branch(plan, position, goal, speed)
        to_branch = (branch.time - position) / speed if branch is not None else float("inf")
        out, seconds = float(run.floats[f + OUT]), float(run.floats[f + SECONDS])
        to_end = max(seconds - out, 0.0) if out >= 0.0 else float("inf")
        span = max(min(to_goal, to_out, to_branch, to_end, run.dt - clock), 0.0)
        until = clock + span if clock + span < run.dt - TOLERANCE else run.dt
        span = until - clock
        after = position + speed * span
        if abs(to_goal - span) < TOLERANCE:
            after = goal
        elif branch is not None and abs(to_branch - span) < TOLERANCE:
            after = branch.time
        cut = self.move(k, found, position, after, clock, until)
        found.area += span * (found.weight(clock) + found.weight(until)) / 2.0
        found.life += span
        self.clocks[k] = until
        run.floats[f + POSITION] = after
        run.floats[f + ELAPSED] += span
        if out >= 0.0:
            run.floats[f + OUT] = out + span
        self.note(k)
        for notify in cut:
            if notify.rule.blend_out is not None:
                self.fade_out(k, notify.rule.blend_out, interrupted=True)
        if to_end <= span + TOLERANCE:
            self.end(k, interrupted=bool(run.ints[i + INTERRUPTED]))
            return
        if to_out <= span + TOLERANCE and run.floats[f + OUT] < 0.0:
            self.fade_out(k, self.fade_seconds(k, section, after, speed), interrupted=False)
        if branch is not None and abs(to_branch - span) < TOLERANCE:
            self.act(branch, k, until)
        if k in self.playing and after == goal and to_goal <= span + TOLERANCE:
            self.section_end(k, section, speed)

    def until_out(self, k: int, section: int, position: float, speed: float) -> float:
        """Seconds until it begins to fade out by itself."""
        run, montage = self.run, self.playing[k].plan.montage
        f = self.op.floats_of(k)
        if speed == 0.0 or not montage.auto_blend_out or run.floats[f + OUT] >= 0.0:
            return float("inf")
        trigger = montage.blend_out_trigger
        if trigger < 0.0:  # it ends with the montage; one that inertialises goes over as long before
            away = float(run.floats[f + AWAY])
            trigger = self.playing[k].plan.lasts(away, 1) or away
        return max(self.left(k, section, position, speed) - trigger, 0.0)

    def fade_seconds(self, k: int, section: int, position: float, speed: float) -> float:
        """How long it fades out by itself: no longer than is left where it is to end with the montage."""
        plan = self.playing[k].plan
        whole = float(self.run.floats[self.op.floats_of(k) + AWAY])
        lasts = plan.lasts(whole, 1)
        if plan.montage.blend_out_trigger >= 0.0 or lasts <= 0.0:
            return whole
        return whole * min(1.0, self.left(k, section, position, speed) / lasts)

    def left(self, k: int, section: int, position: float, speed: float) -> float:
        """Seconds to its end along the chain of its sections."""
        plan, i = self.playing[k].plan, self.op.ints_of(k)
        changed = self.run.ints[i + NEXT : i + NEXT + len(plan.sections)].tolist()
        turns = int(self.run.ints[i + LOOPS])
        more = turns * plan.montage.length if turns >= 0 else float("inf")
        return (plan.left(section, position, speed < 0.0, changed) + more) / abs(speed)

    def fire_first(self, k: int) -> None:
        """Fire its own notifies that are exactly where it begins."""
        run, i = self.run, self.op.ints_of(k)
        found, clock = self.playing[k], self.clocks[k]
        run.ints[i + FRESH] = STARTING
        position = float(run.floats[self.op.floats_of(k) + POSITION])
        motion = Motion(position, position, clock, clock, found.weight, fresh=True)
        found.plan.notifier.moved(run, found.plan.source, i + self.op.notify_ints, motion)
        for notify in found.plan.notifier.notifies:
            if notify.rule.branching and notify.time == position:
                self.act(notify, k, clock)

    @staticmethod
    def next_branch(plan: MontagePlan, position: float, goal: float, speed: float) -> Notify | None:
        """The next branching notify on the way to the section's end."""
        if speed == 0.0:
            return None
        sign = 1.0 if speed > 0.0 else -1.0
        ahead = [
            notify
            for notify in plan.notifier.notifies
            if notify.rule.branching
            and TOLERANCE < (notify.time - position) * sign <= (goal - position) * sign
        ]
        return min(ahead, key=lambda notify: notify.time * sign) if ahead else None

    def act(self, branch: Notify, k: int, moment: float) -> None:
        """Do what a branching notify starts, at its moment."""
        run = self.run
        chain = self.chains.get(branch.name, ())
        if run.branch is None and not chain:
            return
        node = self.playing[k].plan.source.node
        same = (
            n for n, e in enumerate(run.events) if (e.node, e.name, e.moment) == (node, branch.name, moment)
        )
        place = max(same, default=-1)
        if place < 0 or run.events[place].acted:
            return  # its weight was below its threshold
        run.events[place] = event = replace(run.events[place], acted=True)
        for command in () if run.branch is None else run.branch(event):
            self.do(command, moment)
        run.moment = moment
        for action in chain:
            asked, run.commands = run.commands, []
            action.run(run)
            asked, run.commands = run.commands, asked
            for command in asked:
                self.do(command, moment)
        run.moment = 0.0

    def section_end(self, k: int, section: int, speed: float) -> None:
        """Go on to the section that follows; without one hold the last pose, or fade out."""
        run, i = self.run, self.op.ints_of(k)
        plan = self.playing[k].plan
        follows = NO_SECTION
        if speed > 0.0:
            follows = plan.next_of(section, run.ints[i + NEXT : i + NEXT + len(plan.sections)].tolist())
        if follows == NO_SECTION and run.ints[i + LOOPS] != 0:
            run.ints[i + LOOPS] -= run.ints[i + LOOPS] > 0
            follows = section
        if follows != NO_SECTION:
            self.enter(k, follows)
            return
        run.ints[i + HELD] = 1

    def move(
        self, k: int, found: Playing, before: float, after: float, start: float, stop: float
    ) -> list[Notify]:
        """Pass what lies between two times; the notifies whose condition ended them."""
        run, i = self.run, self.op.ints_of(k)
        base, plan = i + self.op.notify_ints, found.plan
        found.ways.append(Way(start, stop, before, after))
        motion = Motion(before, after, start, stop, found.weight)
        cut = plan.notifier.moved(run, plan.source, base, motion)
        if after == before:
            return cut
        fresh, run.ints[i + FRESH] = run.ints[i + FRESH] == STARTING, 0
        for number, track in enumerate(plan.tracks):
            for segment, first, last, edge in track.between(before, after):
                part = Motion(
                    segment.clip_time(first),
                    segment.clip_time(last),
                    motion.moment(first),
                    motion.moment(last),
                    found.weight,
                    edge or (fresh and first == before),
                )
                cut += segment.notifier.moved(run, plan.source, base + segment.ints, part)
                if last in (segment.segment.last, segment.segment.place):
                    segment.notifier.end_all(
                        run, plan.source, base + segment.ints, part.stop, found.weight(part.stop)
                    )
            if plan.montage.root_motion:
                found.motions[number] = transform.compose(found.motions[number], track.motion(before, after))
        return cut
