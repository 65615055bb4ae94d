"""A monkey at mouse and keyboard of the real window: no exception, no hang, no growing memory.

The window runs in a child process with a home of its own, where the monkey can write what it likes. The child says
each second how much memory it holds and how long its longest turn took; hangs are seen from outside as well.
"""

import os
import random
import resource
import shutil
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tests.temporary import own_folder

ROOT = Path(__file__).resolve().parents[2]
HANG = 2.0
KEYS = (
    "Q W E R S K I P H M G T B A F J L 1 2 3 4 5 6 Space Left Right Up Down Home End Delete Return Escape Tab "
    "Ctrl+Z Ctrl+Z Ctrl+Z Ctrl+Shift+Z Ctrl+C Ctrl+V Ctrl+A Ctrl+D Shift+S Alt+I Shift+G Shift+T , . [ ] F3 F1"
).split()
FORBIDDEN = ("file.quit", "window.full_screen", "view.scale_", "file.open", "file.import", "help.")
"""What would end the window or only opens the system's file dialogs."""


@dataclass
class Played:
    """What the monkey did."""

    minutes: float = 0.0
    events: int = 0
    longest: float = 0.0
    undo: float = 0.0  # megabytes of the steps that can be undone, at the end
    memory: list[tuple[float, float]] = field(default_factory=list)  # seconds, megabytes
    problems: list[str] = field(default_factory=list)

    def growth(self) -> float:
        """Megabytes an hour over the second half, by least squares."""
        half = [m for m in self.memory if m[0] > self.minutes * 30.0]
        if len(half) < 10:
            return 0.0
        mean = [sum(v) / len(half) for v in zip(*half, strict=True)]
        over = sum((t - mean[0]) * (m - mean[1]) for t, m in half)
        return 3600.0 * over / max(sum((t - mean[0]) ** 2 for t, _ in half), 1e-9)

    def rows(self) -> list[tuple[str, str]]:
        """For the table of the closing note."""
        memory = [m for _, m in self.memory] or [0.0]
        middle = memory[len(memory) // 2]
        return [
            ("monkey", f"{self.minutes:.1f} minutes, {self.events} events"),
            ("longest time without an answer", f"{self.longest:.2f} s"),
            ("memory: start, middle, end", f"{memory[0]:.0f}, {middle:.0f}, {memory[-1]:.0f} MB"),
            ("of it for undo, at the end", f"{self.undo:.0f} MB"),
            ("growth over the second half", f"{self.growth():+.0f} MB an hour"),
            ("exceptions, hangs over 2 s", str(len(self.problems))),
            *(("problem", text) for text in self.problems[:20]),
        ]


def run(minutes: float, seed: int = 1, plot: Path | None = None, note=lambda text: None) -> Played:
    """Let the monkey play; `plot` gets a picture of the memory over time (PNG)."""
    home = own_folder("monkey")
    told = Played(minutes)
    _lend_kernels(home)
    dirs = {"HOME": home, "XDG_CACHE_HOME": home / ".cache", "XDG_CONFIG_HOME": home}
    dirs |= {"XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
    dirs |= {"POSEWRIGHT_CONFIG_DIR": home / "config", "POSEWRIGHT_DATA_DIR": home / "data", "TMPDIR": home}
    environment = {**os.environ, **{name: str(path) for name, path in dirs.items()}, "PYTHONPATH": str(ROOT)}
    # A crash inside Qt has no traceback of its own: faulthandler says where Python was.
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.reliability.monkey"]
    command += [str(minutes * 60.0), str(seed)]
    errors = home / "errors.txt"
    with errors.open("w", encoding="utf-8") as err:
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=err, text=True, cwd=home, env=environment
        )
        try:
            _listen(child, told, note)
        finally:
            child.kill()
            child.wait()
    said = errors.read_text(encoding="utf-8", errors="replace")
    if "Traceback" in said or child.returncode not in (0, -9):
        told.problems.append(said[-3000:].strip() or f"status {child.returncode}")
    if plot is not None and told.memory:
        picture(told, plot)
    shutil.rmtree(home, ignore_errors=True)
    return told


def _lend_kernels(home: Path) -> None:
    """Give the new home the kernels that are compiled already, as the start script leaves them at a user's."""
    from core.math.kernels import cache_root

    cache = home / ".cache" / "posewright"
    cache.mkdir(parents=True)
    (cache / "kernels").symlink_to(cache_root())


def _listen(child: subprocess.Popen[str], told: Played, note) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        words = line.split()
        if words[:1] == ["second"]:
            at, megabytes, longest, events, undo = map(float, words[1:6])
            told.undo = undo
            told.memory.append((at, megabytes))
            told.longest, told.events = max(told.longest, longest), int(events)
            if len(told.memory) % 30 == 0:
                note(f"{at:.0f} s: {megabytes:.0f} MB, longest {told.longest:.2f} s, {told.events} events")
        elif words[:1] == ["hang"]:
            told.problems.append(line.strip())
            note(line.strip())
        elif words[:1] == ["end"]:
            return
    told.minutes = told.memory[-1][0] / 60.0 if told.memory else 0.0
    told.problems.append("the window ended by itself")


def picture(told: Played, path: Path) -> None:
    """Memory over time as a PNG."""
    from PIL import Image, ImageDraw

    width, height, edge = 900, 360, 50
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    top = max(m for _, m in told.memory) * 1.15
    last = max(t for t, _ in told.memory) or 1.0
    points = [
        (edge + (width - 2 * edge) * t / last, height - edge - (height - 2 * edge) * m / top)
        for t, m in told.memory
    ]
    draw.rectangle((edge, edge, width - edge, height - edge), outline="#888888")
    draw.line(points, fill="#2060c0", width=2)
    draw.text(
        (edge, 12), f"memory of the window, MB (top {top:.0f}), over {last / 60:.1f} minutes", fill="black"
    )
    draw.text((8, edge), f"{top:.0f}", fill="black")
    draw.text((8, height - edge - 10), "0", fill="black")
    image.save(path)


# ---------------------------------------------------------------- the child
class Monkey:
    """Sends events to whatever lies under a random place of the window."""

    def __init__(self, window, chance: random.Random) -> None:
        from PySide6.QtTest import QTest

        self.window, self.chance, self.test = window, chance, QTest
        self.events = 0
        self.actions = [a.id for a in window.actions_registry.all if not a.id.startswith(FORBIDDEN)]

    def act(self) -> None:
        """One gesture; a dialog that it finds open is mostly closed again."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtWidgets import QApplication

        chance, test = self.chance, self.test
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window
        self.events += 1
        roll = chance.random()
        if top is not self.window and roll < 0.5:
            test.keyClick(top, Qt.Key.Key_Escape)
            return
        if roll < 0.12:
            self.window.actions_registry.run(chance.choice(self.actions))
            return
        if roll < 0.3:
            self._keys(top)
            return
        place = QPoint(chance.randrange(max(top.width(), 1)), chance.randrange(max(top.height(), 1)))
        buttons, keys = Qt.MouseButton, Qt.KeyboardModifier
        button = chance.choice((buttons.LeftButton,) * 6 + (buttons.RightButton, buttons.MiddleButton))
        modifiers = (keys.ShiftModifier, keys.ControlModifier, keys.AltModifier)
        held = chance.choice((keys.NoModifier,) * 5 + modifiers)
        # Through the window, as a real mouse: what has been pressed or holds the mouse gets the rest of the gesture.
        through = top.window().windowHandle()
        if through is None:
            return
        if roll < 0.75:
            test.mouseClick(through, button, held, place)
            return
        test.mousePress(through, button, held, place)
        for _ in range(chance.randint(1, 12)):
            if not _alive(through):
                break
            place += QPoint(chance.randint(-30, 30), chance.randint(-30, 30))
            place = QPoint(_within(place.x(), through.width()), _within(place.y(), through.height()))
            test.mouseMove(through, place)
            QApplication.processEvents()
        if chance.random() < 0.15 and _alive(top):
            test.keyClick(top, Qt.Key.Key_Escape)
        if not _alive(through):
            through, place = self.window.windowHandle(), QPoint(5, 5)
        test.mouseRelease(through, button, held, place)

    def let_go(self) -> None:
        """End what waits for the mouse or an answer: the button goes up, then Escape."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtWidgets import QApplication

        top = QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window
        through = top.window().windowHandle() or self.window.windowHandle()
        self.test.mouseRelease(
            through, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(5, 5)
        )
        if not _alive(through):
            # Letting go put a floating panel back into the window.
            through = self.window.windowHandle()
        self.test.keyClick(through, Qt.Key.Key_Escape)

    def _keys(self, top) -> None:
        from PySide6.QtGui import QKeySequence
        from PySide6.QtWidgets import QApplication

        target = QApplication.focusWidget() or top
        combination = QKeySequence(self.chance.choice(KEYS))[0]
        self.test.keyClick(target, combination.key(), combination.keyboardModifiers())


def _alive(shown) -> bool:
    """Whether a widget or window is still there and shown."""
    from shiboken6 import isValid

    return bool(isValid(shown)) and shown.isVisible()


def _within(at: int, size: int) -> int:
    return max(0, min(at, size - 1))


def megabytes() -> float:
    """What this process holds in memory now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main(seconds: float, seed: int) -> None:
    """Play in this process, and say each second how it goes."""
    from PySide6.QtCore import QTimer

    from tests.reliability.children import _window

    app, session, window = _window(Path.cwd())
    from editor.shell.documents import sample_path

    sample = sample_path()
    if sample is not None:
        window.documents.load_sample(play=False)
    monkey = Monkey(window, random.Random(seed))
    main_thread = threading.get_ident()
    until = time.monotonic() + 20.0
    while session.jobs.running and time.monotonic() < until:
        app.processEvents()
    turn = [time.monotonic()]
    over = threading.Event()

    def watch() -> None:
        told = 0.0
        while not over.wait(0.25):
            late = time.monotonic() - turn[0]
            if late > HANG and turn[0] != told:
                told = turn[0]
                place = [
                    f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
                    for frame in traceback.extract_stack(sys._current_frames()[main_thread])
                    if "/tests/" not in frame.filename
                ]
                print(f"hang after {turn[0] - began:.0f} s in {' > '.join(place[-8:])}", flush=True)

    def turned() -> None:
        """The window answers, also from a loop within a gesture: a drag out of a list waits there for the mouse."""
        now = time.monotonic()
        longest[0], turn[0] = max(longest[0], now - turn[0]), now
        if now - acting[0] > 1.0:
            acting[0] = now
            monkey.let_go()

    began = said = time.monotonic()
    turn[0] = began
    acting, longest = [began], [0.0]
    beat = QTimer()
    beat.timeout.connect(turned)
    beat.start(100)
    threading.Thread(target=watch, daemon=True).start()
    while time.monotonic() - began < seconds:
        acting[0] = time.monotonic()
        monkey.act()
        app.processEvents()
        now = time.monotonic()
        longest[0], turn[0] = max(longest[0], now - turn[0]), now
        if now - said > 1.0:
            said = now
            undo = session.history.memory / 1e6
            row = f"{now - began:.1f} {megabytes():.1f} {longest[0]:.3f} {monkey.events} {undo:.1f}"
            print("second", row, flush=True)
            longest[0] = 0.0
    over.set()
    print("end", flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
