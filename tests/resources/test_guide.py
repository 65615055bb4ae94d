"""Every recipe of the guide runs, and prints what its comments say."""

import io
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import core.io
from core.cli.main import main
from core.errors import FormatError
from core.project.project import Project
from editor.model.guide import SCRIPTS, found_pages, guide_folder, guide_pages
from editor.shell.workspaces import WORKSPACES

SAMPLE = guide_folder().parent / "sample" / "mannequin.posewright"
RECIPES = [page for page in guide_pages() if page.section == SCRIPTS]
FEWER = {"21_shot": ("wave",)}
"""Recipes that write and read all clips in another format, and the clips that their project has here: one is enough."""
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMISE = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)
SUBJECTS = (
    "load",
    "key",
    "mirror",
    "bake",
    "blend",
    "additive",
    "retarget",
    "export",
    "batch",
    "compile",
    "graph",
    "run_scripts",
    "montage",
    "locomotion",
    "simulate",
    "ragdoll_graph",
    "timing",
    "spaces",
    "blocking",
    "layers",
    "shot",
    "media",
    "sets",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that recipes name: the sample character, a walk in BVH, and takes of which one is broken."""
    folder = tmp_path_factory.mktemp("guide")
    shutil.copy(SAMPLE, folder / "mannequin.posewright")
    project = core.io.load(SAMPLE).project
    walk = project.without(*(clip.id for clip in project.clips if clip.name != "walk"))
    core.io.save(walk, folder / "walk.bvh")
    (folder / "box.obj").write_text(
        "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    (folder / "takes").mkdir()
    for name in ("take_1", "take_2"):
        shutil.copy(folder / "walk.bvh", folder / "takes" / f"{name}.bvh")
    (folder / "takes" / "broken.bvh").write_text("HIERARCHY\nROOT hips\n{\n")
    return folder


def fewer_clips(folder, recipe):
    """A folder for a recipe, with a project of few clips in the sample's place."""
    project, own = core.io.load(SAMPLE).project, folder / recipe
    kept = [project.clip_named(name) for name in FEWER[recipe]]
    rig = project.rigs[0].with_targets({reference.target: None for reference in project.rigs[0].references()})
    shutil.copytree(folder, own, ignore=shutil.ignore_patterns("*.posewright", "*.glb", "*.fbx"))
    core.io.save(Project().with_assets(rig, *project.meshes_of(rig.id), *kept), own / "mannequin.posewright")
    return own


def code_of(page):
    return "\n".join(CODE.findall(page.text))


def test_there_is_a_recipe_for_each_subject():
    assert [page.path.stem.split("_", 1)[1] for page in RECIPES] == list(SUBJECTS)


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.path.stem)
def test_recipe_prints_what_its_comments_say(page, folder, monkeypatch):
    if page.path.stem in FEWER:
        folder = fewer_clips(folder, page.path.stem)
    monkeypatch.chdir(folder)
    code, said = code_of(page), io.StringIO()
    with redirect_stdout(said):
        exec(compile(code, str(page.path), "exec"), {"__name__": "recipe"})
    promised = PROMISE.findall(code)
    assert promised and said.getvalue().splitlines() == promised


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.path.stem)
def test_recipe_is_short_and_imports_little(page):
    lines = [line for line in code_of(page).splitlines() if line.strip()]
    ours = [line for line in lines if re.match(r"(from|import) core\b", line)]
    assert max(map(len, lines)) <= 88, "too wide for the window of the guide"
    assert len(lines) <= 25 and len(ours) <= 5, f"{len(lines)} lines, {len(ours)} imports of ours"


def test_commands_of_the_graph_page_run_with_the_inputs_that_it_shows(folder, monkeypatch, capsys):
    page = next(page for page in RECIPES if page.path.stem == "11_graph")
    blocks = re.findall(r"(?:^    .*\n)+", page.text.split("```")[-1], re.M)
    commands, script = blocks[0].splitlines(), "\n".join(line[4:] for line in blocks[1].splitlines())
    monkeypatch.chdir(folder)
    (folder / "in.json").write_text(script)
    assert len(commands) == 3
    for command in commands:
        program, *words = command.split()
        assert program == "posewright"
        assert main(words) == 0, capsys.readouterr()
    assert (folder / "run.glb").stat().st_size > 1_000


def test_recipes_need_no_window():
    """What a recipe imports brings neither Qt nor OpenGL, in a process of its own."""
    names = sorted(
        {line for page in RECIPES for line in re.findall(r"^(?:from|import) core.*$", page.text, re.M)}
    )
    code = "\n".join(
        [
            *names,
            "import sys",
            "print([n for n in sys.modules if n.startswith(('PySide6', 'OpenGL', 'editor'))])",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(core.io.__file__).parents[2],
    )
    assert done.stdout.strip() == "[]"


def test_pages_of_the_editor_come_before_those_for_scripts():
    sections = [page.section for page in guide_pages()]
    assert sections[0] == "" and sections == sorted(sections)


def test_the_first_page_names_every_workspace_in_its_order():
    titles = ", ".join(workspace.title for workspace in WORKSPACES)
    assert f"Workspaces are the tabs at the top right: {titles}." in guide_pages()[0].text


def test_every_word_is_looked_for_and_titles_come_first():
    pages = guide_pages()
    assert found_pages(pages, "") == pages
    assert found_pages(pages, "MIRROR clip")[0].path.stem == "03_mirror"
    assert found_pages(pages, "no-such-word") == ()


def test_page_without_heading_names_file_and_line(tmp_path):
    (tmp_path / "bad.md").write_text("text")
    with pytest.raises(FormatError, match=r"bad\.md.*line 1.*heading"):
        guide_pages(tmp_path)


def test_folder_is_part_of_the_package():
    assert guide_folder().is_dir() and guide_folder().parent.name == "resources"
