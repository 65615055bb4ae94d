"""The work of a retarget, off the window's thread: from frozen values to a result."""

from dataclasses import dataclass

from core.clips.clip import Clip
from core.ids import AssetId, new_id
from core.ik.bake import frame_times
from core.ik.rigged import RiggedEvaluator
from core.pose import kinematics
from core.progress import Progress
from core.retarget.chain_map import ChainMap
from core.retarget.contacts import ContactSpan
from core.retarget.lock import LockOptions, find_contacts
from core.retarget.report import ClipReport
from core.retarget.retarget import Options, Retargeted, retarget_clip
from core.retarget.transfer import Binding
from core.rig.rig import Rig

PREVIEW = AssetId("clip-retarget-preview")


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """A clip retargeted, with what the views show of it.

    Parameters
    ----------
    spans : contacts of the source, found or edited
    """

    done: Retargeted
    spans: tuple[ContactSpan, ...]

    @property
    def clip(self) -> Clip:
        """The clip on the target."""
        return self.done.clip

    @property
    def report(self) -> ClipReport:
        """How it came out."""
        return self.done.report

    @property
    def binding(self) -> Binding:
        """Map and alignment that it was made with."""
        return self.done.binding


def run(
    source: Rig,
    clip: Clip,
    target: Rig,
    chains: ChainMap,
    options: Options,
    spans: tuple[ContactSpan, ...] | None,
    progress: Progress,
) -> Result:
    """Retarget a clip, and find the contacts that its lock goes by (of hands and feet, locked or not)."""
    done = retarget_clip(source, clip, target, chains, options, id=new_id("clip"), progress=progress)
    if spans is None:
        spans = contacts(source, clip, done.binding, options.lock or LockOptions())
    return Result(done, spans)


def contacts(source: Rig, clip: Clip, binding: Binding, lock: LockOptions) -> tuple[ContactSpan, ...]:
    """Where the source's limbs stand."""
    times = frame_times(clip)
    if len(times) < 2:
        return ()
    local = RiggedEvaluator(source, clip).sample_many(times, wrap=False).local
    return find_contacts(binding, kinematics.to_model(binding.source, local), clip.rate.fps, lock)
