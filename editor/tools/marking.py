"""The marking menu: eight directions around the pointer, some of which lead to eight more. Free of Qt."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from editor.model.bone_sets import BoneSets
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools.scene import Pixel

DEAD = 18.0
"""Pixels around the middle in which nothing is chosen."""
REACH = 92.0
"""Pixels from the middle at which a direction that leads on opens its own menu."""
STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Directions clockwise from up, in pixels to the right and down."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a direction does.

    Parameters
    ----------
    title : as shown; "" takes that of the action
    action : id of the action it runs, or "" where it leads to a menu
    menu : eight directions it leads to, or none
    color : name of a bone set's colour, or ""
    """

    title: str
    action: str = ""
    menu: "tuple[Entry | None, ...]" = ()
    color: str = ""


Menu = tuple[Entry | None, ...]


def direction(dx: float, dy: float) -> int | None:
    """The direction of a way in pixels, 0 to 7 clockwise from up; None in the middle."""
    if math.hypot(dx, dy) < DEAD:
        return None
    return round(math.atan2(dx, -dy) / (math.pi / 4.0)) % 8


class Marking:
    """An open menu: which direction is marked, and the menus on the way there.

    Parameters
    ----------
    root : the first eight directions
    place : pixel of its middle
    """

    def __init__(self, root: Menu, place: Pixel) -> None:
        self._stack: list[tuple[Menu, Pixel]] = [(root, place)]
        self.marked: int | None = None
        self.pointer = place

    @property
    def entries(self) -> Menu:
        """The eight directions shown."""
        return self._stack[-1][0]

    @property
    def place(self) -> Pixel:
        """The middle of what is shown."""
        return self._stack[-1][1]

    @property
    def entry(self) -> Entry | None:
        """What is marked."""
        return None if self.marked is None else self.entries[self.marked]

    def move(self, pixel: Pixel) -> None:
        """The pointer is at a pixel: mark its direction; far out in one that leads on, go on from there."""
        self.pointer = pixel
        if len(self._stack) > 1 and _way(self._stack[-2][1], pixel) < DEAD:
            self._stack.pop()
        x, y = self.place
        self.marked = direction(pixel[0] - x, pixel[1] - y)
        if self.entry is None:
            self.marked = None
        elif self.entry.menu and _way(self.place, pixel) > REACH:
            self._enter()
            self.move(pixel)

    def turn(self, dx: int, dy: int) -> None:
        """An arrow key: mark its direction; two that are at right angles mark the one between them."""
        x, y = (0, 0) if self.marked is None else STEPS[self.marked]
        between = STEPS.index((dx or x, dy or y)) if (dx or x, dy or y) in STEPS else STEPS.index((dx, dy))
        straight = STEPS.index((dx, dy))
        self.marked = next((n for n in (between, straight) if self.entries[n] is not None), None)

    def mark(self, number: int) -> None:
        """Mark a direction by its number, 0 to 7."""
        self.marked = number if self.entries[number] is not None else None

    def enter(self) -> bool:
        """Go on to the menu that the marked direction leads to; whether it leads to one."""
        found = self.entry
        if found is None or not found.menu:
            return False
        self._enter()
        self.marked = None
        return True

    def _enter(self) -> None:
        found = self.entry
        if found is not None and self.marked is not None:
            dx, dy = STEPS[self.marked]
            size = math.hypot(dx, dy)
            x, y = self.place
            self._stack.append((found.menu, (x + REACH * dx / size, y + REACH * dy / size)))


def _way(a: Pixel, b: Pixel) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _run(*ids: str) -> Menu:
    return tuple(Entry("", id) if id else None for id in ids)


TOOLS = _run(
    "tool.rotate", "tool.scale", "tool.select", "view.frame", "select.isolate", "select.unhide", "ik.toggle",
    "tool.move",
)  # fmt: skip
KEYS = _run(
    "key.set_all", "key_type.breakdown", "key.set", "key.insert", "key.delete", "key_type.extreme",
    "edit.copy_pose", "edit.paste_pose",
)  # fmt: skip
MIRROR = _run(
    "edit.copy_pose", "pose.paste_mirrored", "pose.mirror_left", "", "pose.mirror", "", "pose.mirror_right",
    "select.mirror",
)  # fmt: skip


def root_menu(session: Session) -> Menu:
    """Tools up, keys to the right, mirror down, sets to the left; between them what is used most."""
    return (
        Entry(tr("Tools"), menu=TOOLS), Entry("", "tool.rotate"),
        Entry(tr("Keys"), menu=KEYS), Entry("", "key.set"),
        Entry(tr("Mirror"), menu=MIRROR), Entry("", "select.to_end"),
        Entry(tr("Sets"), menu=sets_menu(session)), Entry("", "tool.move"),
    )  # fmt: skip


def sets_menu(session: Session) -> Menu:
    """The first bone sets by their numbers clockwise from up; a new one where there is room."""
    sets = session.feature(BoneSets)
    found: list[Entry | None] = [
        Entry(name, f"set.select_{number + 1}", color=sets.color(name))
        for number, name in enumerate(sets.names[:8])
    ]
    if len(found) < 8:
        found += [None] * (7 - len(found)) + [Entry("", "set.new")]
    return tuple(found)


class MarkingInput:
    """Mouse and keys while the menu is open.

    Parameters
    ----------
    root : gives the menu to open
    run : does an action by its id
    changed : is called where what is to be shown differs
    """

    def __init__(
        self, root: Callable[[], Menu], run: Callable[[str], object], changed: Callable[[], None]
    ) -> None:
        self._root, self._run, self._changed = root, run, changed
        self.menu: Marking | None = None
        self.held = False

    @property
    def on(self) -> bool:
        """Whether the menu is open, seen or not."""
        return self.menu is not None

    def open(self, place: Pixel, held: bool) -> None:
        """Open it; `held` as long as a key is down, else until something is chosen."""
        self.menu, self.held = Marking(self._root(), place), held
        self._changed()

    def close(self) -> None:
        """Close it without a choice."""
        if self.menu is not None:
            self.menu, self.held = None, False
            self._changed()

    def move(self, pixel: Pixel) -> None:
        """The pointer moved."""
        if self.menu is not None:
            self.menu.move(pixel)
            self._changed()

    def turn(self, dx: int, dy: int) -> None:
        """An arrow key."""
        if self.menu is not None:
            self.menu.turn(dx, dy)
            self._changed()

    def number(self, number: int) -> None:
        """A number key, 1 to 8: that direction at once."""
        if self.menu is not None:
            self.menu.mark(number - 1)
            if self.menu.marked is not None:
                self.choose()

    def choose(self) -> None:
        """Take what is marked: do it, go on to its menu, or close where nothing is marked."""
        menu = self.menu
        if menu is None:
            return
        if menu.enter():
            self._changed()
            return
        found = menu.entry
        self.close()
        if found is not None:
            self._run(found.action)

    def release(self) -> None:
        """The key came up: take what is marked; a menu that it leads to stays open, and the middle closes it."""
        if self.held:
            self.held = False
            self.choose()
