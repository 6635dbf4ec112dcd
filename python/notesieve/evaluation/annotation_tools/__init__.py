"""Formats of annotation tools: Label Studio, Prodigy, doccano, and INCEpTION by UIMA CAS XMI and WebAnno TSV."""

from notesieve.evaluation.annotation_tools.annotations import LoadedNotes, Tool
from notesieve.evaluation.annotation_tools.json_lines import DOCCANO, PRODIGY
from notesieve.evaluation.annotation_tools.label_studio import LABEL_STUDIO
from notesieve.evaluation.annotation_tools.webanno_tsv import WEBANNO_TSV
from notesieve.evaluation.annotation_tools.xmi import XMI

__all__ = ["TOOLS", "LoadedNotes", "Tool"]

TOOLS = {
    "label-studio": LABEL_STUDIO,
    "prodigy": PRODIGY,
    "doccano": DOCCANO,
    "xmi": XMI,
    "webanno-tsv": WEBANNO_TSV,
}
"""The formats by name; the first that matches a path is the one that it is read as."""
