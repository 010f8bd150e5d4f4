"""What a stored computation was computed from, and what it says when that changed."""

from __future__ import annotations

import json

from dashboard.frame.computations.source import changes


def origin(**search: object) -> str:
    return json.dumps({"data": "1", "search": json.dumps(search, sort_keys=True)})


def test_the_setting_of_the_search_that_changed_is_named() -> None:
    before = origin(ties="expected", max_distance=None)
    assert changes(before, before) == []
    assert changes(before, origin(ties="first", max_distance=None)) == ["“People equally far away”"]
    both = changes(before, origin(ties="first", max_distance=0.2))
    assert both == ["“Largest distance ε”", "“People equally far away”"]


def test_a_text_of_an_older_version_is_only_called_changed() -> None:
    old = json.dumps({"data": "1", "search": "expected None "})
    assert changes(old, origin(ties="expected")) == ["how the groups are searched for"]
