"""``python -m editor`` is the same as ``posewright``."""

import sys

from editor.app import main

if __name__ == "__main__":
    sys.exit(main())
