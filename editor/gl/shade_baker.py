"""Has the ambient occlusion of the character shown baked off the window's thread. Free of Qt."""

from core.progress import Progress
from core.rig.mesh import Mesh
from editor.gl.occlusion import OcclusionLibrary
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.session import Session


class ShadeBaker:
    """Bakes what a picture wants; until a shade is there the mesh is lit as if nothing covered it.

    Attributes
    ----------
    library : what is baked
    changed : there is more of it
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.library = OcclusionLibrary()
        self.changed: Event[None] = Event()
        self._busy = self._closed = False
        self._given_up: set[int] = set()

    def want(self, meshes: tuple[Mesh, ...]) -> None:
        """Have these meshes baked, unless they are or that is going on."""
        if self._busy or self._closed:
            return  # what is missing still is asked for by the next picture
        self.library.forget(meshes)
        wanted = tuple(mesh for mesh in self.library.unknown(meshes) if id(mesh) not in self._given_up)
        if not wanted:
            return
        self._busy = True

        def work(progress: Progress) -> None:
            self.library.bake(wanted, progress)

        def stopped() -> None:
            self._given_up |= {
                id(mesh) for mesh in wanted
            }  # it is only shade: nobody is told, nothing is lost
            self._done()

        self._session.jobs.run(
            tr("Shade the character"), work, lambda _: self._done(), lambda _: stopped(), stopped
        )

    def _done(self) -> None:
        self._busy = False
        if not self._closed:
            self.changed.emit(None)

    def close(self) -> None:
        """Tell nobody any more."""
        self._closed = True
