"""Slots: where a graph shows its montages (spec: graph, §9)."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.blending.easing import Easing
from core.blending.layers import CurveRule
from core.clips.additive import put_on
from core.graph import inertial as inertia
from core.graph.curve_table import CurveTable
from core.graph.inertial import Inertial, Share
from core.graph.mixing import merged
from core.graph.montage_state import Playing
from core.graph.op import ZERO, OpPlace, PoseOp, Run
from core.graph.output import Output, summed_motion
from core.graph.packer import Packed, Packer
from core.math import transform
from core.math.transform import Transform
from core.pose.blend import weighted


class SlotOp(PoseOp):
    """Shows what montages play in a slot over its source.

    ``pose = source·(1 − W) + Σ wᵢ·trackᵢ`` with W = Σ wᵢ (W > 1: wᵢ / W); additive tracks are put on. While nothing
    plays it is the source itself; at W = 1 the source does not run.

    Parameters
    ----------
    slot : ``group.slot``
    always : whether the source runs on under a montage that covers it
    bones : of the rig
    jumps : the easings of its montages that inertialise, as functions. Where there are any, its floats are an
        inertial's, then the factors of the seconds by bone; the number of a switch is that of its easing, from 1 on
    """

    LOGIC = "slot"
    POSE = "slot"

    def __init__(
        self, where: OpPlace, source: int, slot: str, table: CurveTable, rule: CurveRule,
        always: bool, bones: int = 0, jumps: Mapping[Easing, Share] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(where, (source,))
        self.slot, self._table, self.rule, self.always = slot, table, rule, always
        self.inertial: Inertial | None = None
        self.bones, self.jumps = bones, dict(jumps or {})
        if self.jumps:
            self.inertial = Inertial(self)
            self.INTS, self.FLOATS, self.POSES = inertia.INTS, inertia.FLOATS + bones, inertia.POSES

    def packed(self, packer: Packer) -> Packed:
        """Whether it remembers its outputs."""
        return Packed((int(self.inertial is not None),))

    def restart(self, run: Run) -> None:
        """Forget the last outputs."""
        if self.inertial is not None:
            self.inertial.restart(run)

    def _tracks(self, run: Run, additive: bool) -> list[tuple[Playing, int]]:
        """What plays here: montages with the number of their track for this slot."""
        return [
            (found, number)
            for found in run.playing
            for number, track in enumerate(found.plan.tracks)
            if found.plan.montage.group + "." + track.slot == self.slot
            and (track.additive is not None) == additive
        ]

    def covered(self, run: Run, moment: float) -> float:
        """The weight 0..1 at a moment with which montages cover the source."""
        return min(sum(found.weight(moment) for found, _ in self._tracks(run, additive=False)), 1.0)

    def share_at(self, run: Run, number: int, moment: float) -> float:
        """What of the source is left at a moment."""
        return 1.0 - self.covered(run, moment)

    def weigh(self, run: Run, weight: float) -> None:
        """The source counts by what montages leave of it in the step."""
        left = 1.0 - self.covered(run, run.dt)
        seen = max(left, 1.0 - self.covered(run, 0.0)) if run.dt > 0.0 else left
        run.reach(self.inputs[0], weight * left, self, relevant=self.always or seen >= ZERO)

    def pose(self, run: Run) -> Output:
        """The source with montages over it, and what is left of the jump of one that inertialises."""
        found = self._mixed(run)
        return found if self.inertial is None else self._inertialised(run, self.inertial, found)

    def _inertialised(self, run: Run, inertial: Inertial, found: Output) -> Output:
        place = self.place.floats + inertia.FLOATS
        tracks = [pair for additive in (False, True) for pair in self._tracks(run, additive=additive)]
        for switch in sorted((s for playing, _ in tracks for s in playing.switches), key=lambda s: s.moment):
            number = 1 + list(self.jumps).index(switch.easing)
            inertial.begin(run, switch.seconds, run.dt - switch.moment, number)
            run.floats[place : place + self.bones] = 1.0 if switch.factors is None else switch.factors
        inertial.factors = run.floats[place : place + self.bones].copy()
        if number := inertial.running(run):
            inertial.eased = list(self.jumps.values())[number - 1]
        return inertial.put_on(run, found)

    def _mixed(self, run: Run) -> Output:
        shown = self._tracks(run, additive=False)
        added = [pair for pair in self._tracks(run, additive=True) if pair[0].weight(run.dt) >= ZERO]
        weights = np.array([found.weight(run.dt) for found, _ in shown])
        earlier = np.array([found.weight(0.0) for found, _ in shown])
        total, before = float(weights.sum()), float(earlier.sum())
        if max(total, before) < ZERO and not added:
            return run.output(self.inputs[0])
        if any(found.plan.by_bone for found, _ in shown):
            result = self._by_bone(run, shown)
        else:
            weights, earlier = weights / max(total, 1.0), earlier / max(before, 1.0)
            result = self._shown(run, shown, weights, earlier)
        local, curves, present = result.local, result.curves, result.present
        for found, number in added:
            track, weight = found.plan.tracks[number], found.weight(run.dt)
            delta = track.pose(found.position, self._table)
            assert track.additive is not None
            by_bone = found.bone_weights(run.dt, len(run.rig.skeleton)) if found.plan.by_bone else weight
            local = put_on(run.rig.skeleton, local, delta.local, track.additive, by_bone)
            own, there = self._own_curves(found)
            curves = curves + weight * (delta.curves + own)
            present = present | delta.present | there
        return Output(local, curves, present, result.motion)

    def _shown(
        self, run: Run, shown: list[tuple[Playing, int]], weights: FloatArray, earlier: FloatArray
    ) -> Output:
        """Source and plain tracks by their weights."""
        left, before = 1.0 - float(weights.sum()), 1.0 - float(earlier.sum())
        there = run.relevant[self.inputs[0]] and max(left, before) >= ZERO
        layers = []
        for (found, number), weight in zip(shown, weights, strict=True):
            if weight >= ZERO:
                pose = found.plan.tracks[number].pose(found.position, self._table)
                own, present = self._own_curves(found)
                layers.append((Output(pose.local, pose.curves + own, pose.present | present), float(weight)))
        motion = self._motion(run, [(found, number) for found, number in shown], there)
        if there or not layers:
            source = run.output(self.inputs[0])
        else:
            source = layers[0][0]
            source = Output(source.local, np.zeros_like(source.curves), np.zeros_like(source.present))
        poses = [layer for layer, _ in layers]
        parts = [weight for _, weight in layers]
        if there and left >= ZERO:
            local = weighted([source.local, *(p.local for p in poses)], [left, *parts])
        else:
            total = sum(parts)
            local = poses[0].local
            if len(poses) > 1:
                local = weighted([p.local for p in poses], [part / total for part in parts])
        if self.rule is CurveRule.BLEND:
            curves = left * source.curves + sum(w * p.curves for p, w in zip(poses, parts, strict=True))
            present = np.any([source.present, *(p.present for p in poses)], axis=0)
        else:
            curves, present = merged(source, layers, self.rule)
        return Output(local, curves, present, motion)

    def _by_bone(self, run: Run, shown: list[tuple[Playing, int]]) -> Output:
        """As `_shown` by weights ``(K, B)`` of their own for each bone; curves and motion by those of slowest bones."""
        bones = len(run.rig.skeleton)
        weights = np.array([found.bone_weights(run.dt, bones) for found, _ in shown])
        weights /= np.maximum(weights.sum(axis=0), 1.0)
        plain = np.array([found.weight(run.dt) for found, _ in shown])
        earlier = np.array([found.weight(0.0) for found, _ in shown])
        plain, earlier = plain / max(plain.sum(), 1.0), earlier / max(earlier.sum(), 1.0)
        result = self._shown(run, shown, plain, earlier)
        left = np.clip(1.0 - weights.sum(axis=0), 0.0, 1.0)
        there = bool(run.relevant[self.inputs[0]])
        source = run.output(self.inputs[0]).local if there else run.rig.skeleton.rest
        poses = [found.plan.tracks[number].pose(found.position, self._table).local for found, number in shown]
        return replace(result, local=weighted([source, *poses], np.vstack((left, weights))))

    def _motion(self, run: Run, shown: list[tuple[Playing, int]], there: bool) -> Transform:
        """What each montage moved in its own time by its mean weight there, and the source by what is left."""
        if run.dt <= 0.0:
            return transform.IDENTITY
        most = max(sum(found.area for found, _ in shown) / run.dt, 1.0)
        motions = [found.motions[number] for found, number in shown if found.life > 0.0]
        shares = [found.area / found.life / most for found, _ in shown if found.life > 0.0]
        if there:
            motions.append(run.output(self.inputs[0]).motion)
            shares.append(max(1.0 - sum(found.area for found, _ in shown) / run.dt, 0.0))
        return summed_motion(motions, shares)

    def _own_curves(self, found: Playing) -> tuple[FloatArray, BoolArray]:
        return found.plan.curves(found.position, self._table)
