"""Export of an index for OpenSearch or Elasticsearch: bulk requests, a mapping and a search template.

For sites with more notes than one machine searches well. The parts are independent: a checksum of the note assigns it
to a part, so that several processes, or the tasks of a Spark job, can write one part each.
"""

from __future__ import annotations

import json
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from notesieve.errors import SearchIndexError
from notesieve.files.output_folder import atomic_write
from notesieve.files.reading_errors import as_file_errors
from notesieve.statuses import STATUSES

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from notesieve.index.index import Index
    from notesieve.index.results import Hit


def mapping(*, annotated: bool = False) -> dict[str, Any]:
    """Return the body that creates the OpenSearch index: fields, and an analyzer that tokenizes as notesieve does.

    Parameters
    ----------
    annotated : bool, optional
        Whether there is a field ``annotated`` with the codes at their words. It requires the plugin
        ``mapper-annotated-text``.

    Examples
    --------
    >>> mapping()["mappings"]["properties"]["codes"]
    {'type': 'keyword'}
    """
    keyword = {"type": "keyword"}
    properties: dict[str, Any] = {
        "note": keyword,
        "patient": keyword,
        "type": keyword,
        "year": {"type": "short"},
        "text": {"type": "text", "analyzer": "words", "index_options": "offsets"},
        "codes": keyword,
        "broader": keyword,
        **dict.fromkeys(STATUSES, keyword),
        "provenance": {"properties": dict.fromkeys(_PROVENANCE, keyword)},
    }
    if annotated:
        properties["annotated"] = {"type": "annotated_text", "analyzer": "words"}
    analysis = {
        "tokenizer": {"words": {"type": "pattern", "pattern": "[^\\p{L}\\p{M}\\p{N}]+"}},
        "analyzer": {"words": {"type": "custom", "tokenizer": "words", "filter": ["lowercase", "asciifolding"]}},
    }
    return {"settings": {"analysis": analysis}, "mappings": {"dynamic": "strict", "properties": properties}}


_PROVENANCE = (
    "version",
    "vocabulary_digest",
    "model_digest",
    "status_digest",
    "entities_digest",
    "policy_digest",
    "key_fingerprint",
)


def search_template() -> dict[str, Any]:
    """Return the body of a stored search template.

    Its parameters: ``query`` (simple query string), ``codes`` (a list; notes with any of them or something narrower),
    ``first_year``, ``last_year``, ``size``. The response has the notes with highlights and the number of patients,
    which is nearly exact up to 40,000 and approximate above.
    """
    source = """{
  "size": {{size}}{{^size}}20{{/size}},
  "query": {"bool": {
    "must": [{"simple_query_string": {"query": {{#toJson}}query{{/toJson}}, "fields": ["text"],
              "default_operator": "and"}}],
    "filter": [
      {"terms": {"broader": {{#toJson}}codes{{/toJson}}}},
      {"range": {"year": {"gte": {{first_year}}{{^first_year}}0{{/first_year}},
                          "lte": {{last_year}}{{^last_year}}9999{{/last_year}}}}}
    ]
  }},
  "aggs": {"patients": {"cardinality": {"field": "patient", "precision_threshold": 40000}}},
  "highlight": {"fields": {"text": {}}}
}"""
    return {"script": {"lang": "mustache", "source": source}}


def export_opensearch(
    index: Index,
    folder: str | os.PathLike[str],
    *,
    name: str = "notes",
    query: str = "*",
    parts: int = 1,
    only: int | None = None,
    annotated: bool = False,
) -> list[Path]:
    """Write an index as bulk requests.

    Parameters
    ----------
    index : Index
        The index.
    folder : path-like
        The folder for ``mapping.json``, ``search-template.json`` and ``part-00000.ndjson`` ...
    name : str, optional
        The name of the OpenSearch index.
    query : str, optional
        The notes to export.
    parts : int, optional
        The number of files. A note is always assigned to the same part.
    only : int, optional
        Write only this part, and neither mapping nor template: for workers that share the parts.
    annotated : bool, optional
        Whether to write the codes at their words too, as annotated text.

    Returns
    -------
    list of pathlib.Path
        The files with notes.
    """
    if parts < 1 or (only is not None and not 0 <= only < parts):
        raise SearchIndexError(f"there is no part {only} of {parts}; parts count from 0")
    folder = Path(folder)
    with as_file_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if only is None:
        for file, body in (("mapping", mapping(annotated=annotated)), ("search-template", search_template())):
            with atomic_write(folder / f"{file}.json") as partial:
                partial.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    wanted = range(parts) if only is None else [only]
    paths = {part: folder / f"part-{part:05}.ndjson" for part in wanted}
    with ExitStack() as open_files:
        files = {
            part: open_files.enter_context(open_files.enter_context(atomic_write(path)).open("w", encoding="utf-8"))
            for part, path in paths.items()
        }
        for hit in index.search(query, limit=0).all():
            part = zlib.crc32(hit.note.encode()) % parts
            if part in files:
                files[part].writelines(_bulk_lines(index, hit, name, annotated))
    return list(paths.values())


def _bulk_lines(index: Index, hit: Hit, name: str, annotated: bool) -> Iterator[str]:
    by_status: dict[str, set[str]] = {}
    for (_, _, of_term), said in zip(hit.concepts, hit.said, strict=True):
        for status in said or ["affirmed"]:
            by_status.setdefault(status, set()).update(of_term)
    codes = sorted(by_status.pop("affirmed", ()))
    document = {
        "note": hit.note,
        "patient": hit.patient,
        "type": hit.note_type,
        "year": hit.year,
        "text": hit.text,
        "codes": codes,
        "broader": sorted({broader for code in codes for broader in index._concepts.broader(code)}),
        "provenance": hit.provenance,
    }
    document |= {status: sorted(of_status) for status, of_status in by_status.items()}
    if annotated:
        document["annotated"] = _annotated_text(hit)
    yield json.dumps({"index": {"_index": name, "_id": hit.note}}) + "\n"
    yield json.dumps({key: value for key, value in document.items() if value is not None}, ensure_ascii=False) + "\n"


def _annotated_text(hit: Hit) -> str:
    """Return the text with ``[heart attack](mesh%3AD009203&...)`` for each term; other brackets become parentheses."""
    plain = hit.text.translate({ord("["): "(", ord("]"): ")"})
    parts = []
    at = 0
    for start, end, codes in hit.concepts:
        annotation = "&".join(quote(code, safe="") for code in codes)
        parts += [plain[at:start], f"[{plain[start:end]}]({annotation})"]
        at = end
    return "".join([*parts, plain[at:]])
