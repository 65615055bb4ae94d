"""The way every change takes: project in, project out, one command with the view it belongs to."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.project.project import Asset, Project
from editor.model.commands import ViewState, command_for
from editor.model.document import Document
from editor.model.history import History
from editor.model.i18n import tr


class Edits:
    """Commits new versions of assets as undoable steps.

    Parameters
    ----------
    view : gives what is shown now, to come back to it on undo

    Attributes
    ----------
    settle : gives a changed clip, from what it was and what an edit made of it, as preferences want it
    """

    def __init__(self, document: Document, history: History, view: Callable[[], ViewState]) -> None:
        self._document, self._history, self._view = document, history, view
        self.show: Callable[[ViewState], None] = lambda view: None
        self.settle: Callable[[Clip, Clip], Clip] = lambda before, after: after
        self.transient: Callable[[], AssetId | None] = lambda: (
            None
        )  # id of a clip shown from outside the document

    def commit(self, label: str, after: Project, view_after: ViewState | None = None) -> bool:
        """Make `after` the project in one step, and show `view_after`; False where it is the same already.

        Raises
        ------
        ValidationError
            It would put a preview into the document.
        MissingReferenceError
            It would leave an asset referring to what is not in the document.
        """
        preview = self.transient()
        if preview is not None and preview in after.assets and preview not in self._document.project.assets:
            raise ValidationError(
                tr("{name} is a preview, not part of the document", name=after.assets[preview].name)
                + ": "
                + tr("bake it to a clip first, or select a clip of the document")
            )
        after = self._settled(after)
        view = self._view()
        done = self._history.do(command_for(label, self._document.project, after, view, view_after or view))
        if done and view_after is not None:
            self.show(view_after)
        return done

    def _settled(self, after: Project) -> Project:
        """The project with what the preferences say of clips that the edit changed."""
        before = self._document.project.assets
        settled = []
        for id, asset in after.assets.items():
            old = before.get(id)
            if isinstance(asset, Clip) and isinstance(old, Clip) and asset is not old:
                new = self.settle(old, asset)
                settled += [new] if new is not asset else []
        return after.with_assets(*settled) if settled else after

    def view_of(self, rig: AssetId | None, clip: AssetId | None, time: float = 0.0) -> ViewState:
        """The view that shows a clip with the bones selected now."""
        return replace(self._view(), rig=rig, clip=clip, time=time, below=None)

    def put(self, label: str, *assets: Asset, view_after: ViewState | None = None) -> bool:
        """Add or replace assets in one step."""
        return self.commit(label, self._document.project.with_assets(*assets), view_after)

    def remove(self, label: str, *ids: AssetId, view_after: ViewState | None = None) -> bool:
        """Remove assets in one step.

        Raises
        ------
        ValidationError
            Another asset refers to one of them; the message says which.
        """
        for asset in ids:
            reason = self.in_use(asset, ids)
            if reason:
                raise ValidationError(reason)
        return self.commit(label, self._document.project.without(*ids), view_after)

    def in_use(self, asset: AssetId, besides: tuple[AssetId, ...] = ()) -> str:
        """Why an asset cannot be removed, or "" where it can."""
        project = self._document.project
        users = [u for u in project.references(asset) if u.id not in besides and u.id != asset]
        if not users:
            return ""
        names = ", ".join(f"“{user.name}”" for user in users[:3]) + (" …" if len(users) > 3 else "")
        found = project.assets.get(asset)
        name = found.name if found is not None else asset
        return tr("“{name}” is used by {users}: remove or change that first", name=name, users=names)

    def set_settings(self, label: str, values: Mapping[str, Any]) -> bool:
        """Change settings that belong to the file, in one step."""
        project = self._document.project
        return self.commit(label, Project(project.assets, {**project.settings, **values}))
