"""Files and folders of notes: one output per input, written atomically, and no input processed twice.

Each input is scrubbed into a temporary file next to its output, which gets its final name when it is complete; then a
line of the manifest records that it is done. After an interruption at any point, a run with ``resume`` redoes exactly
what the manifest does not record. Notes are processed in batches of some megabytes, so that memory does not grow with
the size of a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve.errors import FrameError, SettingError
from notesieve.files.decoding import Encoding
from notesieve.files.jobs import NOTE_FORMS, describe_parsed_formats, find_jobs
from notesieve.files.output_folder import OutputFolder, manifest_path
from notesieve.files.report import FileReport
from notesieve.files.run import FileRun, size_or_zero
from notesieve.files.run_manifest import RunManifest, size_and_sha256
from notesieve.files.table_options import TableOptions
from notesieve.findings_file import FindingsFile
from notesieve.progress import Progress
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    import os

    from notesieve.choices import DecodingErrors, TextForm
    from notesieve.files.jobs import FileJob, FoundFiles
    from notesieve.scrubber import Scrubber


@keep_texts_out_of_tracebacks
def scrub_files(
    scrubber: Scrubber,
    inputs: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    table: TableOptions | None = None,
    findings: str | os.PathLike[str] | None = None,
    form: TextForm = "text",
    manifest: str | os.PathLike[str] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    encoding: str = "utf-8",
    errors: DecodingErrors = "strict",
    threads: int | None = None,
    progress: bool | None = None,
    report: FileReport | None = None,
) -> FileReport:
    """Scrub files and folders into an output folder.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber.
    inputs : sequence of path-like
        Files, and folders with all their files: ``.txt``, ``.jsonl``, ``.csv`` and ``.tsv``, also with ``.gz`` or
        ``.zst``; ``.parquet``; ``.docx``, ``.html`` and ``.rtf``; messages as ``.hl7``, ``.json`` and ``.xml`` (see
        `Scrubber.scrub_message`).
        Other files in a folder are listed in the report.
    output : path-like
        The folder of the outputs, one per input, of the same name and format; new or empty. If two inputs have the same
        name, their outputs are put into subfolders named after the inputs' folders.
    table : TableOptions, optional
        How to read files of rows.
    findings : path-like, optional
        A file of JSON Lines with the findings of other systems in the notes, see `FindingsFile`.
    form : {"text", "coded", "jsonl", "spans"}, optional
        The output format of text files.
    manifest : path-like, optional
        The record of what is done. Default: next to the output folder, its name with ``.manifest.jsonl``. It contains
        the names and digests of the inputs: keep it with them.
    resume : bool, optional
        Whether to continue a run that was made with the same policy, vocabulary and options, skipping the inputs that
        are complete according to its manifest.
    overwrite : bool, optional
        Whether to replace existing outputs of the same names, and to start the manifest anew.
    encoding : str, optional
        The encoding of texts without a byte order mark, such as ``"cp1252"`` or ``"latin-1"``. Outputs are in UTF-8.
        Parquet and Word files define their own encoding.
    errors : {"strict", "replace"}, optional
        Whether bytes that cannot be decoded make the note fail, or become U+FFFD, which is on no list.
    threads : int, optional
        The number of threads to use. Default: the value of ``NOTESIEVE_THREADS``, or one per core.
    progress : bool, optional
        Whether to show a progress bar. Default: in a terminal or notebook.
    report : FileReport, optional
        A report to update during the run, so that it is available after an interruption.

    Returns
    -------
    FileReport
        Counts, and what is wrong with inputs that could not be scrubbed; all others were scrubbed.

    Raises
    ------
    FrameError
        If an input is missing, if the output folder is not empty or another run writes to it, or if the manifest
        belongs to a run with other settings.

    Examples
    --------
    >>> import tempfile, notesieve as ns
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     notes = Path(folder, "notes")
    ...     notes.mkdir()
    ...     _ = Path(notes, "1.txt").write_text("Seen by Dr. Brown.")
    ...     report = scrub_files(ns.Scrubber(), [notes], Path(folder, "clean"))
    ...     print(report.done, Path(folder, "clean", "1.txt").read_text(), end="")
    1 Seen by Dr. [NAME].
    """
    table = table or TableOptions()
    report = FileReport() if report is None else report
    decoder = Encoding(encoding, errors)
    if resume and overwrite:
        raise SettingError("resume continues with what is there and overwrite replaces it: choose one of them")
    scrubber._scrub_many([], threads=threads)  # report a wrong setting before the first file is read
    table.plan(None)  # report an unknown output too
    folder = OutputFolder(Path(output))
    real = folder.path.resolve()
    folder.check_not_nested()
    record = manifest_path(real) if manifest is None else Path(manifest)
    found = find_jobs(inputs, form, folder.path, record, {table.id, *table.keep, *table.unshifted_dates})
    _refuse_overwriting_inputs(found.jobs, real)
    table.check_notes(sum(job.form in {*NOTE_FORMS, "message", "resources"} for job in found.jobs))
    report.ignored += found.ignored
    report.problems += found.problems
    report.warnings += [*found.warnings, *describe_parsed_formats(found.jobs)]
    given = None if findings is None else FindingsFile(findings)
    made_with = _made_with(scrubber, table, form, decoder, given)
    sizes = [size_or_zero(job.source) for job in found.jobs]
    with (
        folder.lock_against_other_runs(),
        _open_record(folder, record, made_with, named=manifest is not None, resume=resume, overwrite=overwrite) as done,
        Progress(progress, total=sum(sizes), unit="bytes") as bar,
    ):
        if resume:
            done.check_outputs({job.output.as_posix(): job.source for job in found.jobs})
        folder.remove_partial_outputs(job.output for job in found.jobs)
        run = FileRun(scrubber, folder.path, table, form, decoder, done, threads, bar, report, given)
        left = []
        for job, size in zip(found.jobs, sizes, strict=True):
            if resume and done.is_done(job.output.as_posix(), job.source, folder.path / job.output):
                report.skipped += 1
                bar(0, 0, 0, 0, done=size)
            else:
                left.append(job)
        before = scrubber._dropped_sections()
        run.scrub(left)
        report.warnings += _unused_heading_warnings(scrubber, before) if left else []
        if overwrite:
            report.warnings += _stale_output_warnings(folder, found)
    return report


def _unused_heading_warnings(scrubber: Scrubber, before: dict[str, int]) -> list[str]:
    """Return a warning for each heading of ``drop_sections`` that no note of the run contained."""
    return [
        f"drop_sections: no note had a section {heading!r}; look for other ways to write its heading"
        for heading, count in scrubber._dropped_sections().items()
        if count == before[heading]
    ]


def _refuse_overwriting_inputs(jobs: list[FileJob], folder: Path) -> None:
    """Raise if an output would overwrite its own input."""
    for job in jobs:
        if (folder / job.output).resolve() == job.source.resolve():
            raise FrameError(f"{job.source}: would be written over; take another folder for the output")


def _open_record(
    folder: OutputFolder, record: Path, made_with: dict[str, Any], *, named: bool, resume: bool, overwrite: bool
) -> RunManifest:
    """Open the manifest, after checking that existing outputs may be continued or replaced."""
    present = folder.visible_files()
    begun = record.exists() and record.stat().st_size > 0
    if present and not (resume or overwrite):
        files = "a file" if len(present) == 1 else f"{len(present)} files"
        raise FrameError(
            f"{folder.path}: holds {files} already, such as {min(present)}: --resume continues that run, "
            "--overwrite replaces those of the same names; or take another folder"
        )
    if present and resume and not begun:
        raise FrameError(
            f"{folder.path}: no manifest tells what made its files: --overwrite replaces them; or take another folder"
        )
    if named and begun and not (resume or overwrite):
        raise FrameError(f"{record}: is there already: --resume continues its run, --overwrite begins it anew")
    return RunManifest(record, made_with, resume=resume)


def _stale_output_warnings(folder: OutputFolder, found: FoundFiles) -> list[str]:
    """Return a warning if the folder has outputs of earlier runs that this run did not make."""
    mine = {job.output for job in found.jobs}
    others = sorted(set(folder.visible_files()) - mine)
    if not others:
        return []
    files, stay = ("file", "stays") if len(others) == 1 else ("files", "stay")
    return [f"{folder.path}: {len(others)} {files} of earlier runs {stay}, such as {others[0]}"]


def _made_with(
    scrubber: Scrubber, table: TableOptions, form: str, encoding: Encoding, findings: FindingsFile | None
) -> dict[str, Any]:
    """Return everything that determines the bytes of an output."""
    # Digests and a fingerprint of the key, since a policy may list the names of a site's doctors. For excluded patients
    # only their number: a digest would allow anyone to check a guessed identifier.
    columns = asdict(replace(table, exclude_patients=None))
    columns["exclude_patients"] = table.exclude_patients and len(table.exclude_patients)
    options = {"form": form, **columns, "encoding": encoding.name, "errors": encoding.errors}
    made_with = {**scrubber.provenance, "policy": scrubber.policy.name, "options": options}
    return made_with if findings is None else {**made_with, "findings": size_and_sha256(findings.path)[1]}
