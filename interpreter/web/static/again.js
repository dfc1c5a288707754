// The same people once more, at another table, with sides changed: whoever asks goes there, and the other is asked.

import { post } from "./api.js";
import { h } from "./dom.js";
import { note } from "./main.js";
import { tables } from "./memory.js";
import { OTHER } from "./people.js";

export class Again {
  /** For this table and these people, until `signal`; `changed` is called when the offer changes. */
  constructor(table, people, signal, changed) {
    this.table = table;
    this.people = people;
    this.signal = signal;
    this.changed = changed;
    this.next = null; // the table where they play again
    this.offered = false; // whether the other person asks for that
    this.asking = false;
  }

  /** What the person here can do. */
  get buttons() {
    const { sit, presence } = this.people;
    const button = (words, onclick, name = "main") => h("button", { type: "button", class: name, onclick }, words);
    if (!this.next) return sit && !Object.values(presence).includes("awaited") ? [button("Play again", () => this.#ask())] : [];
    if (!sit) return [h("a", { class: "button main", href: `#/table/${this.next}` }, "Watch the next game")];
    if (!this.offered) return [button("To the new game", () => this.#follow())];
    return [button("Play again", () => this.#follow()), button("Not now", () => this.#decline(), null)];
  }

  /** Somebody, perhaps here, has asked for another game. Returns what to tell the person here. */
  begun(id, person) {
    if (this.next === id || this.asking) return null;
    const { apart, mine, sit } = this.people;
    const own = person ? mine[person] : Object.keys(tables.get(id).seats).length;
    this.next = id;
    this.#offer(sit && apart && !own);
    return this.offered ? "Your friend wants to play again." : sit ? null : "The same people play again.";
  }

  /** Who is here; somebody who was asked to come to this table counts as awaited until they do. */
  awaiting(presence) {
    const { id } = this.table, { awaits } = tables.get(id);
    if (!awaits) return presence;
    const others = Object.entries(presence).filter(([person]) => !this.people.mine[person]);
    if (others.some(([, is]) => is === "here")) {
      tables.keep(id, { awaits: false });
      return presence;
    }
    return { ...presence, ...Object.fromEntries(others.map(([person, is]) => [person, is === "away" ? "awaited" : is])) };
  }

  #offer(offered) {
    this.offered = offered;
    this.changed();
  }

  /** Not now: the person waiting at the other table is told, if they have not begun there. */
  #decline() {
    this.#offer(false);
    const { mine, sides } = this.people;
    post(`/api/tables/${this.next}/decline`, { ply: 0 }, { seat: mine[sides[0]] }).catch(() => {});
  }

  async #ask() {
    const { mine, sides, apart } = this.people;
    this.asking = true;
    try {
      this.next = (await post(`/api/tables/${this.table.id}/again`, undefined, { seat: mine[sides[0]] })).id;
      this.#follow({ awaits: apart });
    } catch (error) {
      this.asking = false;
      note(error.message);
    }
  }

  /** Go to the other table, and remember `more` about it. */
  #follow(more = {}) {
    if (this.signal.aborted) return;
    const seats = Object.fromEntries(Object.entries(this.people.mine).map(([person, secret]) => [OTHER[person], secret]));
    tables.keep(this.next, { seats, title: this.table.title, ...more });
    location.hash = `#/table/${this.next}`;
  }
}
