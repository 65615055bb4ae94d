"""Words of the model: messages, refusals, reports of files, names and prefixes, and pages of the guide."""

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.clips.clip import Channel, Property
from core.clips.keying import KeyWhich
from core.errors import AnimError, FormatError, IncompleteError, ValidationError
from core.ids import AssetId
from core.io import ImportReport
from core.project.project import Project
from editor.model import guide, heap, i18n, lanes, paths, recent_pictures, screen
from editor.model.bone_names import common_prefix, fits, short_name
from editor.model.channels import curve_channel, morph_channel, split_weights
from editor.model.disk import ChangedOutsideError, LockedError
from editor.model.document import Document
from editor.model.file_lock import Owner
from editor.model.file_reports import FileReports, said_of
from editor.model.file_state import FileState
from editor.model.keyed_words import named, nothing_keyed
from editor.model.messages import Level, Message, Messages
from editor.model.origins import Origin, Origins
from editor.model.questions import Unasked
from editor.model.recovery import Recoverable, Recovered
from editor.model.tried import tried
from tests.editor.rigs import small_clip, small_project, small_rig

SPEED, SMILE = curve_channel("speed"), morph_channel("body/smile")


# ---------------------------------------------------------------- messages
def test_messages_are_kept_in_order_up_to_a_number_and_each_is_posted() -> None:
    messages, posted = Messages(keep=2), []
    messages.posted.connect(posted.append)
    assert messages.latest is None and messages.log == ()
    messages.info("one", "next")
    messages.warn("two", "next", "act")
    messages.error("three", "next", "act", "press")
    expected = [
        Message(Level.INFO, "one", "next"),
        Message(Level.WARNING, "two", "next", "act"),
        Message(Level.ERROR, "three", "next", "act", "press"),
    ]
    assert posted == expected and messages.log == tuple(expected[1:]) and messages.latest == expected[2]


def test_two_hundred_messages_are_kept() -> None:
    messages = Messages()
    for number in range(201):
        messages.info(str(number))
    assert len(messages.log) == 200 and messages.log[0].text == "1"


def test_resolving_is_told_and_leaves_the_log() -> None:
    messages, heard = Messages(), []
    messages.resolved.connect(heard.append)
    messages.error("one")
    messages.resolve()
    assert heard == [None] and len(messages.log) == 1


def test_what_is_refused_is_a_warning_and_what_fails_an_error() -> None:
    messages = Messages()

    def raising(error: Exception) -> object:
        raise error

    assert tried(messages, lambda: 5) == 5 and messages.latest is None
    assert tried(messages, lambda: raising(ValidationError("no way"))) is None
    assert (messages.latest.level, messages.latest.text) == (Level.WARNING, "No way")
    assert tried(messages, lambda: raising(AnimError("broken"))) is None
    assert (messages.latest.level, messages.latest.text) == (Level.ERROR, "broken")
    with pytest.raises(KeyError):
        tried(messages, lambda: raising(KeyError("x")))


@pytest.mark.parametrize(("text", "expected"), [("", ""), ("a", "A"), ("no Bone", "No Bone"), ("ü", "Ü")])
def test_a_sentence_begins_large(text: str, expected: str) -> None:
    assert i18n.sentence(text) == expected


@pytest.mark.parametrize(("count", "text"), [(0, "0 keys"), (1, "1 key"), (1234567, "1,234,567 keys of a")])
def test_counts_have_their_form_and_commas(count: int, text: str) -> None:
    many = "{count} keys of {name}" if count > 1 else "{count} keys"
    assert i18n.trn("{count} key", many, count, name="a") == text


# ---------------------------------------------------------------- keys in words
@pytest.mark.parametrize(
    ("bones", "weights", "words"),
    [
        ([], (), "0 bones"),
        (["head"], (), "head"),
        (["head", "chest"], (), "2 bones"),
        ([], (SPEED,), "speed"),
        ([], (SPEED, SMILE), "2 morphs and curves"),
        (["head"], (SMILE,), "head, body/smile"),
    ],
)
def test_bones_and_weights_are_named_where_there_is_one(
    bones: list[str], weights: tuple[Channel, ...], words: str
) -> None:
    assert named(bones, weights) == words


@pytest.mark.parametrize(
    ("which", "bones", "weights", "words"),
    [
        (KeyWhich.CHANGED, ["head"], (), "the pose is the clip's own at frame 7"),
        (KeyWhich.EXISTING, ["head"], (), "there are no channels of head yet"),
        (KeyWhich.EXISTING, ["pelvis"], (), "the keys of pelvis at frame 7 are these already"),
        (KeyWhich.ALL, ["head"], (SPEED,), "the keys of head at frame 7 are these already"),
        (KeyWhich.ALL, [], (SPEED,), "the keys of speed at frame 7 are these already"),
    ],
)
def test_why_nothing_was_keyed(
    which: KeyWhich, bones: list[str], weights: tuple[Channel, ...], words: str
) -> None:
    assert nothing_keyed(small_clip(small_rig()), which, bones, weights, "7") == f"No key set: {words}"


def test_weights_are_split_into_curves_and_morphs() -> None:
    bone = Channel("head", Property.ROTATE, 0)
    assert split_weights({SPEED: 1, SMILE: 2, bone: 3}) == ({"speed": 1.0}, {"body/smile": 2.0})


# ---------------------------------------------------------------- files
@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [
        (500, 999_000, "0.5 of 999 kB"),
        (500_000, 999_999, "500 of 1000 kB"),
        (99_500_000, 999_999_999, "99.5 of 1000 MB"),
        (1_234_000_000, 12_300_000_000, "1.23 of 12.3 GB"),
        (500_000, 1_000_000, "0.5 of 1 MB"),
        (1_234_567, 38_000_000, "1.23 of 38 MB"),
    ],
)
def test_a_file_that_was_broken_off_says_how_much_of_it_is_there(
    found: int, expected: int, words: str
) -> None:
    error = IncompleteError("a/walk.glb", "", found, expected)
    assert said_of(error) == f"walk.glb is incomplete ({words}): copy or download it again"
    assert said_of(FormatError("a.glb", "", "bad")) == str(FormatError("a.glb", "", "bad"))


@pytest.mark.parametrize(("again", "button"), [("", ""), ("file.open", "Choose another…")])
def test_errors_of_files_offer_another_where_there_is_one(again: str, button: str) -> None:
    messages = Messages()
    FileReports(Document(), messages).failed(Path("a.glb"), again)(AnimError("bad file"))
    assert messages.latest == Message(Level.ERROR, "bad file", "", again, button)


def test_errors_that_are_no_ones_fault_name_the_file_and_ask_for_a_report() -> None:
    messages = Messages()
    FileReports(Document(), messages).failed(Path("a.glb"), "file.open")(KeyError("x"))
    assert messages.latest == Message(Level.ERROR, "a.glb: KeyError: 'x'", "Please report this")


def test_reports_are_kept_once_for_each_file_until_another_document_comes() -> None:
    messages, document = Messages(), Document()
    resolved: list[None] = []
    messages.resolved.connect(resolved.append)
    reports = FileReports(document, messages)
    one, two = Path("x/one.glb"), Path("x/two.glb")
    for path in (one, two, one):
        reports.tell(path, ImportReport("glTF"))
    assert [path for path, _ in reports.all] == [two, one] and len(resolved) == 3
    assert messages.latest == Message(Level.INFO, "Read one.glb")
    document.replace(Project(), None)
    assert reports.all == ()


@pytest.mark.parametrize(
    ("warnings", "words"),
    [(["a"], "one.glb: a"), (["a", "b"], "one.glb: a and 1 more"), (["a", "b", "c"], "one.glb: a and 2 more")],
)  # fmt: skip
def test_what_a_file_did_not_bring_is_a_warning_with_its_report(warnings: list[str], words: str) -> None:
    messages = Messages()
    FileReports(Document(), messages).tell(Path("one.glb"), ImportReport("glTF", warnings=warnings))
    assert messages.latest == Message(Level.WARNING, words, "", "file.report")


def test_references_that_were_cleared_come_first() -> None:
    messages = Messages()
    report = ImportReport("glTF", warnings=["late"], cleared=["early"], left_out=["lamps"])
    FileReports(Document(), messages).tell(Path("one.glb"), report)
    assert messages.latest.text == "one.glb: early and 2 more"


def test_origins_are_files_once_each_and_know_what_was_made_here(tmp_path: Path) -> None:
    document = Document()
    origins = Origins(document)
    clip = small_clip(small_rig())
    assert origins.first is None and origins.made_here([clip]) == () and not origins.includes(tmp_path)
    document.replace(small_project(mesh=False), None)
    other, third = (replace(clip, id=AssetId(f"clip-{n}")) for n in "ab")
    for name in ("one", "two", "one"):
        (tmp_path / name).write_text("")
        origins.add(tmp_path / name, ImportReport("glTF", left_out=[name]), [other.id])
    expected = (Origin(tmp_path / "two", ("two",)), Origin(tmp_path / "one", ("one",)))
    assert origins.all == expected and origins.first == tmp_path / "two"
    assert origins.made_here([clip, other, third]) == (third,)
    (tmp_path / "link").symlink_to(tmp_path / "one")
    assert origins.includes(tmp_path / "one") and origins.includes(tmp_path / "link")
    assert not origins.includes(tmp_path / "absent") and not origins.includes(Path("\0"))
    document.replace(Project(), None)
    assert origins.all == ()


def test_without_anyone_to_ask_nothing_is_overwritten_and_that_is_said() -> None:
    messages = Messages()
    unasked, answers = Unasked(messages), []
    owner, path = Owner("desk", "anna", 1, "2", 3.0), Path("a/walk.posewright")
    state = FileState(1, 2, 3, 4, "sum")
    item = Recoverable(Path("x.journal"), path, 1, "", 0.0)
    unasked.locked(LockedError(path, owner), answers.append)
    unasked.conflict(ChangedOutsideError(path, state), answers.append)
    unasked.outside(path, answers.append)
    unasked.recovered(item, Recovered(Project(), path, None, 1), answers.append)
    assert answers == ["read_only", "", "", "copy"] and not unasked.asking
    told = [(message.level, message.text, message.next_step) for message in messages.log]
    assert told[0] == (Level.WARNING, "walk.posewright is open by anna on desk", "It was opened read-only")
    assert told[1][0] is Level.ERROR and told[1][2] == "Nothing was written"
    assert told[2] == (Level.WARNING, "walk.posewright was changed by another program", "")
    assert told[3] == (
        Level.WARNING,
        f"{path} is not the version these steps were made on",
        "They were recovered as a copy",
    )


def test_names_of_files_that_are_no_unicode_are_printable() -> None:
    assert paths.printable("a\ud800b\udfffc\ue000") == "a�b�c\ue000"


def test_pictures_of_recent_files_are_named_by_their_path_and_go_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSEWRIGHT_DATA_DIR", str(tmp_path / "a" / "b"))
    one, two, three = (Path(f"/x/{name}") for name in ("one", "two", "three"))
    place = recent_pictures.picture_path(one)
    assert place == tmp_path / "a" / "b" / "recent" / f"{hashlib.sha256(b'/x/one').hexdigest()[:32]}.png"
    for file in (one, two, three):
        recent_pictures.keep_picture(file, str(file).encode(), [one, two])
    (place.parent / "note.txt").write_text("")
    recent_pictures.keep_picture(one, b"new", [two])
    assert place.read_bytes() == b"new" and recent_pictures.picture_path(two).exists()
    assert not recent_pictures.picture_path(three).exists() and (place.parent / "note.txt").exists()


# ---------------------------------------------------------------- names of bones
@pytest.mark.parametrize(("count", "prefix"), [(3, ""), (4, "hero:")])
def test_a_few_bones_have_no_prefix(count: int, prefix: str) -> None:
    assert common_prefix(tuple(f"hero:{name}" for name in ("hip", "knee", "toe", "arm")[:count])) == prefix


@pytest.mark.parametrize(("others", "prefix"), [(2, "hero:"), (3, "")])
def test_a_prefix_is_what_most_bones_have(others: int, prefix: str) -> None:
    own = tuple(f"hero:{name}" for name in ("hip", "knee", "toe"))
    assert common_prefix((*own, *("x", "y", "z")[:others])) == prefix


def test_names_are_found_with_and_without_their_prefix() -> None:
    names = tuple(f"hero:{name}" for name in ("Hip", "Knee", "Toe", "Arm"))
    assert short_name("hero:Hip", names) == "Hip" and short_name("unknown", names) == "unknown"
    for words, folded, found in (
        (["hip"], True, True),
        (["hero"], True, False),
        (["hero:"], True, True),
        (["hero:hip"], True, True),
        (["hero:knee"], True, False),
        (["hero"], False, True),
        (["hip", "knee"], True, False),
        ([], True, True),
    ):
        assert fits(words, "hero:Hip", names, folded) is found, (words, folded)


# ---------------------------------------------------------------- pages, lanes, the screen
def test_pages_of_the_guide_come_in_order_with_title_and_section(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for name, text in (("b.md", "# Keys \nSet key"), ("a.md", "# Poses"), ("scripts/a.md", "# Code\nkeys")):
        (tmp_path / name).write_text(text)
    pages = guide.guide_pages(tmp_path)
    assert [(page.section, page.title, page.path.name) for page in pages] == [
        ("", "Poses", "a.md"),
        ("", "Keys", "b.md"),
        ("scripts", "Code", "a.md"),
    ]
    assert pages[1].text == "# Keys \nSet key" and guide.SCRIPTS == "scripts"
    assert guide.found_pages(pages, "") == pages
    assert [page.title for page in guide.found_pages(pages[::-1], "KEYS")] == ["Keys", "Code"]
    assert [page.title for page in guide.found_pages(pages, "set key")] == ["Keys"]
    assert guide.found_pages(pages, "set code") == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"Keys", "line 1.*expected a heading such as .*got 'Keys'"), (b"\xff", "cannot be read: ")],
)
def test_a_page_that_is_none_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a.md").write_bytes(content)
    with pytest.raises(FormatError, match=words):
        guide.guide_pages(tmp_path)


def test_bars_take_the_lowest_level_that_is_free() -> None:
    assert lanes.stacked([]) == ()
    assert lanes.stacked([(5.0, 6.0), (0.0, 4.0), (1.0, 2.0), (2.0, 3.0), (1.0, 9.0)]) == (0, 0, 1, 1, 2)
    assert lanes.stacked([(0.0, 1.0), (0.0, 1.0)]) == (0, 1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has displays to name")
def test_a_wayland_socket_that_is_there_is_a_screen(tmp_path: Path) -> None:
    (tmp_path / "wayland-0").write_text("")
    values = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert screen.missing_screen(values) == ""
    assert screen.missing_screen({**values, "QT_QPA_PLATFORM": "wayland-egl"}) == ""
    assert "does not exist" in screen.missing_screen({**values, "WAYLAND_DISPLAY": "wayland-1"})
    assert "neither" in screen.missing_screen({"QT_QPA_PLATFORM": "wayland;xcb"})


def test_elsewhere_nobody_is_asked_for_a_screen_or_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    heap._library.cache_clear()
    assert screen.missing_screen({}) == "" and heap.kept() == 0 and not heap.give_back()
    heap._library.cache_clear()
