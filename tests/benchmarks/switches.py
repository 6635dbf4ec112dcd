"""What each family of rules and each switch of the policy is worth, on gold sets.

    python switches.py GOLD... -o report/switches

The notes of every gold folder are scrubbed with the default policy; without the rules of one category (``rules_off``),
which shows what default deny still catches; and with one switch inverted. The result is one table, ``switches.md``:
token recall, notes without a leak, other tokens kept, and the time relative to the default policy in the same run.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import notesieve as ns

FAMILIES = ["date", "contact", "id", "age", "location", "name"]
SWITCHES = {"brands": False}


def compared_policies() -> dict[str, ns.Policy]:
    """Return the policies to measure, by their names in the table."""
    named = {"default": ns.Policy()}
    named |= {f"rules off: {family}": ns.Policy(rules_off=[family]) for family in FAMILIES}
    named["rules off: all"] = ns.Policy(rules_off=FAMILIES)
    return named | {
        f"{switch}={value}": ns.Policy(**{switch: value})  # type: ignore[arg-type]
        for switch, value in SWITCHES.items()
    }


def measure_policy(gold: ns.Gold, policy: ns.Policy) -> tuple[float, float, float, float]:
    """Return token recall, notes without a leak, other tokens kept, and seconds."""
    scrubber = ns.Scrubber(policy)
    begin = time.perf_counter()
    scrubbed = scrubber.scrub_many(list(gold.notes.values()), threads=1)
    seconds = time.perf_counter() - begin
    removed = {
        doc: [(removal.start, removal.end, removal.category) for removal in note.removed]
        for doc, note in zip(gold.notes, scrubbed, strict=True)
    }
    score = ns.evaluate(gold, removed, draws=0)
    return score["token"]["recall"], score["document"]["zero_leak"]["value"], score["retained_nonphi"]["value"], seconds


def main() -> None:
    """Run the command line."""
    cli = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    cli.add_argument("gold", type=Path, nargs="+", help="folder with notes/*.txt and gold.jsonl")
    cli.add_argument("-o", "--output", type=Path, default=Path("report/switches"))
    options = cli.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    golds = [ns.Gold.read(folder) for folder in options.gold]
    lines = ["| policy | " + " | ".join(gold.name for gold in options.gold) + " | time |"]
    lines.append("|---" * (len(options.gold) + 2) + "|")
    first = 0.0
    for name, policy in compared_policies().items():
        results = [measure_policy(gold, policy) for gold in golds]
        seconds = sum(result[3] for result in results)
        first = first or seconds
        cells = [f"{recall:.4f} / {clean:.3f} / {kept:.4f}" for recall, clean, kept, _ in results]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {seconds / first:.2f} |")
        print(lines[-1], flush=True)
    (options.output / "switches.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
