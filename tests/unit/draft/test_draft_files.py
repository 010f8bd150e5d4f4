"""Files out and in: the same case comes back, and a hostile file gives sentences."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest

from cst_core.causal import FittedCausalModel
from cst_core.scenario import as_causal_model, load_scenario, sample_scenarios
from dashboard.draft import files
from dashboard.draft.document import Draft, SourcePart
from dashboard.draft.equations import SetBounds, SetCoefficient
from dashboard.draft.files import ImportRefused, export_archive, export_scenario, import_file

SCENARIO = "format: 1\nname: x\n"


def fitted(sample: str, draft: Draft) -> dict[str, FittedCausalModel]:
    """Fit every causal model of a draft that is still the sample's in its data and roles."""
    case = load_scenario(sample)
    text = files.export_scenario(draft, {})
    scenario = files._parse("x.yaml", text.encode())
    people = case.dataset()
    return {
        world.name: as_causal_model(world, scenario.roles, draft.decision_node).fit(people)
        for world in scenario.worlds
    }


def by_hand(draft: Draft) -> Draft:
    """Return the draft with a coefficient and bounds set by hand in its first equation."""
    node = next(
        node.name
        for node in draft.world.nodes
        if draft.world.parents(node.name) and node.name != draft.decision_node
    )
    cause = draft.world.parents(node)[0]
    draft = SetBounds(node=node, low=-1e6, high=1e6).apply_to(draft)
    return SetCoefficient(
        node=node, term=cause, value=-0.1, note="Müller & Søn: “why”", author="Ada"
    ).apply_to(draft)


def same(one: Draft, two: Draft) -> bool:
    """Compare two drafts but for where the data came from, which a scenario does not hold."""
    assert one.source is not None
    assert two.source is not None
    bare = {"sample": None, "format": None}
    return one.model_copy(update={"source": one.source.model_copy(update=bare)}) == two.model_copy(
        update={"source": two.source.model_copy(update=bare)}
    )


@pytest.mark.parametrize(
    ("sample", "change"),
    [
        *((name, lambda draft: draft) for name in sample_scenarios() if name != "adult"),
        ("loan", by_hand),
        ("law-school", by_hand),
    ],
)
def test_an_archive_brings_the_same_case_back(sample: str, change: Any) -> None:
    draft, data = files.sample_draft(sample)
    draft = change(draft)
    archive = export_archive(draft, fitted(sample, draft), data)
    found = import_file("case.zip", archive)
    assert found.data == data
    assert found.expects == ""
    assert same(found.draft, draft)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        text = opened.read("scenario.yaml").decode()
    number = "people" if sample == "berkeley" else "standard_error"
    assert number in text, "the fitted numbers are written out for other readers"


def test_a_scenario_alone_says_which_data_it_expects() -> None:
    draft, _ = files.sample_draft("loan")
    draft = by_hand(draft)
    found = import_file("case.yaml", export_scenario(draft, {}).encode())
    assert found.data is None
    assert found.expects == "loan.csv"
    assert found.draft == draft.model_copy(update={"source": None})


def test_a_draft_file_comes_back_without_its_data() -> None:
    draft = Draft(title="Half done", source=SourcePart(name="t.csv", sha256="0" * 64))
    found = import_file("x.Draft.JSON", draft.to_json().encode())
    assert found.draft == draft.model_copy(update={"source": None})
    assert found.expects == "t.csv"
    assert found.data is None


def archive_of(*files: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def complete(file: str = "loan.csv") -> bytes:
    draft, _ = files.sample_draft("loan")
    text = export_scenario(draft, {})
    assert text.count("file: loan.csv") == 1
    return text.replace("file: loan.csv", f"file: {file}").encode()


def lying_about_its_size() -> bytes:
    """Return an archive whose directory says 100 bytes where there are 60 million."""
    raw = bytearray(archive_of(("scenario.yaml", complete()), ("loan.csv", b"0" * 60_000_000)))
    place = raw.rindex(b"PK\x01\x02")
    raw[place + 24 : place + 28] = struct.pack("<I", 100)
    return bytes(raw)


def with_a_password() -> bytes:
    raw = bytearray(archive_of(("scenario.yaml", complete())))
    raw[6] |= 1
    raw[raw.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def damaged_inside() -> bytes:
    raw = bytearray(archive_of(("scenario.yaml", complete())))
    raw[60:90] = bytes(30)
    return bytes(raw)


HOSTILE = {
    "empty": ("x.yaml", b"", "the file is empty"),
    "many scenarios": (
        "x.zip",
        archive_of(*((f"{i}.yaml", SCENARIO.encode()) for i in range(500))),
        "one scenario file (scenario.yaml), got 500",
    ),
    "no scenario": ("x.zip", archive_of(("loan.csv", b"a,b\n1,2\n")), "got 0"),
    "a bomb": (
        "x.zip",
        archive_of(("scenario.yaml", complete()), ("loan.csv", b"0" * 60_000_000)),
        "larger than 50 MB",
    ),
    "a bomb that lies": ("x.zip", lying_about_its_size(), "damaged or has a password"),
    "a password": ("x.zip", with_a_password(), "damaged or has a password"),
    "cut off": ("x.zip", archive_of(("scenario.yaml", complete()))[:-40], "archive is damaged"),
    "damaged inside": ("x.zip", damaged_inside(), "damaged or has a password"),
    "not text": ("x.yaml", b"\xff\xfe\x00\x80" * 9, "expected a scenario file, which is text"),
    "not yaml": ("x.yaml", b"{[}", "not readable as YAML"),
    "yaml that runs": ("x.yaml", b"!!python/object/apply:os.system [1]", "not readable as YAML"),
    "yaml that grows": (
        "x.yaml",
        b"a: &a [x,x,x,x,x,x,x,x,x]\n"
        + b"".join(
            f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n".encode()
            for i in range(12)
        ),
        "",
    ),
    "deeply nested": ("x.yaml", b"[" * 100_000, ""),
    "not a draft": ("x.draft.json", b'{"format": 2}', "not a draft that this program wrote"),
    "a draft that is not text": ("x.draft.json", b"\xff\xff", "not a draft"),
    "a deeply nested draft": ("x.draft.json", b"[" * 100_000, "not a draft"),
    "outside the folder": ("x.yaml", complete("../../etc/passwd"), "etc/passwd"),
    "outside, in an archive": (
        "x.zip",
        archive_of(("scenario.yaml", complete("/etc/passwd")), ("/etc/passwd", b"root")),
        "etc/passwd",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_in_sentences(what: str) -> None:
    name, data, words = HOSTILE[what]
    with pytest.raises(ImportRefused) as refused:
        import_file(name, data)
    assert refused.value.problems
    assert all(isinstance(problem, str) and problem for problem in refused.value.problems)
    assert any(words in problem for problem in refused.value.problems), refused.value.problems
    said = " ".join(refused.value.problems)
    assert "Traceback" not in said
    assert "<class" not in said


def test_a_name_in_an_archive_that_climbs_is_never_the_data() -> None:
    data = archive_of(("scenario.yaml", complete()), ("../loan.csv", b"a,b\n1,2\n"))
    found = import_file("x.zip", data)
    assert found.data is None
    assert found.expects == "loan.csv"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("people.csv", "people.csv"),
        ("C:\\temp\\people.csv", "people.csv"),
        ("../../people.csv", "people.csv"),
        ("scenario.yaml", "data.csv"),
        ("..", "data.csv"),
        ("<b>.csv", "_b_.csv"),
        ("cases.yml", "data.csv"),
    ],
)
def test_data_lie_beside_the_scenario_under_a_plain_name(name: str, expected: str) -> None:
    draft = Draft(source=SourcePart(name=name, sha256="0" * 64))
    assert files._data_name(draft) == expected
    assert files._data_name(Draft()) == "data.csv"


def test_download_names_are_plain_and_never_the_same() -> None:
    first, second = (files.file_stem("../Müller & “Søn”\n" + "x" * 99) for _ in range(2))
    assert first != second
    assert first.replace("-", "").isalnum()
    assert first.isascii()
    assert files.file_stem("案件").startswith("case-")


def test_the_causal_model_that_is_open_comes_first() -> None:
    draft, _ = files.sample_draft("loan")
    other = draft.world.model_copy(update={"name": "Rival"})
    both = draft.model_copy(update={"worlds": (*draft.worlds, other), "active": "Rival"})
    scenario = files._parse("x.yaml", export_scenario(both, {}).encode())
    assert [world.name for world in scenario.worlds] == ["Rival", draft.world.name]
    read = import_file("x.yaml", export_scenario(both, {}).encode())
    assert read.draft.world.name == "Rival"
