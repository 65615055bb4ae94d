"""What the helper process for FBX is called, for those who start one ahead."""

from core.io.common.helper.target import Kind

FBX = Kind("FBX", "core.io.fbx.worker", "ufbx", "pip install ufbx")
