"""The fields of an event in hand: what each shows, refuses and hands over, as approved."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QListWidget

from core.clips.clip import Notify, NotifyRule
from core.clips.notify_types import FieldKind, NotifyField, NotifyType
from core.graph.graph import Graph, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from core.timing import FrameRate
from editor.qt.notify_fields import NotifyFields, NotifyFrame
from editor.qt.number_field import NumberField
from tests.editor.portraits import approved, happenings
from tests.editor.portraits.alone import Alone, alone
from tests.editor.rigs import small_project

SOUND = NotifyType(
    AssetId("type-sound"),
    "sound",
    (
        NotifyField("file", FieldKind.TEXT, "step.wav"),
        NotifyField("volume", FieldKind.NUMBER, "0.5", minimum=0.0, maximum=1.0, unit="dB"),
        NotifyField("count", FieldKind.WHOLE, "2", minimum=1.0),
        NotifyField("loop", FieldKind.SWITCH, "true"),
        NotifyField("ground", FieldKind.CHOICE, "grass", ("grass", "stone", "water")),
    ),
)
FIRST = Notify("step", 0.5, data={"foot": "left"})


def frame() -> NotifyFrame:
    variables = (Variable("moving", Kind.BOOL), Variable("movement", maximum=2.0, minimum=0.0))
    graph = Graph(AssetId("graph-g"), "g", small_project().rigs[0].id, variables)
    return NotifyFrame(
        FrameRate.of(24), (SOUND,), ("", "feet", "voice"), ("step", "trail"), (graph,), ("head",)
    )


class Shown:
    """The fields, and who shows again what they hand over."""

    def __init__(self, here: Alone) -> None:
        self.here, self.frame = here, frame()
        self.fields: NotifyFields = here.widget
        self.fields.changed.connect(self.changed)

    def changed(self, title: str, notify: Notify) -> None:
        differ = happenings.changes(self.fields.notify, notify)
        self.here.heard.append(f"{title!r} {', '.join(differ)}")
        self.fields.show_notify(notify, self.frame)

    def show(self, notify: Notify) -> None:
        self.fields.show_notify(notify, self.frame)


def number(here: Alone, name: str, text: str, code: Qt.Key = Qt.Key.Key_Return) -> None:
    """Type into a number."""
    field = here.find(name)
    assert isinstance(field, NumberField)
    field.edit()
    here.type(text)
    here.key(code)


def line(here: Alone, name: str, text: str, code: Qt.Key | None = Qt.Key.Key_Return) -> None:
    """Type into a line."""
    widget = here.find(name)
    (widget.lineEdit() if isinstance(widget, QComboBox) else widget).setFocus()
    here.settle()
    here.type(text)
    if code is not None:
        here.key(code)


def offered(here: Alone) -> None:
    """What a list below the field offers."""
    popup = QApplication.activePopupWidget()
    if popup is None:
        words = here.widget.window().findChild(QListWidget, "completions")
        popup = words if words is not None and words.isVisible() else None
    rows = (
        [] if popup is None else [popup.model().index(k, 0).data() for k in range(popup.model().rowCount())]
    )
    here.heard.append(f"offers {rows}")


def told(qapp: QApplication) -> list[str]:
    with alone(qapp, NotifyFields, (300, 640)) as here:
        shown = Shown(here)
        enter, escape = Qt.Key.Key_Return, Qt.Key.Key_Escape
        here.do("a moment", lambda: shown.show(FIRST))
        tips = [(w.text(), w.toolTip()) for w in here.widget.findChildren(QLabel) if w.isVisible()]
        here.lines += [f"    title {text!r} tip {tip!r}" for text, tip in tips]
        for name, texts in {
            "notifyFrame": ("6", "-3", "7.256", "x"),
            "notifyDuration": ("0.5", "-1", "0"),
            "notifyThreshold": ("0.25", "2"),
        }.items():
            for text in texts:
                here.do(f"{name} {text!r}", lambda n=name, t=text: number(here, n, t))
            here.do(f"{name}, Escape", lambda n=name: number(here, n, "3", escape))
        for text in ("jump", "jump", "", " land ", "sound"):
            here.do(f"name {text!r}", lambda t=text: line(here, "notifyName", t), here.elsewhere)
        here.do("name, then elsewhere", lambda: line(here, "notifyName", "whistle", None), here.elsewhere)
        here.do(
            "another event while a name is typed",
            lambda: line(here, "notifyName", "typed", None),
            lambda: shown.show(replace(shown.fields.notify, time=1.0)),
        )
        here.do("it is handed over", here.elsewhere)
        here.do(
            "the beginning of a name", lambda: line(here, "notifyName", "TR", None), lambda: offered(here)
        )
        here.do("the first", lambda: here.key(Qt.Key.Key_Down), lambda: here.key(enter), here.elsewhere)
        for text in ("feet", "new lane", ""):
            here.do(f"lane {text!r}", lambda t=text: line(here, "notifyLane", t), here.elsewhere)
        box = here.find("notifyLane")
        assert isinstance(box, QComboBox)
        here.do("lane from the list", lambda: box.setCurrentIndex(2), lambda: box.activated.emit(2))
        here.do("more lanes", lambda: shown.fields.show_notify(
            shown.fields.notify, replace(shown.frame, lanes=("feet", "third"))))  # fmt: skip
        here.do("lanes as before", lambda: shown.show(shown.fields.notify))
        conditions(here, shown)
        data(here, shown)
        here.do("the light theme", lambda: here.theme.use("light"))
        return here.lines


def conditions(here: Alone, shown: Shown) -> None:
    """When it acts: a condition with its completion, and what goes with it."""
    enter = Qt.Key.Key_Return
    here.do("not a condition", lambda: line(here, "notifyWhile", "movin >", None))
    here.do("it is not kept", lambda: here.key(Qt.Key.Key_Escape), lambda: here.key(enter), here.elsewhere)
    here.do("a beginning", lambda: line(here, "notifyWhile", "not mov", None), lambda: offered(here))
    here.do("the second is taken", lambda: here.key(Qt.Key.Key_Down), lambda: here.key(Qt.Key.Key_Down),
            lambda: here.key(enter), lambda: offered(here))  # fmt: skip
    here.do("taken away", lambda: line(here, "notifyWhile", "", None), lambda: offered(here))
    here.do("a number, no truth", lambda: line(here, "notifyWhile", "movement", None), here.elsewhere)
    here.do("right", lambda: line(here, "notifyWhile", "  moving  ", None), here.elsewhere)
    here.do("another event while one is typed", lambda: line(here, "notifyWhile", "not moving", None),
            lambda: shown.show(replace(shown.fields.notify, time=0.25)), here.elsewhere)  # fmt: skip
    here.do("fades", lambda: here.tap("notifyFades"))
    here.do("fades in", lambda: number(here, "notifyBlendOut", "0.75"))
    here.do("no more", lambda: here.tap("notifyFades"))
    for name in ("notifyFollower", "notifyBranching"):
        here.do(name, lambda n=name: here.tap(n))
        here.do(f"{name} again", lambda n=name: here.tap(n))
    here.do("always", lambda: line(here, "notifyWhile", "", None), here.elsewhere)
    rule = NotifyRule(condition="moving", blend_out=0.1, threshold=0.5, on_follower=True, branching=True)
    here.do("another with a rule", lambda: shown.show(Notify("bell", 2.0, 1.5, lane="voice", rule=rule)))


def data(here: Alone, shown: Shown) -> None:
    """Its own data: of a type, and without one."""
    enter = Qt.Key.Key_Return
    here.do("of a type", lambda: shown.show(SOUND.made(1.0)))
    here.do("file", lambda: line(here, "notifyData.file", "hop.wav"), here.elsewhere)
    for name, texts in {"volume": ("0.25", "7", "0.123456"), "count": ("4", "3.6", "0")}.items():
        for text in texts:
            here.do(f"{name} {text}", lambda n=name, t=text: number(here, f"notifyData.{n}", t))
    here.do("loop", lambda: here.tap("notifyData.loop"))
    here.do("loop again", lambda: here.tap("notifyData.loop"))
    ground = here.find("notifyData.ground")
    here.do("ground", ground.setFocus, lambda: here.key(Qt.Key.Key_Down))
    here.do("typed while another comes", lambda: line(here, "notifyData.file", "typed", None),
            lambda: shown.show(replace(shown.fields.notify, time=0.25)), here.elsewhere)  # fmt: skip
    wrong = {"file": "x", "volume": "loud", "count": "many", "loop": "maybe", "ground": "lava"}
    here.do("data that does not fit", lambda: shown.show(Notify("sound", 1.0, data=wrong)))
    for key in (" left ", "left", "color", " "):
        here.do(f"one more: {key!r}", lambda k=key: line(here, "notifyNewField", k, enter))
    here.do("its text", lambda: line(here, "notifyData.left", "yes", enter), here.elsewhere)
    here.do(
        "a colour is no data", lambda: shown.show(Notify("step", 0.0, data={"color": "#ff0000", " ": "x"}))
    )


def test_fields_of_an_event_are_as_approved(qapp) -> None:
    problem = approved.problem_of("fields-of-an-event", lambda: told(qapp))
    assert not problem, problem
