"""A column of named fields for one thing of a montage."""

from abc import abstractmethod
from collections.abc import Callable, Sequence

from PySide6.QtWidgets import (
    QGridLayout,
    QVBoxLayout,
    QWidget,
)

from core.graph.montage import Montage
from core.graph.montage_problems import MontageProblem
from editor.model.montage.montages import Item
from editor.panels.montage.view_model import MontageModel
from editor.qt import tokens
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, label, set_role

NAME_WIDTH = 78


class Page(QWidget):
    """A column of named fields."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__()
        self.theme, self.model = theme, model
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        self.title = ElidedLabel(role="title")
        column.addWidget(self.title)
        self.notice = label("", "error", wrap=True)
        self.notice.setObjectName("montageProblem")
        column.addWidget(self.notice)
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(8)
        self.grid.setVerticalSpacing(4)
        self.grid.setColumnStretch(1, 1)
        column.addLayout(self.grid)
        self.column = column

    @abstractmethod
    def refresh(self, montage: Montage, item: Item) -> None:
        """Show an item; those of the montage itself show all of it."""

    def row(self, title: str, widget: QWidget, tip: str = "") -> None:
        """A field with its name."""
        name = ElidedLabel(role="dim")
        name.setFixedWidth(NAME_WIDTH)
        name.set_text(title, tip)
        place = self.grid.rowCount()
        self.grid.addWidget(name, place, 0)
        self.grid.addWidget(widget, place, 1)
        widget.setToolTip(tip)

    def number(self, name: str, unit: str, step: float, decimals: int, low: float = 0.0) -> NumberField:
        """A number field."""
        field = NumberField(self.theme, unit, step=step, decimals=decimals, bounds=(low, 1e6))
        field.setObjectName(name)
        field.setFixedHeight(tokens.CONTROL)
        return field

    def choice(self, name: str, told: Callable[[int], None]) -> ChoiceBox:
        """A list to choose from."""
        box = ChoiceBox()
        box.setObjectName(name)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(told)
        return box

    def tell(self, problems: Sequence[MontageProblem]) -> None:
        """Say what is wrong, or nothing."""
        text = "\n".join(problem.message for problem in problems)
        self.notice.setText(text)
        set_role(self.notice, "warning" if all(problem.warning for problem in problems) else "error")
        self.notice.setVisible(bool(text))

    def problems(self, item: Item | None) -> list[MontageProblem]:
        """What is wrong with an item, or with everything."""
        every = self.model.montages.problems
        if item is None:
            return list(every)
        return [p for p in every if (p.part, p.track, p.number) == (item.part, item.track, item.number)]
