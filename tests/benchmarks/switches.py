"""What each family of rules and each switch of the policy is worth, on gold sets.

    python switches.py SCORER GOLD... -o report/switches

For every gold folder the notes are scrubbed with the default policy; with the rules of one category not heard
(``rules_off``), which shows what default deny still catches; and with one switch turned the other way.
``SCORER`` is called as ``SCORER GOLD PREDICTIONS --json FILE``, as ``make quality`` does. Written is one table,
``switches.md``: token recall, notes without a leak, other tokens kept, and the speed beside that of the default policy
in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import notesieve as ns

FAMILIES = ["date", "contact", "id", "age", "location", "name"]
SWITCHES = {"brands": False}


def compared_policies() -> dict[str, ns.Policy]:
    """Every policy that is measured, by what the table calls it."""
    named = {"default": ns.Policy()}
    named |= {f"rules off: {family}": ns.Policy(rules_off=[family]) for family in FAMILIES}
    named["rules off: all"] = ns.Policy(rules_off=FAMILIES)
    return named | {
        f"{switch}={value}": ns.Policy(**{switch: value})  # type: ignore[arg-type]
        for switch, value in SWITCHES.items()
    }


def changed_spans(text: str, note: ns.ScrubbedNote) -> list[list[int | str]]:
    """What does not stand in the output as it stood in the note."""
    return [
        [removal.start, removal.end, removal.category] for removal in note.removed if text[removal.start : removal.end]
    ]


def measure_policy(scorer: Path, gold: Path, policy: ns.Policy, output: Path) -> tuple[float, float, float, float]:
    """Token recall, notes without a leak, other tokens kept, seconds."""
    notes = {path.stem: path.read_bytes().decode() for path in sorted((gold / "notes").glob("*.txt"))}
    scrubber = ns.Scrubber(policy)
    begin = time.perf_counter()
    scrubbed = scrubber.scrub_many(list(notes.values()), threads=1)
    seconds = time.perf_counter() - begin
    predictions = output / "predictions.jsonl"
    with predictions.open("w", encoding="utf-8") as out:
        for (doc, text), note in zip(notes.items(), scrubbed, strict=True):
            out.write(json.dumps({"doc": doc, "spans": changed_spans(text, note)}) + "\n")
    report = output / "score.json"
    command = [sys.executable, str(scorer), str(gold), str(predictions), "--json", str(report)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    score = json.loads(report.read_text(encoding="utf-8"))
    return score["token"]["recall"], score["document"]["zero_leak"], score["retained_nonphi"], seconds


def main() -> None:
    """Entry point of the command line."""
    cli = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    cli.add_argument("scorer", type=Path, help="script that scores predictions")
    cli.add_argument("gold", type=Path, nargs="+", help="folder with notes/*.txt and gold.jsonl")
    cli.add_argument("-o", "--output", type=Path, default=Path("report/switches"))
    options = cli.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    lines = ["| policy | " + " | ".join(gold.name for gold in options.gold) + " | time |"]
    lines.append("|---" * (len(options.gold) + 2) + "|")
    first = 0.0
    for name, policy in compared_policies().items():
        results = [measure_policy(options.scorer, gold, policy, options.output) for gold in options.gold]
        seconds = sum(result[3] for result in results)
        first = first or seconds
        cells = [f"{recall:.4f} / {clean:.3f} / {kept:.4f}" for recall, clean, kept, _ in results]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {seconds / first:.2f} |")
        print(lines[-1], flush=True)
    (options.output / "switches.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
