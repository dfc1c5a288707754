// The page of a game being played: the board, the people, the moves so far, and what the reader can do.

import { Again } from "./again.js";
import { get, listen, post } from "./api.js";
import { Board, picture } from "./board.js";
import { Choices } from "./choices.js";
import { controls } from "./controls.js";
import { coded, h, icon, redraw, refill, waiting } from "./dom.js";
import { arriving, ask, hush, note, say, title } from "./main.js";
import { settings, tables } from "./memory.js";
import { MoveList } from "./moves.js";
import { OTHER, People, PERSONS } from "./people.js";
import { setup } from "./setup.js";
import { address, linkbox, plies, record, share, takePicture } from "./sharing.js";
import { click } from "./sound.js";
import { Story } from "./story.js";

const SMALL = 28; // pixels: a finger may miss a smaller site

export async function open(main, [id], query) {
  refill(main, waiting("Preparing the board…"));
  const invitation = query.get("invite");
  if (query.size) history.replaceState(null, "", `#/table/${id}`);
  if (invitation) await accept(id, invitation);
  const table = await get(`/api/tables/${encodeURIComponent(id)}`);
  return () => {
    const page = new Play(main, id, table);
    if (query.has("ply")) page.go(Number(query.get("ply")) || 0);
    else if (arriving()) page.begin();
    return () => page.close();
  };
}

/** Take the seat that an invitation is for: it is in the part of the address no server sees, and is valid once. */
async function accept(id, invitation) {
  const { seats, invite } = tables.get(id);
  if (invite?.secret === invitation) return note("This link is for your friend.");
  try {
    const { person, secret } = await post(`/api/tables/${encodeURIComponent(id)}/seat`, { invitation });
    tables.keep(id, { seats: { ...seats, [person]: secret } });
  } catch (error) {
    if (error.status !== 403) throw error;
    if (!Object.keys(seats).length) note(`${error.message} You can watch.`);
  }
}

class Play {
  constructor(main, id, table) {
    this.id = id;
    this.table = table;
    this.people = new People(table.people, tables.get(id).seats);
    this.mine = this.people.mine;
    this.sides = this.people.sides;
    this.story = new Story(table);
    this.asked = table.asked;
    this.sending = null; // the move being sent: {ply, words}
    this.listening = new AbortController();
    this.again = new Again(table, this.people, this.listening.signal, () => this.#verdict());
    this.people.presence = this.again.awaiting(table.presence);
    title(table.title);
    this.#build(main);
    this.#show({});
    if (table.next) this.#tell(this.again.begun(table.next));
    this.#listen();
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
    // Somebody who comes back after a while, or after sleep, sees the current state.
    this.seen = () => { if (!document.hidden) { this.#tab(); this.#lookAgain(); } };
    document.addEventListener("visibilitychange", this.seen);
    addEventListener("online", this.seen);
  }

  close() {
    this.listening.abort();
    document.removeEventListener("visibilitychange", this.seen);
    removeEventListener("online", this.seen);
    document.removeEventListener("keydown", this.keys);
  }

  /** Whether a person in this browser is to move. */
  get turn() {
    return !this.story.now.result && Boolean(this.mine[this.story.now.person]);
  }

  /** The controls beside the board, if all choices are there. */
  get beside() {
    return this.board.active && !this.board.choices.sites.size ? this.prompt : null;
  }

  /** Whose turn it is, in words. */
  get call() {
    const words = this.turn && this.sides.length === 1 ? "Your move." : `${this.story.now.to_move} to move.`;
    const names = [...(this.beside?.querySelectorAll("button[type=button]") ?? [])].map((button) => button.textContent).join(", ");
    return [words, this.beside?.querySelector(".say").textContent, names && `${names}.`].filter(Boolean).join(" ");
  }

  /** Move the focus to where the next choice is made. */
  #attend() {
    (this.beside?.querySelector("button, input") ?? this.board).focus();
  }

  /** After coming from another page, begin where the next choice is made. */
  begin() {
    scrollTo(0, 0);
    this.#attend();
    say(`${this.table.title}. ${this.story.now.result ? this.people.outcome(this.story.now.result) : this.call}`);
  }

  // --- the page ------------------------------------------------------------------

  #build(main) {
    const { table } = this;
    const holder = h("div", { class: "board-holder" });
    this.board = new Board(holder);
    this.board.targets = settings.get("targets", true);
    this.board.set(table.board, table.players, table.title);
    // A reader with one seat sits below; otherwise the first person does.
    this.near = this.sides.length === 1 ? this.sides[0] : "first";
    this.parts = Object.fromEntries(
      ["far", "near", "verdict", "now", "tools", "invite", "offline"].map((name) => [name, h("div", {})]),
    );
    const { parts } = this;
    parts.state = h("dl", { class: "state" });
    parts.remembered = h("details", {}, h("summary", {}, "What the rules remember"), parts.state);
    this.list = new MoveList(this.people, { go: (ply) => this.go(ply), step: (by) => this.#step(by), onward: () => this.board.focus() });
    parts.now.className = "now";
    parts.tools.className = "tools";
    parts.offline.className = "offline";
    parts.offline.hidden = true;
    parts.offline.textContent = "The connection is lost. Trying again…";
    this.prompt = h("div", { class: "asking" });
    controls(this.board, this.prompt);
    this.board.addEventListener("play", ({ detail }) => this.#play(detail));
    const step = (name, words, to) => h("button", { type: "button", onclick: to, "aria-label": words, title: words }, icon(name));
    const more = h("div", {});
    refill(
      main,
      h("div", { class: "table" },
        h("section", { class: "stage", "aria-label": "Board" },
          holder,
          h("div", { class: "card replay" },
            step("first", "To the start", () => this.go(0)),
            step("back", "One move back", () => this.#step(-1)),
            step("forward", "One move on", () => this.#step(1)),
            step("last", "To the last move", () => this.go(this.story.live)),
            step("flip", "Flip board", () => this.#flip()))),
        h("section", { class: "side", "aria-label": "Game" },
          h("div", { class: "card panel" },
            h("div", { class: "headline" }, h("h1", {}, table.title), this.#about()),
            parts.offline,
            parts.invite,
            parts.far,
            parts.near,
            parts.verdict,
            parts.now),
          h("div", { class: "card panel" },
            this.list.element,
            parts.tools,
            this.#typing(),
            parts.remembered,
            more))),
    );
    // Where a finger can easily miss, moves are to be confirmed.
    const size = holder.querySelector("[data-site]").getBoundingClientRect().width;
    const careful = matchMedia("(pointer: coarse)").matches && size < SMALL;
    this.board.careful = settings.get("careful", careful);
    more.append(this.#settings(careful));
    holder.addEventListener("keydown", (event) => this.#refuse(event), { capture: true });
    this.#invite();
  }

  /** What the game is about and how to play it, with its options. */
  #about() {
    const { about, how, options, remarks } = this.table;
    const words = Object.entries(options).map(([name, value]) =>
      h("div", {}, h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, value === true ? "yes" : value === false ? "no" : String(value)), remarks[name] ? h("dd", { class: "remark" }, coded(remarks[name])) : null));
    return h("details", {},
      h("summary", {}, "How to play"),
      h("div", { class: "about" },
        [about, ...how].filter(Boolean).map((text) => h("p", {}, coded(text))),
        words.length ? h("dl", { class: "state" }, words) : null,
        h("a", { class: "button", href: `#/edit/new?table=${this.id}` }, icon("edit"), "Rule text")));
  }

  /** Say why nothing happens when a key is pressed on a site that cannot be chosen. */
  #refuse(event) {
    const name = event.target.dataset?.site;
    if (!name || (event.key !== "Enter" && event.key !== " ")) return;
    const { board } = this;
    if (!board.active) return say(this.story.now.result ? "The game is over." : this.story.shown !== null ? "This is an earlier position." : "It is not your turn.");
    const { choices } = board;
    const begins = () => new Choices(this.story.view.moves).sites.has(name);
    if (!choices.sites.has(name) && !choices.places.includes(name) && !begins()) say(`${name} cannot be chosen.`);
  }

  #typing() {
    if (!this.sides.length) return null;
    const field = h("input", { type: "text", "aria-label": "Type a move", autocomplete: "off", spellcheck: "false", maxlength: "200" });
    return (this.typing = h("form", { class: "type", onsubmit: (event) => {
      event.preventDefault();
      const typed = field.value;
      if (!typed.trim()) return;
      // The next move may be in the field before the answer to this one comes.
      this.#play({ n: typed.trim() }).then((done) => done && field.value === typed && (field.value = ""));
    } }, (this.field = field), h("button", { type: "submit" }, "Play")));
  }

  #settings(careful) {
    const box = (name, words, otherwise, change) =>
      h("label", {}, h("input", { type: "checkbox", ".checked": settings.get(name, otherwise), onchange: (event) => { settings.set(name, event.target.checked); change?.(event.target.checked); } }), words);
    return h("details", {},
      h("summary", {}, "Settings"),
      h("div", { class: "options" },
        box("targets", "Show possible moves", true, (on) => { this.board.targets = on; this.board.cancel(); }),
        box("careful", "Confirm each move", careful, (on) => { this.board.careful = on; }),
        box("sound", "Sound", false),
        h("p", { class: "soft" }, "Keys: ← → step through the moves, F flips the board. On the board (reach it by Tab) the arrows go from site to site, Enter chooses, Backspace goes one choice back, Esc cancels.")));
  }

  /** The link for a friend, as long as the seat is empty. */
  #invite() {
    const { invite } = tables.get(this.id);
    const { parts } = this;
    parts.invite.className = "invite";
    parts.invite.hidden = this.people.presence[invite?.person] !== "awaited" || Boolean(this.story.now.result);
    if (parts.invite.hidden) return;
    refill(parts.invite,
      h("p", {}, h("strong", {}, "Send this link to your friend")),
      linkbox(`${address(this.id)}?invite=${invite.secret}`, "Link for your friend"),
      h("p", { class: "soft" }, "Whoever opens it first sits opposite you; after that, others can only watch."));
  }

  #show({ after = null, move = null }) {
    const { shown, at, view, now, moves, movers } = this.story;
    this.board.flip(this.flipped ?? view.seats[this.table.above] === this.near);
    this.board.show(view, { active: shown === null && this.turn && !this.sending, after, move });
    this.#seats();
    this.#verdict();
    this.#question();
    this.list.draw(moves, movers, at);
    this.#tools();
    this.#state();
    this.#tab();
    if (this.typing) {
      this.typing.hidden = Boolean(now.result);
      this.field.placeholder = `Type a move, e.g. ${now.moves[0]?.n ?? "b1-b2"}`;
    }
    this.#remember();
  }

  /** Remember what the page of all games says about this one. */
  #remember() {
    if (this.people.sit) tables.keep(this.id, { title: this.table.title, with: this.people.opponent, turn: this.turn, over: Boolean(this.story.now.result) });
  }

  /** The title of the tab says that it is the reader's turn while they look at another tab. */
  #tab() {
    title(document.hidden && this.turn && this.sides.length === 1 ? `● Your move: ${this.table.title}` : this.table.title);
  }

  #seats() {
    const { parts, near, story: { view, shown }, table: { players } } = this;
    this.people.draw(parts.far, OTHER[near], view, players, shown === null);
    this.people.draw(parts.near, near, view, players, shown === null);
  }

  #verdict() {
    const { result } = this.story.now;
    const { verdict } = this.parts;
    verdict.hidden = !result;
    verdict.className = "verdict";
    if (!result) return;
    redraw(verdict, () => refill(verdict,
      h("strong", {}, this.people.outcome(result)),
      h("span", { class: "soft" }, reason(result)),
      this.again.offered ? h("span", {}, "Your friend wants to play again.") : null,
      h("div", { class: "words-row" }, this.again.buttons, h("a", { class: "button", href: "#/" }, "Another game"))), () => this.board.focus());
  }

  #question() {
    const { now } = this.parts;
    now.hidden = Boolean(this.story.view.result);
    redraw(now, () => refill(now, this.story.shown === null ? this.#present() : this.#past(), this.#request()), () => this.board.focus());
  }

  #past() {
    const { live, shown } = this.story;
    return [
      h("p", { class: "say" }, `Position after ${plies(shown)}.`),
      h("div", { class: "words-row" },
        h("button", { type: "button", onclick: () => this.go(live) }, "Back to the game"),
        h("button", { type: "button", onclick: () => this.#playOn() }, icon("play"), "Play on"),
        h("a", { class: "button", href: `#/edit/new?table=${this.id}&ply=${shown}` }, icon("fork"), "Try other moves")),
    ];
  }

  #present() {
    const waits = this.sides.length ? "It is the other side's turn." : "You are watching.";
    const swapped = this.#swapped();
    const sent = this.sending && h("p", { class: "soft sent" }, `${this.sending.words} is on its way…`);
    return [swapped && h("p", {}, swapped), sent ?? (this.turn ? this.prompt : h("p", { class: "soft" }, waits))];
  }

  /** A request to take back a move, and what the person here can do about it. */
  #request() {
    if (!this.asked || this.sides.length !== 1) return null;
    const button = (words, what, main) => h("button", { type: "button", class: main ? "main" : null, onclick: () => this.#act(what) }, words);
    return this.mine[this.asked]
      ? h("div", { class: "words-row" }, h("span", { class: "soft" }, "You ask to take back your move."), button("Withdraw", "decline"))
      : h("div", { class: "words-row" }, h("span", {}, "Your friend asks to take back a move."), button("Allow", "undo", true), button("Decline", "decline"));
  }

  /** What to say after a swap of sides, until the next move. */
  #swapped() {
    const { before, now, movers } = this.story;
    return this.people.swapped(before?.seats, now.seats, movers.at(-1));
  }

  #tools() {
    const { shown, at, now, movers } = this.story, { sit, apart } = this.people;
    const over = Boolean(now.result);
    const tool = (name, words, action, possible = true) => h("button", { type: "button", onclick: action, disabled: !possible }, icon(name), words);
    const mine = movers.some((person) => this.mine[person]);
    redraw(this.parts.tools, () => refill(this.parts.tools,
      sit && tool("undo", apart ? "Ask to take back" : "Undo", () => this.#act("undo"), !over && mine && !(apart && this.mine[this.asked])),
      sit && !apart && tool("hint", "Hint", () => this.#hint(), this.turn && shown === null),
      sit && tool("flag", "Resign", () => this.#resign(), !over),
      tool("share", "Share", () => share(this.id, shown)),
      tool("down", "Record", () => record(this.id)),
      tool("image", "Picture", () => takePicture(this.id, at, this.table.title))), () => this.board.focus());
  }

  #flip() {
    this.flipped = !this.board.flipped;
    this.board.flip(this.flipped);
  }

  #state() {
    const { parts, story: { view } } = this;
    // Empty values and sets of sites say little in words.
    const dull = (value) => value.length > 24 || ["none", "no", "0", ""].includes(value) || value.split(" ").every((word) => this.board.places.has(word));
    const words = Object.entries(view.state).filter(([name, value]) => name !== this.board.board.stores && !dull(value));
    parts.remembered.hidden = words.length === 0;
    refill(parts.state, words.map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, value))));
  }

  // --- what one does ---------------------------------------------------------------

  /** The secret of the person here; if both are, of the one to move. */
  get seat() {
    return this.mine[this.story.now.person] ?? this.mine[this.sides[0]];
  }

  async #play(move) {
    const { live: ply, now, shown } = this.story;
    const seat = this.mine[now.person];
    if (!seat || this.sending) return false;
    const sent = (this.sending = { ply, words: move.n });
    const legal = move.c ? move : now.moves.find(({ n }) => n === move.n);
    if (legal && shown === null) this.board.send(legal);
    hush();
    this.#question();
    try {
      await post(`/api/tables/${this.id}/moves`, { ply, move: move.n }, { seat });
      return true;
    } catch (error) {
      note(error.message);
      if (this.sending === sent) { // else the move has arrived all the same
        this.sending = null;
        this.#show({});
      }
      return false;
    }
  }

  async #act(what) {
    // On a shared screen the person who has just moved takes it back, and the other agrees.
    const latest = this.story.before?.person ?? OTHER[this.story.now.person];
    const seats = this.sides.length === 2 && what === "undo" ? [this.mine[latest], this.mine[OTHER[latest]]] : [this.seat];
    try {
      for (const seat of seats) await post(`/api/tables/${this.id}/${what}`, { ply: this.story.live }, { seat });
    } catch (error) {
      note(error.message);
    }
  }

  /** Set up a separate game that goes on from the position shown. */
  #playOn() {
    const { table, story: { moves, view } } = this;
    setup({
      title: table.title,
      about: `Goes on after ${plies(view.ply)}; ${view.to_move} (${view.person} player) is to move.`,
      options: [],
      values: table.options,
      moves: moves.slice(0, view.ply),
      rules: { table: this.id },
      picture: picture(table.board, table.players, view),
    });
  }

  async #resign() {
    if ((await ask("Resign", "Give up this game?", ["", "Play on"], ["yes", "Resign"])) === "yes") this.#act("resign");
  }

  async #hint() {
    const { live, now } = this.story;
    note("Thinking…");
    try {
      const { moves: [best] } = await post(`/api/tables/${this.id}/hint`, { ply: live }, { seat: this.mine[now.person] });
      if (live !== this.story.live || !best) return;
      this.board.point(now.moves.find((move) => move.n === best.move));
      const chance = typeof best.value === "number" ? `: can expect ${Math.round(best.value * 100)}%` : "";
      note(`${best.move}${chance}.`);
    } catch (error) {
      note(error.message);
    }
  }

  /** Go by some moves on from the position wanted already. */
  #step(by) {
    this.go((this.story.wanted ?? this.story.at) + by);
  }

  /** Go to the position after `ply` moves. */
  async go(ply) {
    const { story } = this;
    let from;
    try {
      from = await story.look(ply);
    } catch (error) {
      return note(error.message);
    }
    if (from === null) return;
    const after = story.views.get(from), { at, moves } = story;
    this.#show({ after, move: at === from + 1 ? after.moves.find(({ n }) => n === moves[from]) : null });
    say(at === 0 ? "Start" : `Move ${at}, ${moves[at - 1]}`);
  }

  #key(event) {
    if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    const { board } = this, choosing = board.active && board.choices.begun;
    const keys = { ArrowLeft: () => this.#step(-1), ArrowRight: () => this.#step(1), Home: () => this.go(0), End: () => this.go(this.story.live), f: () => this.#flip(), ...(choosing && { Escape: () => board.cancel(), Backspace: () => board.back() }) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  // --- what happens -------------------------------------------------------------------

  #listen() {
    const on = {
      now: (data) => this.#now(data),
      move: (data) => this.#moved(data),
      undo: (data) => this.#undone(data),
      resign: (data) => this.#ended(data),
      ask: (data) => this.#asks(data.person),
      decline: (data) => this.#declines(data.person),
      again: (data) => this.#tell(this.again.begun(data.note, data.person)),
      presence: (data) => this.#comeOrGo(data),
      thought: (data) => { this.people.thought = data; this.#seats(); },
      trouble: (data) => note(data.says),
    };
    const linked = (is) => { this.parts.offline.hidden = is; };
    const { signal } = this.listening;
    listen(`/api/tables/${this.id}/events`, on, { seat: this.mine[this.sides[0]], signal, linked }).catch((error) => {
      this.parts.offline.textContent = error.message;
      this.parts.offline.hidden = false;
    });
  }

  #asks(person) {
    this.asked = person;
    this.#question();
    this.#tools();
    if (this.mine[person] || this.sides.length !== 1) return;
    this.#tell("Your friend asks to take back a move.");
  }

  #declines(person) {
    const asked = this.asked;
    this.asked = null;
    this.#question();
    this.#tools();
    if (this.mine[person] || this.sides.length !== 1) return;
    if (!asked) this.#tell("Your friend does not want to play now.");
    else this.#tell(person === asked ? "Your friend does not ask to take back a move any more." : "Your friend does not want to take back a move.");
  }

  #comeOrGo(told) {
    const presence = this.again.awaiting(told), before = this.people.presence;
    const came = PERSONS.some((person) => before[person] === "awaited" && presence[person] !== "awaited");
    this.people.presence = presence;
    this.#seats();
    this.#invite();
    if (came && this.sides.length) this.#tell("Your friend has come.");
  }

  /** Report something that others have done, to eyes and ears. */
  #tell(words) {
    if (!words) return;
    note(words);
    click();
  }

  /** The state of the game, whatever was known before. */
  #now({ moves, movers, asked, next, presence, view }) {
    this.#comeOrGo(presence);
    if (next) this.#tell(this.again.begun(next));
    this.asked = asked;
    if (this.story.knows(view, moves)) this.#question();
    else this.#forward(view, moves, movers, null);
  }

  #moved({ ply, move, view, person, note: words }) {
    const { now, live, moves, movers } = this.story;
    if (ply !== live + 1) return this.#lookAgain();
    this.people.thought = null;
    this.asked = null;
    this.#forward(view, [...moves, move], [...movers, person], now.moves.find(({ n }) => n === move));
    if (words) note(words);
    this.#tell(this.#swapped());
    const mine = this.mine[person] && this.sides.length === 1;
    const next = view.result ? `${this.people.outcome(view.result)}, ${reason(view.result)}` : this.call;
    say(`${mine ? "You" : now.to_move}: ${move}. ${next}`);
    click();
  }

  #undone({ ply, view }) {
    const { moves, movers } = this.story;
    this.asked = null;
    this.people.thought = null;
    this.#forward(view, moves.slice(0, ply), movers.slice(0, ply), null);
    say(`Taken back. ${this.call}`);
  }

  #ended({ ply, view }) {
    const { live, moves, movers } = this.story;
    if (ply !== live) return this.#lookAgain();
    this.asked = null;
    this.#forward(view, moves, movers, null);
    say(`${this.people.outcome(view.result)}, ${reason(view.result)}`);
  }

  /** The game is now at this view. */
  #forward(view, moves, movers, choices) {
    const before = this.story.shown === null ? this.story.now : null;
    this.story.set(view, moves, movers);
    this.sending = null;
    hush();
    const focused = document.activeElement?.closest?.(".board, .asking");
    this.#show({ after: before, move: choices });
    if (focused) this.#attend();
  }

  async #lookAgain() {
    try {
      const state = await get(`/api/tables/${this.id}`);
      if (!this.listening.signal.aborted) this.#now(state);
    } catch (error) {
      if (error.status) note(error.message);
    }
  }
}

function reason({ reason, scores }) {
  const points = scores ? ` (${Object.entries(scores).map(([player, points]) => `${player} ${points}`).join(", ")})` : "";
  return (reason === "resign" ? "by resignation" : reason) + points;
}
