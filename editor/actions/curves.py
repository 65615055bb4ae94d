"""What the curve editor does, for menus and the palette; the panel binds it."""

from collections.abc import Callable

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_clip, needs_copied_keys, needs_keys, needs_loop
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import key_commands


def actions() -> list[Action]:
    """The actions of the Curve menu."""
    menu, time = tr("Curve"), Scope.TIME
    rows = [
        ("tween", tr("Tween…"), "sliders", True),
        ("blend_neighbour", tr("Blend to neighbour…"), "sliders", True),
        ("scale_average", tr("Scale from average…"), "sliders", True),
        ("push_pull", tr("Push and pull…"), "sliders", True),
        ("time_offset", tr("Time offset…"), "sliders", False),
        ("noise", tr("Noise…"), "sliders", False),
        ("smooth", tr("Smooth slopes…"), "smooth", False),
        ("gaussian", tr("Gaussian smoothing…"), "smooth", False),
        ("butterworth", tr("Butterworth smoothing…"), "smooth", False),
        ("reduce", tr("Reduce keys of curves…"), "reduce", False),
        ("reduce_world", tr("Reduce keys by distance…"), "reduce", False),
        ("euler_filter", tr("Euler filter…"), "rotations", False),
        ("to_quaternion", tr("Convert to quaternions…"), "rotations", False),
        ("to_euler", tr("Convert to Euler angles…"), "rotations", False),
    ]
    found = [
        Action(
            f"curves.{id}", title, None, (), time, menu, section,
            enabled=needs_keys if keys else needs_clip,
        )
        for id, title, section, keys in rows
    ]  # fmt: skip
    more = [
        ("break", tr("Break tangents"), "tangents", True),
        ("unify", tr("Unify tangents"), "tangents", True),
        ("swap_buffer", tr("Swap with buffer curve"), "buffer", False),
        ("paste_original", tr("Paste keys at original time"), "buffer", False),
        ("paste_reversed", tr("Paste keys reversed"), "buffer", False),
        ("link_ends", tr("Link first and last keys"), "loop", False),
        ("cycle", tr("Start the cycle here"), "loop", False),
        ("layout_absolute", tr("Curves: absolute"), "layout", False),
        ("layout_normalised", tr("Curves: normalised"), "layout", False),
        ("layout_stacked", tr("Curves: stacked"), "layout", False),
    ]
    # What every panel over time does alike; the rest is bound by the curve editor.
    shared: dict[str, Callable[[Session], object]] = {
        "paste_original": lambda s: key_commands.paste(s, at_playhead=False),
        "paste_reversed": lambda s: key_commands.paste(s, backwards=True),
        "link_ends": key_commands.link_ends,
        "cycle": key_commands.cycle_here,
    }
    rules = {
        "paste_original": needs_copied_keys,
        "paste_reversed": needs_copied_keys,
        "link_ends": needs_loop,
        "cycle": needs_loop,
    }
    return found + [
        Action(
            f"curves.{id}",
            title,
            shared.get(id),
            (),
            time,
            menu,
            section,
            enabled=rules.get(id, needs_keys if keys else needs_clip),
        )
        for id, title, section, keys in more
    ] + [
        Action(
            "curves.motion", tr("Show speed and acceleration of the bone"),
            lambda session: session.switches.toggle("curves_motion"), ("Alt+Shift+G",), time, menu, "layout",
            checked=lambda session: session.switches["curves_motion"],
            tip=tr("Over the curves, of the bone selected last: where it is in the world, root motion as shown"),
        ),
    ]  # fmt: skip
