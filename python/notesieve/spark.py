"""Scrubs the notes of a distributed Spark data frame on the workers.

The driver sends column names, the policy, a model that was trained there, and the paths and digests of the vocabulary
and of any other model; it sends no vocabulary, no key and no text. Each worker process opens its scrubber once. A row
that cannot be scrubbed gets an error code; exceptions, which are sent to the driver, name positions and kinds only.

notesieve must be installed on every node.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from notesieve._core import Key, Model, Policy, Vocabulary
from notesieve.errors import FrameError, NotesieveError, SecretKeyError
from notesieve.frames.column_plan import OUTPUTS, Plan
from notesieve.frames.libraries import Arrow
from notesieve.frames.scrub import scrub_table
from notesieve.hidden_repr import HiddenRepr
from notesieve.scrubber import Scrubber
from notesieve.statuses import ATTRIBUTES, STATUSES

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["VocabularyAt", "archive_vocabulary", "file_vocabulary", "local_vocabulary", "register", "scrub"]


@dataclass(frozen=True)
class VocabularyAt:
    """The location of the vocabulary on a worker, and its expected digest.

    Parameters
    ----------
    digest : str
        The digest; a worker that finds a vocabulary with another digest refuses to work.
    path : str, optional
        The file. Default: the one inside the package.
    shipped : bool
        Whether `path` is relative to the folder in which Spark places files and archives.
    """

    digest: str
    path: str | None = None
    shipped: bool = False

    def open(self) -> Vocabulary:
        """Open the vocabulary on the current machine.

        Raises
        ------
        VocabularyError
            If its digest differs.
        FileError
            If the file does not exist.
        """
        path = self.path
        if path is not None and self.shipped:
            from pyspark import SparkFiles

            path = os.path.join(SparkFiles.getRootDirectory(), path)  # noqa: PTH118
        return Vocabulary._reopen(path, self.digest)


def local_vocabulary(path: str | os.PathLike[str], digest: str | None = None) -> VocabularyAt:
    """Return a vocabulary that has the same path on every node: part of the image, or on a shared disk.

    Parameters
    ----------
    path : path-like
        The compiled vocabulary.
    digest : str, optional
        The digest (``notesieve vocabulary info``). Default: that of the file at this path on the driver.

    Examples
    --------
    >>> local_vocabulary("/opt/notesieve/umls.vocabulary", digest="9f86").path
    '/opt/notesieve/umls.vocabulary'
    """
    return VocabularyAt(digest or Vocabulary.open(path).digest, os.fspath(path))


def file_vocabulary(spark: SparkSession, path: str | os.PathLike[str]) -> VocabularyAt:
    """Send a vocabulary to every node as a file of the application (``addFile``), and return its location."""
    digest = Vocabulary.open(path).digest
    if hasattr(spark, "addArtifacts") and "connect" in type(spark).__module__:
        spark.addArtifacts(os.fspath(path), file=True)
    else:
        spark.sparkContext.addFile(os.fspath(path))
    return VocabularyAt(digest, Path(path).name, shipped=True)


def archive_vocabulary(spark: SparkSession, archive: str | os.PathLike[str], member: str, digest: str) -> VocabularyAt:
    """Send an archive (.zip, .tar.gz) with a vocabulary to every node, where Spark unpacks it; return its location.

    Parameters
    ----------
    spark : SparkSession
        The session.
    archive : path-like
        The archive.
    member : str
        The path of the compiled vocabulary inside it.
    digest : str
        The digest of the vocabulary (``notesieve vocabulary info``).
    """
    folder = f"notesieve-{digest[:12]}"
    if hasattr(spark, "addArtifacts") and "connect" in type(spark).__module__:
        spark.addArtifacts(f"{os.fspath(archive)}#{folder}", archive=True)
    else:
        spark.sparkContext.addArchive(f"{os.fspath(archive)}#{folder}")
    return VocabularyAt(digest, f"{folder}/{member}", shipped=True)


def scrub(
    frame: DataFrame,
    text: str,
    *,
    id: str | None = None,  # noqa: A002 the name that users know
    patient: str | None = None,
    known: Sequence[str] | Mapping[str, str] = (),
    keep: Sequence[str] = (),
    outputs: Sequence[str] = OUTPUTS,
    policy: Policy | str | os.PathLike[str] = "safe",
    vocabulary: VocabularyAt | None = None,
    model: Model | None = None,
    key: str | None = None,
    threads: int = 1,
) -> DataFrame:
    """De-identify the notes of a Spark data frame, also through Spark Connect.

    The columns are those of `Scrubber.scrub_frame`: input columns that are not named do not come out.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The frame. Nothing runs before its result is used.
    text : str
        The column with the notes. The scrubbed text takes its name.
    id : str, optional
        A column that names the note; it comes out as it is.
    patient : str, optional
        A column that identifies the patient; its pseudonym comes out if there is a key.
    known : sequence of str, or mapping of str to str, optional
        Columns with known identifiers of the patient; see `Scrubber.scrub_frame`.
    keep : sequence of str, optional
        Other columns that come out as they are.
    outputs : sequence of {"text", "coded", "concepts", "removed", "error"}, optional
        The outputs; see `Scrubber.scrub_frame`.
    policy : Policy or str or path-like, optional
        What may come out and what replaces the rest; the driver reads the TOML file if this is a path, as `Scrubber`.
    vocabulary : VocabularyAt, optional
        From `local_vocabulary`, `file_vocabulary` or `archive_vocabulary`. Default: the one inside the package, which
        must be the same on every node.
    model : Model, optional
        The trained model. One from `notesieve.learning.train` is sent to the workers; one from a file must be at the
        same path on every node. Default: the one inside the package.
    key : str, optional
        The fingerprint of the key. Each worker loads the key from its own variable ``NOTESIEVE_KEY`` or the file that
        ``NOTESIEVE_KEY_FILE`` names there, and refuses another one; so does the driver, before any task starts.
    threads : int, optional
        Threads per task. Default: 1, since Spark runs one task per core.

    Returns
    -------
    pyspark.sql.DataFrame
        The same rows. Spark does not guarantee their order; keep a column that records it.

    Raises
    ------
    FrameError
        If a column is missing or would be overwritten.

    Examples
    --------
    In a session::

        notes = spark.read.parquet("notes/")
        notesieve.spark.scrub(notes, "note", id="note_id", keep=["year"]).write.parquet("clean/")
    """
    plan = Plan(frame.columns, text, id=id, keep=keep, patient=patient, known=known, outputs=outputs)
    made_with = _checked_settings(policy, vocabulary, model, key)
    work = _WorkerTask(made_with, plan, threads)
    # Select columns by position, so that a dot in a name is not read as a nested field.
    needed = frame.select(*[f"`{name.replace('`', '``')}`" for name in plan.read])
    needed = needed.toDF(*[f"c{place}" for place in range(len(plan.read))])
    return needed.mapInArrow(work, _output_schema(frame, plan, pseudonym=key is not None))


def register(
    spark: SparkSession,
    name: str = "scrub_note",
    *,
    policy: Policy | str | os.PathLike[str] = "safe",
    vocabulary: VocabularyAt | None = None,
    model: Model | None = None,
) -> None:
    """Register an SQL function that de-identifies a text. The result is null if it is missing or cannot be scrubbed.

    Parameters
    ----------
    spark : SparkSession
        The session.
    name : str, optional
        The name of the function.
    policy : Policy or str or path-like, optional
        What may come out and what replaces the rest; the driver reads the TOML file if this is a path, as `Scrubber`.
    vocabulary : VocabularyAt, optional
        Where each worker finds the vocabulary. Default: inside the package.
    model : Model, optional
        As for `scrub`.

    Examples
    --------
    In a session::

        notesieve.spark.register(spark)
        spark.sql("SELECT note_id, scrub_note(note) AS note FROM notes")
    """
    import pyarrow as pa
    from pyspark.sql import functions

    plan = Plan(["text"], "text", outputs=["text"])
    work = _WorkerTask(_checked_settings(policy, vocabulary, model, None), plan, 1)
    if hasattr(functions, "arrow_udf"):

        def scrub_note(texts: pa.Array) -> pa.Array:
            return work.scrub_array(texts)

        scrub_note.__annotations__ = {"texts": pa.Array, "return": pa.Array}
        spark.udf.register(name, functions.arrow_udf(scrub_note, "string"))
        return
    import pandas

    def scrub_series(texts: pandas.Series) -> pandas.Series:
        return work.scrub_array(pa.array(texts, pa.string())).to_pandas()

    scrub_series.__annotations__ = {"texts": pandas.Series, "return": pandas.Series}
    spark.udf.register(name, functions.pandas_udf(scrub_series, "string"))


# The settings of a scrubber: the policy, the vocabulary, the model, the fingerprint of the key.
_ScrubberSettings: TypeAlias = tuple[Policy, VocabularyAt, Model, str | None]


def _checked_settings(
    policy: Policy | str | os.PathLike[str], vocabulary: VocabularyAt | None, model: Model | None, key: str | None
) -> _ScrubberSettings:
    # As `Scrubber` does: a policy, the name of a preset, or the path of a TOML file, which the driver opens.
    policy = policy if isinstance(policy, Policy) else Scrubber(policy).policy
    if policy.needs_key or key is not None:
        _check_key(key)
    return policy, vocabulary or VocabularyAt(Vocabulary.default().digest), model or Model.default(), key


def _check_key(fingerprint: str | None) -> None:
    """Refuse a wrong or missing key before the first task starts.

    Raises
    ------
    SecretKeyError
        If the policy needs a key and none is named, or if the driver has a different key.
    """
    if fingerprint is None:
        raise SecretKeyError("the policy needs a key: name its fingerprint, key=notesieve.Key.load().fingerprint")
    found = Key.load().fingerprint
    if found != fingerprint:
        raise SecretKeyError(f"key= asks for the key {fingerprint}, but the driver has {found}")


def _output_schema(frame: DataFrame, plan: Plan, *, pseudonym: bool) -> Any:
    """Return the Spark schema of the result of `scrub_table`."""
    from pyspark.sql import types

    mention = [("code", types.StringType()), ("start", types.IntegerType()), ("end", types.IntegerType())]
    mention += [("group", types.StringType()), *((status, types.BooleanType()) for status in STATUSES)]
    attributes = [(name, types.DoubleType() if name == "number" else types.StringType()) for name in ATTRIBUTES]
    concept = types.StructType(
        [types.StructField(name, form, nullable=False) for name, form in mention]
        + [types.StructField(name, form) for name, form in attributes]
    )
    fields = {field.name: field for field in frame.schema.fields}
    columns = [types.StructField(name, fields[name].dataType) for name in plan.order]
    columns[plan.order.index(plan.text)] = types.StructField(plan.text, types.StringType())
    for part, name in plan.new.items():
        if part == "concepts":
            form: Any = types.ArrayType(concept)
        else:
            form = types.IntegerType() if part.startswith("removed_") else types.StringType()
        columns.append(types.StructField(name, form))
    if pseudonym and plan.patient is not None and plan.patient not in plan.kept:
        columns.append(types.StructField(plan.patient, types.StringType()))
    return types.StructType(columns)


# Cache of the scrubbers of this worker process, by their settings.
_SCRUBBERS: dict[_ScrubberSettings, Scrubber] = {}


@dataclass(frozen=True, eq=False, repr=False)
class _WorkerTask:
    """The work of a task; its pickle holds names and digests only."""

    made_with: _ScrubberSettings
    plan: Plan
    threads: int

    def scrubber_of_process(self) -> Scrubber:
        """Return the scrubber of this process."""
        policy, vocabulary, model, fingerprint = self.made_with
        if self.made_with not in _SCRUBBERS:
            key = None if fingerprint is None else Key.load()
            if key is not None and key.fingerprint != fingerprint:
                raise SecretKeyError(f"the frame asks for the key {fingerprint}, but this worker has {key.fingerprint}")
            _SCRUBBERS[self.made_with] = Scrubber(policy, vocabulary.open(), key=key, model=model)
        return _SCRUBBERS[self.made_with]

    def scrub_table(self, table: pa.Table) -> pa.Table:
        """Scrub a table."""
        try:
            opened, scrubber = Arrow(HiddenRepr(table)), self.scrubber_of_process()
            return scrub_table(scrubber, opened, self.plan, threads=self.threads, progress=None)[0]
        except NotesieveError:
            raise
        except Exception as problem:  # noqa: BLE001 libraries quote invalid values, and the driver sees this
            message = f"a batch of {table.num_rows} rows could not be scrubbed: {type(problem).__name__}"
            raise FrameError(message) from None

    def scrub_array(self, texts: pa.Array) -> pa.Array:
        """Scrub an array."""
        import pyarrow as pa

        # pyarrow does not guarantee a single chunk here.
        result = self.scrub_table(pa.table({"text": texts}))["text"].combine_chunks()
        return result.chunk(0) if isinstance(result, pa.ChunkedArray) else result

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            # Spark expects one chunk per batch; a large batch is returned as several.
            yield from self.scrub_table(pa.Table.from_batches([batch]).rename_columns(self.plan.read)).to_batches()
