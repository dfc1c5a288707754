// The page where rules are written: the text on the left, what is wrong with it below, the board it makes on the right.

import { analyse } from "./analyse.js";
import { get, post, put, remove } from "./api.js";
import { Board } from "./board.js";
import { controls } from "./controls.js";
import { h, icon, refill } from "./dom.js";
import { chosen, option, setup } from "./gallery.js";
import { note, save, say, title } from "./main.js";

const DELAY = 120; // milliseconds without a key before the text is looked at

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
  try {
    return id ? await write(main, id, query) : await list(main);
  } catch (error) {
    refill(main, h("p", { class: "fault" }, error.message), h("p", {}, h("a", { href: "#/edit" }, "To your rules")));
    return null;
  }
}

// --- the files ------------------------------------------------------------------

async function list(main) {
  const [files, games] = await Promise.all([get("/api/files"), get("/api/games")]);
  const base = h("select", { "aria-label": "The game to vary" }, games.map((game) => h("option", { value: game.name }, game.title)));
  const item = (file) =>
    h("li", {},
      h("a", { href: `#/edit/${file.id}` }, file.name),
      h("span", { class: "soft" }, `version ${file.version}`),
      h("button", { type: "button", class: "quiet square danger", "aria-label": `Delete ${file.name}`, onclick: () => drop(file, () => list(main)) }, icon("trash")));
  refill(main,
    h("div", { class: "files" },
      h("h1", {}, "Your rules"),
      h("div", { class: "buttons" },
        h("a", { class: "button main", href: "#/edit/new" }, icon("plus"), "A new game"),
        h("form", { class: "type", onsubmit: (event) => { event.preventDefault(); location.hash = `#/edit/new?variant=${base.value}`; } },
          base, h("button", { type: "submit" }, icon("fork"), "Make a variant"))),
      h("div", { class: "card" }, files.length ? h("ul", {}, files.map(item)) : h("p", { class: "empty" }, "What you write and save is listed here. Only this browser sees it."))));
  return null;
}

function drop(file, done) {
  const box = h("dialog", { class: "small", "aria-label": "Delete" },
    h("p", {}, `Delete “${file.name}” and all its versions?`),
    h("form", { method: "dialog", class: "buttons" }, h("button", { value: "no", autofocus: true }, "Keep it"), h("button", { value: "yes", class: "danger" }, icon("trash"), "Delete")));
  box.addEventListener("close", async () => {
    box.remove();
    if (box.returnValue !== "yes") return;
    await remove(`/api/files/${file.id}`).catch((error) => note(error.message));
    done();
  });
  document.body.append(box);
  box.showModal();
}

// --- one file -------------------------------------------------------------------

/** The text to begin with, and the file it is stored in, if it is. */
async function load(id, query) {
  if (id !== "new") {
    const version = query.get("version");
    return await get(`/api/files/${encodeURIComponent(id)}${version ? `?version=${encodeURIComponent(version)}` : ""}`);
  }
  const name = query.get("game") ?? query.get("variant");
  if (query.get("table")) {
    const { rules, title, options, moves } = await get(`/api/tables/${encodeURIComponent(query.get("table"))}`);
    const before = moves.slice(0, Number(query.get("ply") ?? 0));
    return { name: title, options, moves: before, text: rules.text ?? (await get(`/api/games/${rules.bundled}`)).text };
  }
  if (!name) return { name: "My Game", text: FIRST };
  const game = (await get("/api/games")).find((game) => game.name === name);
  if (!game) throw new Error("There is no such game.");
  if (query.get("variant")) return { name: `My ${game.title}`, text: `variant "My ${game.title}" of "${game.title}"\n"What is different, in one sentence."\n\n` };
  return { name: game.title, text: (await get(`/api/games/${name}`)).text };
}

async function write(main, id, query) {
  const [file, words, { Editor }] = await Promise.all([load(id, query), get("/api/words"), import("./editor.js")]);
  const page = new Page(main, file, words, Editor);
  return () => page.close();
}

class Page {
  constructor(main, file, words, Editor) {
    this.file = file;
    this.saved = file.id ? file.text : null;
    this.moves = file.moves ?? [];
    this.#build(main);
    this.editor = new Editor(this.code, { words, text: file.text, changed: () => this.#changed(), save: () => this.save() });
    this.leaving = (event) => { if (this.unsaved) event.preventDefault(); };
    addEventListener("beforeunload", this.leaving);
    this.#check();
    this.#versions();
  }

  close() {
    clearTimeout(this.timer);
    this.checking.abort();
    this.closed = true;
    removeEventListener("beforeunload", this.leaving);
    this.editor.close();
  }

  get unsaved() {
    return this.saved !== null ? this.editor.text !== this.saved : this.editor.text !== this.file.text;
  }

  #build(main) {
    this.code = h("div", { class: "code card" });
    this.faults = h("ul", { class: "faults card", "aria-label": "What is wrong" });
    this.name = h("input", { class: "name", type: "text", value: this.file.name, "aria-label": "Name of the file", maxlength: "100" });
    this.version = h("select", { "aria-label": "Version", hidden: true, onchange: () => this.#open(this.version.value) });
    this.saving = h("button", { type: "button", class: "main", onclick: () => this.save(), title: "Ctrl+S" }, icon("save"), "Save");
    const holder = h("div", { class: "board-holder" });
    this.holder = holder;
    this.board = new Board(holder);
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
            h("button", { type: "button", onclick: () => save(`${this.name.value || "rules"}.game`, this.editor.text) }, icon("down"), "Export"),
            h("button", { type: "button", onclick: () => this.#vary() }, icon("fork"), "Make a variant")),
          this.code,
          this.faults),
        this.right));
  }

  // --- as one types ---

  #changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#check(), DELAY);
    this.checking.abort(); // what would be said of an older text comes too late
    this.right.ariaBusy = "true";
    this.#mark();
  }

  async #check() {
    const mine = (this.checking = new AbortController());
    await this.#look(this.editor.text, mine.signal);
    if (!mine.signal.aborted) this.right.ariaBusy = null;
  }

  /** Look at a text, and show what it says and makes unless there is a newer one. */
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
    this.playing.disabled = this.studying.disabled = !answer.ok;
    this.holder.classList.toggle("stale", !answer.ok);
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
          h("span", {}, h("span", { class: fault.severity }, fault.severity === "error" ? "Error: " : "Note: "), fault.message, fault.hint ? h("span", { class: "soft" }, ` — ${fault.hint}`) : null)));
    refill(this.faults, diagnostics.map(line), ok && !diagnostics.length ? h("li", { class: "fine" }, icon("check"), "No mistakes.") : null);
    const errors = diagnostics.filter((fault) => fault.severity === "error").length;
    if (errors !== this.errors) say(errors ? `${errors} ${errors === 1 ? "error" : "errors"}: ${diagnostics[0].message}` : "No mistakes");
    this.errors = errors;
  }

  /** The options of the game; those that one has set stay as they are. */
  #offer(game) {
    const same = this.game && JSON.stringify(this.game.options) === JSON.stringify(game.options);
    this.game = game;
    if (same) return;
    refill(this.options, game.options.map((each) => option(each, this.file.options?.[each.name])));
    this.options.parentNode.hidden = game.options.length === 0;
  }

  // --- the board ---

  /** Show the position after these moves; `trim`: of moves that are no longer legal as many as are. */
  async #view(moves, trim = false) {
    const mine = (this.views = (this.views ?? 0) + 1);
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
      if (mine === this.views) this.#trouble(error.message);
      return;
    }
    if (mine !== this.views || this.closed) return;
    this.#trouble(null);
    const { board, view } = answer;
    const players = Object.keys(view.seats);
    const key = JSON.stringify([board, players, this.game.title]);
    const before = this.key === key && moves.length === this.moves.length + 1 ? this.board.view : null;
    const focused = this.board.svg?.contains(document.activeElement);
    if (this.key !== key) this.board.set(board, players, this.game.title);
    this.key = key;
    const played = before?.moves.find((move) => move.n === moves.at(-1));
    this.moves = moves;
    this.board.show(view, { active: true, after: before, move: played });
    if (focused) this.board.focus();
    const { result } = view;
    this.verdict.textContent = result
      ? `${result.winner ? `${result.winner} wins` : "A draw"}: ${result.reason}`
      : `${moves.length ? `${moves.at(-1)}. ` : ""}${view.to_move} to move.`;
    this.now.hidden = Boolean(result);
    this.back.disabled = this.again.disabled = !moves.length;
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
    const text = await this.#tidy();
    const name = this.name.value.trim() || "My Game";
    try {
      const before = this.file.id;
      this.file = before ? await put(`/api/files/${before}`, { name, text }) : await post("/api/files", { name, text });
      this.saved = text;
      history.replaceState(null, "", `#/edit/${this.file.id}`);
      this.#mark();
      this.#versions();
      note(`Saved as version ${this.file.version}.`);
      return true;
    } catch (error) {
      note(error.message);
      return false;
    }
  }

  /** The text in the usual look, unless it cannot be had now or somebody types on. */
  async #tidy() {
    const { text } = this.editor;
    const tidy = await post("/api/format", { text }).catch(() => ({ text }));
    if (this.closed || this.editor.text !== text) return text;
    this.editor.mend(tidy.text);
    return tidy.text;
  }

  #mark() {
    this.saving.disabled = Boolean(this.file.id) && !this.unsaved && this.name.value === this.file.name;
  }

  async #versions() {
    this.#mark();
    this.version.hidden = !this.file.id;
    if (!this.file.id) return;
    const versions = await get(`/api/files/${this.file.id}/versions`).catch(() => []);
    refill(this.version, [...versions].reverse().map(({ version, made }) =>
      h("option", { value: String(version), ".selected": version === this.file.version }, `Version ${version}, ${new Date(made * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}`)));
  }

  /** An older version comes back as text; saved, it is the newest. */
  async #open(version) {
    try {
      const file = await get(`/api/files/${this.file.id}?version=${version}`);
      this.editor.text = file.text;
      note(`This is version ${version}.`);
    } catch (error) {
      note(error.message);
    }
  }

  #vary() {
    if (!this.game || !this.ok) return note("Mend the mistakes first.");
    const base = this.game.title;
    const begin = async () => {
      if (this.unsaved || !this.file.id) if (!(await this.save())) return;
      const text = `variant "My ${base}" of "${base}"\n"What is different, in one sentence."\n\n`;
      this.file = { name: `My ${base}`, text };
      this.saved = null;
      this.name.value = this.file.name;
      history.replaceState(null, "", "#/edit/new");
      this.editor.text = text;
      this.#versions();
    };
    begin();
  }

  #analyse() {
    analyse({ rules: { text: this.text }, options: chosen(this.game, this.options) }, this.game.title);
  }

  async #start() {
    if (!this.file.id || this.unsaved) if (!(await this.save())) return;
    const picture = h("div", { class: "board-holder", inert: true, "aria-hidden": "true" });
    setup({
      title: this.game.title,
      about: "",
      options: this.game.options,
      values: chosen(this.game, this.options),
      rules: { file: this.file.id, version: this.file.version },
      picture,
    });
    const board = new Board(picture);
    board.set(this.board.board, this.board.players);
    board.show(this.board.view);
  }
}
