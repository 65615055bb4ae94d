"""Broken files: bytes, words and runs anywhere, and changes that keep the outer form, so that readers get inside."""

import copy
import io
import json
import re
import struct
import zipfile

WORDS = (
    b"-1", b"0", b"1e999", b"99999999999", b"4294967295", b"null", b"[]", b"{}", b"NaN", b'"x"', b"\n", b"\0" * 8,
    b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"1.5", b"-0.0", b"CHANNELS 600000", b"Frames: 99999999",
)  # fmt: skip
VALUES = (
    -1, 0, 1, 2, 3, 5126, 5121, 5123, 5125, 10**9, 10**12, 10**40, 1.5, 1e308, -1e308, float("nan"), None, [], {},
    "x", "../../etc/passwd", True, [0], [0, 0], [[]], {"a": 1}, [1e308] * 3, [0] * 4, [float("nan")] * 4,
    "SCALAR", "VEC3", "MAT4", "CUBICSPLINE", "STEP",
)  # fmt: skip
HOSTILE = (b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"\xff\xff\xff\xff")
"""NaN, infinity, the largest number."""
NUMBERS = (
    b"-1",
    b"0",
    b"1e999",
    b"nan",
    b"inf",
    b"-inf",
    b"1e-320",
    b"99999999999",
    b"1e300",
    b"0x",
    b"1.5.2",
    b"",
)


def mutated(files, suffix, chance):
    """One broken file: of this format's form in half of the cases, else anything."""
    data = chance.choice(files)
    inside = INSIDE.get(suffix, inside_text)
    if chance.random() < 0.5:
        try:
            return inside(data, chance)
        except (ValueError, KeyError, IndexError, struct.error, zipfile.BadZipFile, UnicodeError):
            pass
    return any_bytes(data, files, chance)


def any_bytes(data, files, chance):
    """Bytes, runs, hostile numbers, pieces of other files, cuts; in one to eight places."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(max(1, len(data)))
        match chance.randrange(8):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.choice((1, 2, 4, 17, 300))]
            case 2:
                data[place:place] = chance.randbytes(chance.choice((1, 2, 4, 64)))
            case 3:
                word = chance.choice(WORDS)
                data[place : place + len(word)] = word
            case 4:
                data[place:place] = chance.choice(WORDS)
            case 5:
                other = chance.choice(files)
                start = chance.randrange(len(other))
                data[place : place + 50] = other[start : start + chance.choice((4, 50, 500))]
            case 6:
                if place < len(data):
                    data[place] ^= 1 << chance.randrange(8)
            case _:
                if chance.random() < 0.2:
                    del data[place:]
    return bytes(data)


def change_json(value, chance):
    """Change one member somewhere in a tree of lists and objects."""
    while isinstance(value, dict | list) and value:
        key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.7:
            value = inner
            continue
        if chance.random() < 0.25:
            del value[key]
        elif isinstance(value, list) and chance.random() < 0.2:
            value.append(inner)
        elif isinstance(inner, int | float) and not isinstance(inner, bool) and chance.random() < 0.4:
            value[key] = inner + chance.choice((-1, 1, 2, -0.5))
        else:
            value[key] = copy.deepcopy(
                chance.choice(VALUES)
            )  # else later changes make the choices ever larger
        return


def inside_json(data, chance):
    """JSON that stays JSON."""
    document = json.loads(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        change_json(document, chance)
    return json.dumps(document).encode()


def inside_glb(data, chance):
    """A container whose lengths are right: its JSON changed, or its binary part."""
    (length,) = struct.unpack_from("<I", data, 12)
    text, rest = data[20 : 20 + length], bytearray(data[20 + length :])
    if chance.random() < 0.75 or len(rest) < 16:
        text = inside_json(text, chance)
    else:
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(8, len(rest) - 4)
            rest[place : place + 4] = chance.choice(
                (b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"\xff\xff\xff\xff", chance.randbytes(4))
            )
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + bytes(rest)


def inside_zip(data, chance):
    """An archive whose checksums are right: one member changed, lost or doubled."""
    source = zipfile.ZipFile(io.BytesIO(data))
    members = {name: source.read(name) for name in source.namelist()}
    name = chance.choice(
        [n for n in members if n.endswith(".json")] if chance.random() < 0.7 else list(members)
    )
    if chance.random() < 0.05:
        del members[name]
    elif name.endswith(".json"):
        members[name] = inside_json(members[name], chance)
    else:
        changed = bytearray(members[name])
        for _ in range(chance.choice((1, 4))):
            changed[chance.randrange(min(len(changed), 160))] = chance.randrange(256)
        members[name] = bytes(changed)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for member, content in members.items():
            target.writestr(member, content)
    return out.getvalue()


def inside_text(data, chance):
    """Words of a text exchanged: numbers by hostile ones, lines doubled, lost or swapped."""
    if b"\0" in data[:1000]:
        raise ValueError("no text")
    parts = re.split(rb"([^\s,;:(){}\[\]]+)", data)
    words = list(range(1, len(parts), 2))
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.choice(words)
        kind = chance.random()
        if kind < 0.6:
            numbers = [
                n for n in words[max(0, place // 2 - 40) : place // 2 + 40] if parts[n][:1] in b"-.0123456789"
            ]
            parts[chance.choice(numbers or [place])] = chance.choice(NUMBERS)
        elif kind < 0.8:
            parts[place] = parts[chance.choice(words)]
        else:
            parts[place] = chance.choice((b"", b"{", b"}", b"[", b")", b"x" * 300, b"\xff", b"#"))
    return b"".join(parts)


INSIDE = {".gltf": inside_json, ".glb": inside_glb, ".posewright": inside_zip}
