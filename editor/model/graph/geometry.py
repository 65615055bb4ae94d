"""Places on the canvas: rectangles, the view with its zoom, the grid. Scene units are pixels at 100 %."""

from dataclasses import dataclass, replace

Point = tuple[float, float]

GRID = 16.0
LEAST_ZOOM, MOST_ZOOM = 0.1, 2.0
WHEEL = 1.2
"""Factor of the zoom for a notch of the wheel."""
TITLES, BLOCKS = 0.4, 0.2
"""Zooms below which text gives way to titles, and titles to blocks."""
FIT_MARGIN = 48.0
FARTHEST = 1e6
"""Scene units from the middle to which nodes are kept."""


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle in scene units; `w` and `h` are not negative."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def of(cls, a: Point, b: Point) -> "Rect":
        """The rectangle with two opposite corners."""
        return cls(min(a[0], b[0]), min(a[1], b[1]), abs(a[0] - b[0]), abs(a[1] - b[1]))

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def centre(self) -> Point:
        return self.x + self.w / 2.0, self.y + self.h / 2.0

    def holds(self, point: Point, margin: float = 0.0) -> bool:
        """Whether a point lies inside, or at most `margin` outside."""
        x, y = point
        return self.x - margin <= x <= self.right + margin and self.y - margin <= y <= self.bottom + margin

    def touches(self, other: "Rect") -> bool:
        """Whether two rectangles share a point."""
        return (
            self.x <= other.right
            and other.x <= self.right
            and self.y <= other.bottom
            and other.y <= self.bottom
        )

    def covers(self, other: "Rect") -> bool:
        """Whether another rectangle lies inside."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def joined(self, other: "Rect") -> "Rect":
        """The smallest rectangle around both."""
        return Rect.of(
            (min(self.x, other.x), min(self.y, other.y)),
            (max(self.right, other.right), max(self.bottom, other.bottom)),
        )

    def moved(self, dx: float, dy: float) -> "Rect":
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def grown(self, by: float) -> "Rect":
        """Larger by a margin at every side."""
        return Rect(self.x - by, self.y - by, self.w + 2.0 * by, self.h + 2.0 * by)


def around(rects: "list[Rect]") -> Rect | None:
    """The smallest rectangle around all; None for none."""
    if not rects:
        return None
    found = rects[0]
    for rect in rects[1:]:
        found = found.joined(rect)
    return found


@dataclass(frozen=True, slots=True)
class View:
    """What is seen of a sheet.

    Parameters
    ----------
    x, y : scene place of the top left corner
    zoom : pixels a scene unit
    """

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0

    def to_scene(self, point: Point) -> Point:
        """Scene place of a pixel."""
        return self.x + point[0] / self.zoom, self.y + point[1] / self.zoom

    def to_pixel(self, point: Point) -> Point:
        """Pixel of a scene place."""
        return (point[0] - self.x) * self.zoom, (point[1] - self.y) * self.zoom

    def seen(self, size: Point) -> Rect:
        """What a widget of a size in pixels shows."""
        return Rect(self.x, self.y, size[0] / self.zoom, size[1] / self.zoom)

    def panned(self, dx: float, dy: float) -> "View":
        """Moved with the pointer by pixels."""
        return replace(self, x=self.x - dx / self.zoom, y=self.y - dy / self.zoom)

    def zoomed(self, factor: float, at: Point) -> "View":
        """Closer by a factor within the bounds; the place under the pixel `at` stays there."""
        zoom = min(max(self.zoom * factor, LEAST_ZOOM), MOST_ZOOM)
        if abs(zoom - 1.0) < 0.04:
            zoom = 1.0
        x, y = self.to_scene(at)
        return View(x - at[0] / zoom, y - at[1] / zoom, zoom)

    def fitted(self, rect: Rect, size: Point, most: float = 1.0) -> "View":
        """All of a rectangle in the middle, at most at zoom `most`."""
        wide, high = (max(side - 2.0 * min(FIT_MARGIN, 0.08 * side), 32.0) for side in size)
        zoom = min(wide / max(rect.w, 1.0), high / max(rect.h, 1.0), most)
        return self.centred(rect.centre, size, min(max(zoom, LEAST_ZOOM), MOST_ZOOM))

    def centred(self, place: Point, size: Point, zoom: float | None = None) -> "View":
        """A scene place in the middle of a widget."""
        scale = self.zoom if zoom is None else zoom
        return View(place[0] - size[0] / scale / 2.0, place[1] - size[1] / scale / 2.0, scale)


def snapped(value: float, step: float = GRID) -> float:
    """The nearest line of the grid, kept within `FARTHEST`."""
    return min(max(round(value / step) * step, -FARTHEST), FARTHEST)


def on_grid(point: Point) -> Point:
    """The nearest corner of the grid."""
    return snapped(point[0]), snapped(point[1])
