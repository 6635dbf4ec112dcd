"""The command `notesieve policy`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from notesieve._core import Policy
from notesieve.choices import is_policy_file
from notesieve.schema import policy_schema

_EXAMPLES = """examples:
  notesieve policy show                       every choice of the default policy
  notesieve policy show limited-data-set      of another preset
  notesieve policy show site.toml             of a file: what it says, and what it leaves as the preset has it
  notesieve policy show safe > site.toml      a file to begin with
  notesieve policy schema > policy.schema.json    so that an editor completes and checks policy files
"""


def add_policy(commands: Any) -> None:
    """Add the command to those of `notesieve`."""
    policy = commands.add_parser(
        "policy",
        help="look into a policy",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = policy.add_subparsers(title="actions", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print every choice as TOML, with the digest that results are known by")
    show.add_argument("policy", nargs="?", default="safe", metavar="POLICY", help="a preset or a TOML file")
    show.set_defaults(run=_run_show)
    schema = actions.add_parser("schema", help="print the JSON schema of policy files, for editors")
    schema.set_defaults(run=_run_schema)


def _run_show(options: argparse.Namespace) -> int:
    policy = Policy.open(options.policy) if is_policy_file(options.policy) else Policy(options.policy)
    print(f"# digest {policy.digest}")
    if policy.needs_key:
        print("# needs a key: NOTESIEVE_KEY_FILE, see `notesieve key`")
    print(policy.to_toml(), end="")
    return 0


def _run_schema(options: argparse.Namespace) -> int:
    del options
    print(json.dumps(policy_schema(), indent=2))
    return 0
