"""A scenario opened: its table, causal models, decision maker and settings as objects."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from cst_core.causal import CausalModel
from cst_core.data import Dataset, ReadingNote, ReadTable, Roles, read_table
from cst_core.decisions import DecisionMaker
from cst_core.errors import CausalModelError, InputError, Problem, ScenarioError
from cst_core.evidence import EvidenceSettings
from cst_core.explain import CaseNames
from cst_core.results import Result
from cst_core.scenario.checking import check
from cst_core.scenario.conversion import as_causal_model, as_decision_maker, as_roles
from cst_core.scenario.document import Scenario, SettingsPart, WorldPart
from cst_core.scenario.naming import case_names
from cst_core.scenario.open_case import OpenCase
from cst_core.scenario.yaml_text import parse
from cst_core.testing import ExecutorChoice, Progress

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
        """Read the scenario's table, or another file with the same columns in its place.

        Rows and values are taken as the scenario says; the notes tell what was done.
        """
        part = self.scenario.data
        if data is not None:
            return read_table(data).prepared(part.preparation())
        read = read_table(
            self.data_path,
            delimiter=part.delimiter,
            encoding=part.encoding,
            decimal=part.decimal,
            sheet=part.sheet,
            header=part.header,
        )
        return read.prepared(part.preparation())

    def dataset(self, data: str | os.PathLike[str] | pd.DataFrame | None = None) -> Dataset:
        """Return the checked dataset, from the scenario's file or another table in its place.

        Another table need not have the id column: its own index then names people. Its rows and
        values are taken as the scenario says, as those of the file are.
        """
        if isinstance(data, pd.DataFrame):
            frame, notes = self.scenario.data.preparation().apply(data)
            return self._checked(frame, notes, own_table=False)
        return self.check(self.table(data), own_table=data is None)

    def check(self, table: ReadTable, *, own_table: bool) -> Dataset:
        """Return what `table` read, the scenario's own or another, checked against the roles."""
        return self._checked(table.frame, table.notes, own_table=own_table)

    def _checked(
        self, frame: pd.DataFrame, notes: Iterable[ReadingNote], *, own_table: bool
    ) -> Dataset:
        roles, missing = self.roles(), self.scenario.data.missing
        if not own_table and roles.id_column is not None and roles.id_column not in frame:
            roles = replace(roles, id_column=None)
        real = self.scenario.data.real_values
        return Dataset.from_frame(frame, roles, missing=missing, notes=notes, real_values=real)

    def names(self, world: str | None = None) -> CaseNames:
        """Return what groups, outcomes and, in a causal model, attributes are called."""
        scenario = self.scenario
        roles, nodes = scenario.roles, self.world(world).nodes
        attributes = (*roles.relevant, *roles.context)
        return case_names(roles.protected, attributes, scenario.outcomes, nodes)

    def causal_model(self, world: str | None = None) -> CausalModel:
        """Return a causal model by name or unambiguous beginning; the first by default."""
        return as_causal_model(self.world(world), self.scenario.roles, self.scenario.decision_node)

    def decision_maker(self, dataset: Dataset | None = None) -> DecisionMaker | None:
        """Return b(), or None when decisions are only recorded.

        A model of the decisions is fitted to `dataset`, by default the scenario's own.
        """
        part = self.scenario.decision_maker
        people = self.dataset() if dataset is None and part.type == "model" else dataset
        return as_decision_maker(part, people)

    def open(
        self,
        dataset: Dataset | None = None,
        *,
        world: str | None = None,
        settings: SettingsPart | None = None,
        executor: ExecutorChoice = "local",
    ) -> OpenCase:
        """Return the case over its people in one causal model, ready to run tests.

        Parameters
        ----------
        dataset
            The people; the scenario's own by default.
        world
            The causal model, as in `causal_model`.
        settings
            How to search and how to take an intersection; the scenario's own by default.
        executor
            Where the search is done; see `run_single`.
        """
        people = self.dataset() if dataset is None else dataset
        part = self.scenario.settings if settings is None else settings
        return OpenCase(
            dataset=people,
            model=self.causal_model(world),
            decision_maker=self.decision_maker(people),
            search=part.search_settings(),
            form=part.intersectional_form,
            executor=executor,
        )

    def run(
        self, test: str, *, world: str | None = None, progress: Progress | None = None
    ) -> Result:
        """Run one test as the scenario says; `open` the case to run several.

        Examples
        --------
        >>> case = load_scenario("loan")
        >>> case.run("Gender").summary("CST_wo", case.evidence_settings()).cases > 0
        True
        """
        return self.open(world=world).run(test, progress=progress)

    def evidence_settings(self, k: int | None = None) -> EvidenceSettings:
        """Return the evidence settings the case is opened with, at one k."""
        part = self.scenario.settings
        return part.evidence_settings(part.k[0] if k is None else k)

    def world(self, name: str | None = None) -> WorldPart:
        """Return a causal model as it stands in the file, chosen as in `causal_model`."""
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


def sample_scenarios() -> dict[str, Path]:
    """Return the samples that came with the library, by name."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_sample_data", package.parent / "sample_data"):
        if folder.is_dir():
            found = sorted(folder.glob(f"*/{FILE_NAME}"))
            return {path.parent.name: path for path in found}
    return {}
