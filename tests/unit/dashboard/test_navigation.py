"""The pages and their paths."""

from __future__ import annotations

from typing import get_args

from dashboard.frame.navigation import Path
from dashboard.pages import PATHS


def test_the_paths_one_can_go_to_are_those_of_the_pages() -> None:
    assert set(PATHS) == set(get_args(Path))
