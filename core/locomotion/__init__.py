"""A character driven over a terrain: everything is a pure step from a frozen state and an input to the next state.

``controller.start`` and ``controller.step`` move the capsule and turn the character, ``input.Input`` is one step's
quantised input, ``state.State`` what there is between steps (``state.between`` for display), ``setup.Setup`` the
numbers with their presets. ``recording.Recording`` keeps the inputs and any state of a run, ``course`` scripts one,
``judge`` measures it. Steps are 1/60 s (``setup.H``); degrees; yaw about +Y is positive to the left, directions and aim
are positive to the right.
"""
