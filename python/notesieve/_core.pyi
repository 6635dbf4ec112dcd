"""The compiled part of notesieve. This file documents its interface."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from os import PathLike
from typing import Any, Final, Literal, Never, Self, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from notesieve import choices

__version__: str
__all__ = [
    "ColumnResult",
    "Concept",
    "ConceptMention",
    "Decision",
    "Finding",
    "Key",
    "Model",
    "Patient",
    "Policy",
    "Removal",
    "ScrubbedBatch",
    "ScrubbedNote",
    "Scrubber",
    "SegmentQuery",
    "SegmentSearcher",
    "SegmentWriter",
    "Segments",
    "Trainer",
    "Vocabulary",
    "__version__",
    "build_vocabulary",
    "convert_unit",
    "feature_kinds",
    "features",
    "index_words",
    "listed_terms",
    "rule_table",
    "run_evaluation_request",
    "short_form",
    "surrogate_syllables",
    "tag_surrogates",
    "threads",
    "unit_name",
]

@final
class Policy:
    """The choices that decide what may come out and what replaces the rest.

    The page *Policies* of the documentation measures what each choice costs.

    Parameters
    ----------
    preset : {"safe", "balanced", "berman", "readable", "limited-data-set"}, optional
        The preset to start from. ``limited-data-set`` keeps what 45 CFR 164.514(e) allows: dates, ages, towns,
        states, postal codes.
    name : str, optional
        The name of the policy; not part of its digest.
    ordinary_words : bool, optional
        Whether ordinary words stay; otherwise only stop words and terms do.
    terms : {"written", "preferred", "code"}, optional
        The form of a term: as in the note; the preferred name with the code; the code alone.
    numbers : {"none", "strict", "judged", "wide", "all"}, optional
        Which numbers stay outside terms: none; those that the clinical grammar vouches for; in addition, short numbers
        and clock times that the model is sure identify nobody; all short numbers that no rule removes; all numbers that
        no rule removes.
    unknown : {"remove", "judged", "keep"}, optional
        What happens to unlisted words: remove all; keep those that the model is sure name nobody; keep all.
    mask : str, optional
        The placeholder for an unlisted word: one or more asterisks.
    keep : list of str, optional
        Categories (``"date"``) and kinds (``"year"``) of PHI to keep. What is kept can identify people.
    dates : {"tag", "year", "shift"}, optional
        What replaces a date: a tag; its year; the date shifted by the same number of days as all dates of the patient,
        5 to 56 whole weeks in either direction. A shift needs a key and the `id` of a `Patient`; without an id dates
        get tags. Dates and years that reveal an age over 89 always get tags.
    years : {"keep", "remove"}, optional
        Whether years that stand alone (``CABG 1996``) stay. Years before 1960, which may reveal an age over 89, years
        inside a longer date, and all years next to shifted dates (``dates="shift"``) are removed in either case.
    season : bool, optional
        Whether shifted dates keep the season: the shift is at most four years, and the date stays within four weeks
        of the same day of the year.
    date_order : {"mdy", "dmy", "ymd"}, optional
        The order of day, month and year in numeric dates. Default: the order that the unambiguous dates of the note
        show; if they do not settle it, an ambiguous date gets a tag.
    replace : {"tag", "numbered", "surrogate", "mask"}, optional
        What replaces removed text: its tag; the tag with a number, the same for each person or thing throughout a note
        or, with a key and a patient, throughout the notes of the patient; a surrogate of the same kind, the same in all
        notes of a patient, which needs a key; the mask, which hides even the category.
    tags : str, optional
        ``"square"`` for ``[NAME]``, ``"angle"`` for ``<NAME>``, ``"deid"`` for ``[**Last name**]``, or a template with
        brackets or other marks around ``{category}`` or ``{kind}``.
    ages : {"90+", "tag"}, optional
        What replaces an age over 89.
    zip : {"remove", "prefix"}, optional
        Whether the first three digits of a postal code stay, or 000 where 20,000 people or fewer live (censuses of
        2000 and 2020); codes of the United States only.
    ambiguous : {"context", "always", "never"}, optional
        When to remove an ordinary word that is also a name: depending on its context; wherever it is capitalised; only
        where a title, a field label or a relative marks it as a name.
    ethnicity : bool, optional
        Whether to remove words for ethnicity and nationality too, as kind ``ethnicity``. Safe Harbor does not list
        them.
    drop_header : bool, optional
        Whether to remove the whole header of a note: the lines at its start that have labels such as ``Patient:``,
        ``MRN:`` or ``Date of birth:``, and short lines between them. The reason of these decisions is ``"header"``.
    drop_sections : list of str, optional
        Headings of sections to remove as a whole: ``"social history"``, ``"family history"`` and their short forms, or
        any other heading.
    placeholders : list of str, optional
        Placeholders of an earlier de-identification, which stay as they are: ``"[**...**]"`` matches whatever these
        marks enclose on one line. Default: only tags that this policy writes itself stay.
    doctors, hospitals, wards : list of str, optional
        Names that the site adds: removed wherever they occur, even if a list allows them.
    cues : list of str, optional
        Status cues that the site adds, as ``"negated forward: no trace of"``. They take precedence over those of the
        package.
    groups : list of str, optional
        The semantic groups of the concepts to report, as ``["disorder", "drug"]``. Default: all. The text does not
        depend on them.
    brands : bool, optional
        Whether brands of drugs and devices stay outside terms.
    lists_off : list of str, optional
        Lists of the vocabulary that no longer vouch for their words, as ``["literature"]``; a word on another list or
        in a term still comes out. Lists of names cannot be switched off, since they vouch for nothing.
    strictness : int or mapping of str to int, optional
        How many harmless words may be lost to remove one more identifying word: 12 removes whatever identifies somebody
        with a probability of more than one in thirteen. Numbers, and listed words that do not look like names, are
        removed as at a strictness 2.5 times lower. A mapping gives one value per category, as ``{"name": 40}``;
        categories that it leaves out keep 20.
    sections : mapping of str to mapping, optional
        Choices for single sections, by headings that are matched like those of `drop_sections`:
        ``{"social history": {"strictness": 40}}``. `strictness` is the only one. Where two of these sections apply, the
        stricter one counts.
    rules_off : list of str, optional
        Categories whose rules are ignored: for measuring what a family of rules contributes, never for data to share.
    patterns : sequence of mapping, or path-like, optional
        Additional regular expressions, or the TOML file that holds them: the page *Your own patterns and detectors*
        lists the keys.

    Raises
    ------
    PolicyError
        If a choice or its value is unknown; the message names the nearest one.

    Examples
    --------
    >>> import notesieve as ns
    >>> policy = ns.Policy("safe", keep=["state", "year"])
    >>> policy.keep
    ['state', 'year']
    >>> ns.Scrubber(ns.Policy(tags="deid")).scrub("Seen by Dr. Brown.").text
    'Seen by Dr. [**Last name**].'
    >>> ns.Scrubber(ns.Policy(replace="numbered")).scrub("Dr. Brown called Dr. Smith. John Brown agreed.").text
    'Dr. [NAME-1] called Dr. [NAME-2]. [NAME-1] agreed.'
    """

    def __new__(
        cls,
        preset: choices.Preset = "safe",
        *,
        name: str | None = None,
        ordinary_words: bool | None = None,
        terms: choices.Terms | None = None,
        numbers: choices.Numbers | None = None,
        unknown: choices.Unknown | None = None,
        mask: str | None = None,
        keep: Sequence[choices.Category | choices.Kind] | None = None,
        dates: choices.Dates | None = None,
        years: choices.Years | None = None,
        season: bool | None = None,
        date_order: choices.DateOrder | None = None,
        replace: choices.Replace | None = None,
        tags: str | None = None,
        ages: choices.Ages | None = None,
        zip: choices.Zip | None = None,  # noqa: A002 - what it is called everywhere
        ambiguous: choices.Ambiguous | None = None,
        ethnicity: bool | None = None,
        drop_header: bool | None = None,
        drop_sections: list[str] | None = None,
        placeholders: list[str] | None = None,
        doctors: list[str] | None = None,
        hospitals: list[str] | None = None,
        wards: list[str] | None = None,
        cues: list[str] | None = None,
        groups: Sequence[choices.Group] | None = None,
        brands: bool | None = None,
        lists_off: Sequence[str] | None = None,
        strictness: int | Mapping[choices.Category, int] | None = None,
        sections: Mapping[str, Mapping[str, int | Mapping[choices.Category, int]]] | None = None,
        rules_off: Sequence[choices.Category] | None = None,
        patterns: Sequence[Mapping[str, Any]] | str | PathLike[str] | None = None,
    ) -> Self: ...
    @staticmethod
    def open(path: str | PathLike[str]) -> Policy:
        """Read a policy from a TOML file.

        Parameters
        ----------
        path : path-like
            The key ``preset`` names the preset to start from (``"safe"`` if left out), the others are the choices
            above.

        Returns
        -------
        Policy
            The policy.

        Raises
        ------
        PolicyError
            If a key or a value is unknown; the message names the nearest one.
        FileError
            If the file cannot be read.
        """

    @staticmethod
    def from_toml(text: str) -> Policy:
        """Read a policy from a TOML text; see `open`."""

    def to_toml(self) -> str:
        """Return every choice as TOML that `from_toml` reads."""

    def to_dict(self) -> dict[str, Any]:
        """Return every choice as plain Python values."""

    @property
    def digest(self) -> str:
        """SHA-256 of the choices; the name of the policy is not part of it."""

    @property
    def needs_key(self) -> bool:
        """Whether a scrubber with this policy needs a key."""

    name: Final[str]
    ordinary_words: Final[bool]
    terms: Final[choices.Terms]
    numbers: Final[choices.Numbers]
    unknown: Final[choices.Unknown]
    mask: Final[str]
    keep: Final[list[str]]
    @property
    def lists(self) -> list[str]:
        """The lists whose words may come out."""

    @property
    def vouched_lists(self) -> list[str]:
        """The lists whose words come out where a rule vouches for them, in addition to those of `lists`."""

    dates: Final[choices.Dates]
    years: Final[choices.Years]
    season: Final[bool]
    date_order: Final[choices.DateOrder | None]
    replace: Final[choices.Replace]
    tags: Final[str]
    ages: Final[choices.Ages]
    zip: Final[choices.Zip]
    ambiguous: Final[choices.Ambiguous]
    ethnicity: Final[bool]
    drop_header: Final[bool]
    drop_sections: Final[list[str]]
    placeholders: Final[list[str]]
    doctors: Final[list[str]]
    hospitals: Final[list[str]]
    wards: Final[list[str]]
    cues: Final[list[str]]
    groups: Final[list[str]]
    brands: Final[bool]
    lists_off: Final[list[str]]
    strictness: Final[int | dict[choices.Category, int]]
    sections: Final[dict[str, dict[str, Any]]]
    rules_off: Final[list[str]]
    patterns: Final[list[dict[str, Any]]]
    def _kept_by_patterns(self, text: str) -> list[tuple[int, int]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...
    @classmethod
    def _restore(cls, text: str) -> Policy: ...

@final
class Patient:
    """The known identifiers of a patient, removed in every written form from the patient's notes, even if listed.

    Names are found in any case and order, as initials, with one typing error, and split over a line end; numbers
    with anything between their digits. `repr` and errors show how many identifiers there are, never the values. A
    pickle holds all of them in the clear: send it only to your own workers.

    Parameters
    ----------
    id : str or int, optional
        The identifier by which you distinguish patients. Date shifts and surrogates are derived from it and the key, so
        all notes of a patient need the same one.
    names : list of str, optional
        ``"John Q. Brown"`` or ``"Brown, John Q."``, maiden names, nicknames.
    mrn : str or int, optional
        The medical record number.
    birth_date : datetime.date or str, optional
        As a date or as ``"YYYY-MM-DD"``.
    phones : list of str, optional
        Telephone numbers.
    addresses : list of str, optional
        Postal addresses.
    other : list of str, optional
        Anything else that identifies the patient: e-mail addresses, account numbers, an employer, names of relatives.

    Raises
    ------
    PatientError
        If a value cannot be searched for. The message names the field, never the value.

    Notes
    -----
    An ordinary word one letter away from a name (*grown* for Brown) is removed only where it is written as a name.
    Parts of names that are function words (*van*, *no*) are removed only next to another part.

    Examples
    --------
    >>> import notesieve as ns
    >>> patient = ns.Patient("17", names=["Rose Winters"], phones=["617-555-0123"])
    >>> patient
    Patient(id, 1 names, 1 phones)
    >>> ns.Scrubber().scrub("WINTERS, ROSE slept well", patient=patient).text
    '[NAME] slept well'
    """

    def __new__(
        cls,
        id: str | int | None = None,  # noqa: A002 - what it is called everywhere
        *,
        names: Iterable[str] | None = None,
        mrn: str | int | None = None,
        birth_date: date | str | None = None,
        phones: Iterable[str] | None = None,
        addresses: Iterable[str] | None = None,
        other: Iterable[str] | None = None,
    ) -> Self: ...
    id: Final[str | None]
    names: Final[list[str]]
    mrn: Final[str | None]
    birth_date: Final[date | None]
    phones: Final[list[str]]
    addresses: Final[list[str]]
    other: Final[list[str]]
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...

@final
class Key:
    """The secret from which date shifts, surrogates and pseudonyms are derived (HMAC-SHA256).

    A key comes from the environment or from a file that only its owner can read, never from an argument. It cannot be
    pickled, and `repr` shows only its fingerprint. ``notesieve key new -o FILE`` makes one.

    Examples
    --------
    >>> import os
    >>> import notesieve as ns
    >>> os.environ["NOTESIEVE_KEY"] = "2a" * 31 + "17"  # an example: a real one is drawn at random and kept in a file
    >>> key = ns.Key.load()
    >>> key.pseudonym("patient", "17") == key.pseudonym("patient", "17")
    True
    >>> del os.environ["NOTESIEVE_KEY"]
    """

    @staticmethod
    def load() -> Key:
        """Load the key of this process.

        Returns
        -------
        Key
            The key of 64 hexadecimal digits in the variable ``NOTESIEVE_KEY``, or in the file that
            ``NOTESIEVE_KEY_FILE`` names.

        Raises
        ------
        SecretKeyError
            If there is no key, if it is malformed, or if others than the owner may read its file.
        FileError
            If the file cannot be read.
        """

    @staticmethod
    def open(path: str | PathLike[str]) -> Key:
        """Load the key of a file.

        Parameters
        ----------
        path : path-like
            A file with 64 hexadecimal digits that only its owner may read (mode 600).

        Returns
        -------
        Key
            The key.

        Raises
        ------
        SecretKeyError
            If the file holds no key, or if others than the owner may read it.
        FileError
            If the file cannot be read.
        """

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that identify this key and reveal nothing else about it."""

    def pseudonym(self, domain: str, value: str) -> str:
        """Return a pseudonym of 32 hexadecimal digits.

        Parameters
        ----------
        domain : str
            The kind of value: ``"patient"``, ``"visit"``. The pseudonyms of one value in two domains cannot be
            linked.
        value : str
            The value to replace.

        Returns
        -------
        str
            The same for the same key, domain and value; it reveals nothing without the key.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> Never: ...

@final
class Concept:
    """A concept of a published vocabulary."""

    def __new__(
        cls,
        code: str,
        name: str,
        types: list[str] = ...,
        parents: list[str] = ...,
        same_as: list[str] = ...,
    ) -> Self: ...
    code: Final[str]
    name: Final[str]
    types: Final[list[str]]
    parents: Final[list[str]]
    same_as: Final[list[str]]
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, str, list[str], list[str], list[str]]: ...

@final
class Vocabulary:
    """The word lists, terms and concepts that vouch for what may come out, compiled into one file.

    Examples
    --------
    >>> import notesieve as ns
    >>> vocabulary = ns.Vocabulary.default()
    >>> vocabulary.lookup("heart attack")[0]
    Concept("mesh:D009203", "Myocardial Infarction")
    """

    @staticmethod
    def default() -> Vocabulary:
        """Return the vocabulary inside the package."""

    @staticmethod
    def open(path: str | PathLike[str]) -> Vocabulary:
        """Open a compiled vocabulary.

        Parameters
        ----------
        path : path-like
            The file; it is mapped into memory, not read.

        Raises
        ------
        FileError
            If the file cannot be read.
        VocabularyError
            If it is not a vocabulary, is damaged, or has another version.
        """

    @staticmethod
    def _reopen(
        path: str | PathLike[str] | None,
        digest: str,
        allow: list[str] = ...,
        deny: list[str] = ...,
        staff: list[str] = ...,
        places: list[str] = ...,
    ) -> Vocabulary: ...
    @property
    def digest(self) -> str:
        """SHA-256 of the whole vocabulary and the site's lists, as 64 hexadecimal digits."""

    @property
    def file(self) -> str:
        """The path of the file, or ``<embedded>``."""

    def info(self) -> dict[str, Any]:
        """Return where the vocabulary comes from and what it holds."""

    def verify(self) -> None:
        """Read the whole file and check its digest.

        Raises
        ------
        VocabularyError
            If a byte of the file has changed.
        """

    def with_lists(
        self,
        *,
        allow: list[str] = ...,
        deny: list[str] = ...,
        staff: list[str] = ...,
        places: list[str] = ...,
    ) -> Vocabulary:
        """Return the same vocabulary with the lists of a site, without compiling it again.

        Parameters
        ----------
        allow : list of str, optional
            Words and phrases that identify nobody: they come out unless a rule finds PHI in them.
        deny : list of str, optional
            Words and phrases that never come out.
        staff : list of str, optional
            Names of people who work at the site. The family name of an item is recognised on its own, too. A single
            word counts as a name only with a capital letter.
        places : list of str, optional
            Names of hospitals, wards, streets and towns.

        Returns
        -------
        Vocabulary
            The vocabulary, with a digest of its own, so that results show which lists were used.

        Raises
        ------
        PolicyError
            If an item contains no word; the message gives its index, not its text.

        Examples
        --------
        >>> import notesieve as ns
        >>> vocabulary = ns.Vocabulary.default().with_lists(places=["Larkmoor"], allow=["zorblax"])
        >>> ns.Scrubber(vocabulary=vocabulary).scrub("Zorblax was given at Larkmoor.").text
        'Zorblax was given at [LOCATION].'
        """

    @property
    def site_lists(self) -> dict[str, int]:
        """The number of items on each of the site's lists."""

    def lookup(self, text: str) -> list[Concept]:
        """Return the concepts of a term, best source first, ignoring case."""

    def reordered(self, text: str) -> tuple[str, list[Concept]] | None:
        """Return the term that has the same words in another order: a fallback where `lookup` finds nothing.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Vocabulary.default().reordered("infarction myocardial")[0]
        'myocardial infarction'
        """

    def near(self, text: str, distance: int = 1, limit: int = 20) -> list[tuple[str, int, list[Concept]]]:
        """Return the terms within a few typing errors of a text, nearest first.

        Parameters
        ----------
        text : str
            The text as typed.
        distance : {1, 2}, optional
            The maximum number of letters that are missing, superfluous or replaced.
        limit : int, optional
            The maximum number of terms.

        Returns
        -------
        list of tuple of (str, int, list of Concept)
            The term, its distance and its concepts.

        Raises
        ------
        ValueError
            If the distance is more than 2.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Vocabulary.default().near("miocardial infarction")[0][0]
        'myocardial infarction'
        """

    def broader(self, code: str) -> list[Concept]:
        """Return the broader concepts of a code.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.
        """

    def narrower(self, code: str) -> list[Concept]:
        """Return the narrower concepts of a code.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.
        """

    def descendants(self, code: str) -> list[Concept]:
        """Return all concepts below a code, the nearest first.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.

        Examples
        --------
        >>> import notesieve as ns
        >>> vocabulary = ns.Vocabulary.default()
        >>> "mesh:D003924" in {concept.code for concept in vocabulary.descendants("mesh:D003920")}
        True
        """

    def cross_references(self, code: str) -> list[Concept]:
        """Return the concepts of other systems that a source equates with a code.

        The first call scans all concepts.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.
        """

    def nearest(self, code: str, system: str) -> Concept | None:
        """Return the concept of a system that best represents a code: for tables in the codes of one system.

        That is the concept itself, one that its source equates with it, or else the equivalent of a broader concept, at
        most two steps up. None where several are equally near, or where they say only that there is a disease.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Vocabulary.default().nearest("mondo:0006025", "mesh").name  # autosomal recessive disease
        'Genetic Diseases, Inborn'
        """

    def _diff(self, old: Vocabulary) -> str: ...
    def group(self, code: str) -> str | None:
        """Return the semantic group of a concept; None if the vocabulary does not have the code.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Vocabulary.default().group("mesh:D011014")
        'disorder'
        """

    def concept(self, code: str) -> Concept | None:
        """Return the concept with a code such as ``mesh:D003920``."""

    def prefix(self, text: str, limit: int = 20) -> list[tuple[str, list[Concept]]]:
        """Return the first terms that begin with a text, in alphabetical order."""

    def lists(self, word: str) -> list[str]:
        """Return the names of the lists that contain a word."""

    def words(self, name: str) -> list[str]:
        """Return the words of a list, folded, in alphabetical order.

        Parameters
        ----------
        name : str
            The list, as `lists` names it.

        Raises
        ------
        PolicyError
            If there is no such list.

        Examples
        --------
        >>> import notesieve as ns
        >>> "monday" in ns.Vocabulary.default().words("weekday")
        True
        """

    def terms(self) -> list[tuple[str, str]]:
        """Return every term of a concept with the case in which it matches.

        Returns
        -------
        list of (str, str)
            The folded words and marks of the term, joined by spaces; and ``any``, ``capitals`` (short acronyms) or
            ``lower`` (single words that are names too).
        """

    def _lists_of(self, words: list[str]) -> list[list[str]]: ...
    def _cases_of(self, texts: list[str]) -> list[str | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, str, list[str], list[str], list[str], list[str]]]: ...

@final
class ConceptMention:
    """A term that came out. Offsets count code points.

    Attributes
    ----------
    start, end, source_start, source_end : int
        Its span in the de-identified text and in the note.
    code, name : str
        The code of the best concept (the one whose vocabulary comes first) and its preferred name. Empty if ambiguous.
    codes : list of str
        All codes, best vocabulary first.
    group : str
        ``disorder``, ``finding``, ``procedure``, ``drug``, ``device``, ``anatomy``, ``organism``, ``physiology``,
        ``person``, ``place`` or ``other``, according to the source of the best concept. ``measurement`` for what
        laboratories and nurses measure, ``drug`` where the note says how it is given.
    value : str or None
        The value of a measurement as written: ``"7.4"``, ``"120/80"``, ``"4-6"``.
    number : float or None
        The value as a number; the first number of a pair, None for a range.
    unit : str or None
        The unit of the value, if the note has one, in a uniform spelling: ``"mg/dL"``.
    comparator : {"<", "<=", ">", ">="} or None
        The comparison before the value.
    flag : {"high", "low", "abnormal", "critical", "current", "former", "never"} or None
        The mark of the laboratory next to the value; for smoking one of the last three.
    dose : str or None
        The dose of a drug with its unit: ``"25 mg"``.
    route : str or None
        The route: ``"oral"``, ``"intravenous"``, ...
    frequency : str or None
        The frequency: ``"twice daily"``, ``"every 6 hours as needed"``, ...
    further : list of dict
        Other values or doses of the same mention, in the order of the text, with the keys ``value`` to ``frequency``:
        earlier and later values, the next steps of a taper.
    negated, hypothetical, historical, possible, family : bool
        What the note says of it: it is absent; it may occur; it was in the past; it is in doubt; somebody else has it.
        Several can hold at once.
    affirmed : bool
        Whether none of these holds: the note asserts it of its patient.
    ambiguous : bool
        Whether it is a short form whose meaning the note does not settle. It then has no code.
    reasons : dict of str
        The cue of each status that holds, as the list of cues writes it.

    Examples
    --------
    >>> import notesieve as ns
    >>> fever = ns.Scrubber().autocode("Mother denies fever.")[-1]
    >>> fever.negated, fever.family, fever.group, fever.reasons
    (True, False, 'finding', {'negated': 'denies'})
    >>> found = ns.Scrubber().autocode("Creatinine 1.8 mg/dL (H). Metoprolol 25 mg po bid.")
    >>> creatinine, metoprolol = found
    >>> creatinine.group, creatinine.value, creatinine.number, creatinine.unit, creatinine.flag
    ('measurement', '1.8', 1.8, 'mg/dL', 'high')
    >>> metoprolol.dose, metoprolol.route, metoprolol.frequency
    ('25 mg', 'oral', 'twice daily')
    """

    start: Final[int]
    end: Final[int]
    source_start: Final[int]
    source_end: Final[int]
    code: Final[str]
    name: Final[str]
    codes: Final[list[str]]
    group: Final[str]
    value: Final[str | None]
    number: Final[float | None]
    unit: Final[str | None]
    comparator: Final[str | None]
    flag: Final[str | None]
    dose: Final[str | None]
    route: Final[str | None]
    frequency: Final[str | None]
    further: Final[list[dict[str, str | float | None]]]
    negated: Final[bool]
    hypothetical: Final[bool]
    historical: Final[bool]
    possible: Final[bool]
    family: Final[bool]
    ambiguous: Final[bool]
    affirmed: Final[bool]
    reasons: Final[dict[str, str]]
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    @staticmethod
    def _restore(state: str) -> ConceptMention: ...

@final
class Removal:
    """A span of the original that did not come out. Offsets count code points."""

    start: Final[int]
    end: Final[int]
    category: Final[str]
    kind: Final[str | None]
    output_start: Final[int]
    output_end: Final[int]
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[tuple[int, int, int, int], str | None]]: ...
    @staticmethod
    def _restore(state: str) -> Removal: ...

@final
class Finding:
    """A finding of a rule, whether or not its span was removed. Offsets count code points of the original."""

    start: Final[int]
    end: Final[int]
    category: Final[str]
    kind: Final[str]
    rule: Final[str]
    @property
    def certainty(self) -> Literal[1, 2, 3]:
        """The certainty: 1 weak, outweighed by a term of several words; 2 likely, outweighed by no list; 3 sure.

        The evidence with the higher certainty wins; at a tie, removal wins.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[int, int, str, str, int]]: ...
    @staticmethod
    def _restore(state: str) -> Finding: ...

@final
class Decision:
    """The decision on one token. Offsets count code points."""

    start: Final[int]
    end: Final[int]
    output_start: Final[int]
    output_end: Final[int]
    action: Final[Literal["keep", "code", "remove"]]
    reason: Final[str]
    rule: Final[str | None]
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[tuple[int, int, int, int], str, str, str | None]]: ...
    @staticmethod
    def _restore(state: str) -> Decision: ...

@final
class ScrubbedNote:
    """A de-identified note. It holds no text of the original.

    Attributes
    ----------
    text : str
        The de-identified text.
    coded_text : str
        The same text with the code of each term after it in brackets.
    concepts : list of ConceptMention
        The terms in the text, in order.
    codes : list of Concept
        The best concept of each term, without duplicates.
    removed : list of Removal
        The removed spans, in order.
    findings : list of Finding
        The findings of the rules.
    decisions : list of Decision
        The decision on every token; empty if scrubbed with ``explain=False``.
    """

    text: Final[str]
    coded_text: Final[str]
    def explain(self, offset: int) -> str:
        """Return the evidence for and against a token, and the decision.

        Parameters
        ----------
        offset : int
            A code point of the original inside the token.

        Returns
        -------
        str
            The decision, then one line for each piece of evidence, by descending weight: the rules that found PHI
            there; the rules, terms and lists that vouch for it. Meant for ``print``. It holds no text of the note.

        Raises
        ------
        NoteError
            If there is no token at the offset, or the note was scrubbed with ``explain=False``.

        Examples
        --------
        >>> import notesieve as ns
        >>> note = ns.Scrubber().scrub("Seen by Dr. Brown.")
        >>> print(note.explain(12))
        12:17 removed (finding), 12:18 of the output stands for it
          against  sure    name-title (name)
          against  weak    name-propagated (name)
          for      listed  english
        """

    def suspicious(self, most: int = 20) -> list[dict[str, Any]]:
        """Return the kept tokens that the model finds most likely to identify, for a reviewer to read first.

        Parameters
        ----------
        most : int, optional
            The maximum number of tokens.

        Returns
        -------
        list of dict
            The most suspicious first: ``start`` and ``end`` (code points of the original), ``output_start`` and
            ``output_end`` (of the de-identified text), ``label`` (``"name"``, ``"place"``, ``"date"`` or ``"other"``),
            ``log_odds`` (natural logarithm; 0 means a probability of one half) and ``reason`` (why it was kept). Empty
            if the model judged nothing. It holds no text.

        Raises
        ------
        NoteError
            If the note was scrubbed with ``explain=False``.

        Examples
        --------
        >>> import notesieve as ns
        >>> text = "Seen at bedside. Will was there."
        >>> first = ns.Scrubber(ns.Policy(strictness=1)).scrub(text).suspicious(1)[0]
        >>> text[first["start"] : first["end"]], first["label"], -2 < first["log_odds"] < 0
        ('Will', 'name', True)
        """

    concepts: Final[list[ConceptMention]]
    codes: Final[list[Concept]]
    removed: Final[list[Removal]]
    findings: Final[list[Finding]]
    decisions: Final[list[Decision]]
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, for JSON."""

    @property
    def provenance(self) -> dict[str, str | None]:
        """The provenance of the note: see `Scrubber.provenance`."""

    def _repr_html_(self) -> str: ...
    @staticmethod
    def _restore(vocabulary: Vocabulary, state: str, provenance: str) -> ScrubbedNote: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Vocabulary, Any, Any]]: ...

@final
class ScrubbedBatch:
    """Scrubbed notes, in the order of the input: a sequence with access as numpy arrays."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> ScrubbedNote: ...
    @overload
    def __getitem__(self, index: slice, /) -> ScrubbedBatch: ...
    def __iter__(self) -> Iterator[ScrubbedNote]: ...
    @property
    def provenance(self) -> dict[str, str | None]:
        """The provenance of the notes: see `Scrubber.provenance`."""

    @property
    def texts(self) -> list[str]:
        """The de-identified texts."""

    def removed_arrays(self) -> dict[str, NDArray[np.uint32 | np.str_]]:
        """Return the removed spans of all notes as arrays of equal length.

        Returns
        -------
        dict of numpy.ndarray
            ``note`` (index of the note), ``start`` and ``end`` (code points of the original), ``category``.
        """

    def concept_arrays(self) -> dict[str, NDArray[np.uint32 | np.str_ | np.bool_ | np.float64]]:
        """Return the terms of all notes as arrays of equal length.

        Returns
        -------
        dict of numpy.ndarray
            ``note`` (index of the note), ``start`` and ``end`` (code points of the de-identified text); ``code`` and
            ``group``; ``negated``, ``hypothetical``, ``historical``, ``possible``, ``family`` and ``ambiguous``
            (booleans); ``value``, ``unit``, ``comparator``, ``flag``, ``dose``, ``route`` and ``frequency`` (empty
            if absent); ``number`` (NaN if absent). An ambiguous term has no code.

        Examples
        --------
        >>> import notesieve as ns
        >>> arrays = ns.Scrubber().scrub_many(["No fever. Sodium 131 mEq/L."]).concept_arrays()
        >>> arrays["negated"].tolist(), arrays["number"].tolist(), arrays["unit"].tolist()
        ([True, False], [nan, 131.0], ['', 'mEq/L'])
        """

    @staticmethod
    def _restore(states: list[str], vocabulary: Vocabulary, provenance: str) -> ScrubbedBatch: ...
    def __reduce__(self) -> tuple[Any, tuple[list[Any], Vocabulary, Any]]: ...

@final
class Model:
    """A model trained on marked notes: how likely a word or number names somebody, given its context.

    Examples
    --------
    >>> import notesieve as ns
    >>> ns.Model.default().provenance["seed"]
    1
    """

    @staticmethod
    def default() -> Model:
        """Return the model inside the package."""

    @staticmethod
    def open(path: str | PathLike[str]) -> Model:
        """Open a model file.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        Model
            The model, checked against its digest.

        Raises
        ------
        FileError
            If the file cannot be read.
        ModelError
            If it is truncated, altered, foreign or of another version.
        """

    @property
    def digest(self) -> str:
        """SHA-256 of the whole file, as 64 hexadecimal digits."""

    @property
    def provenance(self) -> dict[str, Any]:
        """What it was trained on: ``batches``, the number of ``notes``, ``seed``, digest of the ``vocabulary``."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file.

        Parameters
        ----------
        path : str or path-like
            The file; an existing one is replaced.

        Raises
        ------
        FileError
            If the file cannot be written.
        """

    @staticmethod
    def _reopen(path: PathLike[str] | None, digest: str, bytes: bytes | None = None) -> Model: ...  # noqa: A002
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Trainer:
    """The core of `notesieve.learning.train`."""

    def __new__(
        cls,
        scrubber: Scrubber,
        notes: Iterable[str],
        marks: tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]],
        groups: NDArray[Any],
        start: Model | None = None,
        *,
        documents: int,
        epochs: int,
        l2: float,
        rate: float,
        threads: int | None = None,
        tell: Callable[[int], object] | None = None,
    ) -> Self: ...
    @property
    def skipped(self) -> list[tuple[int, str]]:
        """The notes that could not be read, and why."""

    def train_without_group(self, group: int | None = None, *, provenance: str) -> Model:
        """Train and return the model of all notes except those of one group."""

def features(
    scrubber: Scrubber,
    notes: Iterable[str],
    marks: tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]],
    /,
    *,
    documents: int = 1,
    threads: int | None = None,
) -> dict[str, Any]:
    """Return the features of every word and number of the notes, as arrays."""

def feature_kinds() -> list[str]:
    """Return a description of each kind of feature, indexed by its number."""

def threads(asked: int | None = None, /) -> int:
    """Return the number of threads to use: as asked, as the environment says, or one per core."""

@final
class ColumnResult:
    """A scrubbed column."""

    @property
    def columns(self) -> Any:
        """The requested columns: an Arrow table, or a dictionary of lists."""

    @property
    def failed(self) -> int:
        """The number of rows that failed."""

    @property
    def errors(self) -> list[tuple[int, str]]:
        """The row and error code of the first 1000 rows that failed."""

@disjoint_base
class Scrubber:
    """The core of `notesieve.Scrubber`."""

    def __new__(
        cls,
        policy: Policy | str | PathLike[str] | None = None,
        vocabulary: Vocabulary | None = None,
        *,
        key: Key | None = None,
        model: Model | str | PathLike[str] | None = None,
        detectors: Sequence[str] | None = None,
    ) -> Self: ...
    @property
    def policy(self) -> Policy: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def model(self) -> Model: ...
    @property
    def key(self) -> Key | None: ...
    @property
    def provenance(self) -> dict[str, str | None]:
        """Everything that is needed to reproduce an output.

        ``version`` of the package, ``vocabulary_digest``, ``model_digest``, ``status_digest``,
        ``entities_digest``, ``policy_digest``, and ``key_fingerprint`` or ``None``. With detectors, ``detectors`` has
        their names.
        """

    def _scrub(
        self, text: str, *, patient: Patient | None = None, findings: list[Any] | None = None
    ) -> ScrubbedNote: ...
    def autocode(
        self, text: str, *, identifying: bool = False, groups: Sequence[choices.Group] | None = None
    ) -> list[ConceptMention]: ...
    def _dropped_sections(self) -> dict[str, int]: ...
    def _shift_days(self, patient: str) -> int | None: ...
    def _scrub_many(
        self,
        texts: Iterable[str],
        *,
        patients: Iterable[Patient | None] | None = None,
        findings: Iterable[list[Any]] | None = None,
        threads: int | None = None,
        explain: bool = False,
    ) -> tuple[ScrubbedBatch, list[tuple[int, str]]]: ...
    def _scrub_fields(
        self,
        fields: list[tuple[str, str, list[int], list[Any]]],
        *,
        patient: Patient | None = None,
        threads: int | None = None,
    ) -> tuple[list[list[str]], dict[str, int]]: ...
    def _scrub_arrow(
        self,
        column: Any,
        *,
        outputs: Sequence[str],
        patients: Iterable[Patient | bool | None] | None = None,
        findings: list[list[Any] | None] | None = None,
        detect: Callable[[list[str]], list[list[Any]]] | None = None,
        threads: int | None = None,
        progress: Callable[[int, int, int, int], object] | None = None,
    ) -> ColumnResult: ...
    def _scrub_iterable(
        self,
        objects: Iterable[object],
        *,
        outputs: Sequence[str],
        patients: Iterable[Patient | bool | None] | None = None,
        findings: list[list[Any] | None] | None = None,
        detect: Callable[[list[str]], list[list[Any]]] | None = None,
        threads: int | None = None,
        progress: Callable[[int, int, int, int], object] | None = None,
    ) -> ColumnResult: ...
    def __reduce__(self) -> tuple[Any, tuple[Policy, Vocabulary, str | None, Model]]: ...
    @classmethod
    def _restore(cls, policy: Policy, vocabulary: Vocabulary, fingerprint: str | None, model: Model) -> Self: ...

@final
class Segments:
    """The folder in which an index keeps words, codes and their positions.

    Parameters
    ----------
    path : path-like
        The folder; created if it does not exist.

    Raises
    ------
    FileError
        If the folder cannot be read.
    SearchIndexError
        If it holds something other than an index, or is damaged.

    Notes
    -----
    It is built on `tantivy <https://github.com/quickwit-oss/tantivy>`_. Before each word there is a slot, which holds
    the number of the code set of the term that begins at the word, or nothing: words have odd positions, and the slot
    of each has the position before it. Reading and writing release the GIL.

    Examples
    --------
    >>> import notesieve as ns, tempfile
    >>> from notesieve._core import SegmentQuery, Segments
    >>> folder = tempfile.TemporaryDirectory()
    >>> scrubber = ns.Scrubber()
    >>> segments = Segments(folder.name)
    >>> writer = segments.writer(scrubber.vocabulary, [], None)
    >>> writer.add_notes([scrubber.scrub("Known asthma.")], [("n1", "p1", "letter", None)], 0)
    >>> writer.commit()
    >>> writer.close()
    >>> segments.refresh()
    >>> searcher = segments.searcher()
    >>> searcher.count_notes_and_patients(SegmentQuery.phrase([(1, "known"), (2, "#0"), (3, "asthma")]))
    (1, 1)
    >>> "mesh:D001249" in writer.code_sets_from(0)[0]
    True
    >>> folder.cleanup()
    """

    def __new__(cls, path: str | PathLike[str]) -> Self: ...
    def refresh(self) -> None:
        """Make visible what any process has committed since."""

    def searcher(self) -> SegmentSearcher:
        """Return a searcher over the segments as they were at the last `refresh`."""

    def verify(self) -> tuple[int, list[str]]:
        """Read every file again; return the number of files, and the names of those that are damaged or missing."""

    def writer(
        self,
        vocabulary: Vocabulary,
        sets: Sequence[tuple[Sequence[str], int]],
        key: Key | None,
        threads: int | None = None,
    ) -> SegmentWriter:
        """Open a writer.

        Parameters
        ----------
        vocabulary : Vocabulary
            The vocabulary of the notes.
        sets : sequence of sequence of str
            The code sets of the index so far; a new one gets the next number.
        key : Key or None
            Derives pseudonyms of the identifiers of notes and patients; None leaves them as they are.
        threads : int, optional
            The number of threads that write. Default: what ``NOTESIEVE_THREADS`` says, or one per core.

        Raises
        ------
        FileError
            If another writer is open, or the folder cannot be written.
        """

@final
class SegmentWriter:
    """Adds notes to the segments; returned by `Segments.writer`.

    A row holds the metadata of a note: identifiers or pseudonyms of note and patient, type, year.
    """

    def code_sets_from(self, first: int) -> list[tuple[list[str], int]]:
        """Return the code sets from a number on, each with the statuses of its terms as a bitmask."""

    def add_notes(
        self,
        notes: ScrubbedBatch | Sequence[ScrubbedNote],
        rows: Sequence[tuple[str, str, str | None, int | None]],
        source: int,
    ) -> None:
        """Add scrubbed notes. A note replaces the one with the same identifier.

        Parameters
        ----------
        notes : ScrubbedBatch or sequence of ScrubbedNote
            The notes.
        rows : sequence of tuple
            One row per note.
        source : int
            Their provenance, as an index into the manifest.

        Raises
        ------
        FileError
            If the index cannot be written.
        """

    def add_texts(
        self,
        texts: Sequence[str],
        rows: Sequence[tuple[str, str, str | None, int | None]],
        source: int,
        scrubber: Scrubber,
    ) -> None:
        """Add de-identified texts; their terms are looked up again.

        Raises
        ------
        NoteError
            If a text is too long.
        FileError
            If the index cannot be written.
        """

    def remove_patient(self, patient: str) -> None:
        """Remove all notes of a patient, given by identifier."""

    def commit(self) -> None:
        """Make the changes permanent."""

    def close(self) -> None:
        """Discard what was not committed, and release the writer lock."""

@final
class SegmentQuery:
    """A query to the segments; one of the static methods creates it."""

    @staticmethod
    def everything() -> SegmentQuery:
        """Match every note."""

    @staticmethod
    def nothing() -> SegmentQuery:
        """Match no note."""

    @staticmethod
    def word(word: str) -> SegmentQuery:
        """Match notes with a word or a slot."""

    @staticmethod
    def prefix(start: str) -> SegmentQuery:
        """Match notes with a word that begins with a prefix."""

    @staticmethod
    def phrase(places: Sequence[tuple[int, str]], slop: int = 0) -> SegmentQuery:
        """Match notes with words or slots at these relative positions, or up to `slop` positions off."""

    @staticmethod
    def codes(numbers: Sequence[int]) -> SegmentQuery:
        """Match notes with one of these code sets."""

    @staticmethod
    def values(numbers: list[int], unit: str, least: float | None, most: float | None) -> SegmentQuery: ...
    @staticmethod
    def of_type(kind: str) -> SegmentQuery:
        """Match notes of a type."""

    @staticmethod
    def years(first: int | None, last: int | None) -> SegmentQuery:
        """Match notes from a year to a year, inclusive."""

    @staticmethod
    def notes(pseudonyms: Sequence[str]) -> SegmentQuery:
        """Match notes by their pseudonyms."""

    @staticmethod
    def all_of(operands: Sequence[SegmentQuery]) -> SegmentQuery:
        """Match notes that all of the queries match."""

    @staticmethod
    def any_of(operands: Sequence[SegmentQuery]) -> SegmentQuery:
        """Match notes that at least one of the queries matches."""

    @staticmethod
    def without(operand: SegmentQuery) -> SegmentQuery:
        """Match notes that a query does not match."""

@final
class SegmentSearcher:
    """The segments as of one commit; returned by `Segments.searcher`.

    Addresses identify notes, and are valid for this searcher only. Numbers identify patients: the first 64 bits of the
    SHA-256 digest of their pseudonyms. Its length is the number of notes.
    """

    def __len__(self) -> int: ...
    def count_notes_and_patients(self, query: SegmentQuery) -> tuple[int, int]:
        """Count the matching notes and their distinct patients."""

    def count_notes(self, query: SegmentQuery) -> int:
        """Count the matching notes."""

    def matching_patients(self, query: SegmentQuery) -> NDArray[np.uint64]:
        """Return the patients of the matching notes, sorted, without duplicates."""

    def matching_addresses(self, query: SegmentQuery) -> NDArray[np.uint64]:
        """Return the addresses of the matching notes, in no particular order."""

    def best_notes(self, query: SegmentQuery, limit: int, offset: int) -> tuple[int, list[tuple[float, int]]]:
        """Count the matching notes, and return score (BM25) and address of the best.

        Notes with equal scores are ordered by the digests of their pseudonyms, wherever they are in the index.
        """

    def count_by_type(self, query: SegmentQuery) -> dict[str, int]:
        """Count the matching notes by type."""

    def count_by_codes(self, query: SegmentQuery) -> dict[int, int]:
        """Count the matching notes by the numbers of their code sets."""

    def count_by_unit(self, numbers: list[int]) -> dict[str, int]: ...
    def count_by_year(self, query: SegmentQuery) -> dict[int, int]:
        """Count the matching notes by year."""

    def stored_note(self, address: int) -> tuple[str, str, str, bytes, str, str | None, int | None, int]:
        """Return pseudonyms of note and patient, text, packed terms, attributes, type, year and source of a note."""

def convert_unit(value: float, unit: str, to: str) -> float | None: ...
def short_form(name: str) -> str | None: ...
def unit_name(written: str) -> str | None: ...
def index_words(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text as the index sees them, each with the start and end of its source in code points."""

def rule_table() -> list[tuple[str, str]]:
    """Return the name of each rule and what it removes or keeps."""

def listed_terms() -> list[tuple[str, list[str]]]:
    """Return the lists of terms, by name, that rules know in addition to the vocabulary."""

def surrogate_syllables() -> list[list[str]]:
    """Return the syllables of which surrogate names are made: starts, middles, links, endings."""

def tag_surrogates(
    key: Key, vocabulary: Vocabulary, patient: str | None, text: str, tags: list[tuple[str, str, bool]]
) -> list[str | None]:
    """Return surrogates for the tags of a text; a tag is its form, its name, whether it is per patient."""

def build_vocabulary(
    request: str, out: str | PathLike[str], progress: Callable[[int | None, int | None], object] | None, /
) -> str:
    """Build a vocabulary file. Request and report are JSON; `notesieve.vocabularies.build` is the public function."""

def run_evaluation_request(request: str, /) -> str:
    """Run one task of the evaluation. Request and result are JSON; `notesieve.evaluation` is the public interface.

    Raises
    ------
    GoldError
        If a gold standard or predictions cannot be read.
    PolicyError
        If an option is unknown or has a wrong value.
    """
