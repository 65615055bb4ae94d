"""The bodies of the character shown: which is active, what a drag makes of them, and edits, one undo step each."""

from collections.abc import Iterable
from dataclasses import replace

from core.errors import AnimError
from core.ids import AssetId
from core.rig.body_edits import fitting, mirrored, partner, with_mirrored, with_pair
from core.rig.body_plan import Body, BodyPlan, Capsule, inserted, riders
from core.rig.propose_bodies import propose_bodies, propose_chain, with_overlaps_ignored
from core.rig.rig import Rig
from core.rig.roles import rig_roles
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.selection import Selection

SYMMETRIC, IN_VIEW = "bodies_symmetric", "bodies_in_view"
THINNEST, LIGHTEST = 1e-4, 1e-4
"""Metres and kilograms that a body has at least."""


class Bodies:
    """The body plan of the rig shown.

    Attributes
    ----------
    selection, messages : of the session
    watched : whether the Bodies panel is in front: capsules are drawn with it
    changed : the plan, the active body, or how bodies are edited may differ
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        evaluator: Evaluator,
        playback: Playback,
        selection: Selection,
        display: Display,
        preferences: Preferences,
        messages: Messages,
    ) -> None:
        self._document, self._edits, self._evaluator = document, edits, evaluator
        self._playback, self.selection, self._display = playback, selection, display
        self._preferences, self.messages = preferences, messages
        self.watched = False
        self.changed: Event[None] = Event()
        self._preview: BodyPlan | None = None
        self._known: tuple[object, object] = (None, None)
        document.changed.connect(self._on_document)
        document.replaced.connect(lambda _: self.set_preview(None))
        playback.clip_changed.connect(lambda _: self._on_document(frozenset()))
        selection.bones_changed.connect(lambda _: self.changed.emit(None))

    # ------------------------------------------------------------ what there is
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._evaluator.rig

    @property
    def plan(self) -> BodyPlan | None:
        """Its plan, as a drag has it."""
        rig = self.rig
        if rig is None:
            return None
        return rig.body_plan if self._preview is None else self._preview

    @property
    def active(self) -> Body | None:
        """The body that the active bone has or rides on."""
        rig, plan, bone = self.rig, self.plan, self.selection.active
        if rig is None or plan is None or bone is None or rig.skeleton.find(bone) is None:
            return None
        number = riders(plan, rig.skeleton)[rig.skeleton.index(bone)]
        return plan.bodies[number] if number >= 0 else None

    @property
    def symmetric(self) -> bool:
        """Whether an edit of a body is made on the other side as well."""
        return bool(self._preferences.get(SYMMETRIC, True))

    @symmetric.setter
    def symmetric(self, on: bool) -> None:
        self._preferences.set(SYMMETRIC, on)
        self.changed.emit(None)

    @property
    def in_view(self) -> bool:
        """Whether the active body has handles in the view, in place of the gizmo of the bones."""
        return bool(self._preferences.get(IN_VIEW, True))

    @in_view.setter
    def in_view(self, on: bool) -> None:
        self._preferences.set(IN_VIEW, on)
        self.changed.emit(None)

    @property
    def editing(self) -> bool:
        """Whether the view shows handles of a body now."""
        busy = self._playback.playing or self._display.source is not None
        return self.watched and self.in_view and not busy and self.active is not None

    def watch(self, on: bool) -> None:
        """Say whether the panel is in front."""
        if on != self.watched:
            self.watched = on
            self.changed.emit(None)

    def other_side(self, bone: str) -> str | None:
        """The bone on the other side that an edit is made on as well, or None."""
        rig, plan = self.rig, self.plan
        if rig is None or plan is None or not self.symmetric:
            return None
        other = partner(rig.mirror, bone)
        return other if other is not None and plan.find(other) is not None else None

    # ------------------------------------------------------------ edits
    def with_body(self, plan: BodyPlan, body: Body) -> BodyPlan:
        """A plan with a body changed, and its partner where editing is symmetric."""
        rig = self._require()
        plan = plan.with_body(body)
        other = self.other_side(body.bone)
        if other is None:
            return plan
        return plan.with_body(mirrored(rig.skeleton, rig.mirror, body, other, plan.body(other)))

    def set_preview(self, plan: BodyPlan | None) -> None:
        """Show a plan as a drag has it; None shows the document's."""
        if plan is not self._preview:
            self._preview = plan
            self.changed.emit(None)

    def commit(self, label: str, plan: BodyPlan | None) -> bool:
        """Make a plan the rig's, in one step; False where it is that already."""
        rig = self._require()
        self._preview = None
        done = plan != rig.body_plan and self._edits.put(label, replace(rig, body_plan=plan))
        self.changed.emit(None)
        return done

    def change(self, bone: str, what: str, body: Body) -> bool:
        """Change one body, in one step."""
        label = tr("{what} of body {bone}", what=what, bone=bone)
        if self.other_side(bone) is not None:
            label = tr("{what} of body {bone} and its mirror", what=what, bone=bone)
        return self.commit(label, self.with_body(self._plan(), body))

    def set_mass(self, bone: str, kilograms: float) -> bool:
        """Another mass."""
        body = replace(self._plan().body(bone), mass=max(kilograms, LIGHTEST))
        return self.change(bone, tr("Mass"), body)

    def set_damping(self, bone: str, damping: float) -> bool:
        """Another damping of its joint, N·m·s."""
        return self.change(bone, tr("Damping"), replace(self._plan().body(bone), damping=max(damping, 0.0)))

    def set_radius(self, bone: str, metres: float) -> bool:
        """Another radius."""
        return self.change(bone, tr("Radius"), with_radius(self._plan().body(bone), metres))

    def set_length(self, bone: str, metres: float) -> bool:
        """Another length of its segment, from where it starts."""
        return self.change(bone, tr("Length"), with_length(self._plan().body(bone), metres))

    def set_range(self, bone: str, axis: int, minimum: float | None, maximum: float | None) -> bool:
        """Another range of an axis, degrees; None leaves an end. An end never goes past the other one."""
        body = self._plan().body(bone)
        limits = body.axes[axis]
        low = limits.minimum if minimum is None else min(minimum, limits.maximum)
        high = limits.maximum if maximum is None else max(maximum, limits.minimum)
        return self.change(bone, tr("Range"), body.with_range(axis, low, high))

    def propose(self) -> BodyPlan:
        """A new plan from the bones' parts and the skin; replaces the one there is."""
        rig = self._require()
        plan = propose_bodies(rig, self._evaluator.meshes, rig_roles(rig))
        self.commit(tr("Propose bodies"), plan)
        count = len(plan)
        self.messages.info(trn("Proposed {count} body", "Proposed {count} bodies", count))
        return plan

    def add(self, bones: Iterable[str]) -> int:
        """Bodies for bones that have none; how many were added."""
        rig = self._require()
        plan = self.plan
        if plan is None:
            self.propose()
            return len(self._plan())
        wanted = set(bones)
        fresh = [name for name in rig.skeleton.names if name in wanted and plan.find(name) is None]
        if not fresh:
            self.messages.info(tr("The selected bones have bodies already"))
            return 0
        for body in propose_chain(rig, fresh, self._evaluator.meshes):
            plan = inserted(plan, body, rig.skeleton)
        label = trn("Add body of {name}", "Add {count} bodies", len(fresh), name=fresh[0])
        self.commit(label, with_overlaps_ignored(plan, rig.skeleton))
        return len(fresh)

    def remove(self, bones: Iterable[str]) -> int:
        """Take bodies away; their bones ride on the body above. How many went."""
        rig, plan = self._require(), self._plan()
        gone = {bone for bone in bones if plan.find(bone) is not None}
        gone |= {other for bone in gone if (other := self.other_side(bone)) is not None}
        if not gone:
            return 0
        kept = tuple(body for body in plan.bodies if body.bone not in gone)
        label = trn("Remove body of {name}", "Remove {count} bodies", len(gone), name=min(gone))
        if plan.bodies[0].bone in gone and kept:
            raise AnimError(tr("{bone} is the root body, which the others need", bone=plan.bodies[0].bone))
        self.commit(label, fitting(kept, (p for p in plan.ignored if not gone & set(p)), rig.skeleton))
        return len(gone)

    def clear(self) -> None:
        """Take the whole plan away."""
        if self.plan is not None:
            self.commit(tr("Remove all bodies"), None)

    def mirror(self, bones: Iterable[str]) -> bool:
        """Give the other side the bodies of some bones."""
        rig, plan = self._require(), self._plan()
        chosen = [bone for bone in bones if plan.find(bone) is not None]
        if not any(partner(rig.mirror, bone) for bone in chosen):
            self.messages.info(
                tr("The selected bodies have no other side"), tr("Set up the pairs in the Mirror panel")
            )
            return False
        label = trn("Mirror body of {name}", "Mirror {count} bodies", len(chosen), name=chosen[0])
        return self.commit(label, with_mirrored(rig.skeleton, rig.mirror, plan, chosen))

    def set_ignored(self, first: str, second: str, ignored: bool) -> bool:
        """Let two bodies pass through each other, or collide."""
        plan = with_pair(self._plan(), first, second, ignored)
        ends = [self.other_side(bone) or bone for bone in (first, second)]
        if self.symmetric and set(ends) != {first, second} and ends[0] != ends[1]:
            plan = with_pair(plan, ends[0], ends[1], ignored)
        text = tr("{first} passes through {second}") if ignored else tr("{first} collides with {second}")
        return self.commit(text.format(first=first, second=second), plan)

    # ------------------------------------------------------------ upkeep
    def _require(self) -> Rig:
        rig = self.rig
        if rig is None:
            raise AnimError(tr("open or import a character first"))
        return rig

    def _plan(self) -> BodyPlan:
        rig = self._require()
        if rig.body_plan is None:
            raise AnimError(tr("propose bodies first"))
        return rig.body_plan

    def _on_document(self, _: frozenset[AssetId]) -> None:
        rig = self.rig
        known = (rig.id if rig is not None else None, rig.body_plan if rig is not None else None)
        if known[0] != self._known[0] or known[1] is not self._known[1]:
            self._known, self._preview = known, None
            self.changed.emit(None)


def with_radius(body: Body, metres: float) -> Body:
    """A body with another radius."""
    return replace(body, capsule=replace(body.capsule, radius=max(metres, THINNEST)))


def with_length(body: Body, metres: float) -> Body:
    """A body whose segment has another length, from where it starts; a ball grows along its first axis."""
    capsule, length = body.capsule, body.capsule.length
    along = (
        tuple((b - a) / length for a, b in zip(capsule.start, capsule.end, strict=True))
        if length
        else (0.0, 1.0, 0.0)
    )
    x, y, z = (a + max(metres, 0.0) * d for a, d in zip(capsule.start, along, strict=True))
    return replace(body, capsule=Capsule(capsule.start, (x, y, z), capsule.radius))
