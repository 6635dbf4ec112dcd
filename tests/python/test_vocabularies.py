"""Building, comparing and searching vocabularies; lists of a site."""

import pickle
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main

SOURCES = Path(__file__).parents[1] / "fixtures" / "sources"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ns.vocabularies.Build:
    out = tmp_path_factory.mktemp("built") / "own.vocabulary"
    return ns.vocabularies.build(
        out, mesh=SOURCES / "mesh" / "desc.xml", obo=SOURCES / "ontology.obo", umls=SOURCES / "umls" / "META", base=None
    )


def test_every_format_is_built(tmp_path: Path) -> None:
    made = ns.vocabularies.build(
        tmp_path / "all.vocabulary",
        base=None,
        mesh=[SOURCES / "mesh" / "desc.xml", SOURCES / "mesh" / "supp.xml"],
        umls=SOURCES / "umls" / "META",
        rxnorm=SOURCES / "rxnorm",
        snomed=SOURCES / "snomed" / "Snapshot",
        obo=SOURCES / "ontology.obo",
        icd10cm=[SOURCES / "icd10cm" / "tabular.xml", {"path": SOURCES / "icd10cm" / "codes.txt", "version": "2026"}],
        loinc=SOURCES / "loinc" / "Loinc.csv",
    )
    rows = made.rows()
    assert len(rows) == 9
    assert all(row["terms"] > 0 for row in rows)
    assert {source["version"] for source in made.vocabulary.info()["sources"]} >= {"2026"}
    made.vocabulary.verify()


def test_the_table_tells_what_was_read_and_left_out(built: ns.vocabularies.Build) -> None:
    table = built.summary()
    for word in ("read", "dropped", "left out", "ambiguous", "size", "time", "desc.xml", "ontology.obo"):
        assert word in table
    assert repr(built).startswith("Build(")


def test_options_of_a_reader_count(tmp_path: Path) -> None:
    whole = ns.vocabularies.build(tmp_path / "a", umls=SOURCES / "umls" / "META", base=None)
    more = ns.vocabularies.build(tmp_path / "b", umls={"path": SOURCES / "umls" / "META", "suppressed": []}, base=None)
    assert more.report["sources"][0]["terms"] > whole.report["sources"][0]["terms"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mesh": {"path": "x", "colour": 1}}, "colour"),
        ({"sources": [{"format": "nothing", "path": "x"}]}, "nothing"),
        ({"nothing": "x"}, "there is no format 'nothing'"),
        ({"sources": [{"format": "mesh"}]}, "source 1 needs"),
        ({"base": "all"}, 'base="all"'),
    ],
)
def test_unknown_options_are_named(tmp_path: Path, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ns.PolicyError, match=words):
        ns.vocabularies.build(tmp_path / "x.vocabulary", **arguments)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_format_is_named(tmp_path: Path) -> None:
    with pytest.raises(ns.SourceError, match=r"ontology\.obo"):
        ns.vocabularies.build(tmp_path / "x.vocabulary", loinc=SOURCES / "ontology.obo", base=None)
    with pytest.raises(ns.FileError, match="missing"):
        ns.vocabularies.build(tmp_path / "x.vocabulary", obo=tmp_path / "missing.obo", base=None)


def test_a_build_can_be_watched_and_stopped(tmp_path: Path) -> None:
    seen: list[tuple[int | None, int | None]] = []
    ns.vocabularies.build(
        tmp_path / "x", obo=SOURCES / "ontology.obo", base=None, progress=lambda *step: seen.append(step)
    )
    assert seen[-1] == (None, None)
    assert seen[0][0] == 0

    def interrupt(*_: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ns.vocabularies.build(tmp_path / "y", obo=SOURCES / "ontology.obo", base=None, progress=interrupt)
    assert not (tmp_path / "y").exists()


def test_a_written_name_with_accents_moves_offsets_as_code_points(tmp_path: Path) -> None:
    ontology = tmp_path / "own.obo"
    ontology.write_text(
        'format-version: 1.2\n\n[Term]\nid: HP:9900007\nname: névralgie rénale\nsynonym: "renal neuralgia" EXACT []\n',
        encoding="utf-8",
    )
    made = ns.vocabularies.build(tmp_path / "x.vocabulary", obo=ontology, base="lists")
    scrubber = ns.Scrubber(ns.Policy("safe", terms="preferred"), made.vocabulary)
    note = "No renal neuralgia today, renal neuralgia before."
    alone = scrubber.scrub(note)
    for scrubbed in (alone, scrubber.scrub_many([note])[0]):
        assert scrubbed.text == alone.text
        assert [scrubbed.text[found.start : found.end] for found in scrubbed.concepts] == [
            "névralgie rénale [hp:9900007]"
        ] * 2


def test_the_lists_of_the_package_come_along(tmp_path: Path) -> None:
    made = ns.vocabularies.build(tmp_path / "x.vocabulary", obo=SOURCES / "ontology.obo", base="lists")
    vocabulary = made.vocabulary
    assert vocabulary.lookup("marsh fever")[0].code == "hp:9900001"
    assert vocabulary.concept("mesh:D003920") is None
    assert ns.Scrubber(vocabulary=vocabulary).scrub("Mr. Brown has marsh fever.").text == "Mr. [NAME] has marsh fever."
    merged = ns.vocabularies.build(
        tmp_path / "y.vocabulary", compiled=[tmp_path / "x.vocabulary"], delimited=[], base=None
    )
    assert not ns.vocabularies.diff(vocabulary, merged.vocabulary)
    names = {source["name"] for source in merged.vocabulary.info()["sources"]}
    assert {"OBO", "Names of the 2020 census"} <= names


def test_search_by_beginning_and_with_typing_errors(built: ns.vocabularies.Build) -> None:
    vocabulary = built.vocabulary
    assert [term for term, _ in vocabulary.prefix("marsh f")] == sorted(
        term for term, _ in vocabulary.prefix("marsh f")
    )
    assert ("marsh fever", 1) in [(term, distance) for term, distance, _ in vocabulary.near("marsh fevr")]
    assert ("marsh fever", 2) in [(term, distance) for term, distance, _ in vocabulary.near("mrsh fevr", 2)]
    with pytest.raises(ValueError, match="distance=3"):
        vocabulary.near("marsh", 3)
    found = vocabulary.reordered("fever marsh")
    assert found is not None
    assert found[0] == "marsh fever"
    assert vocabulary.reordered("zzz yyy") is None


def test_up_down_and_across_the_hierarchy() -> None:
    vocabulary = ns.Vocabulary.default()
    below = {concept.code for concept in vocabulary.descendants("mesh:D003920")}
    narrower = {concept.code for concept in vocabulary.narrower("mesh:D003920")}
    assert "mesh:D003924" in narrower
    assert narrower < below
    assert "mesh:D003920" in {concept.code for concept in vocabulary.broader("mesh:D003924")}
    for code in narrower:
        assert "mesh:D003920" in {concept.code for concept in vocabulary.broader(code)}
    assert any(concept.code.startswith("doid:") for concept in vocabulary.cross_references("mesh:D003924"))
    with pytest.raises(ns.CodeError, match=r"^mesh:X is no code"):
        vocabulary.descendants("mesh:X")


def test_a_code_counts_as_one_of_another_system() -> None:
    vocabulary = ns.Vocabulary.default()

    def nearest_code(code: str) -> str | None:
        found = vocabulary.nearest(code, "mesh")
        return found.code if found else None

    assert nearest_code("mesh:D003924") == "mesh:D003924"
    # Autosomal recessive disease: a genetic disease, two steps up.
    assert nearest_code("mondo:0006025") == "mesh:D030342"
    assert nearest_code("mondo:0000001") is None
    with pytest.raises(ns.CodeError, match=r"^mesh:X is no code"):
        vocabulary.nearest("mesh:X", "mesh")


def test_a_new_year_says_which_words_are_allowed(tmp_path: Path) -> None:
    for name, terms in (("old", "a:1,fen ague\na:2,bogwort\n"), ("new", "a:1,fen ague\na:3,marshroot\n")):
        (tmp_path / f"{name}.csv").write_text(f"code,term\n{terms}")
        ns.vocabularies.build(tmp_path / name, delimited=tmp_path / f"{name}.csv", base=None, variants=False)
    found = ns.vocabularies.diff(tmp_path / "old", tmp_path / "new")
    assert (found.terms_added, found.terms_removed) == (["marshroot"], ["bogwort"])
    assert (found.words_allowed, found.words_no_longer_allowed) == (["marshroot"], ["bogwort"])
    assert "marshroot" in found.summary()
    assert main(["vocabulary", "diff", str(tmp_path / "old"), str(tmp_path / "new"), "--json"]) == 0


def test_an_abbreviation_is_coded_as_its_long_form() -> None:
    text = "History of mitral stenosis (MS). The MS is slowly progressive."
    codes = [concept.code for concept in ns.Scrubber().scrub(text).concepts]
    assert codes.count("mesh:D008946") == 3
    mentions = ns.Scrubber().autocode("progressive supranuclear palsy (PSNP), and PSNP again", identifying=True)
    assert [mention.code for mention in mentions].count("mesh:D013494") == 3


# ---- lists of a site


def site_scrubber(policy: ns.Policy | str = "safe", **lists: list[str]) -> ns.Scrubber:
    return ns.Scrubber(policy, vocabulary=ns.Vocabulary.default().with_lists(**lists))


@pytest.mark.parametrize(
    ("lists", "text", "expected"),
    [
        ({"staff": ["Olive Short"]}, "olive short and Mr Short saw him.", "[NAME] and Mr [NAME] saw him."),
        ({"staff": ["Root"]}, "Root was told. The root is dry.", "[NAME] was told. The root is dry."),
        ({"staff": ["Olive Short"]}, "Seen by Olive\nShort today.", "Seen by [NAME] today."),
        ({"places": ["West Wing Annex"]}, "Moved to west wing annex.", "Moved to [LOCATION]."),
        ({"deny": ["bluebird study"]}, "In the Bluebird study now.", "In the [ID] now."),
        ({"deny": ["heart failure"]}, "He has heart failure.", "He has [ID]."),
        ({"allow": ["zorblax"]}, "Given zorblax twice.", "Given zorblax twice."),
        ({"allow": ["zorblax forte"]}, "Given zorblax forte, then zorblax.", "Given zorblax forte, then ***."),
        ({"allow": ["zorblax"]}, "Seen by Dr. Zorblax.", "Seen by Dr. [NAME]."),
    ],
)
def test_lists_of_a_site(lists: dict[str, list[str]], text: str, expected: str) -> None:
    # Lists alone: the model may tell what an invented word is.
    scrubber = site_scrubber(policy=ns.Policy(ambiguous="never"), **lists)
    output = scrubber.scrub(text).text
    assert output == expected
    assert ns.verify(output, scrubber)


def test_the_digest_and_the_pickle_know_the_lists() -> None:
    plain = ns.Vocabulary.default()
    ours = plain.with_lists(staff=["Olive Short"], allow=["zorblax"])
    assert ours.digest != plain.digest
    assert ours.info()["digest"] == ours.digest
    assert ours == plain.with_lists(allow=["zorblax"], staff=["Olive Short"])
    assert ours.site_lists == {"allow": 1, "deny": 0, "places": 0, "staff": 1}
    assert ours.lists("zorblax") == ["site-allow"]
    again = pickle.loads(pickle.dumps(ours))
    assert again == ours
    assert pickle.loads(pickle.dumps(site_scrubber(staff=["Olive Short"]))).scrub("Olive Short").text == "[NAME]"
    for words in (repr(ours), str(ours.site_lists)):
        assert "Short" not in words


def test_bad_lists_are_told_without_their_text(tmp_path: Path) -> None:
    with pytest.raises(ns.PolicyError, match="item 2 of the site list `staff`"):
        ns.Vocabulary.default().with_lists(staff=["Olive Short", "--"])
    with pytest.raises(ns.FileError, match=r"holds none of allow\.txt"):
        ns.vocabularies.read_site_lists(tmp_path)
    (tmp_path / "staff.txt").write_bytes(b"Olive Sh\xf6rt\n")
    with pytest.raises(ns.FileError) as problem:
        ns.vocabularies.read_site_lists(tmp_path)
    assert "Olive" not in str(problem.value)
    assert "byte 8" in str(problem.value)


def test_the_command_line_takes_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "places.txt").write_text("\ufeff# wards\nGarden\n", encoding="utf-8")
    note = tmp_path / "note.txt"
    note.write_text("No fever on Garden today.\n")
    assert main(["scrub", str(note), "--site", str(tmp_path)]) == 0
    assert capsys.readouterr().out.strip() == "No fever on [LOCATION] today."


# ---- the command line


def test_the_commands_of_vocabularies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "own.vocabulary"
    mesh = str(SOURCES / "mesh" / "desc.xml")
    umls = str(SOURCES / "umls" / "META")
    assert (
        main(["vocabulary", "build", "--mesh", mesh, "--umls", umls, "--option", "languages=ENG,SPA", "--base", "none",
              "-o", str(out)]) == 0
    )  # fmt: skip
    assert f"written     {out}, digest " in capsys.readouterr().out
    for arguments, word in [
        (["info", str(out)], "MeSH"),
        (["info", str(out), "--json"], '"digest"'),
        (["verify", str(out)], "whole"),
        (["lookup", "marsh fever", "--tree", "--vocabulary", str(out)], "mesh:D990002"),
        (["lookup", "fever marsh", "--vocabulary", str(out)], "mesh:D990002"),
        (["lookup", "mesh:D990002", "--vocabulary", str(out)], "mesh:D990002"),
        (["search", "marsh f", "--vocabulary", str(out)], "marsh fever"),
        (["search", "marsh fevr", "--errors", "1", "--vocabulary", str(out)], "marsh fever\t1"),
    ]:
        assert main(["vocabulary", *arguments]) == 0, arguments
        assert word in capsys.readouterr().out, arguments
    for errors, hint in (
        ([], "--errors 1 or 2 finds"),
        (["--errors", "1"], "--errors 2"),
        (["--errors", "2"], "within 2"),
    ):
        assert main(["vocabulary", "search", "qqq", *errors, "--vocabulary", str(out)]) == 1
        assert hint in capsys.readouterr().err
    assert main(["vocabulary", "descendants", "mesh:nothing", "--vocabulary", str(out)]) == 2
    assert "mesh:nothing is no code" in capsys.readouterr().err
    data = bytearray(out.read_bytes())
    data[len(data) // 2] ^= 1
    out.write_bytes(data)
    assert main(["vocabulary", "verify", str(out)]) == 2
    assert str(out) in capsys.readouterr().err
    assert main(["vocabulary", "build", "-o", str(out)]) == 2
    assert "name a source" in capsys.readouterr().err
