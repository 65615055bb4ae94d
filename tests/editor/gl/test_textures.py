"""Surfaces in pictures: textures, opacity, sides, clay. And the decoder: what it gives, what it refuses."""

import io
import os
import platform
import struct
import time
import zlib
from dataclasses import replace

import numpy as np
import pytest

from core.io.common.helper import fence
from core.rig.mesh import AlphaMode, Material, Texture, Wrap
from editor.gl import image_decoder
from editor.gl.camera import Camera
from editor.gl.draw_list import DrawList, MeshGeometry, MeshInstance, Shading
from editor.gl.image_decoder import ImageDecoder, ImageError
from editor.gl.png import encode_png
from editor.gl.texture_library import TextureLibrary
from editor.gl.texture_values import Surface, TextureImage, half, levels_of, surface_of
from tests.editor.rigs import small_project

SIZE = (120, 120)
EYE = Camera(target=(0, 0, 0), yaw=0.0, pitch=0.0, distance=3.0, fov=0.7, orthographic=True)
MIDDLE = {"left": (40, 60), "right": (80, 60), "above": (60, 40), "below": (60, 80)}
RED, GREEN, BLUE, WHITE = ((255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255))


def image(rows) -> TextureImage:
    """Few large pixels, each 8 × 8 so that smaller levels hold the same colours."""
    return TextureImage(levels_of(np.kron(np.array(rows, np.uint8), np.ones((8, 8, 1), np.uint8))))


CORNERS = image([[RED, GREEN], [BLUE, WHITE]])
"""Red green above, blue white below."""


def sheet(uvs=((0, 1), (1, 1), (1, 0), (0, 0)), z=0.0, colors=None, facing=1.0) -> MeshGeometry:
    """A square metre across the view; its UVs from its lower left corner on, V pointing down."""
    corners = np.array([(-0.5, -0.5, z), (0.5, -0.5, z), (0.5, 0.5, z), (-0.5, 0.5, z)])
    triangles = np.array([(0, 1, 2), (0, 2, 3)])
    if facing < 0:
        triangles = triangles[:, ::-1]
    key = (
        "sheet",
        np.array(uvs).tobytes(),
        z,
        None if colors is None else np.array(colors).tobytes(),
        facing,
    )
    return MeshGeometry(
        key, corners, np.tile((0.0, 0.0, facing), (4, 1)), triangles, colors=colors, uvs=np.array(uvs)
    )


def shown(view, surface, geometry=None, color=(1.0, 1.0, 1.0, 1.0), **more):
    frame = DrawList(
        None,
        (MeshInstance(geometry or sheet(), np.eye(4)[None], np.array([color]), surfaces=(surface,), **more),),
    )
    return view.render(frame, EYE, SIZE)[..., :3].astype(int)


def hue(picture, pixel) -> str:
    red, green, blue = picture[pixel[1], pixel[0]]
    bright = np.array([red, green, blue]) > 110
    return {(True, False, False): "red", (False, True, False): "green", (False, False, True): "blue",
            (True, True, True): "white", (True, True, False): "yellow"}.get(tuple(bright), "dark")  # fmt: skip


def quarters(picture) -> tuple[str, str, str, str]:
    """Upper left, upper right, lower left, lower right of the sheet."""
    return tuple(hue(picture, pixel) for pixel in ((45, 45), (75, 45), (45, 75), (75, 75)))


def test_texture_lies_as_its_uvs_say(view):
    assert quarters(shown(view, Surface(CORNERS))) == ("red", "green", "blue", "white")


def test_texture_is_multiplied_with_material_and_vertex_colours(view):
    plain = shown(view, Surface(CORNERS), color=(1.0, 0.0, 0.0, 1.0))
    assert quarters(plain) == ("red", "dark", "dark", "red")
    painted = shown(view, Surface(CORNERS), sheet(colors=np.tile((0.0, 0.0, 1.0, 1.0), (4, 1))))
    assert quarters(painted) == ("dark", "dark", "blue", "blue")


@pytest.mark.parametrize(
    ("wrap", "expected"),
    [(Wrap.REPEAT, "red"), (Wrap.MIRROR, "green"), (Wrap.CLAMP, "green")],
)
def test_texture_goes_on_outside_as_it_wraps(view, wrap, expected):
    across = sheet(((1, 1), (2, 1), (2, 0), (1, 0)))
    picture = shown(view, Surface(CORNERS, wrap=(wrap, Wrap.CLAMP), smooth=False), across)
    assert hue(picture, (45, 45)) == expected


@pytest.mark.parametrize("rotation", [0.0, 0.5, -2.0])
def test_texture_transform_is_that_of_three(rotation):
    """Second route: `Matrix3.setUvTransform` of three.js, as its glTF loader calls it, for even scales."""
    lying = Texture("image/png", b"", offset=(0.3, -0.2), rotation=rotation, scale=(1.7, 1.7))
    c, s, scale = np.cos(rotation), np.sin(rotation), 1.7
    three = (scale * c, scale * s, 0.3, -scale * s, scale * c, -0.2)
    assert surface_of(Material("m", texture=lying), CORNERS).place == pytest.approx(three)


def test_texture_moved_by_its_transform_shows_another_part(view):
    lying = Texture("image/png", b"", offset=(0.5, 0.0))
    assert quarters(shown(view, surface_of(Material("m", texture=lying), CORNERS))) == (
        "green", "red", "white", "blue",
    )  # fmt: skip


def test_mask_leaves_holes_and_opaque_ignores_opacity(view):
    clear = image([[(255, 0, 0, 255), (255, 0, 0, 90)]])
    masked = shown(view, Surface(clear, alpha=AlphaMode.MASK, cutoff=0.5))
    assert (hue(masked, MIDDLE["left"]), hue(masked, MIDDLE["right"])) == ("red", "dark")
    opaque = shown(view, Surface(clear))
    assert (hue(opaque, MIDDLE["left"]), hue(opaque, MIDDLE["right"])) == ("red", "red")


def test_blended_surface_lets_what_is_behind_through_in_any_order(view):
    glass = MeshInstance(
        sheet(z=0.2),
        np.eye(4)[None],
        np.array([(0.0, 1.0, 0.0, 0.5)]),
        surfaces=(Surface(alpha=AlphaMode.BLEND),),
    )
    wall = MeshInstance(sheet(), np.eye(4)[None], np.array([(1.0, 0.0, 0.0, 1.0)]), surfaces=(Surface(),))
    for meshes in ((glass, wall), (wall, glass)):
        red, green, _ = view.render(DrawList(None, meshes), EYE, SIZE)[60, 60, :3].astype(int)
        assert red > 70
        assert green > 70


@pytest.mark.parametrize("both", [False, True])
def test_inside_is_drawn_of_double_sided_surfaces_only(view, both):
    picture = shown(view, Surface(CORNERS, double_sided=both), sheet(facing=-1.0))
    assert (quarters(picture) == ("red", "green", "blue", "white")) is both


def test_silhouette_is_without_texture(view):
    picture = shown(view, Surface(CORNERS), shading=Shading.FLAT)
    assert quarters(picture) == ("white",) * 4


def test_parts_have_surfaces_of_their_own(view):
    geometry = replace(sheet(), key="two parts", parts=np.array([1, 0]))
    frame = MeshInstance(
        geometry, np.eye(4)[None], np.array([(1, 1, 1, 1), (0, 0, 1, 1)], np.float32),
        surfaces=(Surface(CORNERS), Surface()),
    )  # fmt: skip
    picture = view.render(DrawList(None, (frame,)), EYE, SIZE)[..., :3].astype(int)
    assert hue(picture, (45, 40)) == "red"  # part 0, the upper left triangle
    assert hue(picture, (75, 82)) == "blue"  # part 1, in its colour


def test_textures_and_meshes_no_frame_needs_are_dropped(view):
    with view.current():
        store = view.renderer._passes.textures
        for _ in range(400):
            store.begin_frame()
        assert store._textures == {}
    assert quarters(shown(view, Surface(CORNERS))) == ("red", "green", "blue", "white")


# ---------------------------------------------------------------- smaller levels


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (7, 2), (64, 64), (33, 5)])
def test_levels_end_at_one_pixel_and_keep_an_even_colour(shape):
    levels = levels_of(np.tile(np.array((10, 200, 30, 128), np.uint8), (*shape, 1)))
    assert levels[-1].shape == (1, 1, 4)
    for level in levels:
        assert (level == (10, 200, 30, 128)).all()


def test_half_takes_no_colour_from_clear_pixels():
    assert half(np.array([[(200, 0, 0, 255), (0, 0, 0, 0)]], np.uint8)).tolist() == [[[200, 0, 0, 128]]]


# ---------------------------------------------------------------- the decoder


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, body: bytes, more: bytes = b"") -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def text_of(megabytes: int) -> bytes:
    """A compressed text of so many zeros: small in the file, large for whoever unpacks it."""
    return chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(megabytes << 20)))


@pytest.fixture(scope="module")
def decoder():
    with ImageDecoder() as made:
        yield made


def noise(height: int, width: int):
    return np.random.default_rng(3).integers(0, 256, (height, width, 4)).astype(np.uint8)


def test_decode_gives_the_pixels_and_scales_down_to_the_edge(decoder):
    pixels = noise(20, 30)
    assert np.array_equal(decoder.decode(encode_png(pixels)).levels[0], pixels)
    assert decoder.decode(encode_png(pixels), edge=15).size == (15, 10)


@pytest.mark.parametrize("form", ["JPEG", "WEBP"])
def test_decode_reads_what_pillow_wrote(decoder, form):
    pillow = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    pillow.fromarray(np.full((16, 24, 3), (200, 100, 50), np.uint8)).save(out, form)
    found = decoder.decode(out.getvalue()).levels[0]
    assert found.shape == (16, 24, 4)
    assert np.abs(found[8, 12].astype(int) - (200, 100, 50, 255)).max() <= 6


def test_decode_image_of_sixty_thousand_squared_is_refused_by_its_head(monkeypatch):
    monkeypatch.setattr(image_decoder, "_start", lambda: pytest.fail("nothing may be decoded"))
    with pytest.raises(ImageError, match="60000 × 60000"):
        ImageDecoder().decode(png(60_000, 60_000, zlib.compress(bytes(1000))))


@pytest.mark.parametrize(
    "data",
    [
        png(8, 8, b"no deflate"),
        png(8000, 8000, zlib.compress(b"")),
        png(4, 4, zlib.compress(bytes(4 * 17)), 40 * text_of(64)),
        encode_png(noise(40, 40))[:900],
        b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x10\x00\x10" + bytes(40),
    ],
    ids=["no deflate", "empty", "texts of 2.5 GB", "cut", "jpeg without scans"],
)
def test_decode_damaged_image_says_so_and_the_next_is_decoded(decoder, data):
    try:
        found = decoder.decode(data)
    except ImageError as error:
        assert str(error)
    else:
        assert found.size[0] > 0  # a decoder may show what there is
    assert decoder.decode(encode_png(noise(4, 4))).size == (4, 4)


def test_decode_that_hangs_or_dies_ends_with_an_error_and_a_new_helper(monkeypatch):
    with ImageDecoder(seconds=0.3) as slow:
        monkeypatch.setattr(image_decoder, "WORKER", "tests.editor.gl.sleeper")
        started = time.monotonic()
        with pytest.raises(ImageError, match="too much memory or time"):
            slow.decode(encode_png(noise(4, 4)))
        assert time.monotonic() - started < 400.0
        monkeypatch.undo()
        slow._seconds = 30.0
        assert slow.decode(encode_png(noise(4, 4))).size == (4, 4)


@pytest.mark.skipif(os.name == "nt", reason="limits are a job object's there")
def test_helper_is_held_within_memory_and_time():
    import resource
    import subprocess
    import sys

    code = (
        "import resource as r, socket; from editor.gl.image_worker import limit; limit()\n"
        "held = [r.getrlimit(k)[0] for k in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE)]\n"
        "try: socket.socket(); net = 1\n"
        "except OSError: net = 0\n"
        "print(*held, net)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    memory, seconds, file, network = (int(word) for word in told.split())
    assert memory == 2048 << 20 != resource.RLIM_INFINITY
    assert (seconds, file) == (60, 0)
    if sys.platform.startswith("linux") and platform.machine() in fence.MACHINES:
        assert not network


def test_library_decodes_each_file_once_and_remembers_what_is_wrong():
    good, bad = encode_png(noise(4, 4)), png(60_000, 60_000, b"")
    project = small_project()
    mesh = project.meshes_of(project.rigs[0].id)[0]
    skin = [Material(n, texture=Texture("image/png", d)) for n, d in (("a", good), ("b", good), ("c", bad))]
    dressed = replace(mesh, materials=tuple(skin))
    library = TextureLibrary()
    assert library.unknown([dressed]) == (good, bad)
    assert list(library.decode((good, bad))) == [bad]
    assert library.unknown([dressed]) == ()
    assert library.image(skin[0].texture) is library.image(skin[1].texture) is not None
    library.forget([])
    assert library.unknown([dressed]) == (good, bad)
