// The page of a game that is played: the board, the people, the moves so far, and what one can do.

import { get, memory, post } from "./api.js";
import { Board, paintOf } from "./board.js";
import { controls } from "./controls.js";
import { h, icon, refill, s } from "./dom.js";
import { setup } from "./gallery.js";
import { note, save, say, title } from "./main.js";

const PERSONS = ["first", "second"];
const OTHER = { first: "second", second: "first" };

export async function open(main, [id], query) {
  claim(id, query);
  let table;
  try {
    table = await get(`/api/tables/${encodeURIComponent(id)}`);
  } catch (error) {
    refill(main, h("p", { class: "fault" }, error.message), h("p", {}, h("a", { href: "#/" }, "To the games")));
    return null;
  }
  const page = new Play(main, id, table);
  return () => page.close();
}

/** An invitation: the secret of a seat stands in the part of the address that no server sees; it is kept and taken out. */
function claim(id, query) {
  const [person, secret] = (query.get("seat") ?? "").split(".");
  if (!OTHER[person] || !secret) return;
  const known = memory.table(id);
  memory.keep(id, { seats: { ...known.seats, [person]: secret } });
  history.replaceState(null, "", `#/table/${id}`);
}

class Play {
  constructor(main, id, table) {
    this.id = id;
    this.table = table;
    this.mine = memory.table(id).seats;
    this.sides = Object.keys(this.mine);
    this.views = new Map([[table.view.ply, table.view]]);
    this.moves = table.moves ?? [];
    this.live = table.view.ply;
    this.shown = null; // the ply that is looked at, where it is not the last one
    this.asked = table.asked ?? null;
    this.thought = null;
    memory.keep(id, { title: table.title, over: Boolean(table.view.result) });
    title(table.title);
    this.#build(main);
    this.#show({});
    this.#listen();
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
    // Whoever comes back after a while, or after sleep, sees how things stand.
    this.seen = () => { if (!document.hidden) { this.#tab(); this.#again(); } };
    document.addEventListener("visibilitychange", this.seen);
    addEventListener("online", this.seen);
  }

  close() {
    this.events.close();
    this.closed = true;
    document.removeEventListener("visibilitychange", this.seen);
    removeEventListener("online", this.seen);
    document.removeEventListener("keydown", this.keys);
  }

  get view() {
    return this.views.get(this.shown ?? this.live);
  }

  get now() {
    return this.views.get(this.live);
  }

  /** Whether it is a person of this browser who moves now. */
  get turn() {
    return !this.now.result && Boolean(this.mine[this.now.person]);
  }

  // --- the page ------------------------------------------------------------------

  #build(main) {
    const { table } = this;
    const holder = h("div", { class: "board-holder" });
    this.board = new Board(holder);
    this.board.targets = memory.setting("targets", true);
    this.board.careful = memory.setting("careful", false);
    this.board.set(table.board, table.players, table.title);
    // Who has one seat sits below; so does, at first, who moves second where the pieces face each other.
    this.near = this.sides.length === 1 ? this.sides[0] : "first";
    this.parts = Object.fromEntries(
      ["far", "near", "verdict", "now", "moves", "tools", "state", "invite", "offline"].map((name) => [name, h("div", {})]),
    );
    const { parts } = this;
    parts.moves.className = "moves";
    parts.moves.setAttribute("tabindex", "0");
    parts.moves.setAttribute("role", "group");
    parts.moves.setAttribute("aria-label", "Moves");
    parts.now.className = "now";
    parts.tools.className = "tools";
    parts.offline.className = "offline";
    parts.offline.hidden = true;
    parts.offline.textContent = "The connection is lost. Trying again…";
    this.now_ = h("div", {});
    controls(this.board, this.now_);
    this.board.addEventListener("play", ({ detail }) => this.#play(detail));
    const step = (name, words, to) => h("button", { type: "button", onclick: to, "aria-label": words, title: words }, icon(name));
    refill(
      main,
      h("div", { class: "table" },
        h("section", { class: "stage", "aria-label": "Board" }, holder),
        h("section", { class: "side", "aria-label": "Game" },
          h("div", { class: "card panel" },
            h("div", { class: "headline" }, h("div", {}, h("h1", {}, table.title), h("p", { class: "soft" }, this.#options())),
              h("a", { class: "button quiet", href: `#/edit/new?table=${this.id}` }, icon("edit"), "Rules")),
            parts.offline,
            parts.invite,
            parts.far,
            parts.near,
            parts.verdict,
            parts.now,
            parts.state),
          h("div", { class: "card panel" },
            parts.moves,
            h("div", { class: "replay" },
              step("first", "To the start", () => this.#go(0)),
              step("back", "One move back", () => this.#go((this.shown ?? this.live) - 1)),
              step("forward", "One move on", () => this.#go((this.shown ?? this.live) + 1)),
              step("last", "To the last move", () => this.#go(this.live))),
            parts.tools,
            this.#typing(),
            this.#settings()))),
    );
    this.#invite();
  }

  #options() {
    const words = Object.entries(this.table.options ?? {}).map(([name, value]) => `${name.replaceAll("_", " ")} ${value === true ? "yes" : value === false ? "no" : value}`);
    return words.join(" · ");
  }

  #typing() {
    if (!this.sides.length) return null;
    const field = h("input", { type: "text", placeholder: "Type a move, e.g. " + (this.now.moves[0]?.n ?? "b1-b2"), "aria-label": "Type a move", autocomplete: "off", spellcheck: "false", maxlength: "200" });
    return (this.typing = h("form", { class: "type", onsubmit: (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#play({ n: field.value.trim() }).then((done) => done && (field.value = ""));
    } }, field, h("button", { type: "submit" }, "Play")));
  }

  #settings() {
    const box = (name, words, otherwise, change) =>
      h("label", {}, h("input", { type: "checkbox", ".checked": memory.setting(name, otherwise), onchange: (event) => { memory.set(name, event.target.checked); change?.(event.target.checked); } }), words);
    return h("details", {},
      h("summary", {}, "Settings"),
      h("div", { class: "options" },
        box("targets", "Show where one can move", true, (on) => { this.board.targets = on; this.board.cancel(); }),
        box("careful", "Confirm each move", false, (on) => { this.board.careful = on; }),
        box("sound", "Sound", false),
        h("p", { class: "soft" }, "Keys: ← → leaf through the moves, F turns the board. On the board (reach it by Tab) the arrows go from site to site, Enter chooses, Backspace goes one choice back, Esc cancels.")));
  }

  /** The link for a friend, as long as the seat may still be empty. */
  #invite() {
    const { invite } = memory.table(this.id);
    const { parts } = this;
    parts.invite.className = "invite";
    parts.invite.hidden = !invite || this.moves.length > 1 || Boolean(this.now.result);
    if (parts.invite.hidden) return;
    const link = `${location.origin}${location.pathname}#/table/${this.id}?seat=${invite.person}.${invite.secret}`;
    const field = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link for your friend", onfocus: () => field.select() });
    refill(parts.invite,
      h("p", {}, h("strong", {}, "Send this link to your friend")),
      h("div", { class: "linkbox" }, field, h("button", { type: "button", onclick: () => copy(link, field) }, icon("link"), "Copy")),
      h("p", { class: "soft" }, "Whoever opens it sits opposite you. To let people watch, give them the address of this page."));
  }

  #show({ after = null, move = null }) {
    const live = this.shown === null;
    this.board.flip(this.flipped ?? this.near === "second");
    this.board.show(this.view, { active: live && this.turn, after, move });
    this.#seats();
    this.#verdict();
    this.#question();
    this.#list();
    this.#tools();
    this.#state();
    this.#tab();
    if (this.typing) this.typing.hidden = Boolean(this.now.result);
    if (this.moves.length > 1 || this.now.result) this.parts.invite.hidden = true;
  }

  /** The title of the tab says whose turn it is to who looks at another. */
  #tab() {
    title(document.hidden && this.turn && this.sides.length === 1 ? `● Your move: ${this.table.title}` : this.table.title);
  }

  #seats() {
    const { view } = this;
    for (const [place, person] of [["far", OTHER[this.near]], ["near", this.near]]) {
      const colour = Object.keys(view.seats).find((colour) => view.seats[colour] === person);
      const turn = !view.result && view.person === person;
      const element = this.parts[place];
      element.className = `seat${turn ? " turn" : ""}`;
      const paint = paintOf(this.table.players, colour);
      refill(element,
        h("span", { class: "swatch" }, s("svg", { class: "swatch", viewBox: "-12 -12 24 24", "aria-hidden": "true" },
          s("circle", { class: `disc flat ${paint}`, r: 10 }))),
        h("span", { class: "who" }, h("strong", {}, colour), h("small", {}, this.#name(person))),
        turn && this.#thinks(person),
        view.result?.scores && h("span", { class: "score", "aria-label": `score ${view.result.scores[colour]}` }, String(view.result.scores[colour])));
    }
  }

  #thinks(person) {
    if (this.#human(person)) return h("span", { class: "soft" }, this.mine[person] ? (this.sides.length === 2 ? "to move" : "your move") : "to move");
    const value = this.thought?.value;
    return h("span", { class: "soft thinking" }, typeof value === "number" ? `expects ${Math.round(value * 100)}% ` : "", h("i", {}), h("i", {}), h("i", {}), h("span", { class: "unseen" }, "is thinking"));
  }

  #human(person) {
    return (this.table.people?.[person] ?? "human") === "human";
  }

  #name(person) {
    if (!this.#human(person)) return `Machine, ${describe(this.table.people[person])}`;
    if (this.sides.length === 2) return person === "first" ? "First player" : "Second player";
    if (this.mine[person]) return "You";
    return this.sides.length ? "Your friend" : person === "first" ? "First player" : "Second player";
  }

  #verdict() {
    const { result } = this.view;
    const { verdict } = this.parts;
    verdict.hidden = !result;
    verdict.className = "verdict";
    if (!result) return;
    refill(verdict,
      h("strong", {}, this.#outcome(result)),
      h("span", { class: "soft" }, reason(result)),
      h("div", { class: "words-row" },
        this.sides.length && PERSONS.every((person) => this.mine[person] || !this.#human(person)) ? h("button", { type: "button", class: "main", onclick: () => this.#rematch() }, "Play again") : null,
        h("a", { class: "button", href: "#/" }, "Another game")));
  }

  #outcome({ winner, person }) {
    if (!winner) return "A draw";
    const who = this.#name(person);
    return who === "You" ? `${winner} wins: that is you` : `${winner} wins (${who.charAt(0).toLowerCase() + who.slice(1)})`;
  }

  #question() {
    const { now } = this.parts;
    now.hidden = Boolean(this.view.result);
    if (this.shown !== null)
      return refill(now,
        h("p", { class: "say" }, `Position after ${plies(this.shown)}.`),
        h("div", { class: "words-row" },
          h("button", { type: "button", onclick: () => this.#go(this.live) }, "Back to the game"),
          h("a", { class: "button", href: `#/edit/new?table=${this.id}&ply=${this.shown}` }, icon("fork"), "Try other moves"),
          this.view.result ? null : h("button", { type: "button", onclick: () => this.#playOn() }, icon("play"), "Play on from here")));
    const asks = this.asked && this.mine[OTHER[this.asked]] && this.sides.length === 1
      ? h("div", { class: "words-row" }, h("span", {}, "Your friend would like to take back a move."), h("button", { type: "button", class: "main", onclick: () => this.#act("undo") }, "Allow"))
      : this.asked && this.mine[this.asked] ? h("p", { class: "soft" }, "You asked to take back your move.") : null;
    const waits = this.sides.length ? "Your move is made. Now it is the other side's turn." : "You are watching.";
    refill(now, this.turn ? this.now_ : h("p", { class: "soft" }, waits), asks);
  }

  #list() {
    const shown = this.shown ?? this.live;
    const item = (move, i) => h("button", { type: "button", "aria-current": i + 1 === shown ? "true" : null, onclick: () => this.#go(i + 1) }, move);
    const rows = [];
    for (let i = 0; i < this.moves.length; i += 2)
      rows.push(h("li", {}, h("span", { class: "number-of" }, `${i / 2 + 1}.`), item(this.moves[i], i), this.moves[i + 1] !== undefined ? item(this.moves[i + 1], i + 1) : h("span", {})));
    refill(this.parts.moves, rows.length ? h("ol", {}, rows) : h("p", { class: "soft empty" }, "No moves yet."));
    const current = this.parts.moves.querySelector("[aria-current]");
    if (current) this.parts.moves.scrollTop = current.offsetTop - this.parts.moves.offsetTop - this.parts.moves.clientHeight / 2;
  }

  #tools() {
    const { now } = this;
    const over = Boolean(now.result), sit = this.sides.length > 0;
    const tool = (name, words, action, possible = true) => h("button", { type: "button", onclick: action, disabled: !possible }, icon(name), words);
    refill(this.parts.tools,
      sit && tool("undo", "Undo", () => this.#act("undo"), !over && this.live > 0),
      sit && tool("hint", "Hint", () => this.#hint(), this.turn && this.shown === null),
      sit && tool("flag", "Resign", () => this.#resign(), !over),
      tool("flip", "Turn", () => { this.flipped = !this.board.flipped; this.board.flip(this.flipped); }),
      tool("down", "Record", () => this.#record()),
      tool("image", "Picture", () => this.#picture()));
  }

  /** The position that is shown, as a drawing or as an image. */
  #picture() {
    const address = `/api/tables/${this.id}/plies/${this.shown ?? this.live}/picture`;
    const png = async () => {
      try {
        save(`${this.table.title}.png`, await image(address));
      } catch {
        note("This picture cannot be made just now.");
      }
    };
    const box = h("dialog", { class: "small", "aria-label": "Picture" },
      h("p", {}, "A picture of this position"),
      h("form", { method: "dialog", class: "buttons" },
        h("a", { class: "button main", href: address, download: `${this.table.title}.svg`, onclick: () => box.close() }, icon("down"), "SVG"),
        h("button", { class: "main", onclick: png }, icon("down"), "PNG"),
        h("button", {}, "Close")));
    box.addEventListener("close", () => box.remove());
    document.body.append(box);
    box.showModal();
  }

  async #record() {
    try {
      const { record, title } = await get(`/api/tables/${this.id}`);
      save(`${title}.txt`, record);
    } catch (error) {
      note(error.message);
    }
  }

  #state() {
    const { view, parts } = this;
    // What is nothing, and sets of sites, say little in words.
    const dull = (value) => value.length > 24 || ["none", "no", "0", ""].includes(value) || value.split(" ").every((word) => this.board.places.has(word));
    const words = Object.entries(view.state).filter(([, value]) => !dull(value));
    parts.state.hidden = words.length === 0;
    parts.state.className = "state";
    refill(parts.state, words.map(([name, value]) => h("span", {}, `${name.replaceAll("_", " ")} `, h("b", {}, value))));
  }

  // --- what one does ---------------------------------------------------------------

  #seat() {
    return this.mine[this.now.person] ?? this.mine[this.sides[0]];
  }

  async #play(move) {
    const seat = this.mine[this.now.person], ply = this.live;
    if (!seat || this.sending === ply) return false;
    this.sending = ply; // the answer may come after the move is seen, and after the next one
    try {
      await post(`/api/tables/${this.id}/moves`, { ply, move: move.n }, { seat });
      return true;
    } catch (error) {
      note(error.message);
      if (this.live === ply) this.board.cancel();
      return false;
    } finally {
      if (this.sending === ply) this.sending = null;
    }
  }

  async #act(what) {
    // On one screen who has just moved takes back, and the other agrees.
    const latest = this.views.get(this.live - 1)?.person ?? OTHER[this.now.person];
    const seats = this.sides.length === 2 && what === "undo" ? [this.mine[latest], this.mine[OTHER[latest]]] : [this.#seat()];
    try {
      for (const seat of seats) await post(`/api/tables/${this.id}/${what}`, { ply: this.live }, { seat });
    } catch (error) {
      note(error.message);
    }
  }

  /** The same game with the same people once more. */
  async #rematch() {
    const { options, people, title } = this.table;
    try {
      const { id, seats } = await post("/api/tables", { rules: { table: this.id }, options, ...people });
      memory.keep(id, { seats: Object.fromEntries(Object.entries(seats).filter(([, secret]) => secret)), title });
      location.hash = `#/table/${id}`;
    } catch (error) {
      note(error.message);
    }
  }

  /** A game of its own that goes on from the position that is shown. */
  #playOn() {
    const { table, view } = this;
    const picture = h("div", { class: "board-holder", inert: true, "aria-hidden": "true" });
    setup({ title: table.title, about: `Goes on after ${plies(view.ply)}; ${view.to_move} (${view.person} player) is to move.`, options: [], values: table.options, moves: this.moves.slice(0, view.ply), rules: { table: this.id }, picture });
    const board = new Board(picture);
    board.set(table.board, table.players);
    board.show(view);
  }

  #resign() {
    const box = h("dialog", { class: "small", "aria-label": "Resign" },
      h("p", {}, "Give up this game?"),
      h("form", { method: "dialog", class: "buttons" }, h("button", { value: "no", autofocus: true }, "Play on"), h("button", { value: "yes", class: "danger" }, icon("flag"), "Resign")));
    box.addEventListener("close", () => {
      if (box.returnValue === "yes") this.#act("resign");
      box.remove();
    });
    document.body.append(box);
    box.showModal();
  }

  async #hint() {
    const { live } = this;
    note("Thinking…");
    try {
      const { moves } = await post(`/api/tables/${this.id}/hint`, { ply: live }, { seat: this.mine[this.now.person] });
      if (live !== this.live || !moves.length) return;
      const [best] = moves;
      this.board.point(this.now.moves.find((move) => move.n === best.move));
      const chance = typeof best.value === "number" ? `, expected to win ${Math.round(best.value * 100)}%` : "";
      note(`${best.move}${chance}.`);
    } catch (error) {
      note(error.message);
    }
  }

  /** To the position after so many moves. */
  async #go(ply) {
    const goal = Math.max(0, Math.min(ply, this.live));
    const from = this.shown ?? this.live;
    if (goal === from) return;
    this.wanted = goal;
    if (!this.views.has(goal)) {
      try {
        this.views.set(goal, await get(`/api/tables/${this.id}/plies/${goal}`));
      } catch (error) {
        return note(error.message);
      }
      if (this.wanted !== goal) return;
    }
    const before = this.views.get(from);
    this.shown = goal === this.live ? null : goal;
    this.#show({ after: before, move: goal === from + 1 ? this.#moveAt(from) : null });
    say(goal === 0 ? "Start" : `Move ${goal}, ${this.moves[goal - 1]}`);
  }

  #moveAt(ply) {
    return this.views.get(ply)?.moves.find((move) => move.n === this.moves[ply]);
  }

  #key(event) {
    if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    const here = this.shown ?? this.live;
    const keys = { ArrowLeft: () => this.#go(here - 1), ArrowRight: () => this.#go(here + 1), Home: () => this.#go(0), End: () => this.#go(this.live), f: () => { this.flipped = !this.board.flipped; this.board.flip(this.flipped); }, Escape: () => this.board.choices.begun && this.board.cancel() };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  // --- what happens -------------------------------------------------------------------

  #listen() {
    this.events = new EventSource(`/api/tables/${this.id}/events`);
    const on = (name, action) => this.events.addEventListener(name, (event) => action(JSON.parse(event.data)));
    this.events.onopen = () => { this.parts.offline.hidden = true; };
    this.events.onerror = () => {
      this.parts.offline.hidden = false;
      if (this.events.readyState === EventSource.CLOSED) setTimeout(() => { if (!this.closed && this.events.readyState === EventSource.CLOSED) this.#listen(); }, 2000);
    };
    on("now", (data) => this.#now(data));
    on("move", (data) => this.#moved(data));
    on("undo", (data) => this.#undone(data));
    on("resign", (data) => this.#ended(data));
    on("ask", (data) => { this.asked = data.person; this.#question(); });
    on("thought", (data) => { this.thought = data; this.#seats(); });
    on("trouble", (data) => note(data.says));
  }

  /** Where the game stands, whatever was known of it. */
  #now({ ply, moves, asked, view }) {
    const same = ply === this.live && moves.length === this.moves.length && moves.every((move, i) => move === this.moves[i]) && Boolean(view.result) === Boolean(this.now.result);
    this.asked = asked;
    if (same) return this.#question();
    const known = moves.findIndex((move, i) => move !== this.moves[i]);
    for (const at of this.views.keys()) if (at > (known < 0 ? moves.length : known)) this.views.delete(at);
    this.#forward(view, moves, null);
  }

  #moved({ ply, move, view, person, note: words }) {
    if (ply !== this.live + 1) return this.#again();
    const before = this.now;
    const colour = before.to_move;
    if (words) note(words);
    this.thought = null;
    this.asked = null;
    const choices = before.moves.find(({ n }) => n === move);
    this.#forward(view, [...this.moves, move], choices);
    const mine = this.mine[person] && this.sides.length === 1;
    const next = view.result ? `${this.#outcome(view.result)}, ${reason(view.result)}` : this.turn && this.sides.length === 1 ? "Your move." : `${view.to_move} to move.`;
    say(`${mine ? "You" : colour}: ${move}. ${next}`);
    if (memory.setting("sound", false)) click();
  }

  #undone({ ply, view }) {
    for (const at of this.views.keys()) if (at > ply) this.views.delete(at);
    this.asked = null;
    this.thought = null;
    this.#forward(view, this.moves.slice(0, ply), null);
    say(`Taken back. ${view.to_move} to move.`);
  }

  #ended({ ply, view }) {
    if (ply !== this.live) return this.#again();
    this.#forward(view, this.moves, null);
    say(`${this.#outcome(view.result)}, ${reason(view.result)}`);
  }

  /** The game stands at this view now. */
  #forward(view, moves, choices) {
    const before = this.shown === null ? this.now ?? null : null;
    this.moves = moves;
    this.live = view.ply;
    this.views.set(view.ply, view);
    if (this.shown !== null && this.shown >= this.live) this.shown = null;
    if (view.result) memory.keep(this.id, { over: true });
    const focused = document.activeElement?.closest?.(".board");
    this.#show({ after: before, move: choices });
    if (focused) this.board.focus();
  }

  async #again() {
    try {
      const state = await get(`/api/tables/${this.id}`);
      if (!this.closed) this.#now(state);
    } catch (error) {
      if (error.status) note(error.message);
    }
  }
}

const plies = (count) => (count === 1 ? "1 move" : `${count} moves`);

function reason({ reason, scores }) {
  const points = scores ? ` (${Object.entries(scores).map(([player, points]) => `${player} ${points}`).join(", ")})` : "";
  return (reason === "resign" ? "by resignation" : `because of the rule: ${reason}`) + points;
}

/** A machine in words: "mcts:2s" is "2 s a move". */
export function describe(player) {
  const [kind, strength = ""] = player.split(":");
  const names = { mcts: "random games", alphabeta: "looks ahead", greedy: "greedy", random: "random moves" };
  const time = strength.match(/^([0-9.]+)s/);
  return [names[kind] ?? kind, time ? `${time[1]} s a move` : strength].filter(Boolean).join(", ");
}

export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    note("Copied.");
  } catch {
    field.select();
    note("Press Ctrl+C to copy.");
  }
}

/** An SVG as a PNG that is 1,600 pixels wide. */
async function image(address) {
  const drawing = URL.createObjectURL(await (await fetch(address)).blob());
  const picture = new Image();
  picture.src = drawing;
  await picture.decode();
  const canvas = h("canvas", { width: 1600, height: Math.round((1600 * picture.naturalHeight) / picture.naturalWidth) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(drawing);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** A wooden click. */
function click() {
  const audio = (click.audio ??= new AudioContext());
  const tone = audio.createOscillator(), loud = audio.createGain();
  tone.frequency.setValueAtTime(420, audio.currentTime);
  tone.frequency.exponentialRampToValueAtTime(120, audio.currentTime + 0.06);
  loud.gain.setValueAtTime(0.25, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}
