// The page where rules are written: the text on the left, its faults below, the board it makes on the right.

import { analyse } from "./analyse.js";
import { get, post, put, Refused } from "./api.js";
import { Board, picture } from "./board.js";
import { controls } from "./controls.js";
import { coded, h, icon, refill } from "./dom.js";
import { list } from "./files.js";
import { lexicon } from "./lexicon.js";
import { ask, note, save, say, title } from "./main.js";
import { drafts } from "./memory.js";
import { chosen, option, settle, setup } from "./setup.js";

const DELAY = 120; // milliseconds without a key before the text is checked

const FIRST = `game "My Game"
"Three in a row win."

players Black, White
board squares(3)
pieces stone

turn:
    choose square in empty
    place stone at square

end:
    if some line(pieces(mover), 3): mover wins
    if no empty: draw
`;

export async function open(main, [id], query) {
  title("Rules");
  if (!id) return list(main);
  const [file, words, { Editor }] = await Promise.all([load(id, query), get("/api/words"), import("./editor.js")]);
  return () => {
    const page = new Page(main, [id, query].filter(String).join("?"), file, words, Editor);
    return () => page.close();
  };
}

/** The text to begin with, and the file it is stored in with its `versions`, if any. */
async function load(id, query) {
  if (id !== "new") {
    const path = `/api/files/${encodeURIComponent(id)}`;
    const version = query.get("version");
    const [file, versions] = await Promise.all([get(`${path}${version ? `?version=${encodeURIComponent(version)}` : ""}`), get(`${path}/versions`)]);
    return { ...file, versions };
  }
  const name = query.get("game") ?? query.get("variant");
  if (query.get("table")) {
    const { rules, title, options, moves } = await get(`/api/tables/${encodeURIComponent(query.get("table"))}`);
    const before = moves.slice(0, Number(query.get("ply") ?? 0));
    return { name: title, options, moves: before, text: rules.text ?? (await get(`/api/games/${rules.bundled}`)).text };
  }
  if (query.get("of")) return variant(query.get("of"));
  if (!name) return { name: "My Game", text: FIRST };
  const game = (await get("/api/games")).find((game) => game.name === name);
  if (!game) throw new Refused("There is no such game.", 404);
  if (query.get("variant")) return variant(game.title);
  return { name: game.title, text: (await get(`/api/games/${name}`)).text };
}

const variant = (base) => ({ name: `My ${base}`, text: `variant "My ${base}" of "${base}"\n"What is different, in one sentence."\n\n` });

/** The title of the game in a text, if it has one. */
const titleOf = (text) => text.match(/^[ \t]*(?:game|variant)\b[ \t]*"([^"\n]+)"/m)?.[1].trim().slice(0, 100) || null;

/** The name of a rule file for a title, by which variants of the game find it. */
const fileName = (title) =>
  `${title.normalize("NFKD").replace(/[^\x00-\x7f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "") || "rules"}.game`;

class Page {
  /** `place` is where the text is written: the address of this page after `#/edit/`. */
  constructor(main, place, file, words, Editor) {
    this.place = place;
    this.file = { versions: [], ...file };
    this.moves = file.moves ?? [];
    this.#build(main, words);
    this.restored = drafts.get(place);
    const { text, name } = this.restored ?? file;
    this.name.value = name;
    this.titled = titleOf(text);
    this.editor = new Editor(this.code, { words, text, changed: () => this.#changed(), save: () => this.save() });
    this.leaving = (event) => { if (!this.#keep()) event.preventDefault(); };
    addEventListener("beforeunload", this.leaving);
    this.#check();
    this.#tell();
  }

  close() {
    clearTimeout(this.timer);
    this.checking.abort();
    this.closed = true;
    removeEventListener("beforeunload", this.leaving);
    this.#keep();
    this.editor.close();
  }

  get unsaved() {
    return this.editor.text !== this.file.text || this.name.value !== this.file.name;
  }

  /** The number of the newest version. */
  get newest() {
    return this.file.versions.at(-1)?.version ?? 0;
  }

  /** Whether the version shown is not the newest. */
  get older() {
    return Boolean(this.file.id) && this.file.version < this.newest;
  }

  #build(main, words) {
    this.code = h("div", { class: "code card" });
    this.faults = h("ul", { class: "faults card", "aria-label": "What is wrong" });
    this.name = h("input", { class: "name", type: "text", "aria-label": "Name of the file", maxlength: "100", oninput: () => this.#mark() });
    this.version = h("select", { "aria-label": "Version", onchange: () => this.#open(Number(this.version.value)) });
    this.strip = h("div", { class: "strip card", role: "status" });
    this.saving = h("button", { type: "button", class: "main", onclick: () => this.save(), title: "Ctrl+S" }, icon("save"), "Save");
    const holder = h("div", { class: "board-holder" });
    this.holder = holder;
    this.board = new Board(holder);
    this.views = 0; // counts the positions asked for
    this.board.addEventListener("play", ({ detail }) => this.#play(detail.n));
    this.now = h("div", {});
    controls(this.board, this.now);
    this.verdict = h("p", { class: "say", role: "status" });
    this.back = h("button", { type: "button", onclick: () => this.#view(this.moves.slice(0, -1)) }, icon("undo"), "Undo");
    this.again = h("button", { type: "button", onclick: () => this.#view([]) }, icon("first"), "Restart");
    this.playing = h("button", { type: "button", class: "main", disabled: true, onclick: () => this.#start() }, icon("play"), "Play this");
    this.studying = h("button", { type: "button", disabled: true, onclick: () => this.#analyse() }, icon("chart"), "Analyse");
    this.options = h("form", { class: "options", onchange: () => this.#view([]), onsubmit: (event) => event.preventDefault() });
    this.trouble = h("p", { class: "fault", hidden: true });
    this.right = h("section", { class: "right", "aria-label": "Board", "aria-busy": "true" },
      holder,
      h("div", { class: "card panel" }, h("div", { class: "now" }, this.verdict, this.trouble, this.now),
        h("div", { class: "tools" }, this.playing, this.back, this.again, this.studying),
        h("details", {}, h("summary", {}, "Options"), this.options)));
    refill(main,
      h("div", { class: "edit" },
        h("section", { class: "left", "aria-label": "Rules" },
          h("h1", { class: "unseen" }, "Rules"),
          h("div", { class: "bar" }, this.name, this.version, this.saving,
            h("button", { type: "button", onclick: () => save(fileName(this.titled ?? this.name.value), this.editor.text) }, icon("down"), "Export"),
            h("button", { type: "button", onclick: () => this.#vary() }, icon("fork"), "Make a variant"),
            h("button", { type: "button", class: "quiet", onclick: () => lexicon(words) }, icon("book"), "Words")),
          this.strip,
          this.code,
          this.faults),
        this.right));
  }

  // --- as one types ---

  #changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#check(), DELAY);
    this.checking.abort(); // the answer about an older text would come too late
    this.right.ariaBusy = "true";
    this.#name();
    this.#mark();
  }

  /** The file is named after its game until somebody types another name. */
  #name() {
    const title = titleOf(this.editor.text) ?? this.titled;
    if (this.name.value === this.titled) this.name.value = title;
    this.titled = title;
  }

  async #check() {
    const mine = (this.checking = new AbortController());
    this.#keep();
    await this.#look(this.editor.text, mine.signal);
    if (!mine.signal.aborted) this.right.ariaBusy = null;
  }

  /** Check a text, and show its faults and its board unless there is a newer text. */
  async #look(text, signal) {
    let answer;
    try {
      answer = await post("/api/check", { text }, { signal });
    } catch (error) {
      if (!signal.aborted) this.#trouble(error.message);
      return;
    }
    if (signal.aborted) return;
    this.editor.faults(answer.diagnostics);
    this.#list(answer);
    this.ok = answer.ok;
    this.#still(!answer.ok);
    if (!answer.ok) return;
    this.#offer(answer.game);
    this.text = text;
    await this.#view(this.moves, true);
  }

  #list({ diagnostics, ok }) {
    const line = (fault) =>
      h("li", {},
        h("button", { type: "button", onclick: () => !fault.file && this.editor.show(fault.line, fault.column) },
          h("span", { class: "place" }, fault.file ?? `Line ${fault.line}`),
          h("span", {}, h("span", { class: fault.severity }, fault.severity === "error" ? "Error: " : "Note: "), coded(fault.message), fault.hint ? h("span", { class: "soft" }, " — ", coded(fault.hint)) : null)));
    refill(this.faults, diagnostics.map(line), ok && !diagnostics.length ? h("li", { class: "fine" }, icon("check"), "No mistakes.") : null);
    const errors = diagnostics.filter((fault) => fault.severity === "error").length;
    if (errors !== this.errors) say(errors ? `${errors} ${errors === 1 ? "error" : "errors"}: ${diagnostics[0].message}` : "No mistakes");
    this.errors = errors;
  }

  /** Offer the options of the game; those that were set stay as they are. */
  #offer(game) {
    const same = this.game && JSON.stringify(this.game.options) === JSON.stringify(game.options);
    this.game = game;
    if (same) return;
    refill(this.options, game.options.map((each) => option(each, this.file.options?.[each.name])));
    this.options.parentNode.hidden = game.options.length === 0;
  }

  // --- the board ---

  /** While a text has mistakes, the board of the text before can only be looked at. */
  #still(still) {
    this.holder.classList.toggle("stale", still);
    this.holder.inert = this.options.inert = still;
    if (!still) return;
    this.views++; // what is still loading belongs to that text, too
    this.now.hidden = this.back.disabled = this.again.disabled = this.playing.disabled = this.studying.disabled = true;
    this.verdict.textContent = this.shown ? "This board shows the last version without mistakes." : "The board is drawn when the text has no mistakes.";
  }

  /** Show the position after these moves; `trim`: if some are no longer legal, only after those that are. */
  async #view(moves, trim = false) {
    const mine = ++this.views;
    const ask = (moves) => post("/api/preview", { rules: { text: this.text }, options: chosen(this.game, this.options), moves });
    let answer;
    try {
      answer = await ask(moves).catch(async (error) => {
        if (!trim || !moves.length || error.status !== 422) throw error;
        let [legal, faulty, found] = [0, moves.length, null];
        while (faulty - legal > 1 || !found) {
          const middle = found ? (legal + faulty) >> 1 : 0;
          const answer = await ask(moves.slice(0, middle)).catch((error) => {
            if (!middle) throw error;
          });
          if (answer) [legal, found] = [middle, answer];
          else faulty = middle;
        }
        moves = moves.slice(0, legal);
        return found;
      });
    } catch (error) {
      if (mine !== this.views) return;
      this.#trouble(error.message);
      this.shown = null;
      this.playing.disabled = this.studying.disabled = true;
      return;
    }
    if (mine !== this.views || this.closed) return;
    this.#trouble(null);
    settle(this.options, answer.options);
    this.#draw(answer, moves);
    this.playing.disabled = this.studying.disabled = false;
    const { result, to_move } = answer.view;
    this.verdict.textContent = result
      ? `${result.winner ? `${result.winner} wins` : "A draw"}: ${result.reason}`
      : `${moves.length ? `${moves.at(-1)}. ` : ""}${to_move} to move.`;
    this.now.hidden = Boolean(result);
    this.back.disabled = this.again.disabled = !moves.length;
  }

  /** Draw a position, unless it is drawn already: then the choices so far stay. */
  #draw({ board, view }, moves) {
    const players = Object.keys(view.seats);
    const key = JSON.stringify([board, players, this.game.title]);
    const shown = key + JSON.stringify(view);
    const before = this.key === key && moves.length === this.moves.length + 1 ? this.board.view : null;
    this.moves = moves;
    if (shown === this.shown) return;
    const focused = this.board.svg?.contains(document.activeElement);
    if (this.key !== key) this.board.set(board, players, this.game.title);
    this.key = key;
    this.shown = shown;
    const played = before?.moves.find((move) => move.n === moves.at(-1));
    this.board.show(view, { active: true, after: before, move: played });
    if (focused) this.board.focus();
  }

  #play(move) {
    this.#view([...this.moves, move]);
  }

  #trouble(text) {
    this.trouble.hidden = !text;
    this.trouble.textContent = text ?? "";
  }

  // --- the file ---

  async save() {
    if (this.older && (await ask("Save", `Version ${this.file.version} is shown. Save it as version ${this.newest + 1}, the newest?`, ["", "Cancel"], ["yes", `Save as version ${this.newest + 1}`])) !== "yes") return false;
    const text = await this.#tidy();
    const name = this.name.value.trim() || "My Game";
    try {
      const { id, versions } = this.file;
      const saved = id ? await put(`/api/files/${id}`, { name, text }) : await post("/api/files", { name, text });
      this.file = { ...saved, versions: [...versions.filter(({ version }) => version !== saved.version), saved] };
    } catch (error) {
      note(error.message);
      return false;
    }
    drafts.forget(this.place);
    if (this.closed) return false; // the person has gone to another page
    this.place = this.file.id;
    history.replaceState(null, "", `#/edit/${this.place}`);
    this.restored = null;
    this.name.value = name;
    this.#tell();
    note(`Saved as version ${this.file.version}.`);
    return true;
  }

  /** The text in the standard layout, unless that fails or somebody goes on typing. */
  async #tidy() {
    const { text } = this.editor;
    const tidy = await post("/api/format", { text }).catch(() => ({ text }));
    if (this.closed || this.editor.text !== text) return text;
    this.editor.mend(tidy.text);
    return tidy.text;
  }

  /** Let the browser keep what is not saved. Returns whether nothing can be lost. */
  #keep() {
    if (this.unsaved) return drafts.keep(this.place, { text: this.editor.text, name: this.name.value, version: this.file.version });
    drafts.forget(this.place);
    return true;
  }

  #mark() {
    this.saving.disabled = Boolean(this.file.id) && !this.unsaved && !this.older;
  }

  /** Say which version is shown, and whether something is not saved. */
  #tell() {
    const { id, version, versions } = this.file;
    this.#mark();
    this.version.hidden = !id;
    refill(this.version, [...versions].reverse().map((each) =>
      h("option", { value: String(each.version), ".selected": each.version === version }, `Version ${each.version}, ${new Date(each.made * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}`)));
    const line = (words, button, onclick) => h("p", {}, h("span", {}, words), h("button", { type: "button", onclick }, button));
    const of = this.restored?.version < this.newest ? `, written on version ${this.restored.version}` : "";
    refill(this.strip,
      this.older ? line(`This is version ${version} of ${this.newest}.`, `To version ${this.newest}`, () => this.#open(this.newest)) : null,
      this.restored ? line(`Restored what was not saved${of}.`, "Discard", () => this.#discard()) : null);
    this.strip.hidden = !this.strip.hasChildNodes();
  }

  #discard() {
    this.restored = null;
    this.editor.text = this.file.text;
    this.name.value = this.file.name;
    this.#tell();
  }

  #open(version) {
    location.hash = `#/edit/${this.file.id}${version === this.newest ? "" : `?version=${version}`}`;
  }

  async #vary() {
    if (!this.game || !this.ok) return note("Mend the mistakes first.");
    let base = this.game.title;
    if (this.older) {
      const words = `Version ${this.file.version} is shown, but a variant is one of the newest version, ${this.newest}. To vary what is shown, save it first.`;
      if ((await ask("Make a variant", words, ["", "Cancel"], ["yes", `Vary version ${this.newest}`])) !== "yes") return;
      base = titleOf((await get(`/api/files/${this.file.id}`)).text) ?? base;
    } else if ((this.unsaved || !this.file.id) && !(await this.save())) return;
    location.hash = `#/edit/new?${new URLSearchParams({ of: base })}`;
  }

  #analyse() {
    analyse({ rules: { text: this.text }, options: chosen(this.game, this.options) }, this.game.title);
  }

  async #start() {
    if (!this.file.id || this.unsaved) if (!(await this.save())) return;
    const { board, players, view } = this.board;
    setup({
      ...this.game,
      values: chosen(this.game, this.options),
      rules: { file: this.file.id, version: this.file.version },
      picture: picture(board, players, view),
    });
  }
}
