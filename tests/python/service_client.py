"""A client of the service in the same process."""

from typing import Any

from starlette.testclient import TestClient

import notesieve as ns
from notesieve.service import ServiceSettings, create_app
from notesieve.service.endpoints import ENDPOINTS

SECRET = "Zorvexia Quombletree"
JSON = {"content-type": "application/json"}
WORKING = [endpoint.path for endpoint in ENDPOINTS if endpoint.method == "POST"]


def make_client(scrubber: ns.Scrubber | None = None, **settings: Any) -> TestClient:
    return TestClient(create_app(scrubber, ServiceSettings(**settings)), base_url="http://localhost")
