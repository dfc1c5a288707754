// The page of all games: pictures to choose from.

import { get, post } from "./api.js";
import { picture } from "./board.js";
import { h, icon, redraw, refill } from "./dom.js";
import { note, title } from "./main.js";
import { tables } from "./memory.js";
import { importing } from "./records.js";
import { setup } from "./setup.js";

let games = null;
const pictures = new Map(); // of the user's own rules

export async function open(main, parts, query, page) {
  title("");
  if (!(games && main.querySelector(".gallery"))) await gallery(main);
  return () => void (page === "game" && games && before(parts[0]));
}

/** Open the dialog before a game of this name. */
function before(name) {
  const game = games.find((game) => game.name === name);
  if (!game) return note("There is no such game.");
  const variants = games.filter((other) => other.base === game.title);
  setup({ ...game, rules: { bundled: name }, variants }, () => location.hash === `#/game/${name}` && history.replaceState(null, "", "#/"));
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
    if (!games) return; // they are still loading
    const text = field.value.trim().toLowerCase(), words = text.split(/\s+/).filter(Boolean);
    const fits = (...texts) => words.every((word) => texts.join(" ").toLowerCase().includes(word));
    const named = ({ title }) => title.toLowerCase().startsWith(text) + title.toLowerCase().includes(text);
    const shown = games
      .filter((game) => fits(game.title, game.about, game.designer ?? "", game.year ?? "", game.base ?? "", game.words))
      .sort((a, b) => named(b) - named(a)); // those with these words in their titles come first
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
  Object.entries(tables.all())
    .filter(([, table]) => !table.over && table.title && Object.keys(table.seats).length)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, 6);

function goingOn(id, table, draw) {
  const about = [table.with ? `with ${table.with}` : "two people here", table.with && table.turn ? "your move" : null, ago(table.at)].filter(Boolean).join(", ");
  return h("li", { class: "card" },
    h("a", { href: `#/table/${id}` }, icon("play"), h("span", {}, h("strong", {}, table.title), h("small", { class: "soft" }, about))),
    h("button", { type: "button", class: "quiet square", "aria-label": `Remove ${table.title}, ${about}`, title: "Remove from this list", onclick: () => { tables.forget(id); draw(); } }, icon("close")));
}

/** How long ago a time was, in words. */
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
  const holder = h("span", { class: "picture", "aria-hidden": "true" }, icon("edit"));
  drawFile(file, holder);
  return h("li", {},
    h("button", { type: "button", class: "game", onclick: () => play(file) },
      holder,
      h("span", { class: "words" }, h("strong", {}, file.name), h("span", {}, `Your rules, version ${file.version}`))),
    h("a", { class: "button square pencil", href: `#/edit/${file.id}`, "aria-label": `Edit ${file.name}`, title: "Edit" }, icon("edit")));
}

/** Open the dialog before a game by the user's own rules; if they have mistakes, go to the editor. */
async function play(file) {
  try {
    const { text } = await get(`/api/files/${file.id}`);
    const { game } = await post("/api/check", { text });
    if (!game) return void (location.hash = `#/edit/${file.id}`); // which shows the mistakes
    const holder = h("span", {});
    setup({ ...game, rules: { file: file.id, version: file.version }, picture: holder });
    drawFile(file, holder);
  } catch (error) {
    note(error.message);
  }
}

/** Draw the board of the user's own rules, if they make one. */
async function drawFile(file, holder) {
  const key = `${file.id} ${file.version}`;
  try {
    if (!pictures.has(key)) pictures.set(key, await post("/api/preview", { rules: { file: file.id, version: file.version } }));
    const { board, view } = pictures.get(key);
    refill(holder, picture(board, Object.keys(view.seats), view));
  } catch {
    refill(holder, icon("edit"), h("span", { class: "soft" }, "has mistakes"));
  }
}
