// A dialog for looking up the words of the language and what they mean.

import { coded, dialog, h, icon, refill } from "./dom.js";

const KINDS = {
  declaration: "Declarations",
  statement: "Statements",
  outcome: "Outcomes",
  board: "Boards",
  direction: "Directions",
  value: "Values",
  function: "Functions",
  operator: "Operators",
  type: "Types",
  word: "Other words",
};

/** The help for a word: how it is written, and what it means. */
export const help = ({ form, doc }) => h("div", { class: "help" }, h("code", {}, form), doc ? h("p", {}, coded(doc)) : null);

/** Show the words in a dialog, with a field to search them. */
export function lexicon(words) {
  const field = h("input", { type: "search", placeholder: "Search", "aria-label": "Search the words", autocomplete: "off", oninput: () => draw() });
  const found = h("p", { class: "unseen", role: "status" });
  const list = h("div", { class: "lexicon", tabindex: "0", role: "region", "aria-label": "Words" });
  const box = dialog("small wide", "Words of the language",
    h("h1", {}, "Words of the language"),
    h("div", { class: "find" }, icon("search"), field),
    found,
    list,
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => box.close() }, "Close")));
  const draw = () => {
    const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ word, form, doc }) => asked.every((part) => `${word} ${form} ${doc}`.toLowerCase().includes(part));
    const shown = words.filter(fits).sort((a, b) => (b.word === field.value) - (a.word === field.value));
    found.textContent = asked.length ? `${shown.length} found` : "";
    refill(list,
      Object.entries(KINDS).map(([kind, title]) => {
        const here = shown.filter((entry) => entry.kind === kind);
        return here.length ? [h("h2", {}, title), here.map(help)] : null;
      }),
      shown.length ? null : h("p", { class: "soft" }, "No word has this in its help."));
  };
  draw();
}
