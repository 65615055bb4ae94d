"""Tool tips of actions are compact: several short lines, never one as wide as the window."""

from editor.actions.every import registry
from editor.actions.registry import TIP_WIDTH
from editor.model.session import Session


def test_tool_tips_are_no_wider_than_a_column_and_lose_no_word():
    session = Session.create()
    actions = registry(session)
    long = 0
    for action in actions:
        reason = actions.why_disabled(action.id)
        lines = actions.tooltip(action.id).splitlines()
        said = " ".join(lines[:-1] if reason else lines)
        keys = actions.shortcuts(action.id)
        tip = action.tip or action.title.rstrip("…")
        assert said == (f"{tip} ({keys[0]})" if keys else tip)
        assert all(len(line) <= TIP_WIDTH for line in (lines[:-1] if reason else lines))
        long += len(lines) > 2
    assert long > 5
    session.close()
