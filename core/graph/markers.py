"""The sync markers of a clip as a cycle: phases from times and times from phases."""

import math

from core.clips.clip import Clip
from core.graph.sync_member import LEAST_WAY, Phase


class MarkerCycle:
    """Where a clip is between its sync markers. Without a loop its markers do not count.

    Parameters
    ----------
    loops : whether it is played in a loop
    """

    def __init__(self, clip: Clip, loops: bool) -> None:
        self.length, self.loops = clip.length, loops
        within = sorted((m.time, m.name) for m in clip.sync_markers if 0.0 <= m.time < clip.length)
        self.times = [time for time, _ in within] if loops else []
        self.names = [name for _, name in within] if loops else []

    def _end(self, k: int) -> float:
        """Where the way from a marker to the next ends; the last one's lies in the next turn."""
        return self.times[k + 1] if k + 1 < len(self.times) else self.times[0] + self.length

    def _pair(self, k: int) -> tuple[str, str]:
        return self.names[k], self.names[(k + 1) % len(self.names)]

    def phase(self, time: float) -> Phase:
        """The phase at a playback time."""
        position = time % self.length if self.loops and self.length > 0.0 else time
        whole = position / self.length if self.length > 0.0 else 0.0
        if not self.times:
            return Phase(None, 0.0, whole)
        position = position if position >= self.times[0] else position + self.length
        k = max(k for k, marker in enumerate(self.times) if marker <= position)
        way = self._end(k) - self.times[k]
        return Phase(self._pair(k), (position - self.times[k]) / way if way > 0.0 else 0.0, whole)

    def time(self, phase: Phase, near: float) -> float:
        """The playback time at a phase that is nearest to another.

        With the two markers of the phase it is as far between them, else as far in the whole.
        """
        found = [phase.whole * self.length]
        if phase.markers is not None:
            found = [
                self.times[k] + phase.between * (self._end(k) - self.times[k])
                for k in range(len(self.times))
                if self._pair(k) == phase.markers
            ] or found
        if self.loops and self.length > 0.0:
            found = [time + self.length * round((near - time) / self.length) for time in found]
        return min(found, key=lambda time: abs(time - near))

    def until(self, time: float, turns: float) -> float:
        """Seconds until the next marker is passed at so many turns a second; infinite without markers."""
        if not self.times or turns == 0.0:
            return math.inf
        sign = 1.0 if turns > 0.0 else -1.0
        ways = [sign * (marker - time) / self.length % 1.0 for marker in self.times]
        return min(way if way > LEAST_WAY else 1.0 for way in ways) / abs(turns)
