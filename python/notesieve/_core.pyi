"""The compiled part of notesieve. This file is its reference."""

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
    """What may come out, and in what form. What each choice costs: the page *Policies* of the documentation.

    Parameters
    ----------
    preset : {"safe", "balanced", "berman", "readable", "limited-data-set"}, optional
        The policy to begin with. ``limited-data-set`` keeps what 45 CFR 164.514(e) lets stay: dates, ages, towns,
        states, postal codes.
    name : str, optional
        What the policy is called; no part of its digest.
    ordinary_words : bool, optional
        Whether ordinary words stay, or only stop words and terms.
    terms : {"written", "preferred", "code"}, optional
        How a term is written: as in the note; as its vocabulary prefers it, with its code; as its code alone.
    numbers : {"none", "strict", "judged", "wide", "all"}, optional
        Which numbers stay outside terms: none; those that the clinical grammar vouches for; also short numbers and
        clock times of which the model is sure that they identify nobody; all short numbers that no rule removes; all
        that no rule removes.
    unknown : {"remove", "judged", "keep"}, optional
        What happens to words on no list: they go; they stay where the model is sure that they name nobody; they stay.
    mask : str, optional
        What stands for a word on no list: one or more asterisks.
    keep : list of str, optional
        Categories (``"date"``) and kinds (``"year"``) of PHI that stay. What stays can identify people.
    dates : {"tag", "year", "shift"}, optional
        What stands for a date: a tag; its year; the date moved by as many days as all dates of its patient, 5 to 56
        whole weeks to either side. A shift needs a key and the `id` of a `Patient`; without an id dates get tags.
        Dates and years that tell an age over 89 always get tags.
    years : {"keep", "remove"}, optional
        Whether years that stand alone (``CABG 1996``) stay. Years before 1960, which may tell an age over 89, years of
        a longer date, and all years beside dates that move (``dates="shift"``) go in either case.
    season : bool, optional
        Whether shifted dates keep the season: the shift is up to four years, and at most four weeks from the same day
        of the year.
    date_order : {"mdy", "dmy", "ymd"}, optional
        How dates in figures are read. Without it, other dates of the note that can be read in one way only settle it;
        where none does, a date that can be read in two ways gets a tag.
    replace : {"tag", "numbered", "surrogate", "mask"}, optional
        What stands for what was removed: its tag; the tag with a number, the same for the same person or thing of a
        note, with a key and a patient of all notes of the patient; something else of the same kind, the same in all
        notes of a patient, which needs a key; the mask, so that not even the category is told.
    tags : str, optional
        ``"square"`` for ``[NAME]``, ``"angle"`` for ``<NAME>``, ``"deid"`` for ``[**Last name**]``, or a template of
        marks with ``{category}`` or ``{kind}``.
    ages : {"90+", "tag"}, optional
        What stands for an age over 89.
    zip : {"remove", "prefix"}, optional
        Whether the first three digits of a postal code stay, or 000 where 20,000 people or fewer live (censuses of
        2000 and 2020); codes of the United States only.
    ambiguous : {"context", "always", "never"}, optional
        When an ordinary word that is a name too goes: by what stands around it; wherever it has a capital letter; only
        where a title, a field, a relative tell a name.
    ethnicity : bool, optional
        Whether words for ethnicity and nationality go too, as kind ``ethnicity``. Safe Harbor does not list them.
    drop_header : bool, optional
        Whether the header of a note goes whole: the lines with which it begins that have labels such as ``Patient:``,
        ``MRN:`` or ``Date of birth:``, and short ones between them. The reason of these decisions is ``"header"``.
    drop_sections : list of str, optional
        Headings of sections that go whole: ``"social history"``, ``"family history"`` and their short forms, or any
        other.
    placeholders : list of str, optional
        Placeholders of earlier de-identification in the notes, which stay as they are: ``"[**...**]"`` stands for
        whatever these marks enclose on one line. Without it only tags that this policy writes itself are kept.
    doctors, hospitals, wards : list of str, optional
        The site's own: removed wherever they stand, whatever the lists allow.
    cues : list of str, optional
        The site's own cues of what a note says of a concept, as ``"negated forward: no trace of"``. They count more
        than those of the package.
    groups : list of str, optional
        The semantic groups of the concepts that are told, as ``["disorder", "drug"]``.
        Default: all. The text is the same.
    brands : bool, optional
        Whether brands of drugs and devices stay outside terms.
    lists_off : list of str, optional
        Lists of the vocabulary whose words no longer come out for standing on them, as ``["literature"]``; a word on
        another list, and a term, still does. Lists of names cannot be switched off: they let nothing out.
    strictness : int or mapping of str to int, optional
        How many words that identify nobody may be lost for one that does: 12 removes whatever identifies somebody
        with a probability of more than one in thirteen. Of numbers and listed words that look like no name it removes
        as much as at a strictness 2.5 times lower. A mapping gives one per category, as ``{"name": 40}``; those that it
        does not name keep 20.
    sections : mapping of str to mapping, optional
        Choices for sections, by headings that are matched like those of `drop_sections`:
        ``{"social history": {"strictness": 40}}``. `strictness` is the only one. Where two named sections apply, the
        stricter counts.
    rules_off : list of str, optional
        Categories whose rules are not heard: for measuring what a family of rules is worth, never for data to share.
    patterns : sequence of mapping, or path-like, optional
        Regular expressions of your own, or the TOML file of them: the page *Your own patterns and detectors* has the
        keys.

    Raises
    ------
    PolicyError
        If there is no such choice; the message names the nearest one.

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
            The key ``preset`` names the policy to begin with (``"safe"`` if left out), the others are the choices
            above.

        Returns
        -------
        Policy
            The policy.

        Raises
        ------
        PolicyError
            If a key or a value is not known; the message names the nearest one.
        FileError
            If the file cannot be read.
        """

    @staticmethod
    def from_toml(text: str) -> Policy:
        """Read a policy from a TOML text; see `open`."""

    def to_toml(self) -> str:
        """Give every choice, as TOML that `from_toml` reads."""

    def to_dict(self) -> dict[str, Any]:
        """Give every choice, as plain Python values."""

    @property
    def digest(self) -> str:
        """SHA-256 of the choices, whatever the policy is called."""

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
        """The lists whose words come out where a rule vouches for them, beside those of `lists`."""

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
    """What is known of a patient: removed from the patient's notes in every written form, whatever any list allows.

    Names are found in any case and order, as initials, with one typing error, in pieces over a line end; numbers
    whatever stands between their digits. `repr` and errors tell how much is known, never what. A pickle holds all of it
    in the clear: send it to nobody but your own workers.

    Parameters
    ----------
    id : str or int, optional
        The number by which you tell patients apart. Shifts of dates and surrogates are drawn from it and the key, so
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
        Whatever else stands for the patient: e-mail addresses, account numbers, an employer, names of relatives.

    Raises
    ------
    PatientError
        If a value cannot be looked for. Names the field, never the value.

    Notes
    -----
    An ordinary word one letter away from a name (*grown* for Brown) goes only where it is written as a name. Parts of
    names that are function words (*van*, *no*) go only beside another part.

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
    """The secret from which shifts of dates, surrogates and pseudonyms are drawn (HMAC-SHA256).

    A key comes from the environment or from a file that only its owner can read, never from an argument. It cannot be
    pickled, and `repr` shows its fingerprint alone. ``notesieve key new -o FILE`` makes one.

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
            If there is no key, if it is no key, or if others than the owner may read its file.
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
            If it is no key, or if others than the owner may read the file.
        FileError
            If the file cannot be read.
        """

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that tell this key from others and nothing else about it."""

    def pseudonym(self, domain: str, value: str) -> str:
        """Give a pseudonym of 32 hexadecimal digits.

        Parameters
        ----------
        domain : str
            What kind of value it is: ``"patient"``, ``"visit"``. In two domains the pseudonyms of one value cannot be
            linked.
        value : str
            The value that is to be replaced.

        Returns
        -------
        str
            The same for the same key, domain and value; of no use without the key.
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
    """What is known to be safe: word lists, terms and concepts, compiled into one file.

    Examples
    --------
    >>> import notesieve as ns
    >>> vocabulary = ns.Vocabulary.default()
    >>> vocabulary.lookup("heart attack")[0]
    Concept("mesh:D009203", "Myocardial Infarction")
    """

    @staticmethod
    def default() -> Vocabulary:
        """Give the vocabulary inside the package."""

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
            If it is no vocabulary, or a damaged one, or one of another version.
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
        """SHA-256 that stands for the whole vocabulary and the site's lists, as 64 hexadecimal digits."""

    @property
    def file(self) -> str:
        """The file, or ``<embedded>``."""

    def info(self) -> dict[str, Any]:
        """Tell where the vocabulary comes from and what it holds."""

    def verify(self) -> None:
        """Read the whole file and check its digest.

        Raises
        ------
        VocabularyError
            If a byte of it changed.
        """

    def with_lists(
        self,
        *,
        allow: list[str] = ...,
        deny: list[str] = ...,
        staff: list[str] = ...,
        places: list[str] = ...,
    ) -> Vocabulary:
        """Give the same vocabulary with the lists of a site; nothing is compiled again.

        Parameters
        ----------
        allow : list of str, optional
            Words and phrases that identify nobody: they come out unless a rule speaks against them.
        deny : list of str, optional
            Words and phrases that never come out.
        staff : list of str, optional
            Names of people who work there. The family name of an item is known, too. A single word is taken for a
            name only with a capital letter.
        places : list of str, optional
            Names of hospitals, wards, streets and towns.

        Returns
        -------
        Vocabulary
            With a digest of its own, so that results tell which lists were used.

        Raises
        ------
        PolicyError
            If an item holds no word; the message tells its place, not its text.

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
        """Give the concepts of a term, best source first, whatever its case."""

    def reordered(self, text: str) -> tuple[str, list[Concept]] | None:
        """Give the term whose words stand in another order: a second choice where `lookup` finds nothing.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Vocabulary.default().reordered("infarction myocardial")[0]
        'myocardial infarction'
        """

    def near(self, text: str, distance: int = 1, limit: int = 20) -> list[tuple[str, int, list[Concept]]]:
        """Give the terms within typing errors of a text, nearest first.

        Parameters
        ----------
        text : str
            What was typed.
        distance : {1, 2}, optional
            The most letters that are missing, too many or replaced.
        limit : int, optional
            The most terms.

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
        """Give the broader concepts of a code.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.
        """

    def narrower(self, code: str) -> list[Concept]:
        """Give the narrower concepts of a code.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.
        """

    def descendants(self, code: str) -> list[Concept]:
        """Give all concepts below a code, the nearest first.

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
        """Give the concepts of other systems that a source calls the same.

        The first call looks through all concepts.

        Raises
        ------
        CodeError
            If the vocabulary has no such code.
        """

    def nearest(self, code: str, system: str) -> Concept | None:
        """Give the concept of a system that a code counts as there: for tables in the codes of one system.

        That is the concept itself, one that its source calls the same, or else what something broader is, at most two
        steps up. None where the nearest are several, or say only that there is a disease.

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
        """Give the semantic group of a concept; None where the vocabulary does not have the code.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Vocabulary.default().group("mesh:D011014")
        'disorder'
        """

    def concept(self, code: str) -> Concept | None:
        """Give the concept with a code such as ``mesh:D003920``."""

    def prefix(self, text: str, limit: int = 20) -> list[tuple[str, list[Concept]]]:
        """Give the first terms that begin with a text, in the order of the alphabet."""

    def lists(self, word: str) -> list[str]:
        """Name the lists on which a word stands."""

    def words(self, name: str) -> list[str]:
        """Give the words of a list, folded, in the order of the alphabet.

        Parameters
        ----------
        name : str
            The list, as `lists` gives it.

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
        """Give every term of a concept with the case in which it counts.

        Returns
        -------
        list of (str, str)
            The folded words and marks of the term, joined by blanks; and ``any``, ``capitals`` (short acronyms) or
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
        Where it stands in the new text and in the note.
    code, name : str
        The code of the best concept and its preferred name: the one whose vocabulary comes first. Empty if ambiguous.
    codes : list of str
        All codes, best vocabulary first.
    group : str
        ``disorder``, ``finding``, ``procedure``, ``drug``, ``device``, ``anatomy``, ``organism``, ``physiology``,
        ``person``, ``place`` or ``other``, by the best concept's own source. ``measurement`` for what laboratories and
        nurses measure, ``drug`` where the note says how it is given.
    value : str or None
        The value of a measurement as written: ``"7.4"``, ``"120/80"``, ``"4-6"``.
    number : float or None
        The value as a number; of a pair the first number, None for a range.
    unit : str or None
        The unit of the value, if the note has one, in one spelling: ``"mg/dL"``.
    comparator : {"<", "<=", ">", ">="} or None
        The comparison before the value.
    flag : {"high", "low", "abnormal", "critical", "current", "former", "never"} or None
        The mark of the laboratory beside the value; of smoking one of the last three.
    dose : str or None
        The dose of a drug with its unit: ``"25 mg"``.
    route : str or None
        The route: ``"oral"``, ``"intravenous"``, ...
    frequency : str or None
        The frequency: ``"twice daily"``, ``"every 6 hours as needed"``, ...
    further : list of dict
        Other values or doses of the same mention, in order of the text, with the keys ``value`` to ``frequency``:
        earlier and later values, the next steps of a taper.
    negated, hypothetical, historical, possible, family : bool
        What the note says of it: it is not there; it might come; it was; somebody doubts; somebody else has it.
        Each apart.
    affirmed : bool
        None of these: the note says it of its patient.
    ambiguous : bool
        Nothing tells which of its meanings a short form has. It has no code.
    reasons : dict of str
        For each status that holds its cue, as the list of cues writes it.

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
    """A stretch of the original that did not come out. Offsets count code points."""

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
    """What a rule found, whether or not it was removed. Offsets count code points of the original."""

    start: Final[int]
    end: Final[int]
    category: Final[str]
    kind: Final[str]
    rule: Final[str]
    @property
    def certainty(self) -> Literal[1, 2, 3]:
        """How sure it is: 1 weak, a term of several words outweighs it; 2 likely, no list outweighs it; 3 sure.

        The more certain evidence counts; at a tie, removal wins.
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
        The same with the code of each term after it in brackets.
    concepts : list of ConceptMention
        The terms in the text, in order.
    codes : list of Concept
        The best concept of each term, without repetition.
    removed : list of Removal
        What did not come out, in order.
    findings : list of Finding
        What the rules found.
    decisions : list of Decision
        The decision on every token; empty if scrubbed with ``explain=False``.
    """

    text: Final[str]
    coded_text: Final[str]
    def explain(self, offset: int) -> str:
        """Tell what speaks for and against a token, and what was decided.

        Parameters
        ----------
        offset : int
            A code point of the original inside the token.

        Returns
        -------
        str
            The decision, then one line for each piece of evidence, the weightier ones first: the rules that found PHI
            there; the rules, terms and lists that vouch for it. ``print`` it. It holds no text of the note.

        Raises
        ------
        NoteError
            If no token stands there, or the note was scrubbed with ``explain=False``.

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
        """Give the kept tokens that the model takes most for something that identifies: what a reviewer reads first.

        Parameters
        ----------
        most : int, optional
            How many at most.

        Returns
        -------
        list of dict
            The most suspicious first: ``start`` and ``end`` (code points of the original), ``output_start`` and
            ``output_end`` (of the de-identified text), ``label`` (``"name"``, ``"place"``, ``"date"`` or ``"other"``),
            ``log_odds`` (natural logarithm; 0 is as likely as not) and ``reason`` (why it was kept). Empty where no
            model judged. It holds no text.

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
        """Give everything as plain Python values, for JSON."""

    @property
    def provenance(self) -> dict[str, str | None]:
        """What made the note: see `Scrubber.provenance`."""

    def _repr_html_(self) -> str: ...
    @staticmethod
    def _restore(vocabulary: Vocabulary, state: str, origins: str) -> ScrubbedNote: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Vocabulary, Any, Any]]: ...

@final
class ScrubbedBatch:
    """Scrubbed notes, in the order in which they were given: a sequence, and numpy arrays."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> ScrubbedNote: ...
    @overload
    def __getitem__(self, index: slice, /) -> ScrubbedBatch: ...
    def __iter__(self) -> Iterator[ScrubbedNote]: ...
    @property
    def provenance(self) -> dict[str, str | None]:
        """What made the notes: see `Scrubber.provenance`."""

    @property
    def texts(self) -> list[str]:
        """The de-identified texts."""

    def removed_arrays(self) -> dict[str, NDArray[np.uint32 | np.str_]]:
        """Give what did not come out of all notes as arrays of one length.

        Returns
        -------
        dict of numpy.ndarray
            ``note`` (index of the note), ``start`` and ``end`` (code points of the original), ``category``.
        """

    def concept_arrays(self) -> dict[str, NDArray[np.uint32 | np.str_ | np.bool_ | np.float64]]:
        """Give the terms of all notes as arrays of one length.

        Returns
        -------
        dict of numpy.ndarray
            ``note`` (index of the note), ``start`` and ``end`` (code points of the de-identified text); ``code`` and
            ``group``; ``negated``, ``hypothetical``, ``historical``, ``possible``, ``family`` and ``ambiguous``
            (booleans); ``value``, ``unit``, ``comparator``, ``flag``, ``dose``, ``route`` and ``frequency`` (empty
            where the note says nothing); ``number`` (NaN where there is none). A term that is ambiguous has no code.

        Examples
        --------
        >>> import notesieve as ns
        >>> arrays = ns.Scrubber().scrub_many(["No fever. Sodium 131 mEq/L."]).concept_arrays()
        >>> arrays["negated"].tolist(), arrays["number"].tolist(), arrays["unit"].tolist()
        ([True, False], [nan, 131.0], ['', 'mEq/L'])
        """

    @staticmethod
    def _restore(states: list[str], vocabulary: Vocabulary, origins: str) -> ScrubbedBatch: ...
    def __reduce__(self) -> tuple[Any, tuple[list[Any], Vocabulary, Any]]: ...

@final
class Model:
    """What was learned from marked notes: how likely a word or number names somebody, by what stands around it.

    Examples
    --------
    >>> import notesieve as ns
    >>> ns.Model.default().provenance["seed"]
    1
    """

    @staticmethod
    def default() -> Model:
        """Give the model inside the package."""

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
        """What it was learned from: ``batches``, number of ``notes``, ``seed``, digest of the ``vocabulary``."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model as a file.

        Parameters
        ----------
        path : str or path-like
            The file; one that is there is replaced.

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
    """What `notesieve.learning.train` is built on."""

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
        """Give the model of all notes but those of one group."""

def features(
    scrubber: Scrubber,
    notes: Iterable[str],
    marks: tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]],
    /,
    *,
    documents: int = 1,
    threads: int | None = None,
) -> dict[str, Any]:
    """Give the features of every word and number of many notes, as arrays."""

def feature_kinds() -> list[str]:
    """Give what each kind of feature says, by its number."""

def threads(asked: int | None = None, /) -> int:
    """Give how many threads to use: what is asked for, what the environment says, or one a core."""

@final
class ColumnResult:
    """A scrubbed column."""

    @property
    def columns(self) -> Any:
        """The columns asked for: a table of Arrow, or a dictionary of lists."""

    @property
    def failed(self) -> int:
        """How many rows failed."""

    @property
    def errors(self) -> list[tuple[int, str]]:
        """The row and code of the first 1000 of them."""

@disjoint_base
class Scrubber:
    """What `notesieve.Scrubber` is built on."""

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
        """What an output needs to be made again.

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
    """The folder in which an index keeps words, codes and their places.

    Parameters
    ----------
    path : path-like
        The folder; it is made if it is not there.

    Raises
    ------
    FileError
        If the folder cannot be read.
    SearchIndexError
        If it holds something else, or is damaged.

    Notes
    -----
    It stands on `tantivy <https://github.com/quickwit-oss/tantivy>`_. Before each word there is a slot, which holds the
    number of the set of codes of the term that begins at the word, or nothing: words have odd places, and the slot of
    each has the place before. Reading and writing release the interpreter.

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
        """See what was committed since, by whatever process."""

    def searcher(self) -> SegmentSearcher:
        """Give what there is to search, as it was at the last `refresh`."""

    def verify(self) -> tuple[int, list[str]]:
        """Read every file again: how many there are, and the names of those that are damaged or missing."""

    def writer(
        self,
        vocabulary: Vocabulary,
        sets: Sequence[tuple[Sequence[str], int]],
        key: Key | None,
        threads: int | None = None,
    ) -> SegmentWriter:
        """Begin to add.

        Parameters
        ----------
        vocabulary : Vocabulary
            That of the notes.
        sets : sequence of sequence of str
            The sets of codes of the index so far; a new one gets the next number.
        key : Key or None
            Makes pseudonyms of the identifiers of notes and patients; None leaves them as they are.
        threads : int, optional
            How many threads write. Default: what ``NOTESIEVE_THREADS`` says, or one a core.

        Raises
        ------
        FileError
            If somebody else is adding, or the folder cannot be written.
        """

@final
class SegmentWriter:
    """Adds notes to the segments; `Segments.writer` gives one.

    A row is what is known of a note beside its text: identifiers or pseudonyms of note and patient, type, year.
    """

    def code_sets_from(self, first: int) -> list[tuple[list[str], int]]:
        """Give the sets of codes from a number on, each with what is said of its terms as bits."""

    def add_notes(
        self,
        notes: ScrubbedBatch | Sequence[ScrubbedNote],
        rows: Sequence[tuple[str, str, str | None, int | None]],
        source: int,
    ) -> None:
        """Add scrubbed notes. A note whose identifier is there already takes the place of the old one.

        Parameters
        ----------
        notes : ScrubbedBatch or sequence of ScrubbedNote
            The notes.
        rows : sequence of tuple
            A row for each.
        source : int
            What made them, by its place in the manifest.

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
        """Add de-identified texts; their terms are found again.

        Raises
        ------
        NoteError
            If a text is too long.
        FileError
            If the index cannot be written.
        """

    def remove_patient(self, patient: str) -> None:
        """Remove all notes of a patient, told by the identifier."""

    def commit(self) -> None:
        """Make what was added permanent."""

    def close(self) -> None:
        """Forget what was not committed, and let others add."""

@final
class SegmentQuery:
    """A question to the segments: one of the static methods makes it."""

    @staticmethod
    def everything() -> SegmentQuery:
        """Ask for every note."""

    @staticmethod
    def nothing() -> SegmentQuery:
        """Ask for no note."""

    @staticmethod
    def word(word: str) -> SegmentQuery:
        """Ask for notes with a word or a slot."""

    @staticmethod
    def prefix(start: str) -> SegmentQuery:
        """Ask for notes with a word that begins so."""

    @staticmethod
    def phrase(places: Sequence[tuple[int, str]], slop: int = 0) -> SegmentQuery:
        """Ask for notes with words or slots at such places from each other, or up to `slop` places off."""

    @staticmethod
    def codes(numbers: Sequence[int]) -> SegmentQuery:
        """Ask for notes with one of these sets of codes."""

    @staticmethod
    def values(numbers: list[int], unit: str, least: float | None, most: float | None) -> SegmentQuery: ...
    @staticmethod
    def of_type(kind: str) -> SegmentQuery:
        """Ask for notes of a type."""

    @staticmethod
    def years(first: int | None, last: int | None) -> SegmentQuery:
        """Ask for notes from a year to a year, both included."""

    @staticmethod
    def notes(pseudonyms: Sequence[str]) -> SegmentQuery:
        """Ask for notes by their pseudonyms."""

    @staticmethod
    def all_of(operands: Sequence[SegmentQuery]) -> SegmentQuery:
        """Ask for notes that all of some questions find."""

    @staticmethod
    def any_of(operands: Sequence[SegmentQuery]) -> SegmentQuery:
        """Ask for notes that any of some questions finds."""

    @staticmethod
    def without(operand: SegmentQuery) -> SegmentQuery:
        """Ask for notes that a question does not find."""

@final
class SegmentSearcher:
    """The segments as of one commit; `Segments.searcher` gives one.

    Notes are told by their addresses, which mean nothing to another searcher. Patients are told by numbers, the first
    64 bits of the SHA-256 digest of their pseudonyms. Its length is the number of notes.
    """

    def __len__(self) -> int: ...
    def count_notes_and_patients(self, query: SegmentQuery) -> tuple[int, int]:
        """Count the notes that fit and their different patients."""

    def count_notes(self, query: SegmentQuery) -> int:
        """Count the notes that fit."""

    def matching_patients(self, query: SegmentQuery) -> NDArray[np.uint64]:
        """Give the patients of the notes that fit: sorted, each once."""

    def matching_addresses(self, query: SegmentQuery) -> NDArray[np.uint64]:
        """Give the addresses of the notes that fit, in no order."""

    def best_notes(self, query: SegmentQuery, limit: int, offset: int) -> tuple[int, list[tuple[float, int]]]:
        """Count the notes that fit, and give score (BM25) and address of the best.

        Notes of one score come in the order of the digests of their pseudonyms, wherever they stand in the index.
        """

    def count_by_type(self, query: SegmentQuery) -> dict[str, int]:
        """Count the notes that fit by type."""

    def count_by_codes(self, query: SegmentQuery) -> dict[int, int]:
        """Count the notes that fit by the numbers of the sets of codes that they have."""

    def count_by_unit(self, numbers: list[int]) -> dict[str, int]: ...
    def count_by_year(self, query: SegmentQuery) -> dict[int, int]:
        """Count the notes that fit by year."""

    def stored_note(self, address: int) -> tuple[str, str, str, bytes, str, str | None, int | None, int]:
        """Give pseudonyms of note and patient, text, packed terms, attributes, type, year and source of a note."""

def convert_unit(value: float, unit: str, to: str) -> float | None: ...
def short_form(name: str) -> str | None: ...
def unit_name(written: str) -> str | None: ...
def index_words(text: str) -> list[tuple[str, int, int]]:
    """Give the words of a text as an index sees them, each with the code points from which it was made."""

def rule_table() -> list[tuple[str, str]]:
    """Give the name of each rule with what it removes or keeps."""

def listed_terms() -> list[tuple[str, list[str]]]:
    """Give the lists of terms that rules know beside the vocabulary, by name."""

def surrogate_syllables() -> list[list[str]]:
    """Give the syllables of the names that stand for names: starts, middles, links, endings."""

def tag_surrogates(
    key: Key, vocabulary: Vocabulary, patient: str | None, text: str, tags: list[tuple[str, str, bool]]
) -> list[str | None]:
    """Give surrogates for the tags of a text, of each its form, its name and whether a patient's texts share it."""

def build_vocabulary(
    request: str, out: str | PathLike[str], progress: Callable[[int | None, int | None], object] | None, /
) -> str:
    """Build a vocabulary into a file. Request and report are JSON; `notesieve.vocabularies.build` is the way in."""

def run_evaluation_request(request: str, /) -> str:
    """Run one task of the evaluation. Request and result are JSON; `notesieve.evaluation` is the way in.

    Raises
    ------
    GoldError
        If a gold standard or predictions cannot be read.
    PolicyError
        If an option is not known or has a wrong value.
    """
