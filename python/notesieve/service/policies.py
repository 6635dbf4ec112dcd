"""The policies that requests may choose: the policy of the service, and the presets."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from notesieve._core import Policy
from notesieve.scrubber import Scrubber
from notesieve.service.problems import Problem

if TYPE_CHECKING:
    from notesieve.choices import Preset

#: A description of each preset for users.
PRESETS = {
    "safe": "Keeps listed words, coded terms and clinical numbers. Everything else is removed.",
    "balanced": "Also keeps unlisted words of which the model is sure that they identify nobody.",
    "readable": "Keeps every word and number that no rule and no model removes: more can leak.",
    "berman": "Keeps stop words and coded terms only: the strictest.",
    "limited-data-set": "Keeps dates, ages, towns, states and postal codes: a limited data set still identifies.",
}
_OWN = "The policy with which this service was started."


class ScrubberPool:
    """A scrubber for each policy, created on first use.

    Parameters
    ----------
    default : Scrubber
        The scrubber of requests that name no policy. The others share its vocabulary, model and key.
    """

    def __init__(self, default: Scrubber) -> None:
        self.default = default
        self._made = {self.default_name: default}
        self._lock = threading.Lock()

    @property
    def default_name(self) -> str:
        """The name of the default scrubber's policy in requests; ``default`` for a modified preset."""
        policy = self.default.policy
        name = str(policy.name)
        changed = name in PRESETS and policy.digest != Policy(cast("Preset", name)).digest
        return "default" if changed else name

    def scrubber_of_policy(self, name: str | None) -> tuple[str, Scrubber]:
        """Return the scrubber of a policy, and the name of the policy.

        Raises
        ------
        Problem
            With the status 422 if there is no such policy.
        """
        name = self.default_name if name is None else name
        if name in self._made:
            return name, self._made[name]
        if name not in PRESETS:
            raise Problem(422, f"policy must be one of {', '.join(self.names())}")
        with self._lock:
            if name not in self._made:
                default = self.default
                vocabulary, key, model = default.vocabulary, default.key, default.model
                self._made[name] = Scrubber(name, vocabulary=vocabulary, key=key, model=model)
        return name, self._made[name]

    def names(self) -> list[str]:
        """Return the names of all policies, the default first."""
        return [self.default_name, *(name for name in PRESETS if name != self.default_name)]

    def descriptions(self) -> list[dict[str, Any]]:
        """Return descriptions of all policies, the default first."""
        described = []
        for name in self.names():
            policy = self._made[name].policy if name in self._made else Policy(cast("Preset", name))
            described.append(
                {
                    "name": name,
                    "about": PRESETS.get(name, _OWN),
                    "default": name == self.default_name,
                    "digest": policy.digest,
                }
            )
        return described
