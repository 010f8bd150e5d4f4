"""What an evidence page shows."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.evidence import EvidenceSettings, Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What an evidence page shows: a test, a method and the settings."""

    test: str
    method: Method
    settings: EvidenceSettings

    @property
    def k(self) -> int:
        """The number of neighbours."""
        return self.settings.n_neighbours
