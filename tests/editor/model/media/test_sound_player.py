"""Sound that follows the playhead, with a device and a clock of the test: what the mixer is told, and when."""

import time
from types import SimpleNamespace

import pytest

from core.errors import UnsupportedError
from core.media.mix import Ending
from core.media.sound import RATE
from editor.model.media import player as sound
from editor.model.media.device import CountedDevice, open_system_device
from editor.model.media.player import OFF, SoundPlayer
from editor.model.playback import LoopMode, PlayMode
from tests.editor.actions import rich

VOICE = object()


class Mixer:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.voices, self.told, self.scrubbed = (), [], []

    def set_transport(self, transport) -> None:
        self.told.append(transport)

    def set_voices(self, voices) -> None:
        self.voices = tuple(voices)

    def scrub(self, at: float) -> None:
        self.scrubbed.append(at)

    def render(self, count: int, at: float):
        raise AssertionError("nothing is pulled here")


class Waiting:
    """Runs work when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()


class Device:
    def __init__(self, wrong: str = "") -> None:
        self.wrong, self.calls = wrong, []

    def start(self, render) -> None:
        self.calls.append(render)
        if self.wrong:
            raise UnsupportedError(self.wrong)

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def session():
    """A clip of two seconds at 0.5 s, played from its start to its end."""
    made = rich.session()
    made.playback.set_range(None)
    made.playback.seek(0.5)
    yield made
    made.playback.pause()
    made.close()


@pytest.fixture
def player(session) -> SoundPlayer:
    made = SoundPlayer(session.playback, session.switches, session.jobs, session.messages)
    made.mixer, made.now = Mixer(), 100.0
    made.clock = lambda: made.now
    made.devices, made.told = [], []
    made.changed.connect(lambda _: made.told.append(made.problem))

    def opened() -> Device:
        made.devices.append(Device())
        return made.devices[-1]

    made.open_device = opened
    yield made
    made.close()


def last(player: SoundPlayer):
    return player.mixer.told[-1]


# ---------------------------------------------------------------- the transport
def test_at_first_it_opens_the_systems_device(session) -> None:
    made = SoundPlayer(session.playback, session.switches, session.jobs, session.messages)
    assert made.open_device is open_system_device and made.problem == ""
    assert made.clock is time.monotonic


def test_until_the_first_tick_the_sound_stands_with_the_playhead(player, session) -> None:
    session.playback.play()
    told = last(player)
    assert (told.time, told.stamp, told.playing, told.span) == (0.5, 100.0, False, (0.0, 2.0))


def test_from_the_first_tick_on_it_runs_from_where_the_playhead_was(player, session) -> None:
    playback = session.playback
    playback.speed = 0.5
    playback.play()
    playback.tick(7.0)
    playback.tick(7.1)
    told = last(player)
    assert told.playing and told.stamp == 7.1 and told.time == pytest.approx(0.55)
    assert told.speed == 0.5 and told.ending is Ending.LOOP and told.span == (0.0, 2.0)


def test_a_playhead_that_is_where_it_was_foreseen_is_not_told_again(player, session) -> None:
    playback = session.playback
    playback.play()
    playback.tick(7.0)
    playback.tick(7.1)
    count = len(player.mixer.told)
    for now in (7.2, 7.25, 8.0):
        playback.tick(now)
    assert len(player.mixer.told) == count


@pytest.mark.parametrize(("off", "told"), [(0.9 * OFF, 0), (1.1 * OFF, 1), (-0.9 * OFF, 0), (-1.1 * OFF, 1)])
def test_a_playhead_that_is_elsewhere_is_told(player, session, off, told) -> None:
    playback = session.playback
    playback.play()
    playback.tick(7.0)
    playback.tick(7.1)
    count = len(player.mixer.told)
    playback._set_time(playback.time + 0.1 + off)
    playback._last = 7.1
    assert len(player.mixer.told) == count + 1, "it is a tenth ahead of the clock"
    playback._last = 7.2
    count = len(player.mixer.told)
    playback._set_time(playback.time + 0.1 + off)
    assert len(player.mixer.told) == count + told and OFF < 0.01


def test_a_playhead_that_is_just_as_far_off_as_may_be_is_not_told(player, session, monkeypatch) -> None:
    monkeypatch.setattr(sound, "OFF", 1.0 / 256.0)
    playback = session.playback
    playback.play()
    playback.tick(7.0)
    playback.tick(7.25)
    count = len(player.mixer.told)
    playback._last = 7.5
    playback._set_time(1.0 + 1.0 / 256.0)
    assert len(player.mixer.told) == count


@pytest.mark.parametrize(
    ("loop", "ending"),
    [(LoopMode.LOOP, Ending.LOOP), (LoopMode.PING_PONG, Ending.PING_PONG), (LoopMode.ONCE, Ending.ONCE)],
)
def test_it_ends_as_the_playback_ends(player, session, loop, ending) -> None:
    session.playback.loop = loop
    session.playback.play()
    session.playback.tick(7.0)
    session.playback.tick(7.1)
    assert last(player).playing and last(player).ending is ending


def test_on_the_way_back_it_runs_backwards(player, session) -> None:
    playback = session.playback
    playback.loop = LoopMode.PING_PONG
    playback.seek(1.95)
    playback.play()
    playback.tick(7.0)
    playback.tick(7.1)
    assert playback.direction == -1 and last(player).time == pytest.approx(1.95)
    playback.speed = 2.0
    assert last(player).speed == -2.0


@pytest.mark.parametrize("change", ["range", "speed", "clip"])
def test_another_range_speed_or_clip_is_told_at_once(player, session, change) -> None:
    playback = session.playback
    playback.play()
    playback.tick(7.0)
    playback.tick(7.1)
    count = len(player.mixer.told)
    if change == "range":
        playback.set_range(0.2, 1.5)
        assert last(player).span == (0.2, 1.5)
    elif change == "speed":
        playback.speed = 2.0
        assert last(player).speed == 2.0
    else:
        playback.set_clip("clip-2")
    assert len(player.mixer.told) == count + 1 and last(player).playing


def test_a_pause_stands_where_the_playhead_is(player, session) -> None:
    playback = session.playback
    playback.play()
    playback.tick(7.0)
    playback.tick(7.25)
    playback.pause()
    told = last(player)
    assert not told.playing and told.time == pytest.approx(0.75) and told.stamp == 100.0
    assert player.mixer.scrubbed == []


@pytest.mark.parametrize("what", ["every frame", "switch"])
def test_what_is_not_heard_does_not_run(player, session, what) -> None:
    if what == "every frame":
        session.playback.mode = PlayMode.EVERY_FRAME
    else:
        session.switches.set("sound", False)
    player.set_voices([VOICE])
    devices = len(player.devices)
    session.playback.play()
    session.playback.tick(7.0)
    session.playback.tick(7.1)
    assert not last(player).playing and last(player).time == session.playback.time
    assert devices == len(player.devices) == 0 and player.mixer.scrubbed == []


def test_the_switch_of_the_sound_is_heard_at_once_and_others_are_not(player, session) -> None:
    playback = session.playback
    playback.play()
    playback.tick(7.0)
    playback.tick(7.1)
    count = len(player.mixer.told)
    session.switches.toggle("grid")
    assert len(player.mixer.told) == count
    session.switches.set("sound", False)
    assert not last(player).playing and len(player.mixer.told) == count + 1
    session.switches.set("sound", True)
    assert last(player).playing and len(player.mixer.told) == count + 2


# ---------------------------------------------------------------- scrubbing
def test_each_place_of_a_scrub_is_heard(player, session) -> None:
    player.set_voices([VOICE])
    assert player.devices == [], "nothing is heard yet"
    session.playback.seek(0.75)
    session.playback.seek(1.0)
    assert player.mixer.scrubbed == [0.75, 1.0] and len(player.devices) == 1
    assert [(t.time, t.playing) for t in player.mixer.told] == [(0.75, False), (1.0, False)]
    session.playback.speed = 2.0
    assert player.mixer.scrubbed == [0.75, 1.0]


@pytest.mark.parametrize("without", ["voices", "scrub_sound", "sound"])
def test_a_scrub_is_silent(player, session, without) -> None:
    if without != "voices":
        player.set_voices([VOICE])
        session.switches.set(without, False)
    session.playback.seek(0.75)
    assert player.mixer.scrubbed == [] and player.devices == [] and last(player).time == 0.75


def test_a_place_that_is_over_when_the_device_is_found_is_not_heard(player, session) -> None:
    session.jobs.runner = later = Waiting()
    player.set_voices([VOICE])
    session.playback.seek(0.75)
    session.playback.seek(0.8)
    assert len(later.waiting) == 1
    later.deliver()
    assert player.mixer.scrubbed == []
    session.playback.seek(1.0)
    assert player.mixer.scrubbed == [1.0]


# ---------------------------------------------------------------- the device
def test_a_device_is_looked_for_when_something_is_heard(player, session) -> None:
    playback = session.playback
    player.set_voices([VOICE])
    playback.play()
    assert player.devices == []
    playback.tick(7.0)
    playback.tick(7.1)
    (device,) = player.devices
    assert device.calls == [player.mixer.render]
    playback.speed = 2.0
    assert len(player.devices) == 1 and player.told == []


def test_a_voice_that_comes_while_it_plays_is_heard(player, session) -> None:
    session.playback.play()
    session.playback.tick(7.0)
    session.playback.tick(7.1)
    player.set_voices([])
    assert player.devices == []
    player.set_voices([VOICE])
    assert player.mixer.voices == (VOICE,) and len(player.devices) == 1


@pytest.mark.parametrize("at", ["open", "start"])
def test_why_nothing_is_heard_is_said_once_until_it_is_tried_again(player, session, at) -> None:
    tries = []

    def none():
        tries.append(1)
        if at == "open":
            raise UnsupportedError("no output")
        return Device("no output")

    player.open_device, opened = none, player.open_device
    session.playback.play()
    player.set_voices([VOICE])
    player.set_voices([VOICE])
    assert player.problem == "no output" and player.told == ["no output"] and tries == [1]
    assert [m.text for m in session.messages.log][-1] == "Sound is not heard: no output"
    count = len(session.messages.log)
    player.open_device = opened
    player.try_again()
    assert player.problem == "" and player.told == ["no output", ""] and len(player.devices) == 1
    assert len(session.messages.log) == count
    player.try_again()
    assert len(player.devices) == 1 and len(player.told) == 2


def test_a_device_is_looked_for_once_at_a_time(player, session) -> None:
    session.jobs.runner = later = Waiting()
    player.try_again()
    player.try_again()
    assert len(later.waiting) == 1
    later.deliver()
    assert len(player.devices) == 1 and player.told == []


def test_a_try_that_fails_may_be_repeated(player, session) -> None:
    def none():
        raise UnsupportedError("no output")

    player.open_device = none
    player.try_again()
    player.try_again()
    assert player.told == ["no output", "", "no output"]


def test_to_close_gives_the_device_back(player, session) -> None:
    player.try_again()
    player.set_voices([VOICE])
    (device,) = player.devices
    player.close()
    assert device.calls[-1] == "close" and player.mixer.voices == ()
    player.close()
    assert device.calls.count("close") == 1
    player.try_again()
    assert len(player.devices) == 1


def test_a_device_that_is_found_after_the_end_is_given_back(player, session) -> None:
    session.jobs.runner = later = Waiting()
    player.try_again()
    player.close()
    later.deliver()
    (device,) = player.devices
    assert device.calls == [player.mixer.render, "close"] and player.told == []


def test_a_block_is_asked_of_the_mixer_that_plays(player) -> None:
    player.mixer.render = heard = SimpleNamespace()
    player.try_again()
    assert player.devices[0].calls == [heard]


def test_a_counted_device_pulls_small_blocks_that_are_heard_a_little_later() -> None:
    heard = []
    device = CountedDevice(lambda at, block: heard.append((at, block)))
    device.start(lambda count, at: count)
    assert device.pump(5.0) == 1 and device.pump(5.0 + 2.5 * 512 / RATE) == 2
    assert [block for _, block in heard] == [512] * 3
    assert [at for at, _ in heard] == pytest.approx([5.0 + k * 512 / RATE + 0.02 for k in range(3)])
