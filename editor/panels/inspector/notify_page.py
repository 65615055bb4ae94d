"""The inspector's page for the notify that is selected on the timeline."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.clips.clip import Notify
from core.clips.notify_types import NotifyType, type_of
from core.errors import AnimError
from core.graph.graph import Graph
from editor.model.event_choice import EventChoice
from editor.model.i18n import tr, trn
from editor.qt.notify_fields import NotifyFields, NotifyFrame
from editor.qt.notify_type_dialog import NotifyTypeDialog
from editor.qt.panel import PanelContext
from editor.qt.widgets import ElidedLabel, label
from editor.tools import clip_events


class NotifyPage(QScrollArea):
    """Fields of the notify picked last; several share what is changed."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("notifyPage")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._context, self._session = context, context.session
        self._choice = context.session.feature(EventChoice)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 4, 12, 8)
        column.setSpacing(4)
        self.title = ElidedLabel(role="title")
        column.addWidget(self.title)
        self.note = label("", "caption")
        column.addWidget(self.note)
        self.wrong = label("", "error", wrap=True)
        self.wrong.setObjectName("notifyProblems")
        column.addWidget(self.wrong)
        self.fields = NotifyFields(context.theme)
        self.fields.changed.connect(self._put)
        column.addWidget(self.fields)
        self.type = QPushButton(tr("Fields of this type…"))
        self.type.setObjectName("notifyType")
        self.type.setToolTip(tr("Which data notifies of this name carry, with kinds and defaults"))
        self.type.clicked.connect(self._open_type)
        column.addWidget(self.type)
        column.addStretch(1)
        self.setWidget(body)

    def show_chosen(self) -> bool:
        """Show the notify picked last; False where none is, or the clip no longer has it."""
        clip, notifies = self._session.clip, self._choice.notifies
        if clip is None or not notifies or notifies[0] not in clip.notifies:
            return False
        notify, project = notifies[0], self._session.document.project
        rig = self._session.rig
        graphs = tuple(g for g in project.all(Graph) if rig is not None and g.rig == rig.id)
        types = project.all(NotifyType)
        self.title.set_text(notify.name)
        more = len(notifies) - 1
        kind = tr("notify state") if notify.duration > 0.0 else tr("notify")
        others = trn("and {count} more", "and {count} more", more) if more else ""
        self.note.setText("  ".join(part for part in (kind, others) if part))
        type_ = type_of(notify.name, types)
        problems = type_.problems(notify) if type_ is not None else ()
        self.wrong.setText("\n".join(problems))
        self.wrong.setVisible(bool(problems))
        self.fields.show_notify(
            notify,
            NotifyFrame(
                clip.rate,
                types,
                tuple(dict.fromkeys(n.lane for n in clip.notifies)),
                tuple({n.name for c in project.clips for n in c.notifies}),
                graphs,
                rig.skeleton.names if rig is not None else (),
            ),
        )
        return True

    def _put(self, title: str, notify: Notify) -> None:
        old, clip = self.fields.notify, self._session.clip
        # A field hands over as it is left: another one may be chosen by then, and this one may be gone.
        if clip is None or old not in clip.notifies:
            return
        try:
            made = clip_events.change_notify(self._session, title, old, notify)
        except AnimError as error:
            self._session.messages.error(str(error))
            return
        chosen = self._choice.notifies
        if made is not None and chosen[:1] == (old,):
            self._choice.choose(made, *chosen[1:])

    def _open_type(self) -> None:
        clip, notifies = self._session.clip, self._choice.notifies
        if clip is None or not notifies or notifies[0] not in clip.notifies:
            return
        number = clip.notifies.index(notifies[0])
        dialog = NotifyTypeDialog(self, self._context, notifies[0])
        dialog.accepted.connect(lambda: self._choose_again(number))
        dialog.open()

    def _choose_again(self, number: int) -> None:
        """The type has given the notify fields: the same one stays selected."""
        clip = self._session.clip
        if clip is not None and number < len(clip.notifies):
            self._choice.choose(clip.notifies[number])
