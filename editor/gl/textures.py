"""Has the images of the character shown decoded off the window's thread; says which cannot be shown. Free of Qt."""

from core.progress import Progress
from core.rig.mesh import Mesh
from editor.gl.texture_library import TextureLibrary
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.session import Session


class Textures:
    """Decodes what a picture wants; until an image is there the character has its plain colours.

    Attributes
    ----------
    library : the decoded images
    changed : there are more of them
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.library = TextureLibrary()
        self.changed: Event[None] = Event()
        self._busy = False
        self._closed = False

    def want(self, meshes: tuple[Mesh, ...]) -> None:
        """Have the images of these meshes decoded, unless they are or that is going on."""
        if self._busy:
            return  # what is missing still is asked for by the next picture
        self.library.forget(meshes)
        files = self.library.unknown(meshes)
        if not files:
            return
        self._busy = True

        def work(progress: Progress) -> dict[bytes, str]:
            return self.library.decode(files, progress)

        def stopped(why: str) -> None:
            self.library.give_up(files, why)  # else the next picture would ask again, and so on
            self._done({}, meshes)

        def failed(error: Exception) -> None:
            self._session.messages.error(tr("Textures are not shown"), str(error))
            stopped(str(error))

        self._session.jobs.run(
            tr("Decode textures"), work, lambda wrong: self._done(wrong, meshes), failed,
            lambda: stopped(tr("cancelled")),
        )  # fmt: skip

    def _done(self, wrong: dict[bytes, str], meshes: tuple[Mesh, ...]) -> None:
        self._busy = False
        names = [
            (material.name, wrong[material.texture.data])
            for mesh in meshes
            for material in mesh.materials
            if material.texture is not None and material.texture.data in wrong
        ]
        if names:
            told = "; ".join(f"{name}: {why}" for name, why in dict(names).items())
            self._session.messages.warn(
                trn("{count} texture is not shown", "{count} textures are not shown", len(wrong)), told
            )
        if not self._closed:
            self.changed.emit(None)

    def close(self) -> None:
        """Tell nobody any more."""
        self._closed = True
