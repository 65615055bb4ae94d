"""The set-up of a driven character: which clip, blend space and bone does what, what is off, kept by name."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QInputDialog,
    QPushButton,
    QStackedLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from editor.model.i18n import tr
from editor.model.play.choices import BY_NAME
from editor.model.play.setups import Kind, Part, PlaySetups
from editor.model.play.state import Play
from editor.panels.play_setup.matching_fields import MatchingFields
from editor.panels.play_setup.matching_view import MatchingView
from editor.panels.play_setup.table import SetupTable
from editor.panels.play_setup.view_model import SetupRows
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, SearchField, icon_button, label

PARTS, MATCHING = 0, 1
"""Pages."""


class PlaySetupPanel(Panel):
    """Set-up by name above; below its parts, or the numbers of motion matching."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("playSetupPanel")
        self._context = context
        self._choices = context.session.feature(Play).choices
        self._setups = context.session.feature(PlaySetups)
        self.rows = SetupRows(self._setups)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._body())
        self._stack.addWidget(
            EmptyState(context.theme, "gamepad", tr("Open a character: its clips and bones are listed here."))
        )
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, self._setups.changed, self._choices.changed, context.session.playback.clip_changed
        )
        self.refresh()

    # ------------------------------------------------------------ building
    def _body(self) -> QWidget:
        theme, body = self._context.theme, QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(8, 8, 8, 4)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.choice = ChoiceBox()
        self.choice.setObjectName("setupChoiceBox")
        self.choice.setToolTip(tr("The set-up that the character is driven by"))
        self.choice.activated.connect(lambda _: self._choices.choose_setup(str(self.choice.currentData())))
        self.more = icon_button(
            theme, "menu", tr("Save, rename or delete the set-up"), name="setupMenu", menu=True
        )
        menu = Menu(self.more)
        for title, work in (
            (tr("Save as…"), self.save_as), (tr("Rename…"), self.rename), (tr("Delete"), self._setups.delete)
        ):  # fmt: skip
            menu.addAction(title).triggered.connect(lambda _=False, work=work: work())
        self.more.setMenu(menu)
        row.addWidget(self.choice, 1)
        row.addWidget(self.more)
        column.addLayout(row)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(tr("Graph"), "dim"))
        self.graph = ElidedLabel("")
        self.graph.setObjectName("setupGraph")
        self.add_graph = QPushButton(tr("Add to document"))
        self.add_graph.setObjectName("setupAddGraph")
        self.add_graph.setToolTip(
            tr(
                "Put the graph that is drawn from the clips into the document: to see it live, and to change it"
            )
        )
        self.add_graph.clicked.connect(lambda: self._setups.add_graph())
        row.addWidget(self.graph, 1)
        row.addWidget(self.add_graph)
        column.addLayout(row)
        column.addLayout(self._pages_row())
        self.pages = QStackedWidget()
        self.pages.addWidget(self._parts())
        self.matching = MatchingView(
            theme, MatchingFields(self._setups, self._choices), self._try, self.show_clips_searched
        )
        self.pages.addWidget(self.matching)
        column.addWidget(self.pages, 1)
        return body

    def _pages_row(self) -> QHBoxLayout:
        row, group = QHBoxLayout(), QButtonGroup(self)
        row.setSpacing(4)
        pages = (
            ("setupPageParts", tr("Parts"), tr("Which clip, blend space and bone does what")),
            ("setupPageMatching", tr("Motion matching"), tr("Weights and settings of motion matching")),
        )
        self.page_buttons: list[QToolButton] = []
        for number, (name, title, tip) in enumerate(pages):
            button = QToolButton()
            button.setObjectName(name)
            button.setText(title)
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, number=number: self.show_page(number))
            group.addButton(button)
            row.addWidget(button)
            self.page_buttons.append(button)
        row.addStretch(1)
        return row

    def _parts(self) -> QWidget:
        theme, page = self._context.theme, QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.search = SearchField(theme, tr("Filter"))
        self.search.setObjectName("setupSearch")
        self.search.textChanged.connect(self._filter)
        self.only = icon_button(
            theme, "filter", tr("Show only what is missing or off"), checkable=True, name="setupOnlyMissing"
        )
        self.only.toggled.connect(self._only_missing)
        row.addWidget(self.search, 1)
        row.addWidget(self.only)
        column.addLayout(row)
        self.table = SetupTable(theme, self.rows, self._choose)
        column.addWidget(self.table, 1)
        return page

    # ------------------------------------------------------------ pages
    def show_page(self, number: int) -> None:
        """Show the parts (0) or the numbers of motion matching (1)."""
        self.pages.setCurrentIndex(number)
        self.page_buttons[number].setChecked(True)
        self.refresh()

    def show_clips_searched(self) -> None:
        """Show which clips motion matching searches."""
        self.search.clear()
        self.show_page(PARTS)
        self.table.open_group(Kind.RANGE)

    # ------------------------------------------------------------ doing
    def _choose(self, part: Part, choice: str) -> None:
        self._try(lambda: self.rows.choose(part, choice))

    def _filter(self, words: str) -> None:
        self.rows.words = words
        self.table.show_groups()

    def _only_missing(self, on: bool) -> None:
        self.rows.only_missing = on
        self.table.show_groups()

    def save_as(self) -> None:
        """Ask for a name, and keep the set-up under it."""
        self._ask(tr("Save the set-up as"), self._setups.free_name(tr("Set-up")), self._setups.save_as)

    def rename(self) -> None:
        """Ask for another name of the set-up."""
        setup = self._choices.setup
        if setup is not None:
            self._ask(tr("Rename the set-up"), setup.name, self._setups.rename)

    def _ask(self, title: str, name: str, done: Callable[[str], object]) -> None:
        dialog = QInputDialog(self)
        dialog.setObjectName("setupName")
        dialog.setWindowTitle(title)
        dialog.setLabelText(tr("Name"))
        dialog.setTextValue(name)
        dialog.textValueSelected.connect(lambda text: self._try(lambda: done(text)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except AnimError as error:
            self._context.session.messages.error(str(error))

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        """What needs a dialog."""
        return {
            "play.setup_save": self.save_as,
            "play.setup_rename": self.rename,
            "play.matching_numbers": lambda: self.show_page(MATCHING),
        }

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """Show the set-up as it is."""
        choices, there = self._choices, self._choices.rig is not None
        self._stack.setCurrentIndex(0 if there else 1)
        if not there or not self.isVisible():
            return
        setup = choices.setup
        entries = [(tr("Everything by name"), BY_NAME), *((found.name, found.id) for found in choices.setups)]
        self.choice.show_choices(entries, BY_NAME if setup is None else setup.id, otherwise=0)
        for action in self.more.menu().actions()[1:]:
            action.setEnabled(setup is not None)
        self.graph.set_text(self._setups.graph_title())
        self.add_graph.setVisible(self._setups.drawn)
        if self.pages.currentIndex() == MATCHING:
            self.matching.refresh()
        else:
            self.table.show_groups()

    def showEvent(self, event) -> None:
        """Nothing is kept up to date while out of sight."""
        super().showEvent(event)
        self.refresh()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return PlaySetupPanel(context)
