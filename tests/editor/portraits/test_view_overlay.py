"""What is written over the view: its lines, names, box, amounts, frame and switches, painted as approved."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QApplication, QWidget

from editor.panels.viewport.heads_up import HeadsUp
from editor.panels.viewport.options import ViewOptions
from editor.panels.viewport.overlay import Overlay
from editor.panels.viewport.switches import Switches
from editor.qt.theme import Theme
from tests.editor.portraits import approved
from tests.editor.portraits.alone import Alone, alone

SIZE = (420, 300)
PLAIN = HeadsUp("walk", "frame 12 / 60", "Rotate · local", True)
LINES: dict[str, HeadsUp] = {
    "plain": PLAIN,
    "auto key off": replace(PLAIN, auto_key=False),
    "one change": replace(PLAIN, auto_key=False, pending=1),
    "changes": replace(PLAIN, auto_key=False, pending=3),
    "changes, all keyed": replace(PLAIN, pending=3),
    "from the front": replace(PLAIN, view="Front"),
    "all at once": replace(
        PLAIN,
        view="Front",
        blocking="Stepped · holds f8",
        compiled="Compiled",
        traffic="3 calls",
        auto_key=False,
    ),
    "a driven character": replace(PLAIN, playing=True, tool=""),
    "and what to do": replace(PLAIN, playing=True, tool="Push it", traffic="3 calls"),
    "plain again": PLAIN,
}


def over(qapp: QApplication) -> list[str]:
    """The overlay as each of its setters is called."""
    made: list[Overlay] = []

    def view(theme: Theme) -> QWidget:
        holder = QWidget()
        holder.setFixedSize(*SIZE)
        made.append(Overlay(holder, theme))
        made[0].setGeometry(holder.rect())
        return holder

    with alone(qapp, view, (SIZE[0], SIZE[1] + 40)) as here:
        (overlay,) = made
        overlay._flash.setInterval(1_000_000)  # it goes by the clock
        for name, lines in LINES.items():
            here.do(name, lambda lines=lines: overlay.show_lines(lines))
        here.do("a key", overlay.flash)
        here.do("a moment later", overlay._flash.stop, lambda: overlay._flash.timeout.emit())
        here.do("no lines", lambda: overlay.show_plate(False))
        here.do("lines", lambda: overlay.show_plate(True))
        names(here, overlay)
        for x, y in ((100.0, 80.0), (415.0, 80.0), (100.0, 290.0), (415.0, 295.0)):
            here.do(f"an amount at {x:g} {y:g}", lambda x=x, y=y: overlay.show_chip(("−12.5°", (x, y))))
        here.do("a long one", lambda: overlay.show_chip(("X 1.25 m · Y 0.50 m · Z −0.75 m", (20.0, 20.0))))
        here.do("none", lambda: overlay.show_chip(None))
        here.do("a box", lambda: overlay.show_box(((80.0, 90.0), (20.0, 30.0))))
        here.do("no box", lambda: overlay.show_box(None))
        here.do("no character", lambda: overlay.show_empty("", bare=True))
        here.do("nothing can be drawn", lambda: overlay.show_empty("Nothing can be drawn: no driver"))
        here.do("a key", overlay.flash)
        here.do("it can", overlay._flash.stop, lambda: overlay.show_empty(""))
        here.do("light", lambda: here.theme.use("light"), overlay.update)
        return here.lines


def names(here: Alone, overlay: Overlay) -> None:
    """Names stand beside their bones; one that would lie over another is left out, the bright ones last."""
    three = (("hand", 200.0, 100.0), ("arm", 210.0, 108.0), ("head", 300.0, 40.0), ("away", 900.0, 40.0))
    here.do("names", lambda: overlay.show_names(three, frozenset()))
    here.do("a bright one", lambda: overlay.show_names(three, frozenset({"arm"})))
    here.do("no names", lambda: overlay.show_names((), frozenset()))


def switches(qapp: QApplication) -> list[str]:
    """The row of switches: what each is called, shows and asks for."""
    toggled: list[str] = []

    def row(theme: Theme) -> QWidget:
        holder = QWidget()
        holder.setFixedSize(240, 40)
        Switches(holder, theme, toggled.append).adjustSize()
        return holder

    with alone(qapp, row, (240, 90)) as here:
        (widget,) = here.widget.findChildren(Switches)

        def press(name: str) -> Callable[[], None]:
            return lambda: (toggled.clear(), here.tap(f"show_{name}"), here.heard.extend(toggled))

        here.do("as at first", lambda: widget.show_options(ViewOptions()))
        for name in ("mesh", "clay", "bones", "names", "axes", "grid", "shadow"):
            here.do(f"{name} pressed", press(name))
            here.do(f"{name} alone", lambda n=name: widget.show_options(ViewOptions(
                **{k: k == n for k in ("mesh", "clay", "bones", "names", "axes", "grid", "shadow")})))  # fmt: skip
        here.do("light", lambda: here.theme.use("light"), widget.tint)
        return here.lines


def test_what_is_written_over_the_view_is_as_approved(qapp) -> None:
    problem = approved.problem_of("view-overlay", lambda: over(qapp))
    assert not problem, problem


def test_switches_of_the_view_are_as_approved(qapp) -> None:
    problem = approved.problem_of("view-switches", lambda: switches(qapp))
    assert not problem, problem
