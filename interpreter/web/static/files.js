// The page of the user's own rule files.

import { get, remove } from "./api.js";
import { h, icon, refill } from "./dom.js";
import { ask, note } from "./main.js";
import { drafts } from "./memory.js";

/** The page of all rule files of this browser, and of those not saved yet. */
export async function list(main) {
  const [files, games] = await Promise.all([get("/api/files"), get("/api/games")]);
  const choice = (value, words) => h("option", { value }, words);
  const base = h("select", { "aria-label": "The game to vary" },
    files.length ? h("optgroup", { label: "Yours" }, files.map(({ name }) => choice(new URLSearchParams({ of: name }), name))) : null,
    h("optgroup", { label: "Games" }, games.map(({ name, title }) => choice(new URLSearchParams({ variant: name }), title))));
  const item = (place, name, state, remove) =>
    h("li", {},
      h("a", { href: `#/edit/${place}` }, name),
      h("span", { class: "soft" }, state),
      h("button", { type: "button", class: "quiet square danger", "aria-label": `Delete ${name}`, onclick: remove }, icon("trash")));
  const drop = async (name, parts, gone) => {
    if ((await ask("Delete", `Delete “${name}” and ${parts}?`, ["", "Keep it"], ["yes", "Delete"])) !== "yes") return;
    try {
      await gone();
      (await list(main))();
    } catch (error) {
      note(error.message);
    }
  };
  const kept = drafts.all();
  const begun = Object.entries(kept).filter(([place]) => /^new(\?|$)/.test(place));
  const items = [
    ...begun.map(([place, { name }]) => item(place, name || "No name", "not saved", () => drop(name, "what has been written of it", () => drafts.forget(place)))),
    ...files.map((file) => {
      const gone = async () => {
        await remove(`/api/files/${file.id}`);
        drafts.forget(file.id);
      };
      return item(file.id, file.name, `version ${file.version}${kept[file.id] ? ", and more that is not saved" : ""}`, () => drop(file.name, "all its versions", gone));
    }),
  ];
  return () => void refill(main,
    h("div", { class: "files" },
      h("h1", {}, "Your rules"),
      h("div", { class: "buttons" },
        h("a", { class: "button main", href: "#/edit/new" }, icon("plus"), "A new game"),
        h("form", { class: "type", onsubmit: (event) => { event.preventDefault(); location.hash = `#/edit/new?${base.value}`; } },
          base, h("button", { type: "submit" }, icon("fork"), "Make a variant"))),
      h("div", { class: "card" }, items.length ? h("ul", {}, items) : h("p", { class: "empty" }, "What you write and save is listed here. Only this browser sees it."))));
}
