"""Fetching vocabularies, from a server of our own."""

import gzip
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

import notesieve as ns
from notesieve.cli import main

SOURCES = Path(__file__).parents[1] / "fixtures" / "sources"


class Server(BaseHTTPRequestHandler):
    """Serve one file; break off, ignore ranges or change the file as the test says."""

    content = b""
    tag = '"one"'
    break_after: int | None = None
    ranges = True
    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        Server.asked.append((self.path, wanted))
        if self.path != "/2025/xmlmesh/desc2025.gz":
            self.send_error(503 if self.path.startswith("/2024/") else 404)
            return
        start = 0
        if wanted and Server.ranges and self.headers.get("If-Range") == Server.tag:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        body = Server.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", Server.tag)
        self.end_headers()
        self.wfile.write(body if Server.break_after is None else body[: Server.break_after])

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    Server.content = gzip.compress((SOURCES / "mesh" / "desc.xml").read_bytes(), mtime=0)
    Server.tag, Server.break_after, Server.ranges, Server.asked = '"one"', None, True, []
    running = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    thread.join()
    running.server_close()


def test_a_broken_download_goes_on(server: str, tmp_path: Path) -> None:
    Server.break_after = 300
    with pytest.raises(ns.FetchError, match="call again to go on"):
        ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server)
    assert not (tmp_path / "desc2025.gz").exists()
    Server.break_after = None
    file = ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server)
    assert file.read_bytes() == Server.content
    assert Server.asked[-1] == ("/2025/xmlmesh/desc2025.gz", "bytes=300-")
    assert [path.name for path in tmp_path.iterdir()] == ["desc2025.gz"]
    asked = len(Server.asked)
    assert ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server) == file
    assert len(Server.asked) == asked, "what is there is not fetched again"


@pytest.mark.parametrize("change", ["file", "ranges"])
def test_what_changed_meanwhile_is_fetched_from_the_beginning(server: str, tmp_path: Path, change: str) -> None:
    Server.break_after = 300
    with pytest.raises(ns.FetchError):
        ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server)
    Server.break_after = None
    if change == "file":
        Server.content, Server.tag = gzip.compress(b"another file", mtime=0), '"two"'
    else:
        Server.ranges = False
    file = ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server)
    assert file.read_bytes() == Server.content


def test_what_came_is_checked(server: str, tmp_path: Path) -> None:
    with pytest.raises(ns.FetchError, match="SHA-256"):
        ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server, sha256="00")
    (tmp_path / "desc2025.gz").unlink()
    damaged = bytearray(Server.content)
    damaged[len(damaged) // 2] ^= 1
    Server.content = bytes(damaged)
    with pytest.raises(ns.FetchError, match="is damaged"):
        ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url=server)


def test_what_cannot_be_fetched(server: str, tmp_path: Path) -> None:
    with pytest.raises(ns.FetchError, match="there is no such file"):
        ns.vocabularies.fetch("mesh", year=1999, folder=tmp_path, url=server)
    with pytest.raises(ns.FetchError, match="the server answers 503; try again later"):
        ns.vocabularies.fetch("mesh", year=2024, folder=tmp_path, url=server)
    with pytest.raises(ns.PolicyError, match="https"):
        ns.vocabularies.fetch("mesh", year=2025, folder=tmp_path, url="http://example.org")
    with pytest.raises(ns.PolicyError, match="nothing to fetch"):
        ns.vocabularies.fetch("umls", year=2025, folder=tmp_path, url=server)


def test_fetch_builds_a_vocabulary(server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["vocabulary", "fetch", "mesh", "--year", "2025", "--folder", str(tmp_path), "--url", server]
    assert main(arguments) == 0
    assert "mesh-2025.vocabulary" in capsys.readouterr().out
    vocabulary = ns.Vocabulary.open(tmp_path / "mesh-2025.vocabulary")
    assert "mesh:D990002" in [concept.code for concept in vocabulary.lookup("marsh fever")]


def test_nothing_else_opens_a_connection() -> None:
    """Only `fetching` imports what opens connections, and the service, which listens where the user asks it to."""
    package = Path(ns.__file__).parent
    opens = ("urllib.request", "http.client", "socket", "requests", "httpx")
    for file in package.rglob("*.py"):
        if file.name != "fetching.py" and file != package / "service" / "server.py":
            text = file.read_text(encoding="utf-8")
            assert not any(f"import {name}" in text or f"from {name}" in text for name in opens), file
    fetching = "notesieve.vocabularies.fetching"
    code = f"import sys, notesieve as ns; ns.Scrubber().scrub('x'); sys.exit({fetching!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert shutil.which("curl") is None or "curl" not in (package / "vocabularies" / "fetching.py").read_text()
