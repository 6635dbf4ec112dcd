"""Write `rules.md`, the page of all rules, from the table in the code: `python docs/rules_page.py`."""

from __future__ import annotations

from pathlib import Path

import notesieve as ns

PAGE = Path(__file__).with_name("rules.md")
HEAD = """# Rules

What has a form is found, or vouched for, by a rule; what has only its surroundings is judged by a model
([how it decides](how-it-decides.md)). These are all rules, by the names that findings and
[explanations](how-to/explain.md) have. All names and numbers are invented. `ns.rules()` and
`notesieve explain --rules` list the same. A rule that vouches for something begins with *Keeps*; all others remove.

| rule | what it does |
|---|---|
"""


def page() -> str:
    """Give the page."""
    return HEAD + "".join(f"| `{rule.name}` | {rule.about.replace('|', chr(92) + '|')} |\n" for rule in ns.rules())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
