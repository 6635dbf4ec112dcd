"""Run the steps of the Dockerfile in clean Debian roots, and its command in the last one: `make test-image`.

    python tests/container/dockerfile_steps.py [--build-arg PROFILE=dev] [--root FOLDER]

For machines without a Docker daemon. Needs root, debootstrap and cargo. Each stage begins with a Debian of its own;
the image `rust:VERSION` is a Debian with a C compiler and the toolchain of this machine. Packages come from where this
machine gets them. At the end the command runs as the user of the image, on a file system that cannot be written,
without a network.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).parents[2]
RELEASE = "bookworm"
# What of this machine says where packages come from, and whom to trust.
FROM_HERE = ("etc/ssl/certs/ca-certificates.crt", "etc/resolv.conf", "etc/pip.conf")
TRUST = ("SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_CERT")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NOTE = "Seen by Dr. Brown for asthma.\n"
SCRUBBED = "Seen by Dr. [NAME] for asthma.\n"


@dataclass
class Stage:
    """One image on the way."""

    root: Path
    variables: dict[str, str] = field(default_factory=lambda: {"PATH": PATH, "HOME": "/root"})
    folder: str = "/"
    user: str = "0"
    entrypoint: tuple[str, ...] = ()

    def run(self, script: str, *, user: str = "0", sealed: bool = False, given: str | None = None) -> str:
        """Run a script in the root; `sealed` makes the file system read-only and takes the network away."""
        root = shlex.quote(str(self.root))
        seal = f"mount --bind {root} {root} && mount -o remount,bind,ro {root}" if sealed else "true"
        inside = ["chroot", f"--userspec={user}:{user}", str(self.root), "sh", "-ec", f"cd {self.folder} && {script}"]
        outer = f"{seal} && mount -t proc proc {root}/proc && exec {shlex.join(inside)}"
        namespaces = ["unshare", "--mount", *(["--net"] if sealed else [])]
        variables = self.variables | (
            {} if sealed else {name: os.environ[name] for name in TRUST if name in os.environ}
        )
        done = subprocess.run(
            [*namespaces, "sh", "-ec", outer],
            env=variables,
            input=given,
            text=True,
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            sys.exit(f"a step failed with {done.returncode}: {script}\n{done.stdout[-3000:]}")
        return done.stdout


def package_mirror() -> str:
    """Give the address from which this machine gets its packages."""
    for file in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        found = re.search(r"^(?:deb\s+(?:\[.*?\]\s+)?|URIs:\s*)(\S+/debian/?)(?=\s|$)", text, re.MULTILINE)
        if found:
            return found[1]
    sys.exit("no source of Debian packages in /etc/apt: name one there")


def debian_root(folder: Path) -> Path:
    """Make a clean Debian, once."""
    root = folder / "debian"
    if not root.exists():
        command = [
            "debootstrap",
            "--variant=minbase",
            "--include=ca-certificates",
            RELEASE,
            str(root),
            package_mirror(),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for name in FROM_HERE:
            if Path("/", name).exists():
                shutil.copy(Path("/", name), root / name)
    return root


def prepare_root(image: str, place: int, folder: Path) -> Stage:
    """Make the root in which a stage begins."""
    root = folder / f"stage-{place}"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", str(debian_root(folder)), str(root)], check=True)
    stage = Stage(root)
    if image.startswith("rust:"):
        stage.run("apt-get update -q && apt-get install --yes -q --no-install-recommends gcc libc6-dev")
        toolchain = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout
        subprocess.run(["cp", "-a", toolchain.strip() + "/.", str(root / "usr/local")], check=True)
    elif not image.startswith("debian:"):
        sys.exit(f"the image {image} is no Debian")
    return stage


def parse_instructions(text: str) -> list[tuple[str, str]]:
    """Give the instructions of a Dockerfile with what follows them."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def copy_files(stages: dict[str, Stage], stage: Stage, rest: str) -> None:
    """Do what COPY says: what git tracks, or a folder of another stage."""
    if rest == ". .":
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, capture_output=True, check=True).stdout
        command = ["tar", "--create", "--null", "--files-from=-"]
        packed = subprocess.run(command, cwd=SOURCE, input=tracked, capture_output=True, check=True).stdout
        target = stage.root / stage.folder.lstrip("/")
        subprocess.run(["tar", "--extract", "-C", str(target)], input=packed, check=True)
        return
    found = re.fullmatch(r"--from=(\w+) (/\S+) (/\S+)", rest)
    if not found:
        sys.exit(f"not understood: COPY {rest}")
    source, target = stages[found[1]].root / found[2][1:], stage.root / found[3][1:]
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def run_all_steps(folder: Path, arguments: dict[str, str]) -> Stage:
    """Run all steps and give the last stage."""
    stages: dict[str, Stage] = {}
    stage = Stage(Path())
    for place, (name, rest) in enumerate(parse_instructions((SOURCE / "Dockerfile").read_text(encoding="utf-8"))):
        print(f"== {name} {rest[:100]}", flush=True)
        if name == "FROM":
            image, _, called = rest.partition(" AS ")
            stage = stages[called or "last"] = prepare_root(image, place, folder)
        elif name == "RUN":
            stage.run(rest)
        elif name == "COPY":
            copy_files(stages, stage, rest)
        elif name == "WORKDIR":
            stage.folder = rest
            (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif name == "ARG":
            key, _, default = rest.partition("=")
            stage.variables[key] = arguments.get(key, default)
        elif name == "ENV":
            for each in shlex.split(rest):
                key, _, value = each.partition("=")
                stage.variables[key] = value.replace(f"${key}", stage.variables.get(key, ""))
        elif name == "USER":
            stage.user = rest
        elif name == "ENTRYPOINT":
            stage.entrypoint = tuple(json.loads(rest))
        elif name != "CMD":
            sys.exit(f"not understood: {name}")
    return stage


SERVE = """
import re, subprocess, sys, urllib.request
process = subprocess.Popen(["notesieve", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
address = re.search(r"http://\\S+", process.stderr.readline())[0]
assert b"notesieve" in urllib.request.urlopen(address, timeout=30).read()
process.terminate()
sys.exit(process.wait(30))
"""


def try_out(stage: Stage) -> None:
    """Run the command as the user of the image, sealed."""
    command = shlex.join(stage.entrypoint)
    sealed = {"user": stage.user, "sealed": True}
    assert stage.user != "0"
    assert "[NAME]" in stage.run(f"{command} demo", **sealed)  # type: ignore[arg-type]
    assert stage.run(f"{command} scrub -", given=NOTE, **sealed) == SCRUBBED  # type: ignore[arg-type]
    stage.run(f"! touch /data/file 2>/dev/null && test $(id -u) = {stage.user}", **sealed)  # type: ignore[arg-type]
    (stage.root / "serve.py").write_text(SERVE, encoding="utf-8")
    # A new network namespace has no loopback that is up: the service is tried with the network of this machine.
    stage.run("/opt/notesieve/bin/python /serve.py", user=stage.user)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-arg", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--root", type=Path, help="where the roots are made; default: a folder that is removed")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("this needs root and debootstrap: apt-get install debootstrap")
    arguments = dict(each.split("=", 1) for each in options.build_arg)
    with tempfile.TemporaryDirectory() as temporary:
        stage = run_all_steps(options.root or Path(temporary), arguments)
        try_out(stage)
    print("all steps ran, and so did the command: without rights, on a read-only file system")


if __name__ == "__main__":
    main()
