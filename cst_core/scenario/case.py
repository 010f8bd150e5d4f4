"""A scenario opened: its table, causal models, decision maker and settings as objects."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from cst_core.causal.model import CausalModel
from cst_core.data.dataset import Dataset
from cst_core.data.reading import ReadTable, read_table
from cst_core.data.roles import Roles
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import CausalModelError, InputError, Problem, ScenarioError
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.scenario.checking import check
from cst_core.scenario.document import Scenario, WorldPart
from cst_core.scenario.opening import as_causal_model, as_decision_maker, as_roles
from cst_core.scenario.yaml_text import dump, parse

FILE_NAME = "scenario.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A scenario and the folder its data file is in.

    Open one with `load_scenario`.

    Examples
    --------
    >>> case = load_scenario("law-school")
    >>> case.worlds
    ('linear', 'log-link')
    >>> len(case.dataset())
    21790
    """

    scenario: Scenario
    folder: Path
    path: Path | None = None

    @property
    def data_path(self) -> Path:
        """Where the scenario's own table is."""
        return self.folder / self.scenario.data.file

    @property
    def worlds(self) -> tuple[str, ...]:
        """The names of its causal models."""
        return tuple(world.name for world in self.scenario.worlds)

    def roles(self) -> Roles:
        """Return which column is what."""
        return as_roles(self.scenario.roles)

    def table(self, data: str | os.PathLike[str] | None = None) -> ReadTable:
        """Read the scenario's table, or another file with the same columns in its place."""
        part = self.scenario.data
        if data is not None:
            return read_table(data)
        return read_table(
            self.data_path,
            delimiter=part.delimiter,
            encoding=part.encoding,
            decimal=part.decimal,
            sheet=part.sheet,
        )

    def dataset(self, data: str | os.PathLike[str] | pd.DataFrame | None = None) -> Dataset:
        """Return the checked dataset, from the scenario's file or another table in its place.

        Another table need not have the id column: its own index then names people.
        """
        frame = data if isinstance(data, pd.DataFrame) else self.table(data).frame
        return self.check(frame, own_table=data is None)

    def check(self, frame: pd.DataFrame, *, own_table: bool) -> Dataset:
        """Return a table, the scenario's own or another, checked against the roles."""
        roles = self.roles()
        if not own_table and roles.id_column is not None and roles.id_column not in frame:
            roles = replace(roles, id_column=None)
        return Dataset.from_frame(frame, roles, missing=self.scenario.data.missing)

    def causal_model(self, world: str | None = None) -> CausalModel:
        """Return a causal model by name or unambiguous beginning; the first by default."""
        return as_causal_model(self._world(world), self.scenario.roles, self.scenario.decision_node)

    def decision_maker(self, dataset: Dataset | None = None) -> DecisionMaker | None:
        """Return b(), or None when decisions are only recorded.

        A model of the decisions is fitted to `dataset`, by default the scenario's own.
        """
        part = self.scenario.decision_maker
        people = self.dataset() if dataset is None and part.type == "model" else dataset
        return as_decision_maker(part, people)

    def search_settings(self) -> SearchSettings:
        """Return the search settings the case is opened with."""
        part = self.scenario.settings
        return SearchSettings(
            max_neighbours=max(part.k), ties=part.ties, max_distance=part.max_distance
        )

    def evidence_settings(self, k: int | None = None) -> EvidenceSettings:
        """Return the evidence settings the case is opened with, at one k."""
        part = self.scenario.settings
        return part.evidence_settings(part.k[0] if k is None else k)

    def _world(self, name: str | None) -> WorldPart:
        if name is None:
            return self.scenario.worlds[0]
        wanted = name.strip().lower()
        exact = [world for world in self.scenario.worlds if world.name.lower() == wanted]
        begin = [world for world in self.scenario.worlds if world.name.lower().startswith(wanted)]
        found = exact or begin
        if len(found) != 1 or not wanted:
            raise CausalModelError(
                f"world: expected one of {', '.join(self.worlds)}, got {name!r}."
            )
        return found[0]


def load_scenario(source: str | os.PathLike[str]) -> Case:
    """Open a scenario: a sample's name, a YAML file, or a folder that holds one.

    Raises
    ------
    ScenarioError
        Listing everything wrong with it, each with its place.
    """
    samples = sample_scenarios()
    if isinstance(source, str) and source in samples:
        path = samples[source]
    else:
        path = Path(source)
        with suppress(OSError):  # such as a name too long to be a file's
            path = path / FILE_NAME if path.is_dir() else path
    if not os.path.isfile(path):
        raise InputError(
            f"No scenario '{source}': expected a scenario file, a folder that holds a "
            f"{FILE_NAME}, or one of the samples ({', '.join(samples) or 'none installed'})."
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(
            str(source), [Problem("", f"not readable as text: {error}.")]
        ) from error
    return Case(scenario=read_scenario(text, str(source)), folder=path.parent, path=path)


def read_scenario(text: str, source: str = "scenario", *, inside_folder: bool = False) -> Scenario:
    """Return the scenario in a YAML text.

    With `inside_folder`, a data file that is absolute or leads out of the scenario's folder is a
    problem; use it for a scenario that comes from someone else.
    """
    return check(parse(text, source), source, inside_folder=inside_folder)


def write_scenario(scenario: Scenario) -> str:
    """Return the scenario as YAML text; `read_scenario` gives it back unchanged."""
    return dump(scenario)


def sample_scenarios() -> dict[str, Path]:
    """Return the samples that came with the library, by name."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_sample_data", package.parent / "sample_data"):
        if folder.is_dir():
            found = sorted(folder.glob(f"*/{FILE_NAME}"))
            return {path.parent.name: path for path in found}
    return {}
