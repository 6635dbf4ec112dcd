"""The command `notesieve serve`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from notesieve._core import Key
from notesieve.cli.options import add_key_option, add_scrubber_options, make_scrubber
from notesieve.errors import SettingError
from notesieve.hidden_repr import HiddenRepr

_EXAMPLES = """examples:
  notesieve serve                                    a page on http://127.0.0.1:8765/, for this machine only
  notesieve serve --policy site.toml --key           with a policy of your own and the key of the environment
  notesieve serve --host 0.0.0.0 --token-file token --certificate cert.pem --certificate-key key.pem

  curl -H 'Content-Type: application/json' -d '{"text": "Seen by Dr. Brown."}' http://127.0.0.1:8765/scrub
"""


def add_serve(commands: Any) -> None:
    """Add the command to those of `notesieve`."""
    parser = commands.add_parser(
        "serve",
        help="serve a page and an HTTP interface that scrub, autocode, explain and verify",
        description="Serve scrub, autocode, explain and verify over HTTP, with a local page. Needs the extra "
        "notesieve[serve]. No text of a request is logged or stored. /openapi.json describes the interface.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8765, help="the port; 0 takes a free one (default: 8765)")
    add_scrubber_options(parser, "the policy of requests that name none: a preset or a TOML file; default: safe")
    add_key_option(parser)
    access = parser.add_argument_group("access")
    access.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="a file that only you can read, with the token that requests must carry; needed beyond this machine",
    )
    access.add_argument("--certificate", type=Path, metavar="FILE", help="a PEM certificate, for TLS")
    access.add_argument("--certificate-key", type=Path, metavar="FILE", help="its private key")
    access.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name in the Host header to accept without a token, such as that of a proxy; may be repeated",
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--max-body", type=int, default=4 << 20, metavar="BYTES", help="of a request (default: 4194304)"
    )
    limits.add_argument("--max-batch", type=int, default=1000, metavar="NOTES", help="in a batch (default: 1000)")
    limits.add_argument(
        "--timeout", type=float, default=30.0, metavar="SECONDS", help="for the body, and for the work (default: 30)"
    )
    limits.add_argument("--threads", type=int, help="requests worked on at once (default: one per core)")
    limits.add_argument(
        "--max-waiting", type=int, default=1000, metavar="REQUESTS", help="before others get 503 (default: 1000)"
    )
    parser.add_argument("--access-log", action="store_true", help="log method, path, status and time of each request")
    parser.set_defaults(run=_run_serve)


def _run_serve(options: argparse.Namespace) -> int:
    try:
        from notesieve.service.server import serve
        from notesieve.service.settings import ServiceSettings, read_token
    except ModuleNotFoundError as problem:
        if str(problem.name).partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise SettingError("notesieve serve needs starlette and uvicorn: pip install 'notesieve[serve]'") from None
    settings = ServiceSettings(
        host=options.host,
        port=options.port,
        token=None if options.token_file is None else HiddenRepr(read_token(options.token_file)),
        allowed_hosts=tuple(options.allow_host),
        max_body=options.max_body,
        max_batch=options.max_batch,
        timeout=options.timeout,
        threads=options.threads,
        max_waiting=options.max_waiting,
        certificate=options.certificate,
        certificate_key=options.certificate_key,
    )
    scrubber = make_scrubber(options, key=Key.load() if options.key else None)
    serve(scrubber, settings, access_log=options.access_log)
    return 0
