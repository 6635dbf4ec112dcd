"""Write `rules.md`, the page of all rules, from the table in the code: `python docs/rules_page.py`."""

from __future__ import annotations

from pathlib import Path

import notesieve as ns

PAGE = Path(__file__).with_name("rules.md")
HEAD = """# Rules

Rules find, or vouch for, what has a written form; a trained model judges what only the context shows
([how it decides](how-it-decides.md)). This page lists all rules by the names that findings and
[explanations](how-to/explain.md) use. All names and numbers are invented. `ns.rules()` and
`notesieve explain --rules` print the same list. The description of a rule that keeps something begins with *Keeps*; all
others remove.

| rule | what it does |
|---|---|
"""


def rules_page() -> str:
    """Give the page."""
    return HEAD + "".join(f"| `{rule.name}` | {rule.about.replace('|', chr(92) + '|')} |\n" for rule in ns.rules())


if __name__ == "__main__":
    PAGE.write_text(rules_page(), encoding="utf-8")
