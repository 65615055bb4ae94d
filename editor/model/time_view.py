"""The stretch of time that all panels over time show: who moves it moves it for the others."""

from collections.abc import Callable
from dataclasses import replace

from editor.model.events import Event
from editor.model.time_axis import TimeAxis


class TimeView:
    """Keeps the axes of its members on one stretch of time; each keeps its own width.

    A member that only got another width is given the common stretch again, so that a panel that comes
    into sight shows what the others do.
    """

    def __init__(self) -> None:
        self._stretch: tuple[float, float] | None = None
        self._edges: tuple[int, int] | None = None
        self._ruler: int | None = None
        self.edges_changed: Event[None] = Event()
        self.ruler_changed: Event[None] = Event()
        self._members: list[_Member] = []
        self._busy = False

    @property
    def stretch(self) -> tuple[float, float] | None:
        """First and last second shown, None until a member has shown any."""
        return self._stretch

    @property
    def edges(self) -> tuple[int, int] | None:
        """Pixels of the screen between which the curve editor in sight shows time, or None.

        A dope sheet above or below it lays its own time between the same edges, so that a frame is at one pixel
        in both.
        """
        return self._edges

    def set_edges(self, edges: tuple[int, int] | None) -> None:
        """Tell where on the screen the curve editor shows time."""
        if edges != self._edges:
            self._edges = edges
            self.edges_changed.emit(None)

    @property
    def ruler(self) -> int | None:
        """Pixel row of the screen where a dope sheet ends whose ruler is lined up with the curve editor, or None.

        A curve editor right below it needs no ruler of its own.
        """
        return self._ruler

    def set_ruler(self, bottom: int | None) -> None:
        """Tell where on the screen the lined-up dope sheet ends."""
        if bottom != self._ruler:
            self._ruler = bottom
            self.ruler_changed.emit(None)

    def join(
        self, get: Callable[[], TimeAxis], put: Callable[[TimeAxis], None], changed: Event[None]
    ) -> Callable[[], None]:
        """Share a panel's axis.

        Parameters
        ----------
        get, put : give and take the panel's axis
        changed : tells, among other things, that its axis is another

        Returns
        -------
        callable
            Leaves again.
        """
        member = _Member(get, put)
        self._members.append(member)
        drop = changed.connect(lambda _: self._noticed(member))

        def leave() -> None:
            drop()
            if member in self._members:
                self._members.remove(member)

        return leave

    def _noticed(self, member: "_Member") -> None:
        axis, seen = member.get(), member.seen
        if self._busy or axis == seen:
            return
        member.seen = axis
        self._busy = True
        try:
            resized = seen is None or axis.width != seen.width
            if resized and self._stretch is not None and len(self._members) > 1:
                member.show(self._stretch)
                return
            self._stretch = axis.start, axis.end
            for other in self._members:
                if other is not member:
                    other.show(self._stretch)
        finally:
            self._busy = False


class _Member:
    def __init__(self, get: Callable[[], TimeAxis], put: Callable[[TimeAxis], None]) -> None:
        self.get, self._put = get, put
        self.seen: TimeAxis | None = None

    def show(self, stretch: tuple[float, float]) -> None:
        axis = self.get()
        if (axis.start, axis.end) != stretch and stretch[0] < stretch[1]:
            self._put(replace(axis, start=stretch[0], scale=axis.width / (stretch[1] - stretch[0])))
        self.seen = self.get()
