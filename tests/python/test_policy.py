"""Policies: files, mistakes, what each choice does."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns
from notesieve.cli import main

PRESETS = ["safe", "berman", "readable", "limited-data-set"]


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_files(preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = ns.Policy(preset)
    assert main(["policy", "show", preset]) == 0
    shown = capsys.readouterr().out
    assert policy.digest in shown
    file = tmp_path / "site.toml"
    file.write_text(shown, encoding="utf-8")
    assert ns.Policy.open(file) == policy
    assert ns.Scrubber(policy=str(file)).policy == ns.Scrubber(policy=file).policy == policy
    assert ns.Policy.from_toml(policy.to_toml()) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy.to_dict()["name"] == preset


def test_choices_replace_those_of_a_preset() -> None:
    policy = ns.Policy("berman", name="ours", dates="year", doctors=["Ann Quill"], date_order="dmy")
    assert (policy.name, policy.dates, policy.date_order, policy.mask) == ("ours", "year", "dmy", "*")
    assert policy.doctors == ["Ann Quill"]
    assert "Quill" not in repr(policy)
    assert policy != ns.Policy("berman")
    assert policy.digest == ns.Policy("berman", dates="year", doctors=["Ann Quill"], date_order="dmy").digest
    assert {policy: 1}[pickle.loads(pickle.dumps(policy))] == 1
    assert ns.Policy(season=None) == ns.Policy()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"datse": "shift"}, 'no key "datse": did you mean "dates"'),
        ({"dates": "shifted"}, 'dates: there is no value "shifted": did you mean "shift"'),
        ({"keep": ["yeer"]}, 'did you mean "year"'),
        ({"keep": "year"}, "keep: must be a list of texts"),
        ({"season": True}, "season keeps the season of shifted dates"),
        ({"tags": "Patient {category}"}, "template"),
        ({"tags": "<>"}, "template"),
        ({"mask": "x"}, "asterisks"),
        ({"hospitals": ["..."]}, r"hospitals\[0\] has no letter"),
        ({"drop_sections": ["1"]}, r"drop_sections\[0\] has no letter"),
        ({"doctors": [object()]}, "doctors: a list is no choice"),
        ({"preset": "save"}, 'did you mean "safe"'),
        ({"strictness": {"nmae": 4}}, 'strictness: there is no category "nmae": did you mean "NAME"'),
        ({"lists_off": ["englsh"]}, 'no list to switch off, "englsh": did you mean "english"'),
        ({"lists_off": ["surname"]}, "no list to switch off"),
        ({"lists_off": ["term"]}, "no list to switch off"),
        ({"strictness": -1}, "strictness: a strictness is a whole number"),
        (
            {"sections": {"social history": {"strict": 4}}},
            'sections: there is no key "strict": did you mean "strictness"',
        ),
        ({"sections": {"": {"strictness": 4}}}, "sections: a heading has no letter"),
    ],
)
def test_mistakes_are_named(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ns.PolicyError, match=message):
        ns.Policy(**choices)


def test_mistakes_in_files_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "site.toml"
    file.write_text("dates = 'shift'\nsaeson = true\n")
    with pytest.raises(ns.PolicyError, match=r'site.toml: there is no key "saeson": did you mean "season"'):
        ns.Policy.open(file)
    assert main(["policy", "show", str(file)]) == 2
    assert "saeson" in capsys.readouterr().err
    with pytest.raises(ns.FileError):
        ns.Scrubber(policy=tmp_path / "none.toml")
    with pytest.raises(ns.PolicyError, match="name of one"):
        ns.Scrubber(policy=7)  # type: ignore[arg-type]


def scrub(text: str, **choices: Any) -> str:
    return ns.Scrubber(ns.Policy(**choices)).scrub(text).text


def test_styles_of_tags() -> None:
    text = "Seen by Dr. John Brown and Dr. White on March 3, 2004, call 617-555-0199. He is 93 years old."
    assert scrub(text, tags="angle").startswith(
        "Seen by Dr. <NAME> and Dr. <NAME> on <DATE>, call <CONTACT>. He is 90+"
    )
    deid = scrub(text, tags="deid")
    assert deid.startswith("Seen by Dr. [**Full name**] and Dr. [**Last name**] on [**Date**], call [**Telephone**].")
    assert "[**Age over 89**]" in deid
    assert scrub(text, tags="<<{kind}>>", ages="tag").startswith("Seen by Dr. <<staff>> and Dr. <<staff>> on <<date>>")
    assert scrub("Dr. Brown called", replace="mask") == "Dr. *** called"
    for style in ("square", "angle", "deid"):
        for replace in ("tag", "numbered"):
            once = scrub(text, tags=style, replace=replace)
            assert scrub(once, tags=style, replace=replace) == once, "scrubbing twice changes nothing"


def test_ages_and_postal_codes() -> None:
    assert scrub("He is 93 years old.", ages="tag") == "He is [AGE] years old."
    # The postal code alone: the model may tell the whole line for one place.
    assert scrub("Boston, MA 02139", zip="prefix", ambiguous="never").endswith(" 021")
    assert scrub("Concord, NH 03601", zip="prefix", ambiguous="never").endswith(" 000")
    assert "021" not in scrub("Boston, MA 02139")


def test_limited_data_set() -> None:
    text = "Dr. Brown saw him on March 3, 2004 in Dayton, OH 45402, phone 617-555-0199. He is 93 years old."
    note = scrub(text, preset="limited-data-set", ambiguous="never")
    assert "Brown" not in note
    assert "0199" not in note
    for kept in ("March 3, 2004", "Dayton", "OH", "45402", "93"):
        assert kept in note


def test_the_sites_own_names() -> None:
    site = ns.Policy(doctors=["Rose Winters"], hospitals=["Lantern House", "LHC"], wards=["West Nine"])
    scrubber = ns.Scrubber(site)
    text = scrubber.scrub("rose left lantern\nhouse. seen, west nine").text
    assert text.replace("[LOCATION]\n[LOCATION]", "[LOCATION]") == "[NAME] left [LOCATION]. seen, [LOCATION]"
    note = scrubber.scrub("Sent to LHC today.")
    assert note.text == "Sent to [LOCATION] today."
    assert note.removed[0].kind == "hospital"


def test_sections_are_dropped() -> None:
    text = (
        "HISTORY: Cough.\nSOCIAL HISTORY: Lives with wife.\nTobacco: none.\nFamily history: Diabetes.\n\n"
        "Medications: aspirin 81 mg.\nSocial Hx: Retired.\nPlan: home."
    )
    dropped = scrub(text, drop_sections=["social history"])
    for gone in ("wife", "none", "Retired", "Tobacco"):
        assert gone not in dropped
    for kept in ("Cough", "Diabetes", "aspirin 81 mg", "SOCIAL HISTORY", "Plan: home"):
        assert kept in dropped
    note = ns.Scrubber(ns.Policy(drop_sections=["medications"])).scrub(text)
    assert "aspirin" not in note.text
    assert "Retired" in note.text
    assert {d.reason for d in note.decisions if d.action == "remove"} >= {"section"}


@pytest.mark.parametrize(
    "heading",
    [
        "SOCIAL/DISPO",
        "FAMILY/SOCIAL HISTORY",
        "Social History and Habits",
        "Social & Family History",
        "Past Social History",
    ],
)
def test_parts_of_headings_drop_a_section(heading: str) -> None:
    out = scrub(f"HISTORY: Cough.\n\n{heading}: Retired, no pets.\n\nPLAN: Home.", drop_sections=["social history"])
    assert "Retired" not in out
    assert "Cough" in out
    assert "Home" in out


@pytest.mark.parametrize("heading", ["SOCIAL WORK", "Anti-social behaviour", "Socialisation"])
def test_words_of_headings_do_not_drop_a_section(heading: str) -> None:
    assert "rest" in scrub(
        f"HISTORY: Cough.\n\n{heading}: Needs rest.\n\nPLAN: Home.", drop_sections=["social history"]
    )


HEADED = """GENERAL HOSPITAL
12 Elm Street

Patient: Rose Winters   MRN: 0048291
Date of Birth: 3/4/1960
Attending: Dr. Quill

"""
BODY = "Chief Complaint: Cough for two days.\nHISTORY: Patient: says she slept well.\nSeen by Dr. Reed."


def test_headers_are_dropped() -> None:
    note = ns.Scrubber(ns.Policy(drop_header=True)).scrub(HEADED + BODY)
    assert note.text.startswith("***") and note.text.endswith(BODY.replace("Reed", "[NAME]"))
    assert not [word for word in ("HOSPITAL", "Elm", "Patient:  ", "MRN", "Birth", "Attending") if word in note.text]
    assert "Attending" in scrub(HEADED + BODY)
    end = (HEADED + BODY).index("Chief")
    assert {d.reason for d in note.decisions if d.end < end} == {"header"}
    assert "header" not in {d.reason for d in note.decisions if d.start >= end}


@pytest.mark.parametrize(
    "text",
    ["Cough for two days, no fever.", BODY, "HISTORY OF PRESENT ILLNESS\nPatient: fine.", "Plan: rest.\nMRN: 12", ""],
)
def test_notes_without_a_header(text: str) -> None:
    note = ns.Scrubber(ns.Policy(drop_header=True)).scrub(text)
    assert note.text == scrub(text)


DOUBTFUL = (
    "Plan: Seen at bedside. Will was there.\n\nSocial Hx: Seen at bedside. Will was there.\n\nExam: Will was there."
)
LAX = 0


def test_strictness_of_sections() -> None:
    assert scrub(DOUBTFUL, strictness=LAX).count("Will") == 3
    note = scrub(DOUBTFUL, strictness=LAX, sections={"social history": {"strictness": 1_000_000}})
    assert [part.count("Will") for part in note.split("\n\n")] == [1, 0, 1]
    lax = scrub(DOUBTFUL, strictness=1_000_000, sections={"social history": {"strictness": LAX}})
    assert [part.count("Will") for part in lax.split("\n\n")] == [0, 1, 0]
    both = {"social history": {"strictness": LAX}, "Social Hx": {"strictness": {"name": 1_000_000}}}
    assert "Will" not in scrub(DOUBTFUL, strictness=1_000_000, sections=both), "the stricter counts"


def test_strictness_of_categories() -> None:
    kept = {category: scrub(DOUBTFUL, strictness={"name": LAX, category: 1_000_000}) for category in ("name", "date")}
    assert "Will" not in kept["name"]
    assert "Will" in kept["date"]
    policy = ns.Policy(strictness={"name": 40, "location": 8})
    assert policy.strictness == {"name": 40, "location": 8}
    assert pickle.loads(pickle.dumps(policy)) == policy == ns.Policy.from_toml("strictness = {NAME = 40, LOCATION = 8}")
    assert len({policy.digest, ns.Policy().digest, ns.Policy(sections={"plan": {"strictness": 8}}).digest}) == 3


def test_the_choice_of_ambiguous_words() -> None:
    text = "Then Rose was found on the floor."
    assert scrub(text, ambiguous="always") == "Then *** was found on the floor." or "Rose" not in scrub(text)
    assert "Rose" in scrub(text, ambiguous="never")
    assert scrub("Dr. Rose came", ambiguous="never") == "Dr. [NAME] came"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A 54 year old Haitian woman with asthma.", ["Haitian"]),
        ("Pt is HISPANIC, speaks some english.", ["HISPANIC", "english"]),
        ("African-American male, two Somalis in the room.", ["African-American", "Somalis"]),
        ("Native\nAmerican man. His nurse is Sri Lankan.", ["Native\nAmerican", "Sri Lankan"]),
        ("White male. Race: Black. Brown sputum, white count 9.1.", ["White", "Black"]),
        ("Polish by birth; nails without polish.", ["Polish"]),
        ("German measles as a child. 16 French Foley. Japanese encephalitis vaccine.", []),
    ],
)
def test_ethnicity_is_removed_on_request(text: str, words: list[str]) -> None:
    note = ns.Scrubber(ns.Policy(ethnicity=True)).scrub(text)
    found = [text[one.start : one.end] for one in note.removed if one.kind == "ethnicity"]
    assert found == words
    assert not [word for word in words if word in note.text]
    plain = ns.Scrubber().scrub(text)
    assert not [one for one in plain.removed if one.kind == "ethnicity"], "only where the policy asks"
    assert {(one.start, one.end) for one in plain.removed} <= {(one.start, one.end) for one in note.removed}


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, "Then a [ID] man."),
        ({"tags": "deid"}, "Then a [**Ethnicity**] man."),
        ({"replace": "numbered"}, "Then a [ID-1] man."),
    ],
)
def test_tags_of_ethnicity(choices: dict[str, Any], expected: str) -> None:
    once = scrub("Then a Haitian man.", ethnicity=True, **choices)
    assert once == expected
    assert scrub(once, ethnicity=True, **choices) == once


def test_rules_that_are_off_leave_default_deny() -> None:
    text = "Seen 3/4/2006 by Dr. Xylofrast."
    note = ns.Scrubber(ns.Policy(rules_off=["name", "date"])).scrub(text)
    assert "Xylofrast" not in note.text
    assert {removal.category for removal in note.removed} <= {"UNLISTED"}


def test_lists_that_are_off_let_nothing_out() -> None:
    text = "Took 5 mg of furosemide before supper."
    lists = ns.Scrubber().vocabulary.lists
    assert set(lists("supper")) & set(ns.Policy().lists) == {"english"} and "unit" in lists("mg")
    assert scrub(text) == text
    assert scrub(text, lists_off=["english"]).endswith(" before ***.")
    assert "furosemide" in scrub(text, lists_off=["literature", "brand"]), "a term stays"
    assert "mg" not in scrub(text, lists_off=["unit", "measurement"]), "no rule vouches either"
    policy = ns.Policy(lists_off=["unit", "brand", "eponym"])
    assert not {"unit", "brand", "eponym"} & {*policy.lists, *policy.vouched_lists}
    for name in {*ns.Policy().lists, *ns.Policy().vouched_lists} - {"term"}:
        assert name not in {*ns.Policy(lists_off=[name]).lists, *ns.Policy(lists_off=[name]).vouched_lists}


def test_only_categories_can_be_switched_off() -> None:
    with pytest.raises(ns.PolicyError, match="rules_off"):
        ns.Policy(rules_off=["street"])


def test_a_number_to_call_stays_whole_where_the_policy_keeps_it() -> None:
    scrubber = ns.Scrubber(ns.Policy(keep=["phone"]))
    text = "Her phone: (617) 555-0134. The ward's phone is 617-555-0171."
    assert scrubber.scrub(text).text == text
    assert "617" not in ns.Scrubber().scrub(text).text
