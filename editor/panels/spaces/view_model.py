"""The Spaces panel without Qt: spans of the clip as rows, what can be followed, and what the buttons do."""

from dataclasses import dataclass

from core.errors import AnimError
from core.evaluation.spaces import Span, usual_follow
from core.rig.spaces import WORLD, Follow, target_named
from core.timing import frame_text
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.model.spaces import Spaces

HOWS: dict[Follow | None, str] = {
    None: "Usual",
    Follow.LIMB: "Limb",
    Follow.BONE: "Bone only",
    Follow.ROTATION: "Rotation only",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One span as shown; `here` where the playhead is in it."""

    span: Span
    bone: str
    space: str
    frames: str
    here: bool


class SpacesModel:
    """Reads and edits the spans of the clip shown."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.how: Follow | None = None
        self.target = WORLD

    @property
    def state(self) -> Spaces:
        """How switches are made, and their verbs."""
        return self._session.feature(Spaces)

    @property
    def ready(self) -> bool:
        """Whether a clip is shown."""
        return self._session.rig is not None and self._session.evaluator.clip is not None

    def rows(self) -> tuple[Row, ...]:
        """The spans, by time."""
        clip = self._session.evaluator.clip
        if clip is None:
            return ()
        rows = []
        for span in self.state.spans():
            first, last = (frame_text(clip.rate.to_frame(time)) for time in (span.start, span.end))
            here = self.state.now(span.bone) == span
            rows.append(Row(span, span.bone, self.space_text(span.space), f"{first} – {last}", here))
        return tuple(rows)

    def space_text(self, space: str) -> str:
        """A space as the panel says it."""
        return tr("World") if space == WORLD else space

    def targets(self) -> tuple[tuple[str, str], ...]:
        """What can be followed: title and word."""
        rig = self._session.rig
        if rig is None:
            return ()
        bones = (*rig.skeleton.names, *(bone.name for bone in rig.virtual_bones))
        return ((tr("World"), WORLD), *((bone, bone) for bone in bones))

    def selected(self) -> str:
        """The bones that a switch is about, in words."""
        bones = self._session.selection.bones
        if not bones:
            return tr("select a bone")
        return bones[-1] if len(bones) == 1 else trn("{count} bone", "{count} bones", len(bones))

    def usual(self) -> str:
        """What `how` comes to where it is left to the bone."""
        rig, bone = self._session.rig, self._session.selection.active
        if rig is None or bone is None or rig.skeleton.find(bone) is None:
            return tr(HOWS[None])
        return f"{tr(HOWS[None])} ({tr(HOWS[usual_follow(rig, bone)]).lower()})"

    @property
    def can_switch(self) -> bool:
        """Whether there is something to switch."""
        return self.ready and bool(self._session.selection.bones)

    def switch(self) -> bool:
        """Let the selected bones follow what is chosen, from the playhead on."""
        rig = self._session.rig
        if rig is None or not self.can_switch:
            return False
        bones = tuple(b for b in self._session.selection.bones if b != self.target)
        try:
            return self.state.switch(bones, target_named(rig, self.target), self.how)
        except AnimError as error:
            self._session.messages.warn(str(error))
            return False

    def show(self, span: Span) -> None:
        """Select a span's bone and go to where it begins."""
        self._session.selection.select((span.bone,))
        self._session.playback.pause()
        self._session.playback.seek(span.start)
        self.target = span.space

    def bake(self, span: Span) -> bool:
        """Keys in place of one span."""
        middle = 0.5 * (span.start + span.end)
        return self.state.bake((span.bone,), (middle, middle))
