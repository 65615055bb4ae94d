import ast
import re
from pathlib import Path

import pytest

import editor
from editor.gl.colors import DARK as DARK_VIEW
from editor.gl.colors import LIGHT as LIGHT_VIEW
from editor.qt.style import style_sheet
from editor.qt.tokens import GROUNDS, PLATE, READABLE, THEMES, contrast, ink, mix

ROOT = Path(editor.__file__).parent
TINTED = (
    "accent", "selection", "key", "pending", "record", "axis_x", "axis_y", "axis_z", "ok", "warning", "error",
)  # fmt: skip
TONES = ("source", "blend", "bone", "logic", "value", "output")
OFF = 3.0
"""Least contrast of what is switched off: it need not be read, but must be seen."""
both = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


def hexed(color):
    return "#" + "".join(f"{round(255 * part):02x}" for part in color[:3])


@both
@pytest.mark.parametrize("ground", GROUNDS)
def test_words_can_be_read_on_every_ground(theme, ground):
    below = getattr(theme, ground)
    poor = {
        name: round(contrast(ink(theme, name), below), 2)
        for name in ("text", "dim", *TINTED)
        if contrast(ink(theme, name), below) < READABLE
    }
    assert not poor
    assert ink(theme, "text") == theme.text and ink(theme, "dim") == theme.dim, "plain words need no change"


@both
def test_what_is_switched_off_can_be_seen(theme):
    for ground in ("window", "panel", "raised", "field"):
        assert contrast(theme.disabled, getattr(theme, ground)) >= OFF


def rules(sheet):
    """The rules of a style sheet: selector and properties."""
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        yield selector.strip(), dict(re.findall(r"([\w-]+)\s*:\s*([^;]+);", body + ";"))


@both
def test_every_pair_of_the_style_sheet_can_be_read(theme, tmp_path):
    """A rule's colour on its own ground, or where it has none on every ground that it may stand on."""
    measured, poor = 0, []
    own = {
        selector: found["background"]
        for selector, found in rules(style_sheet(theme, tmp_path))
        if "background" in found
    }
    for selector, found in rules(style_sheet(theme, tmp_path)):
        base = selector.split("[")[0].split(":")[0]
        pairs = [(found.get("color"), found.get("background") or own.get(selector) or own.get(base))]
        pairs.append((found.get("selection-color"), found.get("selection-background-color")))
        least = OFF if "disabled" in selector else READABLE
        for color, ground in pairs:
            if color is None or not color.startswith("#"):
                continue
            grounds = (
                [ground] if ground and ground.startswith("#") else [getattr(theme, name) for name in GROUNDS]
            )
            if "disabled" in selector and len(grounds) > 1:
                grounds = [theme.panel, theme.raised, theme.field]
            for below in grounds:
                measured += 1
                if contrast(color, below) < least:
                    poor.append((selector, color, below, round(contrast(color, below), 2)))
    assert not poor
    assert measured > 40, "the sheet was read"


@both
@pytest.mark.parametrize("name", ["text", "dim", "accent", "record", "warning", "selection"])
def test_words_over_the_picture_can_be_read_whatever_lies_behind_their_plate(theme, name):
    view = DARK_VIEW if theme.dark else LIGHT_VIEW
    behind = [hexed(color) for color in (view.body, view.joints, view.background_top, view.background_bottom)]
    for color in (*behind, "#ffffff" if theme.dark else "#202020"):
        assert contrast(ink(theme, name), mix(color, theme.field, PLATE)) >= READABLE - 0.05, color


@both
@pytest.mark.parametrize("tone", TONES)
def test_words_in_the_head_of_a_node_can_be_read(theme, tone):
    from editor.panels.graph.paint_nodes import DETAIL_INK

    for share in (0.22, 0.24):
        head = mix(theme.raised, getattr(theme, f"tone_{tone}"), share)
        assert contrast(theme.text, head) >= READABLE
        assert contrast(mix(theme.dim, theme.text, DETAIL_INK), head) >= READABLE


def calls(tree, *names):
    """Calls of functions of these names in the order of their lines."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def test_painted_words_never_take_a_tinted_colour_as_it_is():
    """The pen before a `drawText` in the same function is no ``color("accent")``: words take ``ink``."""
    wrong, seen = [], 0
    for path in (
        *(ROOT / "panels").rglob("*.py"),
        *(ROOT / "qt").rglob("*.py"),
        *(ROOT / "shell").rglob("*.py"),
    ):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            pen = ""
            for call in calls(function, "setPen", "drawText"):
                if call.func.attr == "setPen":
                    pen = ast.unparse(call.args[0]) if call.args else ""
                    continue
                seen += 1
                plain = re.match(r"[\w.]*\bcolor\((.*)\)", pen)
                if plain and any(f"'{name}'" in plain.group(1) for name in (*TINTED, "disabled")):
                    if "disabled" in plain.group(1) and " if " in plain.group(1):
                        continue  # what is switched off
                    wrong.append(f"{path.relative_to(ROOT)}:{call.lineno}: {pen}")
    assert not wrong
    assert seen > 40, "drawing was found"


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


def test_mix_halves_meet_in_the_middle():
    assert mix("#000000", "#ffffff", 0.5) == "#808080"


def test_no_other_module_of_the_window_writes_a_colour():
    root = ROOT
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|QColor\(\s*\d")
    allowed = {root / "qt" / "tokens.py", root / "gl" / "colors.py"}
    found = [
        f"{path.relative_to(root)}: {match.group()}"
        for folder in ("qt", "shell", "panels")
        for path in (root / folder).rglob("*.py")
        if path not in allowed
        for match in literal.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
