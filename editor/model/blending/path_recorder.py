"""The path that the point of a blend space is dragged along: noted, kept, and played again."""

import numpy as np

from core.blending.space_bake import DrivenPath
from core.blending.space_player import SpacePlayer
from core.timing import within_clip


class PathRecorder:
    """Notes where the point was when; afterwards drives the point along that path, over and over.

    Attributes
    ----------
    path : the last path that was noted
    """

    def __init__(self) -> None:
        self.path: DrivenPath | None = None
        self._noted: list[tuple[float, tuple[float, ...]]] | None = None
        self._replay: float | None = None

    @property
    def recording(self) -> bool:
        """Whether the point's path is being noted."""
        return self._noted is not None

    @property
    def replaying(self) -> bool:
        """Whether the noted path drives the point."""
        return self._replay is not None

    def begin(self, now: float, point: tuple[float, ...]) -> None:
        """Note a new path from here on; a replay ends."""
        self._replay, self._noted = None, [(now, point)]

    def note(self, now: float, point: tuple[float, ...]) -> None:
        """Note where the point is, while a path is recorded."""
        if self._noted is not None:
            self._noted.append((now, point))

    def finish(self) -> None:
        """End the recording; a path of a single moment is forgotten."""
        noted, self._noted = self._noted, None
        if noted is None:
            return
        rows = [row for k, row in enumerate(noted) if k + 1 == len(noted) or noted[k + 1][0] > row[0]]
        if len(rows) > 1:
            times = np.array([time for time, _ in rows])
            self.path = DrivenPath(times - times[0], np.array([point for _, point in rows]))

    def start_replay(self) -> None:
        """Drive the point along the path from its start; a recording ends."""
        self.finish()
        self._replay = 0.0

    def stop_replay(self) -> None:
        """Let the point stay where it is."""
        self._replay = None

    def replayed(self, seconds: float, player: SpacePlayer) -> tuple[float, ...] | None:
        """Where the path leads some seconds later; None without a replay, or for a space of other axes."""
        path = self.path
        if self._replay is None or path is None or path.points.shape[1] != len(player.space.axes):
            return None
        self._replay += seconds
        length = float(path.times[-1])
        at = within_clip([self._replay], length, True)
        return tuple(float(v) for v in path.at(at, player)[0])
