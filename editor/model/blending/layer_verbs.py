"""Verbs of animation layers that are computed beside the window: merge, extract, split, reduce. One step each."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from core.clips.clip import Channel, Clip
from core.clips.reduce import reduce_clip
from core.errors import AnimError
from core.evaluation import layer_verbs as verbs
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.evaluation.flatten import bake_times
from core.evaluation.layer_verbs import Verb
from core.pose import kinematics
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.blending.layer_hand import LayerHand
from editor.model.blending.layers import LayerEdits
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs, Made
from editor.model.i18n import tr
from editor.model.keyed_words import named
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.selection import Selection

REDUCE = 0.5
"""Millimetres that reducing a layer may move any point of the body, measured on the layer's own poses."""


class LayerVerbs:
    """Merges, extracts, splits and reduces; what a verb is about without a number is `LayerHand.aimed`."""

    def __init__(
        self,
        document: Document,
        jobs: EditJobs,
        layers: LayerEdits,
        hand: LayerHand,
        playback: Playback,
        selection: Selection,
        messages: Messages,
    ) -> None:
        self._document, self._jobs, self._layers, self._hand = document, jobs, layers, hand
        self._playback, self._selection, self._messages = playback, selection, messages

    def merge_down(self, number: int | None = None) -> bool:
        """Merge a layer into what is right below it: the lowest into the clip, another into the layer below."""
        number = self._hand.aimed() if number is None else number
        clip, project = self._clip(), self._document.project
        label = tr("Merge {name} down", name=self._name(number))
        return self._run(label, lambda: verbs.merged_down(project, clip, number))

    def merge_all(self, number: int | None = None) -> bool:
        """Bake the layers up to and with one (all by default) into the clip below; those above stay."""
        clip, project = self._clip(), self._document.project
        name = self._name(0 if number is None else number)
        label = tr("Merge all layers") if number is None else tr("Merge {name} into the clip", name=name)
        return self._run(label, lambda: verbs.merged_all(project, clip, number))

    def extract_keys(self) -> bool:
        """Move the selected keys of the clip into a layer above it; what is shown stays."""
        clip, project = self._base("extract"), self._document.project
        times = self._key_times(clip)
        if not times:
            raise AnimError(tr("select keys first"))
        span = _span_around(clip, times)
        return self._run(
            tr("Extract keys to a layer"), lambda: verbs.extracted(project, clip, tuple(times), span, times)
        )

    def extract_range(self) -> bool:
        """Move the keys of the selected bones (of all without a selection) in the play range into a layer."""
        clip, project = self._base("extract"), self._document.project
        channels, span = self._channels(clip), self._playback.range or (0.0, clip.length)
        return self._run(
            tr("Extract range to a layer"), lambda: verbs.extracted(project, clip, channels, span)
        )

    def split(self) -> bool:
        """Split the clip into a base with few keys and an additive layer with the rest.

        The base keeps the selected keys and both ends; of the selected bones, or of all, within the play range.
        """
        clip, project = self._base("split"), self._document.project
        keys = self._key_times(clip)
        channels = tuple(keys) or self._channels(clip)
        kept = sorted({time for times in keys.values() for time in times})
        span = self._playback.range or (0.0, clip.length)
        return self._run(tr("Split base and delta"), lambda: verbs.split(project, clip, channels, span, kept))

    def reduce(self, number: int | None = None) -> bool:
        """Reduce a layer's keys within `REDUCE` mm; says how far anything shown moved.

        With the layer in hand the Reduce keys panel does the same with any tolerance.
        """
        number = self._hand.aimed() if number is None else number
        base, project = self._clip(), self._document.project
        stack = stack_of(project, base.id)
        if stack is None:
            raise AnimError(tr("the clip has no layers"))
        layer = stack.layers[number]
        own, rig = project.get(Clip, layer.clip), project.get(Rig, base.rig)
        label = tr("Reduce layer {name}", name=layer.name)

        def work(progress: Progress) -> Made:
            found = reduce_clip(rig, own, REDUCE / 1000.0, project.meshes_of(rig.id), progress=progress).clip
            before, after = _count(own), _count(found)
            if after >= before:
                return Made(label, (), None, tr("No removable keys at this tolerance"))
            moved = 1000.0 * _moved(project, project.with_assets(found), base)
            note = tr(
                "{before} → {after} keys; the largest change shown is {moved:.2f} mm", before=before, after=after,
                moved=moved,
            )  # fmt: skip
            return Made(label, (found,), None, note)

        return self._jobs.run(label, work)

    # ------------------------------------------------------------ parts
    def _run(self, label: str, make: Callable[[], Verb]) -> bool:
        """Compute a verb and commit it; the clip itself is keyed again where its layer goes."""

        def work(progress: Progress) -> Made:
            found = make()
            return Made(label, found.assets, self._layers.view_without(found.gone), gone=found.gone)

        return self._jobs.run(label, work)

    def _clip(self) -> Clip:
        """The document's clip that the layers lie over."""
        clip = self._layers.clip
        found = self._document.project.assets.get(clip.id) if clip is not None else None
        if not isinstance(found, Clip):
            raise AnimError(tr("create or select a clip first"))
        return found

    def _base(self, verb: str) -> Clip:
        """The clip itself, which receives keys now."""
        if self._playback.below is not None:
            raise AnimError(tr("go back to the clip first: a layer is in hand"))
        return self._clip()

    def _name(self, number: int) -> str:
        stack = self._layers.stack
        if stack is None:
            raise AnimError(tr("the clip has no layers"))
        return stack.layers[number].name

    def _channels(self, clip: Clip) -> tuple[Channel, ...]:
        """Channels of the selected bones that have keys, of all bones without a selection."""
        bones = set(self._selection.bones)
        return tuple(self._free(c for c in clip.tracks if not bones or c.bone in bones))

    def _key_times(self, clip: Clip) -> Mapping[Channel, tuple[float, ...]]:
        """Times of the selected keys of bones, by channel."""
        found = {
            c: numbers for c, numbers in self._selection.keys.items() if c in clip.tracks and len(numbers)
        }
        return {
            c: tuple(float(clip.tracks[c].times[number]) for number in found[c]) for c in self._free(found)
        }

    def _free(self, channels: Iterable[Channel]) -> list[Channel]:
        """The channels of bones that are not locked; the others are told to the user."""
        asked, locked = list(channels), self._selection.locked
        held = dict.fromkeys(c.bone for c in asked if c.bone in locked)
        if held:
            self._messages.warn(
                tr("{what} is locked and was not changed", what=named(list(held))),
                tr("Unlock it in the bone tree"),
            )
        return [channel for channel in asked if channel.bone not in held]


def _span_around(clip: Clip, times: Mapping[Channel, Iterable[float]]) -> tuple[float, float]:
    """From the last key that stays before the chosen ones to the first that stays after them."""
    start, end = clip.length, 0.0
    for channel, chosen in times.items():
        keys, picked = clip.tracks[channel].times, list(chosen)
        earlier, later = keys[keys < min(picked) - 1e-6], keys[keys > max(picked) + 1e-6]
        start = min(start, float(earlier[-1]) if len(earlier) else 0.0)
        end = max(end, float(later[0]) if len(later) else clip.length)
    return start, end


def _count(clip: Clip) -> int:
    return sum(len(track) for track in clip.every_track())


def _moved(before: Project, after: Project, clip: Clip) -> float:
    """The largest distance in metres between where bones were and are, over all frames."""
    times = bake_times(replace(clip, tracks={}, curves={}, morphs={}), None, {})
    skeleton = before.get(Rig, clip.rig).skeleton
    places = [
        kinematics.model_matrices(skeleton, ClipPipeline.of(project, clip).sample_many(times).local)[
            ..., :3, 3
        ]
        for project in (before, after)
    ]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).max())
