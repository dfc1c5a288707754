// The dialog before a game: its options, with a picture of the board they make, and who plays.

import { post } from "./api.js";
import { picture } from "./board.js";
import { coded, dialog, h, icon, refill, waiting } from "./dom.js";
import { levels, meaning, methods, playerOf, thinks } from "./machines.js";
import { settings, tables } from "./memory.js";
import { OTHER } from "./people.js";

const DELAY = 150; // milliseconds without a change before the board is redrawn

/**
 * Open the dialog before a game. `game` has rules, title, about, options, and its look (`thumbnail` or `picture`);
 * `variants`: variants of it; `values`: options other than the defaults; `moves`: those of a game to be continued, whose
 * options are its `values`.
 */
export function setup(game, closed = () => {}) {
  const close = () => box.close();
  const options = h("div", { class: "options", oninput: () => changed() }, game.options.map((each) => option(each, game.values?.[each.name])));
  const fault = h("p", { class: "fault", hidden: true, role: "alert" });
  const choice = (name, sign, words) => h("label", {}, h("input", { type: "radio", name: "whom", value: name, ".checked": settings.get("whom", "machine") === name, onchange: () => show() }), icon(sign), words);
  const select = (name, words, values, otherwise) =>
    h("label", { class: "field" }, words, h("select", { name }, values.map(([value, text]) => h("option", { value, ".selected": value === settings.get(name, otherwise) }, text))));
  const machine = select("level", "Opponent", levels, "medium");
  const method = select("method", "It thinks by", methods, "mcts");
  const fine = h("p", { class: "soft fine" });
  const side = select("side", "You", [["first", "move first"], ["second", "move second"], ["lot", "draw lots"]], "first");
  const start = h("button", { type: "submit", class: "main", autofocus: true }, icon("play"), "Play");
  const form = h("form", { onsubmit: (event) => { event.preventDefault(); begin(); } },
    h("div", { class: "title" },
      h("h1", {}, game.title),
      h("p", {}, coded(game.about ?? "")),
      game.how?.length ? h("details", {}, h("summary", {}, "How to play"), game.how.map((text) => h("p", {}, coded(text)))) : null,
      h("p", { class: "soft" }, [game.designer && `by ${game.designer}`, game.year].filter(Boolean).join(", ")),
      game.name ? h("p", { class: "variants" },
        h("a", { href: `#/edit/new?game=${game.name}`, onclick: close }, "Rule text"),
        h("a", { href: `#/edit/new?variant=${game.name}`, onclick: close }, "Make a variant")) : null),
    game.options.length ? h("fieldset", {}, h("legend", {}, "Options"), options) : null,
    h("fieldset", {}, h("legend", {}, "Play against"), h("div", { class: "whom" },
      choice("machine", "machine", "the machine"), choice("same", "people", "someone here"), choice("link", "link", "a friend by link"))),
    h("div", { class: "pair" }, machine, method, fine),
    side,
    fault,
    h("div", { class: "buttons" }, start));
  const looks = h("div", { class: "picture" }, game.thumbnail ? h("img", { src: game.thumbnail, alt: "" }) : game.picture);
  const box = dialog("setup-box", game.title,
    h("div", { class: "setup" }, looks, form),
    h("button", { type: "button", class: "quiet square close", "aria-label": "Close", onclick: close }, icon("close")));
  box.addEventListener("click", (event) => event.target === box && close());
  const changed = redrawn(looks, form, () => ({ rules: game.rules, options: chosen(game, form) }));
  box.addEventListener("close", () => closed());

  const { variants = [] } = game;
  if (variants.length)
    form.querySelector(".title").append(
      h("p", { class: "variants" }, h("span", { class: "soft" }, "Variants:"), variants.map((other) => h("a", { href: `#/game/${other.name}`, onclick: close }, other.title))));

  const value = (name) => form.elements[name].value;
  const show = () => {
    machine.hidden = value("whom") !== "machine";
    fine.textContent = meaning(value("level"));
    method.hidden = machine.hidden || !thinks(value("level"));
    side.hidden = value("whom") === "same";
    machine.parentNode.hidden = machine.hidden;
  };
  machine.addEventListener("change", show);

  const begin = async () => {
    const whom = value("whom");
    for (const name of ["whom", "level", "method", "side"]) settings.set(name, value(name));
    const me = value("side") === "lot" ? (Math.random() < 0.5 ? "first" : "second") : value("side");
    const other = OTHER[me];
    const people = { first: "human", second: "human" };
    if (whom === "machine") people[other] = playerOf(value("level"), value("method"));
    const invited = whom === "link" ? { invited: other } : {};
    start.disabled = true;
    refill(start, waiting("Preparing the board…"));
    try {
      const { id, seats, invitation } = await post("/api/tables", { rules: game.rules, options: game.moves ? game.values : chosen(game, form), moves: game.moves ?? [], ...people, ...invited });
      const mine = Object.fromEntries(Object.entries(seats).filter(([, secret]) => secret));
      tables.keep(id, { seats: mine, title: game.title, ...(invitation ? { invite: { person: other, secret: invitation } } : {}) });
      closed = () => {};
      close();
      location.hash = `#/table/${id}`;
    } catch (error) {
      fault.textContent = error.message;
      fault.hidden = false;
      start.disabled = false;
      refill(start, icon("play"), "Play");
    }
  };
  show();
  if (options.querySelector("[data-set]")) changed(); // others may depend on these
}

/**
 * A function that, some time after its last call, draws the board that `asked` asks for into `looks`, and shows its
 * options in `form`; until then all stays as it is.
 */
function redrawn(looks, form, asked) {
  let timer, latest = new AbortController();
  const draw = async ({ signal }) => {
    if (!form.isConnected || !form.checkValidity()) return;
    try {
      const { board, view, options } = await post("/api/preview", asked(), { signal });
      if (signal.aborted) return;
      settle(form, options);
      refill(looks, picture(board, Object.keys(view.seats), view));
    } catch {
      // there is no such board, or not now: starting the game will say so
    }
  };
  return () => {
    clearTimeout(timer);
    latest.abort();
    latest = new AbortController();
    timer = setTimeout(draw, DELAY, latest);
  };
}

/** The control of an option, with its default value or as it is `set`. */
export function option({ name, type, low, high, step, about, value: usual }, set) {
  const shown = set ?? usual;
  const field = { name: `option-${name}`, "data-set": set !== undefined, oninput: ({ target }) => (target.dataset.set = "") };
  const words = h("span", {}, name.replaceAll("_", " "), about && h("small", { class: "soft" }, coded(about)));
  if (type === "bool") return h("label", {}, words, h("input", { ...field, type: "checkbox", checked: shown }));
  const few = low !== null && (high - low) / step < 16;
  if (low !== null && !few) words.firstChild.after(h("span", { class: "soft" }, ` ${low} to ${high}${step > 1 ? ` in steps of ${step}` : ""}`));
  return h("label", {}, words,
    few
      ? h("select", field, Array.from({ length: (high - low) / step + 1 }, (_, i) => low + i * step).map((value) => h("option", { value: String(value), selected: value === shown }, String(value))))
      : h("input", { ...field, type: "number", min: low, max: high, step, value: shown, required: true }));
}

const fieldOf = (form, { name }) => form.elements[`option-${name}`];

/** The values of the options that were set. */
export function chosen(game, form) {
  const value = (field) => (field.type === "checkbox" ? field.checked : Number(field.value));
  const set = game.options.filter((each) => "set" in fieldOf(form, each).dataset);
  return Object.fromEntries(set.map((each) => [each.name, value(fieldOf(form, each))]));
}

/** Show the default values of the `options` that are not set, which may depend on those that are. */
export function settle(form, options) {
  for (const each of options) {
    const field = fieldOf(form, each), fresh = option(each);
    if ("set" in field.dataset || fresh.isEqualNode(field.parentNode)) continue;
    const focused = field === document.activeElement;
    field.parentNode.replaceWith(fresh);
    if (!focused) continue;
    fieldOf(form, each).focus();
    fieldOf(form, each).select?.(); // what is typed replaces it, as before
  }
}
