"""What plays the open blend space, made again only when something that it plays changes."""

from collections.abc import Callable

from core.blending.space_player import SpacePlayer
from core.clips.sample import ClipEvaluator
from core.errors import AnimError
from core.ids import AssetId
from editor.model.blending.spaces import Spaces
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr


class PlayerCache:
    """Keeps the player, and its clips' evaluators, while a drag changes the space many times a second.

    Parameters
    ----------
    renewed : called with the player before and the new one, each None where there is none
    """

    def __init__(
        self,
        spaces: Spaces,
        evaluator: Evaluator,
        renewed: Callable[[SpacePlayer | None, SpacePlayer | None], None],
    ) -> None:
        self._spaces, self._evaluator, self._renewed = spaces, evaluator, renewed
        self._player: SpacePlayer | None = None
        self._evaluators: dict[AssetId, ClipEvaluator] = {}
        self._made_of: tuple[object, ...] = ()
        self._seen: tuple[object, object, object] = (self, self, self)
        self._why = ""

    @property
    def why(self) -> str:
        """Why the open space cannot play, or ""."""
        return "" if self.player is not None else self._why

    @property
    def player(self) -> SpacePlayer | None:
        """What plays the open space; None where it cannot."""
        space, rig, project = self._spaces.current, self._evaluator.rig, self._spaces.project
        if self._seen[0] is space and self._seen[1] is rig and self._seen[2] is project:
            return self._player
        self._seen = (space, rig, project)
        if space is None or rig is None:
            self._player, self._why, self._made_of = None, tr("create a blend space first"), ()
            return None
        clips = self._spaces.clips()
        played = [clips.get(sample.clip) for sample in space.samples]
        made_of = (space, rig, *played, clips.get(space.base_clip or AssetId("")))
        same = len(made_of) == len(self._made_of)
        if same and all(a is b for a, b in zip(made_of, self._made_of, strict=True)):
            return self._player
        before, self._made_of = self._player, made_of
        self._player, self._why = None, ""
        try:
            self._player = SpacePlayer(rig, space, clips, self._evaluators)
            self._evaluators = self._player.evaluators
        except AnimError as error:
            self._why = str(error)
        self._renewed(before, self._player)
        return self._player
