"""What a crash left behind, in words."""

from datetime import datetime

from editor.model.i18n import tr, trn
from editor.model.recovery import Recoverable


def described(item: Recoverable) -> str:
    """Which document, how many steps, the last one, and when."""
    name = item.title or tr("Unsaved document")
    steps = trn("{count} unsaved step", "{count} unsaved steps", item.steps)
    when = datetime.fromtimestamp(item.when).strftime("%Y-%m-%d %H:%M") if item.when else ""
    last = tr("The last step was “{label}”, {when}.", label=item.last, when=when) if item.last else when
    return f"{name}: {steps}.\n{last}\n\n" + tr("The program ended unexpectedly the last time.")
