"""What the right button offers in the viewport, by action; None is a line. Free of Qt."""

BONES = (
    "key.set", "key.delete", "key.insert", None, "edit.copy_pose", "edit.paste_pose", "pose.paste_mirrored",
    "pose.mirror", "edit.reset_pose", None, "ik.toggle", "ik.pin_position", None, "select.parent", "select.children",
    "select.chain", "select.mirror", None, "select.hide", "select.isolate", "select.lock", None,
    "view.frame", "tool.distribute",
)  # fmt: skip
GROUND = (
    "select.all", "select.unhide", "select.unlock", None, "edit.paste_pose", "key.set_all", None, "view.frame_all",
    "view.front", "view.right", "view.top", "view.opposite", "view.orthographic", "view.flip", None, "view.mesh",
    "view.clay", "view.bones", "view.names", "view.grid", "view.silhouette", "view.ghosts", "view.trails",
    "view.follow",
)  # fmt: skip
