"""The embedded file is what the script makes."""

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.io import load, save
from resources.sample.build import FILE
from resources.sample.shape import surface
from tests.resources.conftest import Character


def assert_same(a: Any, b: Any, place: str) -> None:
    """Equal in structure; numbers within what processors differ by."""
    if isinstance(a, np.ndarray):
        # Nearly all are equal, which is told at a hundredth of what comparing closely costs.
        if not np.array_equal(a, b):
            np.testing.assert_allclose(b, a, rtol=0.0, atol=1e-6, err_msg=place)
    elif is_dataclass(a):
        assert type(a) is type(b), place
        for f in fields(a):
            if not f.name.startswith("_"):
                assert_same(getattr(a, f.name), getattr(b, f.name), f"{place}.{f.name}")
    elif hasattr(a, "keys"):
        assert list(a) == list(b), place
        for key in a:
            assert_same(a[key], b[key], f"{place}[{key}]")
    elif isinstance(a, tuple | list):
        assert len(a) == len(b), place
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            assert_same(x, y, f"{place}[{i}]")
    elif isinstance(a, float):
        assert abs(a - b) < 1e-9, place
    else:
        assert a == b, place


def test_embedded_file_is_up_to_date(character: Character) -> None:
    stored = load(FILE).project
    assert list(stored.assets) == list(character.project.assets)
    for key, asset in character.project.assets.items():
        assert_same(asset, stored.assets[key], key)


def test_embedded_file_is_small() -> None:
    """Every clone carries it; 4.0 MB since additive clips keep the hands closed."""
    assert FILE.stat().st_size < 5_000_000


def test_build_gives_the_same_bytes_twice(character: Character, tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(character.project, tmp_path / f"{name}.posewright")
    assert (tmp_path / "a.posewright").read_bytes() == (tmp_path / "b.posewright").read_bytes()


def test_stored_surface_was_made_by_the_present_code() -> None:
    """After a change of the shape: ``python -m resources.sample.shape.surface``, then the build."""
    assert surface.stored_digest() == surface.source_digest()
