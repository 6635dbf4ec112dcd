"""Fixed statements of the evidence page. No statement claims that an output satisfies a law."""

from __future__ import annotations

PURPOSE = (
    "This page reports a measurement: what was removed from marked notes, with what, and what is left. It certifies "
    "nothing and takes no expert's place. People who know the data, the users and the risk decide whether an output "
    "may be shared."
)

NO_REAL_PATIENTS = (
    "The built-in models learned from invented notes and from published text with next to no identifiers; the model "
    "card of the documentation names the sources. The figures that the project publishes are of such notes: none of "
    "them comes from real patients' notes. The figures of this page come from the marked notes named in section 2 "
    "and from nothing else."
)

MARKED_NOTES = "the marked notes"
"""Of which notes the residual risk is, if none of the release are given."""

RISK_NAMES = {
    "direct": "direct identifiers (names of patients and relatives, contacts, numbers, streets)",
    "quasi": "quasi-identifiers (dates, ages, towns, postal codes)",
    "provider_place": "staff and institutions",
}

NOT_CLAIMED = (
    "That the output satisfies HIPAA, the GDPR or another law. A law asks for decisions of people, and for "
    "contracts and controls that no measurement shows.",
    "That nobody can be identified. Leaks are a matter of rate, and ordinary facts together can point to a person.",
    "That the figures hold elsewhere: for other kinds of notes, another institution, later years, another policy, "
    "model or vocabulary. Each change needs a new page; the digests tell whether there was one.",
    "That the gold standard is right. An identifier that the annotators missed counts as correctly kept; have two "
    "people mark the notes, and see their agreement with `notesieve agreement`.",
    "That a group without a leak has none. With no leak among n, the rate can be up to about 3/n.",
    "That the residual risk is complete. It counts facts that a program can find; it knows neither registers nor "
    "newspapers.",
    "That codes and assertion statuses in the output are right. They were not measured here.",
    "That anything but text was looked at: images, attachments, file names and other columns were not.",
)

_READERS = "those who may read the notes"
FILES = (
    (
        "`evidence.html`, `evidence.json`",
        "the folder of `-o`",
        "counts, shares, digests, codes; no text of a note, no name of a document",
        "those who decide on the release, and those to whom they show it",
    ),
    ("`notes-to-read.csv`", "the same folder, mode 600", "names of documents that stand out, and why", _READERS),
    (
        "scrubbed notes",
        "the folder of `notesieve scrub -o`",
        "the output; identifiers can have leaked",
        "those to whom it is released",
    ),
    (
        "requests to `notesieve serve`",
        "nowhere: the memory of the process, and answers",
        "notes and outputs; errors, metrics and the log hold none of them",
        "those who reach the address and have the token",
    ),
    (
        "manifest of a run",
        "beside the output, `*.manifest.jsonl`, mode 600",
        "names and digests of inputs, and of the list of excluded patients",
        _READERS,
    ),
    ("gold standards, samples, sheets", "where you put them", "original notes and marks", _READERS),
    (
        "models that you train",
        "the file of `notesieve train -o`",
        "weights of words in your notes",
        f"{_READERS}; share only what you have judged",
    ),
    (
        "key",
        "the environment, or a file that only its owner can read",
        "the secret of date shifts and surrogates",
        "whoever runs a scrub; with it, shifts can be undone",
    ),
    (
        "search index",
        "the folder of `notesieve index build`",
        "scrubbed notes and pseudonyms",
        "those to whom it is released; its log is for the office that answers for it",
    ),
    ("explanations, evaluations with `--with-context`", "the screen, or the folder of `-o`", "original text", _READERS),
)
"""What is written, where, what it holds, and who may see it."""

FOR_SIGNATURE = (
    "The marked notes were drawn at random from the release, and nobody chose policy or model by them.",
    "Texts that stand out were read, and what was found was dealt with.",
    "I have no actual knowledge that what stays could identify a person, alone or with other information.",
    "The release is approved for the recipients and the purpose named in the agreement: ______________________",
)
