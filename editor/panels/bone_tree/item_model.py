"""The bone tree as Qt's views want it: rows by parent, nothing built before it is looked at."""

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from editor.model.i18n import tr
from editor.model.retarget.proportions import MODES
from editor.panels.bone_tree.view_model import FLAGS, BoneTree, Listing, Mark, Show

Index = QModelIndex | QPersistentModelIndex
PLAIN = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
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


class BoneModel(QStandardItemModel):
    """Rows are bones.

    Qt itself keeps the rows: for each cell that it draws it asks several times for the parents of everything that is
    selected. What the cells show is looked up in the tree when it is asked for.
    """

    def __init__(self, tree: BoneTree, parent: QObject | None = None) -> None:
        super().__init__(0, COLUMNS, parent)
        self.tree = tree
        self.names: tuple[str, ...] = ()
        self._parents: tuple[int, ...] = ()
        self._listing = Listing({-1: ()}, frozenset())
        self._index_of: dict[int, QModelIndex] = {}
        self._bone_of: dict[tuple[int, int], int] = {}  # by what an index carries, and its row

    def show(self, words: str, show: Show) -> bool:
        """List other bones; whether the rows differ from those before."""
        names, parents = self.tree.names, self.tree.parents
        listing = self.tree.listing(words, show)
        if names == self.names and parents == self._parents and listing == self._listing:
            return False
        self.beginResetModel()
        blocked = self.blockSignals(True)
        self.names, self._parents, self._listing = names, parents, listing
        self._fill(listing)
        self.blockSignals(blocked)
        self.endResetModel()
        return True

    def _fill(self, listing: Listing) -> None:
        """Make the rows of a listing."""
        self._index_of, self._bone_of = {}, {}
        self.removeRows(0, self.rowCount())
        items: dict[int, QStandardItem] = {-1: self.invisibleRootItem()}
        waiting = [-1]
        while waiting:
            above = waiting.pop()
            below = listing.children.get(above, ())
            if not below:
                continue
            items |= {bone: QStandardItem() for bone in below}
            items[above].setColumnCount(COLUMNS)
            items[above].appendRows([items[bone] for bone in below])
            waiting += below
        for above, below in listing.children.items():
            for row, bone in enumerate(below):
                index = self._index_of[bone] = items[above].child(row).index()
                self._bone_of[index.internalId(), row] = bone

    # ------------------------------------------------------------ by bone
    def index_of(self, bone: int, column: int = NAME_COLUMN) -> QModelIndex:
        """Index of a bone's row; invalid where it is not listed."""
        index = self._index_of.get(bone)
        return QModelIndex() if index is None else index.siblingAtColumn(column)

    def number_at(self, index: Index) -> int | None:
        """Number of the bone of a row."""
        return self._bone_of.get((index.internalId(), index.row())) if index.isValid() else None

    def bone_at(self, index: Index) -> str | None:
        """Name of the bone of a row."""
        number = self.number_at(index)
        return None if number is None else self.names[number]

    def listed(self) -> tuple[int, ...]:
        """Numbers of the bones that have a row."""
        return tuple(self._index_of)

    def fits(self, bone: int) -> bool:
        """Whether a bone is listed for itself, not only as standing above one."""
        return bone in self._listing.matches

    # ------------------------------------------------------------ Qt's questions
    def flags(self, index: Index) -> Qt.ItemFlag:
        return PLAIN if index.isValid() else Qt.ItemFlag.NoItemFlags

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
            return self.number_at(index) in self._listing.matches
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
