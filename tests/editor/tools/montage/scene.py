"""A session with a montage, and the verbs on it."""

from dataclasses import replace

from core.clips.clip import Clip, Notify
from core.clips.notify_types import NotifyField, NotifyType
from core.graph import montage_edits as edits
from core.graph.montage import Montage
from core.ids import AssetId
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.model.session import Session
from editor.tools.montage.verbs import MontageVerbs
from tests.editor.rigs import small_project

SWING, KICK = AssetId("clip-small"), AssetId("clip-kick")


class Scene:
    """A montage of two clips, 2 s and 1 s, each in a section of its own; a moment at 0.4 s and a span from 1.2 s."""

    def __init__(self) -> None:
        self.session = Session.create()
        project = small_project(mesh=False)
        swing = project.clips[0]
        kick = replace(swing, id=KICK, name="kick", length=1.0)
        stranger = replace(swing, id=AssetId("clip-stranger"), name="stranger", rig=AssetId("rig-other"))
        montage = edits.new_montage(AssetId("montage"), "combo", swing.rig, [swing, kick])
        montage = replace(montage, notifies=(Notify("hit", 0.4), Notify("trail", 1.2, 0.5, lane="Sounds")))
        other_rig = replace(project.rigs[0], id=AssetId("rig-other"), name="other")
        kind = NotifyType(
            AssetId("type-sound"), "sound",
            (NotifyField("volume", default="3"), NotifyField("file", default="a")), color="#112233",
        )  # fmt: skip
        self.session.document.replace(project.with_assets(kick, montage, other_rig, stranger, kind), None)
        self.session.playback.set_clip(swing.id, swing.rig)
        self.montages = self.session.feature(Montages)
        self.preview = self.session.feature(MontagePreview)
        self.verbs = MontageVerbs(self.montages, self.preview, self.session.messages, self.session.clipboard)
        self.said: list[str] = []
        self.session.messages.posted.connect(lambda message: self.said.append(message.text))

    @property
    def now(self) -> Montage:
        return self.montages.require()

    @property
    def picked(self) -> tuple[Item, ...]:
        return self.montages.picked

    def clip(self, id: AssetId) -> Clip:
        found = self.session.document.project.assets[id]
        assert isinstance(found, Clip)
        return found

    def pick(self, *items: Item) -> None:
        self.montages.pick(*items)

    def placed(self, track: int = 0) -> list[tuple[float, float]]:
        """Where segments begin and end."""
        return [(round(s.place, 6), round(s.last, 6)) for s in self.now.tracks[track].segments]

    def heard(self) -> list[tuple[str, float, float]]:
        """Names, times and lengths of the notifies."""
        return [(n.name, round(n.time, 6), round(n.duration, 6)) for n in self.now.notifies]
