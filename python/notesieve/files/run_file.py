"""A whole run described in one file: inputs, policy, options and output."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from notesieve._core import Key, Policy, Vocabulary
from notesieve.choices import is_policy_file
from notesieve.errors import SettingError
from notesieve.files.reading_errors import as_file_errors
from notesieve.files.report import FileReport
from notesieve.files.scrub import scrub_files
from notesieve.files.table_options import TableOptions, read_excluded
from notesieve.frames.column_plan import OUTPUTS
from notesieve.schema import run_schema, validate
from notesieve.scrubber import Scrubber
from notesieve.vocabularies.building import read_site_lists


@dataclass(frozen=True)
class RunFile:
    """A run as its file describes it. Paths in it are relative to the folder of the file.

    Attributes
    ----------
    path : Path
        The file.
    settings : dict
        The validated contents.
    """

    path: Path
    settings: dict[str, Any]

    @classmethod
    def read(cls, path: str | PathLike[str]) -> RunFile:
        r"""Read and check a run file.

        Parameters
        ----------
        path : path
            A TOML file with ``inputs``, ``output``, and optionally the other keys of `notesieve.schema.run_schema`.

        Raises
        ------
        FileError
            If it cannot be read.
        SettingError
            If it is not valid TOML, or has an unknown key or an invalid value.

        Examples
        --------
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp()) / "run.toml"
        >>> _ = file.write_text('inputs = ["notes"]\noutput = "clean"\npolicy = {preset = "safe", dates = "year"}')
        >>> RunFile.read(file).scrubber().policy.dates
        'year'
        """
        file = Path(path)
        with as_file_errors(file):
            content = file.read_bytes()
        try:
            settings = tomllib.loads(content.decode("utf-8-sig"))
            validate(settings, run_schema())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            where = getattr(problem, "lineno", None)
            raise SettingError(f"{file}: is no TOML{f' at line {where}' if where else f': {problem}'}") from None
        except SettingError as problem:
            raise SettingError(f"{file}: {problem}") from None
        return cls(file, settings)

    def _resolve_path(self, key: str) -> Path | None:
        return self.path.parent / self.settings[key] if key in self.settings else None

    def scrubber(self) -> Scrubber:
        """Make the scrubber of the run.

        Raises
        ------
        NotesieveError
            If policy, vocabulary, model, lists or key cannot be read.
        """
        given = self.settings.get("policy", "safe")
        if isinstance(given, dict):
            choices = {key: value for key, value in given.items() if key != "preset"}
            if isinstance(choices.get("patterns"), str):
                choices["patterns"] = self.path.parent / choices["patterns"]
            policy = Policy(given.get("preset", "safe"), **choices)
        elif is_policy_file(given):
            policy = Policy.open(self.path.parent / given)
        else:
            policy = Policy(given)
        file, site = self._resolve_path("vocabulary"), self._resolve_path("site")
        vocabulary = Vocabulary.default() if file is None else Vocabulary.open(file)
        if site is not None:
            vocabulary = vocabulary.with_lists(**read_site_lists(site))
        key = Key.load() if self.settings.get("key") else None
        return Scrubber(policy, vocabulary, key=key, model=self._resolve_path("model"))

    def run(
        self,
        *,
        resume: bool = False,
        overwrite: bool = False,
        progress: bool | None = None,
        report: FileReport | None = None,
    ) -> FileReport:
        """Scrub the inputs of the run.

        Parameters
        ----------
        resume, overwrite, progress, report
            As for `notesieve.files.scrub_files`.

        Returns
        -------
        FileReport
        """
        said = self.settings
        columns: dict[str, Any] = {"outputs": OUTPUTS, **said.get("columns", {})}
        columns = {name: tuple(value) if isinstance(value, list) else value for name, value in columns.items()}
        excluded = self._resolve_path("exclude_patients")
        return scrub_files(
            self.scrubber(),
            [self.path.parent / one for one in said["inputs"]],
            self.path.parent / said["output"],
            table=TableOptions(**columns, exclude_patients=None if excluded is None else read_excluded(excluded)),
            form=said.get("format", "text"),
            manifest=self._resolve_path("manifest"),
            resume=resume,
            overwrite=overwrite,
            encoding=said.get("encoding", "utf-8"),
            errors=said.get("errors", "strict"),
            threads=said.get("threads"),
            progress=progress,
            report=report,
        )
