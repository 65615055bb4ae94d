"""What the right button offers on a bone: ids of actions, None for a line. Free of Qt."""

BONE = (
    "key.set", "key.delete", None, "view.frame", "select.hide", "select.unhide", "select.isolate", "select.lock",
    None, "select.parent", "select.children", "select.below", "select.chain", "select.to_end",
    "select.mirror", None, "set.new", "set.add_bones", "set.remove_bones", None,
    "ik.toggle", "ik.pin_position", None, "virtual.add", "retarget.modes",
)  # fmt: skip
VIRTUAL = ("virtual.edit", "virtual.delete")
SET = (
    "set.add_bones", "set.remove_bones", "set.rename", None, "set.isolate", "set.next_color", None, "set.delete",
)  # fmt: skip
