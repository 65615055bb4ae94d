"""Blend spaces of the document: every change is one undoable step."""

from collections.abc import Mapping
from dataclasses import replace

from core.blending.aim_offset import AimProblem, converted, misfit
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.measure import measure_for, measured, travel
from core.clips.clip import Clip
from core.clips.edits import checked_name, unique_name
from core.errors import AnimError, ValidationError
from core.ids import AssetId, new_id
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages

SPEED = SpaceAxis("Speed", 0.0, 4.0, 4, unit="m/s")
DIRECTION = SpaceAxis("Direction", -180.0, 180.0, 8, wrap=True, unit="°")
YAW = SpaceAxis("Yaw", -90.0, 90.0, 4, unit="°")
PITCH = SpaceAxis("Pitch", -90.0, 90.0, 4, unit="°")


class Spaces:
    """Makes, changes and deletes blend spaces.

    Attributes
    ----------
    changed : another space is open, or what a drag shows of it differs
    problem_changed : there is another clip that an aim offset has refused, or none
    """

    def __init__(self, document: Document, edits: Edits, evaluator: Evaluator, messages: Messages) -> None:
        self._document, self._edits, self._evaluator = document, edits, evaluator
        self._messages = messages
        self._current: AssetId | None = None
        self._draft: BlendSpace | None = None
        self.problem: AimProblem | None = None
        self._refused: tuple[AssetId, tuple[float, ...]] | None = None
        self.changed: Event[None] = Event()
        self.problem_changed: Event[None] = Event()
        document.changed.connect(lambda _: self._on_document())

    # ------------------------------------------------------------ which
    def all(self) -> tuple[BlendSpace, ...]:
        """Blend spaces of the rig shown."""
        rig = self._evaluator.rig
        found = self._document.project.all(BlendSpace)
        return tuple(space for space in found if rig is not None and space.rig == rig.id)

    @property
    def committed(self) -> BlendSpace | None:
        """The open space as it is in the document; the rig's first where none was opened."""
        rig = self._evaluator.rig
        asset = self._document.project.assets.get(self._current) if self._current else None
        if isinstance(asset, BlendSpace) and rig is not None and asset.rig == rig.id:
            return asset
        return next(iter(self.all()), None)

    @property
    def current(self) -> BlendSpace | None:
        """The open space, as a drag shows it."""
        committed = self.committed
        if self._draft is not None and committed is not None and self._draft.id == committed.id:
            return self._draft
        return committed

    def open(self, space: AssetId | None) -> None:
        """Show another space."""
        if space != self._current:
            self._current = space
            self._draft = None
            self._set_problem(None)
            self.changed.emit(None)

    @property
    def project(self) -> Project:
        """The document's project."""
        return self._document.project

    def clips(self) -> Mapping[AssetId, Clip]:
        """Every clip of the project by id."""
        return {clip.id: clip for clip in self._document.project.clips}

    def clip_name(self, clip: AssetId) -> str:
        """What a clip is called."""
        asset = self._document.project.assets.get(clip)
        return asset.name if asset is not None else tr("missing clip")

    # ------------------------------------------------------------ whole spaces
    def new(self, kind: str) -> BlendSpace:
        """Make and open a space: ``line``, ``plane`` or ``aim``."""
        rig = self._rig()
        axes: dict[str, tuple[SpaceAxis, ...]] = {
            "line": (SPEED,),
            "plane": (DIRECTION, SPEED),
            "aim": (YAW, PITCH),
        }
        names = {"line": tr("Blend 1D"), "plane": tr("Blend 2D"), "aim": tr("Aim offset")}
        taken = [space.name for space in self._document.project.all(BlendSpace)]
        clip = self._evaluator.document_clip
        base = clip.id if kind == "aim" and clip is not None and clip.additive is None else None
        space = BlendSpace(
            new_id("space"), unique_name(names[kind], taken), rig.id, axes[kind],
            kind=SpaceKind.LINE if kind == "line" else SpaceKind.GRID, aim_offset=kind == "aim", base_clip=base,
        )  # fmt: skip
        self._edits.put(tr("New blend space {name}", name=space.name), space)
        self.open(space.id)
        return space

    def rename(self, name: str) -> bool:
        """Give the open space another name."""
        space = self._require()
        wanted = checked_name(name)
        if any(s.name == wanted and s.id != space.id for s in self.all()):
            raise ValidationError(tr("there is already a blend space named “{name}”", name=wanted))
        if wanted == space.name:
            return False
        label = tr("Rename {old} to {new}", old=space.name, new=wanted)
        return self._edits.put(label, replace(space, name=wanted))

    def delete(self) -> bool:
        """Delete the open space."""
        space = self._require()
        return self._edits.remove(tr("Delete blend space {name}", name=space.name), space.id)

    def put(self, label: str, space: BlendSpace) -> bool:
        """Make a changed space the document's; drops what a drag shows."""
        self._draft = None
        done = space != self.committed and self._edits.put(label, space)
        if not done:
            self.changed.emit(None)
        return done

    def preview(self, space: BlendSpace | None) -> None:
        """Show a changed space without committing it; None shows the document's."""
        if space is not self._draft:
            self._draft = space
            self.changed.emit(None)

    def set_axis(self, number: int, axis: SpaceAxis) -> bool:
        """Change an axis; samples outside its new range are brought to the nearer end."""
        space = self._require()
        axes = tuple(axis if k == number else old for k, old in enumerate(space.axes))

        def held(sample: SpaceSample) -> SpaceSample:
            place = tuple(min(max(v, a.minimum), a.maximum) for v, a in zip(sample.place, axes, strict=True))
            return replace(sample, place=place)

        changed = replace(space, axes=axes, samples=tuple(held(s) for s in space.samples))
        return self.put(tr("Change axis {axis} of {name}", axis=axis.name, name=space.name), changed)

    # ------------------------------------------------------------ samples
    def add(self, clip: AssetId, place: tuple[float, ...]) -> bool:
        """Put a clip at a place; one that does not fit an aim offset is refused and kept as `problem`."""
        space = self._require()
        asset = self._document.project.assets.get(clip)
        if not isinstance(asset, Clip):
            return False
        if asset.rig != space.rig:
            raise ValidationError(tr("“{name}” is for another character", name=asset.name))
        if space.aim_offset:
            problem = misfit(space, asset, self.clips())
            if problem is not None:
                self._refused = (clip, place)
                self._set_problem(problem)
                self._messages.warn(problem.reason, tr("Convert it in the blend space panel"))
                return False
        self._set_problem(None)
        label = tr("Add {clip} to {name}", clip=asset.name, name=space.name)
        return self.put(label, space.with_sample(SpaceSample(clip, place)))

    def add_measured(self, clip: AssetId, otherwise: tuple[float, ...]) -> bool:
        """Put a clip where it was measured to belong, on axes whose names say what they measure.

        Parameters
        ----------
        otherwise : its place on other axes
        """
        space, asset = self._require(), self._document.project.assets.get(clip)
        if not isinstance(asset, Clip):
            return False
        place = list(otherwise)
        for number, axis in enumerate(space.axes):
            measure = measure_for(axis)
            if measure is not None and asset.rig == space.rig:
                value = round(measured(travel(self._rig(), asset), measure), 3)
                place[number] = min(max(value, axis.minimum), axis.maximum)
        return self.add(clip, tuple(place))

    def convert_refused(self) -> bool:
        """Declare the refused clip additive as the aim offset needs it, and add it, in one step."""
        if self.problem is None or self._refused is None:
            return False
        (clip, place), remedy = self._refused, self.problem.remedy
        space, project = self._require(), self._document.project
        fitting = converted(project.get(Clip, clip), remedy)
        added = space.with_sample(SpaceSample(clip, place))
        label = tr("Convert {clip} and add it to {name}", clip=fitting.name, name=space.name)
        done = self._edits.put(label, fitting, added)
        self._set_problem(None)
        return done

    def dismiss_problem(self) -> None:
        """Leave the refused clip as it is."""
        self._set_problem(None)

    def move(self, number: int, place: tuple[float, ...]) -> bool:
        """Move a sample."""
        space = self._require()
        name = self.clip_name(space.samples[number].clip)
        return self.put(
            tr("Move {clip} in {name}", clip=name, name=space.name), space.with_moved(number, place)
        )

    def set_rate(self, number: int, rate: float) -> bool:
        """Play a sample faster or slower."""
        space = self._require()
        samples = list(space.samples)
        samples[number] = replace(samples[number], rate=rate)
        label = tr("Rate of {clip}", clip=self.clip_name(samples[number].clip))
        return self.put(label, replace(space, samples=tuple(samples)))

    def remove(self, number: int) -> bool:
        """Take a sample away."""
        space = self._require()
        name = self.clip_name(space.samples[number].clip)
        label = tr("Remove {clip} from {name}", clip=name, name=space.name)
        return self.put(label, space.without_sample(number))

    def analyse(self) -> str:
        """Place samples by what their clips measure on axes whose names say what; what was done, in words.

        Axes are widened where a clip measures more than they reach.
        """
        space, rig = self._require(), self._rig()
        measures = [measure_for(axis) for axis in space.axes]
        if not any(measures):
            raise ValidationError(
                tr("no axis says what it measures: name one Speed, Direction, Forward, Right or Turn")
            )
        found = [travel(rig, self.clips()[s.clip], s.rate) for s in space.samples]
        places = [list(s.place) for s in space.samples]
        axes = list(space.axes)
        for number, measure in enumerate(measures):
            if measure is None:
                continue
            for row, moved in zip(places, found, strict=True):
                row[number] = round(measured(moved, measure), 3)
            values = [row[number] for row in places]
            if values and not axes[number].wrap:
                low, high = min(values + [axes[number].minimum]), max(values + [axes[number].maximum])
                axes[number] = replace(axes[number], minimum=low, maximum=high)
        samples = tuple(replace(s, place=tuple(p)) for s, p in zip(space.samples, places, strict=True))
        label = tr("Analyse {name}", name=space.name)
        done = self.put(label, replace(space, axes=tuple(axes), samples=samples))
        return (
            tr("Samples moved to their measured positions")
            if done
            else tr("Every sample is at its measured position")
        )

    # ------------------------------------------------------------ upkeep
    def _set_problem(self, problem: AimProblem | None) -> None:
        if problem is not self.problem:
            self.problem = problem
            self.problem_changed.emit(None)

    def _rig(self) -> Rig:
        rig = self._evaluator.rig
        if rig is None:
            raise AnimError(tr("open or import a character first"))
        return rig

    def _require(self) -> BlendSpace:
        space = self.committed
        if space is None:
            raise AnimError(tr("create a blend space first"))
        return space

    def _on_document(self) -> None:
        if self._draft is not None and self._draft.id not in self._document.project.assets:
            self._draft = None
        if self.problem is not None and self.problem.clip not in self._document.project.assets:
            self._set_problem(None)
        self.changed.emit(None)
