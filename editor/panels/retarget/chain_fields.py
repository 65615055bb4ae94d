"""How the chosen chain's rest was turned to agree with the target's: shown, and changed."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel

Degrees = tuple[float, float, float]
NONE: Degrees = (0.0, 0.0, 0.0)


class ChainFields(QWidget):
    """Share of the turn found, and degrees on top; of the chain chosen."""

    def __init__(self, theme: Theme, state: Retargeting) -> None:
        super().__init__()
        self.setObjectName("chainFields")
        self._state = state
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.title = ElidedLabel(role="dim")
        self.share = NumberField(theme, "%", step=0.5, decimals=0, bounds=(0.0, 100.0))
        self.share.setObjectName("chainShare")
        self.share.setToolTip(
            tr("How much of the rest pose alignment is applied; 0 keeps the source's own rotation")
        )
        self.share.previewed.connect(lambda value: self._turn(value, False))
        self.share.committed.connect(lambda value: self._turn(value, True))
        row.addWidget(self.title, 3)
        row.addWidget(self.share, 2)
        self.extra: list[NumberField] = []
        for axis in range(3):
            field = NumberField(theme, "°", axis, step=0.25, decimals=0, bounds=(-180.0, 180.0))
            field.setObjectName(f"chainAdjust.{axis}")
            field.setToolTip(tr("Additional rotation of the chain in degrees, about the character's axes"))
            field.previewed.connect(lambda value, axis=axis: self._adjust(axis, value, False))
            field.committed.connect(lambda value, axis=axis: self._adjust(axis, value, True))
            row.addWidget(field, 2)
            self.extra.append(field)
        for field in (self.share, *self.extra):
            field.setMinimumWidth(44)
            field.cancelled.connect(state.subject.restore)

    def _turn(self, percent: float, done: bool) -> None:
        if self._state.pick.chain is not None:
            self._state.edits.set_turn(self._state.pick.chain, percent / 100.0, done)

    def _adjust(self, axis: int, degrees: float, done: bool) -> None:
        chain = self._state.pick.chain
        if chain is not None:
            values = list(self._state.subject.choices.adjust.get(chain, NONE))
            values[axis] = degrees
            self._state.edits.set_adjust(chain, (values[0], values[1], values[2]), done)

    def refresh(self, degrees: float | None) -> None:
        """Show the chosen chain's."""
        chain = self._state.pick.chain
        for field in (self.share, *self.extra):
            field.setEnabled(chain is not None)
        if chain is None:
            self.title.set_text(tr("No chain"))
            return
        turned = "" if degrees is None else f"  {degrees:.0f}°"
        self.title.set_text(
            chain + turned,
            tr("Rotation that aligns the rest pose of “{chain}” with this character's", chain=chain),
        )
        choices = self._state.subject.choices
        self.share.set_value(100.0 * choices.turns.get(chain, 1.0))
        for field, value in zip(self.extra, choices.adjust.get(chain, NONE), strict=True):
            field.set_value(value)
