"""A format that was added by one entry is offered, described, written and read by the dialogs."""

import core.io
from tests.core.io.toy import NOT_INSTALLED, toy_format
from tests.editor.panels.dialogs.test_export_dialog import choose, finish, open_dialog, shown
from tests.editor.panels.dialogs.test_import_dialog import names, read
from tests.editor.stage import small_project, stage


def test_export_dialog_offers_a_new_format_and_says_what_it_cannot_hold(qapp, tmp_path):
    with toy_format(), stage(qapp, "clips") as here:
        open_dialog(here)
        choose(here, "exportFormat", "Toy (.toy)")
        here.user.type_into("exportPath", str(tmp_path / "out.toy"), enter=False)
        text = shown(here)
        assert "A TOY file holds one clip: there will be one file for each." in text
        assert "out_walk.toy" in text and "out_turn.toy" in text
        up = here.user.find("exportUp")
        assert up.isVisible() and [up.itemText(row) for row in range(1, up.count())] == ["+Y", "-X"]
        assert not here.user.find("exportMeshes").isEnabled()
        here.user.press("Return")
        finish(here)
    with toy_format():
        found = {path.name: core.io.load(path).project.clips for path in tmp_path.glob("*.toy")}
    assert {name: [clip.name for clip in clips] for name, clips in found.items()} == {
        "out_walk.toy": ["walk"],
        "out_turn.toy": ["turn"],
    }


def test_export_dialog_says_which_extra_a_new_format_needs(qapp, tmp_path):
    with toy_format(requires=NOT_INSTALLED), stage(qapp, "clips") as here:
        open_dialog(here)
        here.user.type_into("exportPath", str(tmp_path / "out.toy"), enter=False)
        assert "pip install 'posewright[toys]'" in shown(here)


def test_import_dialog_reads_a_new_format(qapp, tmp_path):
    with toy_format(), stage(qapp, "clips", "history") as here:
        core.io.save(small_project(), tmp_path / "hero.toy")
        before = len(names(here))
        read(here, tmp_path / "hero.toy")
        here.user.press("Return")
        finish(here)
        assert len(names(here)) == before + 1
