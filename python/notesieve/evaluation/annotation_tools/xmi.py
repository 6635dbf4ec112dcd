"""INCEpTION: UIMA CAS XMI, one file per note or a folder per note with one file per annotator."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from notesieve.errors import GoldError
from notesieve.evaluation.annotation_tools.annotations import (
    LABEL_FEATURES,
    AnnotatedNotes,
    LoadedNotes,
    MalformedFileError,
    Rows,
    Tool,
    code_point_offsets,
    count_utf16_units,
    label_of,
    load_files,
    optionality_differs_from_label,
    span_of_label,
    write_private,
)
from notesieve.files.reading_errors import list_files_below

if TYPE_CHECKING:
    from collections.abc import Iterator


_XMI, _CAS = "http://www.omg.org/XMI", "http:///uima/cas.ecore"
_NER = "http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore"
# Layers that the annotators of a project make, beside the one of named entities.
_LAYERS = re.compile(r"\{(http:///(?:webanno/)?custom\.ecore|" + re.escape(_NER) + r")\}")
_OWN = {f"{{{_XMI}}}id", "sofa", "begin", "end", "identifier"}
# What XML 1.0 cannot hold.
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


def _is_xmi(path: Path) -> bool:
    if path.is_dir():
        return not (path / "gold.jsonl").exists() and bool(_xmi_files(path))
    return path.suffix == ".xmi"


def _xmi_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = [
        file
        for file in list_files_below(path)
        if file.suffix == ".xmi" or (file.suffix == ".zip" and _cas_files_in_archive(file))
    ]
    # What INCEpTION exports beside the annotators: the note before anybody marked it.
    return [file for file in found if file.stem != "INITIAL_CAS"]


def _cas_files_in_archive(file: Path) -> list[str]:
    """Give the CASes in an archive; INCEpTION packs each with its type system."""
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


def _load_notes(path: Path) -> LoadedNotes:
    return load_files(path, _xmi_files(path), ".xmi file", _load_file)


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
    found = list(_annotations_of_text(root, main))
    points = code_point_offsets(text, [place for begin, end, _ in found for place in (begin, end)])
    if any(begin not in points or end not in points for begin, end, _ in found):
        raise MalformedFileError("an annotation does not lie in its text")
    return text, [span_of_label(points[begin], points[end], label) for begin, end, label in found]


def _annotations_of_text(root: ET.Element, sofa: str | None) -> Iterator[tuple[int, int, str]]:
    for element in root:
        if _LAYERS.match(element.tag) and element.get("sofa") == sofa and element.get("begin") is not None:
            values = {name: value for name, value in element.attrib.items() if name not in _OWN and value}
            label = next((values[name] for name in LABEL_FEATURES if name in values), "")
            # A layer of the project's own with one feature: whatever it is called.
            label = label or (next(iter(values.values())) if len(values) == 1 else "")
            yield int(element.get("begin", "")), int(element.get("end", "")), label


def _write_xmi(gold: AnnotatedNotes, path: Path) -> list[str]:
    if path.suffix == ".xmi":
        raise GoldError(f"{path}: UIMA CAS XMI takes a folder, which gets one file per note")
    changed = False
    for doc, text in gold.notes.items():
        clean = _FORBIDDEN.sub(" ", text)
        changed = changed or clean != text
        write_private(path / f"{doc}.xmi", _xmi_of_note(clean, gold.spans.get(doc, [])))
    write_private(path / "TypeSystem.xml", _TYPES)
    losses = ["noise and clean (the damage of deliberately damaged spans)"]
    losses += ["control characters in texts, which became spaces"] * changed
    losses += ["optional spans (`hipaa`) whose label does not say so"] * optionality_differs_from_label(gold)
    return losses


def _xmi_of_note(text: str, spans: Rows) -> str:
    ET.register_namespace("xmi", _XMI)
    ET.register_namespace("cas", _CAS)
    ET.register_namespace("type", _NER)
    root = ET.Element(f"{{{_XMI}}}XMI", {f"{{{_XMI}}}version": "2.0"})
    ET.SubElement(root, f"{{{_CAS}}}NULL", {f"{{{_XMI}}}id": "0"})
    units, at = [], 0
    for letter in text:
        units.append(at)
        at += count_utf16_units(letter)
    units.append(at)
    for number, span in enumerate(spans, 2):
        begin, end = units[int(str(span["start"]))], units[int(str(span["end"]))]
        values = {f"{{{_XMI}}}id": str(number), "sofa": "1", "begin": str(begin), "end": str(end)}
        ET.SubElement(root, f"{{{_NER}}}NamedEntity", {**values, "value": label_of(span)})
    sofa = {f"{{{_XMI}}}id": "1", "sofaNum": "1", "sofaID": "_InitialView", "mimeType": "text", "sofaString": text}
    ET.SubElement(root, f"{{{_CAS}}}Sofa", sofa)
    members = " ".join(map(str, range(2, len(spans) + 2)))
    ET.SubElement(root, f"{{{_CAS}}}View", {"sofa": "1", "members": members})
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


XMI = Tool(_is_xmi, _load_notes, _write_xmi)
"""UIMA CAS XMI, as INCEpTION reads and writes it."""
