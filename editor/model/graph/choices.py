"""What there is to choose from for a graph: assets of its character, and names of its rig, clips and graph."""

from dataclasses import dataclass
from typing import Any

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.graph.catalogue.pins import Form, Parameter
from core.graph.graph import Graph
from core.graph.montage import Montage
from core.pose.library import PoseAsset
from core.project.project import Project

ON_NODE = (
    Form.CLIP, Form.SPACE, Form.AIM, Form.POSES, Form.GRAPH, Form.BONE, Form.MASK, Form.SLOT, Form.CURVE,
    Form.MONTAGE, Form.SETUP,
)  # fmt: skip
"""Forms that are chosen on the node itself."""
FREE = (Form.EVENT, Form.GROUP, Form.SNAPSHOT, Form.CURVE)
"""Forms where a name of one's own may be typed, too."""
ASSETS: dict[Form, type[Any]] = {Form.CLIP: Clip, Form.POSES: PoseAsset, Form.GRAPH: Graph}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice."""

    value: str
    title: str


class Choices:
    """Lists what can be chosen on nodes of a graph; each list is made once."""

    def __init__(self, graph: Graph, project: Project) -> None:
        self._graph, self._project = graph, project
        self._made: dict[Form, tuple[Option, ...]] = {}

    def of(self, form: Form) -> tuple[Option, ...]:
        """Choices of a form; empty for forms that are not in `ON_NODE`."""
        if form not in self._made:
            self._made[form] = self._assets(form) or tuple(Option(n, n) for n in self._names(form))
        return self._made[form]

    def title(self, parameter: Parameter, value: str) -> str | None:
        """What a value is called; None where it is not there to choose."""
        found = next((o.title for o in self.of(parameter.form) if o.value == value), None)
        return value if found is None and parameter.form in FREE else found

    def _assets(self, form: Form) -> tuple[Option, ...]:
        graph, project = self._graph, self._project
        if form in (Form.SPACE, Form.AIM):
            spaces = [s for s in project.all(BlendSpace) if s.aim_offset is (form is Form.AIM)]
            return tuple(Option(s.id, s.name) for s in spaces if s.rig == graph.rig)
        kind = ASSETS.get(form)
        if kind is None:
            return ()
        return tuple(
            Option(a.id, a.name) for a in project.all(kind) if a.rig == graph.rig and a.id != graph.id
        )

    def _names(self, form: Form) -> list[str]:
        graph, project = self._graph, self._project
        rig = next((r for r in project.rigs if r.id == graph.rig), None)
        if rig is not None and form is Form.BONE:
            return [*rig.skeleton.names, *(v.name for v in rig.virtual_bones)]
        if rig is not None and form is Form.MASK:
            return sorted(rig.masks)
        if rig is not None and form is Form.SETUP:
            return [s.name for s in rig.ik_setups]
        if form is Form.SLOT:
            return list(graph.slots)
        if form is Form.MONTAGE:
            return [m.name for m in project.all(Montage) if m.rig == graph.rig]
        if form is Form.CURVE:
            return sorted({name for c in project.clips if c.rig == graph.rig for name in c.curves})
        return []
