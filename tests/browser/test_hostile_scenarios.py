"""Scenario files that want to do harm: a clear sentence each, and nothing taken in."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import yaml

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import People, fresh
from playwright.sync_api import expect

from cst_core.scenario import load_scenario

if TYPE_CHECKING:
    from app_driver import Person, Server


def _loan(**changes: object) -> str:
    path = load_scenario("loan").data_path.with_name("scenario.yaml")
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return yaml.safe_dump({**document, **changes})


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def _bomb() -> str:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    return "\n".join(lines)


FILES = {
    "bomb.yaml": (_bomb().encode(), "alias|anchor|large|deep"),
    "object.yaml": (b"!!python/object/apply:os.system ['touch /tmp/cst-was-here']", "tag|python"),
    "absolute.yaml": (_loan(data={"file": "/etc/passwd"}).encode(), "data.file|folder|path"),
    "upwards.yaml": (_loan(data={"file": "../../secret.csv"}).encode(), "data.file|folder|path"),
    "deep.yaml": (b"a: " + b"[" * 20_000 + b"]" * 20_000, "deep|nested|levels"),
    "huge.yaml": (b"title: " + b"x" * 6_000_000, "large|long|MB"),
    "list.yaml": (b"- 1\n- 2\n", "expected|mapping"),
    "binary.yaml": (b"\xff\xfe\x00\x80" * 100, "text"),
    "traversal.zip": (
        _zip(
            {
                "scenario.yaml": _loan(data={"file": "../../../evil.csv"}).encode(),
                "../../../evil.csv": b"a,b\n1,2\n",
            }
        ),
        "data.file|folder|path",
    ),
    "bomb.zip": (
        _zip({"scenario.yaml": _loan().encode(), "loan.csv": b"\0" * 60_000_000}),
        "larger than 50 MB",
    ),
    "two.zip": (_zip({"a.yaml": b"a: 1", "b.yaml": b"b: 1"}), "one scenario file"),
    "broken.zip": (b"PK\x03\x04" + b"\x01" * 300, "damaged"),
    "odd.draft.json": (b'{"title": ["no"], "worlds": 7}', "not a draft"),
}


@pytest.fixture(scope="module")
def visitor(browser: object, dashboard: Server) -> Iterator[tuple[People, Person]]:
    """One person who tries all of them, one after the other, on one page."""
    people = People(browser, dashboard)
    person = people.come()
    person.start()
    yield people, person
    people.leave()


@pytest.mark.xdist_group("hostile scenarios")
@pytest.mark.parametrize("name", FILES)
def test_a_hostile_scenario_file_is_refused(visitor: tuple[People, Person], name: str) -> None:
    people, person = visitor
    data, why = FILES[name]
    remove = person.page.get_by_role("button", name=re.compile("^(Remove|Delete|Clear)"))
    if remove.count():
        remove.first.click()
        expect(person.main.get_by_role("alert")).to_have_count(0)
    person.upload(name, data, into=1)
    expect(fresh(person.main.get_by_role("alert"))).to_contain_text(f"{name} was not taken in")
    reasons = person.main.get_by_role("listitem").filter(visible=True)
    expect(reasons.first).to_contain_text(re.compile(why, re.IGNORECASE))
    for reason in reasons.all_inner_texts():
        assert not re.search("Traceback|Exception|0x[0-9a-f]{6}|object at", reason)
    expect(person.header).to_have_count(0)
    assert "w=" not in person.page.url
    people.watch.check()
