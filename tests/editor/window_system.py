"""Until what the window system sent is here: Qt reads it in a thread, which gets no processor on a busy machine."""

import ctypes
import itertools
import struct
import time
from functools import cache

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QEventLoop, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QApplication

CLIENT_MESSAGE, BITS, ANY_ATOM = 33, 32, 39
"""The kind of X event, the bits of its data, and an atom that every server has."""
MESSAGE = struct.Struct("<BBHII5I")
MARK = 0x706F7365
"""Tells our messages from those of others."""
LATE = 5.0
"""Seconds in which Qt has said for sure that none of its windows has the keyboard: it waits a part of a second."""


class _Cookie(ctypes.Structure):
    """Of a question to the server (xcb.h)."""

    _fields_ = (("sequence", ctypes.c_uint),)


class _Focus(ctypes.Structure):
    """Answers which window has the keyboard (xproto.h)."""

    _fields_ = (
        ("type", ctypes.c_uint8),
        ("revert_to", ctypes.c_uint8),
        ("sequence", ctypes.c_uint16),
        ("length", ctypes.c_uint32),
        ("window", ctypes.c_uint32),
    )


class _Seen(QAbstractNativeEventFilter):
    """Looks for one message; Qt sees nothing of it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.came = False

    def nativeEventFilter(
        self, kind: QByteArray | bytes | bytearray | memoryview, message: int
    ) -> tuple[bool, int]:
        if bytes(kind) != b"xcb_generic_event_t":
            return False, 0
        event = MESSAGE.unpack(ctypes.string_at(int(message), MESSAGE.size))
        if event[0] & 0x7F != CLIENT_MESSAGE or event[5] != MARK:
            return False, 0
        self.came = self.came or event[6] == self._number
        return True, 0


class _Messages:
    """Sends messages to a window of our own, which is never shown, by the connection that Qt has."""

    def __init__(self, xcb: ctypes.CDLL, connection: int) -> None:
        self._xcb = xcb
        self._connection = ctypes.c_void_p(connection)
        self._window = QWindow()
        self._window.create()
        self._numbers = itertools.count()
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = (ctypes.c_void_p,)
        xcb.xcb_get_input_focus.argtypes = (ctypes.c_void_p,)
        xcb.xcb_get_input_focus.restype = _Cookie
        xcb.xcb_get_input_focus_reply.argtypes = (ctypes.c_void_p, _Cookie, ctypes.c_void_p)
        xcb.xcb_get_input_focus_reply.restype = ctypes.POINTER(_Focus)

    def send(self) -> int:
        """Send one; returns its number."""
        number, window = next(self._numbers) & 0xFFFFFFFF, int(self._window.winId())
        data = MESSAGE.pack(CLIENT_MESSAGE, BITS, 0, window, ANY_ATOM, MARK, number, 0, 0, 0)
        self._xcb.xcb_send_event(self._connection, 0, ctypes.c_uint32(window), 0, data)
        self._xcb.xcb_flush(self._connection)
        return number

    def has_keyboard(self, window: QWindow) -> bool:
        """Whether the server gives the keys to a window; asks it and waits for the answer."""
        asked = self._xcb.xcb_get_input_focus(self._connection)
        answer = self._xcb.xcb_get_input_focus_reply(self._connection, asked, None)
        if not answer:  # the connection is broken
            return False
        try:
            return bool(answer.contents.window == int(window.winId()))
        finally:
            self._free(answer)

    def unmap(self, window: QWindow) -> None:
        """Take a window off the screen without Qt: nobody has the keyboard then, if the window had it."""
        self._xcb.xcb_unmap_window(self._connection, ctypes.c_uint32(int(window.winId())))
        self._xcb.xcb_flush(self._connection)


@cache
def _messages() -> _Messages | None:
    application = QGuiApplication.instance()
    native = application.nativeInterface() if isinstance(application, QGuiApplication) else None
    connection = getattr(native, "connection", None)
    if connection is None:
        return None
    try:
        return _Messages(ctypes.CDLL("libxcb.so.1"), connection())
    except OSError:  # the window system is X, but not on this machine
        return None


def take_in_all() -> None:
    """Run the queue until all is done that the window system sent as the answer to what was asked of it so far.

    A message to ourselves comes after everything that the server sent before. Other systems than X are asked and
    answer at once.

    Qt keeps back that its window has lost the keyboard, since most often another one gets it a moment later. Where
    none does (a dialog that was closed while it came up), this waits until Qt has told: else a field is left in the
    middle of what is done next.
    """
    messages = _messages()
    if messages is None:
        QGuiApplication.sync()
        QApplication.processEvents()
        return
    _take_in_what_was_sent(messages)
    end = time.monotonic() + LATE
    while _thinks_otherwise(messages) and time.monotonic() < end:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)
        _take_in_what_was_sent(messages)


def _thinks_otherwise(messages: _Messages) -> bool:
    """Whether Qt says that a window has the keyboard that has it not; menus get the keys by their own way."""
    window = QGuiApplication.focusWindow()
    return window is not None and window.type() != Qt.WindowType.Popup and not messages.has_keyboard(window)


def _take_in_what_was_sent(messages: _Messages) -> None:
    seen, application = _Seen(messages.send()), QApplication.instance()
    assert application is not None
    application.installNativeEventFilter(seen)
    try:
        QApplication.processEvents()
        while not seen.came:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    finally:
        application.removeNativeEventFilter(seen)
