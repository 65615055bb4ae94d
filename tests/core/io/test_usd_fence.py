"""USD reads nothing outside of its folder, unless the user allows another one."""

import os
import threading
from pathlib import Path

import pytest

from core.cli.main import main
from core.errors import FormatError
from core.io import load, save
from core.io.usd.options import UsdReadOptions
from tests.core.io import making

pytest.importorskip("pxr")


@pytest.fixture
def folders(tmp_path):
    """A character outside, and an empty folder for files that name it."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    save(making.small(), outside / "hero.usda")
    return inside, outside


def naming(inside, how, path):
    text = {
        "sublayer": f"#usda 1.0\n(\n    subLayers = [@{path}@]\n)\n",
        "reference": f'#usda 1.0\ndef "A" (\n    references = @{path}@</Root>\n)\n{{\n}}\n',
        "payload": f'#usda 1.0\ndef "A" (\n    payload = @{path}@</Root>\n)\n{{\n}}\n',
        "variant": '#usda 1.0\ndef "A" (\n    variants = { string v = "x" }\n    prepend variantSets = "v"\n)\n{\n'
        f'    variantSet "v" = {{\n        "x" (\n            references = @{path}@</Root>\n'
        "        ) {\n        }\n    }\n}\n",
    }[how]
    file = inside / "a.usda"
    file.write_text(text)
    return file


@pytest.mark.parametrize("how", ["sublayer", "reference", "payload", "variant"])
@pytest.mark.parametrize("way", ["absolute", "above", "link"])
def test_layers_outside_are_refused_and_named(how, way, folders):
    inside, outside = folders
    path = {"absolute": str(outside / "hero.usda"), "above": "../outside/hero.usda", "link": "./link.usda"}[
        way
    ]
    if way == "link":
        (inside / "link.usda").symlink_to(outside / "hero.usda")
    with pytest.raises(FormatError) as caught:
        load(naming(inside, how, path))
    assert Path(path).name in str(caught.value) and "outside of the file's folder" in str(caught.value)


@pytest.mark.parametrize("how", ["sublayer", "reference"])
def test_layers_below_the_folder_are_read(how, folders):
    inside, outside = folders
    (inside / "parts").mkdir()
    (outside / "hero.usda").rename(inside / "parts" / "hero.usda")
    for image in outside.glob("*.png"):
        image.rename(inside / "parts" / image.name)
    loaded = load(naming(inside, how, "./parts/hero.usda"))
    assert len(loaded.project.rigs) == 1
    assert not any("not opened" in text for text in loaded.report.left_out)


def test_folder_that_is_allowed_is_read_for_this_import(folders, capsys):
    inside, outside = folders
    file = naming(inside, "reference", "../outside/hero.usda")
    assert load(file, options=UsdReadOptions(folders=(str(outside),))).project.rigs
    assert main(["info", str(file)]) == 1
    assert "can be allowed" in capsys.readouterr().err
    assert main(["info", str(file), "--allow-folder", str(outside)]) == 0
    assert main(["info", str(outside / "hero.usda"), "--allow-folder", str(inside)]) == 0


def test_layer_that_a_good_layer_names_is_refused_too(folders):
    inside, outside = folders
    (inside / "middle.usda").write_text("#usda 1.0\n(\n    subLayers = [@../outside/hero.usda@]\n)\n")
    with pytest.raises(FormatError, match=r"hero\.usda in middle\.usda"):
        load(naming(inside, "sublayer", "./middle.usda"))


@pytest.mark.parametrize(
    "path", ["//server/share/x.usda", "\\\\\\\\server\\\\share\\\\x.usda", "https://host/x.usda"]
)
def test_network_paths_are_refused_and_named(path, folders):
    inside, _ = folders
    with pytest.raises(FormatError, match="an address on a network"):
        load(naming(inside, "sublayer", path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_fifo_is_refused_and_does_not_hang(folders):
    inside, _ = folders
    os.mkfifo(inside / "pipe.usda")
    found: list[Exception] = []

    def read():
        try:
            load(naming(inside, "reference", "./pipe.usda"))
        except FormatError as error:
            found.append(error)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(400.0)  # a first load of the library takes its time on a busy machine
    assert not reader.is_alive() and "no regular file" in str(found[0])


def test_character_is_read_without_what_it_names_outside(folders):
    inside, outside = folders
    save(making.small(), inside / "b.usda")
    text = (inside / "b.usda").read_text()
    text += '\ndef "Extra" (\n    references = @../outside/hero.usda@</Root>\n)\n{\n}\n'
    (inside / "b.usda").write_text(text)
    loaded = load(inside / "b.usda")
    assert len(loaded.project.rigs) == 1
    assert any("../outside/hero.usda in b.usda: outside" in told for told in loaded.report.left_out)
