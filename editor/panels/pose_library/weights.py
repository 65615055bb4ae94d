"""Pose assets: one slider for each of their poses."""

from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

from core.ids import AssetId
from editor.model.i18n import tr
from editor.panels.pose_library.view_model import AssetRow, PoseLibrary
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.qt.weight_slider import STEPS, WeightSlider
from editor.qt.widgets import ElidedLabel, icon_button


class Weights(QWidget):
    """Lists pose assets; rebuilt only when other poses are listed."""

    def __init__(self, model: PoseLibrary, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 0, 12, 8)
        self._column.setSpacing(2)
        self._rows: dict[tuple[str, str], tuple[WeightSlider, ElidedLabel]] = {}
        self._listed: object = None

    def show_assets(self, assets: tuple[AssetRow, ...]) -> None:
        """Show assets with their weights."""
        listed = tuple((a.id, a.name, tuple(w.name for w in a.weights)) for a in assets)
        if listed != self._listed:
            self._listed = listed
            self._build(assets)
        for asset in assets:
            for weight in asset.weights:
                slider, number = self._rows[asset.id, weight.name]
                if not slider.isSliderDown():
                    slider.blockSignals(True)
                    slider.setValue(round(weight.value * STEPS))
                    slider.blockSignals(False)
                number.set_text(f"{weight.value:.2f}")
        self.setVisible(bool(assets))

    def _build(self, assets: tuple[AssetRow, ...]) -> None:
        self._rows.clear()
        clear(self._column)
        for asset in assets:
            self._column.addWidget(self._head(asset.id, asset.name))
            for weight in asset.weights:
                self._column.addWidget(self._weight_row(asset.id, weight.name))

    def _head(self, asset: AssetId, name: str) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 4, 0, 0)
        line.setSpacing(2)
        title = ElidedLabel(name)
        title.setFont(self._theme.font(tokens.BODY, bold=True))
        line.addWidget(title, 1)
        bake = icon_button(
            self._theme, "key", tr("Bake the effect of its curves into keys"), name=f"bake_{name}", size=22
        )
        bake.clicked.connect(lambda: self._model.bake_asset(asset))
        delete = icon_button(
            self._theme, "delete", tr("Delete the pose asset"), name=f"deleteAsset_{name}", size=22
        )
        delete.clicked.connect(lambda: self._model.delete_asset(asset))
        line.addWidget(bake)
        line.addWidget(delete)
        return row

    def _weight_row(self, asset: AssetId, name: str) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        title = ElidedLabel(name, "dim")
        title.setFixedWidth(84)
        slider = WeightSlider(name)
        slider.setToolTip(tr("Weight of “{name}”: keys the curve of this name", name=name))
        slider.valueChanged.connect(lambda value: self._on_value(slider, name, value))
        slider.sliderReleased.connect(self._model.weighed)
        slider.cancelled.connect(self._model.unweigh)
        number = ElidedLabel("0.00", "caption")
        number.setFixedWidth(32)
        line.addWidget(title)
        line.addWidget(slider, 1)
        line.addWidget(number)
        self._rows[asset, name] = (slider, number)
        return row

    def _on_value(self, slider: WeightSlider, name: str, value: int) -> None:
        self._model.weigh(name, value / STEPS)
        if not slider.isSliderDown():  # a click on the groove, or a key
            self._model.weighed()


def clear(layout: QLayout) -> None:
    """Take every widget out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
