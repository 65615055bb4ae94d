"""The features of a session: each names the services it takes, and the session makes it."""

import inspect
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from editor.model.blending.state import Blending
from editor.model.blocking import Blocking
from editor.model.bone_sets import BoneSets
from editor.model.compile_state import Compiling
from editor.model.event_choice import EventChoice
from editor.model.graph.editor import GraphEditor
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.mapping import Controls
from editor.model.graph_run.on_canvas import RunOnCanvas
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.variable_edits import VariableEdits
from editor.model.ik.state import IkState
from editor.model.key_filter import KeyFilter
from editor.model.media.state import Media
from editor.model.montage.montages import Montages
from editor.model.montage.preview import MontagePreview
from editor.model.play.baking import PlayBaking
from editor.model.play.inputs import PlayInputs
from editor.model.play.live import PlayOnCanvas
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from editor.model.posing.state import PosingState
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.check import RangeCheck
from editor.model.ragdoll.simulating import Simulating
from editor.model.retarget.state import Retargeting
from editor.model.shot.characters import Characters
from editor.model.shot.state import Shot
from editor.model.spaces import Spaces
from editor.model.time_view import TimeView
from editor.model.timing_state import TimingState

FEATURES: dict[str, type[object]] = {
    "time_view": TimeView,
    "timing_state": TimingState,
    "blocking": Blocking,
    "key_filter": KeyFilter,
    "media": Media,
    "bone_sets": BoneSets,
    "posing": PosingState,
    "blending": Blending,
    "ik": IkState,
    "spaces": Spaces,
    "retargeting": Retargeting,
    "compiling": Compiling,
    "graph_run": GraphRun,
    "variable_edits": VariableEdits,
    "graph_controls": Controls,
    "graph_live": RunLive,
    "graph_editor": GraphEditor,
    "run_on_canvas": RunOnCanvas,
    "ghost_strip": GhostStrip,
    "event_choice": EventChoice,
    "montages": Montages,
    "montage_preview": MontagePreview,
    "play": Play,
    "play_baking": PlayBaking,
    "bodies": Bodies,
    "range_check": RangeCheck,
    "simulating": Simulating,
    "play_inputs": PlayInputs,
    "play_setups": PlaySetups,
    "play_on_canvas": PlayOnCanvas,
    "shot": Shot,
    "shot_characters": Characters,
}
"""Name and class of every feature; a new feature is its module and one entry here.

The parameters of the class's constructor name what it takes: services of the session (`document`,
`edits`, `closing` …, the fields of `Session`), or features above it. It never takes the session itself.
"""


def make_features(
    kinds: Mapping[str, type[object]], services: Mapping[str, object]
) -> dict[type[object], object]:
    """Make features in order, each with the services it names.

    Parameters
    ----------
    kinds : name and class of each feature
    services : what a feature can take, by name

    Returns
    -------
    dict : the features by class

    Raises
    ------
    TypeError
        A feature takes something that is neither a service nor a feature above it.
    """
    known, made = dict(services), {}
    for name, kind in kinds.items():
        parameters = _parameters(kind)
        missing = [p.name for p in parameters if p.name not in known and p.default is p.empty]
        if missing:
            raise TypeError(
                f'the feature "{name}" takes {", ".join(missing)}, but a session offers {", ".join(known)}'
            )
        feature = kind(**{p.name: known[p.name] for p in parameters if p.name in known})
        made[kind] = known[name] = feature
    return made


def _parameters(kind: type[object]) -> tuple[inspect.Parameter, ...]:
    """What a feature takes: looked up once, for every session that is made."""
    found = _TAKES.get(kind)
    if found is None:
        found = _TAKES[kind] = tuple(inspect.signature(kind).parameters.values())
    return found


_TAKES: WeakKeyDictionary[type[object], tuple[inspect.Parameter, ...]] = WeakKeyDictionary()
