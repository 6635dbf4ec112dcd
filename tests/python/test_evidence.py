"""The evidence for a release: the mapping of identifiers, residual risk, suppression, the page and the command."""

import json
import re
import runpy
import stat
import tomllib
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.evidence import SAFE_HARBOR, check_identifiers, collect, residual_risk
from notesieve.evidence.attributes import read_attributes
from notesieve.evidence.figures import measure_figures
from notesieve.evidence.safe_harbor import BEYOND_SAFE_HARBOR, split_marked_example
from notesieve.evidence.suppression import suppress_small_counts

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "gold"
DAY = date(2026, 1, 2)


def repeated_gold(count: int, text: str = "Seen by Dr. Quill for cough.", start: int = 12, end: int = 17) -> ns.Gold:
    span = {"start": start, "end": end, "category": "NAME", "subtype": "DOCTOR"}
    names = [f"{'ward' if at % 2 else 'clinic'}-{at}" for at in range(count)]
    return ns.Gold(dict.fromkeys(names, text), {name: [span] for name in names})


def all_kinds_of_phi() -> set[str]:
    with pytest.raises(ns.PolicyError) as problem:
        ns.Policy(keep=["no such kind"])
    listed = str(problem.value).rpartition("known are ")[2].split(", ")
    return set(listed) - {"age", "location", "contact", "id"}  # categories that are no kinds


# ---- the 18 identifiers


def test_every_paragraph_and_every_kind_is_in_the_table() -> None:
    assert "".join(row.letter for row in SAFE_HARBOR) == "ABCDEFGHIJKLMNOPQR"
    mapped = {kind for row in SAFE_HARBOR for kind in row.kinds} | set(BEYOND_SAFE_HARBOR)
    assert mapped == all_kinds_of_phi()
    assert not {kind for row in SAFE_HARBOR for kind in row.kinds} & set(BEYOND_SAFE_HARBOR)


@pytest.mark.parametrize("row", SAFE_HARBOR, ids=[row.letter for row in SAFE_HARBOR])
def test_examples_of_each_identifier_are_removed(row: ns.evidence.Identifier, scrubber: ns.Scrubber) -> None:
    for example in row.examples:
        text, identifiers = split_marked_example(example)
        assert identifiers, example
        output = scrubber.scrub(text).text
        assert not [found for found in identifiers if found in output]
        assert not [part for found in identifiers for part in re.findall(r"[^\W_]{4,}", found) if part in output]


@pytest.mark.parametrize("policy", ["safe", "balanced", "berman"])
def test_presets_remove_all_examples(policy: str) -> None:
    rows = check_identifiers(ns.Scrubber(policy))
    assert [row.identifier.letter for row in rows if row.removed < row.examples] == []


def test_what_a_policy_keeps_is_reported() -> None:
    kept = {row.identifier.letter: row.kept_by_policy for row in check_identifiers(ns.Scrubber("limited-data-set"))}
    assert kept["B"] and kept["C"] and not kept["A"] and not kept["H"]
    rows = {row.identifier.letter: row for row in check_identifiers(ns.Scrubber(ns.Policy(keep=["contact", "year"])))}
    assert [letter for letter, row in rows.items() if row.kept_by_policy] == ["D", "E", "F", "N", "O"]
    assert rows["D"].removed < rows["D"].examples


def test_the_pages_of_the_documentation_are_those_of_the_code() -> None:
    made = runpy.run_path(str(ROOT / "docs/evidence_pages.py"))
    for name, page in (("safe-harbor", made["safe_harbor_page"]()), ("who-can-see-what", made["files_page"]())):
        assert (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") == page, "run `python docs/evidence_pages.py`"


def test_the_model_card_names_every_source() -> None:
    source = tomllib.loads((ROOT / "models/source.toml").read_text("utf-8"))
    card = (ROOT / "docs/model-card.md").read_text("utf-8")
    for public in source["public"]:
        assert f"`{public['name']}`" in card
        assert not public["learned"] or (f"{public['texts']:,}" in card and public["licence"] in card)
    batches = list((ROOT / "corpus/train").glob("*.txt"))
    heads = (line for batch in batches for line in batch.read_text("utf-8").splitlines() if line.startswith("=== "))
    notes = f"{sum(1 for _ in heads):,}"
    assert f"{notes} invented notes in {len(batches)} batches" in card
    assert source["model"]["notes"].startswith(f"corpus/train: {len(batches)} batches, {notes} notes")
    files = (ROOT / "corpus/status/train").glob("*.toml")
    tables = [table for file in files for table in tomllib.loads(file.read_text("utf-8")).values()]
    passages = f"{sum(len(table['sentences']) for table in tables):,}"
    assert f"{passages} invented passages" in card and f"{passages} passages" in source["status"]["passages"]
    assert "No figure of recall comes from real patients' notes" in card


# ---- suppression and residual risk


def test_suppressed_counts_cannot_be_derived() -> None:
    for counts in ([3, 40, 20], [0, 5, 5], [1, 12], [10, 10, 10, 500], [0, 0, 7], [11, 11]):
        shown = list(suppress_small_counts(list(enumerate(counts))).values())
        hidden = [count for count, seen in zip(counts, shown, strict=True) if seen is None]
        assert all(seen is None or seen == 0 or seen >= 11 for seen in shown)
        total = sum(counts) - sum(seen for seen in shown if seen is not None)
        assert total == sum(hidden)
        assert not hidden or total >= 11 or len([count for count in counts if count]) == len(hidden)


def test_facts_are_read_from_the_output_alone(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub("Mrs. Bloom, a 93-year-old retired carpenter, survived the tsunami of 2004. She has asthma.")
    told = read_attributes(note, scrubber.policy, scrubber.vocabulary)
    assert (told.age_group, told.sex, told.years, told.places) == ("90+", "female", {"2004"}, frozenset())
    assert told.characteristics["occupation"] == {"carpenter"} and "tsunami" in told.characteristics["event"]
    assert "bloom" not in told.words and "Bloom" not in repr(told) and "asthma" not in repr(told)


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("47 y/o man", "40-49", "male"),
        ("6 yo girl", "0-9", "female"),
        ("82F with cough", "80-89", "female"),
        ("Age: 35. He is well.", "30-39", "male"),
        ("aged 101, she", "90+", "female"),
        ("BP 128/72 at 10 mg", None, None),
    ],
)
def test_ages_and_sexes(text: str, age: str | None, sex: str | None, scrubber: ns.Scrubber) -> None:
    told = read_attributes(scrubber.scrub(text), scrubber.policy, scrubber.vocabulary)
    assert (told.age_group, told.sex) == (age, sex)


def test_volumes_are_no_years(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub("CABG 1996. Given 2000 mL and 1950 kcal. Stent 2004.")
    assert read_attributes(note, scrubber.policy, scrubber.vocabulary).years == {"1996", "2004"}


def risk_of_texts(texts: list[str], policy: str | ns.Policy = "safe", **options: object) -> ns.evidence.ResidualRisk:
    scrubber = ns.Scrubber(policy)
    notes = scrubber.scrub_many(texts, explain=True)
    return residual_risk(((f"n{at}", note) for at, note in enumerate(notes)), scrubber, **options)  # type: ignore[arg-type]


def test_classes_and_those_alone() -> None:
    risk = risk_of_texts(
        ["45 year old man, cough."] * 20 + ["45 year old woman, cough."] * 12 + ["8 year old boy, rash."]
    )
    assert risk.classes["age group, sex"] == {
        "alone": None, "with 1 to 3 others": 0, "with 4 to 9 others": 0, "with 10 or more": None, "smallest": None,
    }  # fmt: skip
    assert [row["unit"] for row in risk.to_read] == ["n32"]
    assert risk.known["age"] == {"stated": 33, "not stated": 0, "values": 2}
    assert "to_read" not in risk.to_dict() and "n32" not in json.dumps(risk.to_dict())


def test_ages_that_stay_are_suppressed_in_all_tables() -> None:
    risk = risk_of_texts(["45 year old man."] * 20 + ["8 year old boy."] * 3 + ["Cough."] * 15)
    assert risk.known["age"]["stated"] == 23, "that total is shown, and both groups below it are not"
    assert risk.age_groups == {"0-9": None, "40-49": None}
    risk = risk_of_texts(["45 year old man."] * 20 + ["Cough."] * 3)
    assert risk.known["age"]["stated"] is None and risk.age_groups == {"40-49": None}
    assert risk_of_texts(["45 year old man."] * 20 + ["Age: 95."] * 30).age_groups == {"40-49": 20, "90+": 30}


def test_places_count_where_the_policy_keeps_them() -> None:
    texts = ["Lives in Springfield, MA. Cough."] * 12
    assert risk_of_texts(texts).known["place kept"]["stated"] == 0
    assert risk_of_texts(texts, ns.Policy(keep=["location"])).known["place kept"]["stated"] == 12


def test_notes_of_a_patient_count_once() -> None:
    texts = ["45 year old man.", "He has Fabry disease."] * 12
    risk = risk_of_texts(texts, patients={f"n{at}": str(at // 2) for at in range(24)})
    assert (risk.unit, risk.units) == ("patient", 12)
    assert risk.rare_codes == [] and risk.classes["age group, sex"]["with 10 or more"] == 12


def test_a_text_unlike_the_others_stands_out() -> None:
    common = [f"Seen for cough and fever, day {at}. No rash. Plan: rest, fluids, follow up." for at in range(12)]
    odd = "Swallowed a trumpet while riding an elephant through the museum of glass violins."
    assert [row["unit"] for row in risk_of_texts([*common, odd]).to_read] == ["n12"]


# ---- figures


def test_small_genres_and_kinds_are_put_together(scrubber: ns.Scrubber) -> None:
    gold = repeated_gold(24)
    found = measure_figures(gold, scrubber, {doc: doc.split("-")[0] for doc in gold.notes}, name="safe", draws=0)
    assert {name: genre["documents"] for name, genre in found.genres.items()} == {"clinic": 12, "ward": 12}
    found = measure_figures(
        gold, scrubber, {doc: f"g{at % 12}" for at, doc in enumerate(gold.notes)}, name="safe", draws=0
    )
    assert {name: genre["documents"] for name, genre in found.genres.items()} == {"smaller genres": 24}
    assert list(found.kinds) == ["NAME/DOCTOR"]
    few = measure_figures(
        repeated_gold(5), scrubber, dict.fromkeys(repeated_gold(5).notes, "all"), name="safe", draws=0
    )
    assert few.kinds["smaller kinds"]["tokens"] == 5 and few.kinds["smaller kinds"]["token_interval"] is None


def test_a_sample_shows_a_recall_or_does_not(scrubber: ns.Scrubber) -> None:
    assert collect(repeated_gold(320), scrubber, draws=0, day=DAY).plan.verdict["shown"]
    assert not collect(repeated_gold(60), scrubber, draws=0, day=DAY).plan.verdict["shown"]
    missed = repeated_gold(60, "Seen for cough by day.", 9, 14)  # what is marked stays: an error of the system
    plan = collect(missed, scrubber, draws=0, day=DAY).plan
    assert plan.verdict["recall"] == 0 and plan.at_observed is None


# ---- the page


class Outline(HTMLParser):
    """Finds what a screen reader needs, and references to anything outside of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.headings: list[int] = []
        self.tables = self.captions = self.drawings = self.named_drawings = 0
        self.unscoped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"] or "")
        self.tables += tag == "table"
        self.captions += tag == "caption"
        self.drawings += tag == "svg"
        self.named_drawings += tag == "svg" and given.get("role") == "img" and bool(given.get("aria-label"))
        self.unscoped += tag == "th" and given.get("scope") not in ("col", "row")
        if tag in ("script", "link", "img", "iframe"):
            self.outside.append(tag)
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        target = given.get("href") or ""
        (self.links if target.startswith("#") else self.outside).extend([target] if target else [])


def page_outline(html: str) -> Outline:
    found = Outline()
    found.feed(html)
    return found


def test_the_page_is_accessible_and_stands_alone(scrubber: ns.Scrubber) -> None:
    html = collect(repeated_gold(40), scrubber, draws=20, day=DAY, organisation="Larkmoor <Hospital>").to_html()
    found = page_outline(html)
    assert html.startswith('<!doctype html><html lang="en">') and "Larkmoor &lt;Hospital&gt;" in html
    assert found.outside == [] and "url(" not in html and "@import" not in html
    assert len(found.ids) == len(set(found.ids)) and {link[1:] for link in found.links} <= set(found.ids)
    assert found.tables == found.captions > 5 and found.unscoped == 0
    assert found.drawings == found.named_drawings == 1
    assert found.headings[0] == 1 and all(b - a <= 1 for a, b in zip(found.headings, found.headings[1:], strict=False))
    assert "@media print" in html and "@page" in html


def test_the_page_claims_nothing(scrubber: ns.Scrubber) -> None:
    html = collect(repeated_gold(40), scrubber, draws=0, day=DAY).to_html()
    plain = re.sub(r"<[^>]+>", " ", html).lower()
    assert not re.search(r"compliant|compliance|anonymous|anonymi[sz]|guarantee|hipaa[- ]ready|certified", plain)
    assert "none of them comes from real patients' notes" in plain.replace("&#x27;", "'")
    assert "it certifies nothing" in plain and "what cannot be claimed" in plain


def test_nothing_of_a_note_is_on_the_page(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    texts = {
        f"zz-{at}": f"Seen by Dr. Quill. A quombled carpenter with an unlucky trumpet, day {at}; Fabry disease."
        for at in range(12)
    }
    texts["zz-odd"] = "Her daughter Trumpet swallowed the violin of the museum; porphyria."
    spans = {name: [{"start": 12, "end": 17, "category": "NAME"}] for name in texts}
    written = collect(ns.Gold(texts, spans), scrubber, draws=0, day=DAY).write(tmp_path)
    for file in written[:2]:
        content = file.read_text("utf-8").lower()
        for word in ("quill", "quombled", "carpenter", "trumpet", "unlucky", "violin", "zz-"):
            assert word not in content, (file.name, word)
    page = written[0].read_text("utf-8")
    assert "porphyria" in page.lower(), "a code that stays is told"
    assert stat.S_IMODE(written[2].stat().st_mode) == 0o600
    rows = written[2].read_text("utf-8")
    assert rows.startswith("note,why\n") and "violin" not in rows


def test_counts_of_few_notes_are_suppressed_on_the_page(scrubber: ns.Scrubber) -> None:
    texts = dict(enumerate(["45 year old man."] * 30 + ["A 7 year old girl."] * 3))
    gold = ns.Gold({str(at): text for at, text in texts.items()})
    found = collect(gold, scrubber, draws=0, day=DAY)
    row = found.residual.classes["age group, sex"]
    assert row["with 1 to 3 others"] is None and row["smallest"] is None
    section = found.to_html().split('id="residual"')[1].split("</section>")[0]
    assert "suppressed" in section and not re.search(r'class="number">([3-9]|10)<', section)


def test_what_the_policy_lets_out_is_a_warning() -> None:
    page = collect(repeated_gold(12), ns.Scrubber("limited-data-set"), draws=0, day=DAY).to_html()
    assert "keeps identifiers of the Safe Harbor method on purpose" in page.split("<nav")[0]
    page = collect(repeated_gold(12), ns.Scrubber(ns.Policy(rules_off=["date"])), draws=0, day=DAY).to_html()
    assert "Share nothing made with it" in page.split("<nav")[0]
    policy = ns.Policy(doctors=["Ann Quillfeather"])
    found = collect(repeated_gold(12), ns.Scrubber(policy), draws=0, day=DAY)
    assert "Quillfeather" not in found.to_html() + json.dumps(found.to_dict())
    assert found.policy["doctors"] == "1 given"


def test_the_same_page_every_time(scrubber: ns.Scrubber) -> None:
    pages = {collect(repeated_gold(30), scrubber, draws=20, day=DAY).to_html() for _ in range(2)}
    assert len(pages) == 1


def test_digests_are_those_of_the_scrubber(scrubber: ns.Scrubber) -> None:
    found = collect(repeated_gold(12), scrubber, draws=0, day=DAY)
    digests = found.digests
    for name in ("vocabulary_digest", "model_digest", "status_digest", "entities_digest", "policy_digest"):
        assert scrubber.provenance[name] in digests.values()
    assert {"compiled program", "gold standard 1"} <= set(digests)
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in digests.values())
    html = found.to_html()
    assert all(digest in html for digest in digests.values())


def test_detectors_are_named() -> None:
    def find_nothing(texts: list[str]) -> list[list[tuple[int, int, str]]]:
        return [[] for _ in texts]

    found = collect(repeated_gold(12), ns.Scrubber(detectors=[find_nothing]), draws=0, day=DAY)
    assert "find_nothing" in found.environment["detectors of the site, which no digest covers"]
    assert "which no digest covers" in found.to_html()


# ---- the command


def test_the_command_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "staff.txt").write_text("Ambrosius Thackle\n", encoding="utf-8")
    repeated_gold(24).write(tmp_path / "gold")
    (tmp_path / "release.jsonl").write_text(
        "".join(json.dumps({"note_id": at, "body": "A 45 year old man with asthma."}) + "\n" for at in range(15)),
        "utf-8",
    )
    command = [
        "evidence", str(tmp_path / "gold"), str(FIXTURES / "jsonl"), "-o", str(tmp_path / "out"), "--site", str(site),
        "--policy", "safe", "--policy", "balanced", "--notes", str(tmp_path / "release.jsonl"), "--text", "body",
        "--id", "note_id", "--date", "2026-01-02", "--draws", "20", "--organisation", "Larkmoor",
    ]  # fmt: skip
    assert main(command) == 0
    out = capsys.readouterr()
    assert "recall above 0.99 is NOT shown" in out.out and "wrote" in out.err
    whole = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    assert whole["gold_standards"] == {"gold": 24, "jsonl": 3} and whole["date"] == "2026-01-02"
    assert whole["residual_risk"]["of"] == "the notes of the release" and whole["residual_risk"]["units"] == 15
    assert whole["site_lists"] == {"staff": 1} and "site list staff.txt" in whole["digests"]
    assert list(whole["figures"]["genres"]) == ["gold", "smaller genres"]
    assert [one["name"] for one in whole["other_policies"]] == ["policy balanced"]
    assert len(whole["safe_harbor"]) == 18


def test_genres_and_patients_of_the_command(tmp_path: Path) -> None:
    repeated_gold(24).write(tmp_path / "gold")
    docs = repeated_gold(24).notes
    (tmp_path / "genres.csv").write_text("doc,genre\n" + "".join(f"{doc},letter\n" for doc in docs), encoding="utf-8")
    patients = "".join(f"{doc},p{at // 2}\n" for at, doc in enumerate(docs))
    (tmp_path / "patients.csv").write_text("doc,patient\n" + patients, encoding="utf-8")
    command = ["evidence", str(tmp_path / "gold"), "-o", str(tmp_path / "out"), "--draws", "0"]
    assert main([*command, "--genres", str(tmp_path / "genres.csv"), "--patients", str(tmp_path / "patients.csv")]) == 0
    whole = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    assert list(whole["figures"]["genres"]) == ["letter"]
    assert (whole["residual_risk"]["unit"], whole["residual_risk"]["units"]) == ("patient", 12)


def test_mistakes_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", str(tmp_path / "none"), "-o", str(tmp_path / "out")]) == 2
    repeated_gold(3).write(tmp_path / "gold")
    command = ["evidence", str(tmp_path / "gold"), "-o", str(tmp_path / "out")]
    assert main([*command, "--least", "1"]) == 2
    assert main([*command, "--recall", "1.5"]) == 2
    assert not (tmp_path / "out").exists()
    with pytest.raises(SystemExit):
        main([*command, "--date", "yesterday"])
    assert "write it as 2026-01-31" in capsys.readouterr().err
    for name in ("genre", "patient"):
        (tmp_path / "other.csv").write_text(f"doc,{name}\ngold/ward-1,x\n", encoding="utf-8")
        assert main([*command, f"--{name}s", str(tmp_path / "other.csv")]) == 2
        assert f"the {name}s name no document" in capsys.readouterr().err
    with pytest.raises(ns.GoldError, match="no gold standard"):
        collect([], ns.Scrubber())
