"""What every pass needs to know about the frame being drawn, and what it counts."""

from dataclasses import dataclass, field

from core.arrays import FloatArray
from editor.gl.camera import Camera, Size


@dataclass(frozen=True, slots=True)
class FrameTraffic:
    """What was asked between two looks.

    Parameters
    ----------
    calls : of any function
    draws : of those that draw
    uploaded, read_back : bytes sent in buffers and textures, and bytes of pixels or buffers that were read
    waits : calls that wait for an answer
    """

    calls: int = 0
    draws: int = 0
    uploaded: int = 0
    read_back: int = 0
    waits: int = 0


@dataclass(slots=True)
class FrameStats:
    """What the last drawn frame cost.

    `passes` maps a pass to its draw calls and vertices; `seconds` to time spent in it, filled only
    when the renderer is told to wait for each pass (`Renderer.timing`).
    """

    passes: dict[str, tuple[int, int]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def count(self, name: str, vertices: int) -> None:
        """Add one draw call."""
        calls, total = self.passes.get(name, (0, 0))
        self.passes[name] = (calls + 1, total + vertices)

    @property
    def draw_calls(self) -> int:
        """Draw calls of the whole frame."""
        return sum(calls for calls, _ in self.passes.values())

    @property
    def vertices(self) -> int:
        """Vertices of the whole frame."""
        return sum(count for _, count in self.passes.values())


@dataclass(frozen=True, slots=True)
class FrameView:
    """Camera, sizes and matrices of one frame.

    `size` is in logical pixels, `pixels` in the framebuffer's own, `pixel_ratio` leads from one to
    the other; matrices are (4, 4) for column vectors.
    """

    camera: Camera
    size: Size
    pixels: tuple[int, int]
    pixel_ratio: float
    view: FloatArray
    projection: FloatArray
    view_projection: FloatArray
    eye: FloatArray
    stats: FrameStats
