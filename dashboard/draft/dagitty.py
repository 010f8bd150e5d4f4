"""A DAGitty text as one more causal model of a draft."""

from __future__ import annotations

from cst_core.scenario import DagittyError, from_dagitty
from dashboard.draft.changes import laid_out
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.rules import bidirected_flaws, edge_flaws
from dashboard.draft.worlds import free_world_name


def import_dagitty(draft: Draft, text: str) -> tuple[Draft, list[str]]:
    """Return the draft with a DAGitty text as a new causal model, opened, and what to know.

    Nodes are matched with columns that have a role; see `from_dagitty`.

    Raises
    ------
    DagittyError
        When the text cannot be read or its arrows form a cycle; nothing is imported then.
    """
    graph = from_dagitty(text, draft.drawable)
    world = DraftWorld(
        name=free_world_name(draft, "From DAGitty"),
        nodes=graph.nodes,
        edges=graph.edges,
        bidirected=graph.bidirected,
    )
    flawed, cycle = edge_flaws(draft, world, world.arrows)
    if cycle:
        raise DagittyError(f"{cycle} Nothing was imported.")
    loose = bidirected_flaws(world)
    left_out = [*graph.left_out, *flawed.values(), *loose.values()]
    notes = [*graph.notes, *(f"Left out: {message}" for message in left_out)]
    if graph.unknown:
        notes.append(
            f"Not matched with a column: {', '.join(graph.unknown)}. Match or delete these nodes "
            "before a test."
        )
    world = world.model_copy(
        update={
            "edges": tuple(edge for i, edge in enumerate(world.edges) if i not in flawed),
            "bidirected": tuple(
                arrow for i, arrow in enumerate(world.bidirected) if i not in loose
            ),
        }
    )
    after = draft.model_copy(update={"worlds": (*draft.worlds, world), "active": world.name})
    placed = all(node.x is not None and node.y is not None for node in world.nodes)
    return after if placed else laid_out(after), notes
