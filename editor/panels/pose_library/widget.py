"""The pose library panel: search, tags, grid, mask, new clip, pose assets."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QInputDialog,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.ids import AssetId
from core.pose.library import LibraryPose
from editor.gl.colors import DARK, LIGHT
from editor.model.i18n import tr
from editor.model.posing.state import PosingState
from editor.panels.pose_library.grid import PoseGrid
from editor.panels.pose_library.thumbnails import Thumbnails
from editor.panels.pose_library.view_model import PoseLibrary
from editor.panels.pose_library.weights import Weights, clear
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, SearchField, icon_button

MOST_TAGS = 12


class PoseLibraryPanel(Panel):
    """Shows the poses of the character shown."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("poseLibraryPanel")
        self._context, self._session = context, context.session
        self.model = PoseLibrary(context.session)
        self.thumbnails = Thumbnails(self)
        theme = context.theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(self._top())
        self._tag_row = QHBoxLayout()
        self._tag_row.setContentsMargins(12, 0, 12, 0)
        self._tag_row.setSpacing(4)
        column.addLayout(self._tag_row)
        self.grid = PoseGrid(self.model, theme, self._image)
        self.grid.menu_wanted.connect(self._menu)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        stack = QVBoxLayout(inside)
        stack.setContentsMargins(4, 0, 4, 0)
        stack.setSpacing(4)
        stack.addWidget(self.grid)
        self.weights = Weights(self.model, theme)
        stack.addWidget(self.weights)
        stack.addStretch(1)
        self._scroll.setWidget(inside)
        column.addWidget(self._scroll, 1)
        self._empty = EmptyState(
            theme, "pose", tr("Save a pose with +\nClick to apply, drag sideways to blend"),
            tr("Save this pose"), self._save,
        )  # fmt: skip
        column.addWidget(self._empty, 1)
        column.addWidget(self._bottom())
        self._listed_tags: tuple[str, ...] | None = None
        self._chips: dict[str, QToolButton] = {}
        self._bind()
        self._show()

    def sizeHint(self) -> QSize:
        return QSize(260, 320)

    # ------------------------------------------------------------ building
    def _top(self) -> QHBoxLayout:
        theme, row = self._context.theme, QHBoxLayout()
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(4)
        self.search = SearchField(theme, tr("Name or #tag"))
        self.search.setObjectName("poseSearch")
        self.search.textChanged.connect(self._on_search)
        row.addWidget(self.search, 1)
        self.save = icon_button(
            theme, "add", tr("Save the pose of the selected bones, or of all"), name="savePose"
        )
        self.save.clicked.connect(self._save)
        self.update_button = icon_button(
            theme, "save", tr("Replace the selected pose with the current one"), name="updatePose"
        )
        self.update_button.clicked.connect(self._update)
        row.addWidget(self.save)
        row.addWidget(self.update_button)
        return row

    def _bottom(self) -> QWidget:
        theme, self._foot = self._context.theme, QWidget()
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(12, 2, 8, 6)
        row.setSpacing(4)
        self.mask_box = ChoiceBox()
        self.mask_box.setObjectName("poseMask")
        self.mask_box.setToolTip(tr("Apply poses through a mask of the rig"))
        self.mask_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.mask_box.setMinimumContentsLength(6)
        self.mask_box.activated.connect(
            lambda _: self._session.feature(PosingState).use_mask(self.mask_box.currentData() or "")
        )
        row.addWidget(self.mask_box, 1)
        self.spacing = NumberField(theme, "f", step=0.25, decimals=0, bounds=(1.0, 1000.0))
        self.spacing.setObjectName("poseSpacing")
        self.spacing.setFixedWidth(56)
        self.spacing.setToolTip(tr("Frames between the keys of a new clip"))
        self.spacing.set_value(self.model.spacing)
        self.spacing.committed.connect(self._on_spacing)
        row.addWidget(self.spacing)
        self.new_clip = icon_button(
            theme, "clip", tr("New clip with the selected poses as keys"), name="clipFromPoses"
        )
        self.new_clip.clicked.connect(lambda: self.model.new_clip())
        tip = tr("Pose asset: blend the selected poses by sliders or curves")
        self.make_asset = icon_button(theme, "blend", tip, name="makePoseAsset")
        self.make_asset.clicked.connect(lambda: self.model.make_asset())
        row.addWidget(self.new_clip)
        row.addWidget(self.make_asset)
        return self._foot

    def _bind(self) -> None:
        session, bound = self._session, Bindings(self)
        self._refresh = bound.refresh(
            self._show, session.document.changed, session.document.replaced, session.feature(PosingState).changed,
            session.playback.clip_changed,
        )  # fmt: skip
        bound.refresh(self._show_weights, session.evaluator.changed)
        self.thumbnails.ready.connect(lambda _: self.grid.update())
        self._context.theme.changed.connect(self.grid.update)

    # ------------------------------------------------------------ showing
    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._refresh()

    def _show(self) -> None:
        model = self.model
        rig, empty = model.has_rig, model.empty_library
        self.grid.show_cards(model.cards())
        self.thumbnails.forget({pose.id for pose in self._session.document.project.all(LibraryPose)})
        self._scroll.setVisible(rig and not empty)
        self._empty.setVisible(not rig or empty)
        self._empty.set_text(
            tr("Save a pose with +\nClick to apply, drag sideways to blend")
            if rig
            else tr("Open or import a character first")
        )
        self._foot.setVisible(rig and not empty)
        chosen = len(self._session.feature(PosingState).poses)
        self.save.setEnabled(rig)
        self.update_button.setEnabled(chosen == 1)
        self.new_clip.setEnabled(chosen > 0)
        self.make_asset.setEnabled(chosen > 0)
        self._show_tags()
        self._show_masks()
        self._show_weights()

    def _show_weights(self) -> None:
        if self.isVisible():
            self.weights.show_assets(self.model.assets())

    def _show_tags(self) -> None:
        tags = self.model.tags()[:MOST_TAGS]
        if tags != self._listed_tags:
            self._listed_tags = tags
            clear(self._tag_row)
            self._chips = {}
            for tag in tags:
                chip = QToolButton()
                chip.setText(f"#{tag}")
                chip.setObjectName(f"tag_{tag}")
                chip.setCheckable(True)
                chip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
                chip.clicked.connect(lambda on, tag=tag: self.search.setText(f"#{tag}" if on else ""))
                self._tag_row.addWidget(chip)
                self._chips[tag] = chip
            if tags:
                self._tag_row.addStretch(1)
        for tag, chip in self._chips.items():
            chip.setChecked(f"#{tag}" in self.model.words.split())

    def _show_masks(self) -> None:
        masks = self.model.masks()
        entries = [(tr("No mask"), ""), *((name, name) for name in masks)]
        self.mask_box.show_choices(entries, self._session.feature(PosingState).mask, otherwise=0)
        self.mask_box.setEnabled(bool(masks))

    def _image(self, id: AssetId):
        project, rig = self._session.document.project, self._session.rig
        pose = project.assets.get(id)
        if rig is None or not isinstance(pose, LibraryPose):
            return None
        colors = DARK if self._context.theme.tokens.dark else LIGHT
        return self.thumbnails.image(pose, rig, project.meshes_of(rig.id), colors, self.devicePixelRatioF())

    # ------------------------------------------------------------ doing
    def _on_search(self, text: str) -> None:
        self.model.words = text
        self._show()

    def _on_spacing(self, value: float) -> None:
        self.model.spacing = value
        self.spacing.set_value(value)

    def _save(self) -> None:
        self.model.save()

    def _update(self) -> None:
        pose = self._session.feature(PosingState).active
        if pose is not None:
            self.model.update(pose)

    def _menu(self, id: str, place: QPoint) -> None:
        pose = AssetId(id)
        chosen = list(self._session.feature(PosingState).poses) or [pose]
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = (
            (tr("Rename…"), lambda: self._ask_name(pose)),
            (tr("Tags…"), lambda: self._ask_tags(pose)),
            (tr("Replace with current pose"), lambda: self.model.update(pose)),
            (tr("New clip from selected poses"), self.model.new_clip),
            (tr("Pose asset from selected poses"), self.model.make_asset),
            (tr("Delete"), lambda: self.model.delete(chosen)),
        )
        for text, work in rows:
            action = QAction(text, menu)
            action.triggered.connect(lambda _, work=work: work())
            menu.addAction(action)
        menu.popup(place)

    def _ask_name(self, id: AssetId) -> None:
        pose = self._session.document.project.get(LibraryPose, id)
        self._ask(tr("Rename pose"), tr("Name"), pose.name, lambda text: self.model.rename(id, text))

    def _ask_tags(self, id: AssetId) -> None:
        pose = self._session.document.project.get(LibraryPose, id)
        words = " ".join(pose.tags)
        self._ask(tr("Tags"), tr("Space-separated tags"), words, lambda text: self.model.tag(id, text))

    def _ask(self, title: str, text: str, value: str, done) -> None:
        box = QInputDialog(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(title)
        box.setLabelText(text)
        box.setTextValue(value)
        box.textValueSelected.connect(done)
        box.open()

    # ------------------------------------------------------------ end
    def close_panel(self) -> None:
        """Free what lies on the graphics card, before the window goes."""
        self.thumbnails.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.close_panel()
        super().closeEvent(event)
