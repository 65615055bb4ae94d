from editor.tools.state import Setup, Space, Tool, ToolState


def test_tool_key_pressed_again_cycles_the_space_of_that_tool_only():
    state, seen = ToolState(), []
    state.changed.connect(seen.append)
    state.press(Tool.MOVE)
    before = state.setup.rotate_space
    spaces = []
    for _ in range(4):
        state.press(Tool.MOVE)
        spaces.append(state.setup.space)
    assert set(spaces) == set(Space) and state.setup.rotate_space is before
    assert len(seen) == 5


def test_space_is_remembered_by_tool():
    setup = Setup(Tool.MOVE).with_space(Space.VIEW).pressed(Tool.ROTATE).with_space(Space.PARENT)
    assert setup.pressed(Tool.MOVE).space is Space.VIEW
    assert setup.space is Space.PARENT


def test_equal_setup_tells_nobody():
    state, seen = ToolState(), []
    state.changed.connect(seen.append)
    state.set(Setup())
    assert seen == []


def test_select_tool_has_no_space_to_cycle():
    setup = Setup(Tool.SELECT)
    assert setup.pressed(Tool.SELECT) == setup
