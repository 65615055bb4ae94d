"""A retarget's alignment and the virtual bones as shapes of the viewport, with their names. Free of Qt."""

import numpy as np

from core.arrays import FloatArray
from core.retarget.transfer import Binding
from core.rig.rig import Rig
from editor.gl.colors import with_alpha
from editor.gl.draw_list import Layer, Lines, Points, PointShape, Shape, Triangles, polyline
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.panels.viewport.ik_marks import IkMarks, faded
from editor.tools.retarget.marks import (
    AlignMark,
    ChainTurn,
    VirtualMark,
    align_marks,
    chain_turns,
    virtual_marks,
)

VIRTUAL_SIZE, CHOSEN_SIZE = 9.0, 13.0


class RetargetMarks:
    """Makes the shapes and what is written beside them; the colours are those of the IK's marks."""

    def __init__(self, session: Session, ik: IkMarks) -> None:
        self._session, self._ik = session, ik
        self._turns: tuple[Binding | None, tuple[ChainTurn, ...]] = None, ()

    def shapes(self, rig: Rig, bones: bool) -> tuple[Shape, ...]:
        """Everything there is to show, virtual bones where bones are shown; nothing while time runs."""
        if self._session.playback.playing:
            return ()
        shapes: list[Shape] = []
        for mark in self._aligned():
            shapes += self._alignment(mark)
        for virtual in virtual_marks(self._session, rig) if bones else ():
            shapes += self._virtual(virtual)
        return tuple(shapes)

    def labels(self, rig: Rig) -> tuple[tuple[str, FloatArray, bool], ...]:
        """Words, where they stand in the world ``(3,)``, and whether they stand out."""
        if self._session.playback.playing:
            return ()
        words = [
            (
                tr("{chain} {degrees}°", chain=m.chain, degrees=f"{m.degrees:.0f}"),
                m.arc[len(m.arc) // 2],
                m.chosen,
            )
            for m in self._aligned()
        ]
        words += [(m.name, m.place, True) for m in virtual_marks(self._session, rig) if m.chosen]
        return tuple(words)

    def _aligned(self) -> tuple[AlignMark, ...]:
        """The turns, while the retarget is previewed with its panel in sight; a finished clip is drawn plain."""
        session, retargeting = self._session, self._session.feature(Retargeting)
        result = retargeting.computation.result
        shown = session.switches["alignment"] and retargeting.pick.watched and retargeting.live.on
        if result is None or session.rig is None or not shown:
            return ()
        binding = result.binding
        if binding.target.names != session.rig.skeleton.names:
            return ()
        if self._turns[0] is not binding:
            self._turns = binding, chain_turns(binding)
        return align_marks(session, self._turns[1])

    def _alignment(self, mark: AlignMark) -> list[Shape]:
        tints, strength = self._ik.tints, 0.95 if mark.chosen else 0.45
        own, aligned = faded(tints.warning, strength), faded(tints.accent, strength)
        width = 2.0 if mark.chosen else 1.5
        fan = np.stack([np.tile(mark.centre, (len(mark.arc) - 1, 1)), mark.arc[:-1], mark.arc[1:]], axis=1)
        return [
            Triangles(fan, faded(tints.warning, 0.16 * strength)),
            Lines(polyline(mark.arc), own, width, layer=Layer.FRONT),
            Lines(np.array([[mark.centre, mark.own]]), own, width, 4.0, Layer.FRONT),
            Lines(np.array([[mark.centre, mark.aligned]]), aligned, width, layer=Layer.FRONT),
        ]

    def _virtual(self, mark: VirtualMark) -> list[Shape]:
        tints = self._ik.tints
        tint = tints.key if mark.chosen else tints.accent
        edge = with_alpha(tints.outline, 0.8)
        size = CHOSEN_SIZE if mark.chosen else VIRTUAL_SIZE
        return [
            Lines(np.array([[mark.source, mark.place]]), faded(tint, 0.45), 1.0, 3.0, Layer.FRONT),
            Points(mark.place[None], faded(tint, 0.9), size, edge, 1.0, PointShape.DIAMOND, Layer.FRONT),
        ]
