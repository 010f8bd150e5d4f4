"""Drawings to and from dagitty.net.

DAGitty's y grows downwards like ours, and its unit is of any size: what is written here has 100
pixels a unit, and what is read is scaled until its nodes stand apart.
"""

from cst_core.scenario.dagitty.adding import add_dagitty as add_dagitty
from cst_core.scenario.dagitty.reading import DagittyGraph as DagittyGraph
from cst_core.scenario.dagitty.reading import from_dagitty as from_dagitty
from cst_core.scenario.dagitty.text import DagittyError as DagittyError
from cst_core.scenario.dagitty.writing import to_dagitty as to_dagitty
