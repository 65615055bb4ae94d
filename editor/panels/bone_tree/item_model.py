"""The bone tree as Qt's views want it: rows by parent, nothing built before it is looked at."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from editor.model.i18n import tr
from editor.model.retarget.proportions import MODES
from editor.panels.bone_tree.view_model import FLAGS, BoneTree, Listing, Mark, Show

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
NAME_COLUMN = 0
MODE_COLUMN = 1 + len(FLAGS)
MARK_COLUMN = MODE_COLUMN + 1
COLUMNS = MARK_COLUMN + 1

MarkRole = Qt.ItemDataRole.UserRole + 1
MatchRole = Qt.ItemDataRole.UserRole + 2
FlagRole = Qt.ItemDataRole.UserRole + 3
ModeRole = Qt.ItemDataRole.UserRole + 4
VirtualRole = Qt.ItemDataRole.UserRole + 5
BoneRole = Qt.ItemDataRole.UserRole + 6
"""The bone's whole name; what is displayed may lack the prefix that all share."""

MARK_TIPS = {
    Mark.ANIMATED: "Animated, no key at this time",
    Mark.PARTLY: "Some channels have a key at this time",
    Mark.KEYED: "Every animated channel has a key at this time",
    Mark.PENDING: "Changed, not keyed yet",
}
FLAG_TIPS = {
    "locked": ("Lock: protect it from every tool", "Locked: click to unlock"),
    "hidden": ("Hide", "Hidden: click to show"),
    "solo": ("Show only this", "Solo: click to show the others again"),
}


class BoneModel(QAbstractItemModel):
    """Rows are bones; an index carries the bone's number, so that no object a row is needed."""

    def __init__(self, tree: BoneTree, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tree = tree
        self.names: tuple[str, ...] = ()
        self._parents: tuple[int, ...] = ()
        self._listing = Listing({-1: ()}, frozenset())
        self._row_of: dict[int, int] = {}

    def show(self, words: str, show: Show) -> bool:
        """List other bones; whether the rows differ from those before."""
        names, parents = self.tree.names, self.tree.parents
        listing = self.tree.listing(words, show)
        if names == self.names and parents == self._parents and listing == self._listing:
            return False
        self.beginResetModel()
        self.names, self._parents, self._listing = names, parents, listing
        self._row_of = {bone: row for below in listing.children.values() for row, bone in enumerate(below)}
        self.endResetModel()
        return True

    # ------------------------------------------------------------ by bone
    def index_of(self, bone: int, column: int = NAME_COLUMN) -> QModelIndex:
        """Index of a bone's row; invalid where it is not listed."""
        row = self._row_of.get(bone)
        return QModelIndex() if row is None else self.createIndex(row, column, bone)

    def bone_at(self, index: Index) -> str | None:
        """Name of the bone of a row."""
        return self.names[index.internalId()] if index.isValid() else None

    def listed(self) -> tuple[int, ...]:
        """Numbers of the bones that have a row."""
        return tuple(self._row_of)

    def refresh(self) -> None:
        """Marks and flags may differ: have the rows painted again."""
        top = self._listing.children[-1]
        if top:
            role = [Qt.ItemDataRole.DisplayRole]
            self.dataChanged.emit(self.index(0, 0), self.index(len(top) - 1, COLUMNS - 1), role)

    # ------------------------------------------------------------ Qt's questions
    def _below(self, parent: Index) -> tuple[int, ...]:
        return self._listing.children.get(parent.internalId() if parent.isValid() else -1, ())

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        below = self._below(parent)
        if parent.column() > 0 or not (0 <= row < len(below) and 0 <= column < COLUMNS):
            return QModelIndex()
        return self.createIndex(row, column, below[row])

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() >= len(self._parents):
            return QModelIndex()
        above = self._parents[index.internalId()]
        return QModelIndex() if above < 0 else self.createIndex(self._row_of[above], 0, above)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.column() > 0 else len(self._below(parent))

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        bone = self.bone_at(index)
        if bone is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.tree.label(bone) if index.column() == NAME_COLUMN else None
        if role == BoneRole:
            return bone
        if role == VirtualRole:
            return self.tree.virtual(bone) is not None
        if role == MarkRole:
            return self.tree.mark(bone)
        if role == MatchRole:
            return index.internalId() in self._listing.matches
        if role == ModeRole:
            return self.tree.mode(bone)
        if role == FlagRole:
            flagged = NAME_COLUMN < index.column() < MODE_COLUMN
            return self.tree.flag(bone, FLAGS[index.column() - 1]) if flagged else False
        if role == Qt.ItemDataRole.ToolTipRole:
            virtual = self.tree.virtual(bone)
            if virtual is not None:
                return tr(
                    "Virtual bone {name}: under {source}, follows {target}", name=bone, source=virtual.source,
                    target=virtual.target,
                )  # fmt: skip
            if index.column() == MODE_COLUMN:
                title, _, tip = MODES[self.tree.mode(bone)]
                own = tr("Clips of the character's own proportions play as they are")
                return tr("Translation mode: {mode}", mode=tr(title)) + f"\n{tr(tip)}\n{own}"
            if NAME_COLUMN < index.column() < MODE_COLUMN:
                flag = FLAGS[index.column() - 1]
                return tr(FLAG_TIPS[flag][self.tree.flag(bone, flag)])
            note = MARK_TIPS.get(self.tree.mark(bone))
            return f"{bone}\n{tr(note)}" if note else bone
        return None
