"""What the interface and its sources say: translated, in proper plurals, in the field's words (words.md)."""

import ast
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from editor.actions.every import registry
from editor.model.session import Session

ROOT = Path(__file__).parents[2]
BANNED = {
    r"\bshall\b": "will, must, or the imperative",
    r"\blet go\b": "clear, unpin, release, discard",
    r"\bhangs? (on|under|below)\b": "parent, child of",
    r"\bits ending\b": "extension",
    r"\bfilms?\b": "video",
    r"\b(take|takes|taken|taking) (it |them )?away\b": "remove",
    r"\banew\b": "again",
    r"\b(give|gives|given|giving) up\b": "cancel, discard",
    r"\bput away\b": "closed",
    r"\bleft alone\b": "not changed",
    r"\bnow and then\b": "(how often?)",
}
"""What words.md replaces, as patterns, and by what: anywhere in texts, docstrings and guide."""
BANNED_IN_VIEW = {
    r"\bpictures?\b": "image, viewport",
    r"\bjoints\b(?! limit)": "bones",
    r"\bstands? (at|where|from)\b": "is at",
    r"\bspared\b": "removable",
    r"\bmake or pick\b|\bpick a\b": "create or select",
    r"\bat most\b": "maximum, largest",
    r"\bworked out\b": "computed",
    r"\bbackwards?\b": "reversed",
}
"""The same for what users read."""
NOUNS = (
    "bones keys clips frames files poses steps pairs curves contacts channels vertices rounds morphs images events "
    "characters meshes iterations bytes pictures samples layers seconds"
).split()


@cache
def trees(folder):
    """Parsed sources below a folder of the checkout, each with its path."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


@cache
def messages():
    """Every text in the editor's sources that is translated: (place, text, the other forms' texts)."""
    found = []
    for path, tree in trees("editor"):
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("tr", "trn")
            ):
                texts = [
                    a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
                ]
                if texts:
                    found.append((f"{path.relative_to(ROOT)}:{node.lineno}", node.func.id, texts))
    return found


@cache
def literals():
    """Texts and docstrings of the editor and the command line, with their places."""
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node.value)
        for folder in ("editor", "core/cli")
        for path, tree in trees(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]


@cache
def guide():
    return [
        (f"{path.relative_to(ROOT)}:{number}", line)
        for path in [*sorted((ROOT / "resources" / "guide").rglob("*.md")), ROOT / "README.md"]
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    ]


def test_everything_in_the_window_passes_the_translation():
    """A catalogue that marks its texts; whatever shows without a mark did not pass `tr`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.editor.marked_window"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == []


def said(pattern, places, replacement):
    word = re.compile(pattern, re.IGNORECASE)
    return [f"{place}: {text!r} → {replacement}" for place, text in places if word.search(text)]


@pytest.mark.parametrize("pattern", BANNED)
def test_no_odd_words_in_texts_docstrings_and_guide(pattern):
    found = said(pattern, (*literals(), *guide()), BANNED[pattern])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("pattern", BANNED_IN_VIEW)
def test_visible_texts_use_the_words_of_the_field(pattern):
    texts = [(place, text) for place, _, forms in messages() for text in forms]
    found = said(pattern, texts, BANNED_IN_VIEW[pattern])
    assert not found, "\n".join(found)


def test_counts_have_a_singular_and_a_plural():
    """A number before a plural noun is `trn`'s, else one of something reads "1 bones"."""
    counted = re.compile(r"\{count\} (?:\w+ )?(" + "|".join(NOUNS) + r")\b")
    wrong = [
        f"{place}: {texts[0]!r}"
        for place, kind, texts in messages()
        if kind == "tr" and counted.search(texts[0])
    ]
    assert not wrong, "\n".join(wrong)


def test_forms_of_a_count_name_the_same_values():
    values = re.compile(r"\{(\w+)\}")
    for place, kind, texts in messages():
        if kind == "trn":
            one, many = (set(values.findall(text)) for text in texts)
            assert one <= many | {"count", "name"}, f"{place}: {texts}"


def test_titles_are_in_sentence_case():
    """Of texts that begin with a capital, only names and abbreviations have further ones."""
    names = re.compile(
        r"\{\w+\}|[A-Z]{2,}\w*|\b[A-Z]\b|Posewright|Blender|Maya|Unreal|Unity|Godot|Euler|Gaussian|Butterworth|Phosphor"
        r"|Loop|Play set-up|Set "
        "key|Esc|Ctrl|Shift|Alt|Enter|Space|Backspace|Delete|Escape|Hermite|Mixamo|Omniverse|Qt|glTF|Fbx|WebP|Num|Home"
        r"|(?<=[.:?!›→…)“] )\w+|(?<=\n)\w+|“[^”]*”|(?<=[·/] )\w+"
    )
    wrong = []
    for place, _, texts in messages():
        for text in texts:
            rest = names.sub("", text)
            if len(text.split()) <= 6 and re.search(r"(?<=\w )[A-Z][a-z]+", rest):
                wrong.append(f"{place}: {text!r}")
    assert not wrong, "\n".join(wrong)


def test_actions_are_titled_like_actions():
    for action in registry(Session.create()):
        assert action.title[:1] == action.title[:1].upper() and not action.title.endswith("."), action.id
        assert not action.tip.endswith("."), f"{action.id}: {action.tip}"
