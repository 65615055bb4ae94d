"""The Simulate panel without Qt: what is chosen, in words, and what came of it."""

from core.physics.parts import plan_of, scene_of
from editor.model.i18n import tr, trn
from editor.model.ragdoll.simulating import Simulating, missing_library
from editor.model.session import Session


class SimulateModel:
    """Reads what the panel shows; everything is done by `Simulating`."""

    def __init__(self, session: Session) -> None:
        self.session, self.simulating = session, session.feature(Simulating)
        self._counted: tuple[object, str] = (None, "")

    @property
    def missing(self) -> str:
        """What to install where the physics library is not there, or ""."""
        return missing_library()

    @property
    def has_clip(self) -> bool:
        """Whether there is something to simulate over."""
        return self.session.rig is not None and self.session.clip is not None

    def chosen(self) -> str:
        """The bones to simulate, by name."""
        names = [self.session.bone_label(bone) for bone in self.simulating.chosen]
        if not names:
            return tr("Select bones in the view or the bone tree")
        some = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        return tr("{bones} and all below", bones=some) if self.simulating.options.below else some

    def counts(self) -> str:
        """How many bodies that are, and how many of them are proposed for the purpose."""
        rig, chosen = self.session.rig, self.simulating.chosen
        if rig is None or not chosen:
            return ""
        key = (rig, chosen, self.simulating.options.below)
        if self._counted[0] != key:
            scene = scene_of(rig, plan_of(rig), chosen, (), self.simulating.options.below)
            text = trn("{count} body", "{count} bodies", len(scene.parts))
            if scene.proposed:
                text = tr(
                    "{bodies}, {count} of them proposed: their bones have none in the plan",
                    bodies=text, count=len(scene.proposed),
                )  # fmt: skip
            elif rig.body_plan is None:
                text = tr("{bodies}, as proposed: the character has no body plan yet", bodies=text)
            self._counted = key, text
        return self._counted[1]

    def outcome(self) -> str:
        """What came of it."""
        outcome = self.simulating.outcome
        if outcome is None:
            return ""
        degrees, bone = outcome.largest()
        bones = trn("{count} bone", "{count} bones", outcome.bones)
        return tr(
            "{bones} over {frames} frames; largest change {degrees}° ({bone})",
            bones=bones, frames=len(outcome.simulated.times), degrees=f"{degrees:.1f}",
            bone=self.session.bone_label(bone),
        )  # fmt: skip
