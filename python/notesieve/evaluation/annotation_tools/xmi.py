"""INCEpTION: UIMA CAS XMI, one file per note or a folder per note with one file per annotator."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from notesieve.evaluation.annotation_tools.annotations import Rows, label_of, utf16_offsets
from notesieve.evaluation.annotation_tools.inception import (
    MalformedFileError,
    spans_of_marks,
    tool_with_file_per_note,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


_XMI, _CAS = "http://www.omg.org/XMI", "http:///uima/cas.ecore"
_NER = "http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore"
# Custom layers of a project, and the named entity layer.
_LAYERS = re.compile(r"\{(http:///(?:webanno/)?custom\.ecore|" + re.escape(_NER) + r")\}")
_OWN = {f"{{{_XMI}}}id", "sofa", "begin", "end", "identifier"}
# Characters that are not allowed in XML 1.0.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">
  <types>
    <typeDescription>
      <name>de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity</name>
      <description/>
      <supertypeName>uima.tcas.Annotation</supertypeName>
      <features>
        <featureDescription>
          <name>value</name>
          <description/>
          <rangeTypeName>uima.cas.String</rangeTypeName>
        </featureDescription>
        <featureDescription>
          <name>identifier</name>
          <description/>
          <rangeTypeName>uima.cas.String</rangeTypeName>
        </featureDescription>
      </features>
    </typeDescription>
  </types>
</typeSystemDescription>
"""


def _is_xmi(file: Path) -> bool:
    return file.suffix == ".xmi" or (file.suffix == ".zip" and bool(_cas_files_in_archive(file)))


def _cas_files_in_archive(file: Path) -> list[str]:
    """Return the CAS files in an archive; INCEpTION packs each with its type system."""
    try:
        with zipfile.ZipFile(file) as archive:
            return [name for name in archive.namelist() if name.endswith(".xmi")]
    except (OSError, zipfile.BadZipFile):
        return []


def _read_file(file: Path) -> bytes:
    if file.suffix != ".zip":
        return file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        (name,) = _cas_files_in_archive(file)
        return archive.read(name)


def _load_file(file: Path) -> tuple[str, Rows]:
    try:
        return _note_of_cas(ET.fromstring(_read_file(file)))  # noqa: S314 - expat limits what entities may grow to
    except (ET.ParseError, LookupError, ValueError, zipfile.BadZipFile):
        raise MalformedFileError("is no UIMA CAS in XMI with a text") from None


def _note_of_cas(root: ET.Element) -> tuple[str, Rows]:
    sofas = {sofa.get(f"{{{_XMI}}}id"): sofa for sofa in root.iter(f"{{{_CAS}}}Sofa")}
    main = next((at for at, sofa in sofas.items() if sofa.get("sofaID") == "_InitialView"), None)
    text = sofas[main].get("sofaString")
    if text is None:
        raise LookupError
    return text, spans_of_marks(text, list(_marks_of_text(root, main)))


def _marks_of_text(root: ET.Element, sofa: str | None) -> Iterator[tuple[int, int, dict[str, str]]]:
    for element in root:
        if _LAYERS.match(element.tag) and element.get("sofa") == sofa and element.get("begin") is not None:
            values = {name: value for name, value in element.attrib.items() if name not in _OWN and value}
            yield int(element.get("begin", "")), int(element.get("end", "")), values


def _write_note(text: str, spans: Rows) -> tuple[str, bool]:
    clean = _FORBIDDEN.sub(" ", text)
    ET.register_namespace("xmi", _XMI)
    ET.register_namespace("cas", _CAS)
    ET.register_namespace("type", _NER)
    root = ET.Element(f"{{{_XMI}}}XMI", {f"{{{_XMI}}}version": "2.0"})
    ET.SubElement(root, f"{{{_CAS}}}NULL", {f"{{{_XMI}}}id": "0"})
    units = utf16_offsets(clean)
    for number, span in enumerate(spans, 2):
        begin, end = units[int(str(span["start"]))], units[int(str(span["end"]))]
        values = {f"{{{_XMI}}}id": str(number), "sofa": "1", "begin": str(begin), "end": str(end)}
        ET.SubElement(root, f"{{{_NER}}}NamedEntity", {**values, "value": label_of(span)})
    sofa = {f"{{{_XMI}}}id": "1", "sofaNum": "1", "sofaID": "_InitialView", "mimeType": "text", "sofaString": clean}
    ET.SubElement(root, f"{{{_CAS}}}Sofa", sofa)
    members = " ".join(map(str, range(2, len(spans) + 2)))
    ET.SubElement(root, f"{{{_CAS}}}View", {"sofa": "1", "members": members})
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n", clean != text


XMI = tool_with_file_per_note(
    ".xmi",
    "UIMA CAS XMI",
    ".xmi file",
    accepts=_is_xmi,
    load_file=_load_file,
    write_note=_write_note,
    loss="control characters in texts, which became spaces",
    beside={"TypeSystem.xml": _TYPES},
)
"""UIMA CAS XMI, as INCEpTION reads and writes it."""
