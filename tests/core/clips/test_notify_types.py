"""Types of notifies: fields, defaults, bounds, the native file, lanes in every format that can hold them."""

import io
import zipfile
from dataclasses import replace

import pytest

import core.io
from core.arrays import same_value
from core.clips.clip import Notify, NotifyRule
from core.clips.compiled import container
from core.clips.notify_types import FieldKind, NotifyField, NotifyType, type_of
from core.errors import FormatError, ValidationError
from core.ids import AssetId
from core.io.common.clip_extras import to_extras, with_extras
from core.io.compiled import read
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.io.report import ImportReport
from tests.core.graph.builders import Drawing, clip

STEP = NotifyType(
    AssetId("notify_type-step"),
    "footstep",
    (
        NotifyField("surface", FieldKind.CHOICE, choices=("ground", "water")),
        NotifyField("volume", FieldKind.NUMBER, "0.8", minimum=0.0, maximum=1.0, unit="dB"),
        NotifyField("count", FieldKind.WHOLE, minimum=1),
        NotifyField("loud", FieldKind.SWITCH),
        NotifyField("sound"),
    ),
    0.2,
    "#ff0000",
    NotifyRule(0.5, branching=True),
)


def test_a_new_notify_has_every_field():
    made = STEP.made(1.5, "Sounds")
    assert made == Notify(
        "footstep", 1.5, 0.2,
        {"surface": "ground", "volume": "0.8", "count": "1", "loud": "false", "sound": "", "color": "#ff0000"},
        NotifyRule(0.5, branching=True), "Sounds",
    )  # fmt: skip
    assert STEP.problems(made) == ()
    assert type_of("footstep", [STEP]) is STEP and type_of("other", [STEP]) is None


@pytest.mark.parametrize(
    ("field", "text", "wanted"),
    [(0, "sand", "one of"), (1, "1.5", "0 to 1"), (1, "x", "a number"), (2, "1.5", "whole"), (3, "on", "true or"),
     (1, "nan", "finite")],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused_by_name(field, text, wanted):
    with pytest.raises(ValidationError, match=f"{STEP.fields[field].name}: expected .*{wanted}"):
        STEP.fields[field].checked(text)
    bad = replace(STEP.made(0.0), data={**STEP.made(0.0).data, STEP.fields[field].name: text})
    assert len(STEP.problems(bad)) == 1


def test_values_are_kept_in_one_form():
    assert STEP.fields[1].checked("0.50") == "0.5" and STEP.fields[2].checked("3.0") == "3"
    assert STEP.fields[3].checked(" TRUE ") == "true"


def test_types_that_make_no_sense_are_refused():
    with pytest.raises(ValidationError, match="choices"):
        NotifyField("a", FieldKind.CHOICE)
    with pytest.raises(ValidationError, match="minimum"):
        NotifyField("a", FieldKind.NUMBER, minimum=2.0, maximum=1.0)
    with pytest.raises(ValidationError, match="expected 0 to 1"):
        NotifyField("a", FieldKind.NUMBER, "3", minimum=0.0, maximum=1.0)
    with pytest.raises(ValidationError, match="one name"):
        NotifyType(AssetId("t"), "t", (NotifyField("a"), NotifyField("a")))
    with pytest.raises(ValidationError, match="duration"):
        NotifyType(AssetId("t"), "t", duration=-1.0)


def drawn():
    walk = replace(clip("walk", 2.0), notifies=(STEP.made(0.5, "Sounds"), Notify("plain", 1.0)))
    return Drawing(walk).project().with_assets(STEP)


def test_native_files_keep_types_and_lanes(tmp_path):
    before = drawn()
    after = from_bytes(to_bytes(before), tmp_path / "a.posewright")
    assert after.all(NotifyType) == (STEP,)
    assert after.clip_named("walk").notifies == before.clip_named("walk").notifies


def test_a_broken_type_in_a_file_names_its_place(tmp_path):
    source = zipfile.ZipFile(io.BytesIO(to_bytes(drawn())))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as out:
        for name in source.namelist():
            out.writestr(name, source.read(name).replace(b'"choice"', b'"chois"'))
    with pytest.raises(FormatError, match="expected one of text"):
        from_bytes(target.getvalue(), tmp_path / "a.posewright")


def test_extras_and_compiled_clips_keep_lanes(tmp_path):
    project = drawn()
    walk = project.clip_named("walk")
    back = with_extras(replace(walk, notifies=()), to_extras(walk, "walk"), ImportReport("gltf"))
    assert back.notifies == walk.notifies
    assert all(read._notify(*container._notify(notify)) == notify for notify in walk.notifies)
    core.io.save(project, tmp_path / "walk.glb")
    assert core.io.load(tmp_path / "walk.glb").project.clip_named("walk").notifies == walk.notifies


def test_files_without_lanes_are_as_they_were():
    plain = replace(clip("walk", 2.0), notifies=(Notify("plain", 1.0),))
    assert b'"lane"' not in to_bytes(Drawing(plain).project())
    assert "lane" not in to_extras(plain, "walk")["notifies"][0]
    assert same_value(plain.notifies[0], Notify("plain", 1.0, lane=""))


@pytest.mark.parametrize(("low", "high", "first"), [
    (None, None, "0"), (2.0, None, "2"), (-3.0, None, "0"), (None, -2.0, "-2"), (None, 5.0, "0"), (-4.0, -2.0, "-2"),
    (1.0, 3.0, "1"),
])  # fmt: skip
def test_a_number_without_a_default_begins_at_what_is_nearest_to_nothing(low, high, first):
    field = NotifyField("n", FieldKind.NUMBER, minimum=low, maximum=high)
    assert float(field.first) == float(first) and field.checked(field.first) == field.first
