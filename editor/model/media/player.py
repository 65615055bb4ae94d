"""Lets the sound of the clip be heard with the playhead: while time runs, and of each place in scrubbing."""

import math
import time
from collections.abc import Callable, Sequence

from core.errors import UnsupportedError
from core.media.mix import Ending, Mixer, Transport, Voice
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.media.device import Device, Opener, open_system_device
from editor.model.messages import Messages
from editor.model.playback import LoopMode, Playback, PlayMode
from editor.model.switches import Switches

OFF = 0.004
"""Seconds by which the playhead may be elsewhere than foreseen before the mixer is told."""
ENDINGS = {LoopMode.LOOP: Ending.LOOP, LoopMode.PING_PONG: Ending.PING_PONG, LoopMode.ONCE: Ending.ONCE}


class SoundPlayer:
    """Feeds a device from the mixer; without a device everything else goes on.

    Attributes
    ----------
    open_device : finds the device when sound is first needed; called on a worker
    clock : seconds of the clock that the transport runs by
    problem : why nothing is heard, or ""
    changed : `problem` is another
    """

    def __init__(self, playback: Playback, switches: Switches, jobs: Jobs, messages: Messages) -> None:
        self._playback, self._switches, self._jobs, self._messages = playback, switches, jobs, messages
        self.open_device: Opener = open_system_device
        self.clock: Callable[[], float] = time.monotonic
        self.mixer = Mixer()
        self.problem = ""
        self.changed: Event[None] = Event()
        self._transport = Transport()
        self._device: Device | None = None
        self._opening = self._closed = False
        for event in (playback.state_changed, playback.range_changed, playback.clip_changed):
            event.connect(lambda _: self._follow(True))
        playback.time_changed.connect(lambda _: self._follow(False))
        switches.changed.connect(self._on_switch)

    def set_voices(self, voices: Sequence[Voice]) -> None:
        """What is to be heard from now on."""
        self.mixer.set_voices(voices)
        if voices and self._playback.playing:
            self._need_device()

    def try_again(self) -> None:
        """Look for a device once more, for example after one was plugged in."""
        if self._device is None:
            self._set_problem("")
            self._need_device()

    def close(self) -> None:
        """Give the device back."""
        self._closed = True
        device, self._device = self._device, None
        self.mixer.set_voices(())
        if device is not None:
            device.close()

    # ------------------------------------------------------------ the transport
    def _on_switch(self, name: str) -> None:
        if name == "sound":
            self._follow(True)

    @property
    def _heard(self) -> bool:
        """Whether sound runs with the playhead; drawing every frame keeps no time that sound could follow."""
        playback = self._playback
        return playback.playing and playback.mode is PlayMode.REAL_TIME and self._switches["sound"]

    def _follow(self, afresh: bool) -> None:
        playback, before = self._playback, self._transport
        ticked = playback.ticked_at
        if self._heard and ticked is None:  # the playhead stands until the first tick
            self._take(Transport(playback.time, self.clock(), span=playback.span))
            return
        now = self.clock() if ticked is None else ticked
        if not self._heard:
            if before.playing or before.time != playback.time:
                self._take(Transport(playback.time, now, span=playback.span))
                if not playback.playing and not afresh:
                    self._scrub(playback.time)
            return
        if not afresh and before.playing:
            foreseen = before.at(now)
            if not math.isnan(foreseen) and abs(before.apart(foreseen, playback.time)) <= OFF:
                return
        speed = playback.speed * playback.direction
        ending = ENDINGS[playback.loop]
        self._take(Transport(playback.time, now, speed, playback.span, ending, True))
        if self.mixer.voices:
            self._need_device()

    def _take(self, transport: Transport) -> None:
        self._transport = transport
        self.mixer.set_transport(transport)

    def _scrub(self, at: float) -> None:
        if self.mixer.voices and self._switches["scrub_sound"] and self._switches["sound"]:
            self._need_device()
            if self._device is not None:  # else it would be heard when one is found
                self.mixer.scrub(at)

    # ------------------------------------------------------------ the device
    def _need_device(self) -> None:
        if self._device is not None or self._opening or self._closed or self.problem:
            return
        self._opening = True
        found: list[Device] = []
        why: list[str] = []
        opener, render = self.open_device, self.mixer.render

        def work() -> None:
            try:
                device = opener()
                device.start(render)
                found.append(device)
            except UnsupportedError as error:
                why.append(str(error))

        def then() -> None:
            self._opening = False
            if self._closed:
                for device in found:
                    device.close()
                return
            if found:
                self._device = found[0]
            self._set_problem(why[0] if why else "")

        self._jobs.runner(work, then)

    def _set_problem(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            if problem:
                self._messages.info(tr("Sound is not heard: {why}", why=problem))
            self.changed.emit(None)
