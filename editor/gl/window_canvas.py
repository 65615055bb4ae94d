"""The canvas for a graphics card: an OpenGL surface below the view's overlays."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from editor.gl.picture import Picture, opengl_format


class WindowCanvas(QOpenGLWidget):
    """Fills its widget; mouse and keyboard are the widget's."""

    def __init__(self, widget: QWidget, picture: Picture) -> None:
        super().__init__(widget)
        self._picture = picture
        self.setFormat(opengl_format())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.lower()
        self.show()

    def initializeGL(self) -> None:
        """Called by Qt with a new context current."""
        self._picture.begin(self.context())

    def paintGL(self) -> None:
        """Called by Qt with the context current."""
        self._picture.draw_picture(self.defaultFramebufferObject())

    def renew(self) -> None:
        """Draw with the next painting."""
        self.update()

    def paint(self, event: QPaintEvent) -> None:
        """It covers the whole widget."""

    def fit(self) -> None:
        """Fill the widget."""
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())

    def image(self) -> QImage:
        """What is shown."""
        return self.grabFramebuffer()

    def release(self) -> None:
        """The context ends with the widget."""
