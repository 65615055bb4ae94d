"""PoseHelper without Qt: what can be done now, and what each button does."""

from dataclasses import dataclass

from core.pose.mirror import MirrorWay
from core.rig.rig import Rig
from editor.model.i18n import tr, trn
from editor.model.posing import bone_sets, verbs
from editor.model.posing.blend import Blend, Goal, begin_blend, key_neighbours
from editor.model.posing.copied import has_copied
from editor.model.posing.state import PosingState
from editor.model.session import Session
from editor.model.tried import tried

GOALS = (
    (Goal.COPIED, "Copied", "Toward the copied pose"),
    (Goal.LIBRARY, "Library", "Toward the pose selected in the library"),
    (Goal.REST, "Rest", "Toward the rest pose"),
    (Goal.PREVIOUS, "◂ Key", "Toward the previous key of these bones"),
    (Goal.NEXT, "Key ▸", "Toward the next key of these bones"),
    (Goal.BREAKDOWN, "Between", "Breakdown: from the previous key (0 %) to the next (100 %)"),
)

SCOPES = (
    ("pose", "Pose", "Current pose"),
    ("keys", "Selected keys", "Keys of the other side at the frames of the selected keys"),
    ("range", "Play range", "The clip within the play range"),
    ("clip", "Clip", "The whole clip"),
    ("all", "Every clip", "Every clip of this character"),
)


GHOSTS = {"before": 5, "after": 5, "step": 1}


@dataclass(frozen=True, slots=True)
class Shown:
    """What the panel shows.

    Parameters
    ----------
    target : which bones the verbs work on, in words
    goal_hint : what hinders the goal chosen, "" where nothing does
    rest_share : where the bar's handle rests
    mirror_hint : what the rig knows of its mirror
    """

    rig: bool
    target: str
    goal: Goal
    goal_hint: str
    rest_share: float
    can_paste: bool
    loops: bool
    has_clip: bool
    mirror_hint: str
    live: bool
    sets: tuple[tuple[str, int], ...]


class PoseHelper:
    """Does what the panel's buttons say; what cannot be done is said in the message bar."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.goal = Goal.REST
        self.blend: Blend | None = None

    def shown(self) -> Shown:
        """What to show now."""
        session, rig = self.session, self.session.rig
        clip = session.clip
        return Shown(
            rig is not None, self._target(rig), self.goal, self._hindrance(rig), self.rest_share(),
            rig is not None and has_copied(session), clip is not None and clip.looping, clip is not None,
            _mirror_words(rig), session.switches["live_mirror"],
            tuple((name, len(bones)) for name, bones in rig.bone_sets.items()) if rig is not None else (),
        )  # fmt: skip

    def _target(self, rig: Rig | None) -> str:
        if rig is None:
            return tr("No character")
        chosen = self.session.selection.bones
        if not chosen:
            return trn("All {count} bone", "All {count} bones", len(rig.skeleton))
        return (
            chosen[0]
            if len(chosen) == 1
            else trn("{count} selected bone", "{count} selected bones", len(chosen))
        )

    def _hindrance(self, rig: Rig | None) -> str:
        session = self.session
        if rig is None:
            return tr("open or import a character first")
        if self.goal is Goal.COPIED and not has_copied(session):
            return tr("copy a pose first")
        if (
            self.goal is Goal.LIBRARY
            and session.feature(PosingState).active_pose(session.document.project) is None
        ):
            return tr("select a pose in the library")
        before, after = key_neighbours(session, verbs.acting(session, rig))
        missing = {
            Goal.PREVIOUS: before is None,
            Goal.NEXT: after is None,
            Goal.BREAKDOWN: before is None or after is None,
        }
        if missing.get(self.goal):
            return (
                tr("no key on that side")
                if self.goal is not Goal.BREAKDOWN
                else tr("needs keys on both sides")
            )
        return ""

    def rest_share(self) -> float:
        """Where the handle of the bar rests: on what is shown now."""
        if self.goal is not Goal.BREAKDOWN or self.session.rig is None:
            return 0.0
        before, after = key_neighbours(self.session, verbs.acting(self.session, self.session.rig))
        if before is None or after is None or after <= before:
            return 0.5
        return (self.session.playback.time - before) / (after - before)

    # ------------------------------------------------------------ the bar
    def begin(self) -> bool:
        """The handle is pressed; whether there is something to blend toward."""
        self.blend = tried(self.session.messages, lambda: begin_blend(self.session, self.goal))
        return self.blend is not None

    def move(self, share: float) -> None:
        """The handle is dragged."""
        if self.blend is not None:
            self.blend.move(share)

    def finish(self) -> None:
        """The handle is released: commit."""
        blend, self.blend = self.blend, None
        if blend is not None:
            tried(self.session.messages, blend.finish)

    def cancel(self) -> None:
        """Esc: take it back."""
        blend, self.blend = self.blend, None
        if blend is not None:
            blend.cancel()

    def blend_to(self, share: float) -> None:
        """Blend by a typed share, in one go."""
        if self.begin():
            self.move(share)
            self.finish()

    # ------------------------------------------------------------ verbs
    def mirror(self, way: MirrorWay, scope: str, half_cycle: bool) -> bool:
        """Mirror what the scope says."""
        session = self.session
        work = {
            "pose": lambda: verbs.mirror(session, way),
            "keys": lambda: verbs.mirror_keys(session, way),
            "range": lambda: verbs.mirror_range(session, way),
            "clip": lambda: verbs.mirror_clips(session, None, way, half_cycle),
            "all": lambda: verbs.mirror_clips(
                session, [c.id for c in session.document.project.clips], way, half_cycle
            ),
        }[scope]
        return bool(tried(self.session.messages, work))

    def toggle_live(self) -> None:
        """Turn live mirror on or off."""
        self.session.switches.toggle("live_mirror")

    # ------------------------------------------------------------ ghosts
    def ghosts(self) -> tuple[dict[str, float], str]:
        """How many ghosts before and after and at which step; and what is counted, frames or keys."""
        get = self.session.preferences.get
        counts = {name: float(get(f"ghosts_{name}", least)) for name, least in GHOSTS.items()}
        return counts, str(get("ghosts_by", "frames"))

    def set_ghosts(self, name: str, value: int | str) -> None:
        """Change one of these."""
        self.session.preferences.set(f"ghosts_{name}", value)

    # ------------------------------------------------------------ bone sets
    def save_set(self, name: str) -> bool:
        """Keep the selection as a named bone set."""
        return bool(tried(self.session.messages, lambda: bone_sets.save(self.session, name)))

    def select_set(self, name: str, add: bool = False) -> None:
        """Select the bones of a set."""
        tried(self.session.messages, lambda: bone_sets.select(self.session, name, add))

    def delete_set(self, name: str) -> None:
        """Forget a bone set."""
        tried(self.session.messages, lambda: bone_sets.delete(self.session, name))


def _mirror_words(rig: Rig | None) -> str:
    if rig is None:
        return ""
    if not rig.mirror.pairs and not rig.mirror.axis_bones:
        return tr("Not set up: this rig has no mirror pairs yet")
    left = len(rig.skeleton) - 2 * len(rig.mirror.pairs) - len(rig.mirror.axis_bones)
    words = tr(
        "{pairs}, {axis} on the {letter} plane", pairs=trn("{count} pair", "{count} pairs", len(rig.mirror.pairs)),
        axis=len(rig.mirror.axis_bones), letter="XYZ"[rig.mirror.axis],
    )  # fmt: skip
    return words + (tr(", {count} on neither", count=left) if left else "")
