"""What the source view shows: the character that motion is taken from, in its pose now. Free of Qt."""

from contextlib import suppress

import numpy as np

from core.arrays import ByteArray, FloatArray
from core.errors import AnimError
from core.pose import kinematics
from editor.gl.camera import Pixel
from editor.gl.camera_controller import ViewCameraController
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import DARK, Color
from editor.gl.draw_list import BoneState, BoneStyle, DrawList, Grid
from editor.gl.picking import pick_bones
from editor.gl.textures import Textures
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.retarget import maps
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.tools.gesture import GestureHost
from editor.tools.navigate import Navigate, navigation
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import ToolState


class SourceView:
    """Composes the picture, and lets bones be picked in it.

    Attributes
    ----------
    changed : the picture, or where it is looked at from, differs
    textures : what decodes the images of the source
    """

    def __init__(self, session: Session, tools: ToolState) -> None:
        self.session, self.tools = session, tools
        self.retargeting = session.feature(Retargeting)
        self.controller = ViewCameraController()
        self.textures = Textures(session)
        self.character = CharacterDrawables(self.textures.library)
        self.clay: Color = DARK.body
        self.hovered: str | None = None
        self.gestures = GestureHost()
        self.changed: Event[None] = Event()
        self._made: DrawList | None = None
        live, state = self.retargeting.live, self.retargeting
        self._subscriptions = [
            event.connect(self._forget)
            for event in (
                live.moved,
                live.state_changed,
                state.changed,
                state.pick.changed,
                self.textures.changed,
            )
        ]
        self._subscriptions.append(session.switches.changed.connect(self._on_switch))
        self._subscriptions.append(self.controller.moved.connect(self._on_moved))
        self._subscriptions.append(tools.look_changed.connect(self.controller.restore))
        if tools.look is not None:
            self.controller.restore(tools.look)

    def close(self) -> None:
        """Stop listening."""
        self.textures.close()
        while self._subscriptions:
            self._subscriptions.pop()()

    def _forget(self, _: object = None) -> None:
        self._made = None
        self.changed.emit(None)

    def use_clay(self, color: Color) -> None:
        """Take the theme's colour of plain clay."""
        self.clay = color
        self._forget()

    def _on_switch(self, name: str) -> None:
        if name == "clay":
            self._forget()

    def _on_moved(self, _: object = None) -> None:
        self.tools.share_look(self.controller.look())
        self.changed.emit(None)

    # ------------------------------------------------------------ the picture
    def matrices(self) -> FloatArray | None:
        """World matrices ``(B, 4, 4)`` of the source's pose; None without a source."""
        source, pose = self.retargeting.subject.source, self.retargeting.live.source_pose()
        if source is None or pose is None:
            return None
        placed: FloatArray = self.retargeting.live.source_world() @ kinematics.model_matrices(
            source.rig.skeleton, pose.local
        )
        return placed

    def draw_list(self) -> DrawList:
        """The frame to draw; made again only after something changed."""
        if self._made is None:
            self._made = self._compose()
        return self._made

    def _compose(self) -> DrawList:
        source, matrices, pose = (
            self.retargeting.subject.source,
            self.matrices(),
            self.retargeting.live.source_pose(),
        )
        if source is None or matrices is None or pose is None:
            self.character.forget(())
            return DrawList(Grid())
        self.character.forget(mesh.id for mesh in source.meshes)
        skeleton = source.rig.skeleton
        bones = self.character.bones(skeleton, matrices, self._states(), BoneStyle.OCTAHEDRAL)
        clay = self.clay if self.session.switches["clay"] else None
        if clay is None:
            self.textures.want(tuple(source.meshes))
        meshes = self.character.meshes(source.meshes, source.rig, matrices, pose, clay=clay)
        return DrawList(Grid(), meshes, (), bool(meshes), bones)

    def _states(self) -> ByteArray:
        """Bones of the chosen chain are lit, those that no chain holds are dim ``(B,)``."""
        source, chains = self.retargeting.subject.source, self.retargeting.subject.chains
        assert source is not None
        skeleton = source.rig.skeleton
        states = np.full(len(skeleton), BoneState.NORMAL, dtype=np.uint8)
        for name in chains.source_left if chains is not None else ():
            states[skeleton.index(name)] = BoneState.DIMMED
        if self.hovered is not None and skeleton.find(self.hovered) is not None:
            states[skeleton.index(self.hovered)] = BoneState.HOVER
        for name in self.retargeting.pick.source_bones:
            states[skeleton.index(name)] = BoneState.SELECTED
        return states

    def frame_all(self) -> None:
        """Look at the whole source."""
        matrices = self.matrices()
        if matrices is not None:
            self.controller.frame(matrices[:, :3, 3], 0.05)

    @property
    def caption(self) -> tuple[str, str]:
        """What is shown: the clip, and what clicks do now or where it stands."""
        state = self.retargeting
        clip = state.subject.clip
        if state.subject.source is None or clip is None:
            return "", ""
        if state.pick.picking and state.pick.chain is not None:
            hint = tr("click a bone for “{chain}” · Shift+click: down to there", chain=state.pick.chain)
            return clip.name, hint
        return clip.name, self.hovered or tr("{rate} fps", rate=f"{clip.rate.fps:g}")

    # ------------------------------------------------------------ the pointer
    def bone_at(self, pixel: Pixel) -> str | None:
        """The bone drawn at a pixel."""
        source, bones = self.retargeting.subject.source, self.draw_list().bones
        if source is None or bones is None:
            return None
        hits = pick_bones(bones, self.controller.camera, self.controller.size, pixel)
        return source.rig.skeleton.names[hits[0].bone] if hits else None

    def hover(self, pixel: Pixel | None) -> None:
        """The pointer moved with no button held; None when it left."""
        name = None if pixel is None else self.bone_at(pixel)
        if name != self.hovered:
            self.hovered = name
            self._forget()

    def press(self, pointer: Pointer) -> None:
        """A button went down."""
        move = navigation(pointer)
        if move is not None:
            self.gestures.take(Navigate(self.controller, move), pointer)
        elif pointer.button is Button.LEFT:
            self.click(pointer.pixel, pointer.has(Modifiers.SHIFT))

    def click(self, pixel: Pixel, extend: bool) -> None:
        """Give the chosen chain the bone there while picking; else light the bone, and its chain."""
        state, name = self.retargeting, self.bone_at(pixel)
        if state.pick.picking and state.pick.chain is not None:
            if name is not None:
                self._pick(state.pick.chain, name, extend)
            return
        if name is None:
            state.pick.look_at(None)
            return
        chains = state.subject.chains
        pair = next((p for p in chains.chains if name in p.source), None) if chains is not None else None
        if extend:
            bones = state.pick.source_bones
            state.pick.select_source([b for b in bones if b != name] if name in bones else [*bones, name])
        elif pair is not None:
            state.pick.look_at(pair.name)
        else:
            state.pick.select_source((name,))

    def _pick(self, chain: str, name: str, extend: bool) -> None:
        state = self.retargeting
        assert state.subject.source is not None
        skeleton = state.subject.source.rig.skeleton
        bones: tuple[str, ...] = (name,)
        pair = state.subject.chains.chain(chain) if state.subject.chains is not None else None
        if extend and pair is not None:
            for first, last in ((pair.source[0], name), (name, pair.source[-1])):
                with suppress(AnimError):
                    bones = maps.stretch(skeleton, first, last)
                    break
        try:
            state.edits.set_bones(chain, source=bones)
        except AnimError as error:
            self.session.messages.warn(str(error))
