// Recorded games: pasted or chosen as a file, and opened at a table.

import { post } from "./api.js";
import { dialog, h, icon, refill } from "./dom.js";
import { tables } from "./memory.js";

const EXAMPLE = `[Game "Ayu"]
[Option "size=5"]
[First "?"]
[Second "?"]
[Result "*"]

1. b1-b2 2. a2-a3`;

const RESULTS = { draw: "a draw", "*": "unfinished" };

const NAMED = /^\s*\[\s*(Game|Event)\b/im;

/** A list of moves as a record: with the game, if the text does not name it, and with a result. */
function whole(text, game) {
  const named = NAMED.test(text) ? text : `[Game "${game}"]\n\n${text}`;
  return /\[\s*Result\b/i.test(named) ? named : named.replace(/(\[\s*(?:Game|Event)\b.*)/i, '$1\n[Result "*"]');
}

/** Open the dialog that asks for a record; `games` promises those that a bare list of moves may belong to. */
export function importing(games) {
  const text = h("textarea", { rows: "10", "aria-label": "Record", spellcheck: "false", autocapitalize: "off", placeholder: EXAMPLE });
  const file = h("input", { type: "file", accept: ".txt,.gdl,.pgn,text/plain", "aria-label": "A file of records", onchange: () => choose() });
  const game = h("select", { "aria-label": "Game, where the text does not say" }, h("option", { value: "" }, "The game that the text names"));
  games.then((games) => game.append(...games.map(({ title }) => h("option", {}, title))), () => {}); // those who wait for them are told of a failure
  const fault = h("p", { class: "fault", hidden: true, role: "alert" });
  const list = h("ul", { class: "records", "aria-label": "Games found" });
  const read = h("button", { type: "submit", class: "main" }, icon("up"), "Import");
  const box = dialog("small", "Import a game",
    h("h1", {}, "Import a game"),
    h("p", { class: "soft" }, "Paste a record or a list of moves, or choose a file of records. A game can be looked through, and played on from any move."),
    h("form", { class: "import", onsubmit: (event) => { event.preventDefault(); find(); } },
      text, game, file, fault, list,
      h("div", { class: "buttons" }, read, h("button", { type: "button", onclick: () => box.close() }, "Close"))));
  const trouble = (words) => {
    fault.textContent = words ?? "";
    fault.hidden = !words;
  };
  const choose = async () => {
    if (!file.files.length) return;
    text.value = await file.files[0].text();
    await find();
  };
  const find = async () => {
    trouble(null);
    refill(list);
    if (!NAMED.test(text.value) && !game.value) return trouble("This text does not name its game: choose it above.");
    read.disabled = true;
    try {
      const records = await post("/api/records", { text: whole(text.value, game.value) });
      if (records.length > 1) refill(list, records.map(item));
      else if (records[0].fault) trouble(records[0].fault);
      else await start(records[0]);
    } catch (error) {
      trouble(error.message);
    } finally {
      read.disabled = false;
    }
  };
  const item = (record) =>
    h("li", {}, record.fault
      ? h("span", {}, record.game ? h("strong", {}, `${record.game}: `) : null, record.fault)
      : h("button", { type: "button", onclick: () => start(record).catch((error) => trouble(error.message)) },
          h("strong", {}, record.game), h("span", { class: "soft" }, `${record.first} – ${record.second}, ${record.moves.length} ${record.moves.length === 1 ? "move" : "moves"}, ${RESULTS[record.result] ?? `${record.result} won`}`)));
  const start = async ({ game, rules, options, moves, resigned }) => {
    const { id, seats } = await post("/api/tables", { rules, options, moves, resigned });
    tables.keep(id, { seats, title: game });
    box.close();
    location.hash = `#/table/${id}`;
  };
}
