"""What the viewport shows of a driven character beside itself: the floor, arrows, capsule, feet. Free of Qt."""

import itertools
import math

import numpy as np

from core.arrays import FloatArray
from core.locomotion.setup import H
from core.locomotion.state import State
from editor.gl.colors import DARK, Color, ViewportColors, mix, with_alpha
from editor.gl.draw_list import Floor, Layer, Lines, Points, PointShape, Shape, Surface, polyline
from editor.model.play.run import Note, Run
from editor.model.play.state import Play
from editor.model.session import Session

TRACE = round(4.0 / H)
"""Steps of the feet that are drawn."""
SLIPS = (2.0, 20.0)
"""cm/s at which a trace turns from good to bad."""
CIRCLE = 32
PER_SPEED = 0.4
"""Metres of the arrow for 1 m/s."""


class PlayMarks:
    """The floor and the overlays.

    Attributes
    ----------
    heat : colours of good, fair and bad
    """

    def __init__(self, session: Session) -> None:
        self._play = session.feature(Play)
        self.heat: tuple[Color, ...] = (DARK.axis_y, DARK.bone_selected, DARK.axis_x)
        self._colors = DARK
        self._floor: tuple[object, Surface] | None = None

    def use_colors(self, colors: ViewportColors) -> None:
        """Take the theme's colours."""
        self._colors = colors

    @property
    def on(self) -> bool:
        """Whether Play is shown."""
        return self._play.on and self._play.run is not None

    def floor(self) -> Floor | None:
        """The terrain."""
        run = self._play.run
        if not self.on or run is None:
            return None
        if self._floor is None or self._floor[0] is not run.terrain:
            found = run.terrain.triangles()
            self._floor = run.terrain, Surface(found.corners, found.normals)
        place = self._play.shown()[0].position
        height = float(run.terrain.under(place))
        return Floor(self._floor[1], height if math.isfinite(height) else place[1])

    def shapes(self) -> tuple[Shape, ...]:
        """The overlays that are on."""
        run, overlays = self._play.run, self._play.overlays
        if not self.on or run is None:
            return ()
        state = self._play.shown()[0]
        made: list[Shape] = []
        if overlays["trace"]:
            made += self._trace(run)
        if overlays["capsule"]:
            made.append(self._capsule(run, state))
        if overlays["velocity"]:
            x, _, z = state.velocity
            made += self._arrow(state, (PER_SPEED * x, PER_SPEED * z), self._colors.axis_z)
        if overlays["wish"]:
            made += self._arrow(state, state.wish, self._colors.bone_selected)
        if overlays["contacts"] or overlays["locks"]:
            made += self._feet(run)
        return tuple(made)

    # ------------------------------------------------------------ parts
    def _arrow(self, state: State, way: tuple[float, float], color: Color) -> list[Shape]:
        length = math.hypot(*way)
        if length < 0.02:
            return []
        x, y, z = state.position
        base = np.array([x, y + 0.05, z])
        ahead = np.array([way[0], 0.0, way[1]]) / length
        aside = np.array([ahead[2], 0.0, -ahead[0]])
        tip = base + ahead * length
        head = min(0.12, 0.5 * length)
        points = [
            [base, tip],
            [tip, tip - head * (ahead + 0.6 * aside)],
            [tip, tip - head * (ahead - 0.6 * aside)],
        ]
        return [Lines(np.array(points), np.array(color, np.float32), 3.0, layer=Layer.XRAY)]

    def _capsule(self, run: Run, state: State) -> Lines:
        setup = run.driven.setup.controller
        height = setup.crouch_height if state.crouching else setup.height
        r, base = setup.radius, np.array(state.position)
        turn = np.linspace(0.0, 2.0 * math.pi, CIRCLE + 1)
        ring = np.stack([np.sin(turn) * r, np.zeros_like(turn), np.cos(turn) * r], axis=1)
        low, high = np.array([0.0, r, 0.0]), np.array([0.0, height - r, 0.0])
        parts = [polyline(base + low + ring), polyline(base + high + ring)]
        half = np.linspace(0.0, math.pi, CIRCLE // 2 + 1)
        for across in (np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])):
            arc = np.cos(half)[:, None] * across * r
            rise = np.sin(half)[:, None] * np.array([0.0, r, 0.0])
            parts += [polyline(base + high + arc + rise), polyline(base + low + arc - rise)]
            sides = [[base + low + s * r * across, base + high + s * r * across] for s in (-1.0, 1.0)]
            parts.append(np.array(sides, np.float32))
        return Lines(np.concatenate(parts), np.array(with_alpha(self._colors.text, 0.35), np.float32), 1.0)

    def _feet(self, run: Run) -> list[Shape]:
        feet = run.notes[run.at].feet
        if feet is None:
            return []
        made: list[Shape] = []
        touching = [k for k in range(2) if feet.contacts[k]]
        if touching and self._play.overlays["contacts"]:
            colors = np.array([self._slip_color(feet.slip[k]) for k in touching], np.float32)
            made.append(
                Points(feet.places[touching], colors, 10.0, self._colors.bone_outline, layer=Layer.XRAY)
            )
        locks = run.locks()
        if len(locks) and self._play.overlays["locks"]:
            color = np.array(self._colors.capsule, np.float32)
            made.append(
                Points(locks, color, 16.0, shape=PointShape.RING, outline_width=2.0, layer=Layer.XRAY)
            )
        return made

    def _trace(self, run: Run) -> list[Shape]:
        first = max(run.at - TRACE, 0)
        notes = run.notes[first : run.at + 1]
        rows: list[tuple[FloatArray, FloatArray, Color]] = []
        for before, after in itertools.pairwise(notes):
            rows += self._segments(before, after)
        if not rows:
            return []
        points = np.array([(a, b) for a, b, _ in rows])
        colors = np.array([color for _, _, color in rows], np.float32)
        return [Lines(points, colors, 2.0, caps=False)]

    def _segments(self, before: Note, after: Note) -> list[tuple[FloatArray, FloatArray, Color]]:
        a, b = before.feet, after.feet
        if a is None or b is None or before.control.returned != after.control.returned:
            return []
        dim = with_alpha(self._colors.text, 0.22)
        return [
            (
                a.places[k],
                b.places[k],
                self._slip_color(b.slip[k]) if a.contacts[k] and b.contacts[k] else dim,
            )
            for k in range(2)
        ]

    def _slip_color(self, slip: float) -> Color:
        good, fair, bad = self.heat
        low, high = SLIPS
        if slip <= low:
            return good
        share = min((slip - low) / (high - low), 1.0)
        return mix(fair, bad, share)
