"""Where the pictures of reference footage lie in the view. Free of Qt."""

from collections.abc import Sequence

from core.media.tracks import Placement, ReferenceTrack
from editor.gl.camera import Size
from editor.gl.draw_list import PictureShape
from editor.model.media.pictures import Shown


def place_of(track: ReferenceTrack, aspect: float, size: Size) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a picture in logical pixels; whole ones, so that it need not be scaled."""
    rows = max(1.0, round(track.size * size[1]))
    across = max(1.0, round(rows * aspect))
    left = round(track.x * size[0] - across / 2.0)
    top = round(track.y * size[1] - rows / 2.0)
    return left, top, left + across, top + rows


def picture_shapes(shown: Sequence[Shown], size: Size) -> tuple[PictureShape, ...]:
    """What is drawn of the reference footage in a view of a size in logical pixels."""
    return tuple(
        PictureShape(
            one.picture,
            place_of(one.track, one.aspect, size),
            one.track.opacity,
            one.track.placement is Placement.BEHIND,
        )
        for one in shown
    )
