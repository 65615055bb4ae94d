"""What the right button offers on a bone: ids of actions, None for a line. Free of Qt."""

BONE = (
    "key.set", "key.delete", None, "view.frame", "select.hide", "select.unhide", "select.isolate", "select.lock",
    None, "select.parent", "select.children", "select.below", "select.chain", "select.mirror", None,
    "ik.toggle", "ik.pin_position", None, "virtual.add", "retarget.modes",
)  # fmt: skip
VIRTUAL = ("virtual.edit", "virtual.delete")
