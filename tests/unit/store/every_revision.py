"""All revisions of a workspace, as the store would give them one by one."""

from __future__ import annotations

from itertools import count

from dashboard.store import Revision, RevisionGone, Store


def every_revision(store: Store, workspace_id: str) -> list[Revision]:
    """Return the revisions on every line, the newest first."""
    found: list[Revision] = []
    for number in count(1):
        try:
            found.insert(0, store.revision(workspace_id, number))
        except RevisionGone:
            break
    return found
