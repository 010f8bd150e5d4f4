// What Streamlit's page cannot be told from Python: one entry in the browser's history for each
// page and each person, and the line of pages as a landmark for people who listen to the screen.
(() => {
  // Streamlit adds an entry whenever the address changes. A setting that was moved changes the
  // address too, so that a copied link shows the same; the Back key would then have to be pressed
  // for every move. Such an entry takes the place of the one before.
  const opens = (address) => {
    const here = new URL(address, document.baseURI);
    return [here.pathname, here.searchParams.get("w"), here.searchParams.get("person")];
  };
  const added = history.pushState.bind(history);
  history.pushState = (state, unused, address) => {
    const [page, workspace, person] = opens(location.href);
    const [nextPage, nextWorkspace, nextPerson] = opens(address ?? location.href);
    const samePage = page === nextPage && (workspace === null || workspace === nextWorkspace);
    // a page that is left loses its person a moment before the next one is named
    if (samePage && person !== null && nextPerson === null) return;
    const samePerson = person === null || person === nextPerson;
    if (samePage && samePerson) history.replaceState(state, unused, address);
    else added(state, unused, address);
  };

  const LINES = { ".st-key-cst-pages": "Pages", ".st-key-cst-parts": "Parts of this page" };
  const mark = () => {
    for (const [line, name] of Object.entries(LINES)) {
      for (const found of document.querySelectorAll(`${line}:not([role])`)) {
        found.setAttribute("role", "navigation");
        found.setAttribute("aria-label", name);
      }
    }
    const links = '[class*="st-key-cst-pa"] [class*="st-key-cst-pa"] a';
    for (const link of document.querySelectorAll(links)) {
      const isOpen = link.closest('[class*="-open"]') !== null;
      if (isOpen !== link.hasAttribute("aria-current")) {
        if (isOpen) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
    }
  };
  new MutationObserver(mark).observe(document, { childList: true, subtree: true });
})();
