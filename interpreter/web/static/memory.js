// What this browser remembers from page to page: its tables, rules not saved yet, and settings.

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

/** Returns whether the browser keeps it; if it keeps nothing, the page still works until it is closed. */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Things of one sort by name, each with the time `at` which it was kept; beyond `most`, the oldest are forgotten. */
const shelf = (key, most, fresh = null) => ({
  all: () => read(key),
  get: (name) => read(key)[name] ?? fresh,
  /** Keep the changes of a thing. Returns whether the browser does. */
  keep(name, changes) {
    const things = read(key);
    things[name] = { ...fresh, ...things[name], ...changes, at: Date.now() };
    const latest = Object.entries(things).sort((a, b) => b[1].at - a[1].at);
    return write(key, Object.fromEntries(latest.slice(0, most)));
  },
  forget(name) {
    const { [name]: gone, ...others } = read(key);
    if (gone) write(key, others);
  },
});

/**
 * A table has the secrets of the seats here, {first: secret}, title, invite: {person, secret}, and its state when it
 * was last looked at: the opponent (`with`), whether it was the `turn` of somebody here, whether it was `over`.
 */
export const tables = shelf("gdl.tables", 200, { seats: {} });

/** A draft, by the place where it is written, has text, name, and the version of the file that it is based on. */
export const drafts = shelf("gdl.drafts", 20);

export const settings = {
  get: (name, otherwise) => read("gdl.settings")[name] ?? otherwise,
  set: (name, value) => write("gdl.settings", { ...read("gdl.settings"), [name]: value }),
};
