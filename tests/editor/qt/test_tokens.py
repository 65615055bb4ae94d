import re
from pathlib import Path

import pytest

import editor
from editor.qt.tokens import THEMES, contrast, mix


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", ["window", "panel", "raised", "field", "hover", "selected_row"])
def test_text_on_every_ground_has_enough_contrast(theme, ground):
    assert contrast(theme.text, getattr(theme, ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", ["window", "panel", "field"])
def test_dim_text_has_enough_contrast(theme, ground):
    assert contrast(theme.dim, getattr(theme, ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_text_on_the_accent_has_enough_contrast(theme):
    assert contrast(theme.on_accent, theme.accent) >= 4.5


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


def test_mix_halves_meet_in_the_middle():
    assert mix("#000000", "#ffffff", 0.5) == "#808080"


def test_no_other_module_of_the_window_writes_a_colour():
    root = Path(editor.__file__).parent
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
