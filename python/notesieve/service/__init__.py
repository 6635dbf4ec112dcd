"""An HTTP service that scrubs, autocodes, explains and verifies, with a local page: the extra ``notesieve[serve]``."""

from notesieve.service.application import create_app
from notesieve.service.server import serve
from notesieve.service.settings import ServiceSettings

__all__ = ["ServiceSettings", "create_app", "serve"]
