"""The pose library without Qt: what is listed, which picture each card needs, and what the mouse does."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ids import AssetId
from core.pose.library import LibraryPose
from editor.model.i18n import trn
from editor.model.posing import library
from editor.model.posing.blend import Blend, blend_toward
from editor.model.posing.state import PosingState
from editor.model.session import Session
from editor.model.tried import tried

DRAG_PIXELS = 160.0
"""A drag of so many pixels over a card goes all the way to its pose."""


@dataclass(frozen=True, slots=True)
class Card:
    """One pose of the grid.

    Parameters
    ----------
    partial : "" for the whole body, else how many bones it holds
    chosen, active : whether it is chosen, and the one that is blended toward
    """

    id: AssetId
    name: str
    tags: tuple[str, ...]
    partial: str
    chosen: bool
    active: bool


@dataclass(frozen=True, slots=True)
class Weight:
    """A pose of a pose asset, with its weight at the current time."""

    name: str
    value: float
    keyed: bool


@dataclass(frozen=True, slots=True)
class AssetRow:
    """One pose asset and its weights."""

    id: AssetId
    name: str
    weights: tuple[Weight, ...]


class PoseLibrary:
    """Lists and uses the poses of the rig shown; what cannot be done is said in the message bar."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.words = ""
        self.spacing = 10.0
        self.blend: Blend | None = None
        self._weight: library.WeightDrag | None = None

    @property
    def has_rig(self) -> bool:
        """Whether there is a character."""
        return self.session.rig is not None

    def poses(self) -> tuple[LibraryPose, ...]:
        """The poses that the search leaves."""
        return library.poses_of(self.session, self.words)

    def cards(self) -> tuple[Card, ...]:
        """What the grid shows."""
        rig, chosen = self.session.rig, self.session.feature(PosingState).poses
        active = self.session.feature(PosingState).active
        if rig is None:
            return ()
        return tuple(
            Card(
                pose.id,
                pose.name,
                pose.tags,
                ""
                if len(pose.bones) == len(rig.skeleton)
                else trn("{count} bone", "{count} bones", len(pose.bones)),
                pose.id in chosen,
                pose.id == active,
            )
            for pose in self.poses()
        )

    @property
    def empty_library(self) -> bool:
        """Whether the rig has no pose at all, searched for or not."""
        return not library.poses_of(self.session)

    def tags(self) -> tuple[str, ...]:
        """Every tag in use."""
        return library.tags_of(self.session)

    def masks(self) -> tuple[str, ...]:
        """Masks of the rig."""
        rig = self.session.rig
        return tuple(rig.masks) if rig is not None else ()

    # ------------------------------------------------------------ drags on a card
    def press(self, pose: AssetId) -> bool:
        """A card is pressed; whether a blend has begun."""
        self.choose(pose)
        self.blend = tried(self.session.messages, lambda: blend_toward(self.session, pose))
        return self.blend is not None

    def drag(self, pixels: float) -> float | None:
        """The pointer was dragged sideways; the share shown, None where nothing is dragged."""
        if self.blend is None:
            return None
        self.blend.move(pixels / DRAG_PIXELS)
        return self.blend.share

    def release(self, dragged: bool) -> None:
        """The button was released; a click, without a drag, applies the whole pose."""
        blend, self.blend = self.blend, None
        if blend is not None:
            if not dragged:
                blend.move(1.0)
            tried(self.session.messages, blend.finish)

    def cancel(self) -> None:
        """Esc or the right button."""
        blend, self.blend = self.blend, None
        if blend is not None:
            blend.cancel()

    def choose(self, pose: AssetId, add: bool = False, through: bool = False) -> None:
        """Choose a pose; also (Ctrl), or all up to it (Shift)."""
        posing = self.session.feature(PosingState)
        if add:
            rest = [p for p in posing.poses if p != pose]
            posing.choose(*rest, *(() if pose in posing.poses else (pose,)))
        elif through and posing.active is not None:
            order = [p.id for p in self.poses()]
            if posing.active in order and pose in order:
                a, b = order.index(posing.active), order.index(pose)
                span = order[a : b + 1] if a <= b else order[b : a + 1][::-1]
                posing.choose(*posing.poses, *span)
        else:
            posing.choose(pose)

    # ------------------------------------------------------------ the library
    def save(self, name: str | None = None) -> AssetId | None:
        """Keep the pose shown."""
        return tried(self.session.messages, lambda: library.save_pose(self.session, name))

    def update(self, pose: AssetId) -> None:
        """Put the pose shown in its place."""
        tried(self.session.messages, lambda: library.update_pose(self.session, pose))

    def rename(self, pose: AssetId, name: str) -> None:
        """Give it another name."""
        tried(self.session.messages, lambda: library.rename_pose(self.session, pose, name))

    def tag(self, pose: AssetId, text: str) -> None:
        """Give it other tags: words with commas or blanks between."""
        tried(
            self.session.messages,
            lambda: library.tag_pose(self.session, pose, text.replace(",", " ").split()),
        )

    def delete(self, poses: Sequence[AssetId]) -> None:
        """Take poses out of the library."""
        tried(self.session.messages, lambda: library.delete_poses(self.session, poses))

    def new_clip(self) -> None:
        """A clip with the chosen poses as keys."""
        tried(
            self.session.messages, lambda: library.clip_from_poses(self.session, self._chosen(), self.spacing)
        )

    # ------------------------------------------------------------ pose assets
    def assets(self) -> tuple[AssetRow, ...]:
        """Pose assets of the rig, with their weights now."""
        session, clip = self.session, self.session.evaluator.clip
        rows = []
        for asset in library.assets_of(session):
            weights = tuple(
                Weight(
                    t.name, library.weight_now(session, t.name), clip is not None and t.name in clip.curves
                )
                for t in asset.targets
            )
            rows.append(AssetRow(asset.id, asset.name, weights))
        return tuple(rows)

    def make_asset(self) -> None:
        """A pose asset of the chosen poses."""
        tried(self.session.messages, lambda: library.make_asset(self.session, self._chosen()))

    def delete_asset(self, asset: AssetId) -> None:
        """Take a pose asset out of the document."""
        tried(self.session.messages, lambda: library.delete_asset(self.session, asset))

    def bake_asset(self, asset: AssetId) -> None:
        """Turn what its curves do into keys."""
        tried(self.session.messages, lambda: library.bake_asset(self.session, asset))

    def weigh(self, target: str, weight: float) -> None:
        """A slider is dragged to a weight."""
        if self._weight is None:
            self._weight = tried(self.session.messages, lambda: library.WeightDrag(self.session, target))
        if self._weight is not None:
            self._weight.move(weight)

    def weighed(self) -> None:
        """The slider was released."""
        drag, self._weight = self._weight, None
        if drag is not None:
            drag.finish()

    def unweigh(self) -> None:
        """The slider's drag was taken back."""
        drag, self._weight = self._weight, None
        if drag is not None:
            drag.cancel()

    def _chosen(self) -> list[AssetId]:
        known = {pose.id for pose in library.poses_of(self.session)}
        return [pose for pose in self.session.feature(PosingState).poses if pose in known]
