"""The work of a retarget, off the window's thread: from frozen values to a result."""

from dataclasses import dataclass

from core.clips.clip import Clip
from core.ids import new_id
from core.progress import Progress
from core.retarget.chain_map import ChainMap
from core.retarget.contacts import ContactSpan
from core.retarget.report import ClipReport
from core.retarget.retarget import Options, Retargeted, retarget_clip
from core.retarget.transfer import Binding
from core.rig.rig import Rig

PREVIEW = "clip-retarget-preview "
"""How the ids of previews begin."""


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """A clip retargeted, with what the views show of it."""

    done: Retargeted

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

    @property
    def spans(self) -> tuple[ContactSpan, ...]:
        """Contacts that were held: those found in the source, or those given."""
        return self.report.contacts


def run(
    source: Rig, clip: Clip, target: Rig, chains: ChainMap, options: Options, progress: Progress
) -> Result:
    """Retarget a clip."""
    return Result(retarget_clip(source, clip, target, chains, options, id=new_id("clip"), progress=progress))
