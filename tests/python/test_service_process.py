"""`notesieve serve` as a process: start, limits, parallel requests, what it logs, and how it stops."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import trustme

import notesieve as ns
from note_files import COMMAND, run_notesieve

SECRET = "Zorvexia"
ENOUGH = 30.0


class Service:
    """A process that serves, its log, and a client."""

    def __init__(self, *options: str, environment: dict[str, str] | None = None) -> None:
        command = [*COMMAND, "serve", "--port", "0", *options]
        # A process inherits that a signal is ignored, as it is where a shell runs the tests in the background.
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | (environment or {})
            )
        finally:
            signal.signal(signal.SIGINT, before)
        assert self.process.stderr is not None
        self.first = self.process.stderr.readline()
        told = re.search(r"(https?)://(.+):(\d+)/", self.first)
        assert told, self.first + self.process.stderr.read()
        self.port = int(told[3])

    def ask(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ENOUGH)
        with contextlib.closing(client):
            method, content = ("GET", None) if body is None else ("POST", json.dumps(body))
            client.request(method, path, content, {"Content-Type": "application/json", **(headers or {})})
            answer = client.getresponse()
            content = answer.read().decode()
            is_json = "json" in answer.headers["content-type"]
            return answer.status, json.loads(content) if is_json else content

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Stop it, and give its exit code and all that it wrote."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        # By its own reader: what came with the first line waits in there.
        with self.process:
            errors, out = self.process.stderr.read(), self.process.stdout.read()
        return self.process.returncode, out + self.first + errors


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service("--access-log", "--max-body", "3000000")
    yield service
    service.process.kill()
    service.process.communicate()


@pytest.fixture
def service_with_short_timeout() -> Iterator[Service]:
    service = Service("--access-log", "--timeout", "2")
    yield service
    service.process.kill()
    service.process.communicate()


def test_it_scrubs_and_stops(service: Service) -> None:
    assert "http://127.0.0.1:" in service.first
    text = "Seen by Dr. Brown for asthma."
    status, answer = service.ask("/scrub", {"text": text})
    assert (status, answer["text"]) == (200, ns.Scrubber().scrub(text).text)
    code, told = service.stop()
    assert code == 0
    assert re.search(r"POST /scrub 200 \d+ ms", told)


def test_ctrl_c_stops_it(service: Service) -> None:
    code, told = service.stop(signal.SIGINT)
    assert (code, told.splitlines()[-1]) == (130, "notesieve: stopped")


def test_what_was_asked_before_the_stop_is_answered() -> None:
    service = Service("--timeout", "60")
    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(service.ask, "/scrub", {"text": "Seen by Dr. Brown for asthma. " * 30_000})
        while "notesieve_pending_requests 1" not in service.ask("/metrics")[1]:
            assert not long.done()
        service.process.send_signal(signal.SIGTERM)
        status, answer = long.result(2 * ENOUGH)
    assert (status, len(answer["removed"])) == (200, 30_000)
    assert service.stop()[0] == 0
    with pytest.raises(OSError, match="refused"):
        service.ask("/health")


def test_parallel_requests_are_all_answered(service: Service) -> None:
    texts = [f"Seen by Dr. Brown for asthma, {n} mg." for n in range(300)]
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda text: service.ask("/scrub", {"text": text}), texts))
    assert [status for status, _ in answers] == [200] * len(texts)
    assert [answer["text"] for _, answer in answers] == ns.Scrubber().scrub_many(texts).texts


def send_raw(service: Service, sent: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", service.port), timeout=ENOUGH) as client:
        client.sendall(sent)
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_what_is_malformed_leaves_no_text_in_the_log(service_with_short_timeout: Service) -> None:
    for sent in (
        f"{SECRET}\r\n\r\n",
        f"GET /{SECRET}?{SECRET} HTTP/9.9\r\n\r\n",
        f"POST /scrub?{SECRET} HTTP/1.1\r\nHost: {SECRET}\r\nConnection: close\r\n\r\n",
        f"POST /scrub HTTP/1.1\r\nHost: localhost\r\nContent-Length: {SECRET}\r\n\r\n",
        f"GET /{SECRET} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ):
        status, _, rest = send_raw(service_with_short_timeout, sent.encode()).partition(b"\r\n")
        assert status.startswith(b"HTTP/1.1 4"), status
        assert SECRET.encode() not in rest
    # A body that stops half way: its time is over after two seconds.
    head = f"POST /scrub?{SECRET} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    begin = time.monotonic()
    assert send_raw(
        service_with_short_timeout, f'{head}Content-Length: 99\r\n\r\n{{"text": "{SECRET}'.encode()
    ).startswith(b"HTTP/1.1 408")
    assert 1.5 < time.monotonic() - begin < ENOUGH
    # And one by a client that leaves.
    with socket.create_connection(("127.0.0.1", service_with_short_timeout.port), timeout=ENOUGH) as client:
        client.sendall(f'{head}Content-Length: 99\r\n\r\n{{"text": "{SECRET}'.encode())
    assert service_with_short_timeout.ask("/health") == (200, {"status": "ok"})
    _, told = service_with_short_timeout.stop()
    assert SECRET not in told
    assert "Traceback" not in told


def test_a_body_that_is_too_large_is_answered(service: Service) -> None:
    status, answer = service.ask("/scrub", {"text": f"{SECRET} " * 600_000})
    assert (status, answer["detail"]) == (413, "the body has more than 3000000 bytes")


def test_other_addresses_need_a_token(tmp_path: Path) -> None:
    def error_of_refused_start(*options: str) -> str:
        done = run_notesieve("serve", "--port", "0", *options)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert "needs a token, --token-file FILE" in error_of_refused_start("--host", "0.0.0.0")
    token = tmp_path / "token"
    assert "No such file" in error_of_refused_start("--host", "0.0.0.0", "--token-file", str(token))
    token.write_text(f"{SECRET}\n")
    token.chmod(0o600)
    assert "at least 16" in error_of_refused_start("--token-file", str(token))
    token.write_text("a-token-of-the-tests\n")
    token.chmod(0o644)
    told = error_of_refused_start("--token-file", str(token))
    assert "others can read the token" in told
    assert "a-token" not in told
    token.chmod(0o600)
    service = Service("--host", "0.0.0.0", "--token-file", str(token))
    try:
        assert service.ask("/scrub", {"text": "a"})[0] == 401
        header = {"Authorization": "Bearer a-token-of-the-tests"}
        assert service.ask("/scrub", {"text": "a"}, header)[0] == 200
    finally:
        _, told = service.stop()
    assert "cross the network in the clear" in told
    assert "a-token" not in told


def test_a_port_that_is_in_use(service: Service) -> None:
    done = run_notesieve("serve", "--port", str(service.port))
    assert done.returncode == 2
    assert "--port takes another one" in done.stderr


def test_the_service_speaks_tls(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    files = [str(tmp_path / name) for name in ("cert.pem", "key.pem")]
    certificate.cert_chain_pems[0].write_to_path(files[0])
    certificate.private_key_pem.write_to_path(files[1])
    service = Service("--certificate", files[0], "--certificate-key", files[1])
    try:
        assert "https://127.0.0.1:" in service.first
        context = ssl.create_default_context()
        authority.configure_trust(context)
        client = http.client.HTTPSConnection("127.0.0.1", service.port, context=context, timeout=ENOUGH)
        with contextlib.closing(client):
            client.request("GET", "/health")
            assert client.getresponse().status == 200
    finally:
        service.stop()


def test_a_policy_file_a_key_and_a_site(tmp_path: Path) -> None:
    policy = tmp_path / "site.toml"
    policy.write_text('preset = "safe"\nname = "our hospital"\ndates = "shift"\ndate_order = "mdy"\n')
    site = tmp_path / "site"
    site.mkdir()
    (site / "allow.txt").write_text("quombled\n")
    service = Service(
        "--policy", str(policy), "--key", "--site", str(site), environment={"NOTESIEVE_KEY": sha256(b"key").hexdigest()}
    )
    try:
        body = {"text": "Seen 3/14/2021, quombled toe.", "patient": {"id": "17"}}
        _, answer = service.ask("/scrub", body)
        assert answer["policy"] == "our hospital"
        assert re.fullmatch(r"Seen \d+/\d+/\d{4}, quombled toe\.", answer["text"])
        assert "3/14/2021" not in answer["text"]
    finally:
        service.stop()


def test_without_the_extra_the_command_names_it() -> None:
    code = (
        "import sys; sys.modules['starlette'] = sys.modules['uvicorn'] = None;"
        "from notesieve.cli import main; sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=ENOUGH)
    assert done.returncode == 2
    assert "pip install 'notesieve[serve]'" in done.stderr
