// Rule texts that are not saved yet, as the browser keeps them from page to page, by the place where they are written.

const KEY = "gdl.drafts";
const MOST = 20; // the oldest are forgotten

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Says whether the browser keeps them. */
function store(drafts) {
  const latest = Object.entries(drafts).sort((a, b) => b[1].at - a[1].at).slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
    return true;
  } catch {
    return false;
  }
}

/** A draft has text, name, and the version of the file that it was made of. */
export const drafts = {
  all,
  keep: (place, draft) => store({ ...all(), [place]: { ...draft, at: Date.now() } }),
  forget(place) {
    const { [place]: gone, ...others } = all();
    if (gone) store(others);
  },
};
