"""What the model asks of the machine, with stand-ins: processes, memory, gamepads, sound devices, the guide."""

import ctypes
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import FormatError, UnsupportedError
from core.media.sound import RATE
from editor.model import guide, heap, process
from editor.model.graph_run import gamepad
from editor.model.media import device


# ---------------------------------------------------------------- processes
def test_a_process_runs_until_its_number_or_its_start_is_another() -> None:
    own = process.own()
    assert own["pid"] == os.getpid() and own["start"] and process.runs(own)
    for other in (
        {**own, "start": "1"},
        {**own, "start": ""},
        {**own, "pid": None},
        {**own, "pid": str(own["pid"])},
        {},
        None,
        [],
    ):
        assert not process.runs(other)
    assert process.start_time(0) == process.start_time(-3) == process.start_time(2**22 + 17) == ""


def numbers(last: int) -> str:
    """The words of a process from the fourth on."""
    return " ".join(str(n) for n in range(4, last + 1))


@pytest.mark.parametrize(("stat", "start"), [
    (f"7 (a b) c) S {numbers(39)}", "22"), (f"7 (x) S {numbers(22)}", "22"), (f"7 (x) S {numbers(21)}", ""),
    (f"7 (x) Z {numbers(39)}", ""), (f"7 (x) X {numbers(39)}", ""), ("7 (x) S 1 2 3", ""),
])  # fmt: skip
def test_linux_tells_the_start_as_the_twenty_second_word_behind_the_name(
    monkeypatch, stat: str, start: str
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(
        process.Path, "read_text", lambda path, **ways: stat if str(path) == "/proc/7/stat" else ""
    )
    assert process.start_time(7) == start


class Kernel:
    """The calls of Windows that tell when a process started; it ended where `ended` is not 0."""

    def __init__(self, handle: int, ended: int, answers: bool) -> None:
        self.handle, self.ended, self.answers = handle, ended, answers
        self.calls: list[object] = []

    def OpenProcess(self, rights: int, inherit: bool, pid: int) -> int:
        self.calls.append(("open", rights, inherit, pid))
        return self.handle

    def GetProcessTimes(self, handle: int, *times) -> bool:
        for number, place in enumerate(times):
            place._obj.value = (1234, self.ended, 5, 6)[number]
        self.calls.append(("times", handle, len(times)))
        return self.answers

    def CloseHandle(self, handle: int) -> None:
        self.calls.append(("close", handle))


@pytest.mark.parametrize(
    ("handle", "ended", "answers", "told"),
    [(5, 0, True, "1234"), (5, 9, True, ""), (5, 0, False, ""), (0, 0, True, "")],
)
def test_windows_tells_the_start_of_what_has_not_ended(monkeypatch, handle, ended, answers, told) -> None:
    kernel = Kernel(handle, ended, answers)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert process.start_time(42) == told
    wanted = [("open", 0x1000, False, 42)]  # the right to ask for little, which is given for most processes
    assert kernel.calls == wanted + ([("times", 5, 4), ("close", 5)] if handle else [])


def test_elsewhere_the_list_of_processes_is_asked(monkeypatch) -> None:
    asked = []

    def run(command, **ways):
        asked.append((command, ways))
        if command[-1] == "8":
            raise subprocess.TimeoutExpired(command, 5)
        return SimpleNamespace(stdout=" Mon Jan 1 10:00:00 2024 \n")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", run)
    assert process.start_time(7) == "Mon Jan 1 10:00:00 2024" and process.start_time(8) == ""
    command, ways = asked[0]
    assert command == ["ps", "-o", "lstart=", "-p", "7"]
    assert ways == {"capture_output": True, "text": True, "timeout": 5, "check": False}


# ---------------------------------------------------------------- memory
@pytest.fixture
def fresh_library():
    heap._library.cache_clear()
    yield
    heap._library.cache_clear()


def test_memory_is_given_back_where_the_library_can(monkeypatch, fresh_library) -> None:
    class Call:
        def __init__(self, answer) -> None:
            self.answer, self.given = answer, []

        def __call__(self, *given):
            self.given.append(given)
            return self.answer

    library = SimpleNamespace(mallinfo2=Call(SimpleNamespace(fordblks=77, uordblks=5)), malloc_trim=Call(1))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library if name is None else None)
    assert heap.kept() == 77 and heap.give_back() and library.malloc_trim.given == [(0,)]
    assert library.mallinfo2.restype is heap._Info and library.malloc_trim.argtypes == [ctypes.c_size_t]
    library.malloc_trim.answer = 0
    assert not heap.give_back()
    assert [name for name, _ in heap._Info._fields_][-2:] == ["fordblks", "keepcost"] and len(
        heap._Info._fields_
    ) == 10


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_elsewhere_no_memory_is_given_back(monkeypatch, fresh_library, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())  # a library that has no such functions
    assert heap.kept() == 0 and not heap.give_back()


# ---------------------------------------------------------------- gamepads
class Sdl:
    """SDL with joysticks, some of which are gamepads."""

    SDL_INIT_GAMECONTROLLER = 0x2000

    def __init__(self, pads=(False, True, True), start: int = 0) -> None:
        self.pads, self.start, self.opened, self.calls = list(pads), start, [], []
        self.attached, self.name = True, b"Pad \xe2\x9c\x93"
        self.axes = (-32768, 16384, 32767, -8192, 0, 3277)

    def __getattr__(self, name: str):
        def call(*given):
            self.calls.append((name, *given))
            return {
                "SDL_InitSubSystem": lambda: self.start, "SDL_NumJoysticks": lambda: len(self.pads),
                "SDL_IsGameController": lambda: self.pads[given[0]],
                "SDL_GameControllerOpen": lambda: f"pad {given[0]}",
                "SDL_GameControllerName": lambda: self.name, "SDL_GameControllerGetAttached": lambda: self.attached,
                "SDL_GameControllerGetAxis": lambda: self.axes[given[1]],
                "SDL_GameControllerGetButton": lambda: int(given[1] in (0, 11)), "SDL_GetError": lambda: b"no luck",
            }.get(name, lambda: None)()  # fmt: skip

        return call

    def count(self, name: str) -> int:
        return sum(call[0] == name for call in self.calls)


@pytest.fixture
def sdl(monkeypatch) -> Sdl:
    made = Sdl()
    monkeypatch.setattr(gamepad, "sdl", lambda: made)
    return made


def test_a_stick_at_rest_has_no_sign(sdl) -> None:
    sdl.axes = (0,) * 6
    assert {str(value) for value in gamepad.Gamepad().named().values()} == {"0.0", "1.0"}


def test_the_first_gamepad_is_opened_and_its_controls_have_names_and_numbers(sdl) -> None:
    pad = gamepad.Gamepad()
    assert ("SDL_InitSubSystem", 0x2000) in sdl.calls
    assert [c for c in sdl.calls if c[0] == "SDL_GameControllerOpen"] == [("SDL_GameControllerOpen", 1)]
    assert pad.name == "Pad ✓" and pad.connected
    named = pad.named()
    wanted = {"left_x": -1.0, "left_y": -16384 / 32767, "right_x": 1.0, "right_y": 8192 / 32767, "left_trigger": 0.0,
              "right_trigger": 3277 / 32767}  # fmt: skip
    assert {name: named[name] for name in wanted} == pytest.approx(wanted)
    assert {n for n, v in named.items() if v == 1.0} == {"right_x", "a", "up"} and len(named) == 21
    controls = pad.controls()
    assert list(controls)[:6] == [f"axis{k}" for k in range(6)] and len(controls) == 21
    assert (
        controls["axis1"] == named["left_y"] and controls["button11"] == 1.0 and controls["button14"] == 0.0
    )
    sdl.name = None
    assert pad.name == ""
    sdl.attached = False
    assert not pad.connected and pad.named() == {} and set(pad.controls().values()) == {0.0}
    sdl.attached = True
    pad.close()
    assert not pad.connected and ("SDL_GameControllerClose", "pad 1") in sdl.calls
    pad.close()
    assert sdl.count("SDL_GameControllerClose") == 1 and sdl.count("SDL_QuitSubSystem") == 2


def test_why_no_gamepad_is_read(sdl) -> None:
    sdl.pads = [False]
    with pytest.raises(UnsupportedError, match="No gamepad is connected"):
        gamepad.Gamepad()
    assert sdl.count("SDL_QuitSubSystem") == 1 and sdl.count("SDL_GameControllerClose") == 0
    sdl.start = -1
    for make in (gamepad.Gamepad, gamepad.PadWatch):
        with pytest.raises(UnsupportedError, match="Gamepads cannot be read: no luck"):
            make()


def test_a_gamepad_is_waited_for(sdl) -> None:
    sdl.pads = []
    watch = gamepad.PadWatch()
    assert watch.look() is None and sdl.count("SDL_GameControllerUpdate") == 1
    sdl.pads = [False]
    assert watch.look() is None
    sdl.pads = [True]
    found = watch.look()
    assert found is not None and found.connected
    watch.close()
    assert sdl.calls[-1] == ("SDL_QuitSubSystem", 0x2000)


def test_without_the_extra_it_is_said(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sdl2", None)
    monkeypatch.delenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", raising=False)
    with pytest.raises(UnsupportedError, match=r"posewright\[gamepad\]"):
        gamepad.sdl()
    assert os.environ["SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS"] == "1"
    monkeypatch.delenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS")


# ---------------------------------------------------------------- sound devices
class Sounds:
    """The library of sound devices; `wrong` is raised at an opening, or at a start."""

    class PortAudioError(Exception):
        pass

    def __init__(self) -> None:
        self.wrong, self.made = {}, []

    def OutputStream(self, **ways):
        if "open" in self.wrong:
            raise self.wrong["open"]
        stream = SimpleNamespace(ways=ways, latency=0.125, calls=[])

        def start() -> None:
            stream.calls.append("start")
            if "start" in self.wrong:
                raise self.wrong["start"]

        stream.start, stream.close = (
            start,
            lambda ignore_errors: stream.calls.append(("close", ignore_errors)),
        )
        self.made.append(stream)
        return stream


@pytest.fixture
def sounds(monkeypatch) -> Sounds:
    made = Sounds()
    monkeypatch.setitem(sys.modules, "sounddevice", made)
    return made


def test_the_systems_device_pulls_stereo_and_says_when_it_is_heard(sounds, monkeypatch) -> None:
    made = device.open_system_device()
    (stream,) = sounds.made
    ways = dict(stream.ways)
    pull = ways.pop("callback")
    assert ways == {"samplerate": RATE, "channels": 2, "dtype": "float32", "latency": "low"}
    block = np.ones((4, 2), np.float32)
    times = SimpleNamespace(outputBufferDacTime=10.5, currentTime=10.25)
    pull(block, 4, times, None)
    assert (block == 0.0).all()  # nothing is given yet
    asked = []
    monkeypatch.setattr(device.time, "monotonic", lambda: 100.0)

    def render(count: int, at: float):
        asked.append((count, at))
        return np.full((count, 2), 0.5, np.float32)

    made.start(render)
    for dac, now in ((10.5, 10.25), (10.25, 10.25), (10.0, 10.5), (12.25, 10.25), (12.0, 10.25)):
        pull(block, 4, SimpleNamespace(outputBufferDacTime=dac, currentTime=now), None)
    assert (
        asked == [(4, 100.25), (4, 100.125), (4, 100.125), (4, 100.125), (4, 101.75)] and (block == 0.5).all()
    )
    made.close()
    made.close()
    assert stream.calls == ["start", ("close", True)]


def test_why_there_is_no_sound(sounds, monkeypatch) -> None:
    sounds.wrong["start"] = Sounds.PortAudioError("busy")
    with pytest.raises(UnsupportedError, match="cannot be started: busy"):
        device.SystemDevice().start(lambda count, at: None)
    for error in (Sounds.PortAudioError(), ValueError(), OSError()):
        sounds.wrong["open"] = error
        with pytest.raises(UnsupportedError, match="no sound output"):
            device.SystemDevice()
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(UnsupportedError, match="needs the package sounddevice"):
        device.SystemDevice()


@pytest.mark.parametrize(("drift", "late"), [(0.0, 0.0), (0.25, 0.0), (0.0, 0.5)])
def test_a_counted_device_pulls_what_its_clock_is_due(drift: float, late: float) -> None:
    heard, asked = [], []
    made = device.CountedDevice(
        lambda at, block: heard.append((at, block)), drift, RATE // 4, 0.125, lambda: late
    )
    assert made.pump(5.0) == 0

    def render(count: int, at: float):
        asked.append((count, at))
        return count

    made.start(render)
    step = 0.25 / (1.0 + drift)
    assert made.pump(10.0) == 1 and asked == [(RATE // 4, 10.125)]
    assert made.pump(10.0 + step - 0.001) == 0
    assert made.pump(10.0 + 4.0 * step + late) == 4
    wanted = [10.0 + k * step + 0.125 for k in range(5)]
    assert [at for _, at in asked] == pytest.approx(wanted) and [at for at, _ in heard] == pytest.approx(
        wanted
    )
    assert {block for _, block in heard} == {RATE // 4}
    made.close()
    assert made.pump(99.0) == 0


# ---------------------------------------------------------------- the guide
def test_pages_of_a_guide_are_in_order_and_found_by_words(tmp_path) -> None:
    texts = {"02_keys.md": "# Set keys \nPose and press S.", "01_begin.md": "# Begin\nkeys and poses",
             "scripts/a.md": "# Keys by Python\npose()", "other/z.md": "# Zebra\nnothing"}  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "notes.txt").write_text("no page")
    pages = guide.guide_pages(tmp_path)
    assert [(p.section, p.title, p.path.name) for p in pages] == [
        ("", "Begin", "01_begin.md"), ("", "Set keys", "02_keys.md"), ("other", "Zebra", "z.md"),
        ("scripts", "Keys by Python", "a.md"),
    ]  # fmt: skip
    assert pages[1].text == texts["02_keys.md"]

    def found(words: str) -> list[str]:
        return [page.title for page in guide.found_pages(pages, words)]

    assert found("") == [page.title for page in pages] and found("KEYS") == [
        "Set keys",
        "Keys by Python",
        "Begin",
    ]
    assert found("pose keys") == ["Begin", "Set keys", "Keys by Python"] and found("keys zebra") == []
    (tmp_path / "03.md").write_text("Words\n", "utf-8")
    with pytest.raises(FormatError, match="expected a heading"):
        guide.guide_pages(tmp_path)
    (tmp_path / "03.md").write_bytes(b"# \xff\n")
    with pytest.raises(FormatError, match="cannot be read"):
        guide.guide_pages(tmp_path)
