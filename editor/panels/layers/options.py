"""How all layers go over the clip: the curve rule and the space of rotations."""

from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from core.blending.layers import CurveRule
from editor.model.blending.layers import CURVE_RULES
from editor.model.i18n import tr
from editor.panels.layers.view_model import LayersModel
from editor.qt.choice import ChoiceBox
from editor.qt.widgets import label


class LayerOptions(QFrame):
    """The options of the whole stack, in a card below it."""

    def __init__(self, model: LayersModel) -> None:
        super().__init__()
        self.model = model
        self.setProperty("role", "card")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(8)
        column.addLayout(row)
        self.rule = ChoiceBox()
        self.rule.setObjectName("curveRule")
        self.rule.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.rule.setMinimumWidth(56)
        for rule, (title, _) in CURVE_RULES.items():
            self.rule.addItem(tr(title), rule)
        self.rule.activated.connect(lambda _: self._set_rule())
        caption = label(tr("Curve rule"), "dim")
        caption.setToolTip(tr("How curves and morphs of override layers combine with the clip's"))
        row.addWidget(caption)
        row.addWidget(self.rule, 1)
        self.rotations = QCheckBox(tr("Model-space rotations"))
        self.rotations.setObjectName("modelRotations")
        self.rotations.setToolTip(
            tr("Override layers blend rotations in model space (mesh space): they keep their direction, "
               "whatever their parent bones do")
        )  # fmt: skip
        self.rotations.clicked.connect(self._set_rotations)
        column.addWidget(self.rotations)

    def refresh(self) -> None:
        """Show the options as they are now."""
        rule = self.model.rule
        self.rule.setCurrentIndex(list(CURVE_RULES).index(rule))
        self.rule.setToolTip(tr(CURVE_RULES[rule][1]))
        self.rotations.setChecked(self.model.model_rotations)

    def _set_rule(self) -> None:
        self.model.set_rule(CurveRule(self.rule.currentData()))
        self.refresh()

    def _set_rotations(self, on: bool) -> None:
        self.model.set_model_rotations(on)
        self.refresh()
