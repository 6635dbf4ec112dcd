"""The two tables of the OMOP Common Data Model 5.4 that contain notes: fields, types and keys.

They follow the field-level definition published by the OHDSI project (``OMOP_CDMv5.4_Field_Level.csv``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from notesieve.frames.columns import import_pyarrow


@dataclass(frozen=True)
class Field:
    """A field of a table.

    Attributes
    ----------
    name : str
        The name in the model.
    type : {"integer", "date", "datetime", "varchar"}
        The type of its values.
    required : bool
        Whether null is not allowed.
    length : int or None
        The maximum length in characters; None if unlimited.
    """

    name: str
    type: Literal["integer", "date", "datetime", "varchar"]
    required: bool = False
    length: int | None = None


NOTE = (
    Field("note_id", "integer", required=True),
    Field("person_id", "integer", required=True),
    Field("note_date", "date", required=True),
    Field("note_datetime", "datetime"),
    Field("note_type_concept_id", "integer", required=True),
    Field("note_class_concept_id", "integer", required=True),
    Field("note_title", "varchar", length=250),
    Field("note_text", "varchar", required=True),
    Field("encoding_concept_id", "integer", required=True),
    Field("language_concept_id", "integer", required=True),
    Field("provider_id", "integer"),
    Field("visit_occurrence_id", "integer"),
    Field("visit_detail_id", "integer"),
    Field("note_source_value", "varchar", length=50),
    Field("note_event_id", "integer"),
    Field("note_event_field_concept_id", "integer"),
)
"""The fields of NOTE; the first is its primary key."""

NOTE_NLP = (
    Field("note_nlp_id", "integer", required=True),
    Field("note_id", "integer", required=True),
    Field("section_concept_id", "integer"),
    Field("snippet", "varchar", length=250),
    Field("offset", "varchar", length=50),
    Field("lexical_variant", "varchar", required=True, length=250),
    Field("note_nlp_concept_id", "integer"),
    Field("note_nlp_source_concept_id", "integer"),
    Field("nlp_system", "varchar", length=250),
    Field("nlp_date", "date", required=True),
    Field("nlp_datetime", "datetime"),
    Field("term_exists", "varchar", length=1),
    Field("term_temporal", "varchar", length=50),
    Field("term_modifiers", "varchar", length=2000),
)
"""The fields of NOTE_NLP; the first is its primary key."""

_SQL = {"integer": "integer", "date": "date", "datetime": "timestamp", "varchar": "text"}


def ddl(integer: str = "integer") -> str:
    """Return SQL that creates both tables, for DuckDB and PostgreSQL.

    Parameters
    ----------
    integer : str, optional
        The SQL type of integers. The model specifies ``integer``; sites whose identifiers exceed 31 bits use
        ``bigint``.

    Returns
    -------
    str
        Two ``CREATE TABLE`` statements with types, nullability and primary keys.

    Examples
    --------
    >>> print(ddl().splitlines()[0])
    CREATE TABLE note (
    >>> '"offset" varchar(50) NULL' in ddl()
    True
    """
    statements = []
    for table, fields in (("note", NOTE), ("note_nlp", NOTE_NLP)):
        lines = []
        for field in fields:
            sql = f"varchar({field.length})" if field.length else {**_SQL, "integer": integer}[field.type]
            name = f'"{field.name}"' if field.name == "offset" else field.name
            lines.append(f"    {name} {sql} {'NOT NULL' if field.required else 'NULL'}")
        lines.append(f"    PRIMARY KEY ({fields[0].name})")
        statements.append(f"CREATE TABLE {table} (\n" + ",\n".join(lines) + "\n);\n")
    return "\n".join(statements)


def schema(fields: tuple[Field, ...]) -> Any:
    """Return the Arrow schema of a table: concept ids have 32 bits, other identifiers 64."""
    pa = import_pyarrow("OMOP")
    types = {"date": pa.date32(), "datetime": pa.timestamp("us"), "varchar": pa.string()}

    def arrow_type(field: Field) -> Any:
        if field.type == "integer":
            return pa.int32() if field.name.endswith("_concept_id") else pa.int64()
        return types[field.type]

    return pa.schema([pa.field(field.name, arrow_type(field), nullable=not field.required) for field in fields])


def truncate_texts(fields: tuple[Field, ...], columns: dict[str, list[Any]]) -> None:
    """Truncate texts that exceed the length of their field, in place."""
    for field in fields:
        if field.length is not None:
            columns[field.name] = [text if text is None else text[: field.length] for text in columns[field.name]]
