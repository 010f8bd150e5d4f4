"""Workspaces in and out as files: a scenario, a scenario with its data, or an unfinished draft."""

from __future__ import annotations

import hashlib
import io
import lzma
import re
import secrets
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath

from pydantic import ValidationError

from cst_core.causal import FittedCausalModel
from cst_core.errors import ScenarioError
from cst_core.scenario import (
    FILE_NAME,
    CoefficientPart,
    EquationPart,
    Scenario,
    SharesPart,
    load_scenario,
    read_scenario,
    write_scenario,
)
from dashboard.draft.conversion import from_scenario, to_scenario
from dashboard.draft.document import Draft, DraftWorld, SourcePart

MAX_BYTES = 50_000_000
DRAFT_ENDING = ".draft.json"
SCENARIO_ENDINGS = (".yaml", ".yml")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    OSError,
    ValueError,
)
"""What reading from a damaged archive raises; a password is a RuntimeError."""


class ImportRefused(Exception):  # noqa: N818 (an answer, not a fault)
    """A file that cannot be taken in; `problems` says why, a sentence each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A case read from a file, and its table where the file held one."""

    draft: Draft
    data: bytes | None
    expects: str


def file_stem(title: str) -> str:
    """Return a file name made from a title, with a random part so that no two are the same."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:40] or "case"
    return f"{plain}-{secrets.token_hex(4)}"


def export_scenario(draft: Draft, fitted: dict[str, FittedCausalModel]) -> str:
    """Return the case as a scenario file, the fitted coefficients written out.

    The causal model that is open comes first: a scenario is tested by its first one.
    """
    in_order = sorted(draft.worlds, key=lambda world: world.name != draft.world.name)
    worlds = tuple(
        _with_fitted(world, fitted[world.name]) if world.name in fitted else world
        for world in in_order
    )
    filled = draft.model_copy(update={"worlds": worlds})
    return write_scenario(to_scenario(filled, data_file=_data_name(draft)))


def export_archive(draft: Draft, fitted: dict[str, FittedCausalModel], data: bytes) -> bytes:
    """Return the scenario file and its table in one archive."""
    scenario = export_scenario(draft, fitted)
    return as_archive({FILE_NAME: scenario, _data_name(draft): data})


def as_archive(files: Mapping[str, str | bytes]) -> bytes:
    """Return several files in one archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def import_file(name: str, data: bytes) -> Imported:
    """Read a scenario, an archive with a scenario, or a draft.

    Raises
    ------
    ImportRefused
        Saying everything that is wrong with the file.
    """
    if not data:
        raise ImportRefused([f"{name}: the file is empty."])
    if name.lower().endswith(DRAFT_ENDING):
        return _import_draft(name, data)
    if data.startswith(b"PK\x03\x04"):
        return _import_archive(name, data)
    return _import_scenario(name, data, None)


def sample_draft(sample: str) -> tuple[Draft, bytes]:
    """Return one of the samples that came with the library, and its table."""
    case = load_scenario(sample)
    data = case.data_path.read_bytes()
    return _as_draft(case.scenario, data, sample=sample), data


def _data_name(draft: Draft) -> str:
    """Return a plain name for the data file beside the scenario."""
    name = PurePosixPath(draft.source.name.replace("\\", "/")).name if draft.source else ""
    plain = re.sub(r"[^\w.\- ]+", "_", name).strip(". ")
    return plain if plain and not plain.lower().endswith(SCENARIO_ENDINGS) else "data.csv"


def _with_fitted(world: DraftWorld, fitted: FittedCausalModel) -> DraftWorld:
    said = {item.node: item for item in world.equations}
    equations = []
    for node in fitted.model.graph.equation_nodes():
        part = said.get(node, EquationPart(node=node))
        found = fitted.equation(node)
        numbers = found.coefficients
        equations.append(
            part.model_copy(
                update={
                    "shares": tuple(SharesPart(**asdict(row)) for row in found.shares),
                    "coefficients": {
                        term: CoefficientPart(
                            value=item.value,
                            source=item.source,
                            fitted_value=item.fitted_value,
                            standard_error=item.standard_error,
                            classical_error=item.classical_error,
                            note=item.note,
                        )
                        for term, item in numbers.items()
                    },
                }
            )
        )
    return world.model_copy(update={"equations": tuple(equations)})


def _import_draft(name: str, data: bytes) -> Imported:
    try:
        draft = Draft.from_json(data.decode("utf-8"))
    except (UnicodeDecodeError, ValidationError, ValueError):
        raise ImportRefused(
            [f"{name}: this is not a draft that this program wrote. Export it again."]
        ) from None
    expects = draft.source.name if draft.source else ""
    return Imported(draft=draft.model_copy(update={"source": None}), data=None, expects=expects)


def _import_archive(name: str, data: bytes) -> Imported:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise ImportRefused([f"{name}: the archive is damaged. Export it again."]) from None
    with archive:
        files = [item for item in archive.infolist() if not item.is_dir()]
        if sum(item.file_size for item in files) > MAX_BYTES:
            raise ImportRefused([f"{name}: its content is larger than 50 MB."])
        scenarios = [item for item in files if item.filename.endswith(SCENARIO_ENDINGS)]
        if len(scenarios) != 1:
            raise ImportRefused(
                [
                    f"{name}: expected an archive with one scenario file ({FILE_NAME}), got "
                    f"{len(scenarios)}. A table in an archive must be unpacked first."
                ]
            )
        others = {item.filename: item for item in files if item is not scenarios[0]}
        try:
            text = archive.read(scenarios[0])
            wanted = _parse(scenarios[0].filename, text).data.file
            chosen = others.get(wanted)
            table = archive.read(chosen) if chosen else None
        except _UNREADABLE:
            raise ImportRefused(
                [f"{name}: the archive is damaged or has a password. Export it again."]
            ) from None
    return _import_scenario(scenarios[0].filename, text, table)


def _import_scenario(name: str, text: bytes, table: bytes | None) -> Imported:
    scenario = _parse(name, text)
    return Imported(
        draft=_as_draft(scenario, table),
        data=table,
        expects="" if table else scenario.data.file,
    )


def _parse(name: str, text: bytes) -> Scenario:
    try:
        return read_scenario(text.decode("utf-8-sig"), name, inside_folder=True)
    except UnicodeDecodeError:
        raise ImportRefused(
            [f"{name}: expected a scenario file, which is text; this is not."]
        ) from None
    except ScenarioError as error:
        raise ImportRefused(
            [
                f"{problem.place}: {problem.message}" if problem.place else problem.message
                for problem in error.problems
            ]
        ) from None


def _as_draft(scenario: Scenario, data: bytes | None, sample: str | None = None) -> Draft:
    name = scenario.data.file
    source = SourcePart(
        name=PurePosixPath(name.replace("\\", "/")).name or name,
        sha256=hashlib.sha256(data or b"").hexdigest(),
        sample=sample,
    )
    draft = from_scenario(scenario, source)
    worlds = tuple(_without_fitted(world) for world in draft.worlds)
    source_known = draft.source if data is not None else None
    return draft.model_copy(update={"worlds": worlds, "source": source_known})


def _without_fitted(world: DraftWorld) -> DraftWorld:
    """Return the world with only the coefficients set by hand: the others are fitted anew."""
    equations = []
    for item in world.equations:
        by_hand = {
            term: number.model_copy(
                update={"fitted_value": None, "standard_error": None, "classical_error": None}
            )
            for term, number in item.coefficients.items()
            if number.source == "by hand"
        }
        rows = tuple(
            row.model_copy(update={"people": None, "fitted": None})
            for row in item.shares
            if row.source == "by hand"
        )
        part = item.model_copy(update={"coefficients": by_hand, "shares": rows})
        if part != EquationPart(node=item.node):
            equations.append(part)
    return world.model_copy(update={"equations": tuple(equations)})
