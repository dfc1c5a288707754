// The moves of a game in two columns, by who made them; a person may make several in a row if the rules say so.

import { h, redraw, refill } from "./dom.js";
import { PERSONS } from "./people.js";

export class MoveList {
  /** `go(ply)` goes to a position, `step(by)` by some moves on; `onward()` moves the focus if its move is gone. */
  constructor(people, { go, step, onward }) {
    this.people = people;
    this.go = go;
    this.onward = onward;
    this.element = h("div", { class: "moves", role: "group", "aria-label": "Moves", onkeydown: (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(by);
    } });
  }

  /** Draw the moves and who made each; the position after `shown` of them is on the board. */
  draw(moves, movers, shown) {
    const { element, people } = this;
    const item = (i) => h("button", { type: "button", tabindex: i + 1 === (shown || 1) ? "0" : "-1", "aria-current": i + 1 === shown ? "true" : null, onclick: () => this.go(i + 1) }, moves[i]);
    const rows = [];
    movers.forEach((person, i) => {
      const turn = person !== movers[i - 1];
      if (turn && (person === "first" || i === 0)) rows.push({ first: [], second: [] });
      rows.at(-1)[person].push(item(i));
    });
    redraw(element, () => refill(element, rows.length
      ? [
          h("div", { class: "who-moves", "aria-hidden": "true" }, PERSONS.map((person) => h("span", {}, people.short(person)))),
          h("ol", {}, rows.map((row, i) => h("li", {}, h("span", { class: "number-of" }, `${i + 1}.`), PERSONS.map((person) => h("span", { class: "turn-moves" }, row[person]))))),
        ]
      : h("p", { class: "soft empty" }, "No moves yet.")), this.onward);
    const current = element.querySelector("[aria-current]");
    if (element.contains(document.activeElement)) element.querySelector("[tabindex='0']").focus({ preventScroll: true });
    if (current) element.scrollTop = current.offsetTop - element.offsetTop - element.clientHeight / 2;
  }
}
