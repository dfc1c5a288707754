// The page of all games: pictures to choose from, and before a game starts its options and who plays.

import { get, memory, post } from "./api.js";
import { Board } from "./board.js";
import { h, icon, redraw, refill, waiting } from "./dom.js";
import { levels, meaning, methods, playerOf, thinks } from "./machines.js";
import { note, title } from "./main.js";
import { importing } from "./records.js";

let games = null;
const pictures = new Map(); // of one's own rules

export async function open(main, parts, query, page) {
  title("");
  if (!(games && main.querySelector(".gallery"))) await gallery(main);
  if (page === "game" && games) {
    const game = games.find((game) => game.name === parts[0]);
    if (game) setup({ ...game, rules: { bundled: game.name } }, () => location.hash === `#/game/${game.name}` && history.replaceState(null, "", "#/"));
    else note("There is no such game.");
  }
  return () => document.querySelector("dialog.setup-box")?.remove();
}

async function gallery(main) {
  const coming = games ? Promise.resolve(games) : get("/api/games");
  const list = h("div", {});
  const field = h("input", { type: "search", placeholder: "Search", "aria-label": "Search the games", autocomplete: "off", oninput: () => draw() });
  const found = h("p", { class: "unseen", role: "status" });
  refill(main,
    h("div", { class: "gallery" },
      h("header", {}, h("h1", {}, "Choose a game"), h("div", { class: "find" }, icon("search"), field),
        h("button", { type: "button", onclick: () => importing(coming) }, icon("up"), "Import")),
      found,
      list));
  let files = [];
  const draw = () => {
    if (!games) return; // they are still coming
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (...texts) => words.every((word) => texts.join(" ").toLowerCase().includes(word));
    const shown = games.filter((game) => fits(game.title, game.about, game.designer ?? "", game.year ?? "", game.base ?? "", game.words));
    const own = files.filter((file) => fits(file.name));
    const current = words.length ? [] : running();
    found.textContent = words.length ? `${shown.length + own.length} found` : "";
    redraw(list, () => refill(list,
      current.length ? [h("h2", {}, "Go on playing"), h("ul", { class: "going" }, current.map(([id, table]) => goingOn(id, table, draw)))] : null,
      own.length ? [h("h2", {}, "Your own"), h("ul", { class: "games" }, own.map(fileCard))] : null,
      own.length || current.length ? h("h2", {}, "All games") : null,
      h("ul", { class: "games" }, shown.map(card)),
      shown.length + own.length ? null : h("p", { class: "empty" }, "No game has these words.")), () => field.focus());
  };
  try {
    [games, files] = await Promise.all([coming, get("/api/files")]);
    draw();
  } catch (error) {
    refill(list, h("p", { class: "fault" }, error.message));
  }
}

/** The games of this browser that are not over. */
const running = () =>
  Object.entries(memory.tables())
    .filter(([, table]) => !table.over && table.title && Object.keys(table.seats).length)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, 6);

function goingOn(id, table, draw) {
  const about = [table.with ? `with ${table.with}` : "two people here", table.with && table.turn ? "your move" : null, ago(table.at)].filter(Boolean).join(", ");
  return h("li", { class: "card" },
    h("a", { href: `#/table/${id}` }, icon("play"), h("span", {}, h("strong", {}, table.title), h("small", { class: "soft" }, about))),
    h("button", { type: "button", class: "quiet square", "aria-label": `Remove ${table.title}, ${about}`, title: "Remove from this list", onclick: () => { memory.forget(id); draw(); } }, icon("close")));
}

/** How long ago that was, in words. */
function ago(time) {
  const seconds = (Date.now() - time) / 1000;
  const [unit, size] = [["day", 86_400], ["hour", 3600], ["minute", 60]].find(([, size]) => seconds >= size) ?? [];
  return unit ? new Intl.RelativeTimeFormat("en").format(-Math.floor(seconds / size), unit) : "just now";
}

function card(game) {
  const by = [game.designer, game.year].filter(Boolean).join(", ");
  return h("li", {},
    h("a", { class: "game", href: `#/game/${game.name}` },
      h("span", { class: "picture" }, h("img", { src: game.thumbnail, alt: "", loading: "lazy", decoding: "async", width: "200", height: "150" })),
      h("span", { class: "words" },
        h("strong", {}, game.title),
        h("span", {}, game.about),
        by || game.base ? h("span", { class: "tag" }, game.base ? `A variant of ${game.base}` : by) : null)));
}

function fileCard(file) {
  const picture = h("span", { class: "picture", "aria-hidden": "true", inert: true }, icon("edit"));
  drawFile(file, picture);
  return h("li", {},
    h("button", { type: "button", class: "game", onclick: () => play(file) },
      picture,
      h("span", { class: "words" }, h("strong", {}, file.name), h("span", {}, `Your rules, version ${file.version}`))),
    h("a", { class: "button square pencil", href: `#/edit/${file.id}`, "aria-label": `Edit ${file.name}`, title: "Edit" }, icon("edit")));
}

/** What is chosen before a game by one's own rules; where they have mistakes, to the editor. */
async function play(file) {
  try {
    const { text } = await get(`/api/files/${file.id}`);
    const { game } = await post("/api/check", { text });
    if (!game) {
      note("These rules have mistakes.");
      location.hash = `#/edit/${file.id}`;
      return;
    }
    const picture = h("span", { inert: true, "aria-hidden": "true" });
    setup({ ...game, about: "Your rules.", rules: { file: file.id, version: file.version }, picture });
    drawFile(file, picture);
  } catch (error) {
    note(error.message);
  }
}

/** The board of one's own rules, where they make one. */
async function drawFile(file, picture) {
  const key = `${file.id} ${file.version}`;
  try {
    if (!pictures.has(key)) pictures.set(key, await post("/api/preview", { rules: { file: file.id, version: file.version } }));
    const { board, view } = pictures.get(key);
    const shown = new Board(picture);
    shown.set(board, Object.keys(view.seats));
    shown.show(view);
  } catch {
    refill(picture, icon("edit"), h("span", { class: "soft" }, "has mistakes"));
  }
}

/**
 * What is chosen before a game: its options, and who plays. `game` has rules, title, about, options, and what it looks
 * like (`thumbnail` or `picture`); `values`: options that are not to be as they come; `moves` of a game that goes on,
 * whose options are its `values`.
 */
export function setup(game, closed = () => {}) {
  const close = () => box.close();
  const options = h("div", { class: "options" }, game.options.map((each) => option(each, game.values?.[each.name])));
  const fault = h("p", { class: "fault", hidden: true, role: "alert" });
  const choice = (name, sign, words) => h("label", {}, h("input", { type: "radio", name: "whom", value: name, ".checked": memory.setting("whom", "machine") === name, onchange: () => show() }), icon(sign), words);
  const select = (name, words, values, otherwise) =>
    h("label", { class: "field" }, words, h("select", { name }, values.map(([value, text]) => h("option", { value, ".selected": value === memory.setting(name, otherwise) }, text))));
  const machine = select("level", "Opponent", levels, "medium");
  const method = select("method", "It thinks by", methods, "mcts");
  const fine = h("p", { class: "soft fine" });
  const side = select("side", "You", [["first", "move first"], ["second", "move second"], ["lot", "draw lots"]], "first");
  const start = h("button", { type: "submit", class: "main" }, icon("play"), "Play");
  const form = h("form", { onsubmit: (event) => { event.preventDefault(); begin(); } },
    h("div", { class: "title" },
      h("h1", {}, game.title),
      h("p", {}, game.about ?? ""),
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
  const box = h("dialog", { class: "setup-box", "aria-label": game.title },
    h("div", { class: "setup" },
      h("div", { class: "picture" }, game.thumbnail ? h("img", { src: game.thumbnail, alt: "" }) : game.picture),
      form),
    h("button", { type: "button", class: "quiet square close", "aria-label": "Close", onclick: close }, icon("close")));
  box.addEventListener("click", (event) => event.target === box && close());
  box.addEventListener("close", () => {
    box.remove();
    closed();
  });

  const variants = (games ?? []).filter((other) => other.base === game.title && game.name);
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
    for (const name of ["whom", "level", "method", "side"]) memory.set(name, value(name));
    const me = value("side") === "lot" ? (Math.random() < 0.5 ? "first" : "second") : value("side");
    const other = me === "first" ? "second" : "first";
    const people = { first: "human", second: "human" };
    if (whom === "machine") people[other] = playerOf(value("level"), value("method"));
    const invited = whom === "link" ? { invited: other } : {};
    start.disabled = true;
    refill(start, waiting("Preparing the board…"));
    try {
      const { id, seats, invitation } = await post("/api/tables", { rules: game.rules, options: game.moves ? game.values : chosen(game, form), moves: game.moves ?? [], ...people, ...invited });
      const mine = Object.fromEntries(Object.entries(seats).filter(([, secret]) => secret));
      memory.keep(id, { seats: mine, title: game.title, ...(invitation ? { invite: { person: other, secret: invitation } } : {}) });
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
  document.body.append(box);
  show();
  box.showModal();
  start.focus();
}

/** The control of an option. */
export function option({ name, type, low, high, step, about, default: usual }, value) {
  const otherwise = value ?? usual;
  const words = h("span", {}, name.replaceAll("_", " "), about && h("small", { class: "soft" }, about));
  if (type === "bool") return h("label", {}, words, h("input", { type: "checkbox", name: `option-${name}`, ".checked": otherwise }));
  const few = low !== null && (high - low) / step < 16;
  if (low !== null && !few) words.firstChild.after(h("span", { class: "soft" }, ` ${low} to ${high}`));
  return h("label", {}, words,
    few
      ? h("select", { name: `option-${name}` }, Array.from({ length: (high - low) / step + 1 }, (_, i) => low + i * step).map((value) => h("option", { value: String(value), ".selected": value === otherwise }, String(value))))
      : h("input", { type: "number", name: `option-${name}`, min: low, max: high, step, value: otherwise, required: true }));
}

/** The options that are not as they come. */
export function chosen(game, form) {
  const values = game.options.map(({ name, type, default: otherwise }) => {
    const field = form.elements[`option-${name}`];
    return [name, type === "bool" ? field.checked : Number(field.value), otherwise];
  });
  return Object.fromEntries(values.filter(([, value, otherwise]) => value !== otherwise).map(([name, value]) => [name, value]));
}
