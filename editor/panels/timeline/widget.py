"""The timeline panel: transport, ruler, dope rows of what is selected."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QCloseEvent, QHideEvent, QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QVBoxLayout

from editor.model.time_view import TimeView
from editor.panels.timeline.camera_strip import CameraStrip
from editor.panels.timeline.contact_strip import ContactStrip
from editor.panels.timeline.event_strip import EventStrip
from editor.panels.timeline.layout import ROW
from editor.panels.timeline.media_strip import MediaStrip
from editor.panels.timeline.overview_strip import OverviewStrip
from editor.panels.timeline.pose_strip import PoseStrip
from editor.panels.timeline.timing_bar import TimingBar
from editor.panels.timeline.track_view import TrackView
from editor.panels.timeline.transport import Transport
from editor.panels.timeline.view_model import TimelineModel
from editor.qt.binding import Bindings
from editor.qt.layer_banner import LayerBanner
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import line
from editor.tools import markers


class TimelinePanel(Panel):
    """Time, and the keys of the selection over it."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("timelinePanel")
        self._session = context.session
        self.model = model = TimelineModel(context.session)
        self.transport = Transport(context, model)
        self.tracks = TrackView(context, model)
        self.bar = QScrollBar(Qt.Orientation.Vertical)
        self.bar.setObjectName("timelineScroll")
        self.bar.valueChanged.connect(lambda value: model.view.set_scroll(float(value)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.transport)
        column.addWidget(line())
        self.layer_banner = LayerBanner(context.session, context.actions, context.theme, "layerStrip")
        column.addWidget(self.layer_banner)
        self.timing = TimingBar(context)
        column.addWidget(self.timing)
        self.poses = PoseStrip(context, model)
        self.tracks.add_strip(self.poses)
        self.tracks.add_strip(CameraStrip(context, model))
        self.tracks.add_strip(MediaStrip(context, model))
        self.tracks.add_strip(ContactStrip(context, model))
        self.events = EventStrip(context, model)
        self.tracks.add_strip(self.events)
        self._row = row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        over_time = QVBoxLayout()
        over_time.setSpacing(0)
        self.overview = OverviewStrip(context, model)
        over_time.addWidget(self.overview)
        over_time.addWidget(self.tracks, 1)
        row.addLayout(over_time, 1)
        row.addWidget(self.bar)
        column.addLayout(row, 1)
        bindings = Bindings(self)
        bindings.refresh(self._show_bar, model.changed)
        self._line_up = bindings.refresh(self._line_up_now, context.session.feature(TimeView).edges_changed)
        actions = context.actions
        bound = {
            "time.fit": model.view.fit_selection,
            "time.fit_all": model.view.fit_all,
            "time.select_row": model.rows.select_row,
            "time.hide_row": model.rows.hide_row,
            "time.solo_row": model.rows.solo_row,
            "time.show_rows": model.rows.show_rows,
            "time.open_rows": lambda: model.rows.open_all(True),
            "time.close_rows": lambda: model.rows.open_all(False),
            "time.add_marker": self._add_marker,
            "time.go_to_marker": model.markers.go_to_marker,
            "time.rename_marker": self.tracks.rename_marker,
            "time.delete_marker": model.markers.delete_marker,
            **self.events.bound(),
            **self.timing.bound(),
        }
        self._unbind = [actions.bind(id, handler) for id, handler in bound.items() if id in actions]
        self.destroyed.connect(lambda: model.close())
        self._show_bar()

    def _add_marker(self) -> None:
        """Put a marker at the playhead, and let its name be typed."""
        self.model.markers.aimed_marker = markers.add(self._session)
        self.tracks.rename_marker()

    def sizeHint(self) -> QSize:
        """A third of a window."""
        return QSize(900, 260)

    def _line_up_now(self) -> None:
        """Lay time between the same pixels of the screen as the curve editor above or below does."""
        edges, right, column = self._session.feature(TimeView).edges, 0, 0.0
        if edges is not None and self.isVisible():
            left = self.mapToGlobal(QPoint(0, 0)).x()
            bar = 0 if self.bar.isHidden() else self.bar.width()
            column, right = float(edges[0] - left), left + self.width() - bar - edges[1]
            if not (100.0 <= column <= 0.6 * self.width() and 0 <= right <= 60):
                column, right = 0.0, 0  # beside it, or elsewhere
        self._row.setContentsMargins(0, 0, right, 0)
        self.model.view.set_column(column)
        below = self.mapToGlobal(QPoint(0, self.height())).y()
        self._session.feature(TimeView).set_ruler(below if column > 0.0 else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._line_up()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._line_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._line_up()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._session.feature(TimeView).set_ruler(None)

    def _show_bar(self) -> None:
        layout = self.model.view.layout()
        self.bar.setRange(0, round(layout.most_scroll))
        self.bar.setPageStep(round(layout.view_height))
        self.bar.setSingleStep(round(ROW))
        self.bar.setValue(round(layout.scroll))
        if self.bar.isHidden() == (layout.most_scroll > 0.0):
            self.bar.setVisible(layout.most_scroll > 0.0)
            self._line_up()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.timing.close_bar()
        self.poses.close_strip()
        while self._unbind:
            self._unbind.pop()()
        super().closeEvent(event)
