"""What tests of many files share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import notesieve as ns

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def scrubber() -> ns.Scrubber:
    """The default scrubber."""
    return ns.Scrubber()


@pytest.fixture(scope="module")
def client() -> Iterator["TestClient"]:
    """A client of the service in the same process."""
    from service_client import make_client

    with make_client() as client:
        yield client
