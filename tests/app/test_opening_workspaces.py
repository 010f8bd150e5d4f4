"""Opening the app, a sample and a link; every page of every sample."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_user import EVERY_PAGE, PAGES, User, read
from markdown_it import MarkdownIt

from cst_core.scenario import sample_scenarios
from dashboard.pages.case.start import tour
from dashboard.store import Store

Visit = Callable[..., User]
SAMPLES = [name for name in sample_scenarios() if name != "adult"]
"""Those whose pages are opened one after another: Adult is large, and would take minutes."""
ALIVE = {"image", "link_open", "html_inline", "html_block"}


def test_start_shows_the_samples_and_opens_one(visit: Visit, store: Store) -> None:
    user = visit()
    assert {f"sample-{name}" for name in sample_scenarios()} <= {
        item.key for item in user.at.button
    }
    assert not user.session.is_open
    user.at.button(key="sample-loan").click()
    user.run()
    assert store.open(user.link).id == user.workspace.id
    assert user.saved == user.session.draft
    assert user.saved.source is not None
    assert user.status() == "Saved"
    assert user.at.title[0].value == "Loan applications"
    story = user.saved.story
    assert " ".join(story.split()) in user.text
    assert "What was found" in user.text


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_page_of_a_sample_runs_and_looking_changes_nothing(visit: Visit, sample: str) -> None:
    user = visit().open_sample(sample)
    before, version = user.saved, user.workspace.version
    for path in PAGES:
        user.go(path)
        assert not user.at.error, user.errors
        assert user.at.title
    user.go("causal-model")
    for world in before.worlds[1:2]:
        user.at.toggle(key="compare-worlds").set_value(True)
        user.run()
        assert world.name in user.text
    assert user.saved == before
    assert user.workspace.version == version


@pytest.mark.parametrize("sample", SAMPLES)
def test_no_page_breaks_with_or_without_a_workspace(visit: Visit, sample: str) -> None:
    user, stranger = visit().open_sample(sample), visit()
    for path in EVERY_PAGE:
        assert user.go(path).at.title, path
        assert stranger.go(path).text, path


@pytest.mark.parametrize("path", PAGES[1:])
def test_a_page_without_a_workspace_says_where_to_begin(visit: Visit, path: str) -> None:
    user = visit().go(path)
    assert "No workspace is open" in user.text
    user.press("Go to Start")
    assert "Open a sample" in user.text


def test_a_link_shows_the_same_draft_in_another_browser(visit: Visit) -> None:
    first = visit(browser="a" * 32).open_sample("law-school")
    second = visit(first.link, browser="b" * 32)
    assert second.workspace.id == first.workspace.id
    assert second.session.draft == first.session.draft
    second.go("data")
    assert "law-school" in second.text.lower()


def test_an_unknown_link_is_said_and_leaves_no_trace(visit: Visit) -> None:
    user = visit("no-such-link")
    assert "There is no workspace behind this link" in user.text
    assert not user.session.is_open
    assert "w" not in user.at.query_params
    user.go("data")
    assert "There is no workspace behind this link" in user.text
    user.go("start").open_sample("loan")
    assert "There is no workspace" not in user.text


def test_recent_workspaces_belong_to_the_browser(visit: Visit) -> None:
    visit(browser="a" * 32).open_sample("loan")
    again, other = visit(browser="a" * 32), visit(browser="b" * 32)
    assert "Your recent workspaces" in again.text
    assert "Your recent workspaces" not in other.text
    again.press("Open")
    assert again.session.draft.title == "Loan applications"
    again.go("start").press("Forget")
    assert "Your recent workspaces" not in again.text


def test_a_name_is_asked_once_and_remembered(visit: Visit) -> None:
    user = visit(browser="a" * 32).open_sample("loan")
    user.at.text_input(key="author-name").set_value(" Ada  ")  # and not asked for ever
    user.run()
    assert user.session.author == "Ada"
    assert visit(user.link, browser="a" * 32).session.author == "Ada"
    assert visit(user.link, browser="b" * 32).session.author == ""


def test_the_tour_can_be_skipped(visit: Visit) -> None:
    user = visit()
    assert "Here for the first time?" in user.text
    user.press("Skip")
    assert "Here for the first time?" not in user.text
    user.press("Take the tour")
    assert "A woman was refused a loan" in user.text


def test_the_tour_leads_through_the_evidence_too(visit: Visit) -> None:
    user = visit()
    assert f"{tour.PAGES} short pages" in user.text
    user.press("Take the tour")
    seen = [user.text]
    for _ in tour._STEPS[1:]:
        user.press_in_dialog("Next")
        seen.append(user.text)
    assert "6 of 6" in seen[-1]
    whole = " ".join(seen)
    for page in ("Overview", "Both worlds", "Groups", "Several attributes", "One person", "Words"):
        assert page in whole


def test_hostile_names_stay_text_on_every_page(visit: Visit) -> None:
    name = "![](http://x.invalid/a)"
    user = visit()
    table = f'id,"{name}",sex,ok\n' + "".join(
        f"{i},{i % 7},{'fm'[i % 2]},{i % 3 % 2}\n" for i in range(60)
    )
    user.at.file_uploader(key="own-data").upload("<img src=x>.csv", table.encode(), "text/csv")
    user.run()
    user.press("Take all suggestions")
    user.go("causal-model").press("Draw the usual arrows")
    reader = MarkdownIt("commonmark")
    for path in PAGES:
        user.go(path)
        for item in user.shown_as_markdown():
            tokens = [
                part for token in reader.parse(item) for part in (token, *(token.children or ()))
            ]
            assert not {token.type for token in tokens} & ALIVE, item
            assert "http://" not in item, item
    assert any(name in read(item) for item in user.go("data").shown_as_markdown())
