// The people at a table as seen from this browser: names, seats, and what an end or a swap of sides means to them.

import { paintOf } from "./board.js";
import { h, refill, s } from "./dom.js";
import { describe } from "./machines.js";

export const PERSONS = ["first", "second"];
export const OTHER = { first: "second", second: "first" };

const PRESENCE = { here: "here", away: "not here now", awaited: "has not come yet" };

/** The colour that a person has. */
const colourOf = (seats, person) => Object.keys(seats).find((colour) => seats[colour] === person);

export class People {
  /** `players`: who each person is; `mine`: the secrets of the seats in this browser. */
  constructor(players, mine) {
    this.players = players;
    this.mine = mine;
    this.sides = Object.keys(mine);
    this.presence = {}; // whether each is awaited, away or here
    this.thought = null; // of the machine that is thinking
  }

  /** Whether somebody in this browser plays. */
  get sit() {
    return this.sides.length > 0;
  }

  /** Whether there is another person, in another browser. */
  get apart() {
    return PERSONS.some((person) => !this.mine[person] && this.human(person));
  }

  human(person) {
    return (this.players?.[person] ?? "human") === "human";
  }

  name(person) {
    if (!this.human(person)) return describe(this.players[person])[0];
    if (this.sides.length === 2) return person === "first" ? "First player" : "Second player";
    if (this.mine[person]) return "You";
    return this.sit ? "Your friend" : person === "first" ? "First player" : "Second player";
  }

  /** The name above the moves. */
  short(person) {
    if (!this.human(person)) return "Machine";
    if (this.sides.length !== 1) return person === "first" ? "First" : "Second";
    return this.mine[person] ? "You" : "Friend";
  }

  /** The opponent, in the words of the page of all games. */
  get opponent() {
    const other = PERSONS.find((person) => !this.mine[person]);
    return !other ? null : this.human(other) ? "a friend" : this.name(other).toLowerCase();
  }

  outcome({ winner, person }) {
    if (!winner) return "A draw";
    const who = this.name(person);
    if (this.sides.length === 1) return `${winner} wins: you have ${who === "You" ? "won" : "lost"}`;
    return `${winner} wins (${who.charAt(0).toLowerCase() + who.slice(1)})`;
  }

  /** What to say if the mover has swapped sides, given the seats before and now. */
  swapped(before, now, mover) {
    if (!before || colourOf(before, "first") === colourOf(now, "first")) return null;
    const who = this.mine[mover] && this.sides.length === 1 ? "You have" : `${this.name(mover)} has`;
    const me = this.sides.length === 1 ? `you are ${colourOf(now, this.sides[0])}` : `the ${mover} player is ${colourOf(now, mover)}`;
    return `${who} swapped sides: ${me} now.`;
  }

  /** Draw the seat of a person; `players`: the colours of the game; `current`: whether this is no earlier position. */
  draw(element, person, view, players, current) {
    const scores = view.result?.scores ?? view.scores;
    const colour = colourOf(view.seats, person);
    const turn = !view.result && view.person === person;
    element.className = `seat${turn ? " turn" : ""}`;
    refill(element,
      h("span", { class: "swatch" }, s("svg", { class: "swatch", viewBox: "-12 -12 24 24", "aria-hidden": "true" },
        s("circle", { class: `disc flat ${paintOf(players, colour)}`, r: 10 }))),
      h("span", { class: "who" }, h("strong", {}, colour), h("small", {}, this.name(person), this.#where(person))),
      turn && (current ? this.#thinks(person) : h("span", { class: "soft" }, "to move")),
      scores && h("span", { class: "score" }, h("span", { class: "unseen" }, "score "), String(scores[colour])));
  }

  /** How a machine plays, or whether a person in another browser is there. */
  #where(person) {
    if (!this.human(person)) return h("span", { class: "fine" }, describe(this.players[person])[1]);
    if (this.mine[person]) return null;
    return h("span", { class: `presence ${this.presence[person]}` }, PRESENCE[this.presence[person]]);
  }

  #thinks(person) {
    if (this.human(person)) return h("span", { class: "soft" }, this.mine[person] && this.sides.length === 1 ? "your move" : "to move");
    const value = this.thought?.value;
    return h("span", { class: "soft thinking" }, typeof value === "number" ? `expects ${Math.round(value * 100)}% ` : "", h("i", {}), h("i", {}), h("i", {}), h("span", { class: "unseen" }, "is thinking"));
  }
}
