"""Select bones by a click or a box. Shift adds, Ctrl removes; a repeat click cycles overlapping hits."""

from editor.model.i18n import tr
from editor.model.selection import Mode, Selection
from editor.tools.gesture import Gesture
from editor.tools.pointer import CLICK_SLOP, Modifiers, Pointer
from editor.tools.scene import Pixel, Scene


class ClickMemory:
    """Where the last click was and what lay there, so that the next one on the spot takes the next hit."""

    def __init__(self) -> None:
        self._pixel: Pixel | None = None
        self._hits: tuple[str, ...] = ()

    def choose(self, pixel: Pixel, hits: tuple[str, ...], active: str | None) -> str | None:
        """The hit that a click takes."""
        again = (
            self._pixel is not None
            and abs(pixel[0] - self._pixel[0]) <= CLICK_SLOP
            and abs(pixel[1] - self._pixel[1]) <= CLICK_SLOP
            and hits == self._hits
            and active in hits
        )
        self._pixel, self._hits = pixel, hits
        if not hits:
            return None
        return hits[(hits.index(active or "") + 1) % len(hits)] if again else hits[0]


def mode_of(pointer: Pointer) -> Mode:
    """How a click or box joins the selection."""
    if pointer.has(Modifiers.CTRL):
        return Mode.REMOVE
    return Mode.ADD if pointer.has(Modifiers.SHIFT) else Mode.REPLACE


class Pick(Gesture):
    """A press on what is no handle: a click while it stays put, a box once it moves."""

    def __init__(self, scene: Scene, selection: Selection, memory: ClickMemory) -> None:
        self._scene = scene
        self._selection = selection
        self._memory = memory
        self._start: Pointer | None = None
        self._box: tuple[Pixel, Pixel] | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._box is None and pointer.distance(self._start) < CLICK_SLOP):
            return
        xs, ys = sorted((self._start.x, pointer.x)), sorted((self._start.y, pointer.y))
        self._box = (xs[0], ys[0]), (xs[1], ys[1])
        self._scene.show_box(self._box)

    def finish(self, pointer: Pointer) -> None:
        if self._start is None:
            return
        mode = mode_of(pointer)
        if self._box is not None:
            self._scene.show_box(None)
            self._selection.select(self._scene.bones_in(*self._box), mode)
            return
        hits = self._scene.bones_at(self._start.pixel)
        # Taking the next one of a pile makes sense only where it replaces what was taken before.
        bone = self._memory.choose(self._start.pixel, hits, self._selection.active) if hits else None
        if mode is not Mode.REPLACE and hits:
            bone = hits[0]
        if bone is not None or mode is Mode.REPLACE:
            self._selection.select((bone,) if bone else (), mode)

    def cancel(self) -> None:
        self._scene.show_box(None)

    @property
    def hint(self) -> str:
        return tr("Release to select · Shift adds · Ctrl removes · Esc cancels") if self._box else ""
