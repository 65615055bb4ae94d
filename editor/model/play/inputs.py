"""The inputs of a played run as files: written, and played again on their terrain."""

from pathlib import Path

from core.locomotion.recording_file import RecordedInputs, read_recording, write_recording
from core.progress import Progress
from editor.model.document import Document
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.play.characters import make_character
from editor.model.play.run import Run
from editor.model.play.state import Play


class PlayInputs:
    """Saves and opens recorded inputs."""

    def __init__(self, play: Play, document: Document, jobs: Jobs) -> None:
        self._play, self._document, self._jobs = play, document, jobs

    def save(self, path: Path) -> None:
        """Write the inputs of the run; raises `OSError`."""
        run = self._play.run
        if run is not None:
            first = run.recording.start.body
            controller = run.driven.setup.controller
            recorded = RecordedInputs(
                controller, run.terrain, first.position, first.yaw, run.recording.inputs
            )
            write_recording(recorded, path)

    def open(self, path: Path) -> None:
        """Play the inputs of a file on its terrain.

        Raises
        ------
        FormatError
            Naming the file and the place in it.
        """
        recorded, play = read_recording(path), self._play
        choices, project = play.choices, self._document.project
        rig, chosen = choices.rig, choices.setup
        if rig is None:
            return

        def work(progress: Progress) -> Run:
            driven = make_character(project, rig, recorded.setup, recorded.terrain, chosen)
            run = Run(driven, recorded.terrain, driven.start(recorded.place, recorded.yaw))
            for number, given in enumerate(recorded.inputs):
                if number % 60 == 0:
                    progress.report(number / len(recorded.inputs))
                run.step(given)
            return run

        def done(run: Run) -> None:
            run.goto(0)
            choices.put_terrain(recorded.terrain, path)
            choices.put_preset(recorded.setup.name)
            play.show_run(run)

        self._jobs.run(tr("Play the inputs of {name}", name=path.name), work, done)
