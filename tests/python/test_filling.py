"""Tags of texts that were de-identified before become surrogates: the same for the same, and nothing else changes."""

from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main

DIGITS = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TEXT = """Patient: <PATIENT>, MRN [ID].
Seen by Dr. [**Last Name 4412**] and [NAME-1] on [DATE] (shifted: [**2151-7-16**]) at [HOSPITAL].
[NAME-1] lives at [**Street Address 9**], [ZIP]; call [PHONE] or [EMAIL]. Age [AGE], state [STATE].
Fever [x], [+] cough, <b>bold</b>, T < 38 > 37."""


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> ns.Key:
    monkeypatch.setenv("NOTESIEVE_KEY", DIGITS)
    return ns.Key.load()


def surrogate_texts(filled: ns.FilledNote) -> list[str]:
    return [filled.text[span["start"] : span["end"]] for span in filled.spans]


def test_each_kind_of_tag(key: ns.Key) -> None:
    filled = ns.fill(TEXT, key, patient="17")
    expected = "NAME ID NAME NAME DATE DATE LOCATION NAME LOCATION LOCATION CONTACT CONTACT".split()
    assert [span["category"] for span in filled.spans] == expected
    patient, mrn, doctor, first, day, shifted, hospital, again, street, code, phone, mail = surrogate_texts(filled)
    assert first == again != patient and len(patient.split()) == 2 and len(doctor.split()) == 1
    assert shifted == "2151-7-16" and day[-4:-2] == "21" and hospital.endswith(" Hospital")
    assert street.endswith(" Street") and code.startswith("000") and "555-01" in phone and mail.endswith("@example.org")
    assert mrn.isdecimal()
    assert filled.left == 2 and "[AGE]" in filled.text and "[STATE]" in filled.text
    assert filled.text.endswith("Fever [x], [+] cough, <b>bold</b>, T < 38 > 37.")
    assert ns.fill(TEXT, key, patient="17") == filled


def test_what_is_the_same_in_all_texts_of_a_patient(key: ns.Key) -> None:
    lasting = "<PATIENT>, [**Known lastname 4412**], [NAME-10442]"
    one, two = (surrogate_texts(ns.fill(f"{lasting}. {more}", key, patient=17)) for more in ("Cough.", "Fever."))
    assert one == two
    assert one != surrogate_texts(ns.fill(f"{lasting}. Cough.", key, patient=18))
    assert one != surrogate_texts(ns.fill(f"{lasting}. Cough.", key))
    own = "[NAME-2], [NAME-2], [NAME], [NAME]"
    first = surrogate_texts(ns.fill(f"{own}. Cough.", key, patient=17))
    assert first[0] == first[1] and len(set(first)) == 3
    assert not set(first) & set(surrogate_texts(ns.fill(f"{own}. Fever.", key, patient=17)))


@pytest.mark.parametrize(
    ("text", "category", "words"),
    [
        ("Dr. {} called.", "NAME", 1),
        ("Discussed with {}.", "NAME", 2),
        ("at the {} Health Center", "LOCATION", 1),
        ("He lives in {}.", "LOCATION", 1),
        ("since {} he coughs", "DATE", 1),
        ("MRN: {}", "ID", 1),
        ("Phone {}", "CONTACT", 2),
    ],
)
@pytest.mark.parametrize("tag", ["[REMOVED]", "[**redacted**]", "XXXXXX"])
def test_the_context_says_what_a_tag_is(key: ns.Key, text: str, category: str, words: int, tag: str) -> None:
    filled = ns.fill(text.format(tag), key, patterns=["X{4,}"])
    assert [span["category"] for span in filled.spans] == [category]
    assert len(surrogate_texts(filled)[0].split()) == words
    before, _, after = text.partition("{}")
    assert filled.text.startswith(before) and filled.text.endswith(after)


def test_surrogates_are_on_no_list_and_not_in_the_text(key: ns.Key) -> None:
    lists = ns.Vocabulary.default().lists
    text = " ".join(f"[NAME-{number}]" for number in range(100, 200))
    names = surrogate_texts(ns.fill(text, key, patient="17"))
    assert len(set(names)) == 100
    assert not [word for name in names for word in name.split() if lists(word.lower())]
    again = ns.fill(f"{names[0]}: {text}", key, patient="17")
    assert surrogate_texts(again)[0] != names[0], "a word of the text is no surrogate"


def test_wrong_patterns_are_errors(key: ns.Key) -> None:
    for pattern in ("(", "X*"):
        with pytest.raises(ns.SettingError, match=r"patterns\[0\]"):
            ns.fill("Mrs. Bloom", key, patterns=[pattern])
    assert "Bloom" not in repr(ns.fill("Mrs. Bloom, [NAME]", key))
    assert ns.fill("Mrs. Bloom", key).text == "Mrs. Bloom"


@pytest.mark.usefixtures("key")
def test_the_command_fill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Seen by Dr. [NAME]. XXXX slept.", encoding="utf-8")
    (notes / "b.txt").write_text("No fever.", encoding="utf-8")
    out = tmp_path / "filled"
    told = ["fill", str(notes), "-o", str(out), "--patient", "17", "--pattern", "X{4}"]
    assert main(told) == 0
    assert "2 notes, 2 tags filled, 0 left" in capsys.readouterr().err
    gold = ns.Gold.read(out)
    assert {name: len(spans) for name, spans in gold.spans.items() if spans} == {"a": 2}
    assert gold.notes["b"] == "No fever." and "XXXX" not in gold.notes["a"]
    assert main(told) == 2, "nothing is written over"
    capsys.readouterr()
    assert main(["fill", str(notes / "a.txt"), "--patient", "17", "--pattern", "X{4}"]) == 0
    assert capsys.readouterr().out == gold.notes["a"]


def test_without_a_key_nothing_is_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NOTESIEVE_KEY", raising=False)
    monkeypatch.delenv("NOTESIEVE_KEY_FILE", raising=False)
    (tmp_path / "a.txt").write_text("Dr. [NAME]", encoding="utf-8")
    assert main(["fill", str(tmp_path / "a.txt")]) == 2
    captured = capsys.readouterr()
    assert "there is no key" in captured.err and not captured.out
